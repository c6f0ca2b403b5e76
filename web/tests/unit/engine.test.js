// The conversation with an engine, over a transport that the test plays.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Cancelled, CutOff } from "../../page/engine.js";
import { lineReader } from "../../page/live.js";
import { askForbidden, askReview, askSolve, askThreats } from "../../page/study.js";
import { GameTree } from "../../page/tree.js";
import { blackRate, lossOf, percentText, signOf } from "../../page/values.js";
import { play } from "./helper.js";

/** @type {import("../../page/engine.js").Position} */
const position = { size: 15, rule: "renju", moves: [{ x: 7, y: 7 }] };

test("a position that was set up is sent with blocked points and the side to move", async () => {
  const { sent, engine, transport } = play();
  transport.onState("up");
  const point = (/** @type {number} */ x) => ({ x, y: 0 });
  const stone = (/** @type {number} */ x) => ({ point: point(x), isBlack: false });
  const start = { stones: [stone(0), stone(1)], blocked: [point(4)], toMove: /** @type {const} */ ("white") };
  engine.move({ ...position, moves: [], start }, {}, () => {});
  assert.deepEqual(sent.slice(-5), ["BOARD 1", "0,14,1", "1,14,1", "4,14,3", "DONE"]);
  transport.onLine("OK");
  transport.onLine("9,9");
  engine.judge({ ...position, start }, { x: 8, y: 8 });
  assert.deepEqual(sent.slice(-7), ["YXBOARD 0", "0,14,2", "1,14,2", "4,14,3", "7,7,2", "DONE", "YXJUDGE 8,6"]);
});

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

test("the engine is asked again with the time that is left then", () => {
  const { sent, transport, engine } = play();
  let leftMs = 9000;
  engine.move(
    position,
    () => ({ matchMs: 60000, leftMs }),
    () => {},
  );
  transport.onState("up");
  transport.onState("down");
  leftMs = 4000;
  transport.onState("up");
  assert.deepEqual(
    sent.filter((line) => line.startsWith("INFO time_left")),
    ["INFO time_left 9000", "INFO time_left 4000"],
  );
});

test("a request that breaks the link each time is given up, and the next one is asked", async () => {
  const { sent, engine, say, transport } = play();
  transport.onState("up");
  const bad = engine.judge(position, { x: 8, y: 8 });
  const next = engine.judge(position, { x: 0, y: 0 });
  for (let breaks = 0; breaks < 2; breaks++) {
    assert.equal(sent.at(-1), "YXJUDGE 8,6");
    transport.onState("down");
    transport.onState("up");
  }
  await assert.rejects(bad, CutOff);
  assert.equal(sent.at(-1), "YXJUDGE 0,14");
  say("OK", "JUDGE 0,14 PLAIN");
  assert.equal((await next).what, "plain");
});

test("a request that the engine works on is asked again after any number of breaks", () => {
  const { sent, engine, say, transport } = play();
  engine.analyse(position, 1, {}, () => {});
  for (let breaks = 0; breaks < 5; breaks++) {
    transport.onState("up");
    say("OK", "INFO PV 0");
    transport.onState("down");
  }
  for (let failures = 0; failures < 5; failures++) {
    transport.onState("up");
    transport.onState("memory");
  }
  transport.onState("up");
  assert.equal(sent.filter((line) => line === "YXNBEST 1").length, 11);
});

