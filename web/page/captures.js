// The choice among several captures, where the rules leave it to the mover.

import { $, h } from "./shared/dom.js";
import { isSame, nameOf } from "./notation.js";
import { t } from "./strings.js";

/** @typedef {import("./notation.js").Point} Point */

/**
 * The move on a point, after a question if it can capture in several ways; `null` if nobody answers.
 * @param {import("./tree.js").Node} node @param {Point} point
 * @returns {Promise<Point | null>}
 */
export function chooseCapture(node, point) {
  const found = node.judged?.state?.choices.find((choice) => isSame(choice.point, point));
  if (!found) return Promise.resolve(point);
  const dialog = /** @type {HTMLDialogElement} */ ($("capture-dialog"));
  $("capture-text").textContent = t("capture.text", { point: nameOf(point) });
  return new Promise((resolve) => {
    const pick = (/** @type {number} */ choice) => () => {
      resolve({ ...point, choice });
      dialog.close();
    };
    $("capture-choices").replaceChildren(
      ...Array.from({ length: found.count }, (_, index) =>
        h("button", { type: "button", onclick: pick(index + 1) }, t("capture.row", { number: index + 1 })),
      ),
    );
    dialog.addEventListener("close", () => resolve(null), { once: true });
    dialog.showModal();
  });
}
