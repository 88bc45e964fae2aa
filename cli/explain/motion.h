/* What a story of bodies in motion has besides: what came of the motion, its moments, what is proved of which times,
 * and what to draw of it. Like the rest of the story it is recorded once; behind it nothing asks the library.
 *
 * Seen from A, B moves by u = v_B - v_A, and A moved by t·v_A meets B moved by t·v_B just where the point t·u is in
 * A - B as it is at t = 0. So A - B is held still, and t·u goes its way from the origin: the relative path. Of bodies
 * that turn, A - B turns, too, each body about its own position; the path is then that of the positions. */
#ifndef GRAZE_CLI_MOTION_H
#define GRAZE_CLI_MOTION_H

#include "explain/story.h"

/* How many moments are sampled, the first and the last of the motion among them. */
enum { MOTION_SAMPLES = 16, MOTION_MOST_MOMENTS = MOTION_SAMPLES + 1, MOTION_TRAIL = 7 };

typedef enum motion_state {
  MOTION_FREE = 1,  /* proved: no contact */
  MOTION_UNDECIDED, /* the first contact is in it; where the answer is `possible`, or comes of samples, perhaps */
  MOTION_MET        /* after the first contact, which is all that was asked for */
} motion_state;

typedef struct motion_span {
  double from, to;
  motion_state state;
} motion_span;

/* Where everything is at one time, rounded. */
typedef struct motion_moment {
  double t;
  bool sampled;
  graze_relation relation; /* of graze_intersect() there; 0 where not sampled, or it has none */
  graze_pose a, b;
  graze_vec at;         /* t·u */
  story_mesh core, cso; /* where they turn: A - B then, each body turned in its place; of large ones only at t_key */
} motion_moment;

/* The certificate, evaluated. NaN where not known. */
typedef struct motion_evidence {
  graze_status verdict;    /* of the verifier; of compounds, about the pair of parts */
  graze_vec direction;     /* unit, from A to B, rounded; zero where there is none */
  double reach_a, begin_b; /* at t = 0: max d·a over A, min d·b over B, radii and clearance included; rounded */
  double closing;          /* how fast that gap closes: -d·u; rounded */
  double free_until;       /* the last double until which the verifier says the direction shows no contact */
  double gap;              /* the greatest one for which it says that the gap along d is no less until then */
  double near_upper;       /* clear: the least one for which it says that the pairs come as near */
  int count;               /* the pairs of the certificate … */
  int32_t points[6];       /* … as indices of story::points; each is there at t = 0 */
} motion_evidence;

typedef struct story_motion {
  graze_motion a, b;
  graze_vec u;              /* v_B - v_A, rounded */
  bool ray, turns;          /* a ray: B is its point */
  bool sweep;               /* no one direction shows when nothing is met: steps do, if anything */
  double t_max;             /* as asked; INFINITY: unbounded */
  double t_end;             /* where the time bar ends: t_max, or some time after all that matters */
  double t_key;             /* the time of contact, or when they are nearest; 0 where neither is known */
  double t_drawn;           /* until when the path is drawn */
  graze_cast_result impact; /* its steps stand in the options of the question */
  motion_span spans[3];
  int span_count;
  motion_moment moments[MOTION_MOST_MOMENTS]; /* by time */
  int moment_count, key;                      /* key: the one at t_key */
  motion_evidence evidence;
  story_mesh then_a, then_b;   /* the bodies at t_key */
  story_mesh swept_a, swept_b; /* 2D, where nothing turns: all that they cover until t_drawn; else NONE */
  story_mesh trail_a[MOTION_TRAIL], trail_b[MOTION_TRAIL]; /* 2D, where they turn: on the way */
} story_motion;

/* Asks, and records what came of it and how it starts, the latter as the answer of the story's finding. */
bool motion_ask(story *s, cli_buffer *room, cli_error *complaint);
/* The rest, once the story has its bodies, points and meshes. */
void motion_record(story *s);
void motion_free(story *s);

/* What the certificate shows. */
motion_evidence motion_evidence_of(const story *s);
/* Of a start apart: by that direction, as the story's evidence. */
void motion_show_start(story *s);

/* How many samples overlap or touch; the first of them, or -1. */
int motion_seen(const story_motion *m, int *first);

/* Adds `,"motion":{…}`. */
void motion_print_json(cli_text *out, const story *s);
/* A mesh, or null. */
void story_print_mesh(cli_text *out, const story_mesh *mesh, int dim);

#endif
