// What a database of positions says, in the words of the engine's protocol, as data. Knows nothing of the page.

import { formatPoint } from "./live.js";
import { FileError } from "./sgf.js";
import { rateOf } from "./values.js";

/**
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./desk.js").Side} Side
 * @typedef {import("./values.js").Value} Value
 *
 * Games with a move, counted for the side that makes it.
 * @typedef {{ won: number, drawn: number, lost: number }} Games
 *
 * A position that the database knows, with the move that leads to it. `label` and `rate` (from 0 to 1) are for the side that
 * makes the move. `value` is the search's, for the other side; `bound` is 0 without a value, 1 if it is at most this, 2 at least,
 * 3 exactly.
 * @typedef {object} KnownPosition
 * @property {string} label
 * @property {number} value
 * @property {number} depth
 * @property {number} bound
 * @property {string} text
 * @property {number} [rate]
 * @property {Games} [games]
 *
 * A move that the database knows.
 * @typedef {KnownPosition & { point: Point, hasComment: boolean }} KnownMove
 *
 * What is known of a position: of its moves, and of itself; `error` is the engine's reason if it can't be read.
 * @typedef {{
 *   moves: KnownMove[], here: KnownPosition | null, best: Point | null, comment: string, error: string,
 * }} Known
 */

/** The value of a won game, less one for each ply to it. */
const WON = 30000;
/** A value beyond this is a win or a loss. */
const DECIDED = 29000;
/** Largest file that a Worker opens, in bytes. */
const MOST_BYTES = 32 << 20;
/** First characters of a database. */
const BEGINS = "kakugo positions";

/**
 * Asks for everything that is known of a position and its moves.
 * @param {import("./engine.js").EngineClient} engine @param {import("./engine.js").Position} position
 * @returns {Promise<Known>}
 */
export function askDatabase(engine, { size, rule, moves }) {
  const block = [...moves.map((move) => formatPoint(move, size)), "DONE"];
  const reader = knownReader(size);
  const lines = () => {
    reader.begin();
    return [
      ...engine.setUp({ size, rule, moves: [] }, "YXBOARD"),
      "YXQUERYDATABASEMORE",
      ...block,
      "YXQUERYDATABASEALLT",
      ...block,
    ];
  };
  return engine.ask(
    "short",
    lines,
    (line, /** @type {(known: Known) => void} */ resolve) => {
      const known = reader.take(line);
      if (known) resolve(known);
      return !!known;
    },
    { hears: reader.hears },
  ).result;
}

/** Collects the answers to both questions. @param {number} size */
function knownReader(size) {
  /** @type {Known} */
  let known = { moves: [], here: null, best: null, comment: "", error: "" };
  /** @type {Map<string, { rate?: number, games: Games }>} */
  let more = new Map();
  let answered = 0;
  /** The comment so far; its lines may look like anything. @type {string | null} */
  let text = null;

  /** An answer is complete; so is everything after the second. */
  const end = () => (++answered === 2 ? known : null);

  /** @param {string} line */
  function takeText(line) {
    const { plain, isClosed } = unquote(line);
    text = text === null ? plain : `${text}\n${plain}`;
    if (!isClosed) return null;
    known.comment = text.trim();
    text = null;
    return end();
  }

  /** @param {string} line @returns {Known | null} */
  function take(line) {
    if (text !== null) return takeText(line);
    const error = /^(?:ERROR|UNKNOWN) (?:database: )?(.*)$/.exec(line);
    if (error) {
      known.error = error[1];
      return end();
    }
    const [, word] = /^MESSAGE DATABASE (.*)$/.exec(line) || [];
    if (!word) return null;
    if (word === "MORE DONE") return end();
    if (word.startsWith('TEXT "')) return takeText(word.slice(6));
    const best = /^BEST (\d+) (\d+)$/.exec(word);
    if (best) known.best = pointAt(best, size);
    const rated = /^MORE (\d+) (\d+) (\S+) (\d+) (\d+) (\d+)$/.exec(word);
    if (rated) {
      const [won, drawn, lost] = rated.slice(4).map(Number);
      more.set(`${rated[1]} ${rated[2]}`, {
        ...(rated[3] !== "-" && { rate: Number(rated[3]) }),
        games: { won, drawn, lost },
      });
    }
    const here = /^HERE (-?\d+) (-?\d+) (-?\d+) ([0-3]) (\S+) (\d+) (\d+) (\d+)(?: (.*))?$/.exec(word);
    if (here) known.here = readHere(here);
    const move = /^(\d+) (\d+) (-?\d+) (-?\d+) (-?\d+) ([0-3]) ([01])(?: (.*))?$/.exec(word);
    if (move) known.moves.push({ ...readMove(move, size), ...more.get(`${move[1]} ${move[2]}`) });
    return null;
  }

  return {
    begin() {
      known = { moves: [], here: null, best: null, comment: "", error: "" };
      more = new Map();
      answered = 0;
      text = null;
    },
    take,
    /** Whether a line belongs to the answers. @param {string} line */
    hears: (line) => text !== null || /^(MESSAGE DATABASE (?!FILE )|ERROR (?!INFO)|UNKNOWN)/.test(line),
  };
}

