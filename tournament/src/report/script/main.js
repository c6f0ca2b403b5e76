// Connects the parts: the address names the game and the ply, links and keys control the viewer.

function showMasthead() {
  document.title = data.title;
  $("title").textContent = data.title;
  const days = [...new Set(games.flatMap((game) => (game.at ? [new Date(1000 * game.at).toISOString().slice(0, 10)] : [])))].sort();
  const facts = [plural(games.length, "game"), plural(engines.length, "engine"), data.rules.join(", "),
    data.sizes.map(sizeText).join(", "), [...new Set(data.clocks.flatMap((clock) => clock.split(" : ")))].filter(Boolean).join(", "),
    days.length > 1 ? `${days[0]} to ${days[days.length - 1]}` : days[0]];
  $("facts").replaceChildren(...facts.filter(Boolean).map((fact) => h("span", {}, fact)));
  $("verdict").textContent = verdict();
  const tests = data.batches.flatMap(({ verdict: test, dropped }) => [test, ...(dropped || [])].filter(Boolean).map((said) => `${said}.`));
  if (data.repeated > 0) tests.push(`Left out: ${plural(data.repeated, "game")} repeating earlier ones, move by move and node by node.`);
  $("test").hidden = tests.length === 0;
  $("test").textContent = tests.join(" ");
}

/** What the batch came to, in a sentence. */
function verdict() {
  // By batch, because other files may have no header, and a batch may have several.
  let [planned, toPlay] = [0, 0];
  for (const hash of new Set(data.batches.map((batch) => batch.config_hash))) {
    const files = data.batches.filter((batch) => batch.config_hash === hash);
    const played = files.reduce((all, file) => all + file.played, 0);
    const total = files.some((file) => file.is_over) ? played : files[0].games;
    planned += total;
    toPlay += Math.max(0, total - played);
  }
  // A test may end sooner than its number of games, and dropped engines play no more.
  const most = data.batches.some((batch) => batch.test || batch.dropped) ? "At most " : "";
  const left = `${most}${group(toPlay)} of ${group(planned)} games`;
  const missing = toPlay > 0 ? ` ${left} are still to be played.` : "";
  if (games.length === 0) return `No game has been played yet.${missing}`;
  const [best] = data.ratings;
  if (!best || engines.length < 2) return missing.trim();
  const level = data.duel && best.score.wins === best.score.losses;
  const lead = level ? `${name(0)} and ${name(1)} are level after ${plural(games.length, "game")}`
    : `${best.name} leads with ${points(best.score.wins, best.score.draws)} of ${plural(count(best.score), "point")}`;
  return `${lead}${data.duel && !level ? strength(data.duel) : ""}.${missing}`;
}

/** What a match says of the strength of the first engine. */
function strength({ elo, low, high, los }) {
  const rounded = (number) => signed(Math.round(number));
  const interval = low !== null && high !== null ? `, between ${rounded(low)} and ${rounded(high)}` : "";
  const sure = los > 0.999 ? `above ${percent(0.999)}` : percent(los);
  const better = los === null ? "" : `; likelihood of superiority ${sure}`;
  // Without a lost game only one end of the interval is known.
  const bound = low !== null ? `: above ${rounded(low)} Elo` : high !== null ? `: below ${rounded(high)} Elo` : "";
  return `${elo === null ? bound : `: ${rounded(elo)} Elo${interval}`}${better}`;
}

showMasthead();
const list = makeList((game) => { viewer.open(game); bringBack(); });
const viewer = makeViewer((game, ply) => {
  list.mark(game);
  const ended = ply === stoneCount(game);
  // A browser may refuse to change the address of a file; the page does not need it.
  try {
    if (settled) history.replaceState(null, "", `#game=${game.n}${ended ? "" : `&ply=${ply}`}`);
  } catch { /* the address stays */ }
});
let settled = false;

/** The viewer is what a chosen game is looked at in: it gets the keys, and comes into sight on a small screen. */
function bringBack() {
  $("viewer").focus({ preventScroll: true });
  const { top, bottom } = $("board").getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) $("viewer").scrollIntoView({ block: "start" });
}
/** Shows some games in the list and opens the first. */
function showGames(wanted) {
  list.filter(wanted);
  const first = list.first();
  if (first) viewer.open(first);
  $("games").scrollIntoView({ block: "start" });
  $("viewer").focus({ preventScroll: true });
}
/** Opens what the address names, such as `#game=3&ply=10`. */
function follow() {
  const wanted = /^#game=(\d+)(?:&ply=(\d+))?$/.exec(location.hash);
  const game = wanted && games.find((one) => one.n === Number(wanted[1]));
  if (game) {
    viewer.open(game, wanted[2] === undefined ? undefined : Number(wanted[2]));
    $("games").scrollIntoView({ block: "start", behavior: "instant" });
  }
  return Boolean(game);
}
addEventListener("hashchange", follow);
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = target.closest("input, select, textarea, pre, .scroll") && target !== $("viewer");
  const inViewer = $("viewer").contains(target);
  const pressing = target.closest("button, a, summary") && (key === " " || key === "Enter");
  if ((typing && target !== $("scrubber")) || pressing) return;
  // Elsewhere on the page Home, End and the space bar scroll, as everywhere.
  if (!inViewer && ["Home", "End", " "].includes(key)) return;
  const neighbour = { n: 1, p: -1 }[key.toLowerCase()];
  const game = neighbour && list.neighbour(neighbour);
  if (game) viewer.open(game);
  if (game || viewer.key(key)) event.preventDefault();
});

showRatings();
showPairs();
showLeagues();
showCross(showGames);
showTimeline();
showEndings(showGames);
showTimes(showGames);
showColours(showGames);
showOpenings(showGames);
showSetup();
if (!follow() && list.first()) viewer.open(list.first());
$("viewer").classList.toggle("empty", games.length === 0);
settled = true;
