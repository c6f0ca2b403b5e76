// Puts the page together: what happens on the desk is drawn, what people do goes to the desk.

import { $, h } from "./shared/dom.js";
import { makeAnalysis } from "./analysis.js";
import { makeBoard } from "./board_view.js";
import { openDatabase } from "./database.js";
import { makeDatabase } from "./database_view.js";
import { makeChart } from "./chart.js";
import { Desk } from "./desk.js";
import { lastChoice, makeNewGame, makeSettings } from "./dialogs.js";
import { EngineClient } from "./engine.js";
import { makeExplore } from "./explore.js";
import { isGameHash, makeFiles, readHash } from "./files.js";
import { loadTexts } from "./language.js";
import { makeLines, stateText } from "./lines_view.js";
import { makeMoves } from "./moves_view.js";
import { nameOf } from "./notation.js";
import { personsSide } from "./opening.js";
import { pictureOn } from "./position_view.js";
import { makeOverlays } from "./overlays.js";
import { makePlay } from "./play.js";
import { makeReviewView } from "./review_view.js";
import { makeSeats } from "./seats.js";
import { isHexagonal, isVariant } from "./rules.js";
import { FileError } from "./sgf.js";
import { applyTheme, autosave, keepPage, openSettings, savedGame } from "./settings.js";
import { t, translate } from "./strings.js";
import { bindKeys, bindSteps } from "./steps.js";
import { makeTools } from "./tools.js";
import { openEngine } from "./transport.js";
import { valueText } from "./values.js";

/** @typedef {import("./notation.js").Point} Point */

const settings = openSettings();
document.documentElement.lang = await loadTexts(settings.values.language);
translate(document);
applyTheme(settings.values.theme);
const desk = new Desk();
const transport = openEngine();
const engine = new EngineClient(transport);
/** What is to be announced: a move and the end of the game come together. @type {string[]} */
let said = [];
const announce = (/** @type {string} */ text) => {
  if (said.push(text) > 1) return;
  queueMicrotask(() => {
    $("announce").textContent = said.join("; ");
    said = [];
  });
};

/** The line that is looked at. @type {{ line: import("./live.js").Line, count: number } | null} */
let looked = null;

const board = makeBoard($("board"), {
  onPlay: (point) => {
    if (desk.mode === "play") playAt(point);
    else if (!tools.press(point)) explore.play(point);
  },
  onHover: (point) => lookAt(lineOf(point)),
  needsConfirm: (isTouch) => settings.values.confirm === "always" || (settings.values.confirm === "auto" && isTouch),
});
const play = makePlay(desk, engine, announce, () => Number(/** @type {HTMLSelectElement} */ ($("fifths")).value));
const explore = makeExplore(desk, engine, announce);
const analysis = makeAnalysis(desk, engine, settings.values, drawAnalysis);
const lines = makeLines(
  (line, count) => lookAt(line && { line, count }),
  (line, count) => explore.playLine(desk.tree.current, line.moves.slice(0, count)),
);
const reviews = makeReviewView(
  desk,
  (from, line) => explore.playLine(from, line, 1),
  (from, line) => lookAt(line && { line: /** @type {any} */ ({ moves: line }), count: line.length }),
);
const chart = makeChart($("chart"), (node) => desk.go(node));
const moves = makeMoves($("moves"), (node) => desk.go(node));
const seats = makeSeats(desk, engine);
const openNew = makeNewGame((options) => {
  analysis.turn(false);
  play.start(options);
  board.focus();
});
makeSettings(settings);
const files = makeFiles(
  desk,
  () => board.svg(),
  { readLibrary: transport.readLibrary, openDatabase: (file) => openDatabase(engine, file) },
  openTree,
);
const overlays = makeOverlays(desk, engine, settings, () => play.isThinking(), redraw);
const database = makeDatabase(desk, engine, settings, {
  play: explore.play,
  look: (point) => lookAt(point && { line: /** @type {any} */ ({ moves: [point] }), count: 1 }),
  redraw,
});
const tools = makeTools(desk, engine, analysis, announce, {
  redraw,
  keep: (points) => explore.playLine(desk.tree.current, points, 1),
  open: openTree,
});
const save = autosave(
  () => desk.pack(),
  () => !!desk.match?.clock && !desk.match.result,
  (isSaved) => ($("saved").textContent = t(isSaved ? "saved.yes" : "saved.no")),
);

/** @param {import("./tree.js").GameTree} tree */
function openTree(tree) {
  play.drop();
  // Both belong to the game that was open.
  tools.endSetUp();
  analysis.stopReview();
  desk.open(tree);
  announce(t("files.opened", { count: tree.line().length }));
}

/** A point of the board in a game; after the game, a look back. @param {Point} point */
function playAt(point) {
  if (!desk.isSettled()) return explore.play(point);
  if (desk.mayPlay()) return play.play(point);
  const node = desk.match && desk.tree.stoneAt(point, desk.match.tip);
  if (node && desk.match?.result) desk.go(node);
}

