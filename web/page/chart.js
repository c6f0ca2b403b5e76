// The chance of one side over the game, to click on.

import { h, responsive, s } from "./shared/dom.js";
import { t } from "./strings.js";
import { rateOf, signOf } from "./values.js";

/**
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./desk.js").Side} Side
 */

const HEIGHT = 120;
const LEFT = 26;

/** @param {HTMLElement} box @param {(node: Node) => void} onPick */
export function makeChart(box, onPick) {
  /** @type {Node[]} */
  let nodes = [];
  /** @type {Node | null} */
  let current = null;
  /** @type {Side} */
  let side = "black";
  /** The node at a distance from the left edge, as painted last; `null` where nothing is painted. */
  let nodeAt = (/** @type {number} */ _) => /** @type {Node | null} */ (null);
  const redraw = responsive(box, (/** @type {number} */ width) => paint(width));
  /** @type {Node | null} */
  let pressed = null;
  // An analysis replaces the drawing between press and release, which then make no click. A scrolling finger cancels.
  box.addEventListener("pointerdown", ({ isPrimary, button, clientX }) => {
    pressed = isPrimary && button === 0 ? nodeAt(clientX - box.getBoundingClientRect().left) : null;
  });
  box.addEventListener("pointercancel", () => (pressed = null));
  box.addEventListener("pointerup", () => {
    if (pressed) onPick(pressed);
    pressed = null;
  });

  /** @param {number} width */
  function paint(width) {
    nodeAt = () => null;
    const last = Math.max(nodes.length - 1, 10);
    const xOf = (/** @type {number} */ ply) => LEFT + (ply / last) * (width - LEFT - 8);
    const yOf = (/** @type {number} */ rate) => 8 + (1 - rate) * (HEIGHT - 16);
    const known = nodes.filter((node) => node.value);
    if (known.length === 0) return h("p", { class: "soft" }, t("chart.empty"));
    const pointOf = (/** @type {Node} */ node) => [xOf(node.ply), yOf(rateOf(/** @type {any} */ (node.value), side))];
    const path = known
      .map(
        (node, index) =>
          `${index === 0 ? "M" : "L"}${pointOf(node)
            .map((n) => n.toFixed(1))
            .join(" ")}`,
      )
      .join("");
    const middle = (/** @type {Node} */ node) => `L${xOf(node.ply).toFixed(1)} ${yOf(0.5)}`;
    const area = `${path}${middle(known[known.length - 1])}${middle(known[0])}Z`;
    nodeAt = (x) => {
      const ply = Math.round(((x - LEFT) / (width - LEFT - 8)) * last);
      return nodes[Math.min(nodes.length - 1, Math.max(0, ply))];
    };
    return s(
      "svg",
      {
        viewBox: `0 0 ${width} ${HEIGHT}`,
        width,
        height: HEIGHT,
        role: "img",
        "aria-label": t("chart.label", { side: t(side), count: known.length, all: nodes.length }),
      },
      [0, 0.5, 1].map((rate) => [
        s("line", { class: rate === 0.5 ? "middle" : "rim", x1: LEFT, x2: width - 8, y1: yOf(rate), y2: yOf(rate) }),
        s("text", { class: "tick", x: LEFT - 6, y: yOf(rate) }, String(100 * rate)),
      ]),
      s("path", { class: "area", d: area }),
      s("path", { class: "curve", d: path }),
      known.length < 40
        ? known.map((node) => s("circle", { class: "dot", cx: pointOf(node)[0], cy: pointOf(node)[1], r: 2.4 }))
        : null,
      nodes.map((node) => {
        const sign = node.value && signOf(node);
        if (!sign) return null;
        const [x, y] = pointOf(node);
        return s("text", { class: `flaw ${node.review?.mark}`, x, y: y < 30 ? y + 15 : y - 9 }, sign);
      }),
      current && nodes.includes(current)
        ? s("line", { class: "cursor", x1: xOf(current.ply), x2: xOf(current.ply), y1: 4, y2: HEIGHT - 4 })
        : null,
    );
  }

  return {
    /** @param {Node[]} line from the root @param {Node} at @param {Side} of */
    show(line, at, of) {
      nodes = line;
      current = at;
      side = of;
      redraw();
    },
  };
}
