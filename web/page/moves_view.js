// The tree of moves: the main line with numbers, variations beneath the move that they replace.

import { h } from "./shared/dom.js";
import { signOf } from "./values.js";
import { nameOfMove } from "./notation.js";
import { t } from "./strings.js";

/**
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./tree.js").GameTree} GameTree
 */

/** Nodes of a tree that is drawn as a whole; of a larger one, only the line and as many alternatives to its moves. */
const MOST_DRAWN = 1500;

/** @param {HTMLElement} box @param {(node: Node) => void} onPick */
export function makeMoves(box, onPick) {
  /** @type {Map<number, { element: HTMLElement, node: Node }>} */
  const buttons = new Map();
  /** @type {HTMLElement | null} */
  let marked = null;
  /** A large tree, and the line of it that is drawn. @type {{ tree: GameTree, line: Set<Node> } | null} */
  let large = null;

  let isBlack = (/** @type {Node} */ node) => node.ply % 2 === 1;

  /** @param {Node} node */
  function button(node) {
    const move = /** @type {import("./notation.js").Point} */ (node.move);
    const element = h(
      "button",
      { type: "button", class: `move ${isBlack(node) ? "by-black" : "by-white"}`, "data-node": node.id },
      isBlack(node) || !node.parent?.parent || node.parent.children[0] !== node ? h("small", {}, `${node.ply}.`) : null,
      nameOfMove(move),
      h("i", { class: "sign" }),
      node.comment ? noted(node) : null,
    );
    element.addEventListener("click", () => onPick(node));
    buttons.set(node.id, { element, node });
    return element;
  }

  /** The mark of a move with a comment. @param {Node} node */
  const noted = (node) => h("i", { class: "noted", title: node.comment }, "\u2022");

  /** A line from `node` on, with its variations. @param {Node} node @returns {HTMLElement[]} */
  function line(node) {
    const parts = [];
    for (let at = /** @type {Node | undefined} */ (node); at; at = at.children[0]) {
      parts.push(button(at));
      const siblings = at.parent && at.parent.children[0] === at ? at.parent.children.slice(1) : [];
      for (const sibling of siblings) {
        parts.push(h("div", { class: "variation", role: "group", "aria-label": t("moves.variation") }, line(sibling)));
      }
    }
    return parts;
  }

  /** The line through the current node, with the alternatives to each move. @param {GameTree} tree */
  function excerpt(tree) {
    const nodes = tree.line();
    large = { tree, line: new Set(nodes) };
    let left = MOST_DRAWN;
    const parts = nodes.flatMap((node) => {
      const others = (node.parent?.children || []).filter((child) => child !== node).slice(0, left);
      if (others.length === 0) return [button(node)];
      left -= others.length;
      const box = h(
        "div",
        { class: "variation", role: "group", "aria-label": t("moves.variation") },
        others.map(button),
      );
      return [button(node), box];
    });
    return [h("p", { class: "soft" }, t("moves.part")), ...parts];
  }

  /** Draws the tree. @param {GameTree} tree */
  function draw(tree) {
    buttons.clear();
    marked = null;
    large = null;
    isBlack = (node) => tree.isByBlack(node);
    const [first] = tree.root.children;
    const count = tree.start?.stones.length || 0;
    const placed = tree.start ? [h("p", { class: "soft" }, t("moves.placed", { count }))] : [];
    const none = () => (tree.start ? [] : [h("p", { class: "soft" }, t("moves.none"))]);
    const moves = tree.count > MOST_DRAWN ? excerpt(tree) : first ? line(first) : none();
    box.replaceChildren(...placed, ...moves);
  }

  return {
    draw,
    /** Shows whether a move has a comment. The buttons stay: a click on one may end the typing. @param {Node} node */
    note(node) {
      const element = buttons.get(node.id)?.element;
      const mark = /** @type {HTMLElement | null} */ (element?.querySelector(".noted") || null);
      if (mark && node.comment) mark.title = node.comment;
      else if (mark) mark.remove();
      else if (node.comment) element?.append(noted(node));
    },
    /** Shows what a review says about the moves. @param {boolean} isWanted */
    showMarks(isWanted) {
      for (const { element, node } of buttons.values()) {
        const sign = /** @type {HTMLElement} */ (element.querySelector(".sign"));
        const text = isWanted ? signOf(node) : "";
        if (sign.textContent === text) continue;
        sign.textContent = text;
        sign.className = `sign ${node.review?.mark || ""}`;
        sign.title = text && node.review ? t(`mark.${node.review.mark}`) : "";
      }
    },
    /** Marks the move that is shown. @param {Node} node */
    mark(node) {
      if (large && node.parent && !large.line.has(node)) draw(large.tree);
      marked?.removeAttribute("aria-current");
      marked = buttons.get(node.id)?.element || null;
      marked?.setAttribute("aria-current", "step");
      if (!marked) {
        box.scrollTop = node.parent ? box.scrollTop : 0;
        return;
      }
      // Only the box scrolls, never the page.
      const top = marked.offsetTop;
      if (top < box.scrollTop + 8) box.scrollTop = top - 8;
      const below = top + marked.offsetHeight - box.clientHeight + 8;
      if (below > box.scrollTop) box.scrollTop = below;
    },
  };
}
