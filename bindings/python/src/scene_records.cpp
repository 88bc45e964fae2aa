// The values that scenes receive and return: ids of bodies, filters, events, hits, collisions.
#include "scenes.hpp"

#include <nanobind/stl/optional.h>

static std::string text_of(nb::handle value) { return nb::repr(value).c_str(); }

// ---- Filters

static Filter new_filter(uint64_t category, uint64_t mask, std::optional<graze_body> exclude, bool sensors,
                         nb::object accept) {
  if (!accept.is_none() && !PyCallable_Check(accept.ptr())) reject("accept", accept, "a function or None");
  return {category, mask, exclude.value_or(graze_body{0, 0}), sensors, accept};
}

static nb::tuple reduce_filter(const Filter &f) {
  return reduced("_restore_filter", f.category, f.mask, body_object(f.except), f.sensors, f.accept);
}

static std::string filter_text(const Filter &f) {
  return "Filter(category=" + std::to_string(f.category) + ", mask=" + std::to_string(f.mask) +
         ", exclude=" + text_of(body_object(f.except)) + ", sensors=" + (f.sensors ? "True" : "False") +
         ", accept=" + text_of(f.accept) + ")";
}

// ---- Events

static nb::tuple reduce_event(const Event &e) {
  const graze_event &x = e.event;
  return reduced("_restore_event", x.kind, x.a, x.b, x.outcome, x.t_lower, x.t_upper, vector(x.point, e.dim),
                 vector(x.normal, e.dim), x.part_a, x.part_b);
}

static Event restore_event(graze_event_kind kind, graze_body a, graze_body b, graze_cast_outcome outcome,
                           double t_lower, double t_upper, VectorLike point, VectorLike normal, int32_t part_a,
                           int32_t part_b) {
  Event e = {};
  graze_event &x = e.event;
  x.kind = kind;
  x.a = a;
  x.b = b;
  x.outcome = outcome;
  x.t_lower = t_lower;
  x.t_upper = t_upper;
  x.point = read_vector(point.value, "point", 0, &e.dim);
  x.normal = read_vector(normal.value, "normal", e.dim);
  x.part_a = part_a;
  x.part_b = part_b;
  return e;
}

static nb::tuple reduce_step(const Step &s) {
  const graze_step &c = s.counts;
  return reduced("_restore_step", s.events, c.pairs, c.casts, c.responses, c.stalled, c.overlaps);
}

static Step restore_step(const std::vector<Event> &events, size_t pairs, size_t casts, size_t responses, size_t stalled,
                         size_t overlaps) {
  Step s = {};
  nb::list list;
  for (const Event &event : events) list.append(event);
  s.events = nb::tuple(list);
  s.counts.event_count = events.size();
  s.counts.pairs = pairs;
  s.counts.casts = casts;
  s.counts.responses = responses;
  s.counts.stalled = stalled;
  s.counts.overlaps = overlaps;
  return s;
}

static std::string step_text(const Step &s) {
  return "<Step: " + std::to_string(s.counts.event_count) + " events, " + std::to_string(s.counts.pairs) + " pairs, " +
         std::to_string(s.counts.responses) + " responses>";
}

// ---- Hits and collisions

static nb::tuple reduce_hit(const BodyHit &h) {
  const graze_cast_result &x = h.result;
  return reduced("_restore_hit", x.outcome, x.t, x.t_lower, x.t_upper, vector(x.point, h.dim), vector(x.normal, h.dim),
                 x.part_a, x.part_b);
}

static BodyHit restore_hit(graze_cast_outcome outcome, double t, double t_lower, double t_upper, VectorLike point,
                           VectorLike normal, int32_t part_a, int32_t part_b) {
  BodyHit h = {};
  graze_cast_result &x = h.result;
  x.outcome = outcome;
  x.t = t;
  x.t_lower = t_lower;
  x.t_upper = t_upper;
  x.point = read_vector(point.value, "point", 0, &h.dim);
  x.normal = read_vector(normal.value, "normal", h.dim);
  x.part_a = part_a;
  x.part_b = part_b;
  return h;
}