test("after a refused position, what the engine still finds is not the answer to the next question", async () => {
  const { sent, engine, say, transport } = play();
  transport.onState("up");
  const analysis = engine.analyse(position, 1, {}, () => {});
  say("OK", "ERROR 7,7: the lines must be the moves in the order of play");
  assert.equal(await analysis.result, null);
  assert.equal(sent.at(-1), "YXSTOP");
  const next = engine.move(position, {}, () => {});
  assert.equal(sent.filter((line) => line === "START 15").length, 2);
  say("INFO PV 0", "1,1", "OK", "8,7");
  assert.deepEqual(await next.result, { x: 8, y: 7 });
  const [refused, asked] = [askForbidden(engine, position), askForbidden(engine, position)];
  say("ERROR 7,7: the lines must be the moves in the order of play", "FORBID 0707.", "OK", "FORBID 0808.");
  assert.deepEqual([await refused, await asked], [[], [{ x: 8, y: 6 }]]);
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

test("a review is read move by move, gives way to a question and goes on", async () => {
  const { sent, engine, say, transport } = play();
  transport.onState("up");
  /** @type {import("../../page/study.js").Reviewed[]} */
  const seen = [];
  const game = /** @type {import("../../page/engine.js").Position} */ ({
    size: 15,
    rule: "freestyle",
    moves: position.moves,
  });
  const review = askReview(engine, game, "normal", (reviewed) => seen.push(reviewed));
  assert.ok(sent.includes("INFO max_node 100000"));
  assert.deepEqual(sent.slice(-3), ["YXREVIEW", "7,7", "DONE"]);
  say("OK", "REVIEW 1 7,7 missed-win before 1.0000 after 0.4100 value +M5 proof 0,14 1,14");
  assert.deepEqual(seen, [
    { ply: 1, judged: { mark: "missed-win", before: 1, after: 0.41, line: "a1b1", isProven: true }, mate: 5 },
  ]);
  const judged = engine.judge(game, { x: 0, y: 0 });
  assert.equal(sent.at(-1), "YXSTOP");
  say("REVIEW 1 7,7 best before 0.5000 after 0.5000 value 3 line ", "REVIEW STOPPED", "JUDGE 0,14 PLAIN");
  assert.equal((await judged).what, "plain");
  assert.equal(sent.filter((line) => line === "YXREVIEW").length, 2);
  say("REVIEW DONE accuracy 91.3 - lost 7 black");
  assert.deepEqual(await review.result, { black: 91.3, white: null, lost: { ply: 7, side: "black" } });
});

test("a proof and the threats of both sides are read", async () => {
  const { engine, say, transport } = play();
  transport.onState("up");
  const solved = askSolve(engine, position, "black");
  say("OK", "PROOF 0 6,7 moves 2 replies 5,7:1 10,7:2 else 1 2", "PROOF 1 10,7 moves 1", "PROOF 2 5,7 moves 1");
  say("SOLVE WIN 2 6,7 5,7 10,7");
  const answer = await solved.result;
  assert.ok(answer?.what === "win" && answer.moves === 2);
  assert.deepEqual(answer.steps[0].replies, [
    { point: { x: 5, y: 7 }, next: 1 },
    { point: { x: 10, y: 7 }, next: 2 },
  ]);
  assert.deepEqual([answer.steps[0].otherwise, answer.steps[1].replies], [[1, 2], []]);
  const threats = askThreats(engine, position);
  say("THREATS black open-four 6,7 10,7; four 5,7", "THREATS white");
  assert.deepEqual(
    (await threats).map(({ point, side, name }) => `${side} ${name} ${point.x}`),
    ["black open-four 6", "black open-four 10", "black four 5"],
  );
});

test("what a review says is kept, and nonsense is not", () => {
  const tree = new GameTree(15, "freestyle");
  const node = tree.add({ x: 7, y: 7 });
  node.review = { mark: "mistake", before: 0.6, after: 0.3, line: "a1b2", isProven: false };
  node.summary = { black: 80, white: null, lost: { ply: 1, side: "black" } };
  const packed = JSON.parse(JSON.stringify(tree.pack(true)));
  const [copy] = GameTree.unpack(packed)?.root.children || [];
  assert.deepEqual([copy.review, copy.summary], [node.review, node.summary]);
  assert.deepEqual([signOf(copy), lossOf(copy).toFixed(1)], ["?", "0.3"]);
  packed.root.n[0].r.mark = "constructor";
  packed.root.n[0].s.lost.side = "red";
  const [bad] = GameTree.unpack(packed)?.root.children || [];
  assert.deepEqual([bad.review, bad.summary], [null, null]);
});
