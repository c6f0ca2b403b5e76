// For everyone: keys alone, fingers, phones, dark, what axe-core finds; files and links.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { begin, objections, paste, put, stones, waitForStones, waitForText, withServer } from "./helper.js";

const { open } = withServer();

test("a game is played with keys alone and told to those who can't see it", async () => {
  const { page, problems } = await open();
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await begin(page, { side: "both" });
  await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "gridcell");
  await page.keyboard.press("Enter");
  await waitForStones(page, 1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "i9, empty");
  await page.keyboard.press("Space");
  await waitForStones(page, 2);
  await waitForText(page, "#announce", "White i9");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "i9, white, move 2");
  await page.keyboard.press("[");
  await waitForStones(page, 1);
  await page.keyboard.press("]");
  await page.keyboard.press("u");
  await waitForStones(page, 1);
  assert.deepEqual(problems, []);
});

test("Enter in a field of the new game begins it, and Cancel does not", async () => {
  const { page, problems } = await open();
  await put(page, "h8");
  await waitForStones(page, 2);
  await page.click("#new");
  await page.click("#new-cancel");
  await page.waitForSelector("#new-dialog", { state: "hidden" });
  await waitForStones(page, 2);
  await page.click("#new");
  await page.focus('input[name="side"]:checked');
  await page.keyboard.press("Enter");
  await waitForStones(page, 0);
  assert.deepEqual(problems, []);
});

test("keys reach every circle of the hexagon, and only these", async () => {
  const { page, problems } = await open();
  await begin(page, { rule: "roku", size: 11 });
  await page.waitForFunction(() => document.activeElement?.getAttribute("data-point") === "f6");
  for (const [keys, wanted] of /** @type {[string[], string][]} */ ([
    [["Home"], "a6"],
    [["ArrowUp", "ArrowUp"], "c8"],
    [["ArrowLeft"], "c8"],
    [["PageUp"], "f11"],
    [["End"], "k11"],
    [["PageDown"], "f1"],
    [["ArrowRight"], "f1"],
    [["Home"], "a1"],
  ])) {
    for (const key of keys) await page.keyboard.press(key);
    const cells = await page.$$eval('.cell[tabindex="0"]', (all) => all.map((one) => one.getAttribute("data-point")));
    assert.deepEqual(cells, [wanted], keys.join());
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-point")), wanted);
  }
  assert.deepEqual(problems, []);
});

test("fingers tap twice, and nothing is wider than the phone", async () => {
  const { page, problems } = await open({ width: 375, height: 812, touch: true });
  await page.tap('[data-point="h8"].cell');
  await page.waitForSelector(".aim", { state: "attached" });
  assert.equal(await stones(page), "");
  await page.tap('[data-point="h8"].cell');
  await waitForStones(page, 2);
  // As browsers do whose clicks do not name their pointer.
  await page.evaluate(() => {
    const cell = document.querySelector('[data-point="a1"].cell');
    cell?.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }));
    cell?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
  await page.waitForSelector(".aim", { state: "attached" });
  await page.click("#mode-analyse");
  await page.click("#analyse");
  await page.waitForSelector(".lines li .move");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 375));
  assert.deepEqual(problems, []);
});

test("on a low screen the board stays large enough to be played on, and the page scrolls", async () => {
  const { page, problems } = await open({ width: 740, height: 340 });
  assert.ok((await page.$eval("#board", (board) => board.clientWidth)) >= 320);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 740));
  assert.deepEqual(problems, []);
});

test("axe-core finds nothing, light and dark, playing and analysing and in the dialogs", async () => {
  for (const dark of [false, true]) {
    const { page } = await open({ dark });
    await put(page, "h8");
    await waitForStones(page, 2);
    await page.waitForTimeout(300);
    assert.deepEqual(await objections(page), []);
    await page.click("#mode-analyse");
    await page.click("#analyse");
    await page.waitForSelector(".lines li:nth-child(3) .move");
    await page.click("#analyse");
    assert.deepEqual(await objections(page), []);
    for (const id of ["#new", "#files", "#settings"]) {
      await page.click(id);
      await page.waitForTimeout(200);
      assert.deepEqual(await objections(page), [], id);
      await page.keyboard.press("Escape");
    }
  }
});

