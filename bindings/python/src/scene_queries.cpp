// Queries of scenes, and moving one body.
#include "scenes.hpp"

#include <nanobind/stl/optional.h>

#include <cmath>
#include <limits>

// ---- Filters

static bool accept_body(void *context, graze_body body) {
  const CallbackScope scope;
  try {
    nb::object result = static_cast<Filter *>(context)->accept(body);
    if (result.is_none()) reject("the result of accept", result, "True or False");
    const int accepted = PyObject_IsTrue(result.ptr());
    if (accepted < 0) throw nb::python_error();
    return accepted == 1;
  } catch (...) {
    callback_failed();
    return false;
  }
}

// A filter in C. It refers to the object.
static graze_filter filter_of(Filter *from) {
  graze_filter filter = graze_default_filter();
  if (from == nullptr) return filter;
  filter.category = from->category;
  filter.mask = from->mask;
  filter.except = from->except;
  filter.sensors = from->sensors;
  filter.accept = from->accept.is_none() ? nullptr : accept_body;
  filter.context = from;
  return filter;
}

// ---- Queries that fill arrays: the array grows until all results fit.

template <typename T, typename Query> static std::vector<T> collect(Scene &scene, const char *name, Query query) {
  std::vector<T> results(16);
  for (;;) {
    size_t count = 0;
    graze_error error = {};
    const graze_status status =
        with_callbacks(scene, [&] { return query(results.data(), results.size(), &count, &error); });
    if (status == GRAZE_NO_SPACE) {
      results.resize(count);
      continue;
    }
    check(status, name, &error);
    results.resize(count);
    return results;
  }
}

template <typename T> static nb::list list_of(const std::vector<T> &values) {
  nb::list list;
  for (const T &value : values) list.append(value);
  return list;
}

static nb::list overlap(Scene &s, const Placed &placed, Filter *filter) {
  require_readable(s);
  const graze_filter f = filter_of(filter);
  return list_of(collect<graze_body>(s, "overlap", [&](graze_body *b, size_t n, size_t *count, graze_error *e) {
    return graze_scene_overlap(s.scene, &placed.placed, &f, b, n, count, e);
  }));
}

static nb::object overlap_any(Scene &s, const Placed &placed, Filter *filter) {
  require_readable(s);
  const graze_filter f = filter_of(filter);
  graze_body body;
  graze_error error = {};
  check(with_callbacks(s, [&] { return graze_scene_overlap_any(s.scene, &placed.placed, &f, &body, &error); }),
        "overlap_any", &error);
  return body_object(body);
}

static nb::list in_box(Scene &s, VectorLike min, VectorLike max, Filter *filter) {
  const graze_aabb box = {read_vector(min.value, "min", s.dim), read_vector(max.value, "max", s.dim)};
  require_readable(s);
  const graze_filter f = filter_of(filter);
  return list_of(collect<graze_body>(s, "in_box", [&](graze_body *b, size_t n, size_t *count, graze_error *e) {
    return graze_scene_in_box(s.scene, &box, &f, b, n, count, e);
  }));
}

static Answer answer_of(const graze_answer &answer, nb::object a, nb::object b) {
  const Options options = {0, std::numeric_limits<double>::infinity(), 0, 64, GRAZE_METHOD_AUTO};
  return {answer, a, b, options, false};
}

// (body, answer) of the neighbors of a placed shape, or (a, b, answer) of pairs if there is none.
static nb::list neighbor_list(const Scene &s, const char *function, nb::handle placed,
                              const std::vector<graze_neighbor> &neighbors) {
  nb::list list;
  for (const graze_neighbor &n : neighbors) {
    nb::object b = nb::cast(placed_body(s, n.b, function));
    if (placed.is_valid())
      list.append(nb::make_tuple(n.b, answer_of(n.answer, nb::borrow(placed), b)));
    else
      list.append(nb::make_tuple(n.a, n.b, answer_of(n.answer, nb::cast(placed_body(s, n.a, function)), b)));
  }
  return list;
}

static nb::list within(Scene &s, PlacedObject placed, double distance, Filter *filter) {
  require_readable(s);
  const graze_filter f = filter_of(filter);
  const Placed &a = *nb::inst_ptr<Placed>(placed);
  return neighbor_list(
      s, "within", placed,
      collect<graze_neighbor>(s, "within", [&](graze_neighbor *b, size_t n, size_t *count, graze_error *e) {
        return graze_scene_within(s.scene, &a.placed, distance, &f, b, n, count, e);
      }));
}

