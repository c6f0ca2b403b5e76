// Opening and saving: text, SGF, links and pictures, by button, paste or drop.

import { $, h } from "./shared/dom.js";
import { textOf } from "./code_page.js";
import { isDatabase } from "./database.js";
import { isFen, readFen, readPsq, writeFen, writePsq } from "./formats.js";
import { checkSize, isLibrary, readLibrary } from "./library.js";
import { fits, formatMoves, fromLinkText, parseMoves, sizeFor, toLinkText } from "./notation.js";
import { isPgn, readPgn, writePgn } from "./pgn.js";
import { animationOf, pictureOf, pngOf } from "./picture.js";
import { isRule, isVariant, suitsBoard } from "./rules.js";
import { recentGames, takeGame } from "./settings.js";
import { FileError, moveList, readSgf, writeSgf } from "./sgf.js";
import { t } from "./strings.js";
import { GameTree, MOST_PLIES, dayOf, fitsGame } from "./tree.js";

/** Parts of a link after `#`: rule, size and moves in clear; a tree with variations packed. */
const PACKED = "t=";

/**
 * The tree of a text: a link, SGF, Piskvork's file, PGN, a FEN, or moves.
 * @param {string} text @param {GameTree} open the tree that is open, for its rule
 */
export function readText(text, open) {
  const hash = text.includes("#") ? readHash(text.slice(text.indexOf("#"))) : null;
  if (hash) return hash;
  if (/^\s*\(\s*;/.test(text)) return readSgf(text);
  if (/^\ufeff?Piskvorky /.test(text)) return readPsq(text);
  if (isPgn(text)) return readPgn(text);
  if (isFen(text)) return readFen(text, open.rule);
  const moves = parseMoves(text.trim(), isVariant(open.rule));
  if (!moves || moves.length === 0) throw new FileError("file.no-sgf");
  const size = fitsGame(moves, open.size, open.rule) ? open.size : sizeFor(moves);
  return treeOf(moves, size, open.rule);
}

/** @param {import("./notation.js").Point[]} moves @param {number} size @param {import("./rules.js").RuleName} rule */
function treeOf(moves, size, rule) {
  if (moves.length > MOST_PLIES) throw new FileError("file.too-long");
  if (!suitsBoard(rule, size) || !fitsGame(moves, size, rule)) throw new FileError("file.move");
  const tree = new GameTree(size, rule);
  for (const move of moves) tree.current = tree.add(move);
  return tree;
}

/** Whether a link's part after `#` is meant as a game; `#board` is a place on the page. @param {string} hash */
export const isGameHash = (hash) => hash.startsWith(`#${PACKED}`) || hash.includes("/");

/** The tree of a link's part after `#`, or `null`. @param {string} hash */
export function readHash(hash) {
  const body = hash.replace(/^#/, "");
  if (body.startsWith(PACKED)) {
    const text = fromLinkText(body.slice(PACKED.length));
    try {
      return text ? GameTree.unpack(JSON.parse(text)) : null;
    } catch {
      return null;
    }
  }
  const [rule, size, moves] = body.split("/");
  const points = parseMoves(moves || "");
  const isFine =
    isRule(rule) &&
    /^\d+$/.test(size || "") &&
    Number(size) >= 5 &&
    Number(size) <= 20 &&
    points &&
    fits(points, Number(size));
  return isFine ? treeOf(/** @type {any} */ (points), Number(size), /** @type {any} */ (rule)) : null;
}

/** A link's part after `#`: short and readable for a plain line. @param {GameTree} tree */
export function hashOf(tree) {
  const nodes = [tree.root, ...tree.line()];
  const isPlain =
    !tree.start &&
    isRule(tree.rule) &&
    tree.count <= nodes.length &&
    nodes.every((node) => node.comment === "" && node.labels.length === 0 && node.children.length < 2) &&
    tree.current.children.length === 0;
  if (isPlain) return `#${tree.rule}/${tree.size}/${formatMoves(tree.moves())}`;
  return `#${PACKED}${toLinkText(JSON.stringify(tree.pack(false)))}`;
}

/** The page's address for others: without the secret part, which admits to this machine's engines. */
const publicAddress = () => location.origin + location.pathname.replace(/^\/[A-Za-z0-9]{24}\//, "/");

/** @param {string} name @param {Blob} blob */
function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  $("files-done").textContent = t("files.saved", { name });
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    $("files-done").textContent = t("files.copied");
  } catch {
    const box = /** @type {HTMLTextAreaElement} */ ($("paste-box"));
    box.value = text;
    box.select();
    $("files-done").textContent = t("files.no-clipboard");
  }
}

/**
 * The dialog, and what is pasted or dropped anywhere.
 * @param {import("./desk.js").Desk} desk @param {() => SVGElement} board
 * @param {{ readLibrary: (bytes: ArrayBuffer) => Promise<string>, openDatabase: (file: File) => Promise<void> }} engine
 * @param {(tree: GameTree) => void} onOpen
 */
export function makeFiles(desk, board, engine, onOpen) {
  const dialog = /** @type {HTMLDialogElement} */ ($("files-dialog"));
  bindSaves(desk, board);
  /** @param {string} text */
  function open(text) {
    try {
      const tree = readText(text, desk.tree);
      dialog.close();
      onOpen(tree);
    } catch (error) {
      refuse(error);
    }
  }
  /** Says why a file can't be opened. @param {unknown} error */
  function refuse(error) {
    show();
    $("files-done").textContent = "";
    $("files-error").textContent = error instanceof FileError ? t(error.message, error.values) : t("file.no-sgf");
  }
  /** @param {File} file */
  async function openFile(file) {
    try {
      const beginning = new Uint8Array(await file.slice(0, 32).arrayBuffer());
      if (isDatabase(file.name, beginning)) return await openDatabase(file);
      const isOfRenLib = isLibrary(file.name, beginning);
      checkSize(isOfRenLib, file.size);
      const bytes = await file.arrayBuffer();
      if (!isOfRenLib) return open(textOf(new Uint8Array(bytes), navigator.languages));
      show();
      $("files-done").textContent = t("files.reading");
      $("files-error").textContent = "";
      const found = await readLibrary(bytes, engine.readLibrary, navigator.languages).catch(
        (error) => dialog.open && refuse(error),
      );
      // Closing the dialog cancels.
      if (!found || !dialog.open) return;
      const { tree, ...counts } = found;
      onOpen(tree);
      if (counts.shown === counts.all) return dialog.close();
      $("files-done").textContent = t("files.library-part", counts);
    } catch (error) {
      refuse(error);
    }
  }
  /** @param {File} file */
  async function openDatabase(file) {
    show();
    $("files-error").textContent = "";
    $("files-done").textContent = t("files.database-wait");
    await engine.openDatabase(file);
    $("files-done").textContent = t("files.database", { name: file.name });
  }
  function showRecent() {
    const games = recentGames().map(({ at, tree }) => ({ at, tree: GameTree.unpack(tree, Infinity) }));
    $("recent").replaceChildren(
      ...games.flatMap(({ at, tree }) => {
        if (!tree) return [];
        const open = () => {
          dialog.close();
          takeGame(at);
          onOpen(tree);
        };
        const what = t("files.recent-one", {
          rule: t(`rule.${tree.rule}`),
          size: tree.size,
          count: tree.tip(tree.root).ply,
        });
        const when = new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
        return [h("li", {}, h("button", { type: "button", onclick: open }, what, h("small", {}, when)))];
      }),
    );
    $("recent-box").hidden = games.length === 0;
  }
  function show() {
    if (dialog.open) return;
    // Only PGN holds games outside the Gomocup family, but no position that is set up. An animation has no captures.
    const isOther = isVariant(desk.tree.rule);
    for (const id of ["copy-fen", "save-sgf", "save-psq", "save-animation"]) $(id).hidden = isOther;
    // Not every position comes about by alternate moves.
    const isPlain = !!desk.tree.fromEmpty();
    $("copy-moves").hidden = !isPlain;
    $("save-psq").hidden ||= !isPlain;
    $("save-pgn").hidden = !!desk.tree.start;
    showRecent();
    $("files-error").textContent = "";
    $("files-done").textContent = "";
    /** @type {HTMLTextAreaElement} */ ($("paste-box")).value = "";
    dialog.showModal();
  }
  $("files").addEventListener("click", show);
  dialog.addEventListener("close", () => {
    // Chromium keeps the nodes of each text in its undo history until the box leaves the page.
    const box = $("paste-box");
    box.replaceWith(box);
  });
  $("paste-open").addEventListener("click", () => open(/** @type {HTMLTextAreaElement} */ ($("paste-box")).value));
  $("file-input").addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const file = input.files?.[0];
    input.value = "";
    if (file) openFile(file);
  });
  document.addEventListener("paste", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const text = event.clipboardData?.getData("text/plain") || "";
    if (target.closest("input, textarea") || document.querySelector("dialog[open]") || !text) return;
    event.preventDefault();
    open(text);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) return openFile(file);
    const text = event.dataTransfer?.getData("text/plain");
    if (text) open(text);
  });
  return { refuse };
}

