/* What two bodies do about a contact: how their motions change. */
#ifndef GRAZE_SCENE_RESPONSE_H
#define GRAZE_SCENE_RESPONSE_H

#include <graze/scene.h>

/* A body at the moment of a contact. */
typedef struct grz_mover {
  graze_vec position;
  graze_motion motion;     /* changed by the response */
  graze_vec push;          /* moves it, too, and stays */
  double yields;           /* the inverse of its mass, times a number; 0: nothing moves it */
  double reach;            /* no core point is farther from the position */
  graze_response response; /* NONE where nothing moves it */
  double bounce;
} grz_mover;

/* How fast B leaves A along the unit normal, from A to B, at a point of both. */
double grz_parting_speed(const grz_mover *a, const grz_mover *b, graze_vec point, graze_vec normal);

/* How fast they must part, lest turning brings them together again at once within this time: where nothing turns 0,
 * else at their first meeting this share of what turning may take, later more. What turns about the normal of a floor,
 * or rolls, needs hardly any. */
double grz_parting_share(double share, int met);
double grz_parting_least(const grz_mover *a, const grz_mover *b, double share, int met, double time);

/* Stops those that stop, if the two approach. False: nobody did. */
bool grz_respond_stop(grz_mover *a, grz_mover *b, graze_vec point, graze_vec normal);

/* Changes velocities so that they part with this speed >= 0 at least. False: they did, or nothing can be done about it.
 */
bool grz_respond(grz_mover *a, grz_mover *b, graze_vec point, graze_vec normal, double least);

#endif
