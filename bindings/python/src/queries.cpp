// Queries about two placed shapes: relation, distance, and lists. contacts.cpp has the contact points.
#include "answers.hpp"

#include <limits>

#define QUERY_OPTIONS                                                                                                  \
  "clearance"_a = 0.0, "max_distance"_a = std::numeric_limits<double>::infinity(), "tolerance"_a = 0.0,                \
  "max_iterations"_a = 64, "method"_a = GRAZE_METHOD_AUTO, "proof"_a = false

#define QUERY_SIGNATURE                                                                                                \
  "clearance: float = 0.0, max_distance: float = float('inf'), tolerance: float = 0.0, max_iterations: int = 64, "     \
  "method: Method = ..., proof: bool = False"

// ---- Relation and distance

using Query = graze_status (*)(const graze_placed *, const graze_placed *, const graze_options *, graze_answer *);

static Answer run(Query query, const char *name, PlacedObject a, PlacedObject b, const Options &options, bool proof) {
  Answer answer = {{}, nb::borrow(a), nb::borrow(b), options, query == graze_intersect};
  if (proof) {
    answer.proof = prove(answer, true, &answer.answer);
    return answer;
  }
  graze_error error = {};
  graze_options o = options_of(options, &error);
  graze_status status = query(&answer.placed_a().placed, &answer.placed_b().placed, &o, &answer.answer);
  finish_callbacks();
  if (status == GRAZE_OK && answer.answer.stopped == GRAZE_STOP_BUDGET) {
    Workspace workspace;
    workspace.set(o, LARGE_POINTS);
    answer.options.large = true;
    status = query(&answer.placed_a().placed, &answer.placed_b().placed, &o, &answer.answer);
    finish_callbacks();
  }
  if (status != GRAZE_OK) check(status, name, &error);
  return answer;
}

static Answer distance(PlacedObject a, PlacedObject b, double clearance, double max_distance, double tolerance,
                       int max_iterations, graze_method method, bool proof) {
  return run(graze_distance, "distance", a, b, {clearance, max_distance, tolerance, max_iterations, method}, proof);
}

static Answer intersect(PlacedObject a, PlacedObject b, double clearance, double max_distance, double tolerance,
                        int max_iterations, graze_method method, bool proof) {
  return run(graze_intersect, "intersect", a, b, {clearance, max_distance, tolerance, max_iterations, method}, proof);
}

static graze_relation contains(const Placed &placed, VectorLike point) {
  graze_relation relation;
  const graze_vec at = read_vector(point.value, "point", placed.placed.shape.dim);
  require_small("contains", "point", at);
  const graze_status status = graze_contains(&placed.placed, at, &relation);
  finish_callbacks();
  check(status, "contains");
  return relation;
}

// ---- Lists

struct Members {
  std::vector<std::pair<size_t, graze_answer>> answers;
};

static bool add_member(void *context, size_t index, const graze_answer *answer) {
  static_cast<Members *>(context)->answers.push_back({index, *answer});
  return true;
}

static nb::list run_list(bool relation_only, const char *name, PlacedObject a, nb::sequence members, double clearance,
                         double max_distance) {
  std::vector<graze_placed> list;
  std::vector<nb::object> objects;
  const std::string prefix = "members[";
  for (nb::handle member : members) {
    Placed *placed;
    if (!nb::try_cast(member, placed) || !placed)
      reject(prefix + std::to_string(list.size()) + "]", member, "a placed shape");
    list.push_back(placed->placed);
    objects.push_back(nb::borrow(member));
  }
  Members reported;
  graze_error error = {};
  graze_list_options options = graze_default_list_options();
  options.clearance = clearance;
  options.max_distance = max_distance;
  options.error = &error;
  const graze_placed &placed_a = nb::inst_ptr<Placed>(a)->placed;
  const graze_status status = (relation_only ? graze_intersect_list : graze_distance_list)(
      &placed_a, list.data(), list.size(), &options, add_member, &reported, nullptr);
  finish_callbacks();
  check(status, name, &error);
  const Options kept = {clearance, max_distance, 0, 64, GRAZE_METHOD_AUTO};
  nb::list result;
  for (const auto &[index, answer] : reported.answers)
    result.append(nb::make_tuple(index, Answer{answer, nb::borrow(a), objects[index], kept, relation_only}));
  return result;
}

