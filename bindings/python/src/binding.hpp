// Declarations that the C++ files of the Python module share.
//
// Shapes, placed shapes and answers are immutable Python objects. A shape owns the memory that its graze_shape points
// into through a shared pointer, and a placed shape shares it. So they stay valid in whatever order Python frees them.
//
// No exception passes through a function of Graze. A support function or callback in Python that raises is recorded
// (callback_failed()), and the exception is raised after Graze has returned (finish_callbacks()).
#pragma once

#include "checked.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <graze/build.h>
#include <graze/compare.h>
#include <graze/mesh.h>
#include <graze/scene.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

// ---- Types of arguments in signatures. The functions below read them, so that messages name the argument.

struct VectorLike {
  nb::handle value;
}; // 2 or 3 numbers
struct PoseLike {
  nb::handle value;
}; // graze.typing.PoseLike
struct PointsLike {
  nb::handle value;
}; // an array of shape (n, 2) or (n, 3)
struct FacesLike {
  nb::handle value;
}; // an array of whole numbers of shape (n, dim)
struct MotionLike {
  nb::handle value;
}; // a Motion, a velocity or None

// A point or a direction that is returned: a tuple of `dim` numbers.
struct Vector {
  graze_vec v;
  int dim;
};

namespace nanobind::detail {
#define GRAZE_ARGUMENT(Type, Text)                                                                                     \
  template <> struct type_caster<Type> {                                                                               \
    NB_TYPE_CASTER(Type, const_name(Text))                                                                             \
    bool from_python(handle source, uint8_t, cleanup_list *) noexcept {                                                \
      value.value = source;                                                                                            \
      return true;                                                                                                     \
    }                                                                                                                  \
  };
GRAZE_ARGUMENT(VectorLike, "graze.typing.VectorLike")
GRAZE_ARGUMENT(PoseLike, "graze.typing.PoseLike")
GRAZE_ARGUMENT(PointsLike, "graze.typing.PointsLike")
GRAZE_ARGUMENT(FacesLike, "graze.typing.FacesLike")
GRAZE_ARGUMENT(MotionLike, "graze.typing.MotionLike")
#undef GRAZE_ARGUMENT

template <> struct type_caster<Vector> {
  using Value = Vector;
  static constexpr auto Name = const_name("tuple[float, ...]");
  template <typename T> using Cast = Vector;
  static handle from_cpp(const Vector &vector, rv_policy, cleanup_list *) noexcept {
    const double numbers[3] = {vector.v.x, vector.v.y, vector.v.z};
    PyObject *tuple = PyTuple_New(vector.dim);
    for (int i = 0; tuple && i < vector.dim; i++) {
      PyObject *number = PyFloat_FromDouble(numbers[i]);
      if (!number || PyTuple_SetItem(tuple, i, number) != 0) Py_CLEAR(tuple);
    }
    return tuple;
  }
};
} // namespace nanobind::detail

// ---- Objects

// The memory that a graze_shape points into, and the objects that it needs: the function of a user shape; the parts and
// the source of a compound. Each copy has references of its own, because the garbage collector counts them.
struct Memory {
  std::shared_ptr<const void> data = {};
  nb::object objects = {};

  Memory() = default;
  template <typename T>
  Memory(std::shared_ptr<T> from, nb::object to = {}) : data(std::move(from)), objects(std::move(to)) {}
};

struct Shape {
  graze_shape shape;
  Memory memory;
};

struct Placed {
  graze_placed placed;
  Memory memory;
  Memory frame = {}; // of a part of a compound or mesh: the frame, and the memory of the whole
};

struct Pose {
  graze_pose pose;
  int dim;
};

struct Motion {
  graze_motion motion;
  int dim;
};

// ---- Garbage collection: visit_objects() visits the references of a value. Only cycles through a mutable object need
// a function that clears it, so immutable objects have none, like tuples.

inline int visit_objects(const Memory &memory, visitproc visit, void *arg) {
  Py_VISIT(memory.objects.ptr());
  return 0;
}

inline int visit_objects(const Shape &shape, visitproc visit, void *arg) {
  return visit_objects(shape.memory, visit, arg);
}

