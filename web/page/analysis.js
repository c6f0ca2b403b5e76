// Analyses the position that is shown, or every position of a game in turn, and keeps what was found at each node.

import { blackRate } from "./values.js";

/**
 * @typedef {import("./desk.js").Desk} Desk
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./live.js").Line} Line
 * @typedef {{ lines: Line[], isDone: boolean }} Found
 */

/** Time between two drawings, in milliseconds: more often nobody can read. */
const DRAW_EVERY_MS = 150;
/** Time for each position of a whole game, in milliseconds. */
const SWEEP_MS = 700;

/**
 * @param {Desk} desk @param {import("./engine.js").EngineClient} engine
 * @param {() => number} lineCount @param {() => void} draw called at a rate that people can follow
 */
export function makeAnalysis(desk, engine, lineCount, draw) {
  let isOn = false;
  /** @type {{ node: Node, count: number, cancel: () => void } | null} */
  let running = null;
  /** @type {{ ply: number, count: number, cancel: () => void } | null} */
  let sweep = null;
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
    if (line.rank === 0 && (!node.value || line.depth >= Math.min(node.value.depth, 8) || line.mate !== undefined)) {
      node.value = blackRate(line, desk.sideToMove(node));
    }
  }

  /** Lets the engine look at the position that is shown, if it is to. */
  function follow() {
    const node = desk.tree.current;
    const isWanted = isOn && desk.mode === "analyse" && !desk.tree.end(node);
    if (isWanted && running?.node === node && running.count === lineCount()) return;
    running?.cancel();
    running = null;
    if (isWanted) run(node);
    drawSoon();
  }

  /** @param {Node} node */
  async function run(node) {
    const search = engine.analyse(desk.position(node), lineCount(), {}, (line) => {
      take(node, line);
      drawSoon();
    });
    const mine = { node, count: lineCount(), cancel: search.cancel };
    running = mine;
    await search.result.catch(() => null);
    const at = found.get(node);
    if (running !== mine) return;
    // A search that ends by itself has proven its value.
    if (at) at.isDone = true;
    desk.changed("values");
    drawSoon();
  }

  /** @param {boolean} wanted */
  function turn(wanted) {
    stopSweep();
    isOn = wanted;
    follow();
  }

  /** Gives every position of the line a value. */
  async function startSweep() {
    turn(false);
    const nodes = [desk.tree.root, ...desk.tree.line()].filter((node) => !desk.tree.end(node));
    const mine = { ply: 0, count: nodes.length - 1, cancel: () => {} };
    sweep = mine;
    for (const node of nodes) {
      mine.ply = node.ply;
      const search = engine.analyse(desk.position(node), 1, { turnMs: SWEEP_MS }, (line) => take(node, line));
      mine.cancel = search.cancel;
      drawSoon();
      await search.result.catch(() => null);
      if (sweep !== mine) return;
      desk.changed("values");
    }
    sweep = null;
    drawSoon();
  }

  function stopSweep() {
    const stopped = sweep;
    sweep = null;
    stopped?.cancel();
    drawSoon();
  }

  return {
    follow,
    turn,
    startSweep,
    stopSweep,
    drawSoon,
    isOn: () => isOn,
    sweep: () => sweep,
    /** What is known of the position that is shown. */
    found: () => found.get(desk.tree.current) || { lines: [], isDone: false },
  };
}
