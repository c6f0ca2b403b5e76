// Libraries of RenLib as trees: with a server, and without one.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { stones, waitForStones, waitForText, WITHOUT_MODULE, withServer, withSite } from "./helper.js";

const hosts = /** @type {const} */ ([
  ["with a server", withServer(), false],
  ["without a server", withSite(), WITHOUT_MODULE],
]);
/** A library with comments and texts on points; the file goes on after its end. */
const texts = readFileSync(new URL("../../../tests/fuzz/corpus/renlib/texts.lib", import.meta.url)).subarray(0, -2);

/** A library with every move on `first` points, and after each of them every move on `second` others. */
function large(/** @type {number} */ first, /** @type {number} */ second) {
  const point = (/** @type {number} */ index) => 16 * Math.floor(index / 15) + (index % 15) + 1;
  const bytes = [0xff, ...Buffer.from("RenLib"), 0xff, 3, 4, ...Array(10).fill(0xff), 0, 0];
  for (let move = 0; move < first; move++) {
    bytes.push(point(move), move < first - 1 ? 0x80 : 0);
    for (let reply = 0; reply < second; reply++) bytes.push(point(224 - reply), 0x40 | (reply < second - 1 ? 0x80 : 0));
  }
  return Buffer.from(bytes);
}

/** @param {import("playwright-core").Page} page @param {string} name @param {Buffer} buffer */
async function choose(page, name, buffer) {
  await page.click("#files");
  await page.setInputFiles("#file-input", { name, mimeType: "application/octet-stream", buffer });
}

for (const [where, { open }, skip] of hosts) {
  test(`a library opens as a tree with comments, ${where}`, { skip }, async () => {
    const { page, problems } = await open();
    await choose(page, "texts.lib", texts);
    await page.waitForSelector("#files-dialog", { state: "hidden" });
    assert.equal(await page.inputValue("#comment"), "A");
    await page.click("#forward");
    await waitForStones(page, 1);
    assert.equal(await stones(page), "h8");
    assert.match(await page.inputValue("#comment"), /\nb\nc\nh9: Win\ni9: X$/);
    assert.deepEqual(problems, []);
  });

  test(`a large library stays usable, and what is left out is said, ${where}`, { skip }, async () => {
    const { page, problems } = await open();
    await choose(page, "all.lib", large(60, 150));
    await page.waitForSelector("#files-dialog", { state: "hidden" });
    await page.click("#to-end");
    await waitForStones(page, 2);
    assert.equal(await page.locator("#moves .move").count(), 60 + 150);
    const began = Date.now();
    await page.locator("#moves .move").nth(40).click();
    await waitForStones(page, 1);
    assert.ok(Date.now() - began < 5000);
    await choose(page, "more.lib", large(120, 150));
    await waitForText(
      page,
      "#files-done",
      /^The library has 18075 positions. Those up to move 1, 120 positions, are open; the others are left out.$/,
    );
    await page.keyboard.press("Escape");
    await page.click("#forward");
    await waitForStones(page, 1);
    await page.reload();
    await waitForStones(page, 1);
    assert.deepEqual(problems, []);
  });

  test(`a damaged library is refused with one line, ${where}`, { skip }, async () => {
    const { page } = await open();
    await choose(page, "cut.lib", large(3, 3).subarray(0, -3));
    await waitForText(page, "#files-error", /^This RenLib library can't be read: the file is cut off: .*\.$/);
    await page.setInputFiles("#file-input", { name: "game.lib", mimeType: "", buffer: Buffer.from("(;SZ[15])") });
    await waitForText(page, "#files-error", /not a RenLib library/);
    await page.keyboard.press("Escape");
    await page.click("#mode-play");
    assert.equal(await stones(page), "");
  });
}
