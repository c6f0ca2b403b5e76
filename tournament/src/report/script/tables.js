// Tables and pictures that need no layout measurements: ratings, cross table, endings, colours, openings, setup.

const OPENINGS_AT_ONCE = 24;

/** A link that shows some games. */
const gamesLink = (show, wanted, label, ...children) =>
  h("a", { href: "#games", "aria-label": label, onclick: (event) => { event.preventDefault(); show(wanted); } }, ...children);

const engineLabel = (index) => h("span", { class: `label ${engineClass(index)}` }, h("i", { class: "chip" }), h("span", { class: "who" }, name(index)));
const at = (fraction) => `${(100 * fraction).toFixed(3)}%`;

function showRatings() {
  const { ratings } = data;
  const ends = ratings.flatMap((rating) => [rating.elo, rating.low, rating.high]).filter((end) => end !== null);
  const [low, high] = ends.length ? [Math.min(...ends, 0), Math.max(...ends, 0)] : [-100, 100];
  const span = Math.max(high - low, 20);
  // The bar of an unbounded rating reaches the edge, so it needs room to be visible.
  const margin = ratings.some((rating) => rating.low === null || rating.high === null) ? 0.16 : 0.05;
  const place = (elo) => margin + ((1 - 2 * margin) * (elo - low)) / span;
  const lines = ticks(low, high, 4, [1, 2, 2.5, 5, 10]);
  const grid = () => lines.map((tick) => s("line", { class: tick === 0 ? "zero" : "tick", x1: at(place(tick)), x2: at(place(tick)), y1: 0, y2: "100%" }));
  const row = (rating, index) => {
    const bounded = rating.elo !== null;
    const from = rating.low === null ? 0 : place(rating.low);
    const to = rating.high === null ? 1 : place(rating.high);
    const error = bounded && rating.high !== null ? Math.round((rating.high - rating.low) / 2) : null;
    const said = bounded ? signed(Math.round(rating.elo))
      : rating.low !== null ? `> ${signed(Math.round(rating.low))}`
        : rating.high !== null ? `< ${signed(Math.round(rating.high))}` : "?";
    const label = bounded ? `${said} Elo${error === null ? "" : `, plus or minus ${error}`}` : `${said} Elo`;
    return h("div", { class: `rated ${engineClass(index)}`, role: "img", "aria-label": `${rating.name}: ${label}` },
      engineLabel(index),
      s("svg", { class: "bar", "aria-hidden": true }, grid(),
        (rating.low !== null || rating.high !== null) && s("line", { class: bounded ? "range" : "range open", x1: at(from), x2: at(to), y1: "50%", y2: "50%" }),
        bounded && s("circle", { class: "dot", cx: at(place(rating.elo)), cy: "50%", r: 5 })),
      h("span", { class: "said" }, h("b", {}, said), error === null ? "" : h("small", {}, ` ±${error}`)));
  };
  const axis = h("div", { class: "rated axis", "aria-hidden": true }, h("span", {}),
    s("svg", { class: "bar" }, lines.map((tick) => s("text", { x: at(place(tick)), y: 13, "text-anchor": "middle" }, signed(Number(tick.toFixed(1)))))), h("span", {}));
  $("ratings").replaceChildren(...ratings.map(row), axis);
  const apart = new Set(ratings.map((rating) => rating.group)).size > 1;
  $("rating-note").textContent = `Elo, mean 0, bars of 95\u202f%${data.rules.length + data.sizes.length > 2 ? "; different games rated together" : ""}${apart ? "; groups that never met cannot be compared" : ""}`;
}

/** For a match of two: how its pairs of games came out. */
function showPairs() {
  const { duel } = data;
  const pairs = duel ? duel.pairs : [];
  const most = Math.max(...pairs, 0);
  if (most === 0) return;
  $("match").hidden = false;
  const all = pairs.reduce((sum, times) => sum + times, 0);
  $("pairs-note").textContent = `of games, one opening with both colours: points of 2 that ${name(0)} took`;
  $("pairs").setAttribute("aria-label", plural(all, "pair"));
  $("pairs").replaceChildren(...pairs.map((times, halves) => h("div", { role: "listitem", "aria-label": `${times} pairs with ${halves / 2} points` },
    s("svg", { "aria-hidden": true },
      s("rect", { x: "12%", width: "76%", y: 84 - (62 * times) / most, height: (62 * times) / most, rx: 3 }),
      s("text", { x: "50%", y: 78 - (62 * times) / most }, group(times))),
    h("small", {}, points(0, halves) || "0"))));
}

