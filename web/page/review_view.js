// What a review says in words: about the game, about the move that is shown, and about the moves that cost most.

import { $, h } from "./shared/dom.js";
import { costliest, lossOf } from "./values.js";
import { nameOf, parseMoves } from "./notation.js";
import { t } from "./strings.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./notation.js").Point} Point
 */

/** Moves that are listed. */
const LISTED = 8;
/** Moves of the better line that are shown. */
const SHOWN = 8;

/**
 * @param {Desk} desk
 * @param {(from: Node, line: Point[]) => void} onLine plays a line into the tree
 * @param {(from: Node, line: Point[] | null) => void} onPoint a line is looked at
 */
export function makeReviewView(desk, onLine, onPoint) {
  let shown = "";
  let shownTree = desk.tree;

  /** The result for the whole line. @param {Node[]} line */
  function summary(line) {
    const found = line[line.length - 1]?.summary;
    if (!found) return "";
    const share = (/** @type {number | null} */ value) => (value === null ? "\u2013" : `${value.toFixed(0)}\u202f%`);
    const accuracy = t("review.accuracy", { black: share(found.black), white: share(found.white) });
    return found.lost ? `${accuracy} ${t("review.lost", { side: t(found.lost.side), ply: found.lost.ply })}` : accuracy;
  }

  /** The better line of a node's move, as a button. @param {Node} node */
  function better(node) {
    const from = /** @type {Node} */ (node.parent);
    const line = parseMoves(node.review?.line || "") || [];
    if (line.length === 0 || nameOf(line[0]) === nameOf(/** @type {Point} */ (node.move))) return null;
    return h(
      "button",
      {
        type: "button",
        class: "small",
        onclick: () => onLine(from, line),
        onpointerenter: () => desk.tree.current === from && onPoint(from, line),
        onpointerleave: () => onPoint(from, null),
      },
      t(node.review?.isProven ? "review.win" : "review.better", {
        line: line.slice(0, SHOWN).map(nameOf).join(" "),
      }),
    );
  }

  /** What is said about the move that is shown. @param {Node} node */
  function verdict(node) {
    const { review } = node;
    if (!review) return [];
    const loss = Math.round(100 * lossOf(node));
    const text = t("review.move", {
      ply: node.ply,
      point: nameOf(/** @type {Point} */ (node.move)),
      mark: t(`mark.${review.mark}`),
    });
    return [
      h("span", { class: `sign ${review.mark}` }, text),
      loss > 0 ? h("small", {}, ` \u2212${loss}`) : null,
      better(node),
    ];
  }

  /** @param {Node} node */
  function error(node) {
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "small", onclick: () => desk.go(node) },
        `${node.ply}. ${nameOf(/** @type {Point} */ (node.move))}`,
        h("span", { class: `sign ${node.review?.mark}` }, ` ${t(`mark.${node.review?.mark}`)}`),
        h("small", {}, ` \u2212${Math.round(100 * lossOf(node))}`),
      ),
    );
  }

  return {
    show() {
      const line = desk.tree.line();
      const { current } = desk.tree;
      const errors = costliest(line, LISTED);
      const text = [
        summary(line),
        current.id,
        current.review?.mark,
        ...errors.map((node) => `${node.id} ${node.review?.mark} ${lossOf(node)}`),
      ].join();
      // Buttons that stay keep the focus.
      if (text === shown && desk.tree === shownTree) return;
      shown = text;
      shownTree = desk.tree;
      $("review-summary").textContent = summary(line);
      $("verdict").replaceChildren(...verdict(current).filter((part) => part !== null));
      $("errors").replaceChildren(...errors.map(error));
    },
  };
}
