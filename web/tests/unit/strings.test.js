// Every text that the page asks for exists, and every text is asked for.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

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
