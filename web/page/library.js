// Libraries of RenLib: the engine's side reads them, as SGF of all positions up to some move; their texts are decoded here.
// Knows nothing of the page.

import { decoderOf } from "./code_page.js";
import { FileError, readSgf } from "./sgf.js";
import { MOST } from "./tree.js";

/**
 * What is shown of a library: its tree, the positions in it and in the whole library, and the moves to the last positions.
 * @typedef {{ tree: import("./tree.js").GameTree, shown: number, all: number, moves: number }} Library
 */

/** Largest library and largest file of another kind that are read, in bytes. */
const MOST_BYTES = 32 << 20;
const MOST_TEXT_BYTES = 4 << 20;
/** First bytes of a library: FF "RenLib" FF. */
const BEGINS = [0xff, 0x52, 0x65, 0x6e, 0x4c, 0x69, 0x62, 0xff];

/** Whether a file is a library, by its name or its first bytes. @param {string} name @param {Uint8Array} bytes */
export const isLibrary = (name, bytes) =>
  /\.lib$/i.test(name) || (bytes.length > BEGINS.length && BEGINS.every((byte, index) => bytes[index] === byte));

/** Refuses a file that is too large, before it is read. @param {boolean} isOfRenLib @param {number} size in bytes */
export function checkSize(isOfRenLib, size) {
  if (isOfRenLib && size > MOST_BYTES) throw new FileError("file.library-size");
  if (!isOfRenLib && size > MOST_TEXT_BYTES) throw new FileError("file.too-long");
}

/**
 * @param {ArrayBuffer} bytes @param {(bytes: ArrayBuffer) => Promise<string>} read asks the engine's side
 * @param {readonly string[]} languages the user's, to choose between code pages that fit equally well
 * @returns {Promise<Library>}
 */
export async function readLibrary(bytes, read, languages) {
  checkSize(true, bytes.byteLength);
  const text = await read(bytes).catch(() => {
    throw new FileError("file.library-engine");
  });
  const [, reason] = /^ERROR (.*)$/s.exec(text) || [];
  if (reason) throw new FileError("file.library", { reason });
  const [, shown, all, moves, sgf] = /^(\d+) (\d+) (\d+)\n(.*)$/s.exec(text) || [];
  if (!sgf) throw new FileError("file.library-engine");
  // A comment cut inside a character would fit no code page.
  const tree = readSgf(sgf, Infinity);
  tree.current = tree.root;
  decode(tree, languages);
  return { tree, shown: Number(shown), all: Number(all), moves: Number(moves) };
}

/**
 * Decodes the comments, in which each character is a byte.
 * @param {import("./tree.js").GameTree} tree @param {readonly string[]} languages
 */
function decode(tree, languages) {
  /** @type {import("./tree.js").Node[]} */
  const noted = [];
  const open = [tree.root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.comment) noted.push(node);
    open.push(...node.children);
  }
  const bytes = noted.map((node) => Uint8Array.from(node.comment, (character) => character.charCodeAt(0)));
  const decoder = decoderOf(bytes, languages);
  noted.forEach((node, index) => (node.comment = decoder.decode(bytes[index]).slice(0, MOST.comment)));
}
