// The board that one plays on: stones and marks on one drawing, and a grid of cells over it for mouse, finger and keys.

import { boardFrame, stoneShape } from "./shared/board.js";
import { at, draw, drawLines, hexFrame, inRow, isOnBoard, rowShift, slanted, spot } from "./drawing.js";
import { h, s } from "./shared/dom.js";
import { isSame, nameOf } from "./notation.js";
import { t } from "./strings.js";

/**
 * @typedef {import("./notation.js").Point} Point
 *
 * A candidate of an analysis: a text on a point, the best one stands out.
 * @typedef {{ point: Point, text: string, isBest: boolean, strength: number, label: string }} Candidate
 *
 * A move of the database: a text on a point, results of games unlike values.
 * @typedef {{ point: Point, text: string, isBest: boolean, isOfGames: boolean, label: string }} Known
 *
 * @typedef {object} Picture
 * @property {{ point: Point, isBlack: boolean, label: string, ply: number }[]} stones
 * @property {Point | null} last
 * @property {{ points: Point[][], isFoul: boolean }} rows
 * @property {Point[]} forbidden points on which the side `barred` may not play
 * @property {"black" | "white"} barred
 * @property {Point[]} excluded points that the analysis leaves out
 * @property {{ point: Point, isBlack: boolean, text: string, label: string }[]} threats
 * @property {Known[]} known moves of the database
 * @property {Candidate[]} candidates
 * @property {{ point: Point, isBlack: boolean | null, label: string }[]} ghosts moves of a line that is looked at;
 *   `isBlack` is null if the side is not known
 * @property {{ point: Point, text: string }[]} branches further variations
 * @property {{ x: number, y: number, reach: number } | null} area the square that an opening speaks of, around a point
 * @property {Point[]} blocked points on which nobody may play
 * @property {Point[]} removed stones that the last move has captured
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
  let isHexagon = false;
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
  /** Whether it is a finger whose click comes next. */
  let isTouch = false;

  /** @param {number} wanted @param {boolean} isHexagonal */
  function build(wanted, isHexagonal) {
    size = wanted;
    isHexagon = isHexagonal;
    chosen = null;
    box.classList.remove("choosing");
    layers = {};
    for (const name of [
      "area",
      "blocked",
      "removed",
      "rows",
      "stones",
      "forbidden",
      "excluded",
      "threats",
      "branches",
      "known",
      "candidates",
      "ghosts",
      "hover",
      "last",
      "hint",
      "refused",
    ]) {
      layers[name] = /** @type {SVGElement} */ (s("g", { class: `layer ${name}` }));
    }
    const frame = isHexagon ? hexFrame : boardFrame;
    const svg = frame(size, size, Object.values(layers));
    svg.setAttribute("aria-hidden", "true");
    svg.removeAttribute("role");
    focus = { x: (size - 1) >> 1, y: (size - 1) >> 1 };
    const rows = Array.from({ length: size }, (_, row) =>
      h(
        "div",
        { role: "row", class: "row", "--shift": isHexagon ? String(rowShift(size - 1 - row)) : null },
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
    // A click does not name its pointer in every browser.
    grid.addEventListener("pointerdown", ({ pointerType }) => (isTouch = pointerType === "touch"));
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
    if (isHexagon && !isOnBoard(point)) element.classList.add("off");
    element.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && hover(point));
    element.addEventListener("click", () => {
      setFocus(point, false);
      press(point, isTouch);
      isTouch = false;
    });
    element.addEventListener("focus", () => setFocus(point, false));
    return element;
  }

  /** @param {Point} point @param {boolean} isTap */
  function press(point, isTap) {
    if (!picture) return;
    const isFree = isEmpty(picture, point);
    if (isFree && picture.mayPlay && events.needsConfirm(isTap) && !isSame(chosen, point)) {
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
    const isFree = point && picture?.mayPlay && isEmpty(picture, point);
    layers.hover.replaceChildren(
      ...(isFree
        ? [
            stoneShape(at(isHexagon ? spot(point) : point), picture?.isBlackToMove, {
              class: `stone ghost ${picture?.isBlackToMove ? "black" : "white"}`,
            }),
          ]
        : []),
    );
    const place = point && isHexagon ? spot(point) : point;
    if (chosen && isFree && place)
      layers.hover.append(s("circle", { class: "aim", cx: place.x, cy: -place.y, r: 0.72 }));
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
      const [x, y] = [inside(focus.x + step[0]), inside(focus.y + step[1])];
      setFocus({ x: isHexagon ? inRow(x, y) : x, y }, true);
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

  /** @param {Picture} next @param {number} nextSize @param {boolean} isHexagonal */
  function show(next, nextSize, isHexagonal = false) {
    if (nextSize !== size || isHexagonal !== isHexagon) build(nextSize, isHexagonal);
    picture = next;
    if (chosen && (!next.mayPlay || !isEmpty(next, chosen))) choose(null);
    draw(layers, isHexagon ? slanted(next) : next);
    label(next);
    box.classList.toggle("may-play", next.mayPlay);
    drawHover(chosen);
  }

  /** Writes the labels of cells, for screen readers. @param {Picture} next @param {HTMLElement[]} some cells to write */
  function label(next, some = cells) {
    const stones = new Map(next.stones.map((stone) => [nameOf(stone.point), stone]));
    const forbidden = new Set(next.forbidden.map(nameOf));
    const blocked = new Set(next.blocked.map(nameOf));
    const taken = new Set(next.removed.map(nameOf));
    const excluded = new Set(next.excluded.map(nameOf));
    const known = new Map(next.known.map(({ point, label }) => [nameOf(point), label]));
    const candidates = new Map(next.candidates.map((candidate) => [nameOf(candidate.point), candidate.label]));
    for (const element of some) {
      const name = /** @type {string} */ (element.dataset.point);
      const stone = stones.get(name);
      const parts = [
        name,
        stone
          ? stone.ply > 0
            ? t(stone.isBlack ? "board.black" : "board.white", { ply: stone.ply })
            : t(stone.isBlack ? "black" : "white")
          : blocked.has(name)
            ? t("board.blocked")
            : forbidden.has(name)
              ? t("board.forbidden", { side: t(next.barred) })
              : t("board.empty"),
      ];
      const candidate = candidates.get(name);
      if (candidate) parts.push(candidate);
      const found = known.get(name);
      if (found) parts.push(found);
      if (excluded.has(name)) parts.push(t("board.excluded"));
      if (taken.has(name)) parts.push(t("board.taken"));
      for (const { point, label } of next.threats) if (nameOf(point) === name) parts.push(label);
      const text = parts.join(", ");
      if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
    }
  }

  return {
    show,
    /** Draws only what changes while an analysis runs. @param {Pick<Picture, "candidates" | "ghosts">} part */
    showLines(part) {
      if (!picture) return;
      const changed = [...picture.candidates, ...part.candidates].map(({ point }) => cellAt(point));
      Object.assign(picture, part);
      drawLines(layers, isHexagon ? slanted(picture) : picture);
      label(picture, changed);
    },
    focus: () => cellAt(focus)?.focus(),
    svg: () => /** @type {SVGElement} */ (box.querySelector("svg")),
  };
}

/** Whether a stone can be placed on a point. @param {Picture} picture @param {Point} point */
const isEmpty = ({ stones, blocked }, point) =>
  !stones.some((stone) => isSame(stone.point, point)) && !blocked.some((other) => isSame(other, point));
