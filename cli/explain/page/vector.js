"use strict";
// Small vectors, and how numbers are read and written. A vector is an array of three numbers; in 2D the third is 0.

const add = (p, q, t = 1) => [p[0] + t * q[0], p[1] + t * q[1], p[2] + t * q[2]];
const minus = (p, q) => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
const times = (p, t) => [p[0] * t, p[1] * t, p[2] * t];
const dot = (p, q) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const cross = (p, q) => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
const isNumber = Number.isFinite;

// A recorded vector; null where there is none.
function vector(list) {
  return Array.isArray(list) && list.length > 1 && list.every(isNumber) ? [list[0], list[1], list[2] || 0] : null;
}

// The unit vector, whatever the size of the numbers; null for none and for zero.
function unit(v) {
  const most = v ? Math.max(Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2])) : 0;
  if (!(most > 0)) return null;
  const w = [v[0] / most, v[1] / most, v[2] / most];
  return times(w, 1 / Math.sqrt(dot(w, w)));
}

// Some unit vector perpendicular to the unit vector d.
function perpendicular(d) {
  const axis = Math.abs(d[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  return unit(cross(d, axis));
}

function bounds(points) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const p of points) {
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i], p[i]);
      high[i] = Math.max(high[i], p[i]);
    }
  }
  return points.length ? { low, high } : { low: [0, 0, 0], high: [0, 0, 0] };
}

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

function typeset(text) {
  const [digits, power] = text.replace("e+", "e").split("e");
  const raised = power ? "·10" + [...power].map(c => RAISED[c]).join("") : "";
  return digits.replace("-", "−") + raised;
}

// Words with their numbers as the page writes numbers: 1e−12 as 1·10⁻¹².
const powers = words => String(words || "").replace(/(\d)e([−-]?\d+)(?!\w|\.\d)/g,
  (_, digit, power) => digit + "·10" + [...power.replace("−", "-")].map(c => RAISED[c]).join(""));

// A number to be read, of a few digits; and one with all its digits.
function decimal(x, digits = 4) {
  if (!isNumber(x)) return "–";
  const text = String(Number(x.toPrecision(digits)));
  return typeset(Math.abs(x) >= 1e7 || (x !== 0 && Math.abs(x) < 1e-4) ? Number(text).toExponential() : text);
}
const exactly = x => (isNumber(x) ? typeset(String(x === 0 ? 0 : x)) : "none");
const tuple = (v, digits) => (Array.isArray(v) ? "(" + v.map(x => decimal(x, digits)).join(", ") + ")" : "–");
