// The table of lines of an analysis: pointing at a move draws the line to it, clicking plays into it.

import { h, $, short } from "./shared/dom.js";
import { nameOf } from "./notation.js";
import { t } from "./strings.js";
import { blackRate, percentText, rateOf, valueText } from "./values.js";

/**
 * @typedef {import("./live.js").Line} Line
 * @typedef {import("./desk.js").Side} Side
 */

/** Moves of a line that are shown. */
const SHOWN = 24;

/**
 * @param {(line: Line | null, count: number) => void} onPoint a line is looked at, up to a move
 * @param {(line: Line, count: number) => void} onPick
 */
export function makeLines(onPoint, onPick) {
  const box = $("lines-box");
  /** @type {{ row: HTMLElement, rate: HTMLElement, depth: HTMLElement, moves: HTMLElement, text: string }[]} */
  let rows = [];
  /** @type {Line[]} */
  let lines = [];
  box.addEventListener("pointerleave", () => onPoint(null, 0));

  function build() {
    const head = h(
      "div",
      { class: "line head", "aria-hidden": "true" },
      h("span", {}, "%"),
      h("span", {}, t("analysis.depth")),
      h("span", {}, t("analysis.line")),
    );
    rows = lines.map((_, index) => {
      const rate = h("b", { class: "rate" });
      const depth = h("span", { class: "soft" });
      const moves = h("span", { class: "pv" });
      const row = h("li", { class: "line" }, rate, depth, moves);
      moves.addEventListener("pointerover", (event) => point(index, event.target));
      moves.addEventListener("focusin", (event) => point(index, event.target));
      moves.addEventListener("focusout", () => onPoint(null, 0));
      moves.addEventListener("click", (event) => {
        const count = countOf(event.target);
        if (count > 0) onPick(lines[index], count);
      });
      return { row, rate, depth, moves, text: "" };
    });
    box.replaceChildren(
      ...(rows.length > 0
        ? [
            head,
            h(
              "ol",
              { class: "lines" },
              rows.map(({ row }) => row),
            ),
          ]
        : []),
    );
  }

  /** @param {number} index @param {EventTarget | null} target */
  function point(index, target) {
    const count = countOf(target);
    if (count > 0) onPoint(lines[index], count);
  }

  /** @param {Line[]} next @param {Side} toMove @param {Side} side @param {boolean} isInTurn whether sides alternate */
  function show(next, toMove, side, isInTurn) {
    const isNew = next.length !== rows.length;
    lines = next;
    if (isNew) build();
    next.forEach((line, index) => {
      const { rate, depth, moves } = rows[index];
      const value = blackRate(line, toMove);
      rate.textContent =
        line.mate === undefined
          ? percentText(value, side)
          : `${line.mate > 0 === (toMove === side) ? "+" : "\u2212"}M${Math.abs(line.mate)}`;
      rate.title = valueText(value, side);
      rate.style.setProperty("--rate", `${100 * rateOf(value, side)}%`);
      depth.textContent = String(line.depth);
      const text = line.moves.slice(0, SHOWN).map(nameOf).join(" ");
      if (rows[index].text === text) return;
      rows[index].text = text;
      // Buttons that stay keep focus and pointer while the engine thinks on.
      while (moves.children.length > Math.min(line.moves.length, SHOWN)) moves.lastElementChild?.remove();
      line.moves.slice(0, SHOWN).forEach((move, at) => {
        const button =
          moves.children[at] ||
          moves.appendChild(h("button", { class: "move", type: "button", "data-count": String(at + 1) }));
        button.textContent = nameOf(move);
        const mover = (at % 2 === 0) === (toMove === "black") ? "by-black" : "by-white";
        button.className = isInTurn || at === 0 ? `move ${mover}` : "move";
      });
    });
  }

  return { show };
}

/** @param {EventTarget | null} target */
const countOf = (target) =>
  Number(target instanceof HTMLElement ? target.closest(".move")?.getAttribute("data-count") || 0 : 0);

/** How far the analysis has come. @param {Line} line @param {boolean} isDone @param {string} value in words */
export const stateText = (line, isDone, value) =>
  isDone && line.mate !== undefined
    ? t("analysis.done", { value })
    : t("analysis.state", {
        depth: `${line.depth}\u2013${line.selective}`,
        nodes: short(line.nodes),
        speed: short(line.speed),
      });