/** For a match of two over several leagues: each of them. */
function showLeagues() {
  const leagues = data.duel?.leagues || [];
  if (leagues.length === 0) return;
  $("by-league").hidden = false;
  $("leagues-note").textContent = `${name(0)} against ${name(1)}; Elo from pairs of games with its 95\u202f% interval`;
  const rounded = (elo) => (elo === null ? "\u221e" : signed(Math.round(elo)));
  const shown = ({ difference, low, high }) => (difference !== null ? `${rounded(difference)} [${rounded(low)}, ${rounded(high)}]`
    : low !== null ? `above ${rounded(low)}` : `below ${rounded(high)}`);
  const cells = ({ name: league, score, pairs, elo }) => [
    h("th", { scope: "row" }, league), h("td", {}, group(count(score))), h("td", {}, percent(share(score))),
    h("td", {}, elo ? shown(elo) : "\u2013"), h("td", {}, pairs.join(", "))];
  const heads = ["League", "Games", "Share", "Elo", "Pairs of 0, \u00bd, 1, 1\u00bd, 2 points"];
  $("leagues").replaceChildren(h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, leagues.map((league) => h("tr", {}, cells(league)))));
}

function showCross(show) {
  const total = (index) => {
    const [black, white] = engines[index].by_color;
    return { wins: black.wins + white.wins, draws: black.draws + white.draws, losses: black.losses + white.losses };
  };
  const many = engines.length > 1;
  const head = h("tr", {}, h("th", { scope: "col", class: "rank" }, "#"), h("th", { scope: "col", class: "name" }, "Engine"),
    h("th", { scope: "col" }, "Points"), h("th", { scope: "col", class: "minor" }, "Games"), h("th", { scope: "col", class: "minor" }, "Share"),
    many && engines.map((engine, index) => h("th", { scope: "col", class: "against", title: engine.name }, h("abbr", { title: engine.name }, String(index + 1)))));
  const cell = (row, column) => {
    const [black, white] = data.cross[row][column];
    const score = { wins: black.wins + white.wins, draws: black.draws + white.draws, losses: black.losses + white.losses };
    const played = count(score);
    if (row === column && !played) return h("td", { class: "self", "aria-label": "itself" });
    if (!played) return h("td", { class: "empty" }, "\u00b7");
    const part = share(score);
    return h("td", { class: part > 0.5 ? "up" : part < 0.5 ? "down" : "even", "--strength": `${Math.round(Math.abs(part - 0.5) * 90)}%` },
      gamesLink(show, { engine: row, opponent: column },
        `${points(score.wins, score.draws)}/${played}, ${name(row)} against ${name(column)}: ${plural(score.wins, "win")}, ${plural(score.draws, "draw")}, ${plural(score.losses, "loss", "losses")}; show the games`,
        h("b", {}, points(score.wins, score.draws)), h("small", {}, `/${played}`)));
  };
  const rows = engines.map((engine, row) => {
    const score = total(row);
    return h("tr", {}, h("td", { class: "rank" }, String(row + 1)),
      h("th", { scope: "row", class: "name" }, gamesLink(show, { engine: row }, `Games of ${engine.name}`, engineLabel(row))),
      h("td", {}, points(score.wins, score.draws)), h("td", { class: "minor" }, group(count(score))), h("td", { class: "minor" }, percent(share(score))),
      many && engines.map((_, column) => cell(row, column)));
  });
  // Many columns need the whole width.
  document.querySelector(".standing").classList.toggle("many", engines.length > 7);
  $("cross").replaceChildren(h("thead", {}, head), h("tbody", {}, rows));
}

