// The desk: what is kept of a game.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Desk } from "../../page/desk.js";
import { readSgf } from "../../page/sgf.js";

test("a tree of any size that was opened is there again after a reload", () => {
  const letters = "abcdefghijklmno";
  const points = [...letters].flatMap((x) => [...letters].map((y) => x + y));
  const pairs = points.flatMap((first) => points.slice(0, 100).map((second) => [first, second]));
  const lines = pairs.filter(([first, second]) => first !== second).map((pair) => `(;B[${pair[0]}];W[${pair[1]}])`);
  const desk = new Desk();
  desk.tree = readSgf(`(;SZ[15]${lines.join("")})`);
  assert.ok(desk.tree.count > 22000);
  const again = new Desk();
  assert.ok(again.unpack(JSON.parse(JSON.stringify(desk.pack()))));
  assert.equal(again.tree.count, desk.tree.count);
});
