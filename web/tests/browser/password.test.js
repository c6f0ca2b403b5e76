// The question for the password, as a browser sends its answer.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { chromium } from "playwright-core";

import { CHROMIUM, PROGRAM, put, waitForStones, waitForText } from "./helper.js";

const folder = mkdtempSync(`${tmpdir()}/kakugo-`);
writeFileSync(`${folder}/password`, "correct horse\n");
const options = ["--port", "0", "--password-file", `${folder}/password`];
const server = spawn(PROGRAM, options, { stdio: ["ignore", "pipe", "ignore"] });
after(() => {
  server.kill("SIGINT");
  rmSync(folder, { recursive: true });
});

test("a browser opens the board with the password, and not with another", async (context) => {
  const address = await new Promise((resolve) =>
    createInterface({ input: /** @type {any} */ (server.stdout) }).once("line", resolve),
  );
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  context.after(() => browser.close());
  const page = await browser.newPage();
  /** @param {string} password */
  const enter = async (password) => {
    await page.goto(address);
    await page.fill("input", password);
    await page.keyboard.press("Enter");
  };
  await enter("wrong horse");
  await waitForText(page, "body", /password is wrong|wrong password/i);
  assert.equal(page.url(), address);
  await page.waitForTimeout(1000);
  await enter("correct horse");
  await put(page, "h8");
  await waitForStones(page, 2);
  assert.match(new URL(page.url()).pathname, /^\/[A-Za-z0-9]{24}\/$/);
});
