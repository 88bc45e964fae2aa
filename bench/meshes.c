/* Times meshes of Graze and its peers.
 *
 *   meshes [--passes N] [--parts N] [--only NAME,…] [--list N]          default 7 passes, 1000 parts
 *
 * Parts are bumpy spheres of 506 triangles, eight models, at random places and rotations; candidates are the pairs
 * whose bounds overlap. Two solids have 101,760 triangles each, once 1e-3 apart, once interlocked. Rays start outside a
 * mesh of 998,000 triangles. Peers are interleaved over the passes. A row has the median processor time of a query
 * (build: of a mesh) in microseconds, its ratio to Graze, and the number of answers that differ from Graze: another
 * relation, another number of pairs of triangles, distances and parameters more than 1e-5 apart. --list prints N of
 * these. */
#define _POSIX_C_SOURCE 199309L
#include "meshes.h"

#include "probe.h"

#include <string.h>

enum { MOST_PASSES = 100, MODELS = 8, LARGE_PASSES = 9, RAYS = 100000 };
#define ALLOWED 1e-5
#define NEAR_GAP 1e-3

static const mesh_peer *const peers[] = {
    &mesh_graze, /* first: the reference of the others */
#ifdef BENCH_MESHES_FCL
    &mesh_fcl,
#endif
#ifdef BENCH_MESHES_COAL
    &mesh_coal,
#endif
#ifdef BENCH_MESHES_BULLET
    &mesh_bullet,
#endif
#ifdef BENCH_MESHES_PARRY
    &mesh_parry,  &mesh_parry_single,
#endif
#ifdef BENCH_MESHES_JOLT
    &mesh_jolt,
#endif
#ifdef BENCH_MESHES_EMBREE
    &mesh_embree, &mesh_embree_robust,
#endif
};
enum { PEERS = sizeof peers / sizeof *peers };

typedef enum cell { BUILD, FIRST, CONTACTS, SEPARATED_DISTANCE, ALL_DISTANCES, NEAR, LOCKED, RAY, CELLS } cell;
static const char *const cell_names[CELLS] = {
    "build",         "first contact", "all contacts",        "distance, separated",
    "distance, all", "100,000 near",  "100,000 interlocked", "ray"};

static const char *only;
static int passes = 7;
static size_t part_count = 1000, list;
static uint64_t state = 1;

/* ---- Bodies */

static bench_mesh make_model(int rings, double bump, double phase) {
  const int around = 2 * rings - 1;
  bench_mesh mesh = {2 + (size_t)((rings - 1) * around), (size_t)(2 * around * (rings - 1)), NULL, NULL};
  mesh.vertices = probe_allocate(mesh.vertex_count, sizeof *mesh.vertices);
  mesh.faces = probe_allocate(mesh.face_count, sizeof *mesh.faces);
  mesh.vertices[0][2] = 1, mesh.vertices[1][2] = -1;
  size_t faces = 0;
  for (int i = 0; i < rings; i++) {
    for (int j = 0; j < around; j++) {
      const double theta = acos(-1) * i / rings, phi = 2 * acos(-1) * j / around;
      const double r = 1 + bump * sin(4 * theta + phase) * cos(5 * phi + phase);
      const int row = 2 + (i - 1) * around, next = row + around, other = (j + 1) % around;
      const int32_t a = i == 0 ? 0 : row + j, d = i == 0 ? 0 : row + other;
      const int32_t b = i == rings - 1 ? 1 : next + j, c = i == rings - 1 ? 1 : next + other;
      if (i > 0) {
        double *v = mesh.vertices[row + j];
        v[0] = r * sin(theta) * cos(phi), v[1] = r * sin(theta) * sin(phi), v[2] = r * cos(theta);
      }
      if (i > 0) memcpy(mesh.faces[faces++], (const int32_t[3]){a, b, d}, sizeof *mesh.faces);
      if (i < rings - 1) memcpy(mesh.faces[faces++], (const int32_t[3]){b, c, d}, sizeof *mesh.faces);
    }
  }
  return mesh;
}

static bench_place random_place(double half) {
  bench_place place;
  double square = 0;
  for (int k = 0; k < 3; k++) place.position[k] = half * probe_uniform(&state);
  do {
    square = 0;
    for (int k = 0; k < 4; k++) place.rotation[k] = probe_uniform(&state), square += pow(place.rotation[k], 2);
  } while (square > 1 || square < 0.01);
  for (int k = 0; k < 4; k++) place.rotation[k] /= sqrt(square);
  return place;
}

static void bounds_of(const bench_mesh *mesh, const bench_place *at, double low[3], double high[3]) {
  const double *q = at->rotation;
  for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    const double *v = mesh->vertices[i];
    const double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                         2 * (q[0] * v[1] - q[1] * v[0])};
    const double turned[3] = {q[1] * t[2] - q[2] * t[1], q[2] * t[0] - q[0] * t[2], q[0] * t[1] - q[1] * t[0]};
    for (int k = 0; k < 3; k++) {
      const double x = v[k] + q[3] * t[k] + turned[k] + at->position[k];
      low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
    }
  }
}

