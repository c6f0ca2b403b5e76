// The page without a server: an engine in a Worker, which is as right as the program's, stops at once, and needs no network.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { chromium } from "playwright-core";

import {
  begin,
  CHROMIUM,
  put,
  stones,
  waitForStones,
  waitForText,
  WITHOUT_MODULE,
  withServer,
  withSite,
} from "../browser/helper.js";

const site = withSite();
const server = withServer("--threads", "1", "--tabs", "20");
const { open } = site;

/** Positions with a search of fixed size, for every rule. */
const SEARCHES = [
  [0, 15, "7,7,1 8,8,2 9,7,1"],
  [0, 20, "9,9,1 10,10,2 9,10,1 9,11,2 8,9,1 10,9,2"],
  [1, 15, "7,7,1 8,8,2 7,8,1 7,9,2"],
  [4, 15, "7,7,1 8,8,2 7,8,1 7,9,2 6,7,1"],
  [8, 15, "7,7,1 7,8,2 8,8,1 9,9,2"],
  [9, 15, "7,7,1 7,8,2 8,8,1 6,6,2"],
].map(([rule, size, stones]) =>
  [
    "INFO show_detail 1",
    "INFO timeout_turn 2147483647",
    "INFO max_node 20000",
    `INFO rule ${rule}`,
    `START ${size}`,
    "YXBOARD",
    ...String(stones).split(" "),
    "DONE",
    "YXNBEST 2",
  ].join("\n"),
);

/** The results of all iterations, without times, and the move. @param {string[]} lines */
const lasting = (lines) =>
  lines
    .filter((line) => /^MESSAGE \(\d\) depth|^\d+,\d+$/.test(line))
    .map((line) => line.replace(/nps \d+ time \d+ /, ""));

test("the engine in the browser searches like the program", { skip: WITHOUT_MODULE }, async () => {
  const { page: served } = await server.open();
  const { page: alone } = await open();
  for (const lines of SEARCHES) {
    const native = await served.evaluate(async (lines) => {
      const socket = new WebSocket(new URL("engine", location.href.replace(/^http/, "ws")));
      /** @type {string[]} */
      const answers = [];
      await new Promise((resolve) => (socket.onopen = resolve));
      const end = new Promise((resolve) => {
        socket.onmessage = ({ data }) => {
          answers.push(...data.split("\n"));
          if (answers.some((line) => /^\d+,\d+$/.test(line))) resolve(0);
        };
      });
      socket.send(lines);
      await end;
      socket.close();
      return answers;
    }, lines);
    const own = await alone.evaluate(async (lines) => {
      const worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
      /** @type {string[]} */
      const answers = [];
      await new Promise((resolve) => {
        worker.onmessage = ({ data }) => {
          answers.push(...(data.lines || []));
          if (data.state === "ready") worker.postMessage({ lines, blob: URL.createObjectURL(new Blob()) });
          if (["done", "memory", "missing"].includes(data.state)) resolve(0);
        };
      });
      worker.terminate();
      return answers;
    }, lines);
    assert.ok(lasting(own).length > 10, own.join("\n"));
    assert.deepEqual(lasting(own), lasting(native), "is the module older than the program? Build it again");
  }
});

/** Stops that are measured, and the most that half of them may take, in milliseconds. */
const STOPS = { count: 9, median: 50 };

/** Lets a page note how long its Workers take to stop, by its own clock. @param {import("playwright-core").Page} page */
const watchStops = (page) =>
  page.evaluate(() => {
    const seen = { times: /** @type {number[]} */ ([]), workers: new Set() };
    Object.assign(window, { seen });
    let stoppedAt = 0;
    const { revokeObjectURL } = URL;
    URL.revokeObjectURL = (address) => {
      stoppedAt = performance.now();
      revokeObjectURL.call(URL, address);
    };
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (/** @type {any[]} */ ...message) {
      if (!seen.workers.has(this))
        this.addEventListener("message", ({ data }) => {
          if (data.state !== "done" || !stoppedAt) return;
          seen.times.push(performance.now() - stoppedAt);
          stoppedAt = 0;
        });
      seen.workers.add(this);
      return postMessage.apply(this, /** @type {any} */ (message));
    };
  });

