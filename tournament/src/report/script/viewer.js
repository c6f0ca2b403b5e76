// One game on the large board: stepping, playing, the details of each move, the evidence.

const PLAY_MS = 650;

/** The viewer; `onchange(game, ply)` is called when the shown position changes. */
function makeViewer(onchange) {
  let current = null;
  let board = null;
  let ply = 0;
  let timer = 0;
  const graph = valueGraph($("graph"), (to) => step(to));

  function open(game, at) {
    stop();
    current = unpack(game);
    board = largeBoard(current, (to) => step(to));
    $("board").replaceChildren(board.svg);
    $("scrubber").max = current.stones.length;
    graph.show(current);
    showPlayers();
    showMoves();
    showEvidence();
    go(at === undefined ? current.stones.length : at);
  }
  /** Goes to a ply that the user chose: a game that plays stops. */
  function step(to) {
    stop();
    go(to);
  }
  function go(to) {
    if (!current) return;
    ply = Math.max(0, Math.min(current.stones.length, Math.trunc(to) || 0));
    board.show(ply);
    graph.mark(ply);
    $("scrubber").value = ply;
    const stone = current.stones[ply - 1];
    $("scrubber").setAttribute("aria-valuetext", stone ? `Move ${ply}, ${stone.word}` : "Start");
    const ended = ply === current.stones.length;
    for (const id of ["to-start", "back"]) $(id).disabled = ply === 0;
    for (const id of ["forward", "to-end"]) $(id).disabled = ended;
    $("players").classList.toggle("ended", ended);
    showReadout(stone, ended);
    for (const button of $("moves").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const button = $("moves").querySelector(`[data-ply="${ply}"]`);
    if (button) {
      button.setAttribute("aria-current", "step");
      reveal(button, $("moves"));
    }
    onchange(current.game, ply);
  }
  function play() {
    if (timer) return stop();
    if (ply === current.stones.length) go(current.opening < ply ? current.opening : 0);
    $("readout").setAttribute("aria-live", "off");
    showPlayButton(true);
    timer = setInterval(() => {
      go(ply + 1);
      if (ply === current.stones.length) stop();
    }, PLAY_MS);
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    $("readout").setAttribute("aria-live", "polite");
    showPlayButton(false);
  }
  function showPlayButton(playing) {
    $("play").replaceChildren(icon(playing ? "pause" : "play"));
    $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  function showPlayers() {
    const { game } = current;
    const player = (black) => {
      const engine = black ? game.b : game.w;
      const points = game.x === 0 ? "½" : (game.x > 0) === black ? "1" : "0";
      return h("p", { class: `player ${points === "1" ? "won" : ""}` },
        disc(black), h("b", { class: "who" }, name(engine)), h("span", { class: "points" }, points));
    };
    const where = `${ruleOf(game)} ${sizeText(sizeOf(game))}`;
    const clock = data.clocks[game.c];
    $("players").replaceChildren(
      h("p", { class: "where" }, h("b", {}, `Game ${group(game.n)}`), ` · ${where}${clock ? ` · ${clock}` : ""}`),
      player(true), player(false));
    $("viewer").setAttribute("aria-label", `Game ${game.n}: ${name(game.b)} with black against ${name(game.w)} with white`);
  }

  function showReadout(stone, ended) {
    const { game } = current;
    const fact = (label, value) => value !== undefined && h("div", {}, h("dt", {}, label), h("dd", {}, value));
    const parts = [];
    if (!stone) {
      parts.push(h("p", { class: "now" }, "Empty board"));
    } else {
      parts.push(h("p", { class: "now" },
        h("span", { class: "ply" }, `${stone.ply}`), disc(stone.black), h("b", {}, stone.word),
        h("span", { class: "by" }, stone.opening ? `opening stone ${stone.ply} of ${current.opening}` : name(stone.engine))));
      if (!stone.opening) {
        parts.push(h("dl", {},
          fact("value", stone.value ? showValue(stone.value) : "\u2013"),
          fact("depth", stone.depth === undefined ? "\u2013" : String(stone.depth)),
          fact("nodes", stone.nodes === undefined ? "\u2013" : short(stone.nodes)),
          fact("time", stone.ms === undefined ? "\u2013" : duration(stone.ms))));
      }
    }
    if (stone && stone.review) parts.push(...judgement(stone.review));
    if (ended) parts.push(h("p", { class: failed(game) ? "end failed" : "end" }, outcome(game)));
    $("readout").replaceChildren(...parts.filter(Boolean));
  }

  /** The mark of a move, its win rates, and the better line. */
  function judgement({ mark, words, before, after, line }) {
    return [h("p", {}, h("span", { class: `judged mark-${mark}` }, words), ` \u00b7 win rate ${before}\u202f% \u2192 ${after}\u202f%`),
      line && h("p", { class: "better" }, `better: ${parsePoints(line).map((point) => point.word).join(" ")}`)];
  }

  function showMoves() {
    const cell = (stone) => {
      if (!stone) return h("span", {});
      const sign = (stone.review && SIGNS[stone.review.mark]) || "";
      const note = `${stone.opening ? "opening" : stone.value ? showValue(stone.value) : ""} ${sign}`.trim();
      const label = `${stone.word} ${note}, move ${stone.ply}, ${stone.black ? "black" : "white"}`;
      return h("button", {
        type: "button", "data-ply": stone.ply, "aria-label": label, class: stone.opening ? "opened" : null,
        onclick: () => step(stone.ply),
      }, h("span", {}, stone.word), " ", h("small", {}, note));
    };
    const cells = [];
    for (let index = 0; index < current.stones.length; index += 2) {
      cells.push(h("span", { class: "no", "aria-hidden": true }, String(index / 2 + 1)),
        cell(current.stones[index]), cell(current.stones[index + 1]));
    }
    $("moves").replaceChildren(...cells);
  }

  function showEvidence() {
    const { game } = current;
    const { ev } = game;
    const parts = [];
    if (ev) {
      const block = (title, lines) => lines && lines.length > 0
        && [h("h4", {}, title), h("pre", { tabindex: 0 }, lines.join("\n"))];
      parts.push(h("h3", {}, "Evidence"),
        block("The end of the conversation (> to the engine, < from it)", ev.lines),
        block("Its last message", ev.message ? [ev.message] : null),
        block("The end of its stderr", ev.stderr));
    }
    $("evidence").replaceChildren(...parts.flat().filter(Boolean));
  }

  const keys = {
    ArrowLeft: () => step(ply - 1),
    ArrowRight: () => step(ply + 1),
    Home: () => step(0),
    End: () => step(current.stones.length),
    " ": play,
    m: toggleNumbers,
  };
  function toggleNumbers() {
    const shown = $("board").classList.toggle("unnumbered") === false;
    $("numbers").setAttribute("aria-pressed", String(shown));
  }
  /** Whether the key meant something here. */
  function key(name) {
    const action = current && keys[name.length === 1 ? name.toLowerCase() : name];
    if (action) action();
    return Boolean(action);
  }

  for (const id of ["to-start", "back", "forward", "to-end"]) $(id).append(icon(id));
  $("to-start").onclick = keys.Home;
  $("back").onclick = keys.ArrowLeft;
  $("forward").onclick = keys.ArrowRight;
  $("to-end").onclick = keys.End;
  $("play").onclick = play;
  $("numbers").onclick = toggleNumbers;
  $("scrubber").oninput = (event) => step(Number(event.target.value));
  showPlayButton(false);
  swipe($("board"), (steps) => step(ply + steps));
  return { open, go: step, key, shown: () => current && current.game };
}
