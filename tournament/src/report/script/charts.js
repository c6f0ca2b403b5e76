// Charts that fit the available width: the running scores, the time per move.

const CHART_HEIGHT = 280;

/** The part of the scale that the scores need once the first games, which say little, are over. */
function scoreRange(last) {
  const settled = data.timelines.flatMap((points) => points.filter(([index], at) => index > last * 0.1 || at === points.length - 1));
  const parts = settled.map(([, part]) => part).concat(0.5);
  const [low, high] = [Math.min(...parts), Math.max(...parts)];
  const pad = Math.max(0.04, (high - low) * 0.15);
  return [Math.max(0, Math.floor((low - pad) * 20) / 20), Math.min(1, Math.ceil((high + pad) * 20) / 20)];
}

function showTimeline() {
  const last = games.length;
  if (last === 0) return;
  const [low, high] = scoreRange(last);
  $("course-band").hidden = !data.duel || last < 11;
  responsive($("timeline"), (width) => {
    const label = Math.min(150, width * 0.3);
    const [left, right, top, bottom] = [44, width - label, 10, CHART_HEIGHT - 24];
    const x = (index) => left + ((right - left) * (index - 1)) / Math.max(1, last - 1);
    const y = (part) => bottom - ((bottom - top) * (part - low)) / (high - low);
    const path = (points) => points.map(([index, part]) => `${x(index).toFixed(1)} ${y(part).toFixed(1)}`).join("L");
    const grid = ticks(low, high, 5).map((part) => [
      s("line", { class: Math.abs(part - 0.5) < 1e-9 ? "zero" : "tick", x1: left, x2: right, y1: y(part), y2: y(part) }),
      s("text", { x: left - 8, y: y(part) + 4, "text-anchor": "end" }, `${Math.round(100 * part)}\u202f%`)]);
    const numbers = ticks(1, last, Math.max(4, width / 160)).filter((tick) => tick >= 1 && Number.isInteger(tick))
      .map((tick) => s("text", { x: x(tick), y: CHART_HEIGHT - 4, "text-anchor": "middle" }, group(tick)));
    const course = (points, engine) => {
      if (points.length === 0) return null;
      const end = points[points.length - 1];
      const enough = points.filter(([index]) => index >= 10);
      const edge = (sign) => enough.map(([index, part, error]) => [index, part + sign * error]);
      // With two engines, one curve mirrors the other, which leaves room for the interval.
      const band = data.duel && engine === 0 && enough.length > 1
        && s("path", { class: "band", d: `M${path([...edge(1), ...edge(-1).reverse()])}Z` });
      return s("g", { class: `course ${engineClass(engine)}` }, band, s("path", { class: "line", d: `M${path([...points, [last, end[1]]])}` }));
    };
    const ends = data.timelines.map((points, engine) => points.length > 0 && { engine, part: points[points.length - 1][1] }).filter(Boolean);
    spread(ends.map((end) => Object.assign(end, { y: y(end.part) })), 16, top, bottom);
    const labels = ends.map(({ engine, part, y: labelY }) => s("g", { class: `course ${engineClass(engine)}` },
      s("path", { class: "lead", d: `M${right} ${y(part)}L${right + 10} ${labelY}` }),
      s("text", { x: right + 14, y: labelY + 4 }, clip(name(engine), (label - 20) / 7))));
    const description = ends.map(({ engine, part }) => `${name(engine)} ${percent(part)}`).join(", ");
    return s("svg", { width, height: CHART_HEIGHT, viewBox: `0 0 ${width} ${CHART_HEIGHT}`, role: "img", "aria-label": `Running scores: ${description}` },
      s("clipPath", { id: "course-clip" }, s("rect", { x: left, y: top - 2, width: right - left, height: bottom - top + 4 })),
      grid, numbers, s("g", { "clip-path": "url(#course-clip)" }, data.timelines.map(course)), labels);
  });
}

const clip = (text, length) => (text.length > length ? `${text.slice(0, Math.max(1, Math.floor(length) - 1))}\u2026` : text);

