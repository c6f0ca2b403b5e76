// A server and a browser for each file of tests. Messages and errors of the page fail the test that sees them.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { after, afterEach, before } from "node:test";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const PROGRAM = process.env.KAKUGO_BOARD || "../../target/debug/kakugo-board";
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
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
  /** @type {import("playwright-core").Browser} */
  let browser;
  let address = "";
  before(async () => {
    server = spawn(PROGRAM, ["--port", "0", ...options], { stdio: ["ignore", "pipe", "ignore"] });
    address = await new Promise((resolve) =>
      createInterface({ input: /** @type {any} */ (server.stdout) }).once("line", resolve),
    );
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
    server?.kill("SIGINT");
  });

  /**
   * A page of its own, without memory of others.
   * @param {{ hash?: string, width?: number, height?: number, dark?: boolean, touch?: boolean }} [options]
   */
  async function open({ hash = "", width = 1280, height = 800, dark = false, touch = false } = {}) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? "dark" : "light",
      hasTouch: touch,
      acceptDownloads: true,
    });
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
    if (FROM_SOURCES) await useSources(page, address);
    await page.goto(address + hash);
    await page.waitForSelector("#ready", { state: "attached" });
    await page.waitForSelector("#link-state", { state: "hidden" });
    return { page, problems, context };
  }
  return { open, server: () => server };
}

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page @param {string} point */
export const put = (page, point) => page.click(`[data-point="${point}"].cell`);

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
 */
export const waitForText = (page, selector, wanted) =>
  page.waitForFunction(
    ([selector, pattern]) => new RegExp(pattern).test(document.querySelector(selector)?.textContent || ""),
    [selector, typeof wanted === "string" ? `^${wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$` : wanted.source],
  );

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
  await page.check(`input[name="rule"][value="${rule}"]`, { force: true });
  await page.check(`input[name="side"][value="${side}"]`, { force: true });
  await page.selectOption("#size-choice", String(size));
  await page.selectOption("#clock-choice", String(clock));
  if (side !== "both") await page.selectOption("#opening-choice", opening);
  if (side !== "both") await page.fill("#level-choice", String(level));
  await page.click('button[value="start"]');
}
