// Lines of the protocol: those that send positions and limits, those from which boards draw an analysis, and, for games
// outside the Gomocup family, the state after each move, since stones vanish and sides need not alternate. Knows nothing
// of the page.

/**
 * @typedef {import("./engine.js").Position} Position
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./tree.js").State} State
 * @typedef {import("./tree.js").Judgement} Judgement
 *
 * A line of an analysis. `rate` is the chance of the side to move, `mate` the plies to the end.
 * @typedef {object} Line
 * @property {number} rank
 * @property {number} of number of lines
 * @property {number} depth
 * @property {number} selective
 * @property {number} nodes
 * @property {number} ms
 * @property {number} speed nodes a second
 * @property {number} rate
 * @property {number} [mate] plies; negative if the side to move loses
 * @property {Point[]} moves
 */

/** No limit, for the protocol. */
const ENDLESS = 2147483647;

/**
 * Collects `INFO` lines; `take` returns a line of the analysis when it is complete.
 * @param {number} size
 */
export function lineReader(size) {
  /** @type {Record<string, string>} */
  let fields = {};
  /** @param {string} text @returns {Line | null} */
  function take(text) {
    const match = /^INFO (\w+) (.*)$/.exec(text);
    if (!match) return null;
    const [, key, value] = match;
    if (key !== "PV") {
      fields[key] = value;
      return null;
    }
    if (value !== "DONE") {
      fields = { PV: value };
      return null;
    }
    return complete(fields, size);
  }
  return { take };
}

/** @param {Record<string, string>} fields @param {number} size @returns {Line | null} */
function complete(fields, size) {
  const moves = (fields.BESTLINE || "").split(" ").map((text) => pointOf(text, size));
  if (moves.length === 0 || moves.includes(null)) return null;
  const number = (/** @type {string} */ key) => Number(fields[key]) || 0;
  const mate = /^([+-])M(\d+)$/.exec(fields.EVAL || "");
  return {
    rank: number("PV"),
    of: Math.max(1, number("NUMPV")),
    depth: number("DEPTH"),
    selective: number("SELDEPTH"),
    nodes: number("TOTALNODES") || number("NODES"),
    ms: number("TOTALTIME"),
    speed: number("SPEED"),
    rate: Math.min(1, Math.max(0, number("WINRATE"))),
    ...(mate && { mate: (mate[1] === "-" ? -1 : 1) * Number(mate[2]) }),
    moves: /** @type {Point[]} */ (moves),
  };
}

/** Whether the engine refuses a line. @param {string} line */
export const isRefusal = (line) => /^(ERROR|UNKNOWN)/.test(line);

/**
 * A point of the protocol: `x,y` from the upper left corner.
 * @param {string} text @param {number} size
 */
export function pointOf(text, size) {
  const match = /^\s*(\d+),(\d+)\s*$/.exec(text);
  return match ? { x: Number(match[1]), y: size - 1 - Number(match[2]) } : null;
}

/** A point for the protocol. @param {Point} point @param {number} size */
export const formatPoint = (point, size) => `${point.x},${size - 1 - point.y}`;

/**
 * The lines that send a position that was set up. They name the side to move, which stone counts do not determine.
 * @param {import("./tree.js").Start} start @param {number} moves the number of moves after it @param {number} size
 * @param {string} opening
 */
export function placedLines({ stones, blocked, toMove }, moves, size, opening) {
  const isBlackToMove = (toMove === "black") === (moves % 2 === 0);
  return [
    `${opening} ${isBlackToMove ? 0 : 1}`,
    ...stones.map(({ point, isBlack }) => `${formatPoint(point, size)},${isBlack === isBlackToMove ? 1 : 2}`),
    ...blocked.map((point) => `${formatPoint(point, size)},3`),
  ];
}

/**
 * A move of the protocol: a point, and a number where the mover chooses among captures.
 * @param {string} text @param {number} size @returns {Point | null}
 */
export function moveOf(text, size) {
  const [, point, choice] = /^(\d+,\d+)(?:,(\d+))?$/.exec(text) || [];
  const found = point && pointOf(point, size);
  return found ? { ...found, ...(Number(choice) > 1 && { choice: Number(choice) }) } : null;
}

/**
 * Rows of points, separated by semicolons.
 * @param {string} text @param {number} size @returns {Point[][]}
 */
