/* Asking, judging, counting. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, fmemopen */
#include "support/sweeps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/oracle/judge_cast.h"

enum { STEP_ROOM = 1 << 14, REFINEMENTS = 12 };

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double length3(graze_vec v) { return hypot(hypot(v.x, v.y), v.z); }

static graze_vec minus(graze_vec p, graze_vec q) { return (graze_vec){p.x - q.x, p.y - q.y, p.z - q.z}; }

sweep_runner *sweep_runner_new(int moments, bool exact) {
  sweep_runner *r = calloc(1, sizeof *r);
  if (!r) abort();
  r->o = exact ? oracle_new() : NULL;
  r->moments = moments;
  r->step_room = STEP_ROOM;
  r->steps = calloc(STEP_ROOM, sizeof *r->steps);
  if (!r->steps) abort();
  return r;
}

void sweep_runner_free(sweep_runner *r) {
  oracle_free(r->o);
  free(r->steps);
  free(r);
}

void sweep_start(sweep_runner *r, const char *name) {
  memset(&r->count, 0, sizeof r->count);
  r->name = name;
}

/* ---- text */

static void print_vec(FILE *out, const char *key, int dim, graze_vec v) {
  fprintf(out, ",\"%s\":[%.17g,%.17g", key, v.x, v.y);
  if (dim == 3) fprintf(out, ",%.17g", v.z);
  fputc(']', out);
}

static void print_motion(FILE *out, char which, int dim, const graze_motion *m) {
  char key[32];
  snprintf(key, sizeof key, "velocity_%c", which);
  print_vec(out, key, dim, m->velocity);
  snprintf(key, sizeof key, "angular_velocity_%c", which);
  if (dim == 3)
    print_vec(out, key, dim, m->angular);
  else
    fprintf(out, ",\"%s\":%.17g", key, m->angular.z);
}

static void print_json(FILE *out, const char *id, const sweep_case *c) {
  const shape_pair *p = &c->pair;
  char text[1 << 16];
  FILE *line = fmemopen(text, sizeof text, "w");
  if (!line) abort();
  print_query_line(line, id, "toi", &p->a, &p->pose_a, &p->b, &p->pose_b);
  fclose(line);
  text[strcspn(text, "\n") - 1] = 0;
  fprintf(out, "%s,\"clearance\":%.17g,\"motion\":{\"type\":\"rotational\",\"t_max\":%.17g", text, c->clearance,
          fmin(c->t_max, 1e40));
  print_motion(out, 'a', p->a.dim, &c->motion_a);
  print_motion(out, 'b', p->a.dim, &c->motion_b);
  fputs("}}\n", out);
}

void sweep_fail(sweep_runner *r, const char *why, const graze_impact *impact) {
  r->count.failed++;
  if (family_shown_enough(&r->count.shown, why)) return;
  printf("FAILED %s: %s\n", r->name, why);
  if (impact) judge_print_impact(stdout, impact);
  print_json(stdout, r->name, &r->given);
}

/* ---- moments, in doubles */

typedef struct moments {
  const judge_turning *m;
  double size, blur; /* of the bodies; and what rounding makes of a distance */
  double end;        /* until when it is looked at */
} moments;

static moments moments_of(const judge_turning *m) {
  moments s = {.m = m, .size = judge_turning_size(m), .end = judge_turning_end(m)};
  double angle = (length3(m->motion_a.angular) + length3(m->motion_b.angular)) * s.end;
  double way = length3(minus(m->motion_a.velocity, m->motion_b.velocity)) * s.end;
  s.blur = 2e-13 * s.size + 1e-15 * (way + angle * judge_scale(m->a, m->b, 0)) + 1e-320;
  return s;
}

