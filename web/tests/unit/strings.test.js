// Every text that the page asks for exists, and every text is asked for.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { LANGUAGES, languageFor } from "../../page/language.js";
import { t } from "../../page/strings.js";

const folder = new URL("../../page/", import.meta.url);
const table = readFileSync(new URL("strings.js", folder), "utf8");
const keys = [...table.matchAll(/^ {2}"?([\w.-]+)"?:\s+"/gm)].map((match) => match[1]);
const sources = readdirSync(folder)
  .filter((name) => /\.(js|html)$/.test(name) && name !== "strings.js")
  .map((name) => readFileSync(new URL(name, folder), "utf8"))
  .join("\n");

test("every text that is asked for exists", () => {
  const asked = [...sources.matchAll(/\bt\("([\w.-]+)"|data-t(?:-\w+)?="([\w.-]+)"/g)].map(
    (match) => match[1] || match[2],
  );
  assert.ok(asked.length > 80);
  assert.deepEqual(
    asked.filter((key) => !keys.includes(key)),
    [],
  );
});

test("every text is used", () => {
  const families = [...sources.matchAll(/`([\w-]+(?:\.[\w-]+)*\.)\$\{/g)].map((match) => match[1]);
  const used = (/** @type {string} */ key) =>
    sources.includes(`"${key}"`) || families.some((family) => key.startsWith(family));
  assert.deepEqual(
    keys.filter((key) => !used(key)),
    [],
  );
});

const languages = new URL("languages/", folder);
const english = (/** @type {string} */ key) => new RegExp(`^ {2}"?${key.replaceAll(".", "\\.")}"?:\\s+"(.*)",$`, "m");
const placeholders = (/** @type {string} */ text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test("the tables of other languages have keys and placeholders of the English one", async () => {
  const names = Object.keys(LANGUAGES).filter((name) => name !== "en");
  assert.deepEqual(readdirSync(languages).sort(), names.map((name) => `${name}.js`).sort());
  for (const name of names) {
    const { default: texts } = await import(new URL(`${name}.js`, languages).href);
    assert.ok(Object.keys(texts).length > 100, name);
    for (const [key, text] of Object.entries(texts)) {
      const known = english(key).exec(table);
      assert.ok(known, `${name}: ${key}`);
      assert.deepEqual(placeholders(text), placeholders(known[1]), `${name}: ${key}`);
      assert.equal(text, text.trim(), `${name}: ${key}`);
    }
  }
});

test("a language is the one that was chosen, or the first that the browser's user reads", () => {
  for (const [chosen, wanted, expected] of /** @type {[string, string[], string][]} */ ([
    ["auto", ["de-AT", "ru-RU", "en"], "ru"],
    ["auto", ["zh-TW"], "zh"],
    ["auto", ["en-GB", "ja"], "en"],
    ["auto", ["de"], "en"],
    ["auto", [], "en"],
    ["vi", ["ko-KR"], "vi"],
    ["constructor", ["ko-KR"], "ko"],
  ]))
    assert.equal(languageFor(chosen, wanted), expected, `${chosen} ${wanted}`);
});

test("a text with a number of games or moves is right for one too", () => {
  for (const [key, values, expected] of /** @type {[string, Record<string, string | number>, string][]} */ ([
    ["database.games", { rate: 50, count: 1 }, "50\u202f%, games: 1"],
    [
      "opening-help.offer",
      { count: 1 },
      "Choose points for Black's fifth move, 1 left; no two symmetric. White picks one.",
    ],
    ["files.opened", { count: 1 }, "Moves opened: 1."],
    ["files.recent-one", { rule: "Renju", size: 15, count: 1 }, "Renju 15x15, moves: 1"],
  ]))
    assert.equal(t(key, values), expected);
});
