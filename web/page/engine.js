// The conversation with an engine in the words of its protocol: one request at a time, each with its own position.

import { askState, formatPoint, isRefusal, limitLines, lineReader, moveOf, placedLines, rowsOf } from "./live.js";
import { RULE_CODES, isRule } from "./rules.js";

/**
 * @typedef {import("./notation.js").Point} Point
 * @typedef {import("./live.js").Line} Line
 * A position; moves on `excluded` are left out of an analysis.
 * In games whose sides do not always alternate, `sides` holds the side of each move and `toMove` the side to move now.
 * `start` is the position before the moves, if one was set up.
 * @typedef {{
 *   size: number, rule: import("./rules.js").RuleName, moves: Point[], excluded?: Point[],
 *   sides?: ("black" | "white")[], toMove?: "black" | "white", start?: import("./tree.js").Start,
 * }} Position
 * @typedef {import("./tree.js").Judgement} Judgement
 *
 * Limits of a search: a level from 1 to 10, milliseconds and positions for the move, and the clock of the game.
 * @typedef {{
 *   level?: number, turnMs?: number, matchMs?: number, leftMs?: number, incrementMs?: number, seed?: number,
 *   nodes?: number,
 * }} Limits
 *
 * A request. `lines` are sent when its turn comes; `take` returns whether a line was its last one, `isBroken` whether a line
 * ends it because it was stopped, `hears` whether a line is meant for it at all.
 * @typedef {object} Request
 * @property {() => string[]} lines
 * @property {(line: string) => boolean} take
 * @property {(line: string) => boolean} isBroken
 * @property {(line: string) => boolean} hears
 * @property {(reason: Error) => void} fail
 * @property {"short" | "search" | "endless"} kind an endless search gives way to any later request, and
 *   begins again after it
 * @property {boolean} isWanted
 * @property {boolean} givesWay
 * @property {number} cuts breaks of the link in a row, without a line of the engine between them
 */

/** Time to think about an offered draw, in milliseconds. */
const DRAW_MS = 1500;

/** Breaks of the link in a row after which a request is given up: it may be what breaks the link. */
const MOST_CUTS = 2;

/** Why a request ends without a result: it was cancelled. */
export class Cancelled extends Error {}

/** Why a request ends without a result: each time that it was asked, the link broke. It has no message for people. */
export class CutOff extends Error {}

export class EngineClient {
  /** @type {Request[]} */
  #queue = [];
  /** @type {Request | null} */
  #running = null;
  /** @type {import("./transport.js").LinkState | "new"} */
  #state = "new";
  /** Size and rule that the engine knows. */
  #known = "";
  /** Whether the engine leaves moves out. */
  #excludes = false;
  /** Answers of START that are still to come; what comes before them belongs to an earlier request. */
  #skip = 0;
  /** @type {import("./transport.js").Transport} */
  #transport;

  /** The name of the database that the engine has open, or nothing. */
  database = "";
  /** Called when another database is open, or none. */
  onDatabase = () => {};
  /** Called when the link comes up or breaks. @type {(state: import("./transport.js").LinkState) => void} */
  onState = () => {};

  /** @param {import("./transport.js").Transport} transport */
  constructor(transport) {
    this.#transport = transport;
    transport.onLine = (line) => this.#take(line);
    transport.onState = (state) => this.#changeState(state);
  }

  get isUp() {
    return this.#state === "up";
  }

  /** Whether the link is broken: a request would wait for who knows how long. */
  get isBroken() {
    return this.#state !== "up" && this.#state !== "new";
  }

  /** Engines that may work at the same time, this one included. */
  get most() {
    return this.#transport.most?.() || 1;
  }

  /** Another engine beside this one, where the page can have several; it has to be closed. */
  another() {
    const transport = this.#transport.another?.();
    return transport ? new EngineClient(transport) : null;
  }

  /** Ends the engine and forgets every request. */
  close() {
    this.#queue = [];
    this.#running = null;
    this.#transport.close?.();
  }

