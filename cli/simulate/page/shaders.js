// The two programs of the graphics card: solids with their edges, and the paths of bodies.

// The state of a body, in bits: its type (0 to 3) and these.
const RED = 4, CHOSEN = 8, MISSED = 16, GHOST = 32, BACKDROP = 64;

// By number, as the programs know them; the first four are those of the types.
const COLOURS = ["proof", "kinematic", "c", "open", "met", "a", "walk", "paper", "ink", "line", "tint"];

const SOLID_VERTEX = `#version 300 es
precision highp float;
in vec3 corner, normal, size;
in vec4 place, turn; // of the body: its middle and what it is; its quaternion, w last
in vec4 border;
uniform mat4 view;
uniform vec3 eye;
flat out int flags;
flat out float stripe;
out vec3 face, toward, local;
out vec4 side;
vec3 turned(vec3 v) { return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v); }
void main() {
  vec3 at = place.xyz + turned(corner * size);
  flags = int(place.w);
  float low = min(size.x, size.y), high = max(size.x, size.y);
  stripe = 0.85 * max(low, min(high, size.z));
  face = turned(normal / size);
  local = corner * size;
  toward = eye - at;
  side = border;
  gl_Position = view * vec4(at, 1);
}`;

// Faces are pale where they are lit and have the full colour where not; edges have the full colour. Bodies in
// collision are red and striped, and their edges are thick.
const SOLID_PIXEL = `#version 300 es
precision highp float;
flat in int flags;
flat in float stripe;
in vec3 face, toward, local;
in vec4 side;
uniform vec3 colours[${COLOURS.length}], light, phase; // of the grid
uniform vec2 fog; // the distance where it begins, and how deep it is
uniform float ratio, cell;
uniform bool sheet; // 2D
out vec4 pixel;
bool is(int bit) { return (flags & bit) != 0; }
float border(float wide) { // 1 within so many pixels of an edge
  vec3 far = side.xyz / max(fwidth(side.xyz), 1e-7) / ratio;
  return 1.0 - smoothstep(wide - 0.5, wide + 0.5, min(far.x, min(far.y, far.z)));
}
vec3 backdrop(vec3 n) { // seen from inside: walls and a grid
  vec3 grid = local / cell + phase, slope = max(fwidth(grid), 1e-7);
  vec3 on = vec3(1) - smoothstep(0.0, 1.0, abs(grid - floor(grid + 0.5)) / slope / ratio);
  on *= (1.0 - smoothstep(0.1, 0.4, slope)) * step(abs(n), vec3(0.5));
  float edge = sheet ? 0.0 : border(1.2);
  vec3 wall = mix(colours[7], colours[10], sheet ? 0.0 : 0.5 - 0.5 * n.z);
  return mix(wall, colours[9], max(max(on.x, max(on.y, on.z)) * 0.65, edge));
}
void main() {
  vec3 n = normalize(face), paper = colours[7];
  if (is(${BACKDROP})) {
    pixel = vec4(backdrop(n), 1);
    return;
  }
  int type = flags & 3;
  bool dark = paper.g < 0.5, red = is(${RED}), solid = type != 2;
  vec3 base = colours[red && solid ? 4 : type], stroke = base;
  float lit = sheet ? 0.8 : max(0.0, dot(n, light)), wide = 1.1;
  float full = dark ? 0.18 + 0.5 * lit : 0.85 - 0.62 * lit;
  if (red) {
    stroke = mix(colours[4], colours[8], 0.25);
    wide = 2.0;
  }
  if (!solid) full *= 0.6;
  if (red && solid) full = dark ? 0.4 + 0.4 * lit : 0.95 - 0.5 * lit;
  vec3 colour = mix(paper, base, full);
  if (red && solid) {
    float s = dot(local, vec3(1)) / stripe, slope = max(fwidth(s), 1e-7);
    float band = smoothstep(0.5 - slope, 0.5 + slope, 2.0 * abs(fract(s) - 0.5)) * (1.0 - smoothstep(0.2, 0.6, slope));
    colour = mix(colour, dark ? paper : mix(base, colours[8], 0.2), (dark ? 0.4 : 0.5) * band);
  }
  if (is(${MISSED})) stroke = colours[6];
  if (is(${CHOSEN})) stroke = colours[5];
  if (is(${MISSED | CHOSEN})) wide = 2.6;
  wide *= clamp(stripe / length(fwidth(local)) / ratio / 14.0, 0.55, 1.0); // thinner on what is small
  float edge = border(wide);
  if (side.w > 0.5) { // of a curved surface
    float rim = 1.0 - smoothstep(0.08, red || is(${CHOSEN}) ? 0.5 : 0.34, abs(dot(n, normalize(toward))));
    edge = max(edge, rim);
  }
  colour = mix(colour, stroke, edge * (sheet ? 1.0 : 0.85));
  if (!sheet) colour = mix(colour, paper, 0.5 * clamp((length(toward) - fog.x) / fog.y, 0.0, 1.0));
  float alpha = type == 3 ? mix(0.25, 0.9, edge) : is(${GHOST}) ? mix(0.05, 0.35, edge) : 1.0;
  pixel = vec4(colour * alpha, alpha);
}`;

// A stroke of a path from one place to another, between two times: the part of it between the times of the window is
// drawn, the older the fainter.
const PATH_VERTEX = `#version 300 es
precision highp float;
in vec2 end; // 0 or 1 along, -1 or 1 across
in vec3 from, to;
in vec2 when;
uniform mat4 view;
uniform vec2 window, pixels; // from and to what time; half the picture
uniform float wide;
out float age;
void main() {
  vec2 t = clamp(window, when.x, when.y), part = (t - when.x) / max(when.y - when.x, 1e-9);
  vec4 p = view * vec4(mix(from, to, part.x), 1), q = view * vec4(mix(from, to, part.y), 1);
  bool none = t.y <= t.x || p.w < 1e-4 || q.w < 1e-4;
  vec2 way = (q.xy / q.w - p.xy / p.w) * pixels;
  float length_ = length(way);
  vec2 across = length_ > 1e-6 ? vec2(-way.y, way.x) / length_ : vec2(0, 1);
  vec4 at = end.x < 0.5 ? p : q;
  at.xy += across * end.y * wide / pixels * at.w;
  age = (window.y - (end.x < 0.5 ? t.x : t.y)) / (window.y - window.x);
  gl_Position = none ? vec4(2, 2, 2, 1) : at;
}`;

const PATH_PIXEL = `#version 300 es
precision highp float;
in float age;
uniform vec3 colour;
uniform float strength;
out vec4 pixel;
void main() {
  float alpha = strength * (1.0 - age) * (1.0 - age);
  pixel = vec4(colour * alpha, alpha);
}`;
