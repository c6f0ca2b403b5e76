// The marks of a review, as the engine names them. What they mean is the engine's business.

/**
 * @typedef {"forced" | "only-move" | "best" | "good" | "inaccuracy" | "mistake" | "blunder" | "missed-win"} Mark
 * @typedef {import("./tree.js").Node} Node
 */

/** Marks as they stand behind moves. @type {Record<Mark, string>} */
export const SIGNS = {
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
