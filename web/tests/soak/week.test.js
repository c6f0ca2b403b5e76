// A week's use in one run: 500 moves, 50 games opened, 20 reviews. The memory of page and server stays flat.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { begin, waitForText, withServer } from "../browser/helper.js";

const { open, server } = withServer();

/** Rounds; a third of the work is for warming up. */
const ROUNDS = 10;
/** Growth from the fourth round to the last that still counts as flat: what collectors and allocators vary by. */
const FLAT = { heapMb: 1, nodes: 100, serverMb: 8, engineMb: 16 };

/** Memory in use of a process, in MB. @param {number} process */
const residentMb = (process) => {
  const status = readFileSync(`/proc/${process}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
};

/** Engines of the server. @param {number} parent */
const childrenOf = (parent) =>
  readdirSync("/proc").filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      return readFileSync(`/proc/${entry}/stat`, "utf8").split(") ")[1].split(" ")[1] === String(parent);
    } catch {
      return false;
    }
  });

/** A random line of moves. @param {number} count */
function randomMoves(count) {
  const points = new Set();
  while (points.size < count)
    points.add(String.fromCharCode(97 + Math.floor(Math.random() * 15)) + (1 + Math.floor(Math.random() * 15)));
  return [...points];
}

/**
 * Puts a stone by a click on a place of the window. Whatever element Playwright itself looks up gets a node for each of its
 * attributes, which stays: more than a thousand for the points of a board.
 * @param {import("../browser/helper.js").Page} page @param {string} point
 */
async function put(page, point) {
  const [x, y] = await page.evaluate((name) => {
    const cell = /** @type {HTMLElement} */ (document.querySelector(`[data-point="${name}"].cell`));
    const { left, top, width, height } = cell.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  }, point);
  await page.mouse.click(x, y);
}

test("memory stays flat over a week's use", { timeout: 3600000 }, async () => {
  const { page, problems, context } = await open({ settings: { review: "quick" } });
  page.setDefaultTimeout(120000);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  const count = () => page.locator(".layer.stones .stone").count();
  const rows = [];
  let moves = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    for (const wanted = (500 * round) / ROUNDS; moves < wanted;) {
      await begin(page, { side: "black", level: 1 });
      const before = await count();
      for (const point of randomMoves(14)) {
        if (moves >= wanted || (await page.textContent("#status")) !== "Your turn") break;
        await put(page, point);
        await page.waitForFunction(() => !/thinking/.test(document.querySelector("#status")?.textContent || ""));
      }
      moves += (await count()) - before;
    }
    for (let game = 0; game < 50 / ROUNDS; game++) {
      await page.click("#files");
      await page.fill("#paste-box", randomMoves(30).join(" "));
      await page.click("#paste-open");
      await page.waitForFunction(() => document.querySelectorAll(".layer.stones .stone").length === 30);
    }
    for (let review = 0; review < 20 / ROUNDS; review++) {
      await page.click("#files");
      await page.fill("#paste-box", randomMoves(6).join(" "));
      await page.click("#paste-open");
      await page.click("#review");
      await waitForText(page, "#review-summary", /^Accuracy/, 300000);
    }
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    const metric = (/** @type {string} */ name) => metrics.find((one) => one.name === name)?.value || 0;
    const parent = Number(server().pid);
    rows.push({
      round,
      moves,
      heapMb: Number((metric("JSHeapUsedSize") / 1e6).toFixed(1)),
      nodes: metric("Nodes"),
      serverMb: residentMb(parent),
      engineMb: childrenOf(parent).reduce((sum, child) => sum + residentMb(Number(child)), 0),
    });
    console.log(JSON.stringify(rows.at(-1)));
  }
  const [early, late] = [rows[3], rows[rows.length - 1]];
  for (const key of /** @type {(keyof typeof FLAT)[]} */ (Object.keys(FLAT)))
    assert.ok(late[key] <= early[key] + FLAT[key], `${key}: ${early[key]} after round 4, ${late[key]} at the end`);
  assert.deepEqual(problems, []);
});
