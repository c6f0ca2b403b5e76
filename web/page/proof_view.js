// A forced win with its proof, to click through: the attacker's move, every defence, and what meets it.

import { $, h } from "./shared/dom.js";
import { isSame, nameOf } from "./notation.js";
import { askSolve, namesOf } from "./study.js";
import { t } from "./strings.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./desk.js").Side} Side
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./study.js").Step} Step
 *
 * A proof that is open. `path` are the steps that were chosen, each with the reply that leads to it.
 * @typedef {{
 *   node: import("./tree.js").Node, attacker: Side, steps: Step[], line: Point[], moves: number,
 *   path: { step: Step, reply: Point | null }[],
 * }} Proof
 */

/**
 * @param {Desk} desk
 * @param {import("./engine.js").EngineClient} engine
 * @param {(text: string) => void} announce
 * @param {() => void} redraw
 * @param {(moves: Point[]) => void} onKeep plays moves into the tree
 */
export function makeProofs(desk, engine, announce, redraw, onKeep) {
  const box = $("proof-panel");
  /** @type {Proof | null} */
  let proof = null;
  /** @type {{ cancel: () => void } | null} */
  let asking = null;
  /** What is said, and of which position. */
  let note = "";
  let notedAt = desk.tree.current;

  /** Looks for a win of a side. @param {Side} attacker */
  async function solve(attacker) {
    if (asking) return stop();
    close();
    const node = desk.tree.current;
    const asked = askSolve(engine, desk.position(node), attacker);
    const mine = { cancel: asked.cancel };
    asking = mine;
    notedAt = node;
    note = t("solve.wait", { side: t(attacker) });
    draw();
    const solved = await asked.result.catch(() => null);
    if (asking !== mine) return;
    asking = null;
    if (solved?.what === "win") {
      const [first] = solved.steps;
      note = t("solve.win", { side: t(attacker), moves: solved.moves });
      if (first) {
        const path = [{ step: first, reply: null }];
        proof = { node, attacker, steps: solved.steps, line: solved.line, moves: solved.moves, path };
      } else {
        note += ` ${namesOf(solved.line)}`;
      }
    } else {
      note = t(solved ? `solve.${solved.what}` : "engine.no-answer", { side: t(attacker) });
    }
    announce(note);
    draw();
    redraw();
  }

  function stop() {
    asking?.cancel();
    asking = null;
    note = "";
    draw();
  }

  function close() {
    stop();
    proof = null;
    draw();
    redraw();
  }

  /** Goes on after a reply; any reply that is not listed is met by a step of which one wins. @param {Point | null} reply */
  function answer(reply) {
    if (!proof) return;
    const { step } = proof.path[proof.path.length - 1];
    const known = step.replies.find(({ point }) => isSame(point, reply));
    const others = step.otherwise.map((next) => proof?.steps[next]);
    const next = known ? proof.steps[known.next] : others.find((other) => other && !isSame(other.attack, reply));
    if (!next) return;
    proof.path.push({ step: next, reply });
    announce(t("proof.said", { point: nameOf(next.attack) }));
    draw();
    redraw();
  }

  /** @param {number} count steps that stay */
  function back(count) {
    if (!proof) return;
    proof.path.length = count;
    draw();
    redraw();
  }

  /** The moves of both sides so far; `null` for a reply that stands for any. */
  const played = () =>
    proof ? proof.path.flatMap(({ step, reply }, index) => (index === 0 ? [step.attack] : [reply, step.attack])) : [];

  /** The chosen way, each step a button that leads back to it. @param {Proof} open */
  const way = ({ path }) =>
    h(
      "p",
      { class: "pv way" },
      path.map(({ step, reply }, index) => [
        index === 0 ? null : h("span", { class: "soft" }, reply ? nameOf(reply) : t("proof.any")),
        h("button", { type: "button", class: "move", onclick: () => back(index + 1) }, nameOf(step.attack)),
      ]),
    );

  /** @param {Proof} open */
  function choices({ path }) {
    const { step } = path[path.length - 1];
    if (step.replies.length + step.otherwise.length === 0) return h("p", {}, t("proof.five"));
    const reply = (/** @type {Point | null} */ point, /** @type {string} */ text) =>
      h("button", { type: "button", class: "small", onclick: () => answer(point) }, text);
    return h(
      "div",
      { class: "bar", role: "group", "aria-label": t("proof.replies") },
      step.replies.map(({ point }) => reply(point, nameOf(point))),
      step.otherwise.length > 0 ? reply(null, t(step.replies.length > 0 ? "proof.other" : "proof.any-move")) : null,
    );
  }

  function draw() {
    box.hidden = !note;
    const parts = [h("p", { role: "status" }, note)];
    /** @type {HTMLElement[]} */
    const kept = [];
    if (proof) {
      const moves = played();
      const isWhole = moves.every(Boolean);
      parts.push(way(proof), h("p", { class: "soft" }, t("proof.choose")), choices(proof));
      const keep = h("button", { type: "button", class: "small", id: "proof-keep" }, t("proof.keep"));
      keep.addEventListener("click", () => onKeep(/** @type {Point[]} */ (moves)));
      if (isWhole && proof.attacker === desk.sideToMove(proof.node)) kept.push(keep);
    }
    const end = h("button", { type: "button", class: "small", onclick: close }, t(asking ? "solve.stop" : "close"));
    box.replaceChildren(...parts, h("div", { class: "end" }, kept, end));
    $("solve").textContent = t(asking ? "solve.stop" : "solve.mine");
  }
  draw();

  return {
    solve,
    close,
    /** Closes what belongs to another position. */
    follow() {
      if (note && (notedAt !== desk.tree.current || desk.mode !== "analyse")) close();
    },
    isOpen: () => !!proof,
    /** Takes a point of the board as a reply. @param {Point} point */
    press(point) {
      const isPlayed = played().some((move) => isSame(move, point));
      if (isPlayed || desk.tree.stoneAt(point) || desk.tree.isBlocked(point)) return;
      answer(point);
    },
    /** What the board shows of the proof: stones of both sides, and the replies to choose from. */
    picture() {
      if (!proof) return null;
      const { attacker, path } = proof;
      const isBlack = attacker === "black";
      const ghosts = played().flatMap((point, index) =>
        point ? [{ point, isBlack: index % 2 === 0 ? isBlack : !isBlack, label: String(index + 1) }] : [],
      );
      const { replies } = path[path.length - 1].step;
      const branches = replies.map(({ point }, index) => ({ point, text: String.fromCharCode(65 + (index % 26)) }));
      return { ghosts, branches };
    },
  };
}
