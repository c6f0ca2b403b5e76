// Analyses the position that is shown, or reviews a whole game, and keeps what was found at each node.

import { makeReviewer } from "./review.js";
import { blackRate } from "./values.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./live.js").Line} Line
 * @typedef {{ lines: Line[], isDone: boolean }} Found
 */

/** Time between two drawings, in milliseconds: more often nobody can read. */
const DRAW_EVERY_MS = 150;

/**
 * @param {Desk} desk @param {import("./engine.js").EngineClient} engine
 * @param {import("./settings.js").Settings} settings @param {() => void} draw called at a rate that people can follow
 */
export function makeAnalysis(desk, engine, settings, draw) {
  const lineCount = () => settings.lines;
  const ask = makeReviewer(engine);
  let isOn = false;
  /** @type {{ node: Node, count: number, cancel: () => void } | null} */
  let running = null;
  /** @type {{ done: number, count: number, cancel: () => void } | null} */
  let review = null;
  /** What was found stays with its node. @type {WeakMap<Node, Found>} */
  const found = new WeakMap();
  let timer = 0;
  let drawnAt = 0;

  function drawSoon() {
    if (timer) return;
    const wait = Math.max(0, drawnAt + DRAW_EVERY_MS - performance.now());
    timer = window.setTimeout(
      () =>
        requestAnimationFrame(() => {
          timer = 0;
          drawnAt = performance.now();
          draw();
        }),
      wait,
    );
  }

  /** @param {Node} node @param {Line} line */
  function take(node, line) {
    const at = found.get(node) || { lines: [], isDone: false };
    found.set(node, at);
    at.isDone = false;
    at.lines[line.rank] = line;
    at.lines.length = Math.min(at.lines.length, line.of);
    // A value without some moves is not the position's.
    if (desk.excluded(node).length > 0) return;
    if (line.rank === 0 && (!node.value || line.depth >= Math.min(node.value.depth, 8) || line.mate !== undefined)) {
      node.value = blackRate(line, desk.sideToMove(node));
    }
  }

  /** Lets the engine look at the position that is shown, if it is to. */
  function follow() {
    const node = desk.tree.current;
    const isWanted = isOn && desk.mode === "analyse" && desk.isSettled() && !desk.tree.end(node);
    if (isWanted && running?.node === node && running.count === lineCount()) return;
    running?.cancel();
    running = null;
    if (isWanted) run(node);
    drawSoon();
  }

  /** @param {Node} node */
  async function run(node) {
    const search = engine.analyse(
      { ...desk.position(node), excluded: desk.excluded(node) },
      lineCount(),
      {},
      (line) => {
        take(node, line);
        drawSoon();
      },
    );
    const mine = { node, count: lineCount(), cancel: search.cancel };
    running = mine;
    const hasEnded = await search.result.then(
      () => true,
      () => false,
    );
    const at = found.get(node);
    if (running !== mine) return;
    // A search that ends by itself has proven its value; one that broke the link each time ends the analysis.
    if (at && hasEnded) at.isDone = true;
    if (!hasEnded) {
      running = null;
      isOn = false;
    }
    desk.changed("values");
    drawSoon();
  }

  /** Leaves moves out of the analysis of the position that is shown. @param {import("./notation.js").Point[]} points */
  function exclude(points) {
    desk.exclude(points);
    found.delete(desk.tree.current);
    running?.cancel();
    running = null;
    follow();
  }

  /** @param {boolean} wanted */
  function turn(wanted) {
    stopReview();
    isOn = wanted;
    follow();
  }

  /** Reviews the line that is shown, from its first move to its last. */
  async function startReview() {
    turn(false);
    const line = desk.tree.line();
    const last = line[line.length - 1];
    if (!last) return;
    const seen = new Set();
    const asked = ask(desk.position(last), settings.review, (reviewed) => {
      const node = line[reviewed.ply - 1];
      if (!node) return;
      note(node, reviewed, seen.has(reviewed.ply + 1));
      seen.add(reviewed.ply);
      if (review) review.done = seen.size;
      drawSoon();
    });
    const mine = { done: 0, count: line.length, cancel: asked.cancel };
    review = mine;
    drawSoon();
    const summary = await asked.result.catch(() => null);
    if (review !== mine) return;
    review = null;
    last.summary = summary;
    desk.changed("values");
    drawSoon();
  }

  /**
   * Notes what the review says about a move, and the values of the positions before and after it.
   * @param {Node} node @param {import("./study.js").Reviewed} reviewed
   * @param {boolean} isKnown whether the next move has given the position its value: moves come in any order
   */
  function note(node, { judged, mate }, isKnown) {
    node.review = judged;
    const isBlack = desk.tree.isByBlack(node);
    const value = (/** @type {number} */ rate) => ({ black: isBlack ? rate : 1 - rate, depth: 0 });
    const before = mate === undefined ? {} : { mate: isBlack ? mate : -mate };
    if (node.parent) node.parent.value = { ...value(judged.before), ...before };
    if (!isKnown && !desk.tree.end(node)) node.value = value(judged.after);
  }

  function stopReview() {
    const stopped = review;
    review = null;
    stopped?.cancel();
    drawSoon();
  }

  return {
    follow,
    turn,
    exclude,
    startReview,
    stopReview,
    drawSoon,
    isOn: () => isOn,
    review: () => review,
    /** What is known of the position that is shown. */
    found: () => found.get(desk.tree.current) || { lines: [], isDone: false },
  };
}
