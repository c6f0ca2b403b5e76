// Plays a match: the person's moves, checked by the engine; the engine's answers; clocks; take back, hint, resign.

import { chooseCapture } from "./explore.js";
import { makeNegotiation } from "./negotiation.js";
import { nameOf } from "./notation.js";
import { newOpening } from "./opening.js";
import { CHALLENGE_SIZE, LEVELS, keepGame, noteWin, ruleAt } from "./settings.js";
import { t } from "./strings.js";
import { GameTree, dayOf } from "./tree.js";
import { Cancelled } from "./engine.js";
import { blackRate } from "./values.js";
import { reasonOf } from "./live.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./desk.js").Match} Match
 * @typedef {import("./desk.js").Side} Side
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./engine.js").EngineClient} EngineClient
 */

/** Time for a move without a clock, and for a hint, in milliseconds. */
const MOVE_MS = 3000;
const HINT_MS = 2000;
/** Time between two looks at the clock, in milliseconds. */
const TICK_MS = 100;
/** Time before an engine that has not answered is asked again, at first and at most, in milliseconds. */
const AGAIN_MS = { first: 2000, most: 60000 };

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === "black" ? "white" : "black");

/**
 * The end of a game as the tree sees it, for a match.
 * @param {import("./tree.js").GameTree} tree
 * @param {import("./tree.js").Node} node
 */
const endOf = (tree, node) => /** @type {import("./desk.js").Result | null} */ (tree.end(node));

/**
 * @param {Desk} desk @param {EngineClient} engine @param {(text: string) => void} announce
 * @param {() => number} fifths the number of fifth moves that the person asks for in an opening
 */
