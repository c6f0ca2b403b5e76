// What users of other pages complain of: a stop that is dead, a mate beyond the board, a page that stutters, memory that
// is not there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  begin,
  MODULE,
  paste,
  put,
  stones,
  waitForStones,
  waitForText,
  WITHOUT_MODULE,
  withServer,
  withSite,
} from "../browser/helper.js";

const served = withServer("--threads", "1");
const alone = withSite();

/** Six black stones around the only empty point, where black would make an overline. */
const ONLY_A_FOUL = `${"#######/".repeat(6)}XXX1XXX b`;

for (const [where, pages, skipped] of /** @type {const} */ ([
  ["with a server", served, false],
  ["without a server", alone, WITHOUT_MODULE],
])) {
  test(`where only a foul is left, black is lost and every button works, ${where}`, { skip: skipped }, async () => {
    const { page, problems } = await pages.open();
    await begin(page, { rule: "renju" });
    await paste(page, ONLY_A_FOUL);
    await waitForStones(page, 6);
    await page.click("#mode-analyse");
    for (let round = 0; round < 3; round++) {
      await page.click("#analyse");
      await waitForText(page, ".lines li .rate", "\u2212M1");
      await waitForText(page, "#analyse", "Stop");
      await page.click("#analyse");
      await waitForText(page, "#analyse", "Analyse");
    }
    assert.equal(await page.locator(".lines li").count(), 1, "a foul has no alternatives");
    await page.click("#more-tools summary");
    await page.click("#solve");
    await waitForText(page, "#proof-panel [role=status]", /^Black has no win/);
    await page.click("#fair");
    await page.waitForSelector("#fair:enabled");
    await put(page, "d1");
    await waitForText(page, "#refusal", /d1 is forbidden/);
    assert.deepEqual(problems, []);
  });
}

test("a mate ends on the board, and its line can be played to the end", async () => {
  const { page, problems } = await served.open();
  for (const position of ["h8a1i8a3j9a5j10o1", "6/1XX3/1O1X2/2OXO1/1O4/6 b"]) {
    await paste(page, position);
    await page.waitForSelector("#files-dialog", { state: "hidden" });
    await page.click("#mode-analyse");
    const before = (await stones(page)).split(" ").length;
    const empty = (await page.locator(".cell").count()) - before;
    await page.click("#analyse");
    await page.waitForFunction(() => /^[+\u2212]M/.test(document.querySelector(".lines li .rate")?.textContent || ""));
    const plies = Number(/\d+/.exec((await page.textContent(".lines li .rate")) || "")?.[0]);
    const line = await page.locator(".lines li:first-child .move").allTextContents();
    assert.ok(plies <= empty && line.length === plies, `${plies} plies, ${line.join(" ")}, ${empty} points`);
    assert.equal(new Set(line).size, line.length);
    await page.click(".lines li:first-child .move:last-child");
    await waitForStones(page, before + plies);
    await page.waitForSelector(".rows.five path", { state: "attached" });
    await page.click("#analyse");
  }
  assert.deepEqual(problems, []);
});

test("an analysis is drawn as often as people can read, and the page stays fluent", async () => {
  const { page, problems } = await served.open({ hash: "#freestyle/15/h8h9" });
  await page.click("#analyse");
  await page.waitForSelector(".lines li:nth-child(3) .move");
  const seen = await page.evaluate(async () => {
    let drawn = 0;
    const state = /** @type {Node} */ (document.querySelector("#analysis-state"));
    const observer = new MutationObserver(() => drawn++);
    observer.observe(state, { childList: true, characterData: true, subtree: true });
    /** @type {number[]} */
    const frames = [];
    const began = performance.now();
    while (performance.now() < began + 2000) frames.push(await new Promise((next) => requestAnimationFrame(next)));
    observer.disconnect();
    const gaps = frames.slice(1).map((at, index) => at - frames[index]);
    return { drawn, gap: gaps.sort((a, b) => a - b)[gaps.length >> 1] };
  });
  assert.ok(seen.drawn >= 1 && seen.drawn <= 15, `${seen.drawn} drawings in 2 s`);
  // A median, because a busy machine delays some frames.
  assert.ok(seen.gap < 40, `${seen.gap} ms from frame to frame`);
  assert.deepEqual(problems, []);
});

/** The module with a limit of its memory. @param {Uint8Array} module @param {number} pages of 64 KB */
function limited(module, pages) {
  /** A number in LEB128, and the place after it. @param {number} at @returns {[number, number]} */
  const number = (at) => {
    let [value, shift] = [0, 0];
    for (; module[at] & 0x80; at++, shift += 7) value |= (module[at] & 0x7f) << shift;
    return [value | (module[at] << shift), at + 1];
  };
  /** @param {number} value */
  const bytes = (value) => [0x80 | (value & 0x7f), 0x80 | ((value >> 7) & 0x7f), value >> 14];
  for (let at = 8; at < module.length;) {
    const [length, from] = number(at + 1);
    if (module[at] === 5) {
      // One memory without a limit, and its first size.
      assert.deepEqual([...module.slice(from, from + 2)], [1, 0]);
      const [least] = number(from + 2);
      const section = [5, 8, 1, 1, ...bytes(least), ...bytes(pages)];
      return Buffer.concat([module.slice(0, at), Buffer.from(section), module.slice(from + length)]);
    }
    at = from + length;
  }
  throw new Error("the module has no memory");
}

/**
 * A page whose engine can have so much memory only, and the tables that it asks for, in KB.
 * @param {number} megabytes
 */
async function openShort(megabytes) {
  const { page } = await alone.open({ isKept: false });
  /** @type {number[]} */
  const tables = [];
  await page.exposeFunction("noteTable", (/** @type {number} */ size) => tables.push(size));
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (/** @type {any[]} */ ...message) {
      const size = /^INFO hash_size (\d+)$/m.exec(message[0].lines || "")?.[1];
      if (size) /** @type {any} */ (window).noteTable(Number(size));
      return postMessage.apply(this, /** @type {any} */ (message));
    };
  });
  const body = limited(readFileSync(MODULE), megabytes * 16);
  await page.route("**/engine.wasm", (route) => route.fulfill({ body, contentType: "application/wasm" }));
  await page.reload();
  await page.click("#mode-analyse");
  await page.click("#analyse");
  return { page, tables };
}

test("memory that is too small for the engine's table makes the table smaller", { skip: WITHOUT_MODULE }, async () => {
  const { page, tables } = await openShort(16);
  await page.waitForFunction(() => /Depth 1\d/.test(document.querySelector("#analysis-state")?.textContent || ""));
  assert.ok(await page.isHidden("#link-state"));
  assert.deepEqual(tables, [65536]);
});

test(
  "where there is no memory at all the page says so, and tries again with half of the table",
  { skip: WITHOUT_MODULE },
  async () => {
    const { page, tables } = await openShort(6);
    await waitForText(page, "#link-state", /too little memory\. It starts again with less/);
    await page.unroute("**/engine.wasm");
    await page.waitForSelector(".lines li:nth-child(3) .move");
    await page.waitForSelector("#link-state", { state: "hidden" });
    assert.ok(
      tables.length > 1 && tables.every((table, index) => table === Math.max(4096, 65536 >> index)),
      tables.join(),
    );
  },
);
