#include "simulate/record.h"

#include "text.h"

#include <math.h>
#include <stdlib.h>

/* Of a body's size: what nobody sees. */
static const double UNSEEN = 1e-6;

double sim_size_of(const graze_shape *shape) {
  graze_placed placed = graze_place(shape, graze_pose_at(0, 0, 0));
  graze_aabb b;
  if (graze_bounds(&placed, &b) != GRAZE_OK) return 1;
  double size = fmax(b.max.x - b.min.x, fmax(b.max.y - b.min.y, b.max.z - b.min.z));
  return size > 0 && size < INFINITY ? size : 1;
}

bool sim_record_make(const sim_scene *scene, sim_record *record) {
  *record = (sim_record){.tracks = calloc(scene->count + 1, sizeof *record->tracks), .count = scene->count};
  if (record->tracks == NULL) return false;
  for (size_t i = 0; i < scene->count; i++) record->tracks[i].size = sim_size_of(&scene->bodies[i].def.shape);
  return true;
}

void sim_record_free(sim_record *record) {
  for (size_t i = 0; record->tracks && i < record->count; i++) {
    free(record->tracks[i].keys);
    free(record->tracks[i].red);
  }
  free(record->tracks);
  free(record->contacts);
  *record = (sim_record){.count = 0};
}

/* ---- Motion */

static double apart(graze_vec u, graze_vec v) { return fmax(fabs(u.x - v.x), fmax(fabs(u.y - v.y), fabs(u.z - v.z))); }

/* q and -q are the same rotation; lengths do not matter. */
static double turned(const graze_pose *p, const graze_pose *q) {
  double pp = p->w * p->w + p->x * p->x + p->y * p->y + p->z * p->z;
  double qq = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
  double pq = p->w * q->w + p->x * q->x + p->y * q->y + p->z * q->z, scale = sqrt(pp * qq);
  double sign = pq < 0 ? -1 : 1, f = sign * sqrt(pp / qq), most = fabs(p->w - f * q->w);
  most = fmax(most, fmax(fabs(p->x - f * q->x), fmax(fabs(p->y - f * q->y), fabs(p->z - f * q->z))));
  return scale > 0 ? most / sqrt(pp) : INFINITY;
}

static bool same_pose(const sim_track *track, const graze_pose *p, const graze_pose *q) {
  return apart(p->position, q->position) <= UNSEEN * track->size && turned(p, q) <= UNSEEN;
}

static bool same_motion(const sim_track *track, const graze_motion *m, const graze_motion *n, double dt) {
  return apart(m->velocity, n->velocity) * dt <= UNSEEN * track->size && apart(m->angular, n->angular) * dt <= UNSEEN;
}

static graze_pose predicted(const sim_track *track, double t) {
  const sim_stop *last = &track->keys[track->key_count - 1];
  return graze_pose_after(&last->pose, &last->motion, t - last->t);
}

/* A key at the time of the last one takes its place. */
static void add_key(sim_record *record, sim_track *track, double t, const graze_pose *pose, graze_motion motion) {
  if (track->key_count > 0 && track->keys[track->key_count - 1].t >= t) track->key_count--;
  sim_stop *keys = cli_grow(track->keys, sizeof *keys, &track->key_capacity, track->key_count + 1);
  if (keys == NULL) {
    record->failed = true;
    return;
  }
  track->keys = keys;
  keys[track->key_count++] = (sim_stop){t, *pose, motion};
}

void sim_record_before(sim_record *record, const sim_world *world) {
  double t = sim_world_time(world), dt = world->scene->dt;
  for (size_t i = 0; !record->failed && i < record->count; i++) {
    sim_track *track = &record->tracks[i];
    const graze_pose *pose = &world->placed[i].pose;
    bool same = track->key_count > 0;
    if (same) {
      graze_pose known = predicted(track, t);
      same = same_pose(track, &known, pose) &&
             same_motion(track, &track->keys[track->key_count - 1].motion, &world->motions[i], dt);
    }
    if (!same) add_key(record, track, t, pose, world->motions[i]);
  }
}

