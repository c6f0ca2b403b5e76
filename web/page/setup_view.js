// Sets stones up, in any order and number of turns, as a position to play on or to analyse.

import { $, h } from "./shared/dom.js";
import { isSame } from "./notation.js";
import { t } from "./strings.js";
import { GameTree } from "./tree.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./tree.js").Stone} Stone
 */

/** @param {Desk} desk @param {(tree: GameTree) => void} onDone @param {() => void} redraw */
export function makeSetup(desk, onDone, redraw) {
  const box = $("setup-panel");
  /** @type {Stone[] | null} */
  let stones = null;
  let tool = /** @type {"black" | "white" | "erase"} */ ("black");

  function open() {
    stones = desk.tree.path().map((node) => ({ point: /** @type {Point} */ (node.move), isBlack: node.ply % 2 === 1 }));
    draw();
    redraw();
  }

  function close() {
    if (!stones) return;
    stones = null;
    draw();
    redraw();
  }

  /** @param {Point} point */
  function press(point) {
    if (!stones) return;
    const there = stones.find((stone) => isSame(stone.point, point));
    stones = stones.filter((stone) => stone !== there);
    const isSameTool = there && there.isBlack === (tool === "black");
    if (tool !== "erase" && !isSameTool) stones.push({ point, isBlack: tool === "black" });
    draw();
    redraw();
  }

  function done() {
    if (!stones) return;
    const tree = GameTree.placing(stones, desk.tree.size, desk.tree.rule);
    if (!tree) return;
    stones = null;
    draw();
    onDone(tree);
  }

  function draw() {
    box.hidden = !stones;
    if (!stones) return;
    const count = (/** @type {boolean} */ isBlack) => stones?.filter((stone) => stone.isBlack === isBlack).length || 0;
    const [black, white] = [count(true), count(false)];
    const isFine = black === white || black === white + 1;
    const tools = /** @type {const} */ (["black", "white", "erase"]).map((name) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(tool === name),
          "data-tool": name,
          onclick: () => {
            tool = name;
            draw();
          },
        },
        t(name === "erase" ? "setup.erase" : name),
      ),
    );
    const finish = h("button", { type: "button", class: "primary", id: "setup-done", onclick: done }, t("setup.done"));
    /** @type {HTMLButtonElement} */ (finish).disabled = !isFine;
    const clear = h("button", { type: "button", class: "small" }, t("setup.clear"));
    clear.addEventListener("click", () => {
      stones = [];
      draw();
      redraw();
    });
    const cancel = h("button", { type: "button", class: "small", onclick: close }, t("cancel"));
    box.replaceChildren(
      h("h2", { class: "title" }, t("setup.title")),
      h("div", { class: "bar tools-bar" }, tools),
      h(
        "p",
        { class: "soft", role: "status" },
        t(isFine ? "setup.fine" : "setup.count", { black, white, side: t(black === white ? "black" : "white") }),
      ),
      h("div", { class: "end" }, clear, h("span", { class: "grow" }), cancel, finish),
    );
    const focus = /** @type {HTMLElement | null} */ (box.querySelector(`[data-tool="${tool}"]`));
    if (document.activeElement === document.body) focus?.focus({ preventScroll: true });
  }

  return { open, close, press, isOpen: () => !!stones, stones: () => stones || [] };
}