test("an analysis stops at once, and what it knows is kept", { skip: WITHOUT_MODULE }, async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8h9i8" });
  await watchStops(page);
  for (let stop = 1; stop <= STOPS.count; stop++) {
    await page.click("#analyse");
    await page.waitForFunction(() => /Depth 1\d/.test(document.querySelector("#analysis-state")?.textContent || ""));
    await page.waitForTimeout(200);
    await page.click("#analyse");
    await waitForText(page, "#analyse", "Analyse");
    await page.waitForFunction((count) => /** @type {any} */ (window).seen.times.length === count, stop);
  }
  const { times, workers } = await page.evaluate(() => {
    const { times, workers } = /** @type {any} */ (window).seen;
    return { times: times.sort((/** @type {number} */ a, /** @type {number} */ b) => a - b), workers: workers.size };
  });
  // On a busy machine a stop may wait for a processor, so the median counts.
  assert.ok(times[STOPS.count >> 1] < STOPS.median, `${times.map(Math.round).join(", ")} ms`);
  assert.equal(workers, 1, "no Worker had to be ended, and none lost its table");
  // A forbidden point or a move is judged only when the engine is free.
  await put(page, "j10");
  await waitForStones(page, 4);
  await page.click("#back");
  await page.click("#analyse");
  await page.waitForFunction(() => /Depth 1\d/.test(document.querySelector("#analysis-state")?.textContent || ""));
  assert.deepEqual(problems, []);
});

test("games are played under every rule, and a move can be demanded", { skip: WITHOUT_MODULE }, async () => {
  const { page, problems } = await open();
  for (const rule of ["freestyle", "standard", "renju", "caro", "caro-exact"]) {
    await begin(page, { rule, side: "black", level: 3 });
    await put(page, "h8");
    await waitForStones(page, 2);
  }
  await begin(page, { rule: "freestyle", side: "black", level: 10 });
  await put(page, "h8");
  await waitForStones(page, 2);
  await put(page, "d4");
  await page.waitForTimeout(500);
  const began = Date.now();
  await page.click("#hurry");
  await waitForStones(page, 4);
  assert.ok(Date.now() - began < 1000, `${Date.now() - began} ms`);
  assert.deepEqual(problems, []);
});

test("after the first visit no network is needed", { skip: WITHOUT_MODULE }, async () => {
  const { page, context, problems } = await open();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector("#link-state", { state: "hidden" });
  await begin(page, { rule: "renju", side: "white", level: 3 });
  await waitForStones(page, 1);
  assert.match(await stones(page), /^[a-o]\d+$/);
  assert.deepEqual(problems, []);
});

test("a browser can install the page", { skip: WITHOUT_MODULE }, async () => {
  // Not from a private window, as the other tests' pages are.
  const folder = mkdtempSync(`${tmpdir()}/kakugo-`);
  const context = await chromium.launchPersistentContext(folder, { executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const page = context.pages()[0];
    await page.goto(site.address());
    await page.waitForFunction(() => navigator.serviceWorker.getRegistration().then((kept) => kept?.active));
    const client = await context.newCDPSession(page);
    assert.deepEqual((await client.send("Page.getAppManifest")).errors, []);
    assert.deepEqual((await client.send("Page.getInstallabilityErrors")).installabilityErrors, []);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true });
  }
});

test("a missing file is named, and tried again", { skip: WITHOUT_MODULE }, async () => {
  // A service worker would have the file.
  const { page } = await open({ isKept: false });
  await page.route("**/networks/caro.net", (route) => route.abort());
  await begin(page, { rule: "caro", side: "white", level: 3 });
  await page.waitForSelector("#link-state", { state: "visible" });
  assert.match((await page.textContent("#link-state")) || "", /can't be loaded/);
  await page.unroute("**/networks/caro.net");
  await waitForStones(page, 1);
});

test("a proof is found in the Worker", { skip: WITHOUT_MODULE }, async () => {
  const { page, problems } = await open({ hash: "#freestyle/15/h8a1i8a3j9a5j10o1" });
  await page.click("#more-tools summary");
  await page.click("#solve");
  await waitForText(page, "#proof-panel [role=status]", /^Black wins by force/);
  assert.ok((await page.locator("#proof-panel [role=group] button").count()) > 1);
  assert.deepEqual(problems, []);
});