static nb::list intersect_list(PlacedObject a, nb::sequence members, double clearance) {
  return run_list(true, "intersect_list", a, members, clearance, INFINITY);
}

static nb::list distance_list(PlacedObject a, nb::sequence members, double clearance, double max_distance) {
  return run_list(false, "distance_list", a, members, clearance, max_distance);
}

// Calls the function of this name for arrays: graze/_arrays.py.
static auto array_query(const char *name) {
  return
      [name](nb::object a, nb::object poses_a, nb::object b, nb::object poses_b, nb::object out, nb::kwargs options) {
        return nb::module_::import_("graze._arrays").attr(name)(a, poses_a, b, poses_b, out, **options);
      };
}

static void bind_array_queries(Module &m) {
  m.def("distance", array_query("distance"), "a"_a, "poses_a"_a.none(), "b"_a, "poses_b"_a.none(),
        "out"_a.none() = nb::none(), "options"_a,
        nb::sig("def distance(a: graze.typing.ShapesLike, poses_a: graze.typing.PosesLike, "
                "b: graze.typing.ShapesLike, poses_b: graze.typing.PosesLike, "
                "out: graze._arrays.Distances | None = None, *, clearance: graze.typing.NumbersLike = 0.0, "
                "max_distance: float = ..., pairs: graze.typing.PairsLike | None = None, "
                "fields: collections.abc.Sequence[str] | None = None, threads: int = 1) -> graze._arrays.Distances"),
        R"(Computes the signed distances of pairs: arrays of shapes and poses, with the broadcasting of NumPy.

a, b: Shapes of any dimension, or a Shape. poses_a, poses_b: float64 of shape (…, 7): x, y, z and the quaternion w, x,
y, z; or (…, 4, 4): matrices; or (…, 3): positions. In 2D (…, 4): x, y and the half-angle pair w, z, as poses() returns
them; (…, 3, 3); or (…, 2). Rows (x, y, angle) are rejected, because three of them have the shape of a matrix:
poses(rows[:, :2], rows[:, 2]) converts them. None is the identity. Such arrays of shape (…, 7) are not copied.

out: a record from Distances.empty(), which is filled; it must not share memory with the other arguments. clearance: a
number, or an array that broadcasts with the pairs. pairs: two arrays of indices of bodies; then pair k is body
pairs[0][k] of side a and body pairs[1][k] of side b. fields: the members to compute. threads: 1 to 256; the results
have the same bits. The GIL is released.

>>> import graze
>>> shapes = graze.Shapes([graze.sphere(1), graze.box(1, 1, 1)])
>>> result = graze.distance(shapes, (0, 0, 0), graze.point(), [[(4, 0, 0)], [(0, 3, 0)]])
>>> result.distance.tolist()
[[3.0, 3.0], [2.0, 2.0]])");
  m.def("intersect", array_query("intersect"), "a"_a, "poses_a"_a.none(), "b"_a, "poses_b"_a.none(),
        "out"_a.none() = nb::none(), "options"_a,
        nb::sig("def intersect(a: graze.typing.ShapesLike, poses_a: graze.typing.PosesLike, "
                "b: graze.typing.ShapesLike, poses_b: graze.typing.PosesLike, "
                "out: graze._arrays.Relations | None = None, *, clearance: graze.typing.NumbersLike = 0.0, "
                "pairs: graze.typing.PairsLike | None = None, threads: int = 1) -> graze._arrays.Relations"),
        R"(Computes the relations of pairs. Arguments: distance() for arrays.

>>> import graze
>>> touching = graze.intersect(graze.box(1, 1), [(0, 0), (2, 0), (3, 0)], graze.box(1, 1), None)
>>> (touching.relation != graze.Relation.SEPARATED).tolist()
[True, True, False])");
}

