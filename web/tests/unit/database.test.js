// What a database says, as data: answers of the engine, values, the order of moves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { askDatabase, inGroups, isDatabase, openDatabase, scoreOf, valueOf } from "../../page/database.js";
import { nameOf } from "../../page/notation.js";
import { play } from "./helper.js";

/** @typedef {import("../../page/database.js").KnownMove} KnownMove */

/** @type {import("../../page/engine.js").Position} */
const position = { size: 15, rule: "renju", moves: [{ x: 7, y: 7 }] };

/** @param {string} name @param {Partial<KnownMove>} parts @returns {KnownMove} */
const move = (name, parts) => ({
  point: { x: name.charCodeAt(0) - 97, y: Number(name.slice(1)) - 1 },
  label: "",
  value: 0,
  depth: 0,
  bound: 0,
  hasComment: false,
  text: "",
  ...parts,
});

test("moves, games and a comment of any form are read", async () => {
  const { sent, engine, say, transport } = play();
  transport.onState("up");
  const asked = askDatabase(engine, position);
  assert.deepEqual(sent.slice(-6), ["YXQUERYDATABASEMORE", "7,7", "DONE", "YXQUERYDATABASEALLT", "7,7", "DONE"]);
  say(
    "OK",
    "ERROR INFO: max_memory is too little",
    "MESSAGE DATABASE HERE 3420965 40 9 3 0.4000 3 1 2 A b",
    "MESSAGE DATABASE MORE 7 6 0.4000 3 1 2",
    "MESSAGE DATABASE BEST 7 6",
  );
  say("MESSAGE DATABASE MORE DONE", "MESSAGE DATABASE REFRESH", "MESSAGE DATABASE 8 6 30517 -29996 12 3 1");
  say("MESSAGE DATABASE 7 6 3420965 40 9 3 0 A b", "MESSAGE DATABASE 0 0 -1 0 0 0 0", "MESSAGE DATABASE DONE");
  say('MESSAGE DATABASE TEXT "one \\"two\\" \\\\', "OK", "ERROR no", "MESSAGE DATABASE FILE x", '"');
  assert.deepEqual(await asked, {
    moves: [
      { ...move("i9", { label: "w5", value: -29996, depth: 12, bound: 3, hasComment: true }) },
      move("h9", {
        label: "43%",
        value: 40,
        depth: 9,
        bound: 3,
        text: "A b",
        rate: 0.4,
        games: { won: 3, drawn: 1, lost: 2 },
      }),
      move("a15", {}),
    ],
    here: {
      label: "43%",
      value: 40,
      depth: 9,
      bound: 3,
      text: "A b",
      rate: 0.4,
      games: { won: 3, drawn: 1, lost: 2 },
    },
    best: { x: 7, y: 8 },
    comment: 'one "two" \\\nOK\nERROR no\nMESSAGE DATABASE FILE x',
    error: "",
  });
  assert.equal(engine.database, "");
});

test("errors of both questions end the request, and the next one is answered", async () => {
  const { engine, say, transport } = play();
  transport.onState("up");
  const asked = askDatabase(engine, position);
  say("OK", "ERROR database: it is damaged: a page", "ERROR database: it is damaged: a page");
  assert.equal((await asked).error, "it is damaged: a page");
  const judged = engine.judge(position, { x: 0, y: 0 });
  say("JUDGE 0,14 PLAIN");
  assert.equal((await judged).what, "plain");
});

test("the engine says which database it has, until its link breaks", () => {
  const { engine, say, transport } = play();
  transport.onState("up");
  let changes = 0;
  engine.onDatabase = () => changes++;
  say("MESSAGE DATABASE FILE my book.kdb", "MESSAGE DATABASE FILE my book.kdb");
  assert.deepEqual([engine.database, changes], ["my book.kdb", 1]);
  transport.onState("down");
  assert.deepEqual([engine.database, changes], ["", 2]);
});

test("values are those of one side, and bounds and lengths are kept", () => {
  const of = (/** @type {Partial<KnownMove>} */ parts) => valueOf(move("a1", parts), "white");
  assert.deepEqual(of({ label: "w5", depth: 2 }), { black: 0, depth: 2, mate: -5 });
  assert.deepEqual(of({ label: "l*" }), { black: 1, depth: 0, mate: 0 });
  assert.deepEqual(of({ label: "d" }), { black: 0.5, depth: 0, mate: 0 });
  assert.deepEqual(of({ label: "99%", value: -29996, bound: 3, rate: 1 }), { black: 0, depth: 0, mate: -5 });
  assert.deepEqual(of({ bound: 2, rate: 0.25 }), { black: 0.75, depth: 0 });
  assert.equal(of({ label: "x" }), null);
  assert.equal(scoreOf({ won: 3, drawn: 1, lost: 0 }, false), 0.125);
});

test("the best moves come first, and those that are the same by symmetry together", () => {
  const moves = [
    move("g9", { label: "x" }),
    move("h9", { bound: 3, rate: 0.6 }),
    move("a1", { label: "l4" }),
    move("g8", { bound: 3, rate: 0.6 }),
    move("c3", { games: { won: 1, drawn: 0, lost: 1 } }),
    move("k9", { label: "w*" }),
    move("e5", { label: "w9" }),
    move("d4", {}),
  ];
  const order = (/** @type {import("../../page/notation.js").Point[]} */ placed) =>
    inGroups(moves, placed, 15, "black").map((group) => group.map(({ point }) => nameOf(point)).join("="));
  assert.deepEqual(order([{ x: 7, y: 7 }]), ["e5", "k9", "h9=g8", "c3", "d4", "a1", "g9"]);
  // A white stone on g9 leaves only one symmetry, which maps h9 to g8.
  assert.deepEqual(
    order([
      { x: 7, y: 7 },
      { x: 6, y: 8 },
    ])[2],
    "h9=g8",
  );
  assert.deepEqual(
    order([
      { x: 7, y: 7 },
      { x: 8, y: 9 },
    ]).slice(2, 4),
    ["h9", "g8"],
  );
});

test("a database is known by its name or its beginning, and opens only where the engine can", async () => {
  const text = (/** @type {string} */ plain) => new TextEncoder().encode(plain);
  assert.ok(isDatabase("a.KDB", text("")) && isDatabase("a", text("kakugo positions\u0002")));
  assert.ok(!isDatabase("a.lib", text("kakugo")));
  const file = new File([text("kakugo positions")], "a.kdb");
  await assert.rejects(openDatabase(play().engine, file), { message: "file.database-server" });
  const opened = { name: "", bytes: 0 };
  const { engine, say, transport } = play({
    openDatabase: (name, bytes) => void Object.assign(opened, { name, bytes: bytes.byteLength }),
  });
  transport.onState("up");
  const good = openDatabase(engine, file);
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(opened, { name: "a.kdb", bytes: 16 });
  say("MESSAGE DATABASE FILE a.kdb", "DATABASE OK");
  await good;
  const bad = openDatabase(engine, file);
  await new Promise((resolve) => setTimeout(resolve));
  say("DATABASE ERROR it is damaged");
  await assert.rejects(bad, { message: "file.database", values: { reason: "it is damaged" } });
});
