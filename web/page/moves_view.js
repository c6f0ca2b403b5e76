// The tree of moves: the main line with numbers, variations beneath the move that they replace.

import { h } from "./shared/dom.js";
import { signOf } from "./marks.js";
import { nameOf } from "./notation.js";
import { t } from "./strings.js";

/**
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./tree.js").GameTree} GameTree
 */

/** @param {HTMLElement} box @param {(node: Node) => void} onPick */
export function makeMoves(box, onPick) {
  /** @type {Map<number, { element: HTMLElement, node: Node }>} */
  const buttons = new Map();
  /** @type {HTMLElement | null} */
  let marked = null;

  let isBlack = (/** @type {Node} */ node) => node.ply % 2 === 1;

  /** @param {Node} node */
  function button(node) {
    const element = h(
      "button",
      { type: "button", class: `move ${isBlack(node) ? "by-black" : "by-white"}`, "data-node": node.id },
      isBlack(node) || !node.parent?.parent || node.parent.children[0] !== node ? h("small", {}, `${node.ply}.`) : null,
      nameOf(/** @type {any} */ (node.move)),
      h("i", { class: "sign" }),
      node.comment ? h("i", { class: "noted", title: node.comment }, "\u2022") : null,
    );
    element.addEventListener("click", () => onPick(node));
    buttons.set(node.id, { element, node });
    return element;
  }

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

  return {
    /** Draws the whole tree. @param {GameTree} tree */
    draw(tree) {
      buttons.clear();
      marked = null;
      isBlack = (node) => tree.isByBlack(node);
      const [first] = tree.root.children;
      const count = tree.start?.stones.length || 0;
      const placed = tree.start ? h("p", { class: "soft" }, t("moves.placed", { count })) : null;
      const moves = first ? line(first) : placed ? [] : [h("p", { class: "soft" }, t("moves.none"))];
      box.replaceChildren(...(placed ? [placed] : []), ...moves);
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
