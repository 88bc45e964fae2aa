// The class Answer: its members, its certificate, pickling; and the enumerations of answers.
#include "answers.hpp"

#include <nanobind/stl/tuple.h>

#include <cmath>

// ---- The certificate of an answer

static std::shared_ptr<const Proof> proof_of(Answer &answer) {
  if (!answer.proof) {
    graze_answer again;
    answer.proof = prove(answer, false, &again);
  }
  return answer.proof;
}

static bool verify(Answer &answer) {
  const std::shared_ptr<const Proof> proof = proof_of(answer);
  graze_error error = {};
  const graze_options options = options_of(answer.options, &error);
  const graze_status status =
      graze_verify(&answer.placed_a().placed, &answer.placed_b().placed, &options, &answer.answer, &proof->certificate);
  finish_callbacks();
  if (status == GRAZE_UNPROVEN) return false;
  check(status, "verify", &error);
  return true;
}

static std::string answer_text(const Answer &answer) {
  const graze_answer &x = answer.answer;
  std::string text = std::string("Answer(") + graze_relation_text(x.relation);
  if (!std::isnan(x.distance)) text += ", distance=" + number_text(x.distance);
  if (!std::isnan(x.lower)) text += ", interval=[" + number_text(x.lower) + ", " + number_text(x.upper) + "]";
  return text + ")";
}

// ---- Pickling: all members, the shapes, and the options. A whole certificate is computed again, another one at its
// first use.

static nb::tuple answer_state(const Answer &s) {
  const graze_answer &x = s.answer;
  const Options &o = s.options;
  const auto vec = [](graze_vec v) { return vector(v, 3); };
  return reduced("_restore_answer", s.a, s.b,
                 nb::make_tuple(o.clearance, o.max_distance, o.tolerance, o.max_iterations, o.method, o.large),
                 nb::make_tuple(s.relation_only, s.proof && s.proof->whole),
                 nb::make_tuple(x.relation, x.algorithm, x.stopped, x.iterations, x.part_a, x.part_b, x.pairs_tested,
                                x.exact, x.conditional),
                 nb::make_tuple(x.distance, x.lower, x.upper), vec(x.normal), vec(x.point_a), vec(x.point_b));
}

static void require_part(const char *argument, int32_t part, const Placed &placed) {
  const size_t count = graze_part_count(&placed.placed);
  if (part < 0 || (size_t)part >= count)
    reject(argument, nb::int_(part), "the index of one of " + std::to_string(count) + " parts");
}

static Answer restore_answer(
    PlacedObject a, PlacedObject b, std::tuple<double, double, double, int, graze_method, bool> options,
    std::pair<bool, bool> kind,
    std::tuple<graze_relation, graze_algorithm, graze_stop, int, int32_t, int32_t, size_t, bool, bool> counts,
    std::tuple<double, double, double> numbers, VectorLike normal, VectorLike point_a, VectorLike point_b) {
  const auto [clearance, max_distance, tolerance, max_iterations, method, large] = options;
  Answer s = {{},
              nb::borrow(a),
              nb::borrow(b),
              {clearance, max_distance, tolerance, max_iterations, method, large},
              kind.first};
  graze_answer &x = s.answer;
  graze_error error = {};
  const graze_options of_query = options_of(s.options, &error);
  std::tie(x.relation, x.algorithm, x.stopped, x.iterations, x.part_a, x.part_b, x.pairs_tested, x.exact,
           x.conditional) = counts;
  if (s.placed_b().placed.shape.dim != s.dim()) reject("b", b, "of the dimension of a");
  check(graze_check_options(&of_query, s.dim(), &error), "options", &error);
  require_part("part_a", x.part_a, s.placed_a());
  require_part("part_b", x.part_b, s.placed_b());
  std::tie(x.distance, x.lower, x.upper) = numbers;
  x.normal = read_vector(normal.value, "normal", 3);
  x.point_a = read_vector(point_a.value, "point_a", 3);
  x.point_b = read_vector(point_b.value, "point_b", 3);
  graze_answer again;
  // Methods other than AUTO reject some shapes.
  if (kind.second || method != GRAZE_METHOD_AUTO) s.proof = prove(s, kind.second, &again);
  return s;
}

// ---- The module