static nb::tuple reduce_collision(const Collision &c) {
  const graze_collision &x = c.collision;
  return reduced("_restore_collision", x.other, x.response, x.overlapped, x.stuck, x.stopped, x.t,
                 vector(x.point, c.dim), vector(x.normal, c.dim), Pose{x.pose, c.dim});
}

static Collision restore_collision(graze_body other, graze_collision_response response, bool overlapped, bool stuck,
                                   bool stopped, double t, VectorLike point, VectorLike normal, const Pose &pose) {
  Collision c = {};
  graze_collision &x = c.collision;
  c.dim = pose.dim;
  x.other = other;
  x.response = response;
  x.overlapped = overlapped;
  x.stuck = stuck;
  x.stopped = stopped;
  x.t = t;
  x.point = read_vector(point.value, "point", c.dim);
  x.normal = read_vector(normal.value, "normal", c.dim);
  x.pose = pose.pose;
  return c;
}

static std::string collision_text(const Collision &c) {
  return "Collision(" + nb::cast<std::string>(nb::cast(c.collision.response).attr("name")) +
         ", other=" + text_of(nb::cast(c.collision.other)) + ", t=" + number_text(c.collision.t) + ")";
}

// ---- The module

static void bind_body(Module &m) {
  Class<graze_body>(m, "Body", "The id of a body of a scene. Immutable.")
      .def_prop_ro(
          "slot", [](const graze_body &b) { return b.slot; },
          "The index of the storage of the body; slots of removed bodies are used again.")
      .def_prop_ro(
          "generation", [](const graze_body &b) { return b.generation; },
          "The number of the body among those of its slot, >= 1.")
      .def(
          "__init__",
          [](graze_body *self, uint32_t slot, uint32_t generation) {
            new (self) graze_body{slot, generation};
          },
          "slot"_a, "generation"_a)
      .def(
          "__eq__",
          [](const graze_body &a, nb::handle b) {
            return equality<graze_body>(
                b, [&](const graze_body &other) { return a.slot == other.slot && a.generation == other.generation; });
          },
          "other"_a, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const graze_body &b) { return ((size_t)b.generation << 32 | b.slot) & 0x7fffffffffffffff; })
      .def(
          "__reduce__",
          [](nb::handle_t<graze_body> b) {
            return nb::make_tuple(b.type(), nb::make_tuple(b.attr("slot"), b.attr("generation")));
          },
          nb::sig("def __reduce__(self) -> tuple[object, ...]"))
      .def("__repr__", [](const graze_body &b) {
        return "Body(" + std::to_string(b.slot) + ", " + std::to_string(b.generation) + ")";
      });
}

