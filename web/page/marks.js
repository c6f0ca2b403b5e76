// Moves that cost much, by the values of the positions before and after them: as in reviews of the engine.

import { rateOf } from "./values.js";

/**
 * @typedef {import("./tree.js").Node} Node
 * @typedef {"mistake" | "blunder" | "missed-win"} Mark
 */

// The steps of the engine's reviews; a test of `src/review/mark.rs` compares them.
/** Loss of chance from which on a move is a mistake, and a blunder. */
const MISTAKE = 0.2;
const BLUNDER = 0.4;
/** A chance that still wins, though nothing is proven. */
const STILL_WINS = 0.9;

/** Marks as they stand behind moves. @type {Record<Mark, string>} */
export const SIGNS = { mistake: "?", blunder: "??", "missed-win": "??" };

/**
 * What a move has cost, if it is worth showing. Both positions need a value.
 * @param {Node} node
 * @returns {{ mark: Mark, loss: number } | null}
 */
export function markOf(node) {
  const [before, after] = [node.parent?.value, node.value];
  if (!before || !after) return null;
  const mover = node.ply % 2 === 1 ? "black" : "white";
  const wins = (/** @type {import("./tree.js").Value} */ value) =>
    value.mate !== undefined &&
    (mover === "black" ? value.mate > 0 || value.black === 1 : value.mate < 0 || value.black === 0);
  const rate = rateOf(after, mover);
  const loss = rateOf(before, mover) - rate;
  if (wins(before) && !wins(after) && rate < STILL_WINS) return { mark: "missed-win", loss };
  if (loss >= BLUNDER) return { mark: "blunder", loss };
  return loss >= MISTAKE ? { mark: "mistake", loss } : null;
}

/** The costliest moves of a line, in the order of play. @param {Node[]} line @param {number} most */
export function costliest(line, most) {
  const marked = line.flatMap((node) => {
    const found = markOf(node);
    return found ? [{ node, ...found }] : [];
  });
  return marked
    .sort((a, b) => b.loss - a.loss)
    .slice(0, most)
    .sort((a, b) => a.node.ply - b.node.ply);
}