static void bind_answer_enums(Module &m) {
  nb::enum_<graze_relation>(m, "Relation", "The relation of two closed sets.", nb::is_arithmetic())
      .value("SEPARATED", GRAZE_SEPARATED, "No common point.")
      .value("TOUCHING", GRAZE_TOUCHING, "Common points, and no overlap.")
      .value("OVERLAPPING", GRAZE_OVERLAPPING, "Common points, also after any small enough move.")
      .value("UNDECIDED", GRAZE_UNDECIDED, "Curved shapes, up to about 1e-14 of the size from touching.");
  nb::enum_<graze_algorithm>(m, "Algorithm", "The algorithm that produced an answer.")
      .value("GJK", GRAZE_ALGORITHM_GJK, "GJK in doubles, certified by a floating-point filter.")
      .value("CACHED_AXIS", GRAZE_ALGORITHM_CACHED_AXIS, "A direction of an earlier query separates.")
      .value("EXACT", GRAZE_ALGORITHM_EXACT, "Exact refinement, started from the simplex of GJK.")
      .value("HALFSPACE", GRAZE_ALGORITHM_HALFSPACE, "Half-space: one support point.")
      .value("PORTAL", GRAZE_ALGORITHM_PORTAL, "Curved shapes near contact: portal refinement.")
      .value("SAT", GRAZE_ALGORITHM_SAT, "Separating axes.")
      .value("EPA", GRAZE_ALGORITHM_EPA, "The expanding polytope algorithm, for depths.")
      .value("BRUTE", GRAZE_ALGORITHM_BRUTE, "All vertex pairs and their convex hull; not used by queries in Python.")
      .value("FCCD", GRAZE_ALGORITHM_FCCD, "Motion: supporting planes of the CSO and the relative path.")
      .value("SWEEP", GRAZE_ALGORITHM_SWEEP, "Motion: time intervals, each with one separating direction.")
      .value("LCCD", GRAZE_ALGORITHM_LCCD, "Motion: the facets of the CSO and the relative path.")
      .value("CA", GRAZE_ALGORITHM_CA, "Motion: conservative advancement.")
      .value("SAMPLING", GRAZE_ALGORITHM_SAMPLING, "Motion: discrete sampling; not used by queries in Python.")
      .value("BOUNDING_SPHERES", GRAZE_ALGORITHM_BOUNDING_SPHERES,
             "Bounding spheres about the local origins are disjoint.")
      .value("BOUNDARY_WALK", GRAZE_ALGORITHM_BOUNDARY_WALK,
             "Separated polygons: a walk along the boundary of the CSO.")
      .value("CLOSED_FORM", GRAZE_ALGORITHM_CLOSED_FORM,
             "A formula for two simple shapes, or for a ray and a face of a mesh.")
      .value("CONTAINMENT", GRAZE_ALGORITHM_CONTAINMENT, "Solid meshes: the parity of the faces that a ray crosses.");
  nb::enum_<graze_stop>(m, "Stop", "Why an interval is wider than promised.")
      .value("NONE", GRAZE_STOP_NONE, "It is as narrow as promised.")
      .value("CUTOFF", GRAZE_STOP_CUTOFF, "Beyond max_distance.")
      .value("BUDGET", GRAZE_STOP_BUDGET, "max_iterations or the workspace was exhausted.")
      .value("PRECISION", GRAZE_STOP_PRECISION, "Rounding, or the error of a user support function.")
      .value("NONCONVEX", GRAZE_STOP_NONCONVEX, "Overlapping solid meshes: the depth is an interval.");
  nb::enum_<graze_method>(m, "Method", "The algorithm for intersect() and distance().")
      .value("AUTO", GRAZE_METHOD_AUTO, "The fastest that applies.")
      .value("GJK", GRAZE_METHOD_GJK, "Plain GJK; a result that doubles do not certify is refined exactly.")
      .value("EXACT", GRAZE_METHOD_EXACT, "Exact search only; not for curved shapes.")
      .value("EPA", GRAZE_METHOD_EPA, "As AUTO, but all depths by EPA; not for half-spaces.");
}

