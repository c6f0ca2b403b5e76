// The talk about an opening: the person's stones and choice, the engine's answers.

import { formatMoves, nameOf, parseMoves } from "./notation.js";
import { decisionOf, personsSide } from "./opening.js";
import { t } from "./strings.js";

/**
 * @typedef {import("./desk.js").Match} Match
 * @typedef {import("./notation.js").Point} Point
 *
 * @typedef {{ result: Promise<any>, cancel: () => void, hurry: () => void }} Search
 *
 * What the match does for the talk: it keeps the search that runs, and goes on.
 * @typedef {object} Hooks
 * @property {(search: Search | null) => void} search
 * @property {(search: Search) => boolean} isCurrent
 * @property {() => void} resume
 */

/** Time for a decision of the engine, in milliseconds. */
const DECISION_MS = 3000;

/**
 * @param {import("./desk.js").Desk} desk
 * @param {import("./engine.js").EngineClient} engine
 * @param {(text: string) => void} announce
 * @param {Hooks} hooks
 */
export function makeNegotiation(desk, engine, announce, hooks) {
  /** The next step of an opening. @param {Match} match @param {import("./opening.js").Opening} opening */
  async function advance(match, opening) {
    const decision = decisionOf(opening);
    if (!decision) {
      match.human = personsSide(opening);
      match.opening = null;
      desk.changed("match");
      return hooks.resume();
    }
    match.human = personsSide(opening);
    if (decision.isPersons) {
      const isPlacing = !decision.mayChoose || opening.placed.length > 0;
      opening.toPlace = isPlacing ? decision.stones - opening.placed.length : 0;
      return desk.changed("match");
    }
    const limits = { level: match.level, seed: match.seed, turnMs: DECISION_MS };
    const search = engine.decide(desk.position(match.tip), opening, limits);
    hooks.search(search);
    desk.changed("match");
    const answer = await search.result.catch(() => null);
    if (!hooks.isCurrent(search)) return;
    hooks.search(null);
    if (answer) settle(match, opening, answer);
    else desk.changed("match");
  }

  /**
   * Takes up an answer of either side.
   * @param {Match} match
   * @param {import("./opening.js").Opening} opening
   * @param {string} answer
   */
  function settle(match, opening, answer) {
    const isPersons = !!decisionOf(opening)?.isPersons;
    opening.answers.push(answer);
    const isChoice = answer === "SWAP" || answer === "STAY";
    if (!isPersons && isChoice) {
      const side = personsSide(opening) === "black" ? "white" : "black";
      announce(t("opening.engine-chose", { side: t(side) }));
    } else if (!isPersons) {
      const points = parseMoves(answer) || [];
      for (const point of points) match.tip = desk.tree.add(point, match.tip);
      announce(t("opening.engine-placed", { points: points.map(nameOf).join(", ") }));
    }
    desk.tree.current = match.tip;
    desk.changed("tree");
    hooks.resume();
  }

  /** The person's choice in an opening. @param {"SWAP" | "STAY" | "MORE"} choice */
  function choose(choice) {
    const { match } = desk;
    const decision = match?.opening && decisionOf(match.opening);
    if (!match?.opening || !decision?.isPersons || !decision.mayChoose) return;
    if (choice !== "MORE") return settle(match, match.opening, choice);
    match.opening.toPlace = decision.stones;
    desk.changed("match");
  }

  /**
   * A stone of the person's answer.
   * @param {Match} match
   * @param {import("./opening.js").Opening} opening
   * @param {Point} point
   */
  function place(match, opening, point) {
    match.tip = desk.tree.add(point, match.tip);
    desk.tree.current = match.tip;
    desk.refusal = null;
    opening.placed.push(point);
    opening.toPlace--;
    if (opening.toPlace > 0) return desk.changed("tree");
    const answer = formatMoves(opening.placed);
    opening.placed = [];
    settle(match, opening, answer);
  }

  return { advance, choose, place };
}
