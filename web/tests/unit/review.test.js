// A review that several engines share, over transports that the test plays.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Cancelled, EngineClient } from "../../page/engine.js";
import { makeReviewer, split } from "../../page/review.js";
import { workersFor } from "../../page/worker_transport.js";

/** @typedef {import("../../page/transport.js").Transport} Transport */
/** @typedef {Transport & { sent: string[], isClosed: boolean }} Played */

/** An engine of a page with room for `most`, and the transports of all engines. @param {number} most */
function play(most) {
  /** @type {Played[]} */
  const all = [];
  const another = () => {
    /** @type {Played} */
    const transport = {
      sent: [],
      isClosed: false,
      send: (text) => void transport.sent.push(...text.split("\n")),
      onLine() {},
      onState() {},
      retry() {},
      readLibrary: async () => "",
      most: () => most,
      another,
      close: () => void (transport.isClosed = true),
    };
    all.push(transport);
    return transport;
  };
  return { engine: new EngineClient(another()), all };
}

/** What was asked last. @param {Played} transport */
const asked = (transport) => transport.sent.filter((line) => line.startsWith("YXREVIEW")).at(-1);

/** Answers the part that was asked for last. @param {Played} transport */
function answer(transport) {
  const [, first, last] = /** @type {string} */ (asked(transport)).split(" ").map(Number);
  transport.onLine("OK");
  for (let ply = first; ply <= last; ply++)
    transport.onLine(`REVIEW ${ply} 7,7 best before 0.5000 after 0.5000 value 3 line `);
  transport.onLine(`REVIEW PART ${first} ${last} facts`);
}

const moment = () => new Promise((resolve) => setTimeout(resolve));
const moves = Array.from({ length: 12 }, (_, index) => ({ x: index, y: 0 }));
/** @type {import("../../page/engine.js").Position} */
const game = { size: 15, rule: "freestyle", moves };

test("the parts of a game are all its moves, in order", () => {
  for (let count = 1; count <= 225; count++) {
    for (let engines = 1; engines <= 4; engines++) {
      const parts = split(count, engines);
      assert.deepEqual(
        parts.map(({ first }) => first),
        [1, ...parts.slice(0, -1).map(({ last }) => last + 1)],
      );
      assert.equal(parts.at(-1)?.last, count);
      assert.ok(parts.every(({ first, last }) => last - first < 8));
      assert.ok(count < 3 || parts.every(({ first, last }) => last - first >= 2));
    }
  }
});

test("parts are long, except at the end", () => {
  const lengths = split(60, 2).map(({ first, last }) => last - first + 1);
  assert.deepEqual(lengths, [8, 8, 8, 8, 7, 6, 4, 3, 3, 5]);
});

test("phones and old devices have fewer Workers, and one at least", () => {
  for (const [processors, memory, isTouch, expected] of /** @type {[number, any, boolean, number][]} */ ([
    [8, 8, false, 4],
    [8, undefined, false, 4],
    [8, undefined, true, 2],
    [8, 4, true, 2],
    [8, 2, true, 1],
    [2, 8, false, 2],
    [1, 8, false, 1],
  ]))
    assert.equal(workersFor({ hardwareConcurrency: processors, deviceMemory: memory }, isTouch), expected);
  assert.equal(workersFor({}, false), 1);
});

test("engines share a review, and end with it", async () => {
  const { engine, all } = play(2);
  all[0].onState("up");
  /** @type {number[]} */
  const seen = [];
  const { result } = makeReviewer(engine)(game, "quick", ({ ply }) => seen.push(ply));
  assert.equal(all.length, 2);
  all[1].onState("up");
  assert.deepEqual(all.map(asked), ["YXREVIEW 4 6", "YXREVIEW 1 3"]);
  answer(all[1]);
  await moment();
  assert.equal(asked(all[1]), "YXREVIEW 7 9");
  answer(all[0]);
  await moment();
  assert.equal(asked(all[0]), "YXREVIEW 10 12");
  answer(all[0]);
  answer(all[1]);
  await moment();
  assert.ok(all[1].isClosed && !all[0].isClosed);
  assert.deepEqual(
    all[0].sent.slice(-6, -1),
    ["YXREVIEWJOIN", "1 3", "4 6", "7 9", "10 12"].map((part, index) => (index ? `REVIEW PART ${part} facts` : part)),
  );
  all[0].onLine("REVIEW DONE accuracy 91.3 - lost 7 black");
  assert.deepEqual(await result, { black: 91.3, white: null, lost: { ply: 7, side: "black" } });
  assert.deepEqual(
    seen.sort((a, b) => a - b),
    moves.map((_, index) => index + 1),
  );
});

