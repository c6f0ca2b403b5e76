// Marks on the board that need more than a circle.

import { s } from "./shared/dom.js";
import { isSame } from "./notation.js";

/**
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./board_view.js").Picture} Picture
 */

/** A move of the database: a square, whose corners show below the circle of a candidate. @param {Picture["known"][number]} move */
export const knownShape = ({ point: { x, y }, text, isBest, isOfGames }) =>
  s(
    "g",
    { class: `known${isBest ? " best" : ""}${isOfGames ? " games" : ""}` },
    s("rect", { x: x - 0.4, y: -y - 0.4, width: 0.8, height: 0.8, rx: 0.12 }),
    s("text", { x, y: -y, class: text.length > 2 ? "long" : null }, text),
  );

/** A short text on a point, without a stone. @param {Point} point @param {string} text */
export const branchShape = ({ x, y }, text) =>
  s(
    "g",
    {},
    s("circle", { class: "branch", cx: x, cy: -y, r: 0.3 }),
    s("text", { class: "branch-name", x, y: -y }, text),
  );

/** The place of a stone that was captured. @param {Point} point */
export const takenShape = ({ x, y }) =>
  s(
    "g",
    { class: "taken" },
    s("circle", { cx: x, cy: -y, r: 0.36 }),
    s("path", { d: `M${x - 0.16} ${-y - 0.16}l.32 .32m0 -.32l-.32 .32` }),
  );

/** @param {Point} point */
export const cross = (point) =>
  s("path", { class: "crossed", transform: `translate(${point.x} ${-point.y})`, d: "M-.2-.2L.2 .2M.2-.2L-.2 .2" });

/**
 * A threat: what a stone of a side would make, on a small disc of its colour; two on a point share it.
 * @param {Picture["threats"][number]} threat @param {Picture["threats"]} all
 */
export function threatShape({ point, isBlack, text }, all) {
  const isShared = all.some((other) => other.isBlack !== isBlack && isSame(other.point, point));
  const x = point.x + (isShared ? (isBlack ? -0.22 : 0.22) : 0);
  return s(
    "g",
    { class: `threat ${isBlack ? "black" : "white"}` },
    s("circle", { cx: x, cy: -point.y, r: isShared ? 0.22 : 0.28 }),
    s("text", { x, y: -point.y, class: isShared ? "narrow" : null }, text),
  );
}