test("moves, SGF and links come in, and go out again", async () => {
  const { page, problems, context } = await open();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await paste(page, "no moves");
  await waitForText(page, "#files-error", /neither a list of moves/);
  await page.fill("#paste-box", "(;SZ[15]RU[Renju];B[hh](;W[ig];B[jf])(;W[hg]C[<img src=x onerror=alert(1)>]))");
  await page.click("#paste-open");
  await waitForStones(page, 3);
  assert.equal(await page.locator(".variation .move").count(), 1);
  await page.click("#files");
  await page.click("#copy-link");
  await page.waitForFunction(() => document.querySelector("#files-done")?.textContent === "Copied.");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(!link.includes(new URL(page.url()).pathname.slice(1, -1)), "a link does not give the token away");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-sgf")]);
  assert.match(readFileSync(await download.path(), "utf8"), /^\(;FF\[4\]GM\[4\].*RU\[Renju\];B\[hh\]/s);
  const [psq] = await Promise.all([page.waitForEvent("download"), page.click("#save-psq")]);
  assert.match(readFileSync(await psq.path(), "utf8"), /^Piskvorky 15x15.*\r\n8,8,0\r\n/);
  await page.fill("#paste-box", '[White "w"]\n[Variant "renju"]\n[BoardSize "9x9"]\n\n1. e5 e6 2. f6 *');
  await page.click("#paste-open");
  await waitForStones(page, 3);
  assert.equal(await page.locator('[data-point="j9"].cell').count(), 0);
  await page.click("#files");
  const [png] = await Promise.all([page.waitForEvent("download"), page.click("#save-png")]);
  assert.ok(readFileSync(await png.path()).length > 20000);
  const [moving] = await Promise.all([page.waitForEvent("download"), page.click("#save-animation")]);
  const animation = readFileSync(await moving.path(), "utf8");
  assert.equal(animation.match(/<animate attributeName="opacity"/g)?.length, 3);
  assert.ok(!/class=|var\(/.test(animation), "it stands on its own");
  // As a page of its own, before its first move; whoever wants no motion sees all stones.
  const alone = await context.newPage();
  for (const [reducedMotion, expected] of /** @type {["reduce" | "no-preference", string][]} */ ([
    ["no-preference", "0"],
    ["reduce", "1"],
  ])) {
    await alone.emulateMedia({ reducedMotion });
    await alone.goto(`data:image/svg+xml;base64,${Buffer.from(animation).toString("base64")}`);
    const seen = await alone.evaluate(() => {
      const root = /** @type {any} */ (document.documentElement);
      root.pauseAnimations();
      root.setCurrentTime(0.1);
      return Array.from(document.querySelectorAll("[data-point]"), (stone) => getComputedStyle(stone).opacity);
    });
    assert.deepEqual(seen, [expected, expected, expected], reducedMotion);
  }
  await page.keyboard.press("Escape");
  const other = await open({ hash: new URL(link).hash });
  await waitForStones(other.page, 3);
  await other.page.click("#mode-play");
  assert.equal(await other.page.textContent("#status"), "Your turn");
  await put(other.page, "a1");
  await waitForStones(other.page, 5);
  await other.page.click("#mode-analyse");
  assert.equal(await other.page.locator(".variation .move").count(), 1);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "a1 b2 c3 d4");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  });
  await waitForStones(page, 4);
  assert.deepEqual([...problems, ...other.problems], []);
});

test("a broken link is reported, and a link to a place on the page is not taken for a game", async () => {
  for (const hash of ["#renju/15/h8i", "#t=broken"]) {
    const { page, problems } = await open({ hash });
    await waitForText(page, "#files-error", /neither a list of moves/);
    await page.keyboard.press("Escape");
    await put(page, "h8");
    await waitForStones(page, 2);
    await page.evaluate(() => void (location.hash = "#board"));
    await page.waitForFunction(() => location.hash === "");
    assert.ok(await page.isHidden("#files-dialog"));
    assert.deepEqual(problems, []);
  }
});

test("a page that is opened by a link keeps the game that was open before", async () => {
  const { page, problems } = await open();
  await put(page, "h8");
  await waitForStones(page, 2);
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("kakugo.game") || "{}").tree?.at?.length === 2);
  await page.evaluate(() => history.replaceState(null, "", "#renju/15/h8h9j10"));
  await page.reload();
  await waitForStones(page, 3);
  await page.click("#files");
  await page.click("#recent-box summary");
  await waitForText(page, "#recent li:first-child", /Freestyle.*15.*2/);
  assert.deepEqual(problems, []);
});

