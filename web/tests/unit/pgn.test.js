// Comments in PGN.

import assert from "node:assert/strict";
import { test } from "node:test";

import { readPgn, writePgn } from "../../page/pgn.js";

test("a comment before the first move is on the start position, in files of both directions", () => {
  const tree = readPgn('[Event "Cup"]\n\n{Final} {of } 1. h8 {centre} *\n');
  assert.deepEqual([tree.root.comment, tree.current.comment], ["Final\nof", "centre"]);
  assert.match(writePgn(tree), /\n\n\{Final\nof\} 1\. h8 \{centre\} \*\n$/);
  const again = readPgn(writePgn(tree));
  assert.deepEqual(again.pack(false).root, tree.pack(false).root);
  tree.root.comment = "";
  assert.match(writePgn(tree), /\n\n1\. h8 \{centre\} \*\n$/);
});
