// An engine client whose lines the test sees and writes.

import { EngineClient } from "../../page/engine.js";

/**
 * @param {Partial<import("../../page/transport.js").Transport>} [more] parts of the transport that differ
 */
export function play(more = {}) {
  /** @type {string[]} */
  const sent = [];
  /** @type {import("../../page/transport.js").Transport} */
  const transport = {
    send: (text) => void sent.push(...text.split("\n")),
    onLine() {},
    onState() {},
    retry() {},
    readLibrary: async () => "",
    ...more,
  };
  const engine = new EngineClient(transport);
  /** @param {string[]} lines */
  const say = (...lines) => lines.forEach((line) => transport.onLine(line));
  return { sent, engine, say, transport };
}