function showEndings(show) {
  const isFailure = (ending) => data.failures[ending];
  const sum = (counts, test) => Object.entries(counts).reduce((all, [ending, times]) => (test(Number(ending)) ? all + times : all), 0);
  const any = () => true;
  const row = (ending, index) => {
    const parts = [
      ["won", "won on the board", sum(ending.won, (e) => !isFailure(e)), { result: "won", ending: "board" }],
      ["given", "won by the other\u2019s failure", sum(ending.won, isFailure), { result: "won", ending: "engine-failure" }],
      ["drawn", "drawn", sum(ending.drawn, any), { result: "drawn" }],
      ["lost", "lost on the board", sum(ending.lost, (e) => !isFailure(e)), { result: "lost", ending: "board" }],
      ["failed", "lost by failure", sum(ending.lost, isFailure), { result: "lost", ending: "engine-failure" }],
    ];
    const played = parts.reduce((all, [, , times]) => all + times, 0);
    return h("div", { class: "bar-row", role: "listitem" }, engineLabel(index),
      h("div", { class: "bar" }, parts.filter(([, , times]) => times > 0).map(([kind, label, times, wanted]) => {
        const part = gamesLink(show, { engine: index, ...wanted }, `${times} ${label}, games of ${name(index)}`, h("span", {}, String(times)));
        part.className = kind;
        part.title = `${times} ${label}`;
        // Too narrow for its number.
        if (times < 0.04 * played) part.firstChild.remove();
        part.style.flexGrow = times;
        return part;
      })));
  };
  const legend = h("p", { class: "legend", "aria-hidden": true }, [["won", "won"], ["given", "won by a failure"], ["drawn", "drawn"], ["lost", "lost"], ["failed", "lost by failure"]]
    .map(([kind, label]) => h("span", { class: `key ${kind}` }, label)));
  $("ending-bars").replaceChildren(...data.endings.map(row));
  $("ending-bars").after(legend);

  const troubles = data.ending_names.map((_, index) => index).filter((ending) => data.troubles[ending] && data.endings.some((e) => e.lost[ending]));
  const broken = games.filter(failed).length;
  const ended = data.ending_names.map((ending, index) => `${ending} ${group(games.filter((game) => game.e === index).length)}`);
  $("endings-lead").textContent = `${ended.join(", ")}. ${broken ? `${plural(broken, "game")} ended by a failure of an engine.` : games.length ? "No engine failed." : ""}`;
  if (troubles.length === 0) return;
  const cell = (engine, ending) => {
    const times = data.endings[engine].lost[ending];
    return h("td", {}, times ? gamesLink(show, { engine, result: "lost", ending: `=${data.ending_names[ending]}` }, `${times} lost by ${data.ending_names[ending]}, games of ${name(engine)}`, String(times)) : "\u00b7");
  };
  const table = h("table", { class: "plain failures" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "name" }, "Lost by"), troubles.map((ending) => h("th", { scope: "col" }, data.ending_names[ending])))),
    h("tbody", {}, engines.map((_, engine) => engine).filter((engine) => troubles.some((ending) => data.endings[engine].lost[ending]))
      .map((engine) => h("tr", {}, h("th", { scope: "row", class: "name" }, engineLabel(engine)), troubles.map((ending) => cell(engine, ending))))));
  $("failures").replaceChildren(h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Failures and fouls" }, table));
}

function showColours(show) {
  $("colours-lead").textContent = games.length ? `Black took ${percent(share(data.black))} of the points. Below, each engine\u2019s share with black and with white.` : "";
  const row = (engine, index) => {
    const shares = engine.by_color.map((score) => (count(score) ? share(score) : null));
    const known = shares.filter((part) => part !== null).map((part) => 0.03 + 0.94 * part);
    // Two stones on one spot would hide one another.
    const apart = known.length === 2 && Math.abs(known[0] - known[1]) < 0.03 ? 5 : 0;
    const text = (part) => (part === null ? "\u2013" : `${Math.round(100 * part)}\u202f%`);
    return h("div", { class: `rated ${engineClass(index)}`, role: "group", "aria-label": `${engine.name}: ${text(shares[0])} with black, ${text(shares[1])} with white` },
      engineLabel(index),
      s("svg", { class: "bar", "aria-hidden": true },
        [0, 0.5, 1].map((part) => s("line", { class: part === 0.5 ? "zero" : "tick", x1: at(0.03 + 0.94 * part), x2: at(0.03 + 0.94 * part), y1: 0, y2: "100%" })),
        known.length === 2 && s("line", { class: "range thin", x1: at(known[0]), x2: at(known[1]), y1: "50%", y2: "50%" }),
        shares.map((part, side) => part !== null && s("circle", { class: side ? "stone white" : "stone black", cx: at(0.03 + 0.94 * part), cy: "50%", r: 6.5 - side, transform: `translate(0 ${side ? apart : -apart})` }))),
      h("span", { class: "said" }, ["black", "white"].map((color, side) => h("span", { class: "pair" }, disc(side === 0), gamesLink(show, { engine: index, result: color }, `${text(shares[side])} with ${color}, games of ${engine.name}`, text(shares[side]))))));
  };
  $("colours").replaceChildren(...engines.map(row));
}

