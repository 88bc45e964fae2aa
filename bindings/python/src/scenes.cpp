// Scenes: bodies, steps, events, snapshots. scene_queries.cpp has the queries.
#include "scenes.hpp"

#include "shapes.hpp"

#include <nanobind/stl/optional.h>

#include <cmath>
#include <cstring>

// ---- Bodies

nb::object body_object(graze_body body) { return body.generation == 0 ? nb::none() : nb::cast(body); }

void require_readable(const Scene &scene) {
  if (scene.stepping) throw std::runtime_error("scene: in use, a step runs");
}

void require_mutable(const Scene &scene) {
  require_readable(scene);
  if (scene.queries > 0)
    throw std::runtime_error("scene: a query runs, its callbacks and other threads must not change the scene");
}

const BodyEntry &entry_of(const Scene &scene, graze_body body, const char *function) {
  const auto entry = scene.entries.find(body.slot);
  if (entry == scene.entries.end() || entry->second.generation != body.generation)
    raise(GRAZE_NO_BODY,
          std::string(function) + ": the scene has no such body (slot " + std::to_string(body.slot) + ", generation " +
              std::to_string(body.generation) + ")",
          "body", -1, body.slot);
  return entry->second;
}

static graze_body_def definition(const Scene &scene, graze_body body, const char *function) {
  graze_body_def def;
  entry_of(scene, body, function);
  check(graze_scene_get(scene.scene, body, &def), function);
  return def;
}

Placed placed_body(const Scene &scene, graze_body body, const char *function) {
  require_readable(scene);
  const Shape shape = entry_of(scene, body, function).shape; // a support function may remove the body
  const Placed placed = {graze_place(&shape.shape, graze_scene_placed(scene.scene, body)->pose), shape.memory};
  finish_callbacks();
  return placed;
}

// ---- Definitions

// The members of a body that add() and set() accept.
struct BodyMembers {
  nb::handle pose, motion;
  graze_body_type type;
  uint64_t category, mask;
  bool sensor;
  double margin;
  graze_response response;
  double mass, bounce;
};

static graze_body_def definition_of(const Scene &scene, const Shape &shape, const BodyMembers &members) {
  graze_body_def def = graze_default_body();
  def.shape = shape.shape;
  def.pose = read_pose(members.pose, "pose", scene.dim);
  def.motion = read_motion(members.motion, "motion", scene.dim);
  def.type = members.type;
  def.category = members.category;
  def.mask = members.mask;
  def.sensor = members.sensor;
  def.margin = members.margin;
  def.response = members.response;
  def.mass = members.mass;
  def.bounce = members.bounce;
  return def;
}

static void require_supported(const Scene &scene, const Shape &shape, const char *function) {
  if (scene.pool && calls_python(shape))
    raise(GRAZE_UNSUPPORTED, std::string(function) + ": shape: a support function in a scene with several threads",
          "shape");
}

static graze_body add(Scene &scene, const Shape &shape, PoseLike pose, MotionLike motion, graze_body_type type,
                      uint64_t category, uint64_t mask, bool sensor, double margin, graze_response response,
                      double mass, double bounce, nb::object user) {
  require_supported(scene, shape, "add");
  const graze_body_def def = definition_of(
      scene, shape, {pose.value, motion.value, type, category, mask, sensor, margin, response, mass, bounce});
  require_mutable(scene);
  graze_body body = {};
  graze_error error = {};
  try {
    check(with_callbacks(scene, [&] { return graze_scene_add(scene.scene, &def, &body, &error); }), "add", &error);
  } catch (...) {
    graze_scene_remove(scene.scene, body);
    throw;
  }
  scene.entries[body.slot] = {body.generation, shape, user};
  return body;
}

static void remove_body(Scene &scene, graze_body body) {
  require_mutable(scene);
  entry_of(scene, body, "remove");
  check(graze_scene_remove(scene.scene, body), "remove");
  const auto removed = scene.entries.extract(body.slot); // its objects, when freed, may call the scene
}

static nb::dict get(const Scene &scene, graze_body body) {
  require_readable(scene);
  const graze_body_def def = definition(scene, body, "get");
  const BodyEntry &entry = entry_of(scene, body, "get");
  nb::dict members;
  members["shape"] = entry.shape;
  members["pose"] = Pose{def.pose, scene.dim};
  members["motion"] = Motion{def.motion, scene.dim};
  members["type"] = def.type;
  members["category"] = def.category;
  members["mask"] = def.mask;
  members["sensor"] = def.sensor;
  members["margin"] = def.margin;
  members["response"] = def.response;
  members["mass"] = def.mass;
  members["bounce"] = def.bounce;
  members["user"] = entry.user;
  return members;
}

template <typename T> static T member(const nb::dict &members, const char *name) {
  Argument<T> argument;
  const nb::object given = members[name];
  argument.load(given, name);
  return argument.get();
}

