// The class Motion, and casts of moving shapes and rays.
#include "casts.hpp"

#include "shapes.hpp"

#include <cmath>
#include <limits>
#include <optional>

// ---- Motion

static Motion motion_between(const Pose &start, const Pose &end, double time) {
  if (start.dim != end.dim) reject("end", nb::cast(end), start.dim == 2 ? "a 2D pose" : "a 3D pose");
  if (!(time > 0)) raise(GRAZE_BAD_OPTION, "between: time = " + number_text(time) + " (must be > 0)", "time", -1, time);
  return make_motion(graze_motion_between(&start.pose, &end.pose, time), start.dim, "between");
}

static Motion new_motion(VectorLike velocity, nb::handle angular) {
  int dim;
  double rate;
  graze_motion motion = {};
  motion.velocity = read_vector(velocity.value, "velocity", 0, &dim);
  if (dim == 3 && !angular.is_none())
    motion.angular = read_vector(angular, "angular", 3);
  else if (!angular.is_none() && read_number(angular, rate))
    motion.angular.z = rate;
  else if (!angular.is_none())
    reject("angular", angular, "a number of radians per time");
  return make_motion(motion, dim, "Motion");
}

static nb::object angular_of(const Motion &m) {
  return m.dim == 2 ? nb::object(nb::float_(m.motion.angular.z)) : nb::cast(vector(m.motion.angular, 3));
}