static void bind_filter(Module &m) {
  Class<Filter>(m, "Filter", nb::type_slots(collected<Filter>), R"(Selects bodies. Immutable.

A body is selected if each category shares a bit with the other mask, if it is not `exclude`, and if accept(body) is
true. accept must not change the scene.)")
      .def(
          "__init__",
          [](Filter *self, uint64_t category, uint64_t mask, std::optional<graze_body> exclude, bool sensors,
             nb::object accept) { new (self) Filter(new_filter(category, mask, exclude, sensors, accept)); },
          nb::kw_only(), "category"_a = 1, "mask"_a = UINT64_MAX, "exclude"_a.none() = nb::none(), "sensors"_a = false,
          "accept"_a.none() = nb::none(),
          nb::sig("def __init__(self, *, category: int = 1, mask: int = 18446744073709551615, "
                  "exclude: Body | None = None, sensors: bool = False, "
                  "accept: collections.abc.Callable[[Body], bool] | None = None) -> None"))
      .def("__repr__", &filter_text)
      .def("__reduce__", &reduce_filter, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  define_restore(m, "_restore_filter", "Filter", &new_filter, "category", "mask", "exclude", "sensors", "accept");
}

static void bind_events(Module &m) {
  nb::enum_<graze_event_kind>(m, "EventKind", "The kind of an event.")
      .value("BEGIN", GRAZE_EVENT_BEGIN, "A contact began.")
      .value("STAY", GRAZE_EVENT_STAY, "A contact of the last step persists.")
      .value("END", GRAZE_EVENT_END, "A contact ended.");
  Class<Event>(m, "Event", "A change of the contact of two bodies, a.slot < b.slot. Immutable.")
      .def_prop_ro(
          "kind", [](const Event &e) { return e.event.kind; }, "Whether a contact began, persists or ended.")
      .def_prop_ro(
          "a", [](const Event &e) { return e.event.a; }, "The body with the lower slot.")
      .def_prop_ro(
          "b", [](const Event &e) { return e.event.b; }, "The body with the higher slot.")
      .def_prop_ro(
          "outcome", [](const Event &e) { return e.event.outcome; }, "BEGIN: HIT or POSSIBLE; otherwise HIT.")
      .def_prop_ro(
          "t_lower", [](const Event &e) { return e.event.t_lower; },
          "BEGIN: [t_lower, t_upper] contains the time of the contact, from the start of the step.")
      .def_prop_ro(
          "t_upper", [](const Event &e) { return e.event.t_upper; },
          "BEGIN: the latest time of the contact, from the start of the step; otherwise 0.")
      .def_prop_ro(
          "point", [](const Event &e) { return vector(e.event.point, e.dim); },
          "BEGIN: the contact point. NaN: not known.")
      .def_prop_ro(
          "normal", [](const Event &e) { return vector(e.event.normal, e.dim); },
          "BEGIN: unit vector from A to B. NaN: not known.")
      .def_prop_ro(
          "part_a", [](const Event &e) { return e.event.part_a; },
          "BEGIN: the part of compound A, or face of mesh A, in contact; 0 for a convex shape.")
      .def_prop_ro(
          "part_b", [](const Event &e) { return e.event.part_b; },
          "BEGIN: the part of compound B, or face of mesh B, in contact; 0 for a convex shape.")
      .def("__repr__",
           [](const Event &e) {
             return std::string("Event(") + graze_event_text(e.event.kind) + ", " + std::to_string(e.event.a.slot) +
                    ", " + std::to_string(e.event.b.slot) + ")";
           })
      .def("__reduce__", &reduce_event, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  define_restore(m, "_restore_event", "Event", &restore_event, "kind", "a", "b", "outcome", "t_lower", "t_upper",
                 "point", "normal", "part_a", "part_b");
  Class<Step>(m, "Step", "The results of a step. Immutable.")
      .def_prop_ro(
          "events", [](const Step &s) { return s.events; }, nb::sig("def events(self) -> tuple[Event, ...]"),
          "Sorted by a.slot, b.slot and kind.")
      .def_prop_ro(
          "pairs", [](const Step &s) { return s.counts.pairs; }, "The number of candidate pairs.")
      .def_prop_ro(
          "casts", [](const Step &s) { return s.counts.casts; }, "The number of queries about when two bodies collide.")
      .def_prop_ro(
          "responses", [](const Step &s) { return s.counts.responses; },
          "The number of contacts that changed a motion.")
      .def_prop_ro(
          "stalled", [](const Step &s) { return s.counts.stalled; },
          "The number of bodies that stand still until the next step.")
      .def_prop_ro(
          "overlaps", [](const Step &s) { return s.counts.overlaps; },
          "The number of responding pairs that overlap at the end of the step.")
      .def("__repr__", &step_text)
      .def("__reduce__", &reduce_step, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  define_restore(m, "_restore_step", "Step", &restore_step, "events", "pairs", "casts", "responses", "stalled",
                 "overlaps");
}

static void bind_hits(Module &m) {
  Class<BodyHit>(m, "BodyHit", "The first contact with one body. Immutable.")
      .def_prop_ro(
          "outcome", [](const BodyHit &h) { return h.result.outcome; }, "HIT or POSSIBLE.")
      .def_prop_ro(
          "t", [](const BodyHit &h) { return h.result.t; },
          "= t_lower: at this time the shapes do not overlap, unless they overlap at the start.")
      .def_prop_ro(
          "t_lower", [](const BodyHit &h) { return h.result.t_lower; },
          "The earliest time of the first contact, in the unit of the velocities.")
      .def_prop_ro(
          "t_upper", [](const BodyHit &h) { return h.result.t_upper; },
          "The latest time of the first contact, in the unit of the velocities.")
      .def_prop_ro(
          "point", [](const BodyHit &h) { return vector(h.result.point, h.dim); }, "The contact point.")
      .def_prop_ro(
          "normal", [](const BodyHit &h) { return vector(h.result.normal, h.dim); },
          "Unit vector from the query shape to the body; of a ray: out of the body.")
      .def_prop_ro(
          "part_a", [](const BodyHit &h) { return h.result.part_a; },
          "The part of the query shape that meets the body first; 0 for a convex shape. For a ray: the part of the "
          "body.")
      .def_prop_ro(
          "part_b", [](const BodyHit &h) { return h.result.part_b; },
          "The part of the body that the query shape meets first; 0 for a convex shape and for a ray.")
      .def("__repr__",
           [](const BodyHit &h) {
             return std::string("BodyHit(") + graze_cast_outcome_text(h.result.outcome) +
                    ", t=" + number_text(h.result.t) + ")";
           })
      .def("__reduce__", &reduce_hit, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  define_restore(m, "_restore_hit", "BodyHit", &restore_hit, "outcome", "t", "t_lower", "t_upper", "point", "normal",
                 "part_a", "part_b");
  nb::enum_<graze_collision_response>(m, "CollisionResponse", "The response of a moved body to another body.")
      .value("IGNORE", GRAZE_COLLISION_IGNORE, "It passes through; not reported.")
      .value("CROSS", GRAZE_COLLISION_CROSS, "It passes through; reported.")
      .value("TOUCH", GRAZE_COLLISION_TOUCH, "It stops.")
      .value("SLIDE", GRAZE_COLLISION_SLIDE, "It slides along the other body.")
      .value("BOUNCE", GRAZE_COLLISION_BOUNCE, "It bounces off the other body.");
  Class<Collision>(m, "Collision", "A collision of a moved body. Immutable.")
      .def_prop_ro(
          "other", [](const Collision &c) { return c.collision.other; }, "The body that the moved body met.")
      .def_prop_ro(
          "response", [](const Collision &c) { return c.collision.response; },
          "The response of the moved body, as chosen; TOUCH also if the normal is not known.")
      .def_prop_ro(
          "overlapped", [](const Collision &c) { return c.collision.overlapped; }, "The two overlapped at first.")
      .def_prop_ro(
          "stuck", [](const Collision &c) { return c.collision.stuck; },
          "The two overlapped, and no direction separates them.")
      .def_prop_ro(
          "stopped", [](const Collision &c) { return c.collision.stopped; },
          "The last collision that is not CROSS, if it ended the motion early.")
      .def_prop_ro(
          "t", [](const Collision &c) { return c.collision.t; }, "The fraction of the motion, 0 to 1.")
      .def_prop_ro(
          "point", [](const Collision &c) { return vector(c.collision.point, c.dim); },
          "The contact point, 2 or 3 coordinates in the world. NaN: not known.")
      .def_prop_ro(
          "normal", [](const Collision &c) { return vector(c.collision.normal, c.dim); },
          "Unit vector from the moved body to the other. NaN: not known.")
      .def_prop_ro(
          "pose",
          [](const Collision &c) {
            return Pose{c.collision.pose, c.dim};
          },
          "The pose of the moved body at the collision.")
      .def("__repr__", &collision_text)
      .def("__reduce__", &reduce_collision, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  define_restore(m, "_restore_collision", "Collision", &restore_collision, "other", "response", "overlapped", "stuck",
                 "stopped", "t", "point", "normal", "pose");
}

void bind_scene_records(Module &m) {
  bind_body(m);
  bind_filter(m);
  bind_events(m);
  bind_hits(m);
}