export function makePlay(desk, engine, announce, fifths) {
  /**
   * The search for the engine's move.
   * @type {{ result: Promise<Point | null>, cancel: () => void, hurry: () => void } | null}
   */
  let thinking = null;
  /** @type {{ cancel: () => void } | null} */
  let hinting = null;
  let isJudging = false;
  let tickedAt = performance.now();
  /** The timer of the next attempt, 0 if none is due, and how long the attempt after it will wait. */
  let again = 0;
  let againMs = AGAIN_MS.first;
  const openings = makeNegotiation(desk, engine, announce, {
    search(search) {
      thinking = search;
    },
    isCurrent: (search) => thinking === search,
    resume,
    resumeLater,
  });

  /**
   * @param {{
   *   size: number, rule: import("./rules.js").RuleName, human: Side | "both", level: number,
   *   clock: import("./desk.js").Clock | null, opening?: string, isChallenge?: boolean,
   * }} options
   */
  function start({ size, rule, human, level, clock, opening = "", isChallenge = false }) {
    drop();
    keepGame(desk.tree);
    const tree = new GameTree(size, rule);
    const left = clock?.initialMs || 0;
    desk.tree = tree;
    desk.mode = "play";
    desk.clearNotes();
    desk.match = {
      human,
      level,
      clock,
      leftMs: { black: left, white: left },
      tip: tree.root,
      result: null,
      seed: Math.floor(Math.random() * 1e9),
      opening: opening && human !== "both" ? newOpening(opening, human === "black") : null,
      begins: opening,
      openingStones: 0,
      isChallenge,
    };
    desk.nameSides();
    tree.facts.date = dayOf();
    desk.changed("tree");
    resume();
  }

  /**
   * Goes on from the position that is shown, against the engine. The person has the side to move.
   * @param {number} level
   */
  function startHere(level) {
    const tip = desk.tree.current;
    const human = desk.sideToMove(tip);
    desk.mode = "play";
    desk.refusal = null;
    desk.match = {
      human,
      level,
      clock: null,
      leftMs: { black: 0, white: 0 },
      tip,
      result: endOf(desk.tree, tip),
      seed: Math.floor(Math.random() * 1e9),
      opening: null,
      begins: "",
      openingStones: 0,
      isChallenge: false,
    };
    // Who played the game that was opened, and how it ended, is true only as long as nobody plays on.
    if (!desk.match.result) {
      desk.nameSides();
      delete desk.tree.facts.result;
    }
    desk.changed("tree");
    resume();
  }

  /** Ends what the engine does for the match. */
  function drop() {
    thinking?.cancel();
    hinting?.cancel();
    thinking = null;
    hinting = null;
    clearTimeout(again);
    again = 0;
    againMs = AGAIN_MS.first;
  }

  /** Lets the engine move if it is its turn. */
  function resume() {
    const { match } = desk;
    tickedAt = performance.now();
    clearTimeout(again);
    again = 0;
    if (!match || match.result || desk.mode !== "play" || match.human === "both") return;
    if (match.opening) return thinking ? undefined : openings.advance(match, match.opening);
    if (desk.sideToMove(match.tip) !== match.human && !thinking) think(match);
  }

  /** Asks an engine that has not answered again, but less and less often: its position may be what breaks the link. */
  function resumeLater() {
    clearTimeout(again);
    again = window.setTimeout(resume, againMs);
    againMs = Math.min(2 * againMs, AGAIN_MS.most);
    desk.note = t("turn.again");
    announce(desk.note);
    desk.changed("match");
  }

  /** @param {Match} match */
  async function think(match) {
    const from = match.tip;
    const side = desk.sideToMove(from);
    /** @type {import("./live.js").Line | null} */
    let last = null;
    const search = engine.move(
      desk.position(from),
      () => limits(match, side),
      (line) => (last = line),
    );
    thinking = search;
    desk.changed("match");
    try {
      const point = await search.result;
      if (!point) throw new Error("no move");
      if (last) from.value = blackRate(last, side);
      const judged = await engine.judge(desk.position(from), point);
      if (thinking !== search) return;
      thinking = null;
      place(match, point, judged);
    } catch (error) {
      if (thinking !== search) return;
      thinking = null;
      if (!(error instanceof Cancelled)) resumeLater();
    }
  }

  /** @param {Match} match @param {Side} side */
  function limits(match, side) {
    const { level, seed, clock } = match;
    if (!clock) return { level, seed, turnMs: MOVE_MS };
    return {
      level,
      seed,
      matchMs: clock.initialMs,
      leftMs: Math.max(50, match.leftMs[side]),
      incrementMs: clock.incrementMs,
    };
  }

  /**
   * Plays a checked move in the match.
   * @param {Match} match
   * @param {Point} point
   * @param {import("./tree.js").Judgement} judged
   */
  function place(match, point, judged) {
    tick();
    if (match.result) return;
    againMs = AGAIN_MS.first;
    const side = desk.sideToMove(match.tip);
    const isLooking = desk.tree.current === match.tip;
    if (match.clock && match.tip.ply > 0) match.leftMs[side] += match.clock.incrementMs;
    const node = desk.tree.add(point, match.tip);
    desk.tree.judge(node, judged);
    // What was taken back stays as a variation.
    desk.tree.promote(node);
    match.tip = node;
    match.result = endOf(desk.tree, node);
    desk.clearNotes();
    if (isLooking) desk.tree.current = node;
    announce(t("said.move", { side: t(side), point: nameOf(point) }));
    desk.changed("tree");
    if (match.result) finish(match);
    else resume();
  }

  /** @param {Match} match */
  function finish(match) {
    const { result } = match;
    if (!result) return;
    drop();
    if (match.isChallenge && result.winner === match.human) noteWin(match.level);
    desk.noteResult();
    announce(endTitle(match));
    desk.changed("match");
  }

  /** The person's move. @param {Point} point */
  async function play(point) {
    const { match } = desk;
    if (!match || !desk.mayPlay() || isJudging) return;
    if (desk.tree.stoneAt(point, match.tip)) return refuse(point, "refused.taken", null);
    if (desk.tree.isBlocked(point)) return refuse(point, "refused.blocked", null);
    if (match.opening) return openings.place(match, match.opening, point, fifths());
    if (engine.isBroken) return refuse(point, "refused.no-link", null);
    hinting?.cancel();
    hinting = null;
    isJudging = true;
    const { tip } = match;
    try {
      const move = await chooseCapture(tip, point);
      if (!move) return;
      const judged = await engine.judge(desk.position(tip), move);
      if (desk.match !== match || match.tip !== tip || !desk.mayPlay()) return;
      if (judged.what === "foul") refuse(point, `refused.${judged.foul}`, judged);
      else place(match, move, judged);
    } catch (error) {
      if (desk.match === match && match.tip === tip) refuse(point, "refused.engine", null, reasonOf(error));
    } finally {
      isJudging = false;
    }
  }

  /** @param {Point} point @param {string} key @param {import("./tree.js").Judgement | null} judged */
  function refuse(point, key, judged, reason = "") {
    const text = t(key, { point: nameOf(point), reason: reason || t("refused.silent") });
    desk.refusal = { point, text, judged };
    announce(text);
    desk.changed("position");
  }

  function undo() {
    const { match } = desk;
    const node = desk.beforeLastMove();
    if (!match || !node) return;
    drop();
    match.tip = node;
    match.result = null;
    desk.clearNotes();
    desk.tree.current = node;
    delete desk.tree.facts.result;
    desk.changed("tree");
    resume();
  }

  async function hint() {
    const { match } = desk;
    if (!match || !desk.mayPlay() || hinting || match.opening || match.isChallenge) return;
    const node = desk.tree.current;
    const search = engine.analyse(desk.position(node), 1, { turnMs: HINT_MS }, () => {});
    hinting = search;
    desk.changed("match");
    const point = await search.result.catch(() => null);
    if (hinting !== search) return;
    hinting = null;
    // Another position is shown by now.
    if (desk.tree.current !== node) return desk.changed("match");
    desk.hint = point;
    if (point) announce(t("hint.shown", { point: nameOf(point) }));
    desk.changed("position");
  }

  /** Offers a draw, which two persons at one board agree on by themselves. */
  async function draw() {
    const { match } = desk;
    if (!match || !desk.mayPlay() || match.opening || hinting) return;
    const { tip } = match;
    /** Whether the draw is agreed, or the error that left it open. @type {boolean | Error} */
    let answer = match.human === "both";
    if (!answer) {
      const search = engine.offerDraw(desk.position());
      hinting = search;
      desk.note = t("draw.wait");
      desk.changed("match");
      answer = await search.result.catch((/** @type {Error} */ error) => error);
      if (hinting === search) hinting = null;
      if (desk.match !== match || match.tip !== tip || match.result) return;
    }
    desk.note = "";
    if (answer === true) match.result = { winner: null, why: "agreed" };
    if (answer === true) return finish(match);
    const said = answer instanceof Cancelled ? "" : t(answer ? "engine.no-answer" : "draw.no");
    if (desk.tree.current === tip) desk.note = said;
    if (said) announce(said);
    desk.changed("match");
  }

  function resign() {
    const { match } = desk;
    if (!match || match.result) return;
    const loser = match.human === "both" ? desk.sideToMove(match.tip) : match.human;
    // Nothing is due any more, and the stones of the opening are not taken back.
    if (match.opening) match.openingStones = match.tip.ply;
    match.opening = null;
    match.result = { winner: other(loser), why: "resigned" };
    finish(match);
  }

  function rematch() {
    const { match, tree } = desk;
    if (!match) return;
    const human = match.human === "both" ? "both" : other(match.human);
    if (match.isChallenge) {
      const hasWon = match.result?.winner === match.human;
      const level = Math.min(LEVELS, match.level + (hasWon ? 1 : 0));
      return start({ size: CHALLENGE_SIZE, rule: ruleAt(level), human, level, clock: null, isChallenge: true });
    }
    start({ size: tree.size, rule: tree.rule, human, level: match.level, clock: match.clock, opening: match.begins });
  }

  /** Takes the time that has passed from the side to move. */
  function tick() {
    const now = performance.now();
    const passed = now - tickedAt;
    tickedAt = now;
    const { match } = desk;
    // The clock starts with the first move, and stands while there is no engine.
    if (!match?.clock || match.result || match.opening || match.tip.ply === 0 || desk.mode !== "play") return;
    if (!engine.isUp || again) return;
    const side = desk.sideToMove(match.tip);
    match.leftMs[side] = Math.max(0, match.leftMs[side] - passed);
    if (match.leftMs[side] > 0) return;
    match.result = { winner: other(side), why: "time" };
    finish(match);
  }
  window.setInterval(tick, TICK_MS);

  return {
    start,
    startHere,
    play,
    choose: openings.choose,
    undo,
    hint,
    draw,
    resign,
    rematch,
    resume,
    drop,
    /** Ends the engine's search with the best move so far; not in a challenge, where it would be weak. */
    hurry: () => {
      if (!desk.match?.isChallenge) thinking?.hurry();
    },
    isThinking: () => !!thinking,
    isHinting: () => !!hinting,
  };
}

/** Who has won, as a headline. @param {Match} match */
export function endTitle(match) {
  const winner = match.result?.winner;
  if (!winner) return t("end.draw");
  if (match.human === "both") return t("end.winner", { side: t(winner) });
  return t(winner === match.human ? "end.won" : "end.lost");
}
