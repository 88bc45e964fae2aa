/* The planned trajectory of a body of a scene file. */
#include "simulate/reading.h"
#include "simulate/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const KEYS[] = {"t", "position", "rotation", NULL};

/* A stop, and in 2D the angle that was given, NaN where it was none: from angle to angle a body turns as far as they
 * say, otherwise the short way. */
static bool read_rotation(const json_t *value, const char *owner, int dim, graze_pose *pose, double *angle,
                          cli_error *complaint) {
  cli_name name = {owner, "rotation", -1};
  double q[4] = {0, 0, 0, 0};
  if (value == NULL) return true;
  if (dim == 2 && json_is_number(value)) {
    if (!cli_read_number(value, name, angle, complaint)) return false;
    graze_half_angle(*angle, &pose->w, &pose->z);
    return true;
  }
  *angle = NAN;
  if (!cli_read_numbers(value, name, dim == 2 ? 2 : 4, q, complaint)) return false;
  if (dim == 2)
    *pose = (graze_pose){pose->position, q[0], 0, 0, q[1]};
  else
    *pose = (graze_pose){pose->position, q[0], q[1], q[2], q[3]};
  return pose->w != 0 || pose->x != 0 || pose->y != 0 || pose->z != 0 ||
         cli_reject(complaint, CLI_BAD_SHAPE, "%s.rotation: all zero, which is no rotation", owner);
}

static bool read_stop(json_t *object, const char *owner, int dim, sim_stop *stop, double *angle,
                      cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE];
  if (!json_is_object(object))
    return cli_reject(complaint, CLI_BAD_JSON, "%s = %s: not an object with t and position", owner,
                      cli_show(object, shown));
  if (!sim_check_keys(object, owner, "stop of a path", KEYS, complaint)) return false;
  for (int i = 0; i < 2; i++)
    if (json_object_get(object, KEYS[i]) == NULL)
      return cli_reject(complaint, CLI_MISSING, "%s.%s is missing", owner, KEYS[i]);
  return sim_read_number(object, owner, "t", 0, INFINITY, &stop->t, complaint) &&
         sim_read_vec(object, owner, "position", dim, &stop->pose.position, complaint) &&
         read_rotation(json_object_get(object, "rotation"), owner, dim, &stop->pose, angle, complaint);
}

static bool is_fast(graze_vec v) {
  return !(fabs(v.x) <= GRAZE_LARGEST && fabs(v.y) <= GRAZE_LARGEST && fabs(v.z) <= GRAZE_LARGEST);
}

/* The motion of the leg from one stop to the next; false: it is too fast. */
static bool lead(sim_stop *from, const sim_stop *to, double angle, double next_angle) {
  double time = to->t - from->t;
  from->motion = sim_motion_between(&from->pose, &to->pose, time);
  if (!isnan(angle) && !isnan(next_angle)) from->motion.angular = (graze_vec){0, 0, (next_angle - angle) / time};
  return !is_fast(from->motion.velocity) && !is_fast(from->motion.angular);
}

bool sim_read_path(const json_t *list, const char *owner, int dim, sim_body *body, cli_error *complaint) {
  char shown[CLI_SHOWN_SIZE], name[SIM_OWNER_SIZE];
  size_t count = json_array_size(list);
  if (!json_is_array(list) || count == 0)
    return cli_reject(complaint, CLI_BAD_JSON, "%s.path = %s: not a list of stops", owner, cli_show(list, shown));
  body->path = calloc(count, sizeof *body->path);
  if (body->path == NULL) return cli_reject_memory(complaint);
  double angle = NAN, before = NAN;
  for (size_t i = 0; i < count; i++) {
    sim_stop *stop = &body->path[i];
    stop->pose = i > 0 ? stop[-1].pose : body->def.pose;
    before = angle;
    snprintf(name, sizeof name, "%s.path[%zu]", owner, i);
    if (!read_stop(json_array_get(list, i), name, dim, stop, &angle, complaint)) return false;
    if (i > 0 && !(stop->t > stop[-1].t))
      return cli_reject(complaint, CLI_BAD_NUMBER, "%s.t = %g: not later than the stop before", name, stop->t);
    if (i > 0 && !lead(stop - 1, stop, before, angle))
      return cli_reject(complaint, CLI_BAD_NUMBER, "%s.t = %g: too soon after the stop before: faster than 1e40", name,
                        stop->t);
  }
  body->path_count = count;
  body->def.pose = sim_path_pose(body, 0);
  return true;
}