/**
 * The buttons that copy and save.
 * @param {import("./desk.js").Desk} desk @param {() => SVGElement} board
 */
function bindSaves(desk, board) {
  const name = () => `kakugo-${dayOf()}`;
  $("copy-moves").addEventListener("click", () => copy(moveList(desk.tree.fromEmpty() || [])));
  $("copy-fen").addEventListener("click", () => copy(writeFen(desk.tree)));
  $("copy-link").addEventListener("click", () => copy(publicAddress() + hashOf(desk.tree)));
  $("save-sgf").addEventListener("click", () =>
    save(`${name()}.sgf`, new Blob([writeSgf(desk.tree)], { type: "application/x-go-sgf" })),
  );
  $("save-psq").addEventListener("click", () =>
    save(`${name()}.psq`, new Blob([writePsq(desk.tree)], { type: "text/plain" })),
  );
  $("save-pgn").addEventListener("click", () =>
    save(`${name()}.pgn`, new Blob([writePgn(desk.tree)], { type: "application/x-chess-pgn" })),
  );
  $("save-svg").addEventListener("click", () =>
    save(`${name()}.svg`, new Blob([pictureOf(board())], { type: "image/svg+xml" })),
  );
  const animation = () => animationOf(board(), desk.tree.start?.stones.length || 0);
  $("save-animation").addEventListener("click", () =>
    save(`${name()}-moves.svg`, new Blob([animation()], { type: "image/svg+xml" })),
  );
  $("save-png").addEventListener("click", async () => save(`${name()}.png`, await pngOf(board())));
}