static void bind_motion_class(Module &m) {
  Class<Motion>(m, "Motion",
                R"(A constant velocity, with a rotation about the position at a constant rate. Immutable.

velocity: length per time. angular: radians per time; in 3D about the world axis of this direction, in 2D a number.

>>> import graze
>>> graze.Motion((1, 0), 0.5)
Motion((1.0, 0.0), 0.5))")
      .def(
          "__init__",
          [](Motion *self, VectorLike velocity, nb::handle angular) {
            new (self) Motion(new_motion(velocity, angular));
          },
          "velocity"_a, "angular"_a.none() = nb::none(),
          nb::sig("def __init__(self, velocity: graze.typing.VectorLike, "
                  "angular: graze.typing.VectorLike | float | None = None) -> None"))
      .def_static("between", &motion_between, "start"_a, "end"_a, "time"_a,
                  "Returns the motion from one pose to another in a time > 0: the shortest rotation. Rounded.")
      .def_prop_ro(
          "dim", [](const Motion &v) { return v.dim; }, "2 or 3.")
      .def_prop_ro(
          "velocity", [](const Motion &v) { return vector(v.motion.velocity, v.dim); },
          "The velocity of the position, 2 or 3 coordinates: length per time.")
      .def_prop_ro(
          "angular", &angular_of, nb::sig("def angular(self) -> tuple[float, ...] | float"),
          "The angular velocity in radians per time: in 3D a vector along the axis, in 2D a number, counter-clockwise.")
      .def(
          "__eq__",
          [](const Motion &a, nb::handle b) {
            return equality<Motion>(b, [&](const Motion &o) {
              return a.dim == o.dim && same_vector(a.motion.velocity, o.motion.velocity) &&
                     same_vector(a.motion.angular, o.motion.angular);
            });
          },
          "other"_a, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const Motion &v) { return nb::hash(nb::make_tuple(vector(v.motion.velocity, v.dim), angular_of(v))); })
      .def("__repr__",
           [](const Motion &v) {
             const std::string velocity = nb::repr(nb::cast(vector(v.motion.velocity, v.dim))).c_str();
             return "Motion(" + velocity + ", " + nb::repr(angular_of(v)).c_str() + ")";
           })
      .def(
          "__reduce__",
          [](nb::handle_t<Motion> self) {
            const Motion &v = nb::cast<const Motion &>(self);
            return nb::make_tuple(self.type(), nb::make_tuple(vector(v.motion.velocity, v.dim), angular_of(v)));
          },
          nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

// ---- Casts

enum { FIRST_STEPS = 256, MAX_STEPS = 1 << 16 };

graze_cast_options options_of_cast(const CastOptions &from, graze_error *error) {
  graze_cast_options options = graze_default_cast_options();
  options.clearance = from.clearance;
  options.tolerance = from.tolerance;
  options.max_iterations = from.max_iterations;
  options.min_distance = from.min_distance;
  options.method = from.method;
  options.error = error;
  return options;
}

Placed target_of(const CastResult &c) {
  const Placed &a = *nb::inst_ptr<Placed>(c.a);
  return c.of_part ? part_of(a, c.result.part_a) : a;
}

namespace {
// Searches for the hit of one part.
struct PartSearch {
  int32_t part;
  bool found;
  graze_cast_result hit;
};
} // namespace

// The search ends at the part, so that the certificate in the options is the one of its hit.
static bool find_part(void *context, const graze_cast_result *result) {
  PartSearch *search = static_cast<PartSearch *>(context);
  search->found = result->part_a == search->part;
  search->hit = *result;
  return !search->found;
}

// Raises if the ray does not hit the part.
static void run_on_part(const CastResult &c, const graze_cast_options &options, graze_cast_result &result) {
  PartSearch search = {c.result.part_a, false, {}};
  const graze_status status = graze_raycast_parts(&c.placed_a(), c.placed_b().pose.position, c.motion_b.velocity,
                                                  c.options.t_max, &options, find_part, &search);
  finish_callbacks();
  check(status, "raycast_parts", options.error);
  if (!search.found) reject("part", nb::int_(search.part), "the index of a part that the ray hits");
  result = search.hit;
}

static void run(CastResult &c, const graze_cast_options &options, graze_cast_result &result) {
  if (c.of_part) return run_on_part(c, options, result);
  const graze_placed &a = c.placed_a(), &b = c.placed_b();
  const graze_status status =
      c.ray ? graze_raycast(&a, b.pose.position, c.motion_b.velocity, c.options.t_max, &options, &result)
            : graze_cast(&a, &c.motion_a, &b, &c.motion_b, c.options.t_max, &options, &result);
  finish_callbacks();
  check(status, c.ray ? "raycast" : "cast", options.error);
}

// Runs the cast with a certificate. `whole`: with the steps of motions with rotation, of which there are more until
// they suffice. The steps change the last bits of the result.
static std::shared_ptr<const CastProof> prove(CastResult &c, bool whole, graze_cast_result &result) {
  auto proof = std::make_shared<CastProof>();
  graze_error error = {};
  graze_cast_options options = options_of_cast(c.options, &error);
  options.certificate = &proof->certificate;
  for (size_t capacity = whole ? FIRST_STEPS : 0;; capacity *= 8) {
    if (capacity > MAX_STEPS) capacity = MAX_STEPS;
    proof->steps.resize(capacity);
    options.steps = whole ? proof->steps.data() : nullptr;
    options.step_capacity = capacity;
    run(c, options, result);
    const bool full = result.stopped == GRAZE_STOP_BUDGET && proof->certificate.step_count == capacity;
    if (!whole || !full || capacity == MAX_STEPS) return proof;
  }
}

static std::shared_ptr<const CastProof> proof_of(CastResult &c) {
  graze_cast_result again;
  if (!c.proof) c.proof = prove(c, false, again);
  return c.proof;
}

static CastResult cast(PlacedObject a, MotionLike motion_a, PlacedObject b, MotionLike motion_b, double t_max,
                       double clearance, double tolerance, int max_iterations, bool min_distance,
                       graze_cast_method method, bool proof) {
  CastResult c = {
      {},   nb::borrow(a), nb::borrow(b), {}, {}, {t_max, clearance, tolerance, max_iterations, min_distance, method},
      false};
  c.motion_a = read_motion(motion_a.value, "motion_a", c.dim());
  c.motion_b = read_motion(motion_b.value, "motion_b", c.placed_b().shape.dim);
  graze_error error = {};
  if (proof)
    c.proof = prove(c, true, c.result);
  else
    run(c, options_of_cast(c.options, &error), c.result);
  return c;
}

static nb::object placed_point(graze_vec at, int dim) {
  const graze_shape point = dim == 2 ? graze_point2() : graze_point();
  require_small("raycast", "origin", at);
  return nb::cast(Placed{graze_place(&point, graze_pose_at(at.x, at.y, at.z)), {}});
}

static CastResult new_ray(PlacedObject placed, VectorLike origin, VectorLike direction, const CastOptions &o) {
  CastResult c = {{}, nb::borrow(placed), {}, {}, {}, o, true};
  c.b = placed_point(read_vector(origin.value, "origin", c.dim()), c.dim());
  c.motion_b.velocity = read_vector(direction.value, "direction", c.dim());
  return c;
}

static CastResult raycast(PlacedObject placed, VectorLike origin, VectorLike direction, double t_max, double clearance,
                          double tolerance, int max_iterations, bool min_distance) {
  CastResult c =
      new_ray(placed, origin, direction, {t_max, clearance, tolerance, max_iterations, min_distance, GRAZE_CAST_AUTO});
  graze_error error = {};
  run(c, options_of_cast(c.options, &error), c.result);
  return c;
}

static bool add_hit(void *context, const graze_cast_result *result) {
  static_cast<std::vector<graze_cast_result> *>(context)->push_back(*result);
  return true;
}

// A hit of raycast_parts() without the result.
static CastResult new_part_hit(PlacedObject placed, VectorLike origin, VectorLike direction, double t_max) {
  CastResult c = new_ray(placed, origin, direction, {t_max, 0, 0, 64, true, GRAZE_CAST_AUTO});
  c.of_part = true;
  return c;
}

static CastResult restore_part_hit(PlacedObject placed, VectorLike origin, VectorLike direction, double t_max,
                                   int32_t part) {
  CastResult c = new_part_hit(placed, origin, direction, t_max);
  graze_error error = {};
  c.result.part_a = part;
  run(c, options_of_cast(c.options, &error), c.result);
  return c;
}

static nb::list raycast_parts(PlacedObject placed, VectorLike origin, VectorLike direction, double t_max) {
  const CastResult c = new_part_hit(placed, origin, direction, t_max);
  std::vector<graze_cast_result> hits;
  graze_error error = {};
  const graze_cast_options options = options_of_cast(c.options, &error);
  const graze_status status = graze_raycast_parts(&c.placed_a(), c.placed_b().pose.position, c.motion_b.velocity, t_max,
                                                  &options, add_hit, &hits);
  finish_callbacks();
  check(status, "raycast_parts", &error);
  nb::list results;
  for (const graze_cast_result &hit : hits) {
    CastResult of_part = c;
    of_part.result = hit;
    results.append(of_part);
  }
  return results;
}

static bool verify(CastResult &c) {
  const auto proof = proof_of(c);
  graze_error error = {};
  const graze_cast_options options = options_of_cast(c.options, &error);
  const Placed target = target_of(c);
  const graze_status status = graze_verify_cast(&target.placed, &c.motion_a, &c.placed_b(), &c.motion_b,
                                                c.options.t_max, &options, &c.result, &proof->certificate);
  finish_callbacks();
  if (status == GRAZE_UNPROVEN) return false;
  if (status == GRAZE_UNSUPPORTED)
    raise(status, "verify: not supported for casts of compounds and meshes; cast part(a, part_a) and part(b, part_b)");
  check(status, "verify", &error);
  return true;
}

static nb::dict certificate(CastResult &c) {
  const auto proof = proof_of(c);
  return cast_certificate_dict(proof->certificate, c.dim());
}

static std::string text(const CastResult &c) {
  std::string text = std::string("CastResult(") + graze_cast_outcome_text(c.result.outcome);
  if (!std::isnan(c.result.t)) text += ", t=" + number_text(c.result.t);
  return text + ")";
}

static nb::tuple reduce(const CastResult &c) {
  const int dim = c.dim();
  const CastOptions &o = c.options;
  if (c.of_part)
    return reduced("_restore_part_hit", c.a, vector(c.placed_b().pose.position, dim), vector(c.motion_b.velocity, dim),
                   o.t_max, c.result.part_a);
  if (c.ray)
    return reduced("_restore_ray", c.a, vector(c.placed_b().pose.position, dim), vector(c.motion_b.velocity, dim),
                   o.t_max, o.clearance, o.tolerance, o.max_iterations, o.min_distance);
  return reduced("_restore_cast", c.a, Motion{c.motion_a, dim}, c.b, Motion{c.motion_b, dim}, o.t_max, o.clearance,
                 o.tolerance, o.max_iterations, o.min_distance, o.method, c.proof && !c.proof->steps.empty());
}

static void bind_cast_result(Module &m) {
  const auto at = [](graze_vec graze_cast_result::*member) {
    return [member](const CastResult &c) { return vector(c.result.*member, c.dim()); };
  };
  const auto number = [](double graze_cast_result::*member) {
    return [member](const CastResult &c) { return c.result.*member; };
  };
  Class<CastResult>(m, "CastResult", nb::type_slots(collected<CastResult>),
                    R"(The result of a cast. Immutable. The first contact is in [t_lower, t_upper].

Times are in the unit of the velocities. Members that are not computed are NaN.)")
      .def_prop_ro(
          "outcome", [](const CastResult &c) { return c.result.outcome; }, "Whether the bodies meet in [0, t_max].")
      .def_prop_ro(
          "start_relation", [](const CastResult &c) { return c.result.start_relation; }, "The relation at t = 0.")
      .def_prop_ro("t", number(&graze_cast_result::t),
                   "= t_lower: at this time the bodies do not overlap, unless they overlap at the start. NaN if clear.")
      .def_prop_ro("t_lower", number(&graze_cast_result::t_lower),
                   "The earliest time of the first contact; NaN if clear.")
      .def_prop_ro("t_upper", number(&graze_cast_result::t_upper),
                   "The latest time of the first contact; NaN if clear.")
      .def_prop_ro("point", at(&graze_cast_result::point), "The contact point.")
      .def_prop_ro("normal", at(&graze_cast_result::normal),
                   "Unit vector from A to B at t; for a ray, out of the solid.")
      .def_prop_ro("position_a", at(&graze_cast_result::position_a), "The position of A at t, or at t_max if clear.")
      .def_prop_ro("position_b", at(&graze_cast_result::position_b), "The position of B at t, or at t_max if clear.")
      .def_prop_ro("min_lower", number(&graze_cast_result::min_lower),
                   "If clear, [min_lower, min_upper] contains the least distance in [0, t_max]: [0, NaN] without "
                   "min_distance. NaN if a body rotates, and for other outcomes.")
      .def_prop_ro("min_upper", number(&graze_cast_result::min_upper),
                   "If clear, an upper bound of the least distance in [0, t_max]: see min_lower.")
      .def_prop_ro("t_min", number(&graze_cast_result::t_min),
                   "If clear, the time of the least distance, rounded. NaN if a body rotates, or without min_distance.")
      .def_prop_ro(
          "part_a", [](const CastResult &c) { return c.result.part_a; },
          "The part of compound A, or face of mesh A, that is in contact first; if clear, the nearest. 0 for a convex "
          "shape.")
      .def_prop_ro(
          "part_b", [](const CastResult &c) { return c.result.part_b; },
          "The part of compound B, or face of mesh B, that is in contact first; if clear, the nearest. 0 for a convex "
          "shape.")
      .def_prop_ro(
          "pairs_tested", [](const CastResult &c) { return c.result.pairs_tested; },
          "The number of casts of pairs of parts that bounds did not exclude; 0 for convex shapes.")
      .def_prop_ro(
          "algorithm", [](const CastResult &c) { return c.result.algorithm; },
          "The algorithm that produced the result.")
      .def_prop_ro(
          "stopped", [](const CastResult &c) { return c.result.stopped; },
          "PRECISION: an interval is wider than promised. BUDGET: the work limit was reached. Otherwise NONE.")
      .def_prop_ro(
          "iterations", [](const CastResult &c) { return c.result.iterations; },
          "The number of steps of the algorithm.")
      .def_prop_ro(
          "exact", [](const CastResult &c) { return c.result.exact; }, "Some decision needed exact arithmetic.")
      .def_prop_ro(
          "conditional", [](const CastResult &c) { return c.result.conditional; },
          "The result relies on a user support function.")
      .def_prop_ro(
          "a", [](const CastResult &c) { return c.a; }, nb::sig("def a(self) -> Placed"),
          "The first body, at t = 0; the solid of a ray.")
      .def_prop_ro(
          "b", [](const CastResult &c) { return c.b; }, nb::sig("def b(self) -> Placed"),
          "The second body; the point of a ray.")
      .def_prop_ro(
          "motion_a",
          [](const CastResult &c) {
            return Motion{c.motion_a, c.dim()};
          },
          "The motion of A; at rest for a ray.")
      .def_prop_ro(
          "motion_b",
          [](const CastResult &c) {
            return Motion{c.motion_b, c.dim()};
          },
          "The velocity of a ray is its direction.")
      .def_prop_ro(
          "t_max", [](const CastResult &c) { return c.options.t_max; }, "The end of the time interval of the query.")
      .def_prop_ro(
          "clearance", [](const CastResult &c) { return c.options.clearance; },
          "The clearance of the query: a radius that is added to A.")
      .def_prop_ro(
          "is_ray", [](const CastResult &c) { return c.ray; },
          "Whether it is the result of raycast() or raycast_parts().")
      .def_prop_ro("_target", &target_of, "The body A; of a result of raycast_parts() the part.")
      .def_prop_ro("certificate", &certificate, nb::sig("def certificate(self) -> dict[str, object]"),
                   "Why the result holds, with the keys of docs/guide/command-line.md.")
      .def("verify", &verify, R"(Verifies the result in exact arithmetic. Returns whether all of it is proved.

A motion with rotation needs cast(…, proof=True). Raises Error if it is wrong, and for compounds and meshes.)")
      .def(
          "__bool__", [](const CastResult &c) { return c.result.outcome != GRAZE_CLEAR; },
          "Whether there is, or may be, a contact.")
      .def("__repr__", &text)
      .def("__reduce__", &reduce, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

void bind_motion(Module &m) {
  const double infinity = std::numeric_limits<double>::infinity();
  nb::enum_<graze_cast_outcome>(m, "CastOutcome", "Whether moving bodies meet.", nb::is_arithmetic())
      .value("HIT", GRAZE_HIT, "A first contact in [t_lower, t_upper].")
      .value("CLEAR", GRAZE_CLEAR, "Certainly no contact in [0, t_max].")
      .value("POSSIBLE", GRAZE_POSSIBLE, "Undecided in [t_lower, t_upper]. Treat it as a hit.");
  nb::enum_<graze_cast_method>(m, "CastMethod", "The algorithm for cast().")
      .value("AUTO", GRAZE_CAST_AUTO, "The fastest that applies.")
      .value("FCCD", GRAZE_CAST_FCCD, "The swept CSO and a ray cast; no rotation.")
      .value("SWEEP", GRAZE_CAST_SWEEP, "Time intervals, each with one separating direction.")
      .value("CA", GRAZE_CAST_CA, "Conservative advancement.");
  bind_motion_class(m);
  bind_cast_result(m);
  m.def("cast", &cast, "a"_a, "motion_a"_a.none(), "b"_a, "motion_b"_a.none() = nb::none(), "t_max"_a = 1.0,
        nb::kw_only(), "clearance"_a = 0.0, "tolerance"_a = 0.0, "max_iterations"_a = 64, "min_distance"_a = true,
        "method"_a = GRAZE_CAST_AUTO, "proof"_a = false,
        nb::sig("def cast(a: Placed, motion_a: graze.typing.MotionLike | None, b: Placed, "
                "motion_b: graze.typing.MotionLike | None = None, t_max: float = 1.0, *, clearance: float = 0.0, "
                "tolerance: float = 0.0, max_iterations: int = 64, min_distance: bool = True, "
                "method: CastMethod = ..., proof: bool = False) -> CastResult"),
        R"(Computes the first contact of two bodies that move for 0 <= t <= t_max. No contact is missed.

motion_a, motion_b: a Motion, a velocity, or None: at rest. clearance: a radius that is added to A. min_distance:
whether to compute the least distance of bodies that stay clear, unless a body rotates. proof: stores the complete
certificate, so that verify() also proves motions with rotation.

>>> import graze
>>> ball, wall = graze.place(graze.sphere(1)), graze.place(graze.box(1, 9, 9), (12, 0, 0))
>>> hit = graze.cast(ball, (40, 0, 0), wall)
>>> hit.outcome.name, round(hit.t, 9), hit.verify()
('HIT', 0.25, True))");
  m.def(
      "cast",
      [](nb::object a, nb::object poses_a, nb::object velocities_a, nb::object b, nb::object poses_b,
         nb::object velocities_b, nb::object t_max, nb::object out, nb::kwargs options) {
        return nb::module_::import_("graze._arrays")
            .attr("cast")(a, poses_a, velocities_a, b, poses_b, velocities_b, t_max, out, **options);
      },
      "a"_a, "poses_a"_a.none(), "velocities_a"_a.none(), "b"_a, "poses_b"_a.none(), "velocities_b"_a.none(),
      "t_max"_a = 1.0, "out"_a.none() = nb::none(), "options"_a,
      nb::sig("def cast(a: graze.typing.ShapesLike, poses_a: graze.typing.PosesLike, "
              "velocities_a: graze.typing.NumbersLike | None, b: graze.typing.ShapesLike, "
              "poses_b: graze.typing.PosesLike, velocities_b: graze.typing.NumbersLike | None, t_max: float = 1.0, "
              "out: graze._arrays.Casts | None = None, *, clearance: graze.typing.NumbersLike = 0.0, "
              "pairs: graze.typing.PairsLike | None = None, "
              "fields: collections.abc.Sequence[str] | None = None, threads: int = 1) -> graze._arrays.Casts"),
      R"(Computes the first contacts of pairs that move without rotation. Arguments: distance() for arrays.

velocities_a, velocities_b: shape (…, dim), length per time; they broadcast with the poses. None: at rest.

>>> import graze
>>> hits = graze.cast(graze.sphere(1), None, [(4, 0, 0), (0, 1, 0)], graze.point(), (3, 0, 0), None)
>>> [graze.CastOutcome(outcome).name for outcome in hits.outcome]
['HIT', 'CLEAR'])");
  define_restore(m, "_restore_ray", "CastResult", &raycast, "placed", "origin", "direction", "t_max", "clearance",
                 "tolerance", "max_iterations", "min_distance");
  define_restore(m, "_restore_part_hit", "CastResult", &restore_part_hit, "placed", "origin", "direction", "t_max",
                 "part");
  define_restore(m, "_restore_cast", "CastResult", &cast, "a", "motion_a", "b", "motion_b", "t_max", "clearance",
                 "tolerance", "max_iterations", "min_distance", "method", "proof");
  m.def("raycast", &raycast, "placed"_a, "origin"_a, "direction"_a, "t_max"_a = infinity, "clearance"_a = 0.0,
        "tolerance"_a = 0.0, "max_iterations"_a = 64, "min_distance"_a = true,
        R"(Computes the first point of a solid on the ray origin + t·direction, 0 <= t <= t_max.

A ray that starts inside or on the surface hits at t = 0. For meshes, set min_distance to False if only hits matter.

>>> import graze
>>> round(graze.raycast(graze.place(graze.circle(1), (5, 0)), (0, 0), (1, 0)).t, 9)
4.0)");
  m.def("raycast_parts", &raycast_parts, "placed"_a, "origin"_a, "direction"_a, "t_max"_a = infinity,
        nb::sig("def raycast_parts(placed: Placed, origin: graze.typing.VectorLike, "
                "direction: graze.typing.VectorLike, t_max: float = ...) -> list[CastResult]"),
        R"(Returns a result for each part that a ray hits, for example all faces of a mesh. The order is not that of t.

part_a is the index of the part. The certificate and verify() are about part(placed, part_a).)");
}
