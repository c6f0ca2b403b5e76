// Labels and shapes on points, from SGF to SGF.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.js";
import { Desk } from "../../page/desk.js";
import { nameOf } from "../../page/notation.js";
import { pictureOn } from "../../page/position_view.js";
import { readSgf, writeSgf } from "../../page/sgf.js";
import { openSettings } from "../../page/settings.js";
import { GameTree } from "../../page/tree.js";

const FILE = "(;SZ[9]TR[aa][bb]LB[cc:A][dd:12:3];B[ee]SQ[ff]CR[gg]MA[hh]LB[ii:x\\]])";

test("labels and shapes of SGF survive a round trip and a reload", () => {
  const tree = readSgf(FILE);
  const text = writeSgf(tree);
  assert.match(text, /TR\[aa\]\[bb\]LB\[cc:A\]\[dd:12:3\];B\[ee\]SQ\[ff\]CR\[gg\]MA\[hh\]LB\[ii:x\\\]\]/);
  assert.deepEqual(readSgf(text).pack(false), tree.pack(false));
  assert.equal(tree.pack(false).root.l?.length, 4);
  assert.deepEqual(GameTree.unpack(JSON.parse(JSON.stringify(tree.pack(true))))?.pack(true), tree.pack(true));
});

test("labels on no point are left out, and blocked points are not marked twice", () => {
  const tree = readSgf("(;SZ[9]KX[dd]MA[dd][ee]LB[zz:A][aa][bb:]TR[])");
  assert.deepEqual(tree.root.labels, [{ point: { x: 4, y: 4 }, text: "×" }]);
  assert.match(writeSgf(tree), /KX\[dd\]MA\[dd\]\[ee\]PL/);
  const packed = { ...new GameTree(9, "renju").pack(true), root: { l: [["k1", "A"], ["a1", 7], "a1", ["a1", "B"]] } };
  assert.deepEqual(GameTree.unpack(packed)?.root.labels, [{ point: { x: 0, y: 0 }, text: "B" }]);
});

test("the board shows labels on free points that no variation takes", () => {
  const desk = new Desk();
  desk.open(readSgf("(;SZ[9](;B[ee]LB[ee:A][ff:long]TR[ff][gg](;W[gg])(;W[hh])))"));
  desk.go(desk.tree.root.children[0]);
  const over = { forbidden: [], threats: [], excluded: [], known: [] };
  const shown = () =>
    pictureOn.board(desk, openSettings().values, over).branches.map(({ point, text }) => `${nameOf(point)} ${text}`);
  desk.mode = "analyse";
  assert.deepEqual(shown(), ["g3 A", "h2 B", "f4 lon"]);
  desk.mode = "play";
  assert.deepEqual(shown(), ["f4 lon", "g3 △"]);
});