/* ---- The world of all peers */

static struct {
  bench_mesh model[MODELS], large, huge;
  bench_place *place;
  size_t (*pair)[2], pair_count;
  bench_place near, locked; /* of the second large solid; the first is at the origin */
  double (*origin)[3], (*direction)[3];
} world;

static void find_pairs(void) {
  double(*box)[2][3] = probe_allocate(part_count, sizeof *box);
  for (size_t i = 0; i < part_count; i++) bounds_of(&world.model[i % MODELS], &world.place[i], box[i][0], box[i][1]);
  world.pair = probe_allocate(part_count * part_count / 2, sizeof *world.pair);
  for (size_t i = 0; i < part_count; i++) {
    for (size_t j = i + 1; j < part_count; j++) {
      bool overlap = true;
      for (int k = 0; k < 3; k++) overlap = overlap && box[i][0][k] <= box[j][1][k] && box[j][0][k] <= box[i][1][k];
      if (overlap) world.pair[world.pair_count][0] = i, world.pair[world.pair_count++][1] = j;
    }
  }
  free(box);
}

/* Moves the second solid until its distance is NEAR_GAP, by Graze. */
static void find_near(void) {
  void *mesh = mesh_graze.build(&world.large);
  const bench_place origin = {{0, 0, 0}, {0, 0, 0, 1}};
  void *a = mesh_graze.place(mesh, &origin);
  double offset = 3, step = 1;
  world.near = world.locked = random_place(1);
  const double *to = world.near.position;
  const double length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
  const double unit[3] = {to[0] / length, to[1] / length, to[2] / length};
  for (int i = 0; i < 60; i++, step /= 2) {
    for (int k = 0; k < 3; k++) world.near.position[k] = unit[k] * offset;
    void *b = mesh_graze.place(mesh, &world.near);
    offset += mesh_graze.first(a, b) || mesh_graze.distance(a, b) < NEAR_GAP ? step : -step;
    mesh_graze.remove(b);
  }
  for (int k = 0; k < 3; k++) world.locked.position[k] = unit[k] * (offset - 0.3);
  mesh_graze.remove(a), mesh_graze.release(mesh);
}

static void make_world(void) {
  for (int i = 0; i < MODELS; i++) world.model[i] = make_model(12, 0.25, i);
  world.large = make_model(160, 0.1, 0), world.huge = make_model(500, 0.1, 0);
  world.place = probe_allocate(part_count, sizeof *world.place);
  const double half = 17.8 / 2 * cbrt((double)part_count / 1000);
  for (size_t i = 0; i < part_count; i++) world.place[i] = random_place(half);
  find_pairs();
  find_near();
  world.origin = probe_allocate(RAYS, sizeof *world.origin);
  world.direction = probe_allocate(RAYS, sizeof *world.direction);
  for (size_t i = 0; i < RAYS; i++) {
    const graze_vec from = probe_sphere(&state);
    const double origin[3] = {3 * from.x, 3 * from.y, 3 * from.z};
    for (int k = 0; k < 3; k++)
      world.origin[i][k] = origin[k], world.direction[i][k] = 1.2 * probe_uniform(&state) - origin[k];
  }
}

/* ---- A peer */

typedef struct run {
  const mesh_peer *peer;
  void *model[MODELS], *large, *huge, **body, *at_origin, *near, *locked;
  double time[CELLS][MOST_PASSES];
  double *answers[CELLS]; /* of the last pass */
} run;

static size_t count_of(cell c) {
  return c == BUILD ? part_count : c == RAY ? RAYS : c == NEAR || c == LOCKED ? LARGE_PASSES : world.pair_count;
}

static bool has(const run *r, cell c) {
  const mesh_peer *p = r->peer;
  if (c == BUILD) return true;
  return c == FIRST || c == LOCKED ? p->first != NULL
         : c == CONTACTS           ? p->contacts != NULL
         : c == RAY                ? p->ray != NULL
                                   : p->distance != NULL;
}

static void set_up(run *r) {
  const mesh_peer *p = r->peer;
  const bench_place origin = {{0, 0, 0}, {0, 0, 0, 1}};
  for (int c = 0; c < CELLS; c++) r->answers[c] = probe_allocate(count_of((cell)c), sizeof(double));
  if (p->ray) r->huge = p->build(&world.huge);
  if (!p->first) return;
  for (int i = 0; i < MODELS; i++) r->model[i] = p->build(&world.model[i]);
  r->body = probe_allocate(part_count, sizeof *r->body);
  for (size_t i = 0; i < part_count; i++) r->body[i] = p->place(r->model[i % MODELS], &world.place[i]);
  r->large = p->build(&world.large);
  r->at_origin = p->place(r->large, &origin);
  r->near = p->place(r->large, &world.near), r->locked = p->place(r->large, &world.locked);
}