/** Moves the labels apart that would lie over each other. */
function spread(labels, gap, top, bottom) {
  labels.sort((a, b) => a.y - b.y);
  for (let i = 1; i < labels.length; i++) labels[i].y = Math.max(labels[i].y, labels[i - 1].y + gap);
  const over = labels.length ? labels[labels.length - 1].y - bottom : 0;
  if (over > 0) {
    labels[labels.length - 1].y -= over;
    for (let i = labels.length - 2; i >= 0; i--) labels[i].y = Math.max(top, Math.min(labels[i].y, labels[i + 1].y - gap));
  }
}

const TIME_CHART = 132;

function showTimes(show) {
  const spreads = data.times.flatMap((times) => times.columns.map((column) => column.spread));
  if (spreads.length === 0) return;
  const floor = 0.1;
  const longest = Math.max(1, ...spreads.map((spread) => spread.longest));
  const lastMove = Math.max(...data.times.flatMap((times) => times.columns.map((column) => column.to)));
  const slow = data.ending_names.map((ending, index) => [ending, index]).filter(([ending]) => isSlow(ending));
  const card = (times, engine) => {
    const lost = slow.reduce((all, [, index]) => all + (data.endings[engine].lost[index] || 0), 0);
    const box = h("div", { class: "chart" });
    const figure = h("figure", { class: `time ${engineClass(engine)}` },
      h("figcaption", {}, engineLabel(engine), h("small", {}, `${duration(times.all.median)} · ${duration(times.all.most)} · ${duration(times.all.longest)}`)), box,
      times.late > 0 && h("p", { class: "late" }, `${plural(times.late, "answer")} over the limit, the worst by ${duration(times.latest)}`),
      lost > 0 && h("p", { class: "late" }, gamesLink(show, { engine, result: "lost", ending: "slow" }, null, `lost ${plural(lost, "game")} on time`)));
    return { box, figure, paint: (width) => paint(times, engine, width) };
  };
  function paint(times, engine, width) {
    const [left, right, top, bottom] = [44, width - 6, 6, TIME_CHART - 20];
    const x = (move) => left + ((right - left) * (move - 1)) / Math.max(1, lastMove - 1);
    const y = (ms) => bottom - ((bottom - top) * Math.log(Math.max(ms, floor) / floor)) / Math.log(longest / floor);
    const decades = [];
    for (let ms = floor; ms <= longest; ms *= 10) decades.push(ms);
    const middle = (column) => x((column.from + column.to) / 2);
    const along = (key) => times.columns.map((column) => `${middle(column).toFixed(1)} ${y(column.spread[key]).toFixed(1)}`);
    const floorLine = times.columns.map((column) => `${middle(column).toFixed(1)} ${bottom}`).reverse();
    return s("svg", { width, height: TIME_CHART, viewBox: `0 0 ${width} ${TIME_CHART}`, role: "img", "aria-label": `Time of ${name(engine)}: median ${duration(times.all.median)}, longest ${duration(times.all.longest)}` },
      decades.map((ms) => [s("line", { class: "tick", x1: left, x2: right, y1: y(ms), y2: y(ms) }),
        s("text", { x: left - 6, y: y(ms) + 4, "text-anchor": "end" }, decade(ms))]),
      ticks(1, lastMove, 3).filter((tick) => tick >= 1).map((tick) => s("text", { x: x(tick), y: TIME_CHART - 4, "text-anchor": "middle" }, String(Math.round(tick)))),
      times.columns.length > 0 && [s("path", { class: "most", d: `M${along("most").concat(floorLine).join("L")}Z` }),
        s("path", { class: "median", d: `M${along("median").join("L")}` }),
        times.columns.map((column) => s("circle", { class: "longest", cx: middle(column), cy: y(column.spread.longest), r: 2 }))]);
  }
  const cards = data.times.map(card).filter((_, engine) => data.times[engine].all.moves > 0);
  $("times").replaceChildren(...cards.map(({ figure }) => figure));
  cards.forEach(({ box, paint }) => responsive(box, paint));
}

const decade = (ms) => (ms < 1000 ? `${Number(ms.toPrecision(1))} ms` : `${Math.round(ms / 1000)} s`);