/** The line of the analysis that begins on a point. @param {Point | null} point */
function lineOf(point) {
  if (!point || desk.mode !== "analyse") return null;
  const line = analysis.found().lines.find((one) => one?.moves[0].x === point.x && one.moves[0].y === point.y);
  return line ? { line, count: Math.min(8, line.moves.length) } : null;
}

/** @param {{ line: import("./live.js").Line, count: number } | null} next */
function lookAt(next) {
  if (!next && !looked) return;
  looked = next;
  drawAnalysis();
}

function drawAnalysis() {
  const { tree } = desk;
  const found = analysis.found();
  const list = found.lines.filter(Boolean);
  const isShown = desk.mode === "analyse" && !tools.start();
  const proof = isShown ? tools.proof() : null;
  const drawn = pictureOn.lines(desk, isShown && !proof ? list : [], looked, settings.values.side);
  board.showLines(proof ? { candidates: [], ghosts: proof.ghosts } : drawn);
  if (!isShown) return;
  lines.show(list, desk.sideToMove(), settings.values.side, !isHexagonal(tree.rule));
  const review = analysis.review();
  $("analyse").textContent = t(analysis.isOn() ? "analysis.stop" : "analysis.start");
  $("review").textContent = t(review ? "analysis.review-stop" : "analysis.review");
  /** @type {HTMLButtonElement} */ ($("review")).disabled = !review && tree.line().length === 0;
  $("analysis-state").textContent = tools.advice() || stateOf(review, list[0], found.isDone);
  $("legend").textContent = list.length > 0 ? t("analysis.legend", { side: t(settings.values.side) }) : "";
  seats.balance(tree.current.value, settings.values.side);
  drawChart();
}

/**
 * What the engine does, in words.
 * @param {{ done: number, count: number } | null} review
 * @param {import("./live.js").Line | undefined} best
 * @param {boolean} isDone
 */
function stateOf(review, best, isDone) {
  const { current } = desk.tree;
  if (review) return t("analysis.reviewing", { done: review.done, count: review.count });
  if (desk.tree.end()) return t("analysis.over");
  if (desk.hint) return t("analysis.fair-shown", { point: nameOf(desk.hint) });
  if (!best) return t(analysis.isOn() ? "analysis.wait" : "analysis.off");
  return stateText(best, isDone, current.value ? valueText(current.value, settings.values.side) : "");
}

/** The chart, and what a review says; never while one plays. */
function drawChart() {
  const line = desk.tree.line();
  chart.show([desk.tree.root, ...line], desk.tree.current, settings.values.side);
  reviews.show();
  moves.showMarks(true);
}

/** The board: a position with what is drawn over it, or stones that are being set up. */
function drawBoard() {
  const start = tools.start();
  const { size, rule } = desk.tree;
  if (start) return board.show(pictureOn.setup(start), size);
  const excluded = desk.mode === "analyse" ? desk.excluded() : [];
  const proof = desk.mode === "analyse" ? tools.proof() : null;
  const known = proof ? [] : database.marks();
  const picture = pictureOn.board(desk, settings.values, { ...overlays.shown(), excluded, known });
  const shown = proof ? { ...picture, threats: [], branches: proof.branches } : picture;
  board.show(shown, size, isHexagonal(rule));
}

function redraw() {
  tools.follow();
  database.update();
  drawBoard();
  drawAnalysis();
}

/** Draws what a change concerns. @param {import("./desk.js").Change} change */
function draw(change) {
  const { tree, match } = desk;
  if (change === "tree" || change === "position") looked = null;
  const isPlay = desk.mode === "play";
  document.body.dataset.mode = desk.mode;
  for (const [id, isOn] of [
    ["mode-play", isPlay],
    ["mode-analyse", !isPlay],
  ])
    $(String(id)).setAttribute("aria-pressed", String(isOn));
  /** @type {HTMLButtonElement} */ ($("mode-analyse")).disabled = !desk.mayAnalyse();
  /** @type {HTMLButtonElement} */ ($("mode-play")).disabled = !desk.match && !desk.isSettled();
  $("play-panel").hidden = !isPlay;
  $("analysis-panel").hidden = isPlay;
  $("comment-box").hidden = isPlay;
  // Proofs, threats and reviews are of the Gomocup family.
  for (const id of ["more-tools", "review"]) $(id).hidden = isVariant(tree.rule);
  // Values would be a hint while one plays.
  $("chart-panel").hidden = isPlay && !match?.result;
  $("balance").hidden = isPlay;
  if (change === "tree") moves.draw(tree);
  moves.mark(tree.current);
  seats.draw();
  seats.status({ isThinking: play.isThinking(), isHinting: play.isHinting() });
  tools.follow();
  drawBoard();
  const comment = /** @type {HTMLTextAreaElement} */ ($("comment"));
  if (comment.value !== tree.current.comment) comment.value = tree.current.comment;
  const isRoot = !tree.current.parent;
  for (const id of ["promote", "cut"]) $(id).hidden = isPlay || isRoot;
  $("promote").hidden ||= tree.isMain();
  $("refusal").hidden = isPlay || !desk.refusal;
  $("refusal").textContent = desk.refusal?.text || "";
  $("chart-title").textContent = t("chart.title", { side: t(settings.values.side) });
  bindSteps.show(desk);
  if (change !== "values") analysis.follow();
  explore.judgeLast(tree.current);
  drawAnalysis();
  if ($("chart-panel").hidden) moves.showMarks(false);
  else if (isPlay) drawChart();
  overlays.update();
  database.update();
  save();
}