static void set(Scene &scene, graze_body body, nb::kwargs changes) {
  nb::dict all = get(scene, body);
  for (auto [key, value] : changes) {
    if (!all.contains(key)) reject("a member of a body", key, "one of those that get() returns");
    all[key] = value;
  }
  const Shape shape = member<Shape>(all, "shape");
  require_supported(scene, shape, "set");
  nb::object pose = all["pose"], motion = all["motion"];
  const graze_body_def def = definition_of(
      scene, shape,
      {pose, motion, member<graze_body_type>(all, "type"), member<uint64_t>(all, "category"),
       member<uint64_t>(all, "mask"), member<bool>(all, "sensor"), member<double>(all, "margin"),
       member<graze_response>(all, "response"), member<double>(all, "mass"), member<double>(all, "bounce")});
  BodyEntry entry = {body.generation, shape, all["user"]};
  require_mutable(scene);
  graze_error error = {};
  const graze_status status = with_callbacks(scene, [&] {
    const graze_status changed = graze_scene_set(scene.scene, body, &def, &error);
    if (changed == GRAZE_OK) std::swap(scene.entries[body.slot], entry);
    return changed;
  });
  check(status, "set", &error);
}

static void set_pose(Scene &scene, graze_body body, PoseLike pose) {
  const graze_pose to = read_pose(pose.value, "pose", scene.dim);
  require_mutable(scene);
  graze_error error = {};
  entry_of(scene, body, "set_pose");
  check(with_callbacks(scene, [&] { return graze_scene_set_pose(scene.scene, body, to, &error); }), "set_pose", &error);
}

static void set_motion(Scene &scene, graze_body body, MotionLike motion) {
  const graze_motion value = read_motion(motion.value, "motion", scene.dim);
  require_mutable(scene);
  graze_error error = {};
  entry_of(scene, body, "set_motion");
  check(graze_scene_set_motion(scene.scene, body, &value, &error), "set_motion", &error);
}

static nb::list bodies(const Scene &scene) {
  require_readable(scene);
  nb::list list;
  for (graze_body b = graze_scene_next(scene.scene, {0, 0}); b.generation; b = graze_scene_next(scene.scene, b))
    list.append(b);
  return list;
}

// ---- Steps

static Step step(Scene &scene, double dt) {
  require_mutable(scene);
  if (scene.pool && scene.pool_process != process_id())
    throw std::runtime_error(
        "step: the threads of the scene are those of another process; save() and restore() a copy");
  graze_error error = {};
  Step step;
  graze_status status;
  scene.stepping = true;
  {
    nb::gil_scoped_release release;
    status = graze_scene_step(scene.scene, dt, &step.counts, &error);
  }
  scene.stepping = false;
  finish_callbacks();
  check(status, "step", &error);
  nb::list events;
  for (size_t i = 0; i < step.counts.event_count; i++) events.append(Event{step.counts.events[i], scene.dim});
  step.events = nb::tuple(events);
  step.counts.events = nullptr; // the next step overwrites them
  return step;
}

// ---- Snapshots

static nb::bytes save(const Scene &scene) {
  require_readable(scene);
  std::string bytes(graze_scene_snapshot_size(scene.scene), '\0');
  size_t size;
  check(graze_scene_save(scene.scene, bytes.data(), bytes.size(), &size), "save");
  return nb::bytes(bytes.data(), size);
}

// A restored shape. Compounds, meshes and support functions are those of the body before. Vertices belong to the scene,
// so they are copied.
static Shape copy_shape(const graze_shape &from, const Memory &before) {
  if (from.kind == GRAZE_COMPOUND || from.kind == GRAZE_MESH || from.kind == GRAZE_USER) return {from, before};
  if (from.kind != GRAZE_POLYGON && from.kind != GRAZE_HULL) return {from, {}};
  graze_shape shape = from;
  const bool polygon = from.kind == GRAZE_POLYGON;
  const graze_vec *vertices = polygon ? from.as.polygon.vertices : from.as.hull.vertices;
  const size_t count = polygon ? from.as.polygon.count : from.as.hull.count;
  auto memory = std::make_shared<std::vector<graze_vec>>(vertices, vertices + count);
  if (polygon) {
    shape.as.polygon.vertices = memory->data();
  } else {
    shape.as.hull.vertices = memory->data();
    shape.as.hull.adjacency = {};
  }
  return {shape, memory};
}

