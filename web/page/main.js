// Puts the page together: what happens on the desk is drawn, what people do goes to the desk.

import { $, h } from "./shared/dom.js";
import { makeAnalysis } from "./analysis.js";
import { makeBoard } from "./board_view.js";
import { listErrors, makeChart } from "./chart.js";
import { Desk } from "./desk.js";
import { lastChoice, makeNewGame, makeSettings } from "./dialogs.js";
import { EngineClient } from "./engine.js";
import { makeFiles, readHash } from "./files.js";
import { makeLines, stateText } from "./lines_view.js";
import { makeMoves } from "./moves_view.js";
import { nameOf } from "./notation.js";
import { personsSide } from "./opening.js";
import { pictureOn } from "./position_view.js";
import { makePlay } from "./play.js";
import { makeSeats } from "./seats.js";
import { applyTheme, autosave, keepPage, openSettings, savedGame } from "./settings.js";
import { t, translate } from "./strings.js";
import { bindKeys, bindSteps } from "./steps.js";
import { openEngine } from "./transport.js";
import { valueText } from "./values.js";

/** @typedef {import("./notation.js").Point} Point */

translate(document);
const settings = openSettings();
applyTheme(settings.values.theme);
const desk = new Desk();
const transport = openEngine();
const engine = new EngineClient(transport);
const announce = (/** @type {string} */ text) => ($("announce").textContent = text);

/** The line that is looked at. @type {{ line: import("./live.js").Line, count: number } | null} */
let looked = null;
/** Nodes whose moves the engine is judging. @type {Set<import("./tree.js").Node>} */
const asked = new Set();
/** Forbidden points of positions. @type {WeakMap<import("./tree.js").Node, Point[]>} */
const forbidden = new WeakMap();