  /** @param {import("./transport.js").LinkState} state */
  #changeState(state) {
    this.#state = state;
    const cut = this.#running;
    this.#running = null;
    this.#known = "";
    this.#excludes = false;
    this.#skip = 0;
    this.#setDatabase("");
    if (cut?.isWanted) this.#askAgain(cut, state);
    this.onState(state);
    if (this.isUp) this.#next();
  }

  /**
   * A new engine knows nothing: a request that was cut off comes first again, but not without end.
   * @param {Request} request @param {import("./transport.js").LinkState} state
   */
  #askAgain(request, state) {
    // A search that was being stopped, a Worker without its files or with too little memory: the request is not the cause.
    const isSuspect = !request.givesWay && state !== "missing" && state !== "memory";
    request.givesWay = false;
    if (isSuspect) request.cuts++;
    if (request.cuts < MOST_CUTS) {
      this.#queue.unshift(request);
      return;
    }
    request.isWanted = false;
    request.fail(new CutOff());
  }

  #next() {
    if (this.#running || !this.isUp) return;
    // What ends by itself goes before what does not.
    const first = this.#queue.findIndex(({ kind }) => kind !== "endless");
    const [request] = this.#queue.splice(Math.max(0, first), 1);
    if (!request) return;
    this.#running = request;
    const lines = request.lines();
    if (lines.length > 0) this.#transport.send(lines.join("\n"));
  }

  /** @param {string} line */
  #take(line) {
    if (this.#skip > 0 && line === "OK") {
      this.#skip--;
      return;
    }
    const request = this.#running;
    if (this.#skip > 0 || !request?.hears(line)) {
      const file = /^MESSAGE DATABASE FILE (.*)$/.exec(line);
      if (file) this.#setDatabase(file[1]);
      return;
    }
    request.cuts = 0;
    if (request.givesWay && request.isBroken(line)) {
      request.givesWay = false;
      if (request.isWanted) this.#queue.push(request);
    } else if (!request.take(line)) {
      return;
    }
    this.#running = null;
    if (request.hears === isAnswer && isRefusal(line)) this.#beginAnew();
    this.#next();
  }

  /** After a refused position the engine still answers the question about it, maybe by a search without end. */
  #beginAnew() {
    this.#transport.send("YXSTOP");
    this.#known = "";
  }

  /**
   * The lines that set a position up.
   * @param {Position} position @param {string} opening `BOARD` or `YXBOARD`
   */
  setUp(position, opening) {
    const { size, rule, moves } = position;
    const lines = [];
    const wanted = `${size} ${rule}`;
    if (this.#known !== wanted) {
      // A game with a board of its own begins on a board of that size.
      const start = isRule(rule)
        ? [`INFO rule ${RULE_CODES[rule]}`, `START ${size}`]
        : [`START ${size}`, `INFO game ${rule}`];
      lines.push("INFO rows_first 0", "INFO show_detail 2", "INFO game freestyle", ...start);
      this.#known = wanted;
      this.#skip++;
    }
    const excluded = position.excluded || [];
    if (this.#excludes) lines.push("YXBLOCKRESET");
    if (excluded.length > 0) lines.push("YXBLOCK", ...excluded.map((point) => formatPoint(point, size)), "DONE");
    this.#excludes = excluded.length > 0;
    lines.push(...(position.start ? placedLines(position.start, moves.length, size, opening) : [opening]));
    // 1 is the side to move, 2 the other. Without a question for a move, any side may be 1 in games with sides of their own.
    const own = opening === "BOARD" ? position.toMove : "black";
    moves.forEach((move, index) => {
      const isOwn = position.sides ? position.sides[index] === own : (moves.length - index) % 2 === 0;
      lines.push(`${formatPoint(move, size)},${isOwn ? 1 : 2}${move.choice ? `,${move.choice}` : ""}`);
    });
    lines.push("DONE");
    return lines;
  }

  /**
   * Puts a request into the queue.
   * @template T
   * @param {Request["kind"]} kind
   * @param {() => string[]} lines
   * @param {(line: string, resolve: (value: T) => void, reject: (reason: Error) => void) => boolean} take
   * @param {{ isBroken?: (line: string) => boolean, hears?: (line: string) => boolean }} [more]
   * @returns {{ result: Promise<T>, cancel: () => void, hurry: () => void }}
   */
  ask(kind, lines, take, { isBroken = (line) => !line.startsWith("INFO"), hears = isAnswer } = {}) {
    /** @type {Request} */
    let request;
    /** @type {Promise<T>} */
    const result = new Promise((resolve, reject) => {
      request = {
        lines,
        kind,
        isWanted: true,
        givesWay: false,
        cuts: 0,
        fail: reject,
        take: (line) => take(line, resolve, reject),
        isBroken,
        hears,
      };
      this.#queue.push(request);
    });
    // Whoever cancels need not care.
    result.catch(() => {});
    const running = this.#running;
    if (running?.kind === "endless" && running.isWanted && !running.givesWay) {
      running.givesWay = true;
      this.#transport.send("YXSTOP");
    }
    this.#next();
    const hurry = () => this.#running === request && this.#transport.send("YXSTOP");
    return { result, cancel: () => this.#cancel(request), hurry };
  }

  /** @param {Request} request */
  #cancel(request) {
    if (!request.isWanted) return;
    request.isWanted = false;
    request.fail(new Cancelled());
    const index = this.#queue.indexOf(request);
    if (index >= 0) this.#queue.splice(index, 1);
    // Its answer still comes, and ends it.
    if (this.#running === request && request.kind !== "short") this.#transport.send("YXSTOP");
  }

  /** @param {string} name */
  #setDatabase(name) {
    if (name === this.database) return;
    this.database = name;
    this.onDatabase();
  }

  /** Whether the engine takes a database from the page. */
  get takesDatabase() {
    return !!this.#transport.openDatabase;
  }

  /** Sends the engine a database, which it has to be free for. @param {string} name @param {ArrayBuffer} bytes */
  sendDatabase(name, bytes) {
    this.#transport.openDatabase?.(name, bytes);
  }

  /**
   * What a move would make. Fails with the engine's reason if the move is impossible.
   * @param {Position} position @param {Point} move
   */
  judge(position, move) {
    if (position.sides) return askState(this, position, move);
    const { size } = position;
    const lines = () => [...this.setUp(position, "YXBOARD"), `YXJUDGE ${formatPoint(move, size)}`];
    return this.ask("short", lines, (line, /** @type {(judged: Judgement) => void} */ resolve, reject) => {
      const match = /^JUDGE \S+ (PLAIN|FIVE|FOUL (\S+))(.*)$/.exec(line);
      if (match)
        resolve({
          what: match[2] ? "foul" : match[1] === "FIVE" ? "five" : "plain",
          foul: match[2],
          rows: rowsOf(match[3], size),
        });
      else if (isRefusal(line)) reject(new Error(line));
      return !!match || isRefusal(line);
    }).result;
  }

  /**
   * The engine's move. `onLine` is called with its thoughts. A function gives the limits when the engine is asked, which may be
   * long after: clocks run on.
   * @param {Position} position @param {Limits | (() => Limits)} limits @param {(line: Line) => void} onLine
   */
  move(position, limits, onLine) {
    const limitsNow = () => (typeof limits === "function" ? limits() : limits);
    const lines = () => [...limitLines(limitsNow()), ...this.setUp(position, "BOARD")];
    return this.search("search", position, lines, onLine);
  }

  /**
   * The best `count` lines, until cancelled or for `limits.turnMs`.
   * @param {Position} position @param {number} count @param {Limits} limits @param {(line: Line) => void} onLine
   */
  analyse(position, count, limits, onLine) {
    const lines = () => [...limitLines(limits), ...this.setUp(position, "YXBOARD"), `YXNBEST ${count}`];
    return this.search(limits.turnMs ? "search" : "endless", position, lines, onLine);
  }

  /**
   * Whether the engine accepts a draw that the side to move offers. Fails with the engine's reason without an answer.
   * @param {Position} position
   */
  offerDraw(position) {
    const lines = () => [...limitLines({ turnMs: DRAW_MS }), ...this.setUp(position, "YXBOARD"), "YXDRAW"];
    return this.ask("search", lines, (line, /** @type {(isAccepted: boolean) => void} */ resolve, reject) => {
      const answer = /^MESSAGE DRAW (YES|NO)$/.exec(line);
      if (answer) resolve(answer[1] === "YES");
      else if (isRefusal(line)) reject(new Error(line));
      return !!answer || isRefusal(line);
    });
  }

  /**
   * A move after which both sides have about the same chance.
   * @param {Position} position
   */
  balance(position) {
    const lines = () => [...limitLines({ turnMs: 6000 }), ...this.setUp(position, "YXBOARD"), "YXBALANCEONE"];
    return this.search("search", position, lines, () => {});
  }

  /**
   * @param {Request["kind"]} kind @param {Position} position
   * @param {() => string[]} lines @param {(line: Line) => void} onLine
   */
  search(kind, position, lines, onLine) {
    const reader = lineReader(position.size);
    let isWanted = true;
    const asked = this.ask(kind, lines, (text, /** @type {(move: Point | null) => void} */ resolve) => {
      const line = reader.take(text);
      if (line && isWanted) onLine(line);
      const move = moveOf(text, position.size);
      const isEnd = !!move || isRefusal(text);
      if (isEnd) resolve(move);
      return isEnd;
    });
    const cancel = () => {
      isWanted = false;
      asked.cancel();
    };
    return { result: asked.result, cancel, hurry: asked.hurry };
  }
}

/** Whether a line is an answer of the engine, and not for people only. @param {string} line */
const isAnswer = (line) => !/^(MESSAGE (?!DRAW )|DEBUG|ERROR INFO)/.test(line);