static nb::list nearest(Scene &s, PlacedObject placed, size_t count, double distance, Filter *filter) {
  require_readable(s);
  const graze_filter f = filter_of(filter);
  const Placed &a = *nb::inst_ptr<Placed>(placed);
  std::vector<graze_neighbor> neighbors(std::min(count, graze_scene_count(s.scene)));
  size_t written = 0;
  graze_error error = {};
  check(with_callbacks(s,
                       [&] {
                         return graze_scene_nearest(s.scene, &a.placed, distance, &f, neighbors.data(),
                                                    neighbors.size(), &written, &error);
                       }),
        "nearest", &error);
  neighbors.resize(written);
  return neighbor_list(s, "nearest", placed, neighbors);
}

static nb::list closest_pairs(Scene &s, size_t count, double distance) {
  require_readable(s);
  // The array grows while it is full, because most pairs of many bodies are farther apart than `distance`.
  std::vector<graze_neighbor> pairs(std::min(count, graze_scene_count(s.scene) + 16));
  for (;;) {
    size_t written = 0;
    graze_error error = {};
    check(with_callbacks(s,
                         [&] {
                           const nb::gil_scoped_release release;
                           return graze_scene_closest_pairs(s.scene, distance, pairs.data(), pairs.size(), &written,
                                                            &error);
                         }),
          "closest_pairs", &error);
    if (written == count || written < pairs.size()) {
      pairs.resize(written);
      return neighbor_list(s, "closest_pairs", {}, pairs);
    }
    pairs.resize(std::min(count, 8 * pairs.size()));
  }
}

static nb::list pairs(Scene &s) {
  require_readable(s);
  nb::list list;
  for (const graze_body_pair &pair :
       collect<graze_body_pair>(s, "pairs", [&](graze_body_pair *b, size_t n, size_t *count, graze_error *) {
         const nb::gil_scoped_release release;
         return graze_scene_pairs(s.scene, b, n, count);
       }))
    list.append(nb::make_tuple(pair.a, pair.b));
  return list;
}

// ---- Casts

using CastFirst = graze_status (*)(const graze_scene *, const graze_placed *, const graze_motion *, double,
                                   const graze_filter *, graze_body *, graze_cast_result *, graze_error *);
using RayFirst = graze_status (*)(const graze_scene *, graze_vec, graze_vec, double, const graze_filter *, graze_body *,
                                  graze_cast_result *, graze_error *);

// (body, hit), or None.
static nb::object hit_object(graze_body body, const graze_cast_result &result, int dim) {
  if (body.generation == 0) return nb::none();
  return nb::make_tuple(body, BodyHit{result, dim});
}

template <CastFirst query>
static nb::object cast_first(Scene &s, const Placed &placed, MotionLike motion, double t_max, Filter *filter) {
  const graze_filter f = filter_of(filter);
  const graze_motion m = read_motion(motion.value, "motion", s.dim);
  require_readable(s);
  graze_body body = {};
  graze_cast_result result = {};
  graze_error error = {};
  check(with_callbacks(s, [&] { return query(s.scene, &placed.placed, &m, t_max, &f, &body, &result, &error); }),
        query == graze_scene_cast_any ? "cast_any" : "cast", &error);
  return hit_object(body, result, s.dim);
}

template <RayFirst query>
static nb::object ray_first(Scene &s, VectorLike origin, VectorLike direction, double t_max, Filter *filter) {
  const graze_filter f = filter_of(filter);
  const graze_vec from = read_vector(origin.value, "origin", s.dim),
                  d = read_vector(direction.value, "direction", s.dim);
  require_readable(s);
  graze_body body = {};
  graze_cast_result result = {};
  graze_error error = {};
  check(with_callbacks(s, [&] { return query(s.scene, from, d, t_max, &f, &body, &result, &error); }),
        query == graze_scene_raycast_any ? "raycast_any" : "raycast", &error);
  return hit_object(body, result, s.dim);
}

static nb::list hit_list(const std::vector<graze_body_hit> &hits, int dim) {
  nb::list list;
  for (const graze_body_hit &hit : hits) list.append(hit_object(hit.body, hit.result, dim));
  return list;
}

