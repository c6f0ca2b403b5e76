// What can be drawn over a position when it is asked for: Black's forbidden points, and the threats of either side.

import { $, h } from "./shared/dom.js";
import { CutOff } from "./engine.js";
import { isVariant } from "./rules.js";
import { askForbidden, askThreats } from "./study.js";
import { t } from "./strings.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./study.js").Threat} Threat
 * @typedef {import("./notation.js").Point} Point
 */

/** Texts on the points, by the engine's names of threats. @type {Record<string, string>} */
const SHORT = {
  five: "5",
  "open-four": "4!",
  "four-three": "43",
  four: "4",
  "double-three": "33",
  "open-three": "3",
};
/** Settings that switch an overlay. */
const SWITCHES = /** @type {const} */ (["threatsBlack", "threatsWhite", "forbidden"]);

/**
 * @param {Desk} desk
 * @param {import("./engine.js").EngineClient} engine
 * @param {ReturnType<typeof import("./settings.js").openSettings>} settings
 * @param {() => boolean} isBusy whether the engine is choosing a move
 * @param {() => void} redraw
 */
export function makeOverlays(desk, engine, settings, isBusy, redraw) {
  /** Answers by position; a position that was asked about has an entry. @type {WeakMap<Node, Point[]>} */
  const forbidden = new WeakMap();
  /** @type {WeakMap<Node, Threat[]>} */
  const threats = new WeakMap();
  const boxes = SWITCHES.map((name) => {
    const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
    box.addEventListener("change", () => settings.set({ [name]: box.checked }));
    $("overlays").append(h("label", { class: "switch" }, box, h("span", {}, t(`overlay.${name}`))));
    return { name, box };
  });

  const isAnalysis = () => desk.mode === "analyse";
  const wantsThreats = () =>
    isAnalysis() &&
    !isVariant(desk.tree.rule) &&
    (settings.values.threatsBlack || settings.values.threatsWhite) &&
    !desk.tree.end();
  /** Black's forbidden points matter to White too, who may aim at them. */
  const wantsForbidden = () =>
    (desk.tree.rule === "renju" || isVariant(desk.tree.rule)) &&
    settings.values.forbidden &&
    (desk.tree.current.ply >= 4 || !!desk.tree.start) &&
    (isAnalysis() || desk.tree.isBlackToMove() || isVariant(desk.tree.rule)) &&
    desk.isSettled() &&
    !desk.tree.end();

  /**
   * Asks about the position that is shown, once.
   * @template T
   * @param {WeakMap<Node, T[]>} known
   * @param {(node: Node) => Promise<T[]>} question
   */
  async function ask(known, question) {
    const node = desk.tree.current;
    if (known.has(node) || !engine.isUp || isBusy()) return;
    known.set(node, []);
    // What broke the link is not asked again.
    const found = await question(node).catch((error) => (error instanceof CutOff ? [] : null));
    if (found) known.set(node, found);
    else known.delete(node);
    if (found?.length && desk.tree.current === node) redraw();
  }

  return {
    /** What is drawn over the position that is shown. */
    shown() {
      const node = desk.tree.current;
      const { threatsBlack, threatsWhite } = settings.values;
      const isWanted = (/** @type {Threat} */ { side }) => (side === "black" ? threatsBlack : threatsWhite);
      return {
        forbidden: wantsForbidden() ? forbidden.get(node) || [] : [],
        threats: wantsThreats()
          ? (threats.get(node) || []).filter(isWanted).map(({ point, side, name }) => ({
              point,
              isBlack: side === "black",
              text: SHORT[name] || "",
              label: t(`threat.${name}`, { side: t(side) }),
            }))
          : [],
      };
    },
    /** Asks the engine for what is wanted and not known. */
    update() {
      for (const { name, box } of boxes) {
        box.checked = settings.values[name];
        /** @type {HTMLElement} */ (box.parentElement).hidden = name === "forbidden" && desk.tree.rule !== "renju";
      }
      $("threat-legend").hidden = !wantsThreats();
      if (wantsForbidden()) ask(forbidden, (node) => askForbidden(engine, desk.position(node)));
      if (wantsThreats()) ask(threats, (node) => askThreats(engine, desk.position(node)));
    },
  };
}