test("a file or a text that is dropped on the page opens", async () => {
  const { page, problems } = await open();
  const drop = (/** @type {{ name?: string, text: string }} */ dropped) =>
    page.evaluate(({ name, text }) => {
      const dataTransfer = new DataTransfer();
      if (name) dataTransfer.items.add(new File([text], name));
      else dataTransfer.setData("text/plain", text);
      const board = /** @type {Element} */ (document.querySelector("#board"));
      const over = new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true });
      if (board.dispatchEvent(over)) throw new Error("the page does not say that it takes what is dragged");
      board.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, dropped);
  await drop({ name: "game.sgf", text: "(;GM[4]SZ[15]RU[Renju];B[hh];W[ig];B[jf])" });
  await waitForStones(page, 3);
  await drop({ name: "game.psq", text: "Piskvorky 20x20, 11:11, 1\r\n8,8,0\r\n9,9,0\r\n-1\r\n" });
  await waitForStones(page, 2);
  assert.equal(await page.locator('[data-point="t20"].cell').count(), 1);
  await drop({ text: "h8 i9 j10 k11" });
  await waitForStones(page, 4);
  await drop({ name: "no-game.txt", text: "nothing of the kind" });
  await waitForText(page, "#files-error", /neither a list of moves/);
  await page.keyboard.press("Escape");
  await drop({ name: "long.txt", text: "h8 ".repeat(1500000) });
  await waitForText(page, "#files-error", "The file is too long.");
  assert.equal((await stones(page)).split(" ").length, 4, "the game stays");
  assert.deepEqual(problems, []);
});

test("of a tree of any shape, a bounded number of moves is drawn", async () => {
  const { page, problems } = await open();
  const letters = "abcdefghijklmnopqrst";
  const points = [...letters].flatMap((x) => [...letters].map((y) => x + y));
  // Every free point after each move of the line.
  const node = (/** @type {number} */ ply) =>
    points
      .slice(ply + 1)
      .map((point) => `(;${ply % 2 === 0 ? "B" : "W"}[${point}])`)
      .join("");
  const line = Array.from({ length: 12 }, (_, ply) => `(;${ply % 2 === 0 ? "B" : "W"}[${points[ply]}]`).join("");
  const alternatives = Array.from({ length: 12 }, (_, index) => `)${node(11 - index)}`).join("");
  await paste(page, `(;SZ[20]${line}${alternatives})`);
  await waitForStones(page, 12);
  assert.equal(await page.locator("#moves .move").count(), 1512);
  await page.click("#to-start");
  await waitForStones(page, 0);
  assert.deepEqual(problems, []);
});

test("nothing is left in the page of games that were opened before", async () => {
  const { page, problems, context } = await open();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  /** Nodes in memory that are not on the page. */
  const detached = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    const attached = await page.evaluate(() => {
      const walker = document.createTreeWalker(document);
      let count = 1;
      while (walker.nextNode()) count++;
      return count;
    });
    return (metrics.find(({ name }) => name === "Nodes")?.value || 0) - attached;
  };
  /** @param {number} count */
  const openGames = async (count) => {
    for (let game = 0; game < count; game++) {
      await paste(page, `h8 ${"abcdefg"[game % 7]}${1 + game}`);
      await page.waitForSelector("#files-dialog", { state: "hidden" });
    }
    await waitForStones(page, 2);
  };
  await openGames(3);
  const before = await detached();
  await openGames(12);
  assert.ok((await detached()) < before + 12, `${before} nodes before, ${await detached()} after 12 games`);
  assert.deepEqual(problems, []);
});

test("settings are remembered, and dark can be forced", async () => {
  const { page } = await open();
  await page.click("#settings");
  await page.selectOption('select[name="theme"]', "dark");
  await page.selectOption('select[name="numbers"]', "all");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await paper(), "rgb(21, 23, 27)");
  await page.reload();
  await page.waitForSelector("#ready", { state: "attached" });
  assert.equal(await paper(), "rgb(21, 23, 27)");
  await put(page, "h8");
  await waitForStones(page, 2);
  assert.equal(await page.locator(".layer.stones .number").count(), 2);
});