/* As A's position sees it, so that what is far away from the origin loses nothing. */
static graze_status distance_at(const moments *s, double t, graze_answer *answer) {
  const judge_turning *m = s->m;
  const graze_motion turn = {{0, 0, 0}, m->motion_a.angular};
  const graze_motion move = {minus(m->motion_b.velocity, m->motion_a.velocity), m->motion_b.angular};
  graze_pose pose_a = m->pose_a, pose_b = m->pose_b;
  graze_options options = graze_default_options();
  pose_b.position = minus(pose_b.position, pose_a.position);
  pose_a.position = (graze_vec){0, 0, 0};
  options.clearance = m->clearance;
  graze_placed a = graze_place(m->a, judge_pose_after(&pose_a, &turn, t));
  graze_placed b = graze_place(m->b, judge_pose_after(&pose_b, &move, t));
  return graze_distance(&a, &b, &options, answer);
}

static bool overlaps(const moments *s, double t, double *distance) {
  graze_answer x;
  if (distance_at(s, t, &x) != GRAZE_OK) return false;
  *distance = x.distance;
  return x.upper < -s->blur;
}

static bool overlaps_about(const moments *s, double low, double high) {
  double left = 0, right = 0;
  for (int i = 0; i < REFINEMENTS; i++) {
    double u = low + (high - low) / 3, v = high - (high - low) / 3;
    if (overlaps(s, u, &left) || overlaps(s, v, &right)) return true;
    if (left < right)
      high = v;
    else
      low = u;
  }
  return false;
}

/* At all moments, and about the two nearest of them. */
static bool overlaps_until(const moments *s, double end, int count) {
  double best[2] = {INFINITY, INFINITY}, at[2] = {0, 0}, step = end / count;
  for (int i = 0; i <= count; i++) {
    double distance = INFINITY, t = i < count ? i * step : end;
    if (overlaps(s, t, &distance)) return true;
    int k = distance < best[0] ? 0 : 1;
    if (k == 0 && fabs(t - at[0]) > 2 * step) best[1] = best[0], at[1] = at[0];
    if (distance < best[k]) best[k] = distance, at[k] = t;
  }
  for (int k = 0; k < 2 && end > 0; k++)
    if (overlaps_about(s, fmax(at[k] - step, 0), fmin(at[k] + step, end))) return true;
  return false;
}

static bool meets_between(const moments *s, double from, double to) {
  graze_answer x;
  for (int i = 0; i <= 4; i++)
    if (distance_at(s, from + (to - from) * i / 4, &x) == GRAZE_OK && x.lower <= s->blur) return true;
  return false;
}

static const char *judge_order(const judge_turning *m, const graze_impact *x) {
  bool clear = x->result == GRAZE_CLEAR;
  if (!clear && x->result != GRAZE_HIT && x->result != GRAZE_POSSIBLE) return "no result";
  if (clear) return isnan(x->t) && isnan(x->t_lower) && isnan(x->t_upper) ? NULL : "clear, but with a time";
  if (!(x->t_lower >= 0 && x->t_lower <= x->t_upper && x->t_upper <= m->t_max)) return "times are not in order";
  return x->t == x->t_lower ? NULL : "t is not t_lower";
}

const char *sweep_judge(const judge_turning *m, int count, const graze_impact *x) {
  moments s = moments_of(m);
  graze_answer start;
  const char *why = judge_order(m, x);
  if (why) return why;
  if (distance_at(&s, 0, &start) != GRAZE_OK) return "no distance at first";
  if (x->starts != start.relation && fmin(fabs(start.lower), fabs(start.upper)) > s.blur) return "WRONG START";
  if (x->starts == GRAZE_OVERLAPPING)
    return x->result == GRAZE_HIT && x->t_upper == 0 ? NULL : "overlapping at first, but no hit at 0";
  double end = x->result == GRAZE_CLEAR ? s.end : fmin(x->t_lower, s.end);
  if (overlaps_until(&s, end, count)) return x->result == GRAZE_CLEAR ? "FALSE CLEAR" : "OVERLAP BEFORE t_lower";
  if (x->result != GRAZE_HIT) return NULL;
  if (x->starts == GRAZE_SEPARATED && x->t_upper == 0) return "apart at first, but a hit at 0";
  return meets_between(&s, x->t_lower, x->t_upper) ? NULL : "BRACKET MISSES: no contact in it";
}

/* ---- asking */

