// Results of casts.
#pragma once

#include "answers.hpp"

struct CastOptions {
  double t_max, clearance, tolerance;
  int max_iterations;
  bool min_distance;
  graze_cast_method method;
};

graze_cast_options options_of_cast(const CastOptions &from, graze_error *error);

// A certificate and the intervals that it points to.
struct CastProof {
  graze_certificate certificate;
  std::vector<graze_cast_step> steps;
};

// The result of a cast, and the query. A ray is the cast of the point b. `of_part`: a hit of raycast_parts(), which is
// about part result.part_a of A alone.
struct CastResult {
  graze_cast_result result;
  nb::object a, b;
  graze_motion motion_a, motion_b;
  CastOptions options;
  bool ray, of_part = false;
  std::shared_ptr<const CastProof> proof = {};

  const graze_placed &placed_a() const { return nb::inst_ptr<Placed>(a)->placed; }
  const graze_placed &placed_b() const { return nb::inst_ptr<Placed>(b)->placed; }
  int dim() const { return placed_a().shape.dim; }
};

// The body A of a cast; of a hit of raycast_parts() the part.
Placed target_of(const CastResult &c);

inline int visit_objects(const CastResult &c, visitproc visit, void *arg) {
  Py_VISIT(c.a.ptr());
  Py_VISIT(c.b.ptr());
  return 0;
}
