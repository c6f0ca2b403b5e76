// The conversation with an engine, over a transport that the test plays.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Cancelled, EngineClient } from "../../page/engine.js";
import { lineReader } from "../../page/live.js";
import { markOf } from "../../page/marks.js";
import { GameTree } from "../../page/tree.js";
import { blackRate, percentText } from "../../page/values.js";

/** @typedef {import("../../page/transport.js").Transport} Transport */

function play() {
  /** @type {string[]} */
  const sent = [];
  /** @type {Transport} */
  const transport = { send: (text) => void sent.push(...text.split("\n")), onLine() {}, onState() {}, retry() {} };
  const engine = new EngineClient(transport);
  /** @param {string[]} lines */
  const say = (...lines) => lines.forEach((line) => transport.onLine(line));
  return { sent, engine, say, transport };
}

/** @type {import("../../page/engine.js").Position} */
const position = { size: 15, rule: "renju", moves: [{ x: 7, y: 7 }] };

test("a move is judged with its rows", async () => {
  const { sent, engine, say, transport } = play();
  const judged = engine.judge(position, { x: 8, y: 8 });
  assert.deepEqual(sent, [], "nothing before the link is up");
  transport.onState("up");
  assert.deepEqual(sent.slice(-6), ["INFO rule 4", "START 15", "YXBOARD", "7,7,2", "DONE", "YXJUDGE 8,6"]);
  say("OK", "JUDGE 8,6 FOUL double-three 8,6 7,6; 8,6 8,7");
  assert.deepEqual(await judged, {
    what: "foul",
    foul: "double-three",
    rows: [
      [
        { x: 8, y: 8 },
        { x: 7, y: 8 },
      ],
      [
        { x: 8, y: 8 },
        { x: 8, y: 7 },
      ],
    ],
  });
});

test("an endless analysis gives way to a question and goes on", async () => {
  const { sent, engine, say, transport } = play();
  transport.onState("up");
  let seen = 0;
  const analysis = engine.analyse(position, 2, {}, () => seen++);
  say("OK");
  const judged = engine.judge(position, { x: 0, y: 0 });
  assert.equal(sent.at(-1), "YXSTOP");
  say("INFO PV 0", "7,8");
  assert.equal(sent.at(-1), "YXJUDGE 0,14");
  say("JUDGE 0,14 PLAIN");
  assert.equal((await judged).what, "plain");
  assert.equal(sent.at(-1), "YXNBEST 2");
  analysis.cancel();
  assert.equal(sent.at(-1), "YXSTOP");
  say("INFO PV 0", "INFO BESTLINE 1,1", "INFO PV DONE", "7,8");
  await assert.rejects(analysis.result, Cancelled);
  assert.equal(seen, 0, "nothing is reported after the end");
});

test("a lost link asks again, but not what nobody wants", async () => {
  const { sent, engine, say, transport } = play();
  transport.onState("up");
  const unwanted = engine.move(position, {}, () => {});
  unwanted.cancel();
  transport.onState("down");
  sent.length = 0;
  const wanted = engine.move(position, { level: 3 }, () => {});
  transport.onState("up");
  assert.equal(sent.filter((line) => line === "BOARD").length, 1);
  assert.ok(sent.includes("INFO strength 30"));
  say("OK", "8,7");
  assert.deepEqual(await wanted.result, { x: 8, y: 7 });
});

test("a stop may come at any time and ends one search only", async () => {
  const { sent, engine, say, transport } = play();
  transport.onState("up");
  const first = engine.move(position, {}, () => {});
  first.hurry();
  assert.equal(sent.at(-1), "YXSTOP");
  say("OK", "1,1");
  assert.deepEqual(await first.result, { x: 1, y: 13 });
  sent.length = 0;
  first.hurry();
  assert.deepEqual(sent, []);
});

test("chances are those of one side, whoever is to move", () => {
  const reader = lineReader(15);
  const lines = [
    "INFO PV 0",
    "INFO NUMPV 1",
    "INFO DEPTH 9",
    "INFO EVAL -M4",
    "INFO WINRATE 0.2",
    "INFO BESTLINE 7,7 8,8",
    "INFO PV DONE",
  ].map((line) => reader.take(line));
  const line = lines.at(-1);
  assert.ok(line && line.mate === -4 && line.moves[1].y === 6);
  assert.deepEqual(blackRate(line, "black"), { black: 0.2, depth: 9, mate: -4 });
  assert.deepEqual(blackRate(line, "white"), { black: 0.8, depth: 9, mate: 4 });
  assert.equal(percentText(blackRate(line, "white"), "black"), "100");
  assert.equal(percentText({ black: 0.999, depth: 1 }, "black"), "99");
});

test("moves that cost much are marked for the side that made them", () => {
  const tree = new GameTree(15, "freestyle");
  const black = tree.add({ x: 7, y: 7 });
  const white = tree.add({ x: 8, y: 8 }, black);
  /** @param {any} before @param {any} after @param {import("../../page/tree.js").Node} node */
  const mark = (before, after, node) => {
    /** @type {any} */ (node.parent).value = before;
    node.value = after;
    return markOf(node)?.mark;
  };
  const value = (/** @type {number} */ rate, /** @type {number} */ mate = NaN) => ({
    black: rate,
    depth: 9,
    ...(!Number.isNaN(mate) && { mate }),
  });
  assert.equal(mark(value(0.6), value(0.15), black), "blunder");
  assert.equal(mark(value(0.6), value(0.35), black), "mistake");
  assert.equal(mark(value(0.6), value(0.9), black), undefined);
  assert.equal(mark(value(0.5), value(0.95), white), "blunder");
  assert.equal(mark(value(1, 5), value(0.7), black), "missed-win");
  assert.equal(mark(value(1, 5), value(1, 7), black), undefined);
  assert.equal(mark(value(0, -5), value(0.4), white), "missed-win");
  assert.equal(mark(null, value(0.4), white), undefined);
});