graze_options sweep_options(const sweep_runner *r, bool steps) {
  graze_options options = graze_default_options();
  options.clearance = r->given.clearance;
  options.steps = steps ? r->steps : NULL;
  options.step_capacity = steps ? r->step_room : 0;
  return options;
}

void sweep_place(sweep_runner *r) {
  const sweep_case *c = &r->given;
  const shape_pair *p = &c->pair;
  r->motion = (judge_turning){.a = &p->a, .b = &p->b, .pose_a = p->pose_a, .pose_b = p->pose_b};
  r->motion.motion_a = c->motion_a, r->motion.motion_b = c->motion_b;
  r->motion.t_max = c->t_max, r->motion.clearance = c->clearance;
  r->a = graze_place(&p->a, p->pose_a);
  r->b = graze_place(&p->b, p->pose_b);
}

const char *sweep_agree(const graze_impact *x, const graze_impact *y) {
  if (x->starts != y->starts) return "another start";
  if (x->result == GRAZE_POSSIBLE || y->result == GRAZE_POSSIBLE) return NULL;
  if (x->result != y->result) return "another result";
  if (x->result == GRAZE_CLEAR) return NULL;
  return x->t_lower <= y->t_upper && y->t_lower <= x->t_upper ? NULL : "another time";
}

static const char *judge(const sweep_runner *r, const graze_impact *x) {
  return r->o ? judge_sweep(r->o, &r->motion, r->moments, x) : sweep_judge(&r->motion, r->moments, x);
}

static const char *ask_exchanged(const sweep_runner *r, const graze_impact *impact) {
  graze_impact other;
  const sweep_case *c = &r->given;
  graze_options options = sweep_options(r, false);
  graze_status status = graze_sweep(&r->b, &c->motion_b, &r->a, &c->motion_a, c->t_max, &options, &other);
  if (status != GRAZE_OK) return graze_status_text(status);
  return sweep_agree(impact, &other) ? "A and B exchanged, it is another answer" : NULL;
}

static const char *ask_without_steps(const sweep_runner *r, const graze_impact *impact) {
  graze_impact other;
  const sweep_case *c = &r->given;
  graze_options options = sweep_options(r, false);
  graze_status status = graze_sweep(&r->a, &c->motion_a, &r->b, &c->motion_b, c->t_max, &options, &other);
  if (status != GRAZE_OK) return graze_status_text(status);
  if (other.steps || other.step_count) return "steps that were not asked for";
  if (sweep_agree(impact, &other)) return "without steps, it is another answer";
  return judge(r, &other);
}

static graze_status ask_by(const sweep_runner *r, graze_method method, graze_impact *x) {
  const sweep_case *c = &r->given;
  graze_options options = sweep_options(r, false);
  options.method = method;
  return graze_sweep(&r->a, &c->motion_a, &r->b, &c->motion_b, c->t_max, &options, x);
}

/* Poses at moments are rounded: what slides may overlap there by that little. */
static const char *ask_by_moments(const sweep_runner *r, const graze_impact *impact) {
  graze_impact other;
  double distance;
  graze_status status = ask_by(r, GRAZE_METHOD_DISCRETE, &other);
  bool endless = !isfinite(r->given.t_max) && impact->starts != GRAZE_OVERLAPPING;
  if (endless) return status == GRAZE_BAD_NUMBER ? NULL : "moments of a motion without end";
  if (status != GRAZE_OK) return graze_status_text(status);
  if (other.path != GRAZE_PATH_DISCRETE || other.result == GRAZE_POSSIBLE) return "moments that do not know";
  if (other.result != GRAZE_HIT || impact->result != GRAZE_CLEAR) return NULL;
  const moments s = moments_of(&r->motion);
  bool slides = impact->starts == GRAZE_TOUCHING && !overlaps(&s, other.t_upper, &distance);
  return slides ? NULL : "clear, but moments see a contact";
}