inline int visit_objects(const Placed &placed, visitproc visit, void *arg) {
  const int stopped = visit_objects(placed.memory, visit, arg);
  return stopped ? stopped : visit_objects(placed.frame, visit, arg);
}

template <typename T> int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? visit_objects(*nb::inst_ptr<T>(self), visit, arg) : 0;
}

template <typename T> inline PyType_Slot collected[] = {{Py_tp_traverse, (void *)traverse<T>}, {0, nullptr}};

// A placed shape as an argument: an object that is initialised.
struct PlacedObject {
  nb::handle object;
  operator nb::handle() const { return object; }
};

namespace nanobind::detail {
template <> struct type_caster<PlacedObject> {
  NB_TYPE_CASTER(PlacedObject, make_caster<Placed>::Name)
  bool from_python(handle source, uint8_t, cleanup_list *) noexcept {
    value.object = source;
    return isinstance<Placed>(source) && inst_ready(source);
  }
};
} // namespace nanobind::detail

// ---- errors.cpp

// Raise graze.Error. The message is "FUNCTION: WHAT".
[[noreturn]] void raise(graze_status status, const std::string &message, const std::string &argument = "",
                        ptrdiff_t index = -1, double value = 0);
// Raises unless the status is GRAZE_OK. `error` is the reason, or NULL; `prefix` is written before its name.
void check(graze_status status, const char *function, const graze_error *error = nullptr, const char *prefix = "");
std::string number_text(double value);

// In a callback. Queries that the callback runs raise their own exceptions, not that of an earlier callback.
class CallbackScope {
  std::exception_ptr earlier;

public:
  CallbackScope() noexcept;
  CallbackScope(const CallbackScope &) = delete;
  ~CallbackScope();
};
// Called in a callback that raised a Python exception, which is the current C++ exception.
void callback_failed() noexcept;
// Raises the exception of a callback of this thread.
void finish_callbacks();

// ---- values.cpp

// Reads 2 or 3 numbers. dim 0: their number decides, and *found receives it.
graze_vec read_vector(nb::handle value, const char *argument, int dim, int *found = nullptr);
graze_pose read_pose(nb::handle value, const char *argument, int dim);
// The pose of a homogeneous matrix by rows: 4x4, in 2D 3x3. Raises if the matrix is not one of a rotation.
graze_pose pose_of_matrix(const double *matrix, int dim, const std::string &argument);
graze_motion read_motion(nb::handle value, const char *argument, int dim);
// Reads an array or a sequence of points, at least one. dim 0: the length of the first point decides.
std::vector<graze_vec> read_points(nb::handle value, const char *argument, int &dim);
std::vector<int32_t> read_faces(nb::handle value, const char *argument, int dim);

// The result of __eq__: NotImplemented for an object of another type.
template <typename T, typename Function> nb::object equality(nb::handle other, Function equal) {
  T *value;
  if (!nb::try_cast(other, value) || !value) return nb::borrow(Py_NotImplemented);
  return nb::bool_(equal(*value));
}

// Raises unless all coordinates are numbers of magnitude <= 1e40.
void require_small(const char *function, const std::string &name, graze_vec v);

// Checks the numbers of a motion.
Motion make_motion(const graze_motion &motion, int dim, const char *function);

inline bool same_vector(graze_vec a, graze_vec b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

inline Vector vector(graze_vec v, int dim) { return {v, dim}; }
nb::list points_list(const graze_vec *points, size_t count, int dim);

// ---- shapes.cpp

// Validates a shape. Messages name the constructor.
Shape make_shape(const graze_shape &shape, Memory memory, const char *constructor);

// The parts of the module. Each adds its classes and functions.
void bind_errors(Module &m);
void bind_values(Module &m);
void bind_shapes(Module &m);
void bind_placed(Module &m);
void bind_queries(Module &m);
void bind_contacts(Module &m);
void bind_building(Module &m);
void bind_meshes(Module &m);
void bind_motion(Module &m);
void bind_explain(Module &m);
void bind_arrays(Module &m);
void bind_scenes(Module &m);
