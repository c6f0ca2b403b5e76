// The list of games: search, filters, order. It shows a part at first, and more on request.

const LIST_STEP = 100;

const ORDERS = [
  ["number", "By number", (a, b) => a.n - b.n],
  ["longest", "Longest first", (a, b) => stoneCount(b) - stoneCount(a) || a.n - b.n],
  ["shortest", "Shortest first", (a, b) => stoneCount(a) - stoneCount(b) || a.n - b.n],
  ["thought", "Longest thought first", (a, b) => Math.max(0, ...b.t) - Math.max(0, ...a.t) || a.n - b.n],
];

/** Groups of endings that the list can show. */
const ENDING_GROUPS = [
  ["failure", "Any failure or foul", troubled],
  ["engine-failure", "Any failure of an engine", failed],
  ["slow", "Any loss on time", (game) => isSlow(endingName(game))],
  ["board", "No failure of an engine", (game) => !failed(game)],
];

/** The list; `onopen(game)` when one is chosen. */
function makeList(onopen) {
  let found = [];
  let shown = 0;
  let opening = null;
  let current = null;
  const texts = new Map();
  const text = (game) => {
    if (!texts.has(game)) {
      texts.set(game, [game.n, name(game.b), name(game.w), endingName(game), game.s, ruleOf(game), game.m].join("\n").toLowerCase());
    }
    return texts.get(game);
  };

  function options(id, entries) {
    $(id).replaceChildren(...entries.map(([value, label]) => h("option", { value }, label)));
  }
  options("engine", [["", "Any engine"], ...engines.map((engine, index) => [index, engine.name])]);
  options("opponent", [["", "Any opponent"], ...engines.map((engine, index) => [index, engine.name])]);
  options("ending", [["", "Any ending"], ...ENDING_GROUPS, ...data.ending_names.map((ending) => [`=${ending}`, ending])]);
  options("sort", ORDERS.map(([value, label]) => [value, label]));
  const kinds = [...new Set(games.map((game) => `${ruleOf(game)} ${sizeOf(game)}`))];
  options("rule", [["", "Any rule and board"], ...kinds.map((kind) => [kind, sizeText(kind)])]);
  $("rule").hidden = kinds.length < 2;

  function resultOptions() {
    const kept = $("result").value;
    const one = $("engine").value !== "";
    options("result", [["", "Any result"],
      ...(one ? [["won", "Won"], ["lost", "Lost"], ["drawn", "Drawn"], ["black", "With black"], ["white", "With white"]]
        : [["black-won", "Black won"], ["white-won", "White won"], ["drawn", "Drawn"]])]);
    $("result").value = kept;
    if ($("result").selectedIndex < 0) $("result").value = "";
  }
  function passes(game, wanted) {
    const { engine, opponent } = wanted;
    const seats = [[game.b, game.w, game.x], [game.w, game.b, -game.x]];
    const fits = seats.filter(([own, other]) => (engine === "" || own === Number(engine)) && (opponent === "" || other === Number(opponent)));
    if (fits.length === 0) return false;
    const result = { won: fits.some(([, , x]) => x > 0), lost: fits.some(([, , x]) => x < 0), drawn: game.x === 0,
      black: fits.some((seat) => seat[0] === game.b), white: fits.some((seat) => seat[0] === game.w),
      "black-won": game.x > 0, "white-won": game.x < 0 };
    if (wanted.result && !result[wanted.result]) return false;
    const group = ENDING_GROUPS.find(([value]) => value === wanted.ending);
    if (group ? !group[2](game) : wanted.ending && `=${endingName(game)}` !== wanted.ending) return false;
    if (wanted.rule && `${ruleOf(game)} ${sizeOf(game)}` !== wanted.rule) return false;
    if (opening !== null && game.o !== opening) return false;
    return wanted.words.every((word) => text(game).includes(word));
  }
  function apply() {
    resultOptions();
    const value = (id) => $(id).value;
    const wanted = {
      engine: value("engine"), opponent: value("opponent"), result: value("result"), ending: value("ending"), rule: value("rule"),
      words: value("search").toLowerCase().split(/\s+/).filter(Boolean),
    };
    found = games.filter((game) => passes(game, wanted)).sort(ORDERS.find(([id]) => id === value("sort"))[2]);
    const every = found.length === games.length;
    const from = opening === null ? "" : `, opening ${openings[opening].moves || "empty"}`;
    $("tally").textContent = every ? plural(games.length, "game") : `${group(found.length)} of ${plural(games.length, "game")}${from}`;
    $("clear").hidden = every && opening === null && value("search") === "";
    $("list").replaceChildren();
    shown = 0;
    more();
  }
  function row(game) {
    const side = (black) => h("span", { class: (game.x > 0) === black && game.x !== 0 ? "seat won" : "seat" },
      disc(black), h("span", { class: "who" }, name(black ? game.b : game.w)));
    const result = game.x === 0 ? "½–½" : game.x > 0 ? "1–0" : "0–1";
    return h("li", {}, h("a", { href: `#game=${game.n}`, "data-game": game.n, onclick: (event) => choose(event, game) },
      h("span", { class: "no" }, String(game.n)), side(true), side(false),
      h("span", { class: "score" }, result),
      h("span", { class: troubled(game) ? "how failed" : "how" }, `${endingName(game)}, ${stoneCount(game)}`)));
  }
  function choose(event, game) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onopen(game);
  }
  function more() {
    const list = $("list");
    const button = list.querySelector(".more");
    if (button) button.remove();
    const first = shown;
    shown = Math.min(found.length, shown + LIST_STEP);
    list.append(...found.slice(first, shown).map(row));
    if (found.length === 0) list.append(h("li", { class: "none" }, "No games match."));
    if (shown < found.length) {
      const rest = h("button", { type: "button" }, `Show ${group(Math.min(LIST_STEP, found.length - shown))} more`);
      rest.onclick = () => {
        more();
        list.children[first + LIST_STEP].firstChild.focus();
      };
      list.append(h("li", { class: "more" }, rest));
      nearEnd.disconnect();
      nearEnd.observe(rest);
    }
    mark(current);
  }
  const nearEnd = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && more(), {
    root: $("list"), rootMargin: "200px",
  });
  function mark(game) {
    current = game;
    const list = $("list");
    for (const link of list.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
    const link = game && list.querySelector(`[data-game="${game.n}"]`);
    if (!link) return;
    link.setAttribute("aria-current", "true");
    reveal(link.parentElement, list);
  }
  /** Shows the games that fit; whatever is not named is any. */
  function filter(wanted) {
    for (const id of ["search", "engine", "opponent", "ending", "rule"]) $(id).value = wanted[id] === undefined ? "" : wanted[id];
    opening = wanted.opening === undefined ? null : wanted.opening;
    resultOptions();
    $("result").value = wanted.result || "";
    apply();
  }
  /** The game `steps` after the one that is open, in the order of the list. */
  function neighbour(steps) {
    const index = found.indexOf(current);
    return found[index < 0 ? 0 : index + steps];
  }
  $("filters").addEventListener("input", apply);
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("clear").onclick = () => filter({});
  apply();
  return { filter, mark, neighbour, first: () => found[0] };
}