// The entries of the bodies of a restored scene.
static std::unordered_map<uint32_t, BodyEntry> restored_entries(const Scene &scene) {
  std::unordered_map<uint32_t, BodyEntry> entries;
  for (graze_body b = graze_scene_next(scene.scene, {0, 0}); b.generation; b = graze_scene_next(scene.scene, b)) {
    graze_body_def def;
    check(graze_scene_get(scene.scene, b, &def), "restore");
    const auto old = scene.entries.find(b.slot);
    const bool same = old != scene.entries.end() && old->second.generation == b.generation;
    if (same && graze_shape_equal(&old->second.shape.shape, &def.shape))
      entries[b.slot] = old->second;
    else
      entries[b.slot] = {b.generation, copy_shape(def.shape, same ? old->second.shape.memory : Memory()),
                         same ? old->second.user : nb::none()};
  }
  return entries;
}

// The dimension of a scene, which its queries require. A mask of 0 selects no body.
static int dim_of(const graze_scene *scene) {
  const graze_shape shape = graze_point2();
  const graze_placed point = graze_place(&shape, graze_pose_identity());
  graze_filter filter = graze_default_filter();
  graze_body body;
  filter.mask = 0;
  return graze_scene_overlap_any(scene, &point, &filter, &body, nullptr) == GRAZE_DIM_MISMATCH ? 3 : 2;
}

static void restore(Scene &scene, nb::bytes bytes) {
  require_mutable(scene);
  std::unordered_map<uint32_t, BodyEntry> entries;
  graze_error error = {};
  const graze_status status = with_callbacks(scene, [&] {
    const graze_status restored = graze_scene_restore(scene.scene, bytes.data(), bytes.size(), &error);
    if (restored != GRAZE_OK) return restored;
    scene.dim = dim_of(scene.scene);
    entries = restored_entries(scene);
    entries.swap(scene.entries);
    return restored;
  });
  if (error.allowed && std::strstr(error.allowed, "graze_scene_save"))
    error.allowed = "must be bytes that save() returned";
  check(status, "restore", &error, "snapshot.");
}

// ---- The class

// The objects of the caller and support functions may refer to the scene.
static int visit_objects(const Scene &scene, visitproc visit, void *arg) {
  for (const auto &[slot, entry] : scene.entries) {
    Py_VISIT(entry.user.ptr());
    Py_VISIT(entry.shape.memory.objects.ptr());
  }
  return 0;
}

static int clear_scene(PyObject *self) {
  for (auto &[slot, entry] : nb::inst_ptr<Scene>(self)->entries) entry.user = nb::none();
  return 0;
}

static PyType_Slot scene_slots[] = {
    {Py_tp_traverse, (void *)traverse<Scene>}, {Py_tp_clear, (void *)clear_scene}, {0, nullptr}};

// Destroys an object whose __init__ fails, because Python only frees its memory.
struct SceneDestructor {
  void operator()(Scene *scene) const { scene->~Scene(); }
};

static void new_scene(Scene *self, int dim, graze_cast_method method, double skin, double push_speed, int threads) {
  std::unique_ptr<Scene, SceneDestructor> incomplete(new (self) Scene());
  graze_scene_def def = graze_default_scene();
  graze_error error = {};
  def.dim = self->dim = dim;
  def.method = method;
  def.skin = skin;
  def.push_speed = push_speed;
  if (threads != 1) {
    const graze_status status = graze_pool_create(threads, nullptr, &self->pool);
    if (status == GRAZE_BAD_OPTION)
      raise(status, "Scene: threads = " + std::to_string(threads) + " (must be 1 to 256)", "threads", -1, threads);
    check(status, "Scene");
    self->parallel = graze_pool_parallel(self->pool);
    def.parallel = &self->parallel;
  }
  check(graze_scene_create(&def, nullptr, &self->scene, &error), "Scene", &error);
  (void)incomplete.release();
}

static void bind_bodies(Module &m) {
  nb::enum_<graze_body_type>(m, "BodyType", "How a body moves.")
      .value("STATIC", GRAZE_STATIC, "It does not move.")
      .value("KINEMATIC", GRAZE_KINEMATIC, "It moves by its motion; contacts do not change it.")
      .value("DYNAMIC", GRAZE_DYNAMIC, "Contacts change its motion.");
  nb::enum_<graze_response>(m, "Response", "How a contact changes the motion of a dynamic body.")
      .value("NONE", GRAZE_RESPONSE_NONE, "Not at all.")
      .value("STOP", GRAZE_RESPONSE_STOP, "All velocities become 0.")
      .value("SLIDE", GRAZE_RESPONSE_SLIDE, "It loses the velocity in the direction of the normal.")
      .value("BOUNCE", GRAZE_RESPONSE_BOUNCE, "It reverses that velocity, times `bounce`.");
}

