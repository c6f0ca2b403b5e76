// Keeps the page's files for use without a network. The export writes `BUILD` before this script: a version, which changes
// with any file, and the files.

const { version, files } = /** @type {{ version: string, files: string[] }} */ (/** @type {any} */ (globalThis).BUILD);
const scope = /** @type {any} */ (globalThis);
/** One host may have several exports, each with a cache of its own; no address contains a space. */
const PREFIX = `kakugo ${scope.registration.scope} `;
const NAME = PREFIX + version;

async function keepFiles() {
  const cache = await caches.open(NAME);
  await cache.addAll(files.map((file) => new Request(file, { cache: "no-cache" })));
  await scope.skipWaiting();
}

async function dropOthers() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/** What is kept, or else what the network has. @param {Request} request */
async function answer(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request, { ignoreSearch: true })) || fetch(request);
}

scope.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keepFiles()));
scope.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(dropOthers()));
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(scope.registration.scope)) event.respondWith(answer(request));
});