/** @param {RegExpExecArray} found @param {number} size @returns {Point} */
const pointAt = (found, size) => ({ x: Number(found[1]), y: size - 1 - Number(found[2]) });

/** @param {RegExpExecArray} found @param {number} size @returns {KnownMove} */
function readMove(found, size) {
  const [label, value, depth, bound] = found.slice(3).map(Number);
  return {
    point: pointAt(found, size),
    label: unpack(label),
    value,
    depth,
    bound,
    hasComment: found[7] === "1",
    text: found[8] || "",
  };
}

/** @param {RegExpExecArray} found @returns {KnownPosition} */
function readHere(found) {
  const [label, value, depth, bound] = found.slice(1).map(Number);
  const [won, drawn, lost] = found.slice(6, 9).map(Number);
  const rate = found[5] === "-" ? {} : { rate: Number(found[5]) };
  return { label: unpack(label), value, depth, bound, text: found[9] || "", ...rate, games: { won, drawn, lost } };
}

/** A label of up to four characters, sent as a number. @param {number} packed */
function unpack(packed) {
  let label = "";
  for (let rest = packed; rest > 0; rest >>>= 8) label = String.fromCharCode(rest & 255) + label;
  return label;
}

/** A line of a text in quotes without its escapes, and whether the text ends there. @param {string} line */
function unquote(line) {
  let plain = "";
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') return { plain, isClosed: true };
    if (line[at] === "\\") at++;
    plain += line[at] ?? "";
  }
  return { plain, isClosed: false };
}

/**
 * The value of the position after a move, `null` if the database has none. A win without a known length is like a game that
 * is won.
 * @param {KnownPosition} move @param {Side} mover @returns {Value | null}
 */
export function valueOf({ label, value, depth, bound, rate }, mover) {
  const isBlack = mover === "black";
  /** @param {number} chance the mover's @param {number} [mate] plies; negative if the mover loses */
  const make = (chance, mate) => ({
    black: isBlack ? chance : 1 - chance,
    depth,
    ...(mate !== undefined && { mate: isBlack ? mate : -mate || 0 }),
  });
  const [, result, plies] = /^([wl])(\d+|\*)$/.exec(label) || [];
  if (result) return make(result === "w" ? 1 : 0, plies === "*" ? 0 : Number(plies) * (result === "w" ? 1 : -1));
  if (label === "d") return make(0.5, 0);
  if (bound !== 0 && Math.abs(value) > DECIDED) {
    const length = WON - Math.abs(value) + 1;
    return make(value < 0 ? 1 : 0, value < 0 ? length : -length);
  }
  return rate === undefined ? null : make(rate);
}