void bind_queries(Module &m) {
  const Options defaults = {0, INFINITY, 0, 64, GRAZE_METHOD_AUTO};
  m.def(
      "distance",
      [defaults](PlacedObject a, PlacedObject b) { return run(graze_distance, "distance", a, b, defaults, false); },
      "a"_a, "b"_a, nb::sig("def distance(a: Placed, b: Placed) -> Answer"));
  m.def("distance", &distance, "a"_a, "b"_a, nb::kw_only(), QUERY_OPTIONS,
        nb::sig("def distance(a: Placed, b: Placed, *, " QUERY_SIGNATURE ") -> Answer"),
        R"(Computes the signed distance of two shapes: the gap, 0, or minus the penetration depth.

clearance: length >= 0 that is added exactly to the radii. max_distance: for larger gaps only `lower` is computed.
tolerance: the wanted width of the interval. max_iterations: a budget for GJK. proof: stores the complete certificate,
so that verify() also proves depths and all pairs of parts.

The depth of a compound is that of its deepest pair of parts: a lower bound of the depth of the union. The depth of a
solid mesh is the interval [lower, upper]; `distance` is `lower`, and moving B by -distance·normal ends the overlap.

>>> import graze
>>> a, b = graze.place(graze.box(1, 1, 1)), graze.place(graze.sphere(1), (4, 0, 0))
>>> answer = graze.distance(a, b)
>>> answer.distance, answer.relation.name, answer.point_a, answer.verify()
(2.0, 'SEPARATED', (1.0, 0.0, 0.0), True))");
  m.def(
      "intersect",
      [defaults](PlacedObject a, PlacedObject b) { return run(graze_intersect, "intersect", a, b, defaults, false); },
      "a"_a, "b"_a, nb::sig("def intersect(a: Placed, b: Placed) -> Answer"));
  m.def("intersect", &intersect, "a"_a, "b"_a, nb::kw_only(), QUERY_OPTIONS,
        nb::sig("def intersect(a: Placed, b: Placed, *, " QUERY_SIGNATURE ") -> Answer"),
        R"(Computes the relation of two shapes.

For touching and undecided shapes all members are computed; otherwise the numbers are NaN. Options: distance().

>>> import graze
>>> graze.intersect(graze.place(graze.box(1, 1)), graze.place(graze.box(1, 1), (2, 0))).relation.name
'TOUCHING')");
  bind_array_queries(m);
  m.def("contains", &contains, "placed"_a, "point"_a, R"(Computes the relation of a world point and a shape.

OVERLAPPING: the point is strictly inside. TOUCHING: it is on the boundary, or in a flat shape.)");
  m.def(
      "intersect_list", &intersect_list, "a"_a, "members"_a, nb::kw_only(), "clearance"_a = 0.0,
      nb::sig("def intersect_list(a: Placed, members: collections.abc.Sequence[Placed], *, clearance: float = 0.0) -> "
              "list[tuple[int, Answer]]"),
      "Returns (index, answer) for each member that is not separated from `a`, in order. Bounds are compared first.");
  m.def("distance_list", &distance_list, "a"_a, "members"_a, nb::kw_only(), "clearance"_a = 0.0,
        "max_distance"_a = std::numeric_limits<double>::infinity(),
        nb::sig("def distance_list(a: Placed, members: collections.abc.Sequence[Placed], *, clearance: float = 0.0, "
                "max_distance: float = ...) -> list[tuple[int, Answer]]"),
        "Returns (index, answer) for each member that is not certainly farther than max_distance, in order.");
}
