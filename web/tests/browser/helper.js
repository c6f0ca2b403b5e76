// A server and a browser for each file of tests. Messages and errors of the page fail the test that sees them.

import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { after, afterEach, before } from "node:test";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { chromium } from "playwright-core";

export const PROGRAM = process.env.KAKUGO_BOARD || "../../target/debug/kakugo-board";
export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);

const ARGUMENTS = ["--no-sandbox"];
/** With this set, the page comes from its sources instead of the program: a change needs no build. */
const FROM_SOURCES = !!process.env.KAKUGO_PAGE_FROM_SOURCES;

/** Answers requests for files of the page with the sources. @param {Page} page @param {string} address */
async function useSources(page, address) {
  await page.route(
    (url) => url.href.startsWith(address),
    (route) => {
      const path = new URL(route.request().url()).href.slice(address.length).replace(/[?#].*/, "") || "index.html";
      const file = new URL(
        path.startsWith("shared/") ? `../../../src/page/${path.slice(7)}` : `../../page/${path}`,
        import.meta.url,
      );
      return existsSync(file) ? route.fulfill({ path: fileURLToPath(file) }) : route.continue();
    },
  );
}

/** Starts a server for the tests of a file. @param {string[]} options */
export function withServer(...options) {
  /** @type {import("node:child_process").ChildProcess} */
  let server;
  const pages = withAddress(FROM_SOURCES, async () => {
    server = spawn(PROGRAM, ["--port", "0", ...options], { stdio: ["ignore", "pipe", "ignore"] });
    const address = await new Promise((resolve) =>
      createInterface({ input: /** @type {any} */ (server.stdout) }).once("line", resolve),
    );
    return { address, stop: () => server.kill("SIGINT") };
  });
  return { ...pages, server: () => server };
}

/** The engine's module, if it is built: without it, nothing can be tested that needs it. */
export const MODULE = fileURLToPath(
  new URL(
    process.env.KAKUGO_WASM || "../../../target/wasm32-unknown-unknown/release/kakugo_wasm.wasm",
    import.meta.url,
  ),
);
/** Why the tests that need the module are left out; `false` if they are not. */
export const WITHOUT_MODULE = existsSync(MODULE) ? false : "the engine's module is not built: see docs/board.md";
/** @type {Record<string, string>} */
const TYPES = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
  wasm: "application/wasm",
};

/** Exports the page, if the module is built, and serves its files without any header of safety, as simple hosts do. */
export function withSite() {
  const serve = async () => {
    const folder = mkdtempSync(`${tmpdir()}/kakugo-`);
    const exported = spawnSync(PROGRAM, ["--export", folder, "--module", MODULE], { encoding: "utf8" });
    if (exported.status !== 0) throw new Error(exported.stderr);
    if (FROM_SOURCES) copySources(folder);
    const server = createServer((request, response) => {
      const path = new URL(request.url || "/", "http://host").pathname.replace(/^\/site\/$/, "/site/index.html");
      const file = folder + path.slice("/site".length);
      const isThere = path.startsWith("/site/") && existsSync(file);
      response.writeHead(isThere ? 200 : 404, { "content-type": TYPES[path.split(".").pop() || ""] || "text/plain" });
      response.end(isThere ? readFileSync(file) : "");
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(0)));
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const stop = () => {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true });
    };
    return { address: `http://127.0.0.1:${port}/site/`, stop };
  };
  return withAddress(false, serve, !WITHOUT_MODULE);
}

/** Replaces scripts and styles of an exported page by the sources; the export has changed the other files. @param {string} folder */
function copySources(folder) {
  const sources = fileURLToPath(new URL("../../page/", import.meta.url));
  for (const name of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
    if (!/\.(js|css)$/.test(name) || name === "service_worker.js") continue;
    mkdirSync(dirname(`${folder}/${name}`), { recursive: true });
    copyFileSync(sources + name, `${folder}/${name}`);
  }
}

/**
 * A browser for pages at an address.
 * @param {boolean} usesSources whether files come from the sources @param {() => Promise<{ address: string, stop: () => void }>} serve
 * @param {boolean} isUsed whether any test opens a page
 */
