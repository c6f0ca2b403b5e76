// Games outside the Gomocup family: the engine tells the state after each move, since stones vanish and sides need not
// alternate.

import { isRefusal, pointOf } from "./live.js";

/**
 * @typedef {import("./engine.js").Position} Position
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./tree.js").State} State
 * @typedef {import("./tree.js").Judgement} Judgement
 */

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
export function readState(line, size) {
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
