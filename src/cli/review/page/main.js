// The list of games, keys, and the address, which names the game and the move.

document.title = data.title;
$("title").textContent = data.title;
const errorCount = (game) => game.moves.filter(isError).length;
$("facts").replaceChildren(...[
  plural(games.length, "game"), plural(games.reduce((all, game) => all + game.moves.length, 0), "move"),
  plural(games.reduce((all, game) => all + errorCount(game), 0), "error"),
].map((fact) => h("span", {}, fact)));
$("source").textContent = data.source;

let current = 0;
let settled = false;
const viewer = makeViewer((game, ply) => {
  // A browser may refuse to change the address of a file; the page does not need it.
  try {
    if (settled) history.replaceState(null, "", `#game=${current + 1}&ply=${ply}`);
  } catch { /* the address stays */ }
});

function openGame(index, ply) {
  if (!games[index]) return;
  current = index;
  viewer.open(games[index], ply);
  for (const link of $("list").querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
  const link = $("list").querySelector(`[data-game="${index + 1}"]`);
  if (!link) return;
  link.setAttribute("aria-current", "true");
  reveal(link.parentElement, $("list"));
}

function showList() {
  const many = games.length > 1;
  $("browser").hidden = !many;
  $("desk").classList.toggle("many", many);
  if (!many) return;
  $("tally").textContent = plural(games.length, "game");
  const seat = (game, black) => h("span", { class: "seat" }, disc(black), h("span", { class: "who" }, playerName(game, black)));
  $("list").replaceChildren(...games.map((game, index) => h("li", {}, h("a", {
    href: `#game=${index + 1}`, "data-game": index + 1,
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      openGame(index);
      $("viewer").focus({ preventScroll: true });
    },
  }, h("span", { class: "no" }, String(index + 1)), seat(game, true), seat(game, false),
  h("span", { class: "score" }, game.result),
  h("span", { class: errorCount(game) ? "how errors" : "how" }, plural(errorCount(game), "error"))))));
}

/** Opens what the address names, such as `#game=3&ply=10`. */
function follow() {
  const wanted = /^#game=(\d+)(?:&ply=(\d+))?$/.exec(location.hash);
  if (!wanted || !games[wanted[1] - 1]) return false;
  openGame(wanted[1] - 1, wanted[2] === undefined ? undefined : Number(wanted[2]));
  return true;
}
addEventListener("hashchange", follow);
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const pressing = target.closest("button, a") && (key === " " || key === "Enter");
  if (pressing) return;
  // Elsewhere on the page Home and End scroll, as everywhere.
  if (!$("viewer").contains(target) && ["Home", "End"].includes(key)) return;
  const by = { n: 1, p: -1 }[key.toLowerCase()];
  if (by) openGame(current + by);
  if (by || viewer.key(key)) event.preventDefault();
});

showList();
if (!follow()) openGame(0);
$("viewer").classList.toggle("empty", games.length === 0);
settled = true;
