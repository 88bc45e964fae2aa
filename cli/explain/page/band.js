// The interval: what each step had proved of the distance, and how the width shrank. And the projections on the axes.

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes = {}, words) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (words !== undefined) element.textContent = words;
  return element;
}

// Round values between low and high, few enough to be written beside an axis.
function ticks(low, high, most) {
  const span = high - low;
  if (!(span > 0) || !isNumber(span)) return [low];
  const rough = span / most, power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = power * ([1, 2, 5, 10].find(k => k * power >= rough) || 10);
  if (!(step > 0) || !isNumber(step)) return [low, high];
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-12) && found.length < 12; k++) found.push(k * step);
  return found;
}

// The bounds of the signed distance after a step; null: none. EPA's upper bound is none while the origin is outside of
// its polytope.
function ownBounds(step, r) {
  const { lower, upper } = step, good = isNumber(upper) && (step.phase !== "epa" || upper < 0);
  return { lower: isNumber(lower) ? lower - r : null, upper: good ? upper - r : null };
}

// The best bounds of the signed distance so far, after each step, beside its own, as every search keeps its own; and
// those of the answer.
function intervals(story) {
  const r = story.r || 0, answer = story.answer || {};
  let best = { lower: null, upper: null };
  const better = (pick, x, y) => (x === null ? y : y === null ? x : pick(x, y));
  const rows = (story.steps || []).map((step, k) => {
    const own = ownBounds(step, r);
    best = { lower: better(Math.max, best.lower, own.lower), upper: better(Math.min, best.upper, own.upper) };
    return { x: k + 1, ...best, own };
  });
  if (isNumber(answer.lower) && isNumber(answer.upper)) {
    rows.push({ x: rows.length + 1, lower: answer.lower, upper: answer.upper, last: true });
  }
  return rows;
}

const differs = row => Boolean(row && row.own) && (row.own.lower !== row.lower || row.own.upper !== row.upper);
const span = ({ lower, upper }) => [lower, upper].map(x => (x === null ? "?" : decimal(x, 6))).join(" to ");

class Band {
  // `choose(x)` is called with the step that was pointed at.
  constructor(place, rows, choose) {
    Object.assign(this, { place, rows, choose });
    new ResizeObserver(() => this.draw()).observe(place);
  }

  mark(x) {
    this.at = x;
    this.draw();
  }

  draw() {
    const width = Math.max(260, Math.floor(this.place.clientWidth)), tall = width > 420 ? 70 : 0, height = 250 + tall;
    if (!this.rows.length) return;
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": "The best bounds of the signed distance after each step, and the width of the interval" });
    this.left = 62;
    this.scale = (width - this.left - 16) / Math.max(1, this.rows.length);
    this.bounds(picture, 24, 150 + tall);
    this.widths(picture, 178 + tall, 226 + tall);
    if (this.at >= 1 && this.at <= this.rows.length) {
      const x = this.x(this.at);
      picture.append(svg("line", { class: "cursor", x1: x, x2: x, y1: 20, y2: 228 + tall }));
    }
    picture.addEventListener("click", event => {
      const x = (event.clientX - picture.getBoundingClientRect().left - this.left) / this.scale;
      this.choose(Math.min(this.rows.length, Math.max(1, Math.ceil(x))));
    });
    this.place.replaceChildren(picture);
  }

  x(k) {
    return this.left + (k - 0.5) * this.scale;
  }

  // A line over the whole width.
  level(picture, name, y) {
    const right = this.x(this.rows.length) + this.scale / 2;
    picture.append(svg("line", { class: name, x1: this.left, x2: right, y1: y, y2: y }));
  }

  axis(picture, values, y, words) {
    for (const value of values) {
      this.level(picture, "grid", y(value));
      const place = { x: this.left - 8, y: y(value) + 4, "text-anchor": "end" };
      picture.append(svg("text", { class: "tick", ...place }, words(value)));
    }
  }

  bounds(picture, top, bottom) {
    const known = this.rows.flatMap(row => [row, row.own || row].flatMap(x => [x.lower, x.upper])).filter(isNumber);
    let low = Math.min(0, ...known), high = Math.max(0, ...known);
    if (!(high > low)) [low, high] = [low - 1, high + 1];
    const size = high - low || 1, y = value => bottom - (value / size - low / size) * (bottom - top);
    const row = this.rows[this.at - 1], now = row ? ": " + span(row.own || row) : "";
    picture.append(svg("text", { class: "head", x: this.left, y: 14 }, "signed distance" + now));
    this.axis(picture, ticks(low, high, 4), y, value => decimal(value, 3));
    this.level(picture, "zero", y(0));
    const half = Math.max(this.scale / 2 - (this.scale > 12 ? 1 : 0), 0.5);
    for (const row of this.rows) {
      const [from, to] = [row.lower === null ? bottom : y(row.lower), row.upper === null ? top : y(row.upper)];
      const bar = { x: this.x(row.x) - half, width: 2 * half };
      if (row.lower === null && row.upper === null) continue;
      const open = row.lower === null || row.upper === null ? " open" : "";
      const name = "inside" + open + (row.last ? " last" : "");
      picture.append(svg("rect", { class: name, ...bar, y: to, height: Math.max(from - to, 1) }));
      for (const [bound, value, y1] of [["lower", row.lower, from], ["upper", row.upper, to]]) {
        if (value === null) continue;
        picture.append(svg("line", { class: bound, x1: bar.x, x2: bar.x + bar.width, y1, y2: y1 }));
      }
    }
    this.own(picture, y, half);
  }

