// Scenes: what scenes.cpp and scene_queries.cpp share.
#pragma once

#include "answers.hpp"

#include <unordered_map>

#ifdef _WIN32
inline int process_id() { return 0; } // processes are not copied
#else
#include <unistd.h>
inline int process_id() { return (int)getpid(); }
#endif

// The Python side of a body: the shape whose memory the scene may point into, and an object of the caller.
struct BodyEntry {
  uint32_t generation;
  Shape shape;
  nb::object user;
};

struct Scene {
  graze_scene *scene = nullptr;
  graze_pool *pool = nullptr;
  int pool_process = process_id(); // fork() copies the pool without its threads
  graze_parallel parallel = {};
  int dim = 3;
  std::unordered_map<uint32_t, BodyEntry> entries; // by slot
  int queries = 0;       // queries that run: their callbacks, and other threads, must not change the scene
  bool stepping = false; // a step runs on another thread

  Scene() = default;
  Scene(const Scene &) = delete;
  ~Scene() {
    graze_scene_destroy(scene);
    if (pool_process == process_id()) graze_pool_destroy(pool);
  }
};

struct Event {
  graze_event event;
  int dim;
};

struct Step {
  graze_step counts; // `events` is NULL
  nb::tuple events;
};

struct BodyHit {
  graze_cast_result result;
  int dim;
};

struct Collision {
  graze_collision collision;
  int dim;
};

struct Filter {
  uint64_t category, mask;
  graze_body except;
  bool sensors;
  nb::object accept; // None: all
};

inline int visit_objects(const Filter &filter, visitproc visit, void *arg) {
  Py_VISIT(filter.accept.ptr());
  return 0;
}

// A body as a value. {0, 0} is None in Python.
nb::object body_object(graze_body body);

// Raise unless the scene may be read, or changed. Functions read their arguments first: that can run Python code, which
// lets another thread begin a step.
void require_readable(const Scene &scene);
void require_mutable(const Scene &scene);
const BodyEntry &entry_of(const Scene &scene, graze_body body, const char *function);
// The body where it is, as an object of its own.
Placed placed_body(const Scene &scene, graze_body body, const char *function);

// While it exists, a query runs.
struct QueryCount {
  Scene &scene;

  explicit QueryCount(Scene &of) : scene(of) { scene.queries++; }
  QueryCount(const QueryCount &) = delete;
  ~QueryCount() { scene.queries--; }
};

// Runs a function of the scene, which may call support functions and callbacks, and may raise an exception.
template <typename Function> graze_status with_callbacks(Scene &scene, Function function) {
  const QueryCount count(scene);
  graze_status status;
  try {
    status = function();
  } catch (...) {
    finish_callbacks(); // the exception of a callback came first
    throw;
  }
  finish_callbacks();
  return status;
}

// scene_records.cpp: the classes above.
void bind_scene_records(Module &m);
void bind_scene_queries(Module &m, Class<Scene> &scene);
void bind_scenes(Module &m);
