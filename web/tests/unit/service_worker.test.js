// The service worker, in a scope that the test plays.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const script = readFileSync(new URL("../../page/service_worker.js", import.meta.url), "utf8");

test("an export deletes its own old files and leaves the files of other exports on the host", async () => {
  /** @type {Set<string>} */
  const kept = new Set();
  const caches = {
    open: async (/** @type {string} */ name) => (kept.add(name), { addAll() {} }),
    keys: async () => [...kept],
    delete: async (/** @type {string} */ name) => kept.delete(name),
  };
  /** Installs a version and makes it the active one. @param {string} folder @param {string} version */
  async function install(folder, version) {
    /** @type {Record<string, (event: any) => void>} */
    const listeners = {};
    const scope = {
      BUILD: { version, files: [] },
      caches,
      registration: { scope: `https://host/${folder}` },
      addEventListener: (/** @type {string} */ name, /** @type {(event: any) => void} */ listener) =>
        void (listeners[name] = listener),
      skipWaiting() {},
      clients: { claim() {} },
    };
    vm.runInNewContext(script, scope);
    for (const name of ["install", "activate"])
      await new Promise((resolve) =>
        listeners[name]({ waitUntil: (/** @type {Promise<void>} */ end) => resolve(end) }),
      );
  }
  await install("a/", "1");
  await install("a/b/", "1");
  await install("a/", "2");
  assert.equal(kept.size, 2);
  await install("a/b/", "2");
  assert.equal(kept.size, 2);
});