export function rowsOf(text, size) {
  const rows = text.split(";").map((row) =>
    row
      .trim()
      .split(" ")
      .map((point) => pointOf(point, size)),
  );
  return rows.map((row) => /** @type {Point[]} */ (row.filter(Boolean))).filter((row) => row.length > 0);
}

/** Limits of a search. @param {import("./engine.js").Limits} limits */
export function limitLines({
  level = 10,
  turnMs = ENDLESS,
  matchMs = 0,
  leftMs = ENDLESS,
  incrementMs = 0,
  seed = 0,
  nodes = 0,
}) {
  return [
    `INFO strength ${level * 10}`,
    `INFO seed ${seed}`,
    `INFO timeout_turn ${Math.round(turnMs)}`,
    `INFO timeout_match ${Math.round(matchMs)}`,
    `INFO time_left ${Math.round(leftMs)}`,
    `INFO time_increment ${Math.round(incrementMs)}`,
    `INFO max_node ${nodes}`,
  ];
}

/** The engine's reasons for the end of a game, as our texts name them. @type {Record<string, string>} */
const REASONS = {
  "five in a row": "five",
  "enough stones were captured": "captures",
  "the other side has no stone left to place": "no-stones",
  "there is no legal move left": "no-move",
  "the board is full": "full",
};

/**
 * The state after a move. Fails with the engine's reason if the move is not legal.
 * @param {import("./engine.js").EngineClient} engine @param {Position} position @param {Point} move
 * @returns {Promise<Judgement>}
 */
export function askState(engine, position, move) {
  const { size, moves, sides = [], toMove = "black" } = position;
  const after = { ...position, moves: [...moves, move], sides: [...sides, toMove] };
  const lines = () => [...engine.setUp(after, "YXBOARD"), "YXSTATE"];
  let refusal = "";
  return engine.ask("short", lines, (line, /** @type {(judged: Judgement) => void} */ resolve, reject) => {
    // The state comes last, also after moves that are refused.
    if (isRefusal(line)) refusal = line;
    const found = line.startsWith("STATE ") ? readState(line, size) : null;
    if (found && refusal) reject(new Error(refusal));
    else if (found) resolve(found);
    return !!found;
  }).result;
}

/** The parts of a state, separated by semicolons. @param {string} line @param {number} size @returns {Judgement} */
function readState(line, size) {
  const [head, ...parts] = line.split("; ");
  /** @type {Record<string, string>} */
  const fields = {};
  parts.forEach((part, index) => {
    const [name, ...rest] = part.split(" ");
    if (name in fields || fields.status !== undefined) return;
    // The status comes last and has semicolons of its own.
    fields[name] = name === "status" ? [rest.join(" "), ...parts.slice(index + 1)].join("; ") : rest.join(" ");
  });
  const points = (/** @type {string} */ text = "") =>
    text.split(" ").flatMap((word) => {
      const point = pointOf(word, size);
      return point ? [point] : [];
    });
  const stones = (/** @type {boolean} */ isBlack) =>
    points(fields[isBlack ? "black" : "white"]).map((point) => ({ point, isBlack }));
  const over = /^(black|white|draw): (.*)$/.exec(fields.over || "");
  const row = points(fields.row);
  const [black = "", white = ""] = (fields.status || "").replace(/^captured: /, "").split("; ");
  /** @type {State} */
  const state = {
    stones: [...stones(true), ...stones(false)],
    toMove: head === "STATE white" ? "white" : "black",
    removed: points(fields.removed),
    choices: [...(fields.choices || "").matchAll(/(\d+,\d+):(\d+)/g)].map(([, point, count]) => ({
      point: /** @type {Point} */ (pointOf(point, size)),
      count: Number(count),
    })),
    over: over && {
      winner: over[1] === "draw" ? null : /** @type {"black" | "white"} */ (over[1]),
      why: REASONS[over[2]] || "rules",
    },
    status: { black: black.replace(/^black /, ""), white: white.replace(/^white /, "") },
  };
  return { what: over ? "five" : "plain", rows: row.length > 0 ? [row] : [], state };
}

/** Why the engine refuses a move, without the point. @param {unknown} error */
export const reasonOf = (error) =>
  error instanceof Error ? error.message.replace(/^(ERROR|UNKNOWN) (\d+,\d+: )?/, "") : "";
