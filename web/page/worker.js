// The engine in a Worker, where no server runs one: messages with lines of the protocol in, messages with lines out.
//
// A search occupies the Worker until it ends, so a message can't stop it. Each message therefore brings the address of an
// empty Blob, and the page revokes it to stop: while it searches, the Worker asks for it now and then, and a request that
// fails means stop. That works on any host. Shared memory, the usual way, would need headers that many hosts of files
// can't send.

import { NETWORKS, startEngine } from "./wasm_host.js";

/** Time between two looks for a stop, in milliseconds. A look took 0.2 to 0.3 ms in Chromium. */
const LOOK_MS = 15;
/** Time that lines wait for others, in milliseconds: fewer messages keep the page fluent. */
const BATCH_MS = 40;

/** @typedef {{ lines: string, blob: string } | { library: ArrayBuffer } | { database: ArrayBuffer }} Incoming */
/** @typedef {{ lines?: string[], library?: string, database?: string, state?: "ready" | "begins" | "done" | "missing" | "memory" }} Outgoing */

const scope = /** @type {{ postMessage: (message: Outgoing) => void }} */ (/** @type {unknown} */ (self));
/** Weights files by their names. @type {Map<string, Uint8Array>} */
const networks = new Map();
/** @type {string[]} */
let waiting = [];
let sentAt = 0;
let blob = "";
let lookedAt = 0;
/** Whether this browser's Workers can ask for a Blob at all. */
let canLook = false;

function flush() {
  if (waiting.length > 0) scope.postMessage({ lines: waiting });
  waiting = [];
  sentAt = performance.now();
}

/** @param {string} address */
function isThere(address) {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", address, false);
    request.send();
    return true;
  } catch {
    return false;
  }
}

function stops() {
  const now = performance.now();
  if (now >= sentAt + BATCH_MS) flush();
  if (!canLook || now < lookedAt + LOOK_MS) return false;
  lookedAt = now;
  return !isThere(blob);
}

/** @param {string} path @returns {Promise<ArrayBuffer>} */
async function load(path) {
  const answer = await fetch(new URL(path, self.location.href));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** Loads the networks of the rules that some lines choose, before the engine asks for them. @param {string} lines */
async function loadNetworks(lines) {
  const rules = [...lines.matchAll(/^INFO rule (\d+)$/gm)].map((match) => Number(match[1]));
  for (const rule of rules.length > 0 || networks.size > 0 ? rules : [0]) {
    const name = NETWORKS[rule];
    if (name && !networks.has(name)) networks.set(name, new Uint8Array(await load(`networks/${name}.net`)));
  }
}

const engine = load("engine.wasm")
  .then((bytes) => WebAssembly.compile(bytes))
  .then((module) =>
    startEngine(module, {
      line: (line) => {
        // The comment of a database may have several lines.
        waiting.push(...line.split("\n"));
        if (performance.now() >= sentAt + BATCH_MS) flush();
      },
      stops,
      network: (rule) => networks.get(NETWORKS[rule]) || new Uint8Array(),
    }),
  );

/** @param {Incoming} message */
async function receive(message) {
  try {
    if ("library" in message) {
      const { library } = await engine;
      return scope.postMessage({ library: library(new Uint8Array(message.library)) });
    }
    if ("database" in message) {
      const { database } = await engine;
      return scope.postMessage({ database: database(new Uint8Array(message.database)) });
    }
    await loadNetworks(message.lines);
    const { answer } = await engine;
    canLook ||= isThere(message.blob);
    blob = message.blob;
    scope.postMessage({ state: "begins" });
    answer(message.lines);
    flush();
    scope.postMessage({ state: "done" });
  } catch (error) {
    fail(error);
  }
}

/** @param {unknown} error */
function fail(error) {
  flush();
  console.debug(error);
  const isOfEngine = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
  scope.postMessage({ state: isOfEngine ? "memory" : "missing" });
}

let last = engine.then(() => scope.postMessage({ state: "ready" }), fail);
self.addEventListener("message", ({ data }) => {
  last = last.then(() => receive(data));
});
