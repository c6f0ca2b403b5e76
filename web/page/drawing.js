// What the board draws: the layers of a picture, the marks that need more than a circle, and the sheet of Gomoku Roku, a
// hexagon of circles in slanted columns, with a track around it and costs inside.

import { letter, rowPath, stoneNumber, stoneShape } from "./shared/board.js";
import { s } from "./shared/dom.js";
import { isSame, nameOf } from "./notation.js";

/**
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./board_view.js").Picture} Picture
 */

/** @param {Point & { word?: string }} point */
export const at = (point) => ({ ...point, word: point.word || nameOf(point) });

/** The picture with its points where the hexagon draws them. @param {Picture} picture @returns {Picture} */
export function slanted(picture) {
  /** @template {{ point: Point }} T @param {T[]} marks */
  const marks = (marks) => marks.map((mark) => ({ ...mark, point: spot(mark.point) }));
  const { rows, last, hint, refused, removed, forbidden, stones, branches, candidates, ghosts } = picture;
  return {
    ...picture,
    rows: { ...rows, points: rows.points.map((row) => row.map(spot)) },
    last: last && spot(last),
    hint: hint && spot(hint),
    refused: refused && { ...refused, point: spot(refused.point) },
    removed: removed.map(spot),
    forbidden: forbidden.map(spot),
    stones: marks(stones),
    branches: marks(branches),
    candidates: marks(candidates),
    ghosts: marks(ghosts),
  };
}

/** @param {Record<string, SVGElement>} layers @param {Picture} picture */
export function draw(layers, picture) {
  const { area, blocked, removed, rows, stones, last, hint, refused, forbidden, excluded, threats, branches, known } =
    picture;
  layers.blocked.replaceChildren(
    ...blocked.map(({ x, y }) =>
      s("rect", { class: "wall", x: x - 0.4, y: -y - 0.4, width: 0.8, height: 0.8, rx: 0.1 }),
    ),
  );
  layers.removed.replaceChildren(...removed.map(takenShape));
  layers.rows.replaceChildren(...rows.points.map((row) => s("path", { d: rowPath(row) })));
  layers.rows.setAttribute("class", `layer rows ${rows.isFoul ? "foul" : "five"}`);
  layers.stones.replaceChildren(
    ...stones.map(({ point, isBlack, label }) =>
      stoneShape(at(point), isBlack, {}, label ? stoneNumber(point, label) : null),
    ),
  );
  layers.last.replaceChildren(...(last ? [s("circle", { class: "last", cx: last.x, cy: -last.y, r: 0.455 })] : []));
  const side = area ? 2 * area.reach + 1 : 0;
  layers.area.replaceChildren(
    ...(area ? [s("rect", { x: area.x - side / 2, y: -area.y - side / 2, width: side, height: side, rx: 0.2 })] : []),
  );
  layers.hint.replaceChildren(...(hint ? [s("circle", { class: "hint", cx: hint.x, cy: -hint.y, r: 0.4 })] : []));
  layers.forbidden.replaceChildren(...forbidden.map(cross));
  layers.excluded.replaceChildren(
    ...excluded.map(({ x, y }) => s("circle", { class: "left-out", cx: x, cy: -y, r: 0.3 })),
  );
  layers.threats.replaceChildren(...threats.map((threat) => threatShape(threat, threats)));
  layers.branches.replaceChildren(...branches.map(({ point, text }) => branchShape(point, text)));
  layers.known.replaceChildren(...known.map(knownShape));
  layers.refused.replaceChildren(
    ...(refused
      ? [
          stoneShape(at(refused.point), refused.isBlack, {
            class: `stone ghost ${refused.isBlack ? "black" : "white"}`,
          }),
          cross(refused.point),
        ]
      : []),
  );
  drawLines(layers, picture);
}

/** @param {Record<string, SVGElement>} layers @param {Picture} picture */
export function drawLines(layers, { candidates, ghosts }) {
  const isCovered = (/** @type {Point} */ point) => ghosts.some((ghost) => isSame(ghost.point, point));
  layers.candidates.replaceChildren(
    ...candidates
      .filter(({ point }) => !isCovered(point))
      .map(({ point, text, isBest, strength }) =>
        s(
          "g",
          { class: isBest ? "candidate best" : "candidate", "--strength": String(strength) },
          s("circle", { cx: point.x, cy: -point.y, r: 0.45 }),
          s("text", { x: point.x, y: -point.y, class: text.length > 2 ? "long" : null }, text),
        ),
      ),
  );
  layers.ghosts.replaceChildren(
    ...ghosts.map(({ point, isBlack, label }) =>
      isBlack === null
        ? branchShape(point, label)
        : stoneShape(
            at(point),
            isBlack,
            { class: `stone ghost ${isBlack ? "black" : "white"}` },
            stoneNumber(point, label),
          ),
    ),
  );
}

/** A move of the database: a square, whose corners show below the circle of a candidate. @param {Picture["known"][number]} move */
const knownShape = ({ point: { x, y }, text, isBest, isOfGames }) =>
  s(
    "g",
    { class: `known${isBest ? " best" : ""}${isOfGames ? " games" : ""}` },
    s("rect", { x: x - 0.4, y: -y - 0.4, width: 0.8, height: 0.8, rx: 0.12 }),
    s("text", { x, y: -y, class: text.length > 2 ? "long" : null }, text),
  );

/** A short text on a point, without a stone. @param {Point} point @param {string} text */
const branchShape = ({ x, y }, text) =>
  s(
    "g",
    {},
    s("circle", { class: "branch", cx: x, cy: -y, r: 0.3 }),
    s("text", { class: "branch-name", x, y: -y }, text),
  );

/** The place of a stone that was captured. @param {Point} point */
const takenShape = ({ x, y }) =>
  s(
    "g",
    { class: "taken" },
    s("circle", { cx: x, cy: -y, r: 0.36 }),
    s("path", { d: `M${x - 0.16} ${-y - 0.16}l.32 .32m0 -.32l-.32 .32` }),
  );

/** @param {Point} point */
const cross = (point) =>
  s("path", { class: "crossed", transform: `translate(${point.x} ${-point.y})`, d: "M-.2-.2L.2 .2M.2-.2L-.2 .2" });

/**
 * A threat: what a stone of a side would make, on a small disc of its colour; two on a point share it.
 * @param {Picture["threats"][number]} threat @param {Picture["threats"]} all
 */
function threatShape({ point, isBlack, text }, all) {
  const isShared = all.some((other) => other.isBlack !== isBlack && isSame(other.point, point));
  const x = point.x + (isShared ? (isBlack ? -0.22 : 0.22) : 0);
  return s(
    "g",
    { class: `threat ${isBlack ? "black" : "white"}` },
    s("circle", { cx: x, cy: -point.y, r: isShared ? 0.22 : 0.28 }),
    s("text", { x, y: -point.y, class: isShared ? "narrow" : null }, text),
  );
}

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

/** Where a circle is drawn, with the circle's name. @param {Point} point */
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
