// The talk about an opening: the person's stones and choices, the engine's answers.

import { formatMoves, isSame, nameOf, parseMoves } from "./notation.js";
import { askDecision, askDue, fifthsText, isPersons, personsSide, placedBy } from "./opening.js";
import { t } from "./strings.js";

/**
 * @typedef {import("./desk.js").Match} Match
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./opening.js").Opening} Opening
 *
 * @typedef {{ result: Promise<any>, cancel: () => void, hurry: () => void }} Search
 *
 * What the match does for the talk: it keeps the search that runs, and goes on.
 * @typedef {object} Hooks
 * @property {(search: Search | null) => void} search
 * @property {(search: Search) => boolean} isCurrent
 * @property {() => void} resume
 * @property {() => void} resumeLater goes on later: the engine has not answered
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
  /** The last question about what is due. */
  let asked = 0;

  /** The next step of an opening. @param {Match} match @param {Opening} opening */
  async function advance(match, opening) {
    const mine = ++asked;
    const due = await askDue(engine, desk.tree, opening).catch(() => null);
    // Who comes back from an analysis asks again.
    if (mine !== asked || desk.match !== match || match.opening !== opening || desk.mode !== "play") return;
    if (!due) return hooks.resumeLater();
    desk.note = "";
    opening.due = due;
    match.human = personsSide(opening);
    desk.nameSides();
    if (due.isOver) {
      match.opening = null;
      match.openingStones = match.tip.ply;
      desk.changed("match");
      return hooks.resume();
    }
    if (isPersons(opening)) {
      opening.task = due.offered.length > 0 ? "choose" : due.maySwap ? "" : due.offer > 0 ? "offer" : "stones";
      return desk.changed("match");
    }
    const limits = { level: match.level, seed: match.seed, turnMs: DECISION_MS };
    const search = askDecision(engine, desk.position(match.tip), opening, limits);
    hooks.search(search);
    desk.changed("match");
    const answer = await search.result.catch(() => null);
    if (!hooks.isCurrent(search)) return;
    hooks.search(null);
    if (answer) settle(match, opening, answer);
    else hooks.resumeLater();
  }

  /**
   * Takes up an answer of either side.
   * @param {Match} match
   * @param {Opening} opening
   * @param {string} answer
   */
  function settle(match, opening, answer) {
    const isOfEngine = !isPersons(opening);
    const before = personsSide(opening);
    opening.answers.push(answer);
    opening.task = "";
    opening.given = [];
    opening.due = null;
    desk.note = "";
    const points = placedBy(answer);
    const isLooking = desk.tree.current === match.tip;
    for (const point of points) match.tip = desk.tree.add(point, match.tip);
    // What was tried in an analysis stays as a variation.
    desk.tree.promote(match.tip);
    if (isOfEngine) announce(said(answer, before, points));
    if (isLooking) desk.tree.current = match.tip;
    desk.changed("tree");
    hooks.resume();
  }

  /** What the engine has answered, in words. @param {string} answer @param {import("./desk.js").Side} person @param {Point[]} points */
  function said(answer, person, points) {
    const engines = person === "black" ? "white" : "black";
    if (answer === "SWAP") return t("opening.engine-chose", { side: t(person) });
    if (answer === "STAY") return t("opening.engine-chose", { side: t(engines) });
    const offered = /^OFFER (.*)$/.exec(answer);
    if (offered) return t("opening.engine-offers", { points: (parseMoves(offered[1]) || []).map(nameOf).join(", ") });
    return t("opening.engine-placed", { points: points.map(nameOf).join(", ") }) + fifthsText([answer]);
  }

  /** Gives the person's answer, if the procedure allows it. @param {Match} match @param {Opening} opening @param {string} answer */
  async function give(match, opening, answer) {
    const answers = [...opening.answers, answer];
    const last = opening.given[opening.given.length - 1];
    const refused = await askDue(engine, desk.tree, { ...opening, answers }).then(
      () => "",
      ({ message }) =>
        message
          ? t("refused.opening", { reason: message })
          : t("refused.engine", { point: nameOf(last), reason: t("refused.silent") }),
    );
    if (desk.match !== match || match.opening !== opening) return;
    if (!refused) return settle(match, opening, answer);
    // Stones are placed anew; of an offer, only the last point was wrong.
    opening.given = opening.task === "offer" ? opening.given.slice(0, -1) : [];
    desk.refusal = { point: last, text: refused, judged: null };
    announce(desk.refusal.text);
    desk.changed("match");
  }

  /**
   * The person's choice: a side, stones or an offer instead of one, or the number of fifth moves with a stone.
   * @param {"SWAP" | "STAY" | "STONES" | "OFFER"} choice
   */
  function choose(choice) {
    const { match } = desk;
    const opening = match?.opening;
    if (!match || !opening?.due || !isPersons(opening) || !opening.due.maySwap) return;
    if (choice === "SWAP" || choice === "STAY") return settle(match, opening, choice);
    opening.task = choice === "OFFER" ? "offer" : "stones";
    opening.given = [];
    desk.changed("match");
  }

  /**
   * A point of the person's answer.
   * @param {Match} match
   * @param {Opening} opening
   * @param {Point} point
   * @param {number} fifths the number of fifth moves that goes with a stone
   */
  function place(match, opening, point, fifths) {
    const { due, task } = opening;
    if (!due) return;
    desk.refusal = null;
    if (task === "choose") {
      if (due.offered.some((offer) => isSame(offer, point))) settle(match, opening, `CHOOSE ${nameOf(point)}`);
      return;
    }
    const wanted = task === "offer" ? due.offer : due.stones;
    // The engine is judging the answer.
    if (opening.given.length >= wanted) return;
    const isGiven = opening.given.some((one) => isSame(one, point));
    opening.given = isGiven ? opening.given.filter((one) => !isSame(one, point)) : [...opening.given, point];
    desk.changed("match");
    if (opening.given.length < wanted) return;
    const moves = formatMoves(opening.given);
    const answer = task === "offer" ? `OFFER ${moves}` : due.fifths > 0 ? `${moves} FIFTHS ${fifths}` : moves;
    give(match, opening, answer);
  }

  return { advance, choose, place };
}
