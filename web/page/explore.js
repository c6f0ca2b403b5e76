// Moves that people choose: one of several captures, and, in an analysis, any move that the rules allow, which is played
// into the tree.

import { $, h } from "./shared/dom.js";
import { isSame, isSameMove, nameOf } from "./notation.js";
import { CutOff } from "./engine.js";
import { isVariant } from "./rules.js";
import { t } from "./strings.js";
import { reasonOf } from "./live.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./notation.js").Point} Point
 */

/**
 * The move on a point, after a question if it can capture in several ways; `null` if nobody answers.
 * @param {import("./tree.js").Node} node @param {Point} point
 * @returns {Promise<Point | null>}
 */
export function chooseCapture(node, point) {
  const found = node.judged?.state?.choices.find((choice) => isSame(choice.point, point));
  if (!found) return Promise.resolve(point);
  const dialog = /** @type {HTMLDialogElement} */ ($("capture-dialog"));
  $("capture-text").textContent = t("capture.text", { point: nameOf(point) });
  return new Promise((resolve) => {
    const pick = (/** @type {number} */ choice) => () => {
      resolve({ ...point, choice });
      dialog.close();
    };
    $("capture-choices").replaceChildren(
      ...Array.from({ length: found.count }, (_, index) =>
        h("button", { type: "button", onclick: pick(index + 1) }, t("capture.row", { number: index + 1 })),
      ),
    );
    dialog.addEventListener("close", () => resolve(null), { once: true });
    dialog.showModal();
  });
}

/**
 * @param {Desk} desk
 * @param {import("./engine.js").EngineClient} engine
 * @param {(text: string) => void} announce
 */
export function makeExplore(desk, engine, announce) {
  /** Nodes whose moves the engine is judging. @type {WeakSet<Node>} */
  const asked = new WeakSet();
  /** Nodes whose moves the engine could not judge because the link broke. @type {WeakSet<Node>} */
  const cut = new WeakSet();

  /** @param {Point} point @param {string} key @param {import("./tree.js").Judgement | null} judged */
  function refuse(point, key, judged, reason = "") {
    desk.refusal = { point, text: t(key, { point: nameOf(point), reason: reason || t("refused.silent") }), judged };
    announce(desk.refusal.text);
    desk.changed("position");
  }

  /**
   * The verdict on a node's move. Where sides need not alternate, it depends on the moves before: if a file has not had them
   * judged, they are judged first, and from the first refused move on the line is removed.
   * @param {import("./tree.js").GameTree} tree @param {Node} node
   */
  async function judgeLine(tree, node) {
    const before = isVariant(tree.rule) ? tree.path(node).filter((at) => at !== node && !at.toMove) : [];
    for (const at of [...before, node]) {
      if (desk.tree !== tree) return null;
      let reason = "";
      const [from, move] = [/** @type {Node} */ (at.parent), /** @type {Point} */ (at.move)];
      const judged = await engine.judge(desk.position(from), move).catch((error) => {
        if (error instanceof CutOff) throw error;
        reason = reasonOf(error);
        return null;
      });
      if (judged) tree.judge(at, judged);
      if (judged && at === node) return judged;
      if (judged || desk.tree !== tree) continue;
      if (reason && isVariant(tree.rule)) {
        tree.remove(at);
        desk.changed("tree");
        refuse(move, "refused.engine", null, reason);
      }
      return null;
    }
    return null;
  }

  return {
    /** Plays a move, or goes to the stone on the point. @param {Point} point */
    async play(point) {
      const { current } = desk.tree;
      const stone = desk.tree.stoneAt(point);
      if (stone) return desk.go(stone);
      if (desk.tree.isBlocked(point)) return refuse(point, "refused.blocked", null);
      if (desk.tree.end()) return refuse(point, "refused.over", null);
      if (!desk.isSettled()) {
        // Who tries to play asks again.
        cut.delete(current);
        return refuse(point, "refused.engine", null);
      }
      const move = await chooseCapture(current, point);
      if (!move || desk.tree.current !== current) return;
      const known = current.children.find((child) => isSameMove(child.move, move));
      if (known) return desk.go(known);
      if (engine.isBroken) return refuse(point, "refused.no-link", null);
      let reason = "";
      const judged = await engine.judge(desk.position(current), move).catch((error) => {
        reason = reasonOf(error);
        return null;
      });
      if (desk.tree.current !== current || desk.mode === "play") return;
      if (!judged) return refuse(point, "refused.engine", null, reason);
      if (judged.what === "foul") return refuse(point, `refused.${judged.foul}`, judged);
      const node = desk.tree.add(move, current);
      desk.tree.judge(node, judged);
      desk.tree.current = node;
      desk.clearNotes();
      announce(t("said.move", { side: t(desk.tree.isBlackToMove(current) ? "black" : "white"), point: nameOf(point) }));
      desk.changed("tree");
    },
    /** Plays the moves of a line into the tree and goes to its move number `shown`. @param {Node} from @param {Point[]} points */
    playLine(from, points, shown = points.length) {
      let at = from;
      points.forEach((point, index) => {
        at = desk.tree.add(point, at);
        if (index < shown) desk.tree.current = at;
      });
      desk.clearNotes();
      desk.changed("tree");
    },
    /** Asks whether a move that came from elsewhere ends the game. @param {Node} node */
    async judgeLast(node) {
      if (node.judged || !node.parent || !node.move || !engine.isUp || asked.has(node) || cut.has(node)) return;
      asked.add(node);
      const judged = await judgeLine(desk.tree, node).catch(() => undefined);
      asked.delete(node);
      // What broke the link is not asked again by itself.
      if (judged === undefined) cut.add(node);
      const isSeen = judged && (judged.what !== "plain" || judged.state);
      if (isSeen && desk.tree.current === node) desk.changed("position");
    },
  };
}
