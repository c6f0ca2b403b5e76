// The board that one plays on: stones and marks on one drawing, and a grid of cells over it for mouse, finger and keys.

import { boardFrame, rowPath, stoneNumber, stoneShape } from "./shared/board.js";
import { h, s } from "./shared/dom.js";
import { isSame, nameOf } from "./notation.js";
import { t } from "./strings.js";

/**
 * @typedef {import("./notation.js").Point} Point
 *
 * A candidate of an analysis: a text on a point, the best one stands out.
 * @typedef {{ point: Point, text: string, isBest: boolean, strength: number, label: string }} Candidate
 *
 * @typedef {object} Picture
 * @property {{ point: Point, isBlack: boolean, label: string, ply: number }[]} stones
 * @property {Point | null} last
 * @property {{ points: Point[][], isFoul: boolean }} rows
 * @property {Point[]} forbidden
 * @property {Candidate[]} candidates
 * @property {{ point: Point, isBlack: boolean, label: string }[]} ghosts moves of a line that is looked at
 * @property {{ point: Point, text: string }[]} branches further variations
 * @property {Point | null} hint
 * @property {{ point: Point, isBlack: boolean } | null} refused
 * @property {boolean} isBlackToMove
 * @property {boolean} mayPlay
 */

/**
 * @typedef {object} BoardEvents
 * @property {(point: Point) => void} onPlay
 * @property {(point: Point | null) => void} onHover
 * @property {(isTouch: boolean) => boolean} needsConfirm
 */

/** The board. @param {HTMLElement} box @param {BoardEvents} events */
export function makeBoard(box, events) {
  let size = 0;
  /** @type {Picture | null} */
  let picture = null;
  /** @type {Record<string, SVGElement>} */
  let layers = {};
  /** @type {HTMLElement[]} */
  let cells = [];
  /** @type {Point} */
  let focus = { x: 0, y: 0 };
  /** @type {Point | null} */
  let chosen = null;

  /** @param {number} wanted */
  function build(wanted) {
    size = wanted;
    layers = {};
    for (const name of [
      "rows",
      "stones",
      "forbidden",
      "branches",
      "candidates",
      "ghosts",
      "hover",
      "last",
      "hint",
      "refused",
    ]) {
      layers[name] = /** @type {SVGElement} */ (s("g", { class: `layer ${name}` }));
    }
    const svg = boardFrame(size, size, Object.values(layers));
    svg.setAttribute("aria-hidden", "true");
    svg.removeAttribute("role");
    focus = { x: (size - 1) >> 1, y: (size - 1) >> 1 };
    const rows = Array.from({ length: size }, (_, row) =>
      h(
        "div",
        { role: "row", class: "row" },
        Array.from({ length: size }, (_, x) => cell({ x, y: size - 1 - row })),
      ),
    );
    cells = rows.flatMap((row) => /** @type {HTMLElement[]} */ (Array.from(row.children)));
    const grid = h(
      "div",
      { role: "grid", class: "cells", "aria-label": t("board.label", { size }), "--size": String(size) },
      rows,
    );
    grid.addEventListener("keydown", onKey);
    grid.addEventListener("pointerleave", () => hover(null));
    box.style.setProperty("--size", String(size));
    box.replaceChildren(svg, grid);
  }

  /** @param {Point} point */
  function cell(point) {
    const element = h("div", {
      role: "gridcell",
      class: "cell",
      tabindex: isSame(point, focus) ? "0" : "-1",
      "data-point": nameOf(point),
    });
    element.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && hover(point));
    element.addEventListener("click", (event) => {
      setFocus(point, false);
      press(point, /** @type {PointerEvent} */ (event).pointerType === "touch");
    });
    element.addEventListener("focus", () => setFocus(point, false));
    return element;
  }

  /** @param {Point} point @param {boolean} isTouch */
  function press(point, isTouch) {
    if (!picture) return;
    const isFree = !picture.stones.some((stone) => isSame(stone.point, point));
    if (isFree && picture.mayPlay && events.needsConfirm(isTouch) && !isSame(chosen, point)) {
      choose(point);
      return;
    }
    choose(null);
    events.onPlay(point);
  }

  /** Marks a point that a second tap plays. @param {Point | null} point */
  function choose(point) {
    chosen = point;
    drawHover(point);
    box.classList.toggle("choosing", !!point);
    events.onHover(point);
  }

  /** @param {Point | null} point */
  function hover(point) {
    if (chosen) return;
    drawHover(point);
    events.onHover(point);
  }

  /** @param {Point | null} point */
  function drawHover(point) {
    const isFree = point && picture?.mayPlay && !picture.stones.some((stone) => isSame(stone.point, point));
    layers.hover.replaceChildren(
      ...(isFree
        ? [
            stoneShape(at(point), picture?.isBlackToMove, {
              class: `stone ghost ${picture?.isBlackToMove ? "black" : "white"}`,
            }),
          ]
        : []),
    );
    if (chosen && isFree) layers.hover.append(s("circle", { class: "aim", cx: point.x, cy: -point.y, r: 0.72 }));
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
      Home: [-size, 0],
      End: [size, 0],
      PageUp: [0, size],
      PageDown: [0, -size],
    });
    const step = steps[event.key];
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const inside = (/** @type {number} */ value) => Math.min(size - 1, Math.max(0, value));
      setFocus({ x: inside(focus.x + step[0]), y: inside(focus.y + step[1]) }, true);
    } else if (event.key === "Enter" || event.key === " ") {
      choose(null);
      events.onPlay(focus);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Point} point */
  const cellAt = (point) => cells[(size - 1 - point.y) * size + point.x];

  /** @param {Point} point @param {boolean} moves */
  function setFocus(point, moves) {
    cellAt(focus)?.setAttribute("tabindex", "-1");
    focus = point;
    cellAt(point).setAttribute("tabindex", "0");
    if (moves) {
      cellAt(point).focus();
      drawHover(point);
      events.onHover(point);
    }
  }

  /** @param {Picture} next @param {number} nextSize */
  function show(next, nextSize) {
    if (nextSize !== size) build(nextSize);
    picture = next;
    if (chosen && (!next.mayPlay || next.stones.some((stone) => isSame(stone.point, chosen)))) choose(null);
    draw(layers, next);
    label(next);
    box.classList.toggle("may-play", next.mayPlay);
    if (!chosen) drawHover(null);
  }

  /** @param {Picture} next */
  function label(next) {
    const stones = new Map(next.stones.map((stone) => [nameOf(stone.point), stone]));
    const forbidden = new Set(next.forbidden.map(nameOf));
    const candidates = new Map(next.candidates.map((candidate) => [nameOf(candidate.point), candidate.label]));
    for (const element of cells) {
      const name = /** @type {string} */ (element.dataset.point);
      const stone = stones.get(name);
      const parts = [
        name,
        stone
          ? t(stone.isBlack ? "board.black" : "board.white", { ply: stone.ply })
          : forbidden.has(name)
            ? t("board.forbidden")
            : t("board.empty"),
      ];
      const candidate = candidates.get(name);
      if (candidate) parts.push(candidate);
      const text = parts.join(", ");
      if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
    }
  }

  return {
    show,
    /** Draws only what changes while an analysis runs. @param {Pick<Picture, "candidates" | "ghosts">} part */
    showLines(part) {
      if (!picture) return;
      Object.assign(picture, part);
      drawLines(layers, picture);
    },
    focus: () => cellAt(focus)?.focus(),
    svg: () => /** @type {SVGElement} */ (box.querySelector("svg")),
  };
}

