// The sheet of Gomoku Roku: a hexagon of circles in slanted columns, with a track around it and costs inside.

import { letter } from "./shared/board.js";
import { s } from "./shared/dom.js";
import { nameOf } from "./notation.js";

/** @typedef {import("./notation.js").Point} Point */

/** Circles from the centre to the track. */
const REACH = 5;
/** Height of a row, in steps between circles. */
const ROW = 1;

/** How far a row is shifted to the right, in steps. @param {number} y */
export const rowShift = (y) => (REACH - y) / 2;

/** How far a circle is from the centre. @param {Point} point */
function ringOf({ x, y }) {
  const [across, down] = [x - REACH, REACH - y];
  return Math.max(Math.abs(across), Math.abs(down), Math.abs(across + down));
}

/** @param {Point} point */
export const isOnBoard = (point) => ringOf(point) <= REACH;

/** The column next to `x` that has a circle in a row. @param {number} x @param {number} y */
export const inRow = (x, y) => Math.min(y + REACH, Math.max(y - REACH, x));

/** Where a circle is drawn; its name stays that of the circle. @param {Point} point */
export const spot = (point) => ({ x: point.x + rowShift(point.y), y: point.y * ROW, word: nameOf(point) });

/** A circle of the empty sheet: its cost, the track or the centre. @param {Point} point */
function circle(point) {
  const { x, y } = spot(point);
  const ring = ringOf(point);
  const kind = ring === REACH ? "track" : ring === 0 ? "centre" : "field";
  return [
    s("circle", { class: `hole ${kind}`, cx: x, cy: -y, r: 0.44 }),
    kind === "field" ? s("text", { class: "cost", x, y: -y }, String(REACH - ring)) : null,
  ];
}

/** The empty sheet with `layers` upon it, in the place of a square board. @param {number} size @param {number} _height @param {any[]} layers */
export function hexFrame(size, _height, ...layers) {
  const all = Array.from({ length: size * size }, (_, index) => ({ x: index % size, y: Math.floor(index / size) }));
  const names = [];
  for (let y = 0; y < size; y++) {
    const first = Math.max(0, y - REACH);
    const left = spot({ x: first, y });
    names.push(s("text", { class: "name", x: left.x - 0.8, y: -left.y + 0.12 }, String(y + 1)));
  }
  // A column begins at its lowest circle.
  for (let x = 0; x < size; x++) {
    const low = spot({ x, y: Math.max(0, x - REACH) });
    names.push(s("text", { class: "name", x: low.x + 0.5, y: -low.y + 0.82 }, letter(x)));
  }
  const gradient = (/** @type {string} */ id, /** @type {[number, string][]} */ ...stops) =>
    s(
      "radialGradient",
      { id, cx: "35%", cy: "30%", r: "75%" },
      stops.map(([offset, name]) => s("stop", { offset, class: name })),
    );
  return s(
    "svg",
    { viewBox: `-1.3 ${-size + 0.3} ${size + 0.98} ${size + 0.98}` },
    s("defs", {}, gradient("black-stone", [0, "b0"], [1, "b1"]), gradient("white-stone", [0.3, "w0"], [1, "w1"])),
    s("rect", { class: "wood", x: -1.3, y: -size + 0.3, width: size + 0.98, height: size + 0.98, rx: 0.35 }),
    s("g", { class: "sheet" }, all.filter(isOnBoard).map(circle)),
    s("g", { class: "names", "aria-hidden": true }, names),
    layers,
  );
}