/** A small picture of an opening: the part of the board around its stones. */
function smallBoard(opening) {
  const { width, height } = sides(data.sizes[opening.size]);
  const stones = parsePoints(opening.moves);
  return s("svg", { class: "small", viewBox: `-.75 ${-height + 0.25} ${width + 0.5} ${height + 0.5}`, "aria-hidden": true },
    s("rect", { class: "wood", x: -0.75, y: -height + 0.25, width: width + 0.5, height: height + 0.5, rx: 0.6 }),
    gridOf(width, height),
    stones.map((stone, index) => s("circle", {
      class: `body ${index % 2 ? "white" : "black"}`, cx: stone.x, cy: -stone.y, r: 0.5,
    })));
}

function showOpenings(show) {
  const order = openings.map((_, index) => index).sort((a, b) => count(data.opening_scores[b].black) - count(data.opening_scores[a].black)
    || Math.abs(share(data.opening_scores[b].black) - 0.5) - Math.abs(share(data.opening_scores[a].black) - 0.5));
  const many = data.rules.length + data.sizes.length > 2;
  const card = (index) => {
    const { black, mean_length: length } = data.opening_scores[index];
    const opening = openings[index];
    const part = (kind, times) => { const bit = h("i", { class: kind }); bit.style.flexGrow = times; return times > 0 && bit; };
    const said = `Black ${points(black.wins, black.draws)} of ${count(black)}`;
    const link = gamesLink(show, { opening: index }, null,
      smallBoard(opening), h("span", { class: "score" }, part("black", black.wins), part("drawn", black.draws), part("white", black.losses)),
      h("span", { class: "said" }, said), h("small", {}, `${Math.round(length)} stones${many ? ` · ${data.rules[opening.rule]}` : ""}`));
    link.title = opening.moves || "no stones";
    return h("div", { role: "listitem" }, link);
  };
  let shown = 0;
  const more = () => {
    $("opening-grid").append(...order.slice(shown, shown + OPENINGS_AT_ONCE).map(card));
    shown = Math.min(order.length, shown + OPENINGS_AT_ONCE);
    $("more-openings").hidden = shown === order.length;
    $("more-openings").textContent = `Show ${Math.min(OPENINGS_AT_ONCE, order.length - shown)} more of ${plural(order.length, "opening")}`;
  };
  $("more-openings").onclick = more;
  more();
}

function showSetup() {
  const memory = (bytes) => (bytes ? `${(bytes / 2 ** 20).toFixed(0)} MiB` : "\u2013");
  const used = (index) => data.times[index].all;
  $("engines").replaceChildren(
    h("thead", {}, h("tr", {}, ["Engine", "About", "Moves", "Median", "Longest", "Peak memory"].map((text, index) => h("th", { scope: "col", class: index < 2 ? "name" : null }, text)))),
    h("tbody", {}, engines.map((engine, index) => h("tr", {}, h("th", { scope: "row", class: "name" }, engineLabel(index)), h("td", { class: "about" }, engine.about || "\u2013"),
      h("td", {}, group(used(index).moves)), h("td", {}, duration(used(index).median)), h("td", {}, duration(used(index).longest)), h("td", {}, memory(engine.peak_memory))))));
  $("batches").replaceChildren(...data.batches.map((batch) => h("details", {},
    h("summary", {}, `${batch.program}, batch of ${plural(batch.games, "game")}${batch.shard ? `, share ${batch.shard[0]} of ${batch.shard[1]}` : ""}, configuration ${batch.config_hash}`),
    h("pre", { tabindex: 0 }, batch.config))));
  $("source").textContent = [...new Set(data.batches.map((batch) => batch.program))].join(", ") || "records";
}
