// The data of the page, and a game unpacked from it.

const data = JSON.parse($("data").textContent);
const { engines, games, openings } = data;

const endingName = (game) => data.ending_names[game.e];
/** Whether an engine failed; a foul is a move like any other. */
const failed = (game) => data.failures[game.e];
const troubled = (game) => data.troubles[game.e];
/** Whether an ending is a loss on time. */
const isSlow = (ending) => ending === "time" || ending === "hang";
const name = (engine) => engines[engine].name;
const ruleOf = (game) => data.rules[openings[game.o].rule];
const sizeOf = (game) => data.sizes[openings[game.o].size];
const sizeText = (size) => size.replace("x", "\u00d7");
const stoneCount = (game) => (game.m.match(/[a-z]/gi) || []).length;
const share = (score) => (score.wins + score.draws / 2) / Math.max(1, count(score));
const count = (score) => score.wins + score.draws + score.losses;
/** Eight colours; the engines after the eighth share them and are distinguished by broken lines. */
const engineClass = (engine) => `e${engine % 8}${engine >= 8 ? " again" : ""}`;

/** A value in a text such as `85` or `-M4`: points, or plies to the end of a won or lost game. */
function parseValue(text) {
  const mate = /^([+-])M(\d+)$/.exec(text);
  if (mate) return { text, side: mate[1] === "+" ? 1 : -1, mate: Number(mate[2]) };
  const score = Number(text);
  return text && Number.isFinite(score) ? { text, score } : null;
}

const showValue = (value) => value.text.replace("-", "\u2212").replace(/^(\d)/, "+$1").replace(/^\+0$/, "0");

/**
 * How many points of an engine are a clear advantage, so that values of different engines fit one graph: three
 * quarters of its values are smaller. Only some games are looked at.
 */
const scales = new Map();
function scaleOf(engine) {
  if (scales.has(engine)) return scales.get(engine);
  const seen = [];
  for (const game of games) {
    if (seen.length > 4000) break;
    const side = game.b === engine ? 0 : game.w === engine ? 1 : -1;
    if (side < 0 || !game.v) continue;
    const first = openings[game.o].stones;
    game.v.split(" ").forEach((text, index) => {
      const value = (first + index) % 2 === side && parseValue(text);
      if (value && value.score) seen.push(Math.abs(value.score));
    });
  }
  seen.sort((a, b) => a - b);
  const scale = seen[Math.floor(seen.length * 0.75)] || 1;
  scales.set(engine, scale);
  return scale;
}

/** What a review says of a stone. */
function reviewOf(review, ply) {
  const mark = review.m.split(" ")[ply - 1];
  const [before, after] = review.w[ply - 1] || [];
  return mark && { mark, words: mark.replace("-", " "), before, after, line: review.l[ply] };
}

/** Errors in a list of moves. */
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??", "missed-win": "\u2717" };

/** A game with its stones and what is known of each. Ply 0 is the empty board, ply n the one after n stones. */
function unpack(game) {
  const opening = openings[game.o].stones;
  const column = (text) => (text ? text.split(" ") : []);
  const [values, depths, nodes] = [column(game.v), column(game.d), column(game.k)];
  const number = (text) => (text && text !== "." ? Number(text) : undefined);
  const stones = parsePoints(game.m).map((point, index) => {
    const move = index - opening;
    const black = index % 2 === 0;
    return {
      ...point,
      black,
      engine: black ? game.b : game.w,
      ply: index + 1,
      opening: move < 0,
      ms: game.t[move] === undefined ? undefined : game.t[move] / 10,
      value: move < 0 ? null : parseValue(values[move]),
      depth: number(depths[move]),
      nodes: number(nodes[move]),
    };
  });
  if (game.rv) stones.forEach((stone) => (stone.review = reviewOf(game.rv, stone.ply)));
  const rows = (game.r || []).map(parsePoints);
  return { game, stones, opening, rows, isFoul: endingName(game) === "foul", ...sides(sizeOf(game)) };
}

/** A game's end in a sentence, with the engine's name for the colour where it begins with one. */
function outcome(game) {
  const said = /^(black|white) (.*)$/s.exec(game.s);
  if (!said) return `${game.x === 0 ? "Draw" : `${game.x > 0 ? "Black" : "White"} won`}: ${game.s}`;
  return `${name(said[1] === "black" ? game.b : game.w)} ${said[2]}`;
}