/** @param {Point} point */
const at = (point) => ({ ...point, word: nameOf(point) });

/** @param {Record<string, SVGElement>} layers @param {Picture} picture */
function draw(layers, picture) {
  const { rows, stones, last, hint, refused, forbidden, branches } = picture;
  layers.rows.replaceChildren(...rows.points.map((row) => s("path", { d: rowPath(row) })));
  layers.rows.setAttribute("class", `layer rows ${rows.isFoul ? "foul" : "five"}`);
  layers.stones.replaceChildren(
    ...stones.map(({ point, isBlack, label }) =>
      stoneShape(at(point), isBlack, {}, label ? stoneNumber(point, label) : null),
    ),
  );
  layers.last.replaceChildren(...(last ? [s("circle", { class: "last", cx: last.x, cy: -last.y, r: 0.455 })] : []));
  layers.hint.replaceChildren(...(hint ? [s("circle", { class: "hint", cx: hint.x, cy: -hint.y, r: 0.4 })] : []));
  layers.forbidden.replaceChildren(...forbidden.map(cross));
  layers.branches.replaceChildren(
    ...branches.map(({ point, text }) =>
      s(
        "g",
        {},
        s("circle", { class: "branch", cx: point.x, cy: -point.y, r: 0.3 }),
        s("text", { class: "branch-name", x: point.x, y: -point.y }, text),
      ),
    ),
  );
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
function drawLines(layers, { candidates, ghosts }) {
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
      stoneShape(
        at(point),
        isBlack,
        { class: `stone ghost ${isBlack ? "black" : "white"}` },
        stoneNumber(point, label),
      ),
    ),
  );
}

/** @param {Point} point */
const cross = (point) =>
  s("path", { class: "crossed", transform: `translate(${point.x} ${-point.y})`, d: "M-.2-.2L.2 .2M.2-.2L-.2 .2" });
