// A database of positions in the analysis: with a server, and without one.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";

import {
  begin,
  objections,
  paste,
  PROGRAM,
  put,
  stones,
  waitForStones,
  waitForText,
  WITHOUT_MODULE,
  withServer,
  withSite,
} from "./helper.js";

const folder = mkdtempSync(`${tmpdir()}/kakugo-`);
const file = `${folder}/book.kdb`;
// An engine writes it. In renju, White wins in five plies by i9; h9 has a value, k7 a text, j8 is to be left out.
spawnSync(PROGRAM, ["--engine"], {
  input: [
    `YXSETDATABASE ${file}`,
    "INFO rule 4",
    "START 15",
    'YXEDITTEXTDATABASE "The \\"direct\\" opening,',
    "ERROR <b>or the other</b>",
    'MESSAGE DATABASE FILE no.kdb"',
    "7,7",
    "DONE",
    "YXEDITTVDDATABASE 7 87 -29996 12",
    "7,7",
    "8,6",
    "DONE",
    "YXEDITTVDDATABASE 6 -1 -50 9",
    "7,7",
    "7,6",
    "DONE",
    "YXEDITLABELDATABASE 10,8 <i>X",
    "7,7",
    "DONE",
    "YXEDITTVDDATABASE 1 120 0 0",
    "7,7",
    "9,7",
    "DONE",
    "YXSETBESTMOVEDATABASE",
    "7,7",
    "7,6",
    "DONE",
    "END",
    "",
  ].join("\n"),
});
const bytes = readFileSync(file);
// Results of games are in a file that an earlier version wrote.
const games = readFileSync(new URL("../../../tests/data/database/layout-1.kdb", import.meta.url));
after(() => rmSync(folder, { recursive: true }));

const server = withServer("--database", file);
const plain = withServer();
const site = withSite();

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page @param {string} name @param {Buffer} buffer */
async function choose(page, name, buffer) {
  await page.click("#files");
  await page.setInputFiles("#file-input", { name, mimeType: "application/octet-stream", buffer });
}

/** The list as lines of text. @param {Page} page */
const rows = (page) => page.$$eval("#database-moves .line", (all) => all.map((row) => row.textContent || ""));

/** The marks on the board, sorted. @param {Page} page */
const marks = async (page) =>
  (await page.$$eval(".layer.known text", (all) => all.map((one) => one.textContent))).sort();

/** Shows the position after h8, and what is known of it. @param {Page} page */
async function showKnown(page) {
  await begin(page, { rule: "renju" });
  await put(page, "h8");
  await waitForStones(page, 1);
  assert.equal(await page.isVisible("#database-panel"), false, "no hints while one plays");
  await page.click("#mode-analyse");
  await waitForText(page, "#database-moves .line .move", /^[gi][79]$/);
  assert.equal(await page.textContent("#database-name"), "book.kdb");
  assert.equal(
    await page.textContent("#database-comment"),
    'The "direct" opening,\nERROR <b>or the other</b>\nMESSAGE DATABASE FILE no.kdb',
  );
  const list = await rows(page);
  assert.match(list[0], /^\u2212M5g9i9g7i7depth 12$/, "chances of Black");
  assert.ok(list.some((row) => row.includes("k7") && row.includes("<i>X")));
  assert.match(list.find((row) => row.includes("h9")) || "", /^\d\dh9.*marked as best \u00b7 depth 9$/);
  assert.match(list.at(-1) || "", /^\u00d7.*not to be considered$/);
  const shown = await marks(page);
  assert.deepEqual([shown.filter((text) => text === "0").length, shown.includes("\u00d7")], [4, true]);
}

/** Plays into a move of the list, and into another one on the board. @param {Page} page */
async function playInto(page) {
  await page.click('#database-moves .move:text-is("i9")');
  await waitForStones(page, 2);
  assert.equal(await stones(page), "h8 i9");
  // The position itself: White has made the move that wins.
  await waitForText(page, "#database-here", "−M5This positiondepth 12");
  assert.equal(await page.textContent("#database-state"), "");
  await put(page, "a1");
  await waitForText(page, "#database-state", "The database has nothing on this position.");
  assert.equal(await page.textContent("#database-here"), "");
  await page.click("#back");
  await page.click("#back");
  await waitForText(page, "#database-moves .line .move", /^[gi][79]$/);
  assert.equal(await page.textContent("#database-here"), "", "a comment and texts of its moves are shown elsewhere");
  await put(page, "k7");
  await waitForText(page, "#database-here", "This position<i>X");
  await page.click("#back");
  await waitForText(page, "#database-moves .line .move", /^[gi][79]$/);
  assert.match((await page.getAttribute('[data-point="h9"].cell', "aria-label")) || "", /database: \d\d.% for Black$/);
  await put(page, "h9");
  await waitForStones(page, 2);
  assert.equal(await stones(page), "h8 h9");
}

