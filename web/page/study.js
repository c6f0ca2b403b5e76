// Requests for those who study a game: its review, proofs, threats. In the words of the engine's protocol.

import { formatPoint, isRefusal, limitLines, placedLines, pointOf } from "./live.js";
import { formatMoves, nameOf } from "./notation.js";

/**
 * @typedef {import("./engine.js").EngineClient} EngineClient
 * @typedef {import("./engine.js").Position} Position
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./tree.js").Judged} Judged
 * @typedef {import("./tree.js").Summary} Summary
 *
 * A judged move: its number, what the review says, and plies to the end if the best move wins or loses by force.
 * @typedef {{ ply: number, judged: Judged, mate?: number }} Reviewed
 *
 * How long a review searches each move.
 * @typedef {keyof typeof REVIEW_NODES} Effort
 */

/** Positions that a review searches for each move; the middle is that of `pbrain-kakugo review`. */
const REVIEW_NODES = { quick: 20000, normal: 100000, deep: 500000 };

/** @param {string} text @param {number} size @returns {Point[]} */
const pointsOf = (text, size) =>
  text.split(" ").flatMap((word) => {
    const point = pointOf(word, size);
    return point ? [point] : [];
  });

/**
 * The review of a game. It gives way to short requests and then goes on where it was.
 * @param {EngineClient} engine
 * @param {Position} game
 * @param {Effort} effort
 * @param {(reviewed: Reviewed) => void} onMove
 */
export const askReview = (engine, game, effort, onMove) => askMoves(engine, game, effort, "", onMove, readSummary);

/**
 * The review of some moves of a game, by their numbers: the line for {@link askJoin}, `null` if the engine refuses.
 * @param {EngineClient} engine
 * @param {Position} game
 * @param {Effort} effort
 * @param {{ first: number, last: number }} part
 * @param {(reviewed: Reviewed) => void} onMove
 */
export const askPart = (engine, game, effort, { first, last }, onMove) =>
  askMoves(engine, game, effort, ` ${first} ${last}`, onMove, (line) =>
    line.startsWith("REVIEW PART ") ? line : null,
  );

/**
 * A review's result for the whole game from the lines of its parts.
 * @param {EngineClient} engine @param {Position} game @param {string[]} parts
 */
export function askJoin(engine, { size, rule, start }, parts) {
  const join = start?.toMove === "white" ? "YXREVIEWJOIN 1" : "YXREVIEWJOIN";
  const lines = () => [...engine.setUp({ size, rule, moves: [] }, "YXBOARD"), join, ...parts, "DONE"];
  return engine.ask("short", lines, (line, /** @type {(summary: Summary | null) => void} */ resolve) => {
    const summary = readSummary(line);
    if (summary || isRefusal(line)) resolve(summary);
    return !!summary || isRefusal(line);
  }).result;
}

/**
 * @template T
 * @param {EngineClient} engine @param {Position} game @param {Effort} effort @param {string} part words after the command
 * @param {(reviewed: Reviewed) => void} onMove @param {(line: string) => T | null} readLast reads the last line
 * @returns {{ result: Promise<T | null>, cancel: () => void }}
 */
function askMoves(engine, { size, rule, moves, start }, effort, part, onMove, readLast) {
  const [command, ...placed] = start ? placedLines(start, 0, size, "YXREVIEW") : ["YXREVIEW"];
  const lines = () => [
    ...limitLines({ nodes: REVIEW_NODES[effort] }),
    ...engine.setUp({ size, rule, moves: [] }, "YXBOARD"),
    command + part,
    ...placed,
    ...moves.map((move) => formatPoint(move, size)),
    "DONE",
  ];
  let isWanted = true;
  const asked = engine.ask(
    "endless",
    lines,
    (line, /** @type {(last: T | null) => void} */ resolve) => {
      const reviewed = readReviewed(line, size);
      if (reviewed && isWanted) onMove(reviewed);
      const last = readLast(line);
      const isEnd = !!last || line === "REVIEW STOPPED" || isRefusal(line);
      if (isEnd) resolve(last);
      return isEnd;
    },
    { isBroken: (line) => line === "REVIEW STOPPED" },
  );
  const cancel = () => {
    isWanted = false;
    asked.cancel();
  };
  return { result: asked.result, cancel };
}

/** A judged move. @param {string} line @param {number} size @returns {Reviewed | null} */
function readReviewed(line, size) {
  const found = /^REVIEW (\d+) (\S+) (\S+) before (\S+) after (\S+) value (\S+) (line|proof) ?(.*)$/.exec(line);
  if (!found) return null;
  const [, ply, , mark, before, after, value, kind, moves] = found;
  const mate = /^([+-])M(\d+)$/.exec(value);
  return {
    ply: Number(ply),
    judged: {
      mark,
      before: Number(before),
      after: Number(after),
      line: formatMoves(pointsOf(moves, size)),
      isProven: kind === "proof",
    },
    ...(mate && { mate: (mate[1] === "-" ? -1 : 1) * Number(mate[2]) }),
  };
}

