// Values of positions, always for the same side, whoever is to move, and the marks that a review gives to moves, by
// the names that the engine uses. The engine defines what a mark means.

import { t } from "./strings.js";

/**
 * @typedef {import("./tree.js").Value} Value
 * @typedef {import("./desk.js").Side} Side
 * @typedef {import("./tree.js").Node} Node
 * @typedef {"forced" | "only-move" | "best" | "good" | "inaccuracy" | "mistake" | "blunder" | "missed-win"} Mark
 */

/**
 * The value of a position as Black's, from a line for the side to move.
 * @param {import("./live.js").Line} line
 * @param {Side} toMove
 * @returns {Value}
 */
export function blackRate(line, toMove) {
  const isBlack = toMove === "black";
  const mate = line.mate === undefined ? {} : { mate: isBlack ? line.mate : -line.mate };
  return { black: isBlack ? line.rate : 1 - line.rate, depth: line.depth, ...mate };
}

/** The value of the end of a game. @param {string | null} winner @returns {Value} */
export const endValue = (winner) => ({
  black: winner === "black" ? 1 : winner === "white" ? 0 : 0.5,
  depth: 0,
  mate: 0,
});

/** The chance of a side. @param {Value} value @param {Side} side */
export const rateOf = (value, side) => (side === "black" ? value.black : 1 - value.black);

/** A chance in per cent; a decided one is 0 or 100 only if it is proven. @param {Value} value @param {Side} side */
export function percentText(value, side) {
  const rate = rateOf(value, side);
  if (value.mate !== undefined) return rate > 0.5 ? "100" : rate < 0.5 ? "0" : "50";
  return String(Math.min(99, Math.max(1, Math.round(100 * rate))));
}

/** The value in words. @param {Value} value @param {Side} side */
export function valueText(value, side) {
  if (value.mate === undefined) return `${percentText(value, side)}\u202f%`;
  if (value.mate === 0)
    return t(value.black === 0.5 ? "end.draw" : "end.winner", { side: t(value.black > 0.5 ? "black" : "white") });
  return t("analysis.wins-in", { side: t(value.mate > 0 ? "black" : "white"), plies: Math.abs(value.mate) });
}

/** Signs behind moves, by mark. @type {Record<Mark, string>} */
const SIGNS = {
  forced: "",
  "only-move": "!",
  best: "",
  good: "",
  inaccuracy: "?!",
  mistake: "?",
  blunder: "??",
  "missed-win": "??",
};

/** Marks of moves that cost much. */
const ERRORS = ["inaccuracy", "mistake", "blunder", "missed-win"];

/** @param {unknown} mark @returns {mark is Mark} */
export const isMark = (mark) => typeof mark === "string" && Object.hasOwn(SIGNS, mark);

/** The sign behind the move of a node. @param {Node} node */
export const signOf = (node) => (node.review ? SIGNS[/** @type {Mark} */ (node.review.mark)] : "");

/** Share of a win that the move of a node has cost. @param {Node} node */
export const lossOf = ({ review }) => (review ? Math.max(0, review.before - review.after) : 0);

/** The costliest errors of a line, in the order of play. @param {Node[]} line @param {number} most */
export const costliest = (line, most) =>
  line
    .filter(({ review }) => review && ERRORS.includes(review.mark))
    .sort((a, b) => lossOf(b) - lossOf(a))
    .slice(0, most)
    .sort((a, b) => a.ply - b.ply);