/* Where a body did not go where it was about to: the way of the step in two, straight on until it met something, and
 * from there to where it came. */
static void bend(sim_record *record, const sim_world *world, size_t i, double met) {
  sim_track *track = &record->tracks[i];
  double dt = world->scene->dt, began = (double)(world->step - 1) * dt;
  graze_pose end = graze_scene_placed(world->space, world->ids[i])->pose, known = predicted(track, began + dt);
  if (same_pose(track, &known, &end)) return;
  if (!(met >= 0 && met < 0.999 * dt)) met = 0;
  graze_pose at = met > 0 ? predicted(track, began + met) : world->placed[i].pose;
  add_key(record, track, began + met, &at, sim_motion_between(&at, &end, dt - met));
}

/* ---- Contacts */

static void add_red(sim_record *record, sim_track *track, double from, double to) {
  double(*red)[2] = track->red;
  if (track->red_count > 0 && red[track->red_count - 1][1] >= from) {
    red[track->red_count - 1][1] = to;
    return;
  }
  red = cli_grow(track->red, sizeof *red, &track->red_capacity, track->red_count + 1);
  if (red == NULL) {
    record->failed = true;
    return;
  }
  track->red = red;
  red[track->red_count][0] = from;
  red[track->red_count++][1] = to;
}

/* When a contact ends within a step nobody tells: it is shown to the end of the step. */
static void count_contact(sim_record *record, sim_track *track, graze_event_kind kind, double met, double end) {
  if (kind == GRAZE_EVENT_BEGIN) {
    if (track->touching++ == 0 || met < track->since) track->since = met;
  } else if (kind == GRAZE_EVENT_END && track->touching > 0 && --track->touching == 0) {
    add_red(record, track, track->since, end);
  }
}

static void add_contact(sim_record *record, const sim_contact *contact) {
  sim_contact *contacts =
      cli_grow(record->contacts, sizeof *contacts, &record->contact_capacity, record->contact_count + 1);
  if (contacts == NULL) {
    record->failed = true;
    return;
  }
  record->contacts = contacts;
  contacts[record->contact_count++] = *contact;
}

static void note_event(sim_record *record, const sim_world *world, const graze_event *event, double *met) {
  size_t a = sim_world_index(world, event->a), b = sim_world_index(world, event->b);
  double dt = world->scene->dt, began = (double)(world->step - 1) * dt, end = sim_world_time(world);
  double t = fmin(began + event->t_lower, end);
  count_contact(record, &record->tracks[a], event->kind, t, end);
  count_contact(record, &record->tracks[b], event->kind, t, end);
  if (event->kind != GRAZE_EVENT_BEGIN) return;
  add_contact(record, &(sim_contact){t, a, b, event->point, event->normal});
  met[a] = fmin(met[a], event->t_lower);
  met[b] = fmin(met[b], event->t_lower);
}

/* Events come in the order of slots; a recording is in the order of time. */
static int compare_contacts(const void *x, const void *y) {
  const sim_contact *a = x, *b = y;
  if (a->t != b->t) return a->t < b->t ? -1 : 1;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  return (a->b > b->b) - (a->b < b->b);
}

void sim_record_after(sim_record *record, const sim_world *world, const graze_step *step) {
  size_t before = record->contact_count;
  double *met = malloc((record->count + 1) * sizeof *met);
  if (met == NULL) record->failed = true;
  for (size_t i = 0; !record->failed && i < record->count; i++) met[i] = INFINITY;
  for (size_t i = 0; !record->failed && i < step->event_count; i++) note_event(record, world, &step->events[i], met);
  for (size_t i = 0; !record->failed && i < record->count; i++) bend(record, world, i, met[i]);
  if (record->contact_count > before)
    qsort(record->contacts + before, record->contact_count - before, sizeof *record->contacts, compare_contacts);
  free(met);
}

void sim_record_end(sim_record *record, double t) {
  for (size_t i = 0; i < record->count; i++)
    if (record->tracks[i].touching > 0) add_red(record, &record->tracks[i], record->tracks[i].since, t);
}