void bind_scenes(Module &m) {
  bind_scene_records(m);
  bind_bodies(m);
  Class<Scene> scene(m, "Scene", nb::type_slots(scene_slots),
                     R"(Bodies, queries about them, and steps that move them.

step() moves all bodies with continuous collision detection, so fast bodies do not tunnel. It reports an event when a
contact begins, persists or ends.

dim: 2 or 3. skin: the gap at which responding bodies stop; 0: 2^-16 of the smaller body. push_speed: the largest speed
at which overlapping bodies are separated. threads: 1 to 256; results do not depend on it.

>>> import graze
>>> scene = graze.Scene(dim=2)
>>> wall = scene.add(graze.box(1, 9), (10, 0), type=graze.BodyType.STATIC)
>>> ball = scene.add(graze.circle(1), motion=(100, 0))
>>> [(event.kind.name, event.a == wall, event.b == ball) for event in scene.step(0.5).events]
[('BEGIN', True, True)]
>>> round(scene.pose(ball).position[0], 3)
8.0)");
  scene
      .def("__init__", &new_scene, "dim"_a = 3, nb::kw_only(), "method"_a = GRAZE_CAST_AUTO, "skin"_a = 0.0,
           "push_speed"_a = 1e30, "threads"_a = 1)
      .def_prop_ro(
          "dim", [](const Scene &s) { return s.dim; }, "2 or 3.")
      .def("add", &add, "shape"_a, "pose"_a.none() = nb::none(), nb::kw_only(), "motion"_a.none() = nb::none(),
           "type"_a = GRAZE_DYNAMIC, "category"_a = 1, "mask"_a = UINT64_MAX, "sensor"_a = false, "margin"_a = 0.0,
           "response"_a = GRAZE_RESPONSE_SLIDE, "mass"_a = 1.0, "bounce"_a = 1.0, "user"_a.none() = nb::none(),
           R"(Adds a body and returns its id.

Two bodies are a pair if each category shares a bit with the other mask. sensor: contacts are reported, but nothing
responds. margin: the body counts as in contact from this distance on. bounce: restitution, 0 to 1. user: any object.)")
      .def("remove", &remove_body, "body"_a, "Removes a body. Its contacts end without an event.")
      .def("get", &get, "body"_a, nb::sig("def get(self, body: Body) -> dict[str, typing.Any]"),
           "Returns the current members of a body, with the names of the arguments of add().")
      .def("set", &set, "body"_a, "changes"_a, nb::sig("def set(self, body: Body, **changes: typing.Any) -> None"),
           "Changes members of a body, with the names of the arguments of add(). Its id and its contacts stay.")
      .def(
          "user", [](const Scene &s, graze_body b) { return entry_of(s, b, "user").user; }, "body"_a,
          nb::sig("def user(self, body: Body) -> typing.Any"), "Returns the object that add() received.")
      .def(
          "pose",
          [](const Scene &s, graze_body b) {
            require_readable(s);
            return Pose{definition(s, b, "pose").pose, s.dim};
          },
          "body"_a, "Returns the current pose of a body.")
      .def(
          "motion",
          [](const Scene &s, graze_body b) {
            require_readable(s);
            return Motion{definition(s, b, "motion").motion, s.dim};
          },
          "body"_a, "Returns the current motion of a body, per unit of time.")
      .def(
          "placed", [](const Scene &s, graze_body b) { return placed_body(s, b, "placed"); }, "body"_a,
          "Returns the placed shape of a body, for queries of two shapes.")
      .def("set_pose", &set_pose, "body"_a, "pose"_a, "Places a body and ignores contacts on the path.")
      .def("set_motion", &set_motion, "body"_a, "motion"_a.none(),
           "Sets the motion of a body from now on; None: at rest.")
      .def("__len__", [](const Scene &s) { return graze_scene_count(s.scene); })
      .def(
          "__contains__",
          [](const Scene &s, graze_body b) {
            const auto entry = s.entries.find(b.slot);
            return entry != s.entries.end() && entry->second.generation == b.generation;
          },
          "body"_a)
      .def(
          "__iter__", [](const Scene &s) { return nb::iter(bodies(s)); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[Body]"), "Iterates over the bodies, by slot.")
      .def("step", &step, "dt"_a, "Moves all bodies by a time dt >= 0 and reports the contacts. Releases the GIL.")
      .def("save", &save, "Returns the state of the scene. The bytes are the same on every machine.")
      .def("restore", &restore, "snapshot"_a, R"(Restores the state of a snapshot, with its dimension.

Compounds, meshes and support functions are not in it: they come from the body with the same id.)");
  scene
      .def("__repr__",
           [](const Scene &s) {
             return "<Scene: " + std::to_string(s.dim) + "D, " + std::to_string(s.entries.size()) + " bodies>";
           })
      .def(
          "__reduce__",
          [](const Scene &) -> nb::tuple {
            throw nb::type_error("a Scene cannot be pickled or copied: save() and restore() keep its state, without "
                                 "compounds, meshes and the objects of the caller");
          },
          nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  bind_scene_queries(m, scene);
}
