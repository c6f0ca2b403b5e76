// The way to an engine in a Worker of the page.

/**
 * @typedef {import("./worker.js").Outgoing} Outgoing
 * @typedef {import("./transport.js").Transport} Transport
 */

/** The engine's table in KB, at first and at least; each time that memory was short, it is halved. */
const TABLE_KB = { first: 65536, least: 4096 };
/** Table on a device that states little memory, in KB. */
const SMALL_TABLE_KB = 16384;
/** Time for a search to notice that it is stopped, in milliseconds; after that a new Worker takes its place. */
const PATIENCE = 400;
/** Time before a Worker that failed is replaced, in milliseconds. */
const PAUSE = 2000;

/** Memory beside the table, in KB; that of a database in addition to its bytes. */
const MORE_KB = { engine: 32768, database: 16384 };

/** Most Workers at the same time. */
const MOST = 4;

/**
 * Workers that this device has room for. Browsers that do not state their memory get two on phones and tablets.
 * @param {{ hardwareConcurrency?: number, deviceMemory?: number }} device @param {boolean} isTouch
 */
export function workersFor({ hardwareConcurrency = 1, deviceMemory }, isTouch) {
  const memory = deviceMemory || (isTouch ? 4 : 8);
  return Math.max(1, Math.min(memory <= 2 ? 1 : memory <= 4 ? 2 : MOST, hardwareConcurrency));
}

/**
 * A Worker with an engine, replaced when it fails.
 * @param {string} address the Worker's script @param {number} [table] the engine's table in KB
 * @returns {Transport}
 */
export function openWorker(address, table) {
  /** @type {Worker | null} */
  let worker = null;
  const first = /** @type {any} */ (navigator).deviceMemory <= 2 ? SMALL_TABLE_KB : TABLE_KB.first;
  let tableKb = table || first;
  let blob = "";
  /** Whether the engine is at work, and can't take messages. */
  let isBusy = false;
  let timer = 0;
  let watchdog = 0;
  let isClosed = false;
  /** The database, for each Worker that takes the place of another. @type {{ name: string, bytes: ArrayBuffer } | null} */
  let database = null;
  /** The database that the Worker is reading. @type {{ name: string, bytes: ArrayBuffer } | null} */
  let offered = null;
  /** Whether somebody waits for the database to be opened. */
  let isAsked = false;
  /** @type {Transport} */
  const transport = {
    send(lines) {
      if (!worker) return;
      if (lines === "YXSTOP") return stop();
      blob ||= URL.createObjectURL(new Blob());
      worker.postMessage({ lines, blob });
    },
    onLine() {},
    onState() {},
    retry: start,
    // Memory that was short once is not divided.
    most: () => (tableKb < first ? 1 : workersFor(navigator, matchMedia("(pointer: coarse)").matches)),
    readLibrary: (bytes) => readLibrary(address, bytes),
    openDatabase(name, bytes) {
      isAsked = true;
      giveDatabase({ name, bytes });
    },
    another: () => openWorker(address, tableKb),
    close() {
      isClosed = true;
      clearTimeout(timer);
      window.removeEventListener("online", onOnline);
      drop();
    },
  };

  function start() {
    if (isClosed) return;
    clearTimeout(timer);
    drop();
    const started = new Worker(address, { type: "module" });
    worker = started;
    started.onmessage = ({ data }) => worker === started && receive(data);
    started.onerror = (event) => {
      event.preventDefault();
      if (worker === started) fail("missing");
    };
  }

  /** @param {{ name: string, bytes: ArrayBuffer }} given */
  function giveDatabase(given) {
    if (!worker) return;
    offered = given;
    const memory = (tableKb + MORE_KB.engine + MORE_KB.database) * 1024 + given.bytes.byteLength;
    transport.send(`INFO max_memory ${memory}`);
    worker.postMessage({ database: given.bytes });
  }

  /** @param {string} opened `OK`, or an error */
  function takeDatabase(opened) {
    // If another one can't be read, the engine keeps the one that it has.
    if (opened === "OK") database = offered;
    else if (offered === database) database = null;
    if (opened === "OK") transport.onLine(`MESSAGE DATABASE FILE ${database?.name.replace(/\s+/g, " ")}`);
    if (isAsked) transport.onLine(`DATABASE ${opened}`);
    isAsked = false;
  }

  function drop() {
    clearTimeout(watchdog);
    worker?.terminate();
    worker = null;
    isBusy = false;
    renewBlob();
  }

  /** Without its Blob, what was sent so far stops. */
  function renewBlob() {
    if (blob) URL.revokeObjectURL(blob);
    blob = "";
  }

  /** @param {Outgoing} message */
  function receive({ lines = [], database: opened, state }) {
    for (const line of lines) transport.onLine(line);
    if (opened !== undefined) takeDatabase(opened);
    if (state === "ready") {
      transport.send(`INFO hash_size ${tableKb}\nINFO max_memory ${(tableKb + MORE_KB.engine) * 1024}`);
      transport.onState("up");
      if (database) giveDatabase(database);
    }
    if (state === "begins" || state === "done") {
      isBusy = state === "begins";
      watch();
    }
    if (state === "missing" || state === "memory") fail(state);
  }

  function stop() {
    renewBlob();
    watch();
  }

  /** Gives a search that was stopped, which may have been before it began, a moment to notice it. */
  function watch() {
    clearTimeout(watchdog);
    if (isBusy && !blob)
      watchdog = window.setTimeout(() => {
        transport.onState("down");
        start();
      }, PATIENCE);
  }

  /** @param {"missing" | "memory"} state */
  function fail(state) {
    drop();
    if (state === "memory") {
      tableKb = Math.max(TABLE_KB.least, tableKb / 2);
      // It may be what took the memory.
      if (isAsked) transport.onLine("DATABASE ERROR there is too little memory for it");
      database = null;
      isAsked = false;
    }
    transport.onState(state);
    timer = window.setTimeout(start, PAUSE);
  }

  const onOnline = () => worker || start();
  window.addEventListener("online", onOnline);
  // The caller sets its listeners first.
  queueMicrotask(start);
  return transport;
}

/**
 * Reads a RenLib library in a Worker of its own: nothing has to wait, and its memory is free again.
 * @param {string} address @param {ArrayBuffer} bytes @returns {Promise<string>}
 */
function readLibrary(address, bytes) {
  const worker = new Worker(address, { type: "module" });
  const found = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      const { library, state } = /** @type {Outgoing} */ (data);
      if (state === "ready") worker.postMessage({ library: bytes }, [bytes]);
      else if (library !== undefined) resolve(library);
      else reject(new Error(state));
    };
    worker.onerror = () => reject(new Error("missing"));
  });
  return found.finally(() => worker.terminate());
}
