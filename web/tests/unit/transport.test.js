// The link to a server, over a WebSocket that the test plays.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openSocket } from "../../page/transport.js";

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
    constructor() {
      sockets.push(this);
    }
    send(/** @type {string} */ text) {
      this.sent.push(text);
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