const board = makeBoard($("board"), {
  onPlay: (point) => (desk.mode === "play" ? playAt(point) : explore(point)),
  onHover: (point) => lookAt(lineOf(point)),
  needsConfirm: (isTouch) => settings.values.confirm === "always" || (settings.values.confirm === "auto" && isTouch),
});
const play = makePlay(desk, engine, announce);
const analysis = makeAnalysis(desk, engine, () => settings.values.lines, drawAnalysis);
const lines = makeLines(
  (line, count) => lookAt(line && { line, count }),
  (line, count) => playLine(line.moves.slice(0, count)),
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
makeFiles(desk, () => board.svg(), openTree);
const save = autosave(
  () => desk.pack(),
  (isSaved) => ($("saved").textContent = t(isSaved ? "saved.yes" : "saved.no")),
);

/** @param {import("./tree.js").GameTree} tree */
function openTree(tree) {
  play.drop();
  desk.open(tree);
  announce(t("files.opened", { count: tree.line().length }));
}

/** A point of the board in a game; after the game, a look back. @param {Point} point */
function playAt(point) {
  if (desk.mayPlay()) return play.play(point);
  const node = desk.match && desk.tree.stoneAt(point, desk.match.tip);
  if (node && desk.match?.result) desk.go(node);
}

/** Plays a move into the tree, if the rules allow it. @param {Point} point */
async function explore(point) {
  const { current } = desk.tree;
  const stone = desk.tree.stoneAt(point);
  if (stone) return desk.go(stone);
  if (desk.tree.end()) return refuse(point, "refused.over", null);
  const known = current.children.find((child) => child.move?.x === point.x && child.move.y === point.y);
  if (known) return desk.go(known);
  if (engine.isBroken) return refuse(point, "refused.no-link", null);
  const judged = await engine.judge(desk.position(current), point).catch(() => null);
  if (desk.tree.current !== current) return;
  if (!judged) return refuse(point, "refused.engine", null);
  if (judged.what === "foul") return refuse(point, `refused.${judged.foul}`, judged);
  const node = desk.tree.add(point, current);
  desk.tree.judge(node, judged);
  desk.tree.current = node;
  desk.refusal = null;
  announce(t("said.move", { side: t(desk.tree.isBlackToMove(current) ? "black" : "white"), point: nameOf(point) }));
  desk.changed("tree");
}

/** @param {Point} point @param {string} key @param {import("./tree.js").Judgement | null} judged */
function refuse(point, key, judged) {
  desk.refusal = { point, text: t(key, { point: nameOf(point) }), judged };
  announce(desk.refusal.text);
  desk.changed("position");
}

/** Plays the moves of an analysed line into the tree. @param {Point[]} points */
function playLine(points) {
  looked = null;
  let at = desk.tree.current;
  for (const point of points) at = desk.tree.add(point, at);
  desk.tree.current = at;
  desk.changed("tree");
}

/** Asks whether a move that came from elsewhere ends the game. @param {import("./tree.js").Node} node */
async function judgeLast(node) {
  if (node.judged || !node.parent || !node.move || !engine.isUp || asked.has(node)) return;
  asked.add(node);
  const judged = await engine.judge(desk.position(node.parent), node.move).catch(() => null);
  asked.delete(node);
  if (judged) desk.tree.judge(node, judged);
  if (judged && judged.what !== "plain" && desk.tree.current === node) desk.changed("position");
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
  const isShown = desk.mode === "analyse";
  board.showLines(pictureOn.lines(desk, isShown ? list : [], looked, settings.values.side));
  if (!isShown) return;
  lines.show(list, desk.sideToMove(), settings.values.side, tree.current.ply);
  const sweep = analysis.sweep();
  $("analyse").textContent = t(analysis.isOn() ? "analysis.stop" : "analysis.start");
  $("sweep").textContent = t(sweep ? "analysis.sweep-stop" : "analysis.sweep");
  /** @type {HTMLButtonElement} */ ($("sweep")).disabled = !sweep && tree.line().length === 0;
  $("analysis-state").textContent = sweep
    ? t("analysis.sweeping", { ply: sweep.ply, count: sweep.count })
    : tree.end()
      ? t("analysis.over")
      : desk.hint
        ? t("analysis.fair-shown", { point: nameOf(desk.hint) })
        : list[0]
          ? stateText(
              list[0],
              found.isDone,
              tree.current.value ? valueText(tree.current.value, settings.values.side) : "",
            )
          : t(analysis.isOn() ? "analysis.wait" : "analysis.off");
  $("legend").textContent = list.length > 0 ? t("analysis.legend", { side: t(settings.values.side) }) : "";
  seats.balance(tree.current.value, settings.values.side);
  drawChart();
}

/** The chart, and the moves that cost much; never while one plays. */
function drawChart() {
  const line = desk.tree.line();
  chart.show([desk.tree.root, ...line], desk.tree.current, settings.values.side);
  listErrors($("errors"), line, (node) => desk.go(node));
  moves.showMarks(true);
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
  $("play-panel").hidden = !isPlay;
  $("analysis-panel").hidden = isPlay;
  $("comment-box").hidden = isPlay;
  // Values would be a hint while one plays.
  $("chart-panel").hidden = isPlay && !match?.result;
  $("balance").hidden = isPlay;
  if (change === "tree") moves.draw(tree);
  moves.mark(tree.current);
  seats.draw();
  seats.status({ isThinking: play.isThinking(), isHinting: play.isHinting() });
  board.show(pictureOn.board(desk, settings.values, forbidden.get(tree.current) || []), tree.size);
  const comment = /** @type {HTMLTextAreaElement} */ ($("comment"));
  if (comment.value !== tree.current.comment) comment.value = tree.current.comment;
  const isRoot = !tree.current.parent;
  for (const id of ["promote", "cut"]) $(id).hidden = isPlay || isRoot;
  $("promote").hidden ||= tree.path().every((node) => node.parent?.children[0] === node);
  $("refusal").hidden = isPlay || !desk.refusal;
  $("refusal").textContent = desk.refusal?.text || "";
  $("chart-title").textContent = t("chart.title", { side: t(settings.values.side) });
  bindSteps.show(desk);
  if (change !== "values") analysis.follow();
  judgeLast(tree.current);
  drawAnalysis();
  if ($("chart-panel").hidden) moves.showMarks(false);
  else if (isPlay) drawChart();
  findForbidden();
  save();
}

/** Asks for Black's forbidden points, where they matter. */
async function findForbidden() {
  const { tree } = desk;
  const node = tree.current;
  const isOf =
    tree.rule === "renju" && settings.values.forbidden && tree.isBlackToMove(node) && node.ply >= 4 && !tree.end();
  if (!isOf || forbidden.has(node) || !engine.isUp || play.isThinking()) return;
  forbidden.set(node, []);
  const points = await engine.forbidden(desk.position(node)).catch(() => []);
  forbidden.set(node, points);
  if (points.length > 0 && desk.tree.current === node)
    board.show(pictureOn.board(desk, settings.values, points), tree.size);
  drawAnalysis();
}

/** @param {"play" | "analyse"} mode */
function setMode(mode) {
  if (mode === desk.mode) return;
  if (mode === "play" && !desk.match) {
    analysis.turn(false);
    return play.startHere(Math.min(10, Math.max(1, Number(lastChoice().level) || 4)));
  }
  desk.mode = mode;
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

/** Shows a move after which both sides have about the same chance. */
async function showFair() {
  const node = desk.tree.current;
  analysis.turn(false);
  const button = /** @type {HTMLButtonElement} */ ($("fair"));
  button.disabled = true;
  $("analysis-state").textContent = t("analysis.fair-wait");
  const point = await engine.balance(desk.position(node)).result.catch(() => null);
  button.disabled = false;
  if (!point || desk.tree.current !== node) return drawAnalysis();
  desk.hint = point;
  announce(t("analysis.fair-shown", { point: nameOf(point) }));
  desk.changed("position");
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
  $("two-more").addEventListener("click", () => play.choose("MORE"));
  bindTwice($("resign"), "play.resign", "play.resign-sure", () => play.resign());
  $("study").addEventListener("click", () => setMode("analyse"));
  $("analyse").addEventListener("click", () => analysis.turn(!analysis.isOn()));
  $("sweep").addEventListener("click", () => (analysis.sweep() ? analysis.stopSweep() : analysis.startSweep()));
  $("fair").addEventListener("click", showFair);
  const count = /** @type {HTMLSelectElement} */ ($("lines"));
  count.value = String(settings.values.lines);
  count.addEventListener("change", () => settings.set({ lines: Number(count.value) }));
  $("comment").addEventListener("input", () => {
    desk.tree.current.comment = /** @type {HTMLTextAreaElement} */ ($("comment")).value;
    save();
  });
  $("comment").addEventListener("change", () => desk.changed("tree"));
  $("promote").addEventListener("click", () => {
    desk.tree.promote(desk.tree.current);
    desk.changed("tree");
  });
  $("cut").addEventListener("click", () => {
    const { current } = desk.tree;
    const { match } = desk;
    if (match && desk.tree.path(match.tip).includes(current)) desk.match = null;
    desk.tree.remove(current);
    desk.changed("tree");
  });
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
  desk.changed("match");
};
settings.onChange(() => {
  applyTheme(settings.values.theme);
  desk.changed("position");
});
window.addEventListener("hashchange", openHash);

/** Opens the game of a link. */
function openHash() {
  const tree = location.hash.length > 1 ? readHash(location.hash) : null;
  if (location.hash) history.replaceState(null, "", location.pathname);
  if (tree) openTree(tree);
  return !!tree;
}

bindButtons();
bindSteps(desk);
desk.onChange(draw);
if (!openHash()) {
  if (desk.unpack(savedGame())) {
    desk.changed("tree");
    play.resume();
  } else {
    play.start({ size: 15, rule: "freestyle", human: "black", level: 4, clock: null });
  }
}
document.body.append(h("span", { id: "ready", hidden: true }));
keepPage();
