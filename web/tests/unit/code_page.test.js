// Files of games in any code page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { textOf } from "../../page/code_page.js";
import { formatMoves } from "../../page/notation.js";
import { isPgn } from "../../page/pgn.js";
import { readSgf } from "../../page/sgf.js";

/** A file: text, with bytes in hexadecimal between bars. @param {string} parts */
const file = (parts) =>
  Uint8Array.from(Buffer.concat(parts.split("|").map((part, index) => Buffer.from(part, index % 2 ? "hex" : "utf8"))));

/** A game with a comment in some code page. @param {string} stated @param {string} comment in hexadecimal */
const game = (stated, comment) => file(`(;GM[4]SZ[15]\n${stated};B[hh]C[|${comment}|];W[ig])`);

test("an SGF file is read in the code page that it states, or else in the one that fits", () => {
  for (const [bytes, expected] of /** @type {[Uint8Array, string][]} */ ([
    // The second byte is a backslash.
    [game("CA[Shift_JIS]", "835c"), "ソ"],
    [game("ca[x]CA [ sjis ]", "835c"), "ソ"],
    [game("", "8d9582cc954b8f9f82c582b78142949282cd82b182b182c991c582c2835c"), "黒の必勝です。白はここに打つソ"],
    [game("CA[windows-1251]", "d7b8f0edfbe5"), "Чёрные"],
    [game("CA[UTF-8]", "badac6e5b1d8caa4a3acb0d7c6e5b7c0cad8"), "黑棋必胜，白棋防守"],
    [game("CA[UTF-16]", "e9bb91"), "黑"],
    [game("CA[klingon]", "e9bb91"), "黑"],
    [game("CA[ISO-8859-1]", "e9bb91"), "黑"],
    [game("CA[ISO-8859-1]", `${"e9bb91".repeat(10)}e9bb`), `${"黑".repeat(10)}\ufffd`],
    [game("CA[ISO-8859-1]", "fc"), "ü"],
    [game("CA[big5]", "e9bb"), "暺"],
    [game("", `${"e9bb91".repeat(10)}e9bb`), `${"黑".repeat(10)}\ufffd`],
  ])) {
    const tree = readSgf(textOf(bytes, ["en"]));
    assert.equal(tree.root.children[0].comment, expected);
    assert.equal(formatMoves(tree.moves()), "h8i9");
  }
  assert.equal(readSgf(textOf(file("(;CA[Shift_JIS]C[|835c|])"), [])).root.comment, "ソ");
});

test("files in UTF-16 are read, with and without a byte order mark", () => {
  const text = '[Black "黑"]\n\n1. h8 *\n';
  for (const mark of ["\ufeff", ""]) {
    const little = Buffer.from(mark + text, "utf16le");
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const read = textOf(Uint8Array.from(bytes), []);
      assert.equal(read, text);
      assert.ok(isPgn(read));
    }
  }
});
