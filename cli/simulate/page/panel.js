// The panel beside the picture: the chosen body, the numbers of the run, and the contacts that were missed.

const find = id => document.getElementById(id);

function make(name, className, words) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (words !== undefined) element.textContent = words;
  return element;
}

function write(id, words) {
  const element = find(id);
  if (element.textContent !== words) element.textContent = words;
}

const several = (count, one, plural = one + "s") => `${count.toLocaleString("en")} ${count === 1 ? one : plural}`;

// Rows of a name and a value.
function rowsOf(list, rows) {
  for (const [name, value] of rows) list.append(make("dt", "", String(name)), make("dd", "", powers(String(value))));
}

class Panel {
  // `visit(t, body)` is called with a time and a body that were chosen.
  constructor(tape, scene, visit) {
    Object.assign(this, { tape, scene, visit, own: [], shown: "" });
  }

  choose(i) {
    const { tape } = this;
    find("chosen").hidden = i < 0;
    this.own = [];
    this.shown = "";
    if (i < 0) return;
    tape.contacts.forEach(({ a, b }, k) => {
      if (a === i || b === i) this.own.push(k);
    });
    this.times = Float64Array.from(this.own, k => tape.contactTimes[k]);
    write("chosen-name", tape.names[i]);
    this.draw();
  }

  // The numbers of the chosen body at this time.
  draw() {
    const { tape, scene } = this, i = scene.chosen, k = i < 0 ? -1 : tape.key(i, scene.t);
    if (i < 0) return;
    const count = tape.reached(this.times, scene.t), red = tape.red(i, scene.t), flat = tape.dim === 2;
    write("chosen-kind", TYPES[tape.types[i]]);
    write("chosen-state", k < 0 ? "nowhere" : red ? "in collision" : "free");
    find("chosen-state").className = red ? "met" : "relation";
    write("chosen-count", several(count, "contact") + " so far");
    const speeds = k < 0 ? null : tape.keys.subarray(k + 8, k + 14), place = tape.outer(scene.place(i));
    const digits = tape.size > 0 ? Math.floor(Math.log10(tape.size)) - 2 : -2, short = x => steady(x, digits);
    const list = v => "(" + [...v].slice(0, tape.dim).map(short).join(", ") + ")";
    write("chosen-place", speeds ? list(place) : "–");
    write("chosen-speed", speeds ? short(Math.hypot(...speeds.subarray(0, 3))) : "–");
    write("chosen-spin", speeds ? steady(flat ? speeds[5] : Math.hypot(...speeds.subarray(3)), -3) : "–");
    this.list(i, count);
  }

  // Its last contacts; each leads to its time.
  list(i, count) {
    const { tape, own } = this, name = i + ":" + count;
    if (this.shown === name) return;
    this.shown = name;
    find("chosen-contacts").replaceChildren(...own.slice(Math.max(0, count - 4), count).reverse().map(k => {
      const { t, a, b } = tape.contacts[k], other = a === i ? b : a, item = make("li");
      const button = make("button", "", `${tape.timeText(t)} s, ${tape.names[other]}`);
      button.type = "button";
      button.addEventListener("click", () => this.visit(t));
      item.append(button);
      return item;
    }));
  }

  // The constant part: the title, the numbers measured, the parameters, what was missed.
  begin(story) {
    const { tape } = this, { parameters, table } = story, caption = story["note"], { missed } = tape;
    write("title", story.title || "A simulation");
    document.title = (story.title || "A simulation") + " · Graze";
    const facts = [`${several(tape.count, "body", "bodies")} in ${tape.dim}D`, `${several(tape.steps, "step")} of ` +
      `${decimal(tape.dt)} s, ${decimal(tape.end, 4)} s in all`];
    find("facts").replaceChildren(...facts.map(words => make("span", "", words)));
    const badge = make("span", "badge missed", several(missed.length, "contact") + " missed");
    if (missed.length) find("facts").append(badge);
    find("caption").hidden = !caption;
    if (caption) write("caption", powers(caption));
    rowsOf(find("measured-rows"), table);
    rowsOf(find("parameter-rows"), parameters);
    this.misses();
  }

  misses() {
    const { tape } = this, most = 100, { missed } = tape;
    find("misses").hidden = !missed.length;
    find("miss-rows").replaceChildren(...missed.slice(0, most).map(({ t, a, b }) => {
      const names = `${tape.names[a]} and ${tape.names[b]}`;
      const item = make("li"), button = make("button", "", `${tape.timeText(t)} s: ${names}`);
      button.type = "button";
      button.addEventListener("click", () => this.visit(t, a));
      item.append(button);
      return item;
    }));
    if (missed.length > most) find("miss-rows").append(make("li", "hint", `and ${missed.length - most} more`));
  }
}

// A number that changes, with always as many digits after the point: down to 10^digits.
function steady(x, digits) {
  if (digits > 0 || digits < -8) return decimal(x);
  const text = (Math.abs(x) < 0.5 * 10 ** digits ? 0 : x).toFixed(-digits);
  return text.replace("-", "−");
}

// The meaning of the colours and signs that occur.
function legend(tape, story) {
  const used = new Set(tape.types), has = type => used.has(TYPES.indexOf(type)), list = [];
  for (const type of TYPES) if (has(type)) list.push(["sign " + type, type]);
  if (story.bodies.some(body => body.red.length)) list.push(["sign red", "in collision"]);
  if (tape.contacts.length) list.push(["sign touch", "first contact"]);
  if (tape.missed.length) list.push(["sign miss", "missed"]);
  find("legend").replaceChildren(...list.map(([name, words]) => {
    const part = make("span");
    part.append(make("i", name), words);
    return part;
  }));
}
