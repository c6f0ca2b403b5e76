// One game on the board: stepping through its moves and through the better lines.

/** The stones of a game, or those before a move and a line in its place, numbered from 1. */
function stonesOf(game, variation) {
  const whiteFirst = game.moves.length > 0 && !isBlack(game.moves[0]);
  const stone = (point, index) => ({ ...point, black: (index % 2 === 0) !== whiteFirst, ply: index + 1 });
  const played = parsePoints(game.position).map(stone);
  const board = { rows: [], isFoul: false, ...sides(game.size), ...(game.start && parsePosition(game.start)) };
  if (!variation) return { ...board, stones: played, opening: 0 };
  const before = variation.ply - 1;
  const line = parsePoints(variation.line.join("")).map((point, index) => ({ ...stone(point, before + index), label: index + 1 }));
  const quiet = played.slice(0, before).map((point) => ({ ...point, opening: true }));
  return { ...board, stones: quiet.concat(line), opening: before };
}

/** The viewer; `onchange(game, ply)` is called with what is shown. */
function makeViewer(onchange) {
  let game = null;
  let board = null;
  let ply = 0;
  /** The move whose better line is shown, and how many moves of the line are on the board. */
  let variation = null;
  const graph = rateGraph($("graph"), (to) => go(to));

  function open(wanted, at) {
    game = wanted;
    $("scrubber").max = game.moves.length;
    graph.show(game);
    showPlayers();
    showMoves();
    leave();
    go(at === undefined ? firstError() : at);
  }
  const firstError = () => (game.moves.find(isError) || { ply: game.moves.length }).ply;
  function draw(move) {
    board = largeBoard(stonesOf(game, move), (to) => (move ? vary(move, Math.max(0, to - move.ply + 1)) : go(to)));
    $("board").replaceChildren(board.svg);
    $("board").classList.toggle("varied", Boolean(move));
  }
  /** Leaves a variation: the moves of the game are on the board. */
  function leave() {
    variation = null;
    draw(null);
  }
  function go(to) {
    if (!game) return;
    if (variation) leave();
    ply = Math.max(0, Math.min(game.moves.length, Math.trunc(to) || 0));
    board.show(ply);
    show();
    onchange(game, ply);
  }
  /** Shows the better line of a move, `count` moves of it. */
  function vary(move, count) {
    const line = betterLine(move);
    if (!line) return;
    if (!variation || variation.move !== move) draw(move && { ...move, line });
    variation = { move, count: Math.max(0, Math.min(line.length, count)) };
    ply = move.ply;
    board.show(move.ply - 1 + variation.count);
    show();
  }
  /** One step on, in the game or in a variation, which is left before its first move. */
  function step(by) {
    if (!variation) return go(ply + by);
    const count = variation.count + by;
    if (count < 0) return go(ply);
    vary(variation.move, count);
  }
  const toggle = () => (variation ? go(ply) : vary(game.moves[ply - 1], 1));

  function show() {
    graph.mark(ply);
    const move = game.moves[ply - 1];
    $("scrubber").value = ply;
    $("scrubber").setAttribute("aria-valuetext", move ? `Move ${ply}, ${move.move}` : "Start");
    $("vary").disabled = !betterLine(move);
    $("vary").setAttribute("aria-pressed", String(Boolean(variation)));
    for (const id of ["to-start", "back"]) $(id).disabled = ply === 0;
    const ended = variation ? variation.count === variation.move.line.length : ply === game.moves.length;
    for (const id of ["forward", "to-end"]) $(id).disabled = ended;
    showReadout(move);
    for (const button of $("moves").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const button = $("moves").querySelector(`[data-ply="${ply}"]`);
    if (!button) return;
    button.setAttribute("aria-current", "step");
    reveal(button, $("moves"));
  }
  function showPlayers() {
    const player = (black) => {
      const accuracy = game.accuracy[black ? "black" : "white"];
      return h("p", { class: "player" }, disc(black), h("b", { class: "who" }, playerName(game, black)),
        h("span", { class: "points" }, accuracy === null ? "" : `accuracy ${Math.round(accuracy)}`));
    };
    const lost = game.lost_from;
    $("players").replaceChildren(
      h("p", { class: "where" }, h("b", {}, game.game), ` \u00b7 ${game.rule} ${game.size.replace("x", "\u00d7")} \u00b7 ${game.result}`),
      player(true), player(false),
      lost ? h("p", { class: "where" }, lostText(lost)) : "");
  }
  /** The losing move; a foul ends the game. */
  function lostText(lost) {
    const { foul } = game.moves[lost.ply - 1] || {};
    if (foul) return `Move ${lost.ply} is a foul (${words(foul)}): ${lost.color} loses.`;
    return `After move ${lost.ply} ${lost.color} is lost whatever it plays.`;
  }
  function showReadout(move) {
    if (!move) return $("readout").replaceChildren(h("p", { class: "now" }, game.start ? "Before the first move" : "Empty board"));
    const parts = [h("p", { class: "now" },
      h("span", { class: "ply" }, String(move.ply)), disc(isBlack(move)), h("b", {}, move.move),
      h("span", { class: `judged mark-${move.mark}` }, words(move.mark))),
    h("p", {}, `win rate ${rounded(move.winrate_before)} \u2192 ${rounded(move.winrate_after)}`)];
    if (move.foul) parts.push(h("p", {}, `foul (${words(move.foul)})`));
    const line = betterLine(move);
    if (line) {
      const win = move.proven ? "proven win" : move.mate > 0 ? `wins in ${move.mate} plies` : "";
      parts.push(h("p", {}, win ? `better, ${win}:` : "better:"),
        h("p", { class: "line" }, line.map((point, index) => h("button", {
          type: "button", "data-step": index + 1, onclick: () => vary(move, index + 1),
          "aria-current": variation && variation.count === index + 1 ? "step" : null,
        }, point))));
    }
    $("readout").replaceChildren(...parts);
  }
  function showMoves() {
    const cell = (move) => move ? h("button", {
      type: "button", "data-ply": move.ply, class: `mark-${move.mark}`, onclick: () => go(move.ply),
      "aria-label": `${move.move}, ${words(move.mark)}, move ${move.ply}, ${move.color}`,
    }, h("span", {}, move.move), " ", h("small", {}, isError(move) || move.mark === "only-move" ? words(move.mark) : "")) : h("span", {});
    const cells = [];
    for (let index = 0; index < game.moves.length; index += 2) {
      cells.push(h("span", { class: "no", "aria-hidden": true }, String(index / 2 + 1)), cell(game.moves[index]), cell(game.moves[index + 1]));
    }
    $("moves").replaceChildren(...cells);
  }
  function nextError() {
    const move = game.moves.find((one) => one.ply > ply && isError(one)) || game.moves.find(isError);
    if (move) go(move.ply);
  }

  const keys = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => (variation ? vary(variation.move, 0) : go(0)),
    End: () => (variation ? vary(variation.move, Infinity) : go(game.moves.length)),
    Escape: () => variation && go(ply),
    v: toggle,
    e: nextError,
  };
  /** Whether the key has a meaning here. */
  function key(name) {
    const action = game && keys[name.length === 1 ? name.toLowerCase() : name];
    if (action) action();
    return Boolean(action);
  }
  for (const id of ["to-start", "back", "forward", "to-end"]) $(id).append(icon(id));
  $("to-start").onclick = keys.Home;
  $("back").onclick = keys.ArrowLeft;
  $("forward").onclick = keys.ArrowRight;
  $("to-end").onclick = keys.End;
  $("vary").onclick = toggle;
  $("scrubber").oninput = (event) => go(Number(event.target.value));
  swipe($("board"), step);
  return { open, go, key };
}
