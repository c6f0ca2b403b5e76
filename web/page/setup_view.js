// Sets a position up, to play on or to analyse: stones in any number, blocked points, and the side to move.

import { $, h } from "./shared/dom.js";
import { isSame } from "./notation.js";
import { t } from "./strings.js";
import { GameTree } from "./tree.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./tree.js").Start} Start
 * @typedef {"black" | "white" | "block" | "erase"} Tool
 */

/** Tools with their texts. @type {Record<Tool, string>} */
const TOOLS = { black: "black", white: "white", block: "setup.block", erase: "setup.erase" };

/** @param {Desk} desk @param {(tree: GameTree) => void} onDone @param {() => void} redraw */
export function makeSetup(desk, onDone, redraw) {
  const box = $("setup-panel");
  /** @type {Start | null} */
  let start = null;
  /** Whether the numbers of stones decide who moves, as long as nobody has chosen. */
  let isByCount = true;
  let tool = /** @type {Tool} */ ("black");

  function open() {
    const { tree } = desk;
    const played = tree
      .path()
      .map((node) => ({ point: /** @type {Point} */ (node.move), isBlack: tree.isByBlack(node) }));
    start = {
      stones: [...(tree.start?.stones || []), ...played],
      blocked: tree.start?.blocked || [],
      toMove: desk.sideToMove(),
    };
    isByCount = !tree.start;
    show();
  }

  function close() {
    if (!start) return;
    start = null;
    show();
  }

  function show() {
    draw();
    redraw();
  }

  /** @param {boolean} isBlack */
  const count = (isBlack) => start?.stones.filter((stone) => stone.isBlack === isBlack).length || 0;

  /** @param {Partial<Start>} changes */
  function change(changes) {
    if (!start) return;
    start = { ...start, ...changes };
    if (isByCount) start.toMove = count(true) > count(false) ? "white" : "black";
    show();
  }

  /** @param {Point} point */
  function press(point) {
    if (!start) return;
    const there = start.stones.find((stone) => isSame(stone.point, point));
    const wasBlocked = start.blocked.some((blocked) => isSame(blocked, point));
    const stones = start.stones.filter((stone) => stone !== there);
    const blocked = start.blocked.filter((other) => !isSame(other, point));
    const isSameTool = tool === "block" ? wasBlocked : there && there.isBlack === (tool === "black");
    if (!isSameTool && tool === "block") blocked.push(point);
    else if (!isSameTool && tool !== "erase") stones.push({ point, isBlack: tool === "black" });
    change({ stones, blocked });
  }

  function done() {
    const tree = start && GameTree.from(start, desk.tree.size, desk.tree.rule);
    if (!tree) return;
    start = null;
    draw();
    onDone(tree);
  }

  /** @param {string} name @param {boolean} isPressed @param {string} text @param {() => void} act */
  const choice = (name, isPressed, text, act) =>
    h("button", { type: "button", "aria-pressed": String(isPressed), "data-tool": name, onclick: act }, text);

  function draw() {
    const focused = document.activeElement?.getAttribute("data-tool");
    box.hidden = !start;
    if (!start) return;
    const { stones, blocked, toMove } = start;
    const isFine = stones.length + blocked.length < desk.tree.size ** 2;
    const tools = Object.entries(TOOLS).map(([name, text]) =>
      choice(name, tool === name, t(text), () => {
        tool = /** @type {Tool} */ (name);
        draw();
      }),
    );
    const sides = /** @type {const} */ (["black", "white"]).map((side) =>
      choice(`${side}-next`, toMove === side, t(side), () => {
        isByCount = false;
        change({ toMove: side });
      }),
    );
    const finish = h("button", { type: "button", class: "primary", id: "setup-done", onclick: done }, t("setup.done"));
    /** @type {HTMLButtonElement} */ (finish).disabled = !isFine;
    const clear = h("button", { type: "button", class: "small" }, t("setup.clear"));
    clear.addEventListener("click", () => {
      isByCount = true;
      change({ stones: [], blocked: [] });
    });
    const cancel = h("button", { type: "button", class: "small", onclick: close }, t("cancel"));
    const counts = { black: count(true), white: count(false), blocked: blocked.length, side: t(toMove) };
    box.replaceChildren(
      h("h2", { class: "title" }, t("setup.title")),
      h("div", { class: "bar tools-bar" }, tools),
      h(
        "div",
        { class: "bar tools-bar", role: "group", "aria-label": t("setup.next") },
        h("span", {}, t("setup.next")),
        sides,
      ),
      h("p", { class: "soft", role: "status" }, t(isFine ? "setup.fine" : "setup.full", counts)),
      h("div", { class: "end" }, clear, h("span", { class: "grow" }), cancel, finish),
    );
    const wanted = focused || (document.activeElement === document.body ? tool : "");
    const focus = /** @type {HTMLElement | null} */ (wanted ? box.querySelector(`[data-tool="${wanted}"]`) : null);
    focus?.focus({ preventScroll: true });
  }

  return { open, close, press, isOpen: () => !!start, start: () => start };
}