test("a game from a position that was set up is shared with the position", async () => {
  const { engine, all } = play(2);
  all[0].onState("up");
  const review = makeReviewer(engine);
  /** @type {import("../../page/tree.js").Start} */
  const start = {
    stones: [
      { point: { x: 0, y: 14 }, isBlack: true },
      { point: { x: 1, y: 14 }, isBlack: false },
    ],
    blocked: [{ x: 2, y: 14 }],
    toMove: "white",
  };
  const { result } = review({ ...game, start }, "quick", () => {});
  all[1].onState("up");
  const at = all[1].sent.lastIndexOf("YXREVIEW 1 1 3");
  assert.deepEqual(all[1].sent.slice(at + 1, at + 5), ["0,0,2", "1,0,1", "2,0,3", "0,14"]);
  const parts = { "1 3": all[1], "4 6": all[0], "7 9": all[1], "10 12": all[0] };
  for (const [part, transport] of Object.entries(parts)) {
    assert.equal(asked(transport), `YXREVIEW 1 ${part}`);
    transport.onLine("OK");
    transport.onLine(`REVIEW PART ${part} facts`);
    await moment();
  }
  assert.equal(asked(all[0]), "YXREVIEWJOIN 1");
  all[0].onLine("REVIEW DONE accuracy 91.3 -");
  assert.deepEqual(await result, { black: 91.3, white: null });
  // The same moves from another position are another game.
  review(game, "quick", () => {});
  assert.equal(asked(all[0]), "YXREVIEW 4 6");
});

test("the part of an engine that fails is taken by another", async () => {
  const { engine, all } = play(2);
  all[0].onState("up");
  const { result } = makeReviewer(engine)(game, "quick", () => {});
  all[1].onState("memory");
  await moment();
  assert.ok(all[1].isClosed);
  for (const expected of ["4 6", "1 3", "7 9", "10 12"]) {
    assert.equal(asked(all[0]), `YXREVIEW ${expected}`);
    answer(all[0]);
    await moment();
  }
  assert.equal(asked(all[0]), "YXREVIEWJOIN");
  all[0].onLine("REVIEW DONE accuracy 91.3 -");
  assert.ok(await result);
});

test("a stop ends the other engines at once, and what was found is not searched again", async () => {
  const { engine, all } = play(2);
  all[0].onState("up");
  const review = makeReviewer(engine);
  const first = review(game, "quick", () => {});
  all[1].onState("up");
  answer(all[1]);
  await moment();
  first.cancel();
  await assert.rejects(first.result, Cancelled);
  assert.ok(all[1].isClosed);
  assert.equal(all[0].sent.at(-1), "YXSTOP");
  all[0].onLine("OK");
  all[0].onLine("REVIEW STOPPED");
  /** @type {number[]} */
  const seen = [];
  review(game, "quick", ({ ply }) => seen.push(ply));
  assert.deepEqual(seen, [1, 2, 3]);
  all[2].onState("up");
  assert.deepEqual([all[0], all[2]].map(asked), ["YXREVIEW 7 9", "YXREVIEW 4 6"]);
});

test("short games and pages with one engine are reviewed in one piece", () => {
  for (const [most, count] of [
    [1, 12],
    [4, 5],
  ]) {
    const { engine, all } = play(most);
    all[0].onState("up");
    makeReviewer(engine)({ ...game, moves: moves.slice(0, count) }, "quick", () => {});
    assert.equal(all.length, 1);
    assert.equal(asked(all[0]), "YXREVIEW");
  }
});
