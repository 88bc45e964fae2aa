// The text of each step, and the colours of the words that name something in a figure.

const find = id => document.getElementById(id);
const PHASES = { gjk: "GJK", portal: "MPR", exact: "exact refinement", epa: "EPA", axis: "separating axes" };
const ROUNDED = story.r > 0 && tale.cso ? ` A − B is rounded by r = ${decimal(story.r)}. Inside it is the Minkowski difference ` +
  "of the cores, on which the algorithms run." : "";
const DIFFERENCE = "A and B, and their Minkowski difference A − B, the set of all a − b. A and B are in contact if A − B contains " +
  "the origin. Their distance is that of A − B from the origin." + ROUNDED;

// Words that name parts of a figure have their colour.
const COLOURED = new RegExp("(A [−+] B|\\b[AB]\\d*\\b|support points?|simplex|first direction|polytope|\\b[dw]\\b|" +
  "origin|witness points?|green lines|green arrow|verified)");

// `found` is the colour of what the search found: in what proves, it is that of the proof.
function colourOf(word, found) {
  if (/^A [−+] B/.test(word)) return "c";
  if (/^A\d*$/.test(word)) return "a";
  if (/^B\d*$/.test(word)) return "b";
  if (/^(support|simplex|first|polytope|d$|w$)/.test(word)) return found;
  return word === "origin" ? "ink" : "proof";
}

function writeColoured(element, words, { pattern = COLOURED, found = "walk" } = {}) {
  element.replaceChildren(...powers(words).split(pattern).map((part, i) => {
    if (i % 2 === 0) return part;
    const span = document.createElement("span");
    span.className = "word " + colourOf(part, found);
    span.textContent = part;
    return span;
  }));
}

function make(name, className, words) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (words !== undefined) element.textContent = words;
  return element;
}

const FEATURES = { "edge of A": "normal to an edge of A", "edge of B": "normal to an edge of B",
  "face of A": "normal to a face of A", "face of B": "normal to a face of B",
  "edges of both": "perpendicular to an edge of each" };

// With a capital, unless it begins with a symbol, and a full stop.
function sentence(words) {
  const begin = /^[dvwr](?![a-z])/.test(words) ? words.charAt(0) : words.charAt(0).toUpperCase();
  return begin + words.slice(1) + (/[.!]$/.test(words) || !words ? "" : ".");
}

function wordsOf({ kind, k }) {
  const words = story.words || {};
  const parts = words.parts ? " " + words.parts : "";
  if (tale.motion && kind === "query") return tale.motion.path + parts;
  if (kind === "moment") return tale.motion.moments[k].words;
  if (tale.motion) return sentence(words.answer || "") + " " + tale.motion.samples;
  if (kind === "query" && parts && !story.of_parts) return "A and B." + parts;
  if (kind === "query") return tale.sum ? "A and B, and their Minkowski sum A + B, the set of all a + b." : DIFFERENCE + parts;
  if (kind === "answer") return sentence(words.answer || "") + shown();
  if (kind === "step") return [tale.steps[k].words, tale.steps[k].stop_words].filter(Boolean).map(sentence).join(" ");
  const { kind: feature, direction, separation, a, b } = tale.axes[k];
  const spans = a && b ? `the projection of A is from ${decimal(a[0])} to ${decimal(a[1])}, ` +
    `that of B from ${decimal(b[0])} to ${decimal(b[1])}` : "";
  const means = separation > 0 ? `the gap ${decimal(separation)} is > 0, so this is a separating axis` :
    `they overlap by ${decimal(-separation)}, so this is no separating axis`;
  return `On the axis d = ${tuple(direction)}, ${FEATURES[feature] || "from A to B"}, ${spans}; ${means}.` +
    (k === tale.best ? " It is the best of all axes." : "");
}

// The content of the figures at the end.
function shown() {
  const drawn = tale.direction && isNumber(tale.evidence.max_a);
  if (tale.relation === "separated" && drawn) {
    const [a, b] = tale.bodies.map(body => body.title);
    return ` No point of ${a} or ${b} is between the green lines: ${a} ends at one, ${b} begins at the other.`;
  }
  if (tale.relation === "touching") return " The origin is on the boundary of A − B.";
  if (tale.contacts.length) return " The green lines join the two points of each contact.";
  if (tale.ray && tale.ray.inside) return inside() + (push(tale) ? " Moving B by the green arrow ends the overlap." : "");
  if (tale.nonconvex) return " Moving B by the green arrow ends the overlap.";
  if (push(tale)) return " The origin is inside A − B. Moving B by the green arrow separates them.";
  return tale.relation === "overlapping" ? " The origin is inside A − B." : "";
}

const inside = () => ` The green ray from the point inside leaves the solid through ${tale.ray.total} ` +
  `${tale.dim === 2 ? "edge" : "triangle"}${tale.ray.total === 1 ? "" : "s"}, an odd number.`;

function titleOf({ kind, k }) {
  if (kind === "query") return "The query";
  if (kind === "answer") return "The answer";
  if (kind === "moment") return momentTitle(k);
  if (kind === "axis") {
    const count = tale.axes.length, total = Math.max(story.axis_total || 0, count);
    return total > count && k === count - 1 ? `The best of ${total} axes` : `Axis ${k + 1} of ${total}`;
  }
  return `Step ${k + 1} of ${tale.steps.length} · ${PHASES[tale.steps[k].phase] || tale.steps[k].phase || ""}`;
}

function momentTitle(k) {
  const { moments, key } = tale.motion, { t, sampled } = moments[k], clear = (story.answer || {}).t_lower === null;
  const number = moments.slice(0, k + 1).filter(m => m.sampled).length, total = moments.filter(m => m.sampled).length;
  const what = k === key && t > 0 ? (clear ? " · minimum distance" : " · the first contact") : "";
  return `t = ${decimal(t, 6)}${what}${sampled ? ` · sample ${number} of ${total}` : ""}`;
}

// The meaning of the colours, in the world and in the difference.
const ORIGIN = ["ink", "+ origin"], DIRECTION = ["walk", "direction d"];
const LEGENDS = {
  query: [[], [ORIGIN]],
  step: [[DIRECTION], [["walk", "simplex"], ["walk", "◉ support point"], DIRECTION, ORIGIN]],
  axis: [[["proof", "axis d"]], [["proof", "bound along the axis"], ORIGIN]],
  answer: [[["proof", tale.contacts.length ? "contact points" : tale.a ? "witness points" : tale.ray ? "ray" : ""]],
    [["proof", tale.vertices.length ? "" : "certificate"], ORIGIN]],
};

// The legends of motions, at all places.
function movingLegends({ motion, point }) {
  const free = motion.spans.some(span => span.state === "free");
  return [[["proof", motion.sweep ? "" : "gap along d"], ["met", point ? "contact" : ""]],
    [["walk", unit(vector(motion.u)) ? "t·u" : ""], ["proof", free ? "proved free" : ""], ORIGIN]];
}

function legends(place) {
  [find("world-legend"), find("difference-legend")].forEach((element, i) => {
    const own = i ? [] : [["a", "A"], ["b", "B"]].slice(0, tale.bodies.length);
    const parts = [...own, ...(tale.motion ? movingLegends(tale) : LEGENDS[place.kind])[i]].filter(([, words]) => words);
    element.replaceChildren(...parts.map(([colour, words]) => make("span", "word " + colour, words)));
  });
}