void bind_answers(Module &m) {
  bind_answer_enums(m);
  Class<Answer>(m, "Answer", nb::type_slots(collected<Answer>),
                R"(The answer to a query about two placed shapes. Immutable.

The true signed distance is in [lower, upper]. Lengths are in the unit of the caller; vectors are in the world frame.)")
      .def_prop_ro(
          "a", [](const Answer &s) { return s.a; }, nb::sig("def a(self) -> Placed"), "The first placed shape.")
      .def_prop_ro(
          "b", [](const Answer &s) { return s.b; }, nb::sig("def b(self) -> Placed"), "The second placed shape.")
      .def_prop_ro(
          "relation", [](const Answer &s) { return s.answer.relation; },
          "The relation of A and B as closed sets; the clearance counts as a radius of A.")
      .def_prop_ro(
          "distance", [](const Answer &s) { return s.answer.distance; },
          "> 0: gap; 0: touching; < 0: minus the penetration depth; NaN if not computed.")
      .def_prop_ro(
          "lower", [](const Answer &s) { return s.answer.lower; },
          "A lower bound of the signed distance, as a length; NaN if not computed.")
      .def_prop_ro(
          "upper", [](const Answer &s) { return s.answer.upper; },
          "An upper bound of the signed distance, as a length; NaN if not computed.")
      .def_prop_ro(
          "normal", [](const Answer &s) { return vector(s.answer.normal, s.dim()); },
          "Unit vector from A to B; touching: a weakly separating direction. NaN if not computed.")
      .def_prop_ro(
          "point_a", [](const Answer &s) { return vector(s.answer.point_a, s.dim()); },
          "The witness point on A: point_b - point_a = distance·normal, rounded.")
      .def_prop_ro(
          "point_b", [](const Answer &s) { return vector(s.answer.point_b, s.dim()); }, "The witness point on B.")
      .def_prop_ro(
          "part_a", [](const Answer &s) { return s.answer.part_a; },
          "The deciding part of a compound, or face of a mesh; 0 for a convex shape.")
      .def_prop_ro(
          "part_b", [](const Answer &s) { return s.answer.part_b; }, "The same of B.")
      .def_prop_ro(
          "pairs_tested", [](const Answer &s) { return s.answer.pairs_tested; },
          "The number of pairs of parts that bounds did not exclude; 0 for convex shapes.")
      .def_prop_ro(
          "algorithm", [](const Answer &s) { return s.answer.algorithm; }, "The algorithm that produced the answer.")
      .def_prop_ro(
          "stopped", [](const Answer &s) { return s.answer.stopped; },
          "Why the interval is wider than promised; NONE if it is not.")
      .def_prop_ro(
          "iterations", [](const Answer &s) { return s.answer.iterations; },
          "The number of steps of all algorithms of the query, tested axes included.")
      .def_prop_ro(
          "exact", [](const Answer &s) { return s.answer.exact; }, "Some decision needed exact arithmetic.")
      .def_prop_ro(
          "conditional", [](const Answer &s) { return s.answer.conditional; },
          "The answer relies on a user support function.")
      .def_prop_ro(
          "is_relation_only", [](const Answer &s) { return s.relation_only; },
          "Whether it is an answer of intersect().")
      .def_prop_ro(
          "clearance", [](const Answer &s) { return s.options.clearance; }, "The clearance of the query.")
      .def_prop_ro(
          "certificate", [](Answer &s) { return certificate_dict(s, *proof_of(s)); },
          nb::sig("def certificate(self) -> dict[str, object]"),
          R"(Why the relation and the interval hold, with the keys of docs/guide/command-line.md.

Computed at the first use.)")
      .def("verify", &verify, R"(Verifies the answer in exact arithmetic, without any solver.

Returns True if the relation and the interval are proved, and False if the certificate does not prove all of it; then
repeat the query with proof=True. Raises Error if the answer is wrong.)")
      .def("__bool__",
           [](const Answer &) -> bool {
             throw nb::type_error("an Answer is neither true nor false: compare its .relation, for instance "
                                  "answer.relation != graze.Relation.SEPARATED");
           })
      .def("__repr__", &answer_text)
      .def("__reduce__", &answer_state, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  define_restore(m, "_restore_answer", "Answer", &restore_answer, "a", "b", "options", "kind", "counts", "numbers",
                 "normal", "point_a", "point_b");
}