static nb::list cast_all(Scene &s, const Placed &placed, MotionLike motion, double t_max, Filter *filter) {
  const graze_filter f = filter_of(filter);
  const graze_motion m = read_motion(motion.value, "motion", s.dim);
  require_readable(s);
  return hit_list(collect<graze_body_hit>(s, "cast_all",
                                          [&](graze_body_hit *b, size_t n, size_t *count, graze_error *e) {
                                            return graze_scene_cast_all(s.scene, &placed.placed, &m, t_max, &f, b, n,
                                                                        count, e);
                                          }),
                  s.dim);
}

static nb::list raycast_all(Scene &s, VectorLike origin, VectorLike direction, double t_max, Filter *filter) {
  const graze_filter f = filter_of(filter);
  const graze_vec from = read_vector(origin.value, "origin", s.dim),
                  d = read_vector(direction.value, "direction", s.dim);
  require_readable(s);
  return hit_list(collect<graze_body_hit>(s, "raycast_all",
                                          [&](graze_body_hit *b, size_t n, size_t *count, graze_error *e) {
                                            return graze_scene_raycast_all(s.scene, from, d, t_max, &f, b, n, count, e);
                                          }),
                  s.dim);
}

// ---- Moving one body

static graze_collision_response choose_response(void *context, graze_body moved, graze_body other) {
  const CallbackScope scope;
  try {
    nb::object result = (*static_cast<nb::object *>(context))(moved, other);
    return nb::cast<graze_collision_response>(result);
  } catch (const std::bad_cast &) {
    try {
      throw nb::type_error("choose: must return a CollisionResponse");
    } catch (...) { callback_failed(); }
  } catch (...) { callback_failed(); }
  return (graze_collision_response)-1; // rejected: nothing moves
}

static nb::list move(Scene &s, graze_body body, MotionLike motion, nb::object choose) {
  if (!choose.is_none() && !PyCallable_Check(choose.ptr())) reject("choose", choose, "a function or None");
  const graze_motion m = read_motion(motion.value, "motion", s.dim);
  require_mutable(s);
  entry_of(s, body, "move");
  std::vector<graze_collision> collisions(64);
  size_t count = 0;
  graze_error error = {};
  const auto function = choose.is_none() ? nullptr : choose_response;
  check(with_callbacks(s,
                       [&] {
                         return graze_scene_move(s.scene, body, &m, function, &choose, collisions.data(),
                                                 collisions.size(), &count, &error);
                       }),
        "move", &error);
  collisions.resize(std::min(count, collisions.size()));
  nb::list list;
  for (const graze_collision &collision : collisions) list.append(Collision{collision, s.dim});
  return list;
}

static nb::tuple scene_manifold(Scene &s, graze_body a, graze_body b) {
  require_readable(s);
  graze_contact contacts[4];
  graze_answer answer;
  size_t count;
  entry_of(s, a, "manifold");
  entry_of(s, b, "manifold");
  const size_t capacity = s.dim == 2 ? 2 : 4;
  const graze_status status = with_callbacks(
      s, [&] { return graze_scene_manifold(s.scene, a, b, nullptr, &answer, contacts, capacity, &count); });
  if (status == GRAZE_BAD_OPTION) raise(status, "manifold: b must be another body than a", "b");
  check(status, "manifold");
  nb::object placed_a = nb::cast(placed_body(s, a, "manifold")), placed_b = nb::cast(placed_body(s, b, "manifold"));
  return nb::make_tuple(answer_of(answer, placed_a, placed_b), contact_list(contacts, count, s.dim));
}

// ---- The module

