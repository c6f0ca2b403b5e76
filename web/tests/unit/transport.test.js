// The link to a server, over a WebSocket that the test plays, and the one to a Worker.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openSocket } from "../../page/transport.js";
import { openWorker } from "../../page/worker_transport.js";

/** Opens a link. `timers` has the waits before attempts, `again` makes the next attempt. */
async function link() {
  /** @type {any[]} */
  const sockets = [];
  /** @type {number[]} */
  const timers = [];
  let again = () => {};
  class Socket {
    static OPEN = 1;
    readyState = 1;
    /** @type {string[]} */
    sent = [];
    isClosed = false;
    constructor() {
      sockets.push(this);
    }
    send(/** @type {string} */ text) {
      this.sent.push(text);
    }
    close() {
      this.isClosed = true;
    }
  }
  const setTimeout = (/** @type {() => void} */ next, /** @type {number} */ wait) => {
    timers.push(wait);
    again = next;
    return timers.length;
  };
  Object.assign(globalThis, { WebSocket: Socket, window: { addEventListener() {}, setTimeout } });
  const transport = openSocket("ws://host/engine");
  /** @type {string[]} */
  const states = [];
  /** @type {string[]} */
  const lines = [];
  transport.onState = (state) => states.push(state);
  transport.onLine = (line) => lines.push(line);
  await Promise.resolve();
  return { transport, sockets, states, lines, timers, again: () => again() };
}

test("a server without a place is asked more and more seldom, and never counts as connected", async () => {
  const { sockets, states, timers, again } = await link();
  for (let attempt = 0; attempt < 10; attempt++) {
    sockets[attempt].onopen();
    sockets[attempt].onclose({ code: 4001 });
    again();
  }
  assert.deepEqual(new Set(states), new Set(["full"]));
  assert.deepEqual(timers.slice(0, 7), [400, 800, 1600, 3200, 6400, 8000, 8000]);
});

test("a link is up with the engine's first line, and the answer to the page's own question goes no further", async () => {
  const { transport, sockets, states, lines, timers, again } = await link();
  sockets[0].onclose({ code: 1006 });
  again();
  sockets[1].onopen();
  assert.deepEqual([states, sockets[1].sent], [["down"], ["ABOUT"]]);
  sockets[1].onmessage({ data: 'MESSAGE DATABASE FILE a.kdb\nname="Kakugo", version="1"\nname="x"' });
  assert.deepEqual(
    [states, lines],
    [
      ["down", "up"],
      ["MESSAGE DATABASE FILE a.kdb", 'name="x"'],
    ],
  );
  transport.send("START 15");
  assert.equal(sockets[1].sent.at(-1), "START 15");
  sockets[1].onclose({ code: 1006 });
  assert.deepEqual(timers, [400, 400], "the wait begins anew");
});

test("an attempt that hangs is given up when the person tries again, and a link that is up stays", async () => {
  const { transport, sockets, states } = await link();
  transport.retry();
  assert.deepEqual([sockets.length, sockets[0].isClosed], [2, true]);
  sockets[0].onclose({ code: 1006 });
  assert.deepEqual(states, []);
  sockets[1].onopen();
  sockets[1].onmessage({ data: 'name="Kakugo"' });
  transport.retry();
  assert.deepEqual([states, sockets.length, sockets[1].isClosed], [["up"], 2, false]);
});

test("a Worker whose search was stopped before it began is replaced if it does not notice", async () => {
  /** @type {any[]} */
  const workers = [];
  class Engine {
    isEnded = false;
    constructor() {
      workers.push(this);
    }
    postMessage() {}
    terminate() {
      this.isEnded = true;
    }
  }
  /** @type {Map<number, () => void>} */
  const timers = new Map();
  const setTimeout = (/** @type {() => void} */ next) => {
    timers.set(timers.size + 1, next);
    return timers.size;
  };
  const clearTimeout = (/** @type {number} */ timer) => timers.delete(timer);
  const { navigator = { hardwareConcurrency: 1 } } = globalThis;
  const before = { clearTimeout: globalThis.clearTimeout, window: globalThis.window };
  Object.assign(globalThis, { Worker: Engine, navigator, clearTimeout, window: { addEventListener() {}, setTimeout } });
  const transport = openWorker("worker.js");
  /** @type {string[]} */
  const states = [];
  transport.onState = (state) => states.push(state);
  await Promise.resolve();
  const say = (/** @type {string} */ state) => workers.at(-1).onmessage({ data: { state } });
  say("ready");
  transport.send("YXNBEST 1");
  transport.send("YXSTOP");
  assert.equal(timers.size, 0, "nothing is at work yet");
  say("begins");
  assert.equal(timers.size, 1);
  say("done");
  assert.equal(timers.size, 0, "it has noticed");
  say("begins");
  for (const next of timers.values()) next();
  assert.deepEqual([states, workers.length, workers[0].isEnded], [["up", "down"], 2, true]);
  say("ready");
  transport.send("YXNBEST 1");
  say("begins");
  assert.equal(timers.size, 0, "nobody stops this one");
  Object.assign(globalThis, before);
});
