// The way to an engine: lines there and back, over a WebSocket to a server or to a Worker of the page.

import { openWorker } from "./worker_transport.js";

/**
 * @typedef {object} Transport
 * @property {(line: string) => void} send sends lines, separated by line feeds
 * @property {(line: string) => void} onLine called with each line of the engine
 * @property {(state: LinkState) => void} onState called when the link comes up or breaks
 * @property {() => void} retry tries again at once
 * @property {(bytes: ArrayBuffer) => Promise<string>} readLibrary the text of a RenLib library's excerpt, or `ERROR` and the
 *   reason
 * @property {(name: string, bytes: ArrayBuffer) => void} [openDatabase] opens a database in the engine, which has nothing else to
 *   do. Its answer is the line `DATABASE OK`, or `DATABASE ERROR` and the reason
 * @property {() => number} [most] engines that the device has room for
 * @property {() => Transport} [another] the way to one more engine with the same table
 * @property {() => void} [close] ends the engine
 *
 * `MESSAGE DATABASE FILE name` is the line of an engine that has a database.
 *
 * `up`: a fresh engine listens. `down`: tried again soon. `full`: no place is free. `gone`: nobody answers any more.
 * Of a Worker, `missing`: its files can't be loaded. `memory`: it has failed, probably for lack of memory.
 * @typedef {"up" | "down" | "full" | "gone" | "missing" | "memory"} LinkState
 */

/** Time before the first and the longest time before a further attempt, in milliseconds. */
const WAITS = { first: 400, longest: 8000 };
/** Close codes of the server. */
const NO_PLACE = 4001;
/** Status of a file that is not what it should be. */
const UNREADABLE = 422;
/** Attempts that fail without any answer until the address counts as invalid. */
const HOPELESS = 6;
/** A question that every engine answers at once, and its answer. */
const PROBE = { line: "ABOUT", answer: /^name="/ };

/** The engine that the page was built for: a server's, or a Worker. @returns {Transport} */
export function openEngine() {
  const meta = /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="engine"]'));
  if (meta.content === "worker") return openWorker(new URL("worker.js", document.baseURI).href);
  const address = new URL("engine", location.href.replace(/#.*/, ""));
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return openSocket(address.href);
}

/**
 * A link that comes back by itself.
 * @param {string} address
 * @returns {Transport}
 */
export function openSocket(address) {
  /** @type {WebSocket | null} */
  let socket = null;
  let wait = WAITS.first;
  let failures = 0;
  let timer = 0;
  let isUp = false;
  /** @type {Transport} */
  const transport = {
    send(line) {
      if (isUp && socket?.readyState === WebSocket.OPEN) socket.send(line);
    },
    onLine() {},
    onState() {},
    async readLibrary(bytes) {
      const place = new URL("library", location.href.replace(/#.*/, ""));
      const answer = await fetch(place, { method: "POST", body: bytes });
      if (!answer.ok && answer.status !== UNREADABLE) throw new Error(String(answer.status));
      return answer.text();
    },
    retry() {
      failures = 0;
      wait = WAITS.first;
      if (isUp) return;
      // An attempt may hang.
      const old = socket;
      socket = null;
      old?.close();
      connect();
    },
  };
  function connect() {
    clearTimeout(timer);
    const opened = new WebSocket(address);
    socket = opened;
    isUp = false;
    // A server without a free place accepts the connection before it says so: only an engine's line shows that there is one.
    let isAsking = true;
    opened.onopen = () => opened.send(PROBE.line);
    opened.onmessage = (event) => {
      if (!isUp) begin();
      for (const line of String(event.data).split("\n")) {
        if (isAsking && PROBE.answer.test(line)) isAsking = false;
        else transport.onLine(line);
      }
    };
    opened.onclose = (event) => {
      if (socket !== opened) return;
      socket = null;
      isUp = false;
      // A server that is full has answered.
      failures = event.code === NO_PLACE ? 0 : failures + 1;
      const state = event.code === NO_PLACE ? "full" : failures > HOPELESS ? "gone" : "down";
      transport.onState(state);
      timer = window.setTimeout(connect, wait);
      wait = Math.min(wait * 2, WAITS.longest);
    };
  }
  function begin() {
    isUp = true;
    wait = WAITS.first;
    failures = 0;
    transport.onState("up");
  }
  // A page that wakes up does not wait for its timer.
  for (const name of ["online", "focus", "pageshow"]) window.addEventListener(name, () => socket || transport.retry());
  // The caller sets its listeners first.
  queueMicrotask(connect);
  return transport;
}