/** @param {"play" | "analyse"} mode */
function setMode(mode) {
  if (mode === desk.mode || (mode === "analyse" && !desk.mayAnalyse())) return;
  if (mode === "play" && !desk.match) {
    if (!desk.isSettled()) return;
    analysis.turn(false);
    return play.startHere(Math.min(10, Math.max(1, Number(lastChoice().level) || 4)));
  }
  desk.mode = mode;
  desk.clearNotes();
  if (mode === "play") {
    analysis.turn(false);
    if (desk.match) desk.tree.current = desk.match.tip;
  } else {
    play.drop();
  }
  desk.changed("tree");
  if (mode === "play") play.resume();
}

/**
 * A button that acts only when it is pressed a second time.
 * @param {HTMLElement} button
 * @param {string} first
 * @param {string} second
 * @param {() => void} act
 */
function bindTwice(button, first, second, act) {
  let timer = 0;
  const reset = () => {
    clearTimeout(timer);
    timer = 0;
    button.textContent = t(first);
  };
  button.addEventListener("click", () => {
    if (timer) {
      reset();
      return act();
    }
    button.textContent = t(second);
    timer = window.setTimeout(reset, 3000);
  });
}

function bindButtons() {
  $("new").addEventListener("click", openNew);
  $("mode-play").addEventListener("click", () => setMode("play"));
  $("mode-analyse").addEventListener("click", () => setMode("analyse"));
  for (const name of /** @type {const} */ (["undo", "hint", "draw", "hurry", "rematch"]))
    $(name).addEventListener("click", () => play[name]());
  /** The side that one takes is kept or swapped. @param {"black" | "white"} side */
  const take = (side) => play.choose(desk.match?.opening && personsSide(desk.match.opening) === side ? "STAY" : "SWAP");
  $("take-black").addEventListener("click", () => take("black"));
  $("take-white").addEventListener("click", () => take("white"));
  $("opening-stones").addEventListener("click", () => play.choose("STONES"));
  $("opening-offer").addEventListener("click", () => play.choose("OFFER"));
  bindTwice($("resign"), "play.resign", "play.resign-sure", () => play.resign());
  $("study").addEventListener("click", () => setMode("analyse"));
  $("analyse").addEventListener("click", () => analysis.turn(!analysis.isOn()));
  $("review").addEventListener("click", () => (analysis.review() ? analysis.stopReview() : analysis.startReview()));
  const count = /** @type {HTMLSelectElement} */ ($("lines"));
  count.value = String(settings.values.lines);
  count.addEventListener("change", () => settings.set({ lines: Number(count.value) }));
  $("comment").addEventListener("input", () => {
    desk.tree.current.comment = /** @type {HTMLTextAreaElement} */ ($("comment")).value;
    moves.note(desk.tree.current);
    save();
  });
  $("promote").addEventListener("click", () => {
    desk.tree.promote(desk.tree.current);
    desk.noteResult();
    desk.changed("tree");
  });
  $("cut").addEventListener("click", () => desk.cut());
  $("retry").addEventListener("click", () => transport.retry());
  bindKeys(() => settings.values.shortcuts, {
    analyse: () => (desk.mode === "analyse" ? analysis.turn(!analysis.isOn()) : undefined),
    new: openNew,
    undo: () => (desk.mode === "play" ? play.undo() : desk.step(-1)),
    step: (steps) => desk.step(steps),
  });
}

engine.onState = (state) => {
  $("link-state").hidden = state === "up";
  if (state !== "up") /** @type {HTMLElement} */ ($("link-state").firstElementChild).textContent = t(`link.${state}`);
  else desk.noteLink();
  desk.changed("match");
};
engine.onDatabase = () => database.renew();
settings.onChange(() => {
  applyTheme(settings.values.theme);
  desk.changed("position");
});
window.addEventListener("hashchange", openHash);

/** Opens the game of a link. */
function openHash() {
  const { hash } = location;
  const tree = hash.length > 1 ? readHash(hash) : null;
  if (hash) history.replaceState(null, "", location.pathname);
  if (tree) openTree(tree);
  else if (isGameHash(hash)) files.refuse(new FileError("file.no-sgf"));
  return !!tree;
}

bindButtons();
bindSteps(desk);
desk.onChange(draw);
// A link's game replaces the saved game, which stays among the earlier games.
const isSaved = desk.unpack(savedGame());
if (!openHash()) {
  if (isSaved) {
    desk.changed("tree");
    play.resume();
  } else {
    play.start({ size: 15, rule: "freestyle", human: "black", level: 4, clock: null });
  }
}
document.body.append(h("span", { id: "ready", hidden: true }));
keepPage();