/** The end of a review. @param {string} line @returns {Summary | null} */
function readSummary(line) {
  const found = /^REVIEW DONE accuracy (\S+) (\S+)(?: lost (\d+) (black|white))?$/.exec(line);
  if (!found) return null;
  const share = (/** @type {string} */ text) => (text === "-" ? null : Number(text));
  const side = /** @type {"black" | "white"} */ (found[4]);
  return { black: share(found[1]), white: share(found[2]), ...(side && { lost: { ply: Number(found[3]), side } }) };
}

/**
 * The threats that a stone of each side would make, by their names.
 * @typedef {{ point: Point, side: "black" | "white", name: string }} Threat
 */

/**
 * What a stone of either side would threaten.
 * @param {EngineClient} engine @param {Position} position
 */
export function askThreats(engine, position) {
  const lines = () => [...engine.setUp(position, "YXBOARD"), "YXTHREATS"];
  /** @type {Threat[]} */
  let threats = [];
  return engine.ask("short", lines, (line, /** @type {(threats: Threat[]) => void} */ resolve) => {
    const found = /^THREATS (black|white) ?(.*)$/.exec(line);
    if (found?.[1] === "black") threats = [];
    if (found) threats.push(...readThreats(found[2], /** @type {"black" | "white"} */ (found[1]), position.size));
    const isEnd = found?.[1] === "white" || isRefusal(line);
    if (isEnd) resolve(threats);
    return isEnd;
  }).result;
}

/** @param {string} text @param {"black" | "white"} side @param {number} size */
const readThreats = (text, side, size) =>
  text.split("; ").flatMap((part) => {
    const [name, ...points] = part.split(" ");
    return pointsOf(points.join(" "), size).map((point) => ({ point, side, name }));
  });

/**
 * Black's forbidden points.
 * @param {EngineClient} engine @param {Position} position
 */
export function askForbidden(engine, position) {
  const { size } = position;
  const lines = () => [...engine.setUp(position, "YXBOARD"), "YXSHOWFORBID"];
  return engine.ask("short", lines, (line, /** @type {(points: Point[]) => void} */ resolve) => {
    const match = /^FORBID ((?:\d{4})*)\.$/.exec(line);
    const pairs = match ? match[1].match(/\d{4}/g) || [] : [];
    const isEnd = !!match || isRefusal(line);
    if (isEnd) resolve(pairs.map((pair) => ({ x: Number(pair.slice(0, 2)), y: size - 1 - Number(pair.slice(2)) })));
    return isEnd;
  }).result;
}

/**
 * A step of a proof: the attacker's move, the replies that could matter with the steps that meet them, and the steps of which
 * one wins after any other reply.
 * @typedef {{ attack: Point, moves: number, replies: { point: Point, next: number }[], otherwise: number[] }} Step
 *
 * An answer of the solver. Without steps, the proof was too long to be sent.
 * @typedef {{ what: "win", moves: number, line: Point[], steps: Step[] } | { what: "none" | "unknown" }} Solved
 */

/** Time for the solver, in milliseconds. */
const SOLVE_MS = 20000;

/**
 * Looks for a forced win of a side. The answer is `null` if the engine refuses.
 * @param {EngineClient} engine @param {Position} position @param {"black" | "white"} attacker
 */
export function askSolve(engine, position, attacker) {
  const { size } = position;
  /** @type {Step[]} */
  let steps = [];
  const lines = () => {
    steps = [];
    return [
      ...limitLines({ turnMs: SOLVE_MS }),
      ...engine.setUp(position, "YXBOARD"),
      `YXSOLVE ${attacker === "black" ? 0 : 1}`,
    ];
  };
  return engine.ask(
    "endless",
    lines,
    (line, /** @type {(solved: Solved | null) => void} */ resolve) => {
      const step = readStep(line, size);
      if (step) steps.push(step);
      const win = /^SOLVE WIN (\d+) (.*)$/.exec(line);
      if (win) resolve({ what: "win", moves: Number(win[1]), line: pointsOf(win[2], size), steps });
      else if (line === "SOLVE NONE") resolve({ what: "none" });
      else if (line === "SOLVE UNKNOWN") resolve({ what: "unknown" });
      else if (isRefusal(line)) resolve(null);
      return line.startsWith("SOLVE ") || isRefusal(line);
    },
    { isBroken: (line) => line === "SOLVE UNKNOWN" },
  );
}

/** @param {string} line @param {number} size @returns {Step | null} */
function readStep(line, size) {
  const found = /^PROOF \d+ (\S+) moves (\d+)(?: replies((?: \S+)+?))?(?: else((?: \d+)+))?$/.exec(line);
  const attack = found && pointOf(found[1], size);
  if (!attack) return null;
  const replies = (found[3] || "").match(/\S+/g) || [];
  return {
    attack,
    moves: Number(found[2]),
    replies: replies.flatMap((reply) => {
      const [text, next] = reply.split(":");
      const point = pointOf(text, size);
      return point ? [{ point, next: Number(next) }] : [];
    }),
    otherwise: ((found[4] || "").match(/\d+/g) || []).map(Number),
  };
}

/** The names of points, for people. @param {Point[]} points */
export const namesOf = (points) => points.map(nameOf).join(" ");