  // Thin marks where a step's own bounds are not the best so far.
  own(picture, y, half) {
    for (const row of this.rows.filter(differs)) {
      for (const bound of ["lower", "upper"]) {
        const value = row.own[bound];
        if (value === null || value === row[bound]) continue;
        picture.append(svg("line", { class: "own", x1: this.x(row.x) - half, x2: this.x(row.x) + half, y1: y(value),
          y2: y(value) }));
      }
    }
  }

  // The chart's heading and the table show a step's own bounds, so the best so far are named as such.
  boundsText() {
    if (!this.rows.some(differs)) return "";
    const row = this.rows[this.at - 1], now = differs(row) ? ` After this step the best bounds are ${span(row)}.` : "";
    return "The band shows the best bounds so far. Each phase has its own bounds, shown as thin marks." + now;
  }

  widths(picture, top, bottom) {
    const power = ({ lower, upper }) => (lower === null || upper === null ? null :
      upper > lower ? Math.log10(upper - lower) : -Infinity);
    const known = this.rows.map(power).filter(isNumber);
    picture.append(svg("text", { class: "head", x: this.left, y: top - 10 }, "width of the interval"));
    const low = Math.floor(Math.min(...known, 0)), high = Math.ceil(Math.max(...known, low + 1));
    const y = value => bottom - (Math.max(value, low) - low) / (high - low) * (bottom - top);
    this.axis(picture, known.length ? ticks(low, high, 3) : [], y,
      value => typeset("1e" + Math.round(value)).replace("1·", ""));
    this.rows.forEach((row, i) => {
      const p = power(row), before = i ? power(this.rows[i - 1]) : null;
      if (p === null) return;
      const x = this.x(i + 1), name = isNumber(p) ? "fall" : "fall none";
      if (before !== null) picture.append(svg("line", { class: "fall", x1: this.x(i), y1: y(before), x2: x, y2: y(p) }));
      if (this.scale > 6) picture.append(svg("circle", { class: name, cx: x, cy: y(p), r: 3 }));
    });
    this.numbers(picture, bottom + 20);
  }

  // As many steps as there is space for.
  numbers(picture, y) {
    const every = Math.ceil(28 / this.scale), hasSpace = row => (this.rows.length - row.x) * this.scale > 44;
    for (const row of this.rows) {
      if (!row.last && (row.x % every !== 0 || !hasSpace(row))) continue;
      const place = row.last ? { "text-anchor": "end", dx: Math.min(this.scale / 2, 20) } : { "text-anchor": "middle" };
      picture.append(svg("text", { class: "tick", x: this.x(row.x), y, ...place }, row.last ? "answer" : row.x));
    }
  }
}

// A row of an axis: A and B as bars on it.
function axisRow(axis, number, best) {
  const row = document.createElement("button"), values = [...(axis.a || []), ...(axis.b || [])].filter(isNumber);
  row.type = "button";
  row.className = "axis" + (best ? " best" : "");
  const name = document.createElement("span"), separation = document.createElement("span");
  name.className = "name";
  name.textContent = `${number}  ${axis.kind || ""}${best ? " · best" : ""}`;
  separation.className = "separation";
  separation.textContent = decimal(axis.separation);
  const picture = svg("svg", { viewBox: "0 0 200 22", preserveAspectRatio: "none", "aria-hidden": "true" });
  if (values.length === 4) {
    const low = Math.min(...values), size = Math.max(...values) - low || 1, x = t => 4 + (t / size - low / size) * 192;
    for (const [name, [from, to], y] of [["a", axis.a, 3], ["b", axis.b, 12]]) {
      picture.append(svg("rect", { class: name, x: x(from), y, width: Math.max(1, x(to) - x(from)), height: 7 }));
    }
    const [from, to] = [x(axis.a[1]), x(axis.b[0])];
    picture.append(svg("rect", { class: axis.separation > 0 ? "gap" : "lap", x: Math.min(from, to), y: 0,
      width: Math.abs(to - from), height: 22 }));
  }
  row.append(name, picture, separation);
  return row;
}