static double answer(run *r, cell c, size_t i) {
  const mesh_peer *p = r->peer;
  if (c == BUILD) {
    p->release(p->build(&world.model[i % MODELS]));
    return 0;
  }
  if (c == RAY) return p->ray(r->huge, world.origin[i], world.direction[i]);
  if (c == NEAR) return p->distance(r->at_origin, r->near);
  if (c == LOCKED) return p->first(r->at_origin, r->locked);
  void *a = r->body[world.pair[i][0]], *b = r->body[world.pair[i][1]];
  return c == FIRST ? p->first(a, b) : c == CONTACTS ? (double)p->contacts(a, b) : p->distance(a, b);
}

/* Distances of separated pairs only, by Graze. */
static bool is_used(const run *reference, cell c, size_t i) {
  return c != SEPARATED_DISTANCE || reference->answers[FIRST][i] == 0;
}

static void measure(run *r, const run *reference, cell c, int pass) {
  size_t count = 0;
  const double start = probe_seconds();
  for (size_t i = 0; i < count_of(c); i++) {
    if (!is_used(reference, c, i)) continue;
    r->answers[c][i] = answer(r, c, i);
    count++;
  }
  r->time[c][pass] = (probe_seconds() - start) / (double)count;
}

static bool differs(cell c, double x, double y) {
  if (c == FIRST || c == LOCKED || c == CONTACTS) return x != y;
  if (c == ALL_DISTANCES && (x <= 0 || y <= 0)) return x > 0 || y > 0;
  return isinf(x) || isinf(y) ? x != y : !(fabs(x - y) <= ALLOWED * fmax(fabs(y), 1));
}

static void report(run *runs, int count, cell c) {
  double graze = 0;
  for (int k = 0; k < count; k++) {
    run *r = &runs[k];
    if (!has(r, c)) continue;
    size_t different = 0;
    for (size_t i = 0; i < count_of(c) && c != BUILD; i++) {
      if (!is_used(&runs[0], c, i) || !differs(c, r->answers[c][i], runs[0].answers[c][i])) continue;
      if (different++ < list)
        fprintf(stderr, "%s, %s %zu: %.9g, Graze %.9g\n", r->peer->name, cell_names[c], i, r->answers[c][i],
                runs[0].answers[c][i]);
    }
    const double us = 1e6 * probe_median(r->time[c], (size_t)passes);
    if (k == 0) graze = us;
    printf("  %-20s %-15s %10.2f us  %6.2f", cell_names[c], r->peer->name, us, us / graze);
    if (k > 0 && c != BUILD) printf("   %zu differ", different);
    printf("\n");
  }
}

static bool is_selected(const mesh_peer *peer) {
  const size_t length = strlen(peer->name);
  for (const char *at = only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strncmp(at, peer->name, length) == 0 && (at[length] == ',' || at[length] == 0)) return true;
  return !only || peer == &mesh_graze;
}

static size_t number(const char *text, size_t least, size_t most) {
  char *end;
  const unsigned long long n = strtoull(text, &end, 10);
  if (*text >= '0' && *text <= '9' && *end == 0 && n >= least && n <= most) return (size_t)n;
  fprintf(stderr, "meshes: %s: must be a number from %zu to %zu\n", text, least, most);
  exit(2);
}

int main(int argc, char **argv) {
  static run runs[PEERS];
  int selected = 0;
  for (int at = 1; at < argc; at += 2) {
    const char *value = at + 1 < argc ? argv[at + 1] : "";
    if (strcmp(argv[at], "--passes") == 0)
      passes = (int)number(value, 1, MOST_PASSES);
    else if (strcmp(argv[at], "--parts") == 0)
      part_count = number(value, 2, 20000);
    else if (strcmp(argv[at], "--list") == 0)
      list = number(value, 0, 1000000);
    else if (strcmp(argv[at], "--only") == 0)
      only = value;
    else {
      fprintf(stderr, "meshes: %s: no such option\n", argv[at]);
      return 2;
    }
  }
  make_world();
  for (int i = 0; i < PEERS; i++) {
    if (!is_selected(peers[i])) continue;
    runs[selected].peer = peers[i];
    set_up(&runs[selected++]);
  }
  for (int pass = 0; pass < passes; pass++)
    for (int c = 0; c < CELLS; c++)
      for (int i = 0; i < selected; i++)
        if (has(&runs[i], (cell)c)) measure(&runs[i], &runs[0], (cell)c, pass);
  size_t contacts = 0;
  for (size_t i = 0; i < world.pair_count; i++) contacts += runs[0].answers[FIRST][i] != 0;
  printf("%zu parts, %zu pairs, %zu in contact; %d passes\n", part_count, world.pair_count, contacts, passes);
  for (int c = 0; c < CELLS; c++) report(runs, selected, (cell)c);
  fflush(stdout);
  _Exit(0); /* without destructors: FCL and Coal bring two versions of one library, which free the same objects */
}