/* Conservative advancement and the sweep of bodies that may not turn know the same; of moments only what they see. */
static const char *ask_by_others(const sweep_runner *r, const graze_impact *impact) {
  static const graze_method methods[] = {GRAZE_METHOD_SWEEP, GRAZE_METHOD_CA};
  graze_impact other;
  if (r->count.sweeps % 8) return NULL;
  for (int i = 0; i < 2; i++) {
    graze_status status = ask_by(r, methods[i], &other);
    if (status != GRAZE_OK) return graze_status_text(status);
    if (sweep_agree(impact, &other)) return "by another method, it is another answer";
    /* nothing turns: as a cast */
    bool cast = other.path == GRAZE_PATH_FCCD || other.path == GRAZE_PATH_LCCD,
         slides = cast && other.starts == GRAZE_TOUCHING;
    if (!slides && other.path != (i ? GRAZE_PATH_CA : GRAZE_PATH_SWEEP)) return "another path than its method's";
    const judge_turning *m = &r->motion;
    const char *why = sweep_judge(m, r->moments, &other);
    if (why) return why;
  }
  return ask_by_moments(r, impact);
}

/* With next to no budget, or loosely, the same is true. */
static const char *ask_cheaply(const sweep_runner *r, const graze_impact *impact) {
  const sweep_case *c = &r->given;
  graze_impact other;
  if (r->count.sweeps % 8 != 1) return NULL;
  for (int i = 0; i < 2; i++) {
    graze_options options = sweep_options(r, false);
    options.max_iterations = i ? 64 : 1;
    options.tolerance = i ? 0.01 * judge_turning_size(&r->motion) : 0;
    graze_status status = graze_sweep(&r->a, &c->motion_a, &r->b, &c->motion_b, c->t_max, &options, &other);
    if (status != GRAZE_OK) return graze_status_text(status);
    if (sweep_agree(impact, &other)) return "done cheaply, it is another answer";
    const char *why = sweep_judge(&r->motion, r->moments, &other);
    if (why) return why;
  }
  return NULL;
}

static const char *judge_known(const sweep_case *c, const graze_impact *x) {
  if (c->known > 0 && x->result == GRAZE_CLEAR) return "FALSE CLEAR: it was made to hit";
  return c->known < 0 && x->result == GRAZE_HIT ? "FALSE HIT: it was made to miss" : NULL;
}

static const char *verify(sweep_runner *r, const graze_impact *x) {
  const sweep_case *c = &r->given;
  graze_options options = sweep_options(r, false);
  graze_status status = graze_verify_sweep(&r->a, &c->motion_a, &r->b, &c->motion_b, c->t_max, &options, x);
  r->count.proved += status == GRAZE_OK;
  if (status == GRAZE_OK || status == GRAZE_UNPROVEN) return NULL;
  return status == GRAZE_REFUTED ? "verify: REFUTED" : "verify: an error";
}

/* Of how many dimensions the core is; of a hull: as many as there are. */
static int core_dimensions(const graze_shape *s) {
  switch (s->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE: return 0;
  case GRAZE_SEGMENT:
  case GRAZE_CAPSULE: return 1;
  case GRAZE_TRIANGLE: return 2;
  case GRAZE_BOX: return (s->extents.x > 0) + (s->extents.y > 0) + (s->extents.z > 0);
  default: return s->dim;
  }
}

static double radius_of(const graze_shape *s) {
  return s->margin + (s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE ? s->radius : 0);
}

/* C has no interior, whatever the rotations: bodies pass through each other without ever overlapping. */
static bool is_flat(const sweep_case *c) {
  const graze_shape *a = &c->pair.a, *b = &c->pair.b;
  return radius_of(a) + radius_of(b) + c->clearance == 0 && core_dimensions(a) + core_dimensions(b) < a->dim;
}

static void count(sweep_runner *r, const graze_impact *x) {
  sweep_tally *t = &r->count;
  const judge_turning *m = &r->motion;
  if ((unsigned)x->starts < 5) t->starts[x->starts]++;
  if ((unsigned)x->result < 4) t->result[x->result]++;
  t->exact += x->exact;
  t->flat += x->result == GRAZE_POSSIBLE && is_flat(&r->given);
  if (x->iterations > t->most_iterations) t->most_iterations = x->iterations;
  if (x->step_count > t->most_steps) t->most_steps = x->step_count;
  if (x->result != GRAZE_HIT || x->t_upper == 0) return;
  t->widest = fmax(t->widest, (x->t_upper - x->t_lower) /
                                  fmin(judge_turning_end(m), judge_turning_size(m) / judge_turning_speed(m)));
}

