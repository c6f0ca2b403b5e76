// The page in other languages: chosen by the browser or in the settings, and nothing is wider than a phone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LANGUAGES } from "../../page/language.js";
import { put, waitForStones, waitForText, withServer } from "./helper.js";

const { open } = withServer("--tabs", "10");

/** What is wider than its box, or than the page. @param {import("playwright-core").Page} page */
const tooWide = (page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const shown = [...document.querySelectorAll("button, summary, label, h1, h2, h3, p, legend, .choice span, select")];
    return shown
      .filter((element) => /** @type {HTMLElement} */ (element).checkVisibility())
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        const isCut = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline";
        return element.clientWidth > 1 && (isCut || left < 0 || right > width + 0.5);
      })
      .map((element) => `${element.tagName} ${element.id} ${element.textContent?.slice(0, 40)}`);
  });

for (const [language, name] of Object.entries(LANGUAGES)) {
  test(`nothing is wider than a phone in ${language}, ${name}`, async () => {
    const { page, problems } = await open({ width: 375, height: 812, touch: true, settings: { language } });
    assert.equal(await page.getAttribute("html", "lang"), language === "zh" ? "zh-Hans" : language);
    const check = async (/** @type {string} */ where) => {
      assert.deepEqual(await tooWide(page), [], where);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 375), where);
    };
    await put(page, "h8");
    await put(page, "h8");
    await waitForStones(page, 2);
    await check("a game");
    for (const id of ["#new", "#files", "#settings"]) {
      await page.click(id);
      await check(id);
      await page.keyboard.press("Escape");
    }
    await page.click("#resign");
    await check("the question before resigning");
    await page.click("#resign");
    await page.waitForSelector("#rematch:visible");
    await check("the end of a game");
    await page.click("#mode-analyse");
    await page.click("#more-tools summary");
    await check("the analysis");
    assert.deepEqual(problems, []);
  });
}

test("the language is the browser's, and can be chosen; what has no translation is English", async () => {
  const { page, context, problems } = await open();
  await context.addInitScript(() => Object.defineProperty(navigator, "languages", { value: ["ja-JP", "en"] }));
  await page.reload();
  await waitForText(page, "#status", "あなたの手番");
  assert.equal(await page.textContent("#fair"), "Balanced move");
  await put(page, "h8");
  await waitForStones(page, 2);
  await page.click("#settings");
  await page.selectOption('select[name="language"]', "ru");
  await waitForText(page, "#status", "Ваш ход");
  await waitForStones(page, 2);
  await page.click("#settings");
  await page.selectOption('select[name="language"]', "en");
  await waitForText(page, "#status", "Your turn");
  assert.equal(await page.getAttribute("html", "lang"), "en");
  assert.deepEqual(problems, []);
});