/** Share of the points that a side has won in games with a move. @param {Games} games @param {boolean} isMover */
export function scoreOf({ won, drawn, lost }, isMover) {
  const count = won + drawn + lost;
  return ((isMover ? won : lost) + drawn / 2) / count;
}

/** @param {KnownPosition} move */
export const gamesOf = ({ games }) => (games ? games.won + games.drawn + games.lost : 0);

/** Moves with the best for their side first: by what is decided, values, and results of games. @param {KnownMove[]} moves @param {Side} mover */
function inOrder(moves, mover) {
  const key = (/** @type {KnownMove} */ move) => {
    const value = valueOf(move, mover);
    const rate = value && rateOf(value, mover);
    if (value?.mate !== undefined && rate !== 0.5) {
      // Quick wins come first, quick losses last.
      const length = Math.min(1, Math.abs(value.mate || 900) / 1000);
      return rate === 1 ? 4 - length : -2 + length;
    }
    if (move.label === "!") return 2;
    if (move.label === "x") return -3;
    if (rate !== null) return rate;
    const { won, drawn, lost } = move.games || { won: 0, drawn: 0, lost: 0 };
    // As if one more game had been drawn.
    return gamesOf(move) > 0 ? (won + (drawn + 1) / 2) / (won + drawn + lost + 1) : -1;
  };
  return [...moves].sort((one, other) => key(other) - key(one));
}

/** The rotations and reflections of a square board: a point as seen from its corners. @type {((point: Point, last: number) => Point)[]} */
const VIEWS = [false, true].flatMap((isTurned) =>
  [false, true].flatMap((isLeft) =>
    [false, true].map((isUp) => ({ x, y }, last) => {
      const seen = { x: isLeft ? last - x : x, y: isUp ? last - y : y };
      return isTurned ? { x: seen.y, y: seen.x } : seen;
    }),
  ),
);

/**
 * Moves that are the same by a symmetry of the position, together; the best for their side first.
 * @param {KnownMove[]} moves @param {Point[]} placed the position as moves in turn @param {number} size @param {Side} mover
 */
export function inGroups(moves, placed, size, mover) {
  const index = (/** @type {Point} */ { x, y }) => x + size * y;
  const sides = new Map(placed.map((point, ply) => [index(point), ply % 2]));
  const views = VIEWS.filter((view) =>
    placed.every((point, ply) => sides.get(index(view(point, size - 1))) === ply % 2),
  );
  /** @type {Map<number, KnownMove[]>} */
  const groups = new Map();
  for (const move of inOrder(moves, mover)) {
    const key = Math.min(...views.map((view) => index(view(move.point, size - 1))));
    groups.set(key, [...(groups.get(key) || []), move]);
  }
  return [...groups.values()];
}

/** Whether a file is a database, by its name or its first bytes. @param {string} name @param {Uint8Array} bytes its beginning */
export const isDatabase = (name, bytes) =>
  /\.kdb$/i.test(name) || String.fromCharCode(...bytes.slice(0, BEGINS.length)) === BEGINS;

/**
 * Opens a file as the engine's database, where the engine can. The name of the file is the engine's `database` then.
 * @param {import("./engine.js").EngineClient} engine @param {File} file
 */
export async function openDatabase(engine, file) {
  if (!engine.takesDatabase) throw new FileError("file.database-server");
  if (file.size > MOST_BYTES) throw new FileError("file.database-size");
  const bytes = await file.arrayBuffer();
  const lines = () => {
    engine.sendDatabase(file.name, bytes);
    return [];
  };
  /** @param {string} line @param {(reason: string) => void} resolve */
  const take = (line, resolve) => {
    resolve(/^DATABASE ERROR (.*)$/.exec(line)?.[1] || "");
    return true;
  };
  const asked = engine.ask("short", lines, take, { hears: (line) => line.startsWith("DATABASE ") });
  const reason = await asked.result.catch(() => {
    throw new FileError("file.database-engine");
  });
  if (reason) throw new FileError("file.database", { reason });
}