bool sweep_run(sweep_runner *r, graze_impact *x) {
  const sweep_case *c = &r->given;
  r->count.sweeps++;
  memset(x, 0, sizeof *x);
  sweep_place(r);
  graze_options options = sweep_options(r, true);
  double start = seconds_now();
  graze_status status = graze_sweep(&r->a, &c->motion_a, &r->b, &c->motion_b, c->t_max, &options, x);
  r->count.seconds += seconds_now() - start;
  const char *why = status != GRAZE_OK ? graze_status_text(status) : judge_known(c, x);
  if (!why) why = judge(r, x);
  if (status == GRAZE_OK) {
    const char *verdict = verify(r, x);
    if (!why) why = verdict;
  }
  if (!why) why = ask_exchanged(r, x);
  if (!why) why = ask_without_steps(r, x);
  if (!why) why = ask_by_others(r, x);
  if (!why) why = ask_cheaply(r, x);
  if (why) sweep_fail(r, why, status == GRAZE_OK ? x : NULL);
  if (status == GRAZE_OK) count(r, x);
  return !why;
}

/* ---- the table */

void sweep_print_head(void) {
  printf("%-28s %7s %6s %6s %6s %6s %7s %6s %7s %8s %8s %5s %6s %8s %6s\n", "family", "sweeps", "touch%", "over%",
         "hit%", "clear%", "poss%", "flat%", "exact%", "proved%", "bracket", "iter", "steps", "us/call", "failed");
}

static long promise(const char *name, bool kept, const char *what, double is) {
  if (!kept) printf("FAILED %s: %.3f %% %s\n", name, is, what);
  return !kept;
}

long sweep_print_row(sweep_runner *r, const sweep_family *p) {
  const sweep_tally *t = &r->count;
  double n = fmax((double)t->sweeps, 1) / 100, hits = (double)t->result[GRAZE_HIT] / n, exact = (double)t->exact / n;
  double flat = (double)t->flat / n, possible = (double)t->result[GRAZE_POSSIBLE] / n - flat,
         proved = (double)t->proved / n;
  printf("%-28s %7ld %6.1f %6.1f %6.1f %6.1f %7.3f %6.3f %7.2f %8.2f %8.1e %5d %6zu %8.2f %6ld\n", r->name, t->sweeps,
         (double)t->starts[GRAZE_TOUCHING] / n, (double)t->starts[GRAZE_OVERLAPPING] / n, hits,
         (double)t->result[GRAZE_CLEAR] / n, possible, flat, exact, proved, t->widest, t->most_iterations,
         t->most_steps, 1e4 * t->seconds / n, t->failed);
  fflush(stdout);
  long failed = t->failed;
  if (!p) return failed;
  failed += promise(r->name, hits >= p->hits_low && hits <= p->hits_high, "hit", hits);
  failed += promise(r->name, exact <= p->exact_most, "needed exact arithmetic", exact);
  failed += promise(r->name, possible <= p->possible_most, "are possible", possible);
  failed += promise(r->name, t->widest <= p->widest, "of the motion is the widest bracket", 100 * t->widest);
  return failed + promise(r->name, proved >= p->proved_least, "are proved by their steps", proved);
}

long sweep_run_families(sweep_runner *r, const sweep_family *list, int families, int sweeps) {
  long failed = 0;
  sweep_print_head();
  for (int f = 0; f < families; f++) {
    if (!family_wanted(list[f].name)) continue;
    rng random = {family_seed(list[f].name)};
    sweep_start(r, list[f].name);
    for (int i = 0; i < sweeps; i++) {
      graze_impact impact;
      memset(&r->given, 0, sizeof r->given);
      list[f].make(&random, &r->given);
      (void)sweep_run(r, &impact);
    }
    failed += sweep_print_row(r, &list[f]);
  }
  return failed;
}
