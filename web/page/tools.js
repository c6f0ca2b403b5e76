// The tools of an analysis beyond lines: forced wins, balanced moves, moves that are left out, and stones to set up.

import { $ } from "./shared/dom.js";
import { isSame, nameOf } from "./notation.js";
import { makeProofs } from "./proof_view.js";
import { isVariant } from "./rules.js";
import { makeSetup } from "./setup_view.js";
import { t } from "./strings.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./notation.js").Point} Point
 */

/**
 * @param {Desk} desk
 * @param {import("./engine.js").EngineClient} engine
 * @param {ReturnType<typeof import("./analysis.js").makeAnalysis>} analysis
 * @param {(text: string) => void} announce
 * @param {{ redraw: () => void, keep: (moves: Point[]) => void, open: (tree: import("./tree.js").GameTree) => void }} page
 */
export function makeTools(desk, engine, analysis, announce, page) {
  const proofs = makeProofs(desk, engine, announce, page.redraw, page.keep);
  const setup = makeSetup(desk, page.open, page.redraw);
  let isExcluding = false;
  /** The search for a balanced move. @type {{ node: import("./tree.js").Node, cancel: () => void } | null} */
  let fair = null;

  /** @param {"mine" | "theirs"} whose */
  function solve(whose) {
    analysis.turn(false);
    exclude(false);
    const side = desk.sideToMove();
    const other = side === "black" ? "white" : "black";
    proofs.solve(whose === "mine" ? side : other);
  }

  /** Shows a move after which both sides have about the same chance. */
  async function showFair() {
    const node = desk.tree.current;
    analysis.turn(false);
    const button = /** @type {HTMLButtonElement} */ ($("fair"));
    button.disabled = true;
    const search = engine.balance(desk.position(node));
    const mine = { node, cancel: search.cancel };
    fair = mine;
    page.redraw();
    const point = await search.result.catch(() => null);
    button.disabled = false;
    const isWanted = fair === mine;
    if (isWanted) fair = null;
    if (!point || !isWanted) return page.redraw();
    desk.hint = point;
    announce(t("analysis.fair-shown", { point: nameOf(point) }));
    desk.changed("position");
  }

  /** @param {boolean} isOn */
  function exclude(isOn) {
    isExcluding = isOn;
    page.redraw();
  }

  /** Leaves a move out of the analysis, or takes it in again. @param {Point} point */
  function toggle(point) {
    if (desk.tree.stoneAt(point) || desk.tree.isBlocked(point)) return;
    const known = desk.excluded();
    const others = known.filter((other) => !isSame(other, point));
    analysis.exclude(others.length < known.length ? others : [...known, point]);
    page.redraw();
  }

  $("solve").addEventListener("click", () => solve("mine"));
  $("solve-threat").addEventListener("click", () => solve("theirs"));
  $("fair").addEventListener("click", showFair);
  $("exclude").addEventListener("click", () => exclude(!isExcluding));
  $("include-all").addEventListener("click", () => {
    analysis.exclude([]);
    page.redraw();
  });
  $("set-up").addEventListener("click", () => {
    analysis.turn(false);
    proofs.close();
    exclude(false);
    setup.open();
  });

  return {
    /** Takes a point of the board; returns whether a tool had a use for it. @param {Point} point */
    press(point) {
      if (setup.isOpen()) setup.press(point);
      else if (isExcluding) toggle(point);
      else if (proofs.isOpen()) proofs.press(point);
      else return false;
      return true;
    },
    /** Draws the state of the tools; what belongs to another position or mode ends. */
    follow() {
      // Games of other families have no tools.
      if (desk.mode !== "analyse" || isVariant(desk.tree.rule)) {
        isExcluding = false;
        setup.close();
      }
      if (fair && (fair.node !== desk.tree.current || desk.mode !== "analyse")) {
        fair.cancel();
        fair = null;
      }
      proofs.follow();
      $("exclude").setAttribute("aria-pressed", String(isExcluding));
      $("include-all").hidden = desk.excluded().length === 0;
    },
    /** Leaves the position that is being set up. */
    endSetUp: () => setup.close(),
    /** What a proof shows on the board. */
    proof: () => proofs.picture(),
    /** The position that is being set up, or `null`. */
    start: () => setup.start(),
    /** What a tool waits for or works on, in words. */
    advice: () => (isExcluding ? t("exclude.shown") : fair ? t("analysis.fair-wait") : ""),
  };
}