function withAddress(usesSources, serve, isUsed = true) {
  /** @type {import("playwright-core").Browser} */
  let browser;
  let address = "";
  let stop = () => {};
  if (isUsed) {
    before(async () => {
      ({ address, stop } = await serve());
      browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: FROM_SOURCES
          ? [...ARGUMENTS, "--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets"]
          : ARGUMENTS,
      });
    });
    // Each page holds an engine.
    afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
    after(async () => {
      await browser?.close();
      stop();
    });
  }

  /**
   * A page of its own, without memory of others.
   * @param {{
   *   hash?: string, width?: number, height?: number, dark?: boolean, touch?: boolean, isKept?: boolean,
   *   settings?: Record<string, unknown>, workers?: number,
   * }} [options] `settings` are those that the page remembers, `workers` those that the device has room for
   */
  async function open({
    hash = "",
    width = 1280,
    height = 800,
    dark = false,
    touch = false,
    isKept = true,
    settings = {},
    workers = 0,
  } = {}) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? "dark" : "light",
      hasTouch: touch,
      acceptDownloads: true,
      serviceWorkers: isKept ? "allow" : "block",
    });
    await context.addInitScript((remembered) => {
      const key = "kakugo.settings";
      if (!localStorage.getItem(key)) localStorage.setItem(key, remembered);
    }, JSON.stringify(settings));
    if (workers > 0)
      await context.addInitScript((count) => {
        Object.defineProperty(navigator, "hardwareConcurrency", { value: count });
        Object.defineProperty(navigator, "deviceMemory", { value: 8 });
      }, workers);
    const page = await context.newPage();
    page.setDefaultTimeout(20000);
    /** @type {string[]} */
    const problems = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error.stack)));
    page.on(
      "request",
      (request) =>
        new URL(request.url()).host === new URL(address).host ||
        /^(data|blob):/.test(request.url()) ||
        problems.push(`asks ${request.url()}`),
    );
    if (usesSources) await useSources(page, address);
    await page.goto(address + hash);
    await page.waitForSelector("#ready", { state: "attached" });
    await page.waitForSelector("#link-state", { state: "hidden" });
    return { page, problems, context };
  }
  return { open, address: () => address };
}

/** @typedef {import("playwright-core").Page} Page */

/** What axe-core has to object. @param {Page} page */
export async function objections(page) {
  // The page's own policy allows no foreign script; a context of the debugger may run it.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => /** @type {any} */ (window).axe.run());
  return violations.map(
    (/** @type {any} */ one) => `${one.id}: ${one.nodes[0].html.slice(0, 200)} ${one.nodes[0].failureSummary}`,
  );
}

/** @param {Page} page @param {string} point */
export const put = (page, point) => page.click(`[data-point="${point}"].cell`);

/** Opens a text by the dialog of files, which stays open if it can't. @param {Page} page @param {string} text */
export async function paste(page, text) {
  await page.click("#files");
  await page.fill("#paste-box", text);
  await page.click("#paste-open");
}

/** The stones, as `h8 i9` in the order of play. @param {Page} page @returns {Promise<string>} */
export const stones = (page) =>
  page.$$eval(".layer.stones .stone", (all) => all.map((one) => /** @type {any} */ (one).dataset.point).join(" "));

/** Waits until there are `count` stones. @param {Page} page @param {number} count */
export const waitForStones = (page, count) =>
  page.waitForFunction((wanted) => document.querySelectorAll(".layer.stones .stone").length === wanted, count);

/**
 * Waits until an element has a text: what follows an action may take a moment.
 * @param {Page} page
 * @param {string} selector
 * @param {string | RegExp} wanted The whole text, or what is found in it
 * @param {number} timeout Milliseconds
 */
export async function waitForText(page, selector, wanted, timeout = 20000) {
  const pattern = typeof wanted === "string" ? `^${wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$` : wanted.source;
  const isThere = page.waitForFunction(
    ([selector, pattern]) => new RegExp(pattern).test(document.querySelector(selector)?.textContent || ""),
    [selector, pattern],
    { timeout },
  );
  await isThere.catch(async () => {
    throw new Error(`${selector} has not ${wanted}, but ${await page.textContent(selector, { timeout: 1000 })}`);
  });
}

/**
 * Begins a game.
 * @param {Page} page
 * @param {{ rule?: string, side?: string, size?: number, level?: number, clock?: number, opening?: string }} choice
 */
export async function begin(
  page,
  { rule = "freestyle", side = "both", size = 15, level = 4, clock = 0, opening = "" },
) {
  await page.click("#new");
  const isOther = !(await page.$(`input[name="rule"][value="${rule}"]`));
  await page.check(`input[name="rule"][value="${isOther ? "other" : rule}"]`, { force: true });
  if (isOther) await page.selectOption("#game-choice", rule);
  await page.check(`input[name="side"][value="${side}"]`, { force: true });
  if (await page.isEnabled("#size-choice")) await page.selectOption("#size-choice", String(size));
  await page.selectOption("#clock-choice", String(clock));
  if (side !== "both") await page.selectOption("#opening-choice", opening);
  if (side !== "both") await page.fill("#level-choice", String(level));
  await page.click('button[value="start"]');
}
