/* Recordings: see record.h. */
#include "simulate/simulation.h"

#include <math.h>
#include <stdlib.h>

/* A change below this part of the size of a body is not visible. */
static const double INVISIBLE = 1e-6;

double sim_size_of(const graze_shape *shape) {
  graze_placed placed = graze_place(shape, graze_pose_at(0, 0, 0));
  graze_aabb b;
  if (graze_bounds(&placed, &b) != GRAZE_OK) return 1;
  double size = vec_norm_inf(vec_sub(b.max, b.min));
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
    free(record->tracks[i].intervals);
  }
  free(record->tracks);
  free(record->contacts);
  *record = (sim_record){.count = 0};
}

/* ---- Motion */

static bool same_pose(const sim_track *track, const graze_pose *p, const graze_pose *q) {
  if (!(vec_norm_inf(vec_sub(p->position, q->position)) <= INVISIBLE * track->size)) return false;
  /* q and -q are the same rotation; the lengths of quaternions do not matter. */
  double pp = p->w * p->w + p->x * p->x + p->y * p->y + p->z * p->z;
  double qq = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
  double pq = p->w * q->w + p->x * q->x + p->y * q->y + p->z * q->z, f = (pq < 0 ? -1 : 1) * sqrt(pp / qq);
  double most = fmax(fabs(p->x - f * q->x), fmax(fabs(p->y - f * q->y), fabs(p->z - f * q->z)));
  return pp * qq > 0 && fmax(most, fabs(p->w - f * q->w)) / sqrt(pp) <= INVISIBLE;
}

static graze_pose predicted(const sim_track *track, double t) {
  const sim_keyframe *last = &track->keys[track->key_count - 1];
  return graze_pose_after(&last->pose, &last->motion, t - last->t);
}

/* A keyframe at the time of the last one replaces it. */
static void add_key(sim_record *record, sim_track *track, double t, const graze_pose *pose, graze_motion motion) {
  if (track->key_count > 0 && track->keys[track->key_count - 1].t >= t) track->key_count--;
  if (!cli_grow(&track->keys, sizeof *track->keys, &track->key_capacity, track->key_count + 1))
    record->failed = true;
  else
    track->keys[track->key_count++] = (sim_keyframe){t, *pose, motion};
}

void sim_record_before(sim_record *record, const sim_world *world) {
  double t = sim_world_time(world), dt = world->scene->dt;
  for (size_t i = 0; !record->failed && i < record->count; i++) {
    sim_track *track = &record->tracks[i];
    const graze_pose *pose = &world->placed[i].pose;
    bool same = track->key_count > 0;
    if (same) {
      const graze_pose known = predicted(track, t);
      const graze_motion *m = &track->keys[track->key_count - 1].motion, *n = &world->motions[i];
      same = same_pose(track, &known, pose) &&
             vec_norm_inf(vec_sub(m->velocity, n->velocity)) * dt <= INVISIBLE * track->size &&
             vec_norm_inf(vec_sub(m->angular, n->angular)) * dt <= INVISIBLE;
    }
    if (!same) add_key(record, track, t, pose, world->motions[i]);
  }
}

/* ---- Contacts */

static void add_interval(sim_record *record, sim_track *track, double from, double to) {
  const size_t count = track->interval_count;
  if (count > 0 && track->intervals[count - 1][1] >= from) {
    track->intervals[count - 1][1] = to;
  } else if (!cli_grow(&track->intervals, sizeof *track->intervals, &track->interval_capacity, count + 1)) {
    record->failed = true;
  } else {
    track->intervals[count][0] = from;
    track->intervals[track->interval_count++][1] = to;
  }
}

/* The time within the step at which a contact ends is unknown, so the interval extends to the end of the step. */
static void count_contact(sim_record *record, sim_track *track, graze_event_kind kind, double begin, double end) {
  if (kind == GRAZE_EVENT_BEGIN) {
    if (track->touching++ == 0 || begin < track->since) track->since = begin;
  } else if (kind == GRAZE_EVENT_END && track->touching > 0 && --track->touching == 0) {
    add_interval(record, track, track->since, end);
  }
}

/* Events are sorted by slots; a recording is sorted by time. */
static int compare_contacts(const void *x, const void *y) {
  const sim_contact *a = x, *b = y;
  if (a->t != b->t) return a->t < b->t ? -1 : 1;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  return (a->b > b->b) - (a->b < b->b);
}

void sim_record_after(sim_record *record, const sim_world *world, const graze_step *step) {
  const double dt = world->scene->dt, began = (double)(world->step - 1) * dt;
  size_t before = record->contact_count;
  double *first = malloc((record->count + 1) * sizeof *first);
  if (first == NULL) record->failed = true;
  for (size_t i = 0; !record->failed && i < record->count; i++) first[i] = INFINITY;
  for (size_t i = 0; !record->failed && i < step->event_count; i++) {
    const graze_event *event = &step->events[i];
    size_t a = world->index_of[event->a.slot], b = world->index_of[event->b.slot];
    double end = sim_world_time(world), t = fmin(began + event->t_lower, end);
    count_contact(record, &record->tracks[a], event->kind, t, end);
    count_contact(record, &record->tracks[b], event->kind, t, end);
    if (event->kind != GRAZE_EVENT_BEGIN) continue;
    if (cli_grow(&record->contacts, sizeof *record->contacts, &record->contact_capacity, record->contact_count + 1))
      record->contacts[record->contact_count++] = (sim_contact){t, a, b, event->point, event->normal};
    else
      record->failed = true;
    first[a] = fmin(first[a], event->t_lower);
    first[b] = fmin(first[b], event->t_lower);
  }
  /* If a body deviates from its motion, the step has two parts: the old motion until the contact, and a constant motion
   * from there to the final pose. */
  for (size_t i = 0; !record->failed && i < record->count; i++) {
    const sim_track *track = &record->tracks[i];
    graze_pose end = graze_scene_placed(world->handle, world->ids[i])->pose, known = predicted(track, began + dt);
    if (same_pose(track, &known, &end)) continue;
    double contact = first[i] >= 0 && first[i] < 0.999 * dt ? first[i] : 0;
    graze_pose at = contact > 0 ? predicted(track, began + contact) : world->placed[i].pose;
    add_key(record, &record->tracks[i], began + contact, &at, sim_motion_between(&at, &end, dt - contact));
  }
  if (record->contact_count > before)
    qsort(record->contacts + before, record->contact_count - before, sizeof *record->contacts, compare_contacts);
  free(first);
}

void sim_record_end(sim_record *record, double t) {
  for (size_t i = 0; i < record->count; i++)
    if (record->tracks[i].touching > 0) add_interval(record, &record->tracks[i], record->tracks[i].since, t);
}