void bind_scene_queries(Module &m, Class<Scene> &scene) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto filter = "filter"_a.none() = nb::none();
  scene
      .def("overlap", &overlap, "placed"_a, filter,
           nb::sig("def overlap(self, placed: Placed, filter: Filter | None = None) -> list[Body]"),
           "Returns the bodies that touch or overlap a shape, or may do so, by slot.")
      .def("overlap_any", &overlap_any, "placed"_a, filter,
           nb::sig("def overlap_any(self, placed: Placed, filter: Filter | None = None) -> Body | None"),
           "Returns one body that touches or overlaps a shape, or may do so.")
      .def("in_box", &in_box, "min"_a, "max"_a, filter,
           nb::sig("def in_box(self, min: graze.typing.VectorLike, max: graze.typing.VectorLike, "
                   "filter: Filter | None = None) -> list[Body]"),
           "Returns the bodies whose bounds overlap a box. Sides may be infinite.")
      .def("within", &within, "placed"_a, "distance"_a, filter,
           nb::sig("def within(self, placed: Placed, distance: float, filter: Filter | None = None) -> "
                   "list[tuple[Body, Answer]]"),
           "Returns (body, answer) for the bodies that are, or may be, within a distance of a shape, by slot.")
      .def("nearest", &nearest, "placed"_a, "count"_a = 1, "distance"_a = infinity, filter,
           nb::sig("def nearest(self, placed: Placed, count: int = 1, distance: float = ..., "
                   "filter: Filter | None = None) -> list[tuple[Body, Answer]]"),
           "Returns (body, answer) for the nearest bodies, by distance.")
      .def("closest_pairs", &closest_pairs, "count"_a = 1, "distance"_a = infinity,
           nb::sig("def closest_pairs(self, count: int = 1, distance: float = ...) -> "
                   "list[tuple[Body, Body, Answer]]"),
           "Returns (a, b, answer) for the nearest pairs of bodies, by distance. Releases the GIL.")
      .def("pairs", &pairs, nb::sig("def pairs(self) -> list[tuple[Body, Body]]"),
           "Returns the pairs of bodies whose bounds meet (broad phase), by slots. Releases the GIL.")
      .def("cast", &cast_first<graze_scene_cast>, "placed"_a, "motion"_a, "t_max"_a = 1.0, filter,
           nb::sig("def cast(self, placed: Placed, motion: graze.typing.MotionLike, t_max: float = 1.0, "
                   "filter: Filter | None = None) -> tuple[Body, BodyHit] | None"),
           "Returns the first body that a moving shape touches, while all bodies are at rest.")
      .def("cast_any", &cast_first<graze_scene_cast_any>, "placed"_a, "motion"_a, "t_max"_a = 1.0, filter,
           nb::sig("def cast_any(self, placed: Placed, motion: graze.typing.MotionLike, t_max: float = 1.0, "
                   "filter: Filter | None = None) -> tuple[Body, BodyHit] | None"),
           "As cast(), but stops at any body, which need not be the first one.")
      .def("cast_all", &cast_all, "placed"_a, "motion"_a, "t_max"_a = 1.0, filter,
           nb::sig("def cast_all(self, placed: Placed, motion: graze.typing.MotionLike, t_max: float = 1.0, "
                   "filter: Filter | None = None) -> list[tuple[Body, BodyHit]]"),
           "As cast(), but returns all bodies, each as if it were alone, by time.")
      .def("raycast", &ray_first<graze_scene_raycast>, "origin"_a, "direction"_a, "t_max"_a = infinity, filter,
           nb::sig("def raycast(self, origin: graze.typing.VectorLike, direction: graze.typing.VectorLike, "
                   "t_max: float = ..., filter: Filter | None = None) -> tuple[Body, BodyHit] | None"),
           "Returns the first body on a ray. t is in units of `direction`.")
      .def("raycast_any", &ray_first<graze_scene_raycast_any>, "origin"_a, "direction"_a, "t_max"_a = infinity, filter,
           nb::sig("def raycast_any(self, origin: graze.typing.VectorLike, direction: graze.typing.VectorLike, "
                   "t_max: float = ..., filter: Filter | None = None) -> tuple[Body, BodyHit] | None"),
           "As raycast(), but stops at any body on the ray: a test of visibility.")
      .def("raycast_all", &raycast_all, "origin"_a, "direction"_a, "t_max"_a = infinity, filter,
           nb::sig("def raycast_all(self, origin: graze.typing.VectorLike, direction: graze.typing.VectorLike, "
                   "t_max: float = ..., filter: Filter | None = None) -> list[tuple[Body, BodyHit]]"),
           "As raycast(), but returns all bodies on the ray, by time.")
      .def("manifold", &scene_manifold, "a"_a, "b"_a,
           nb::sig("def manifold(self, a: Body, b: Body) -> tuple[Answer, list[Contact]]"),
           "Computes the contact points of two bodies where they are: see graze.manifold().")
      .def("move", &move, "body"_a, "motion"_a, "choose"_a.none() = nb::none(),
           nb::sig("def move(self, body: Body, motion: graze.typing.MotionLike, "
                   "choose: collections.abc.Callable[[Body, Body], CollisionResponse] | None = None) -> "
                   "list[Collision]"),
           R"(Moves one body by a motion of one unit of time, while all others are at rest: "move and slide".

choose(moved, other) returns the response to another body; None: SLIDE. Returns at most 64 collisions, by time.)");
}