test("a database of the server is shown and played into, and never changed", async () => {
  const { page, problems } = await server.open();
  await showKnown(page);
  await playInto(page);
  await page.click("#back");
  await page.click("#analyse");
  await page.waitForSelector(".layer.candidates .candidate");
  await page.uncheck("#database-switch input");
  assert.deepEqual(await marks(page), []);
  assert.ok((await rows(page)).length > 3, "the list stays");
  await page.click("#analyse");
  const { page: other } = await server.open();
  await showKnown(other);
  assert.deepEqual(problems, []);
  assert.ok(readFileSync(file).equals(bytes));
});

test("the database can be used by everyone, also on a phone", async () => {
  for (const dark of [false, true]) {
    const { page, problems } = await server.open({ width: 375, dark, settings: { side: "white" } });
    await begin(page, { rule: "renju" });
    await put(page, "h8");
    await waitForStones(page, 1);
    await page.click("#mode-analyse");
    await waitForText(page, "#database-moves .line .rate", "+M5");
    assert.deepEqual(await objections(page), []);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 375, `${width} pixels`);
    await page.focus('#database-moves .move:text-is("h9")');
    assert.equal(await page.getAttribute(".layer.ghosts .stone", "data-point"), "h9");
    await page.keyboard.press("Enter");
    await waitForStones(page, 2);
    assert.equal(await stones(page), "h8 h9");
    assert.deepEqual(problems, []);
  }
});

test("a position that the database cannot have is said to be one", async () => {
  const { page, problems } = await server.open();
  await paste(page, "15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/14#");
  await waitForText(page, "#database-state", /only positions that alternate moves lead to/);
  await begin(page, { rule: "pente" });
  await page.click("#mode-analyse");
  assert.equal(await page.isVisible("#database-panel"), false);
  assert.deepEqual(problems, []);
});

test("a server without a database says how to open one", async () => {
  const { page } = await plain.open();
  await choose(page, "book.kdb", bytes);
  await waitForText(page, "#files-error", /kakugo-board --database FILE$/);
  await page.keyboard.press("Escape");
  await page.click("#mode-analyse");
  assert.equal(await page.isVisible("#database-panel"), false);
});

test("a database opens without a server, also while the engine analyses", { skip: WITHOUT_MODULE }, async () => {
  const { page, problems } = await site.open();
  await page.click("#mode-analyse");
  await page.click("#analyse");
  await page.waitForSelector(".layer.candidates .candidate");
  await choose(page, "book.kdb", bytes);
  await waitForText(page, "#files-done", "book.kdb is open. Analyse shows what it has on each position.");
  await page.keyboard.press("Escape");
  await page.click("#analyse");
  await page.click("#mode-play");
  await showKnown(page);
  await playInto(page);
  // Another file takes its place: results of games.
  await choose(page, "games.kdb", games);
  await waitForText(page, "#files-done", /^games.kdb is open/);
  await page.keyboard.press("Escape");
  await begin(page, { rule: "freestyle" });
  await page.click("#mode-analyse");
  await waitForText(page, "#database-moves .line", /games/);
  assert.equal(await page.textContent("#database-name"), "games.kdb");
  assert.deepEqual(problems, []);
});

test("an invalid or large database is refused, and the one before stays", { skip: WITHOUT_MODULE }, async () => {
  const { page } = await site.open();
  await choose(page, "book.kdb", bytes);
  await waitForText(page, "#files-done", /^book.kdb is open/);
  await page.setInputFiles("#file-input", { name: "text.kdb", mimeType: "", buffer: Buffer.from("h8 i9") });
  await waitForText(page, "#files-error", "This database can't be read: it is not a position database.");
  await page.setInputFiles("#file-input", { name: "cut", mimeType: "", buffer: bytes.subarray(0, 5000) });
  await waitForText(page, "#files-error", /^This database can't be read: it is damaged/);
  const large = `${folder}/large.kdb`;
  writeFileSync(large, Buffer.concat([bytes, Buffer.alloc(33 << 20)]));
  await page.setInputFiles("#file-input", large);
  await waitForText(page, "#files-error", /larger than 32 MiB/);
  await page.keyboard.press("Escape");
  await showKnown(page);
});
