// The engine's WebAssembly module and what it needs from its host. For a Worker, and for tests in Node.

/**
 * What the engine asks of its host.
 * @typedef {object} Host
 * @property {(line: string) => void} line receives each line of the engine
 * @property {() => boolean} stops whether the search in progress should stop; asked every millisecond or so
 * @property {(rule: number) => Uint8Array} network the weights file of a rule, by its code in `INFO rule`
 */

/** Names of the weights files, by the rule's code. @type {Record<number, string>} */
export const NETWORKS = { 0: "freestyle", 1: "standard", 4: "renju", 8: "caro", 9: "caro" };

/**
 * Starts an engine. `answer` returns when the lines are answered, searches included.
 * @param {WebAssembly.Module} module @param {Host} host
 * `library` returns the text of a RenLib library's excerpt, `database` opens a database and returns `OK` or an error, see
 * `web/wasm/src/lib.rs`.
 * @returns {Promise<{
 *   answer: (lines: string) => void, library: (bytes: Uint8Array) => string, database: (bytes: Uint8Array) => string,
 *   bytes: () => number,
 * }>}
 */
export async function startEngine(module, host) {
  /** @type {Uint8Array} */
  let network = new Uint8Array();
  let take = host.line;
  const text = { encoder: new TextEncoder(), decoder: new TextDecoder() };
  const imports = {
    now: () => performance.now(),
    stops: () => Number(host.stops()),
    line: (/** @type {number} */ from, /** @type {number} */ length) =>
      take(text.decoder.decode(new Uint8Array(memory.buffer, from, length))),
    network_length: (/** @type {number} */ rule) => (network = host.network(rule)).length,
    network_bytes: (/** @type {number} */ _rule, /** @type {number} */ to) =>
      new Uint8Array(memory.buffer, to, network.length).set(network),
  };
  const { exports } = await WebAssembly.instantiate(module, { kakugo: imports });
  const memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  const input = /** @type {(length: number) => number} */ (exports.kakugo_input);
  const answer = /** @type {() => void} */ (exports.kakugo_answer);
  const library = /** @type {() => void} */ (exports.kakugo_library);
  const database = /** @type {() => void} */ (exports.kakugo_database);
  /** @param {Uint8Array} bytes */
  function put(bytes) {
    // The memory may grow, and its buffer change, until the place is there.
    const to = input(bytes.length);
    new Uint8Array(memory.buffer, to, bytes.length).set(bytes);
  }
  /** The text that a function of the module says about some bytes. @param {() => void} use @param {Uint8Array} bytes */
  function textOf(use, bytes) {
    let found = "";
    put(bytes);
    take = (line) => (found = line);
    use();
    take = host.line;
    return found;
  }
  return {
    answer(lines) {
      put(text.encoder.encode(lines + "\n"));
      answer();
    },
    library: (bytes) => textOf(library, bytes),
    database: (bytes) => textOf(database, bytes),
    bytes: () => memory.buffer.byteLength,
  };
}
