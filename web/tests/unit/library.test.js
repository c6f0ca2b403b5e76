// Libraries of RenLib: what the engine's side returns becomes a tree, with texts of any code page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { part } from "./page.js";
import { decoderOf } from "../../page/code_page.js";
import { Desk } from "../../page/desk.js";
import { isLibrary, readLibrary } from "../../page/library.js";

const { makeFiles } = await import("../../page/files.js");

const HEAD = "(;FF[4]GM[4]CA[UTF-8]AP[Kakugo]SZ[15]RU[Renju]";
const empty = new ArrayBuffer(0);

test("texts of any code page are decoded", () => {
  for (const [bytes, languages, expected] of /** @type {[string, string[], string][]} */ ([
    ["e9bb9120c3a9", ["ja"], "黑 é"],
    ["badac6e5b1d8caa4a3acb0d7c6e5b7c0cad8", ["en"], "黑棋必胜，白棋防守"],
    ["badac6e5", ["zh-CN", "en"], "黑棋"],
    ["b6c2b4d1a5b2b3d3a141a5d5b4d1a8bea675", ["en"], "黑棋必勝，白棋防守"],
    ["b6c2b4d1", ["zh-TW"], "黑棋"],
    ["8d9582cc954b8f9f82c582b78142949282cd82b182b182c991c582c2", ["zh"], "黒の必勝です。白はここに打つ"],
    ["c8e6c0cc20c0ccb1e9b4cfb4d92e20b9e9c0c720bcf6", ["en"], "흑이 이깁니다. 백의 수"],
    ["d7b8f0edfbe520e2fbe8e3f0fbe2e0fef2", ["en"], "Чёрные выигрывают"],
    ["537661727420e4722062e4747472652068e472", ["zh"], "Svart är bättre här"],
    ["706c61696e", ["ko"], "plain"],
  ])) {
    const text = Uint8Array.from(Buffer.from(bytes, "hex"));
    assert.equal(decoderOf([text], languages).decode(text), expected);
  }
});

test("an excerpt becomes a tree, and says what it has", async () => {
  const raw = Buffer.from("badac6e5b1d8caa4b0d7c6e5b7c0cad8", "hex").toString("latin1");
  const text = `2 5 2\n${HEAD}C[${raw}\u00ca\\\\\n\\]]\n(;B[hh]C[x\\\\]\n(;W[hg])))\n`;
  const { tree, ...counts } = await readLibrary(empty, async () => text, []);
  assert.deepEqual(counts, { shown: 2, all: 5, moves: 2 });
  assert.equal(tree.rule, "renju");
  assert.equal(tree.current, tree.root);
  assert.match(tree.root.comment, /^黑棋必胜白棋防守[^\n]\n\]$/);
  assert.equal(tree.root.children[0].comment, "x\\");
  assert.equal(tree.root.children[0].children.length, 1);
});

test("a long comment is decoded before it is cut", async () => {
  const read = async (/** @type {number} */ count) => {
    const raw = Buffer.from("黑".repeat(count)).toString("latin1");
    const short = Buffer.from("é").toString("latin1");
    const { tree } = await readLibrary(empty, async () => `1 1 1\n${HEAD}C[${raw}]\n(;B[hh]C[${short}]))\n`, []);
    assert.equal(tree.root.children[0].comment, "é");
    return tree.root.comment;
  };
  assert.equal(await read(7000), "黑".repeat(7000));
  assert.equal(await read(20001), "黑".repeat(20000));
});

test("what can't be read is said in one line", async () => {
  const refused = async (/** @type {any} */ read) => {
    const error = await readLibrary(empty, read, []).catch((error) => error);
    return [error.message, error.values?.reason];
  };
  assert.deepEqual(await refused(async () => "ERROR the file is empty"), ["file.library", "the file is empty"]);
  assert.deepEqual(await refused(async () => "<html>"), ["file.library-engine", undefined]);
  assert.deepEqual(await refused(async () => Promise.reject(new Error("404"))), ["file.library-engine", undefined]);
  const big = { byteLength: 33 << 20 };
  await assert.rejects(
    readLibrary(/** @type {any} */ (big), async () => "", []),
    /file.library-size/,
  );
});

test("a library is known by its name or its first bytes", () => {
  const begins = Uint8Array.from([0xff, ...Buffer.from("RenLib"), 0xff, 3]);
  assert.ok(isLibrary("a.LIB", new Uint8Array()) && isLibrary("a", begins));
  assert.ok(!isLibrary("a.sgf", Uint8Array.from(Buffer.from("(;SZ[15])"))) && !isLibrary("a", begins.slice(1)));
});

test("a library is not opened if its dialog is closed while it is read", async () => {
  Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
  const dialog = part("files-dialog");
  let begins = () => {};
  let answer = (/** @type {string} */ _) => {};
  const read = () => {
    begins();
    return new Promise((resolve) => (answer = resolve));
  };
  let opened = 0;
  makeFiles(new Desk(), /** @type {any} */ (() => null), /** @type {any} */ ({ readLibrary: read }), () => opened++);
  for (const isClosed of [false, true]) {
    opened = 0;
    const begun = new Promise((resolve) => (begins = () => resolve(null)));
    part("file-input").fire("change", { target: { files: [new File(["x"], "a.lib")], value: "" } });
    await begun;
    assert.deepEqual([dialog.open, part("files-done").textContent], [true, "Reading the library…"]);
    if (isClosed) dialog.close();
    answer(`1 1 1\n${HEAD}(;B[hh]))\n`);
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual([opened, dialog.open], [isClosed ? 0 : 1, false]);
  }
});
