// Numbers, vectors, poses and motions: reading arguments, and the class Pose.
#include "binding.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cmath>

// After a failed conversion: the object has another type, which the caller reports. Other exceptions pass through.
static void clear_type_error() {
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
  PyErr_Clear();
}

// Without numpy: numbers of arrays are Python floats or support __float__.
bool read_number(nb::handle value, double &number) {
  if (PyFloat_CheckExact(value.ptr())) {
    number = PyFloat_AsDouble(value.ptr());
    return true;
  }
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr()) || PyComplex_Check(value.ptr())) return false;
  number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || !PyErr_Occurred()) return true;
  if (PyLong_Check(value.ptr()) && PyErr_ExceptionMatches(PyExc_OverflowError)) {
    PyErr_Clear();
    int overflow;
    (void)PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    number = overflow * HUGE_VAL;
    return true;
  }
  clear_type_error();
  return false;
}

// ---- Nested sequences of up to 16 numbers

namespace {
struct Numbers {
  double values[16];
  int count = 0;
  int rows[4]; // the lengths of the nested sequences; a number counts as 1
  int row_count = 0;
  bool nested = false;
};

// The items of a sequence, an array or an iterator, as a tuple. Invalid for other objects, and for strings, bytes, sets
// and dictionaries: the latter two have no order of numbers. An iterator has its items only once.
nb::object items_of(nb::handle value) {
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr())) return {};
  if (PyAnySet_Check(value.ptr()) || PyDict_Check(value.ptr())) return {};
  nb::object items = nb::steal(PySequence_Tuple(value.ptr()));
  if (!items.is_valid()) clear_type_error();
  return items;
}

bool collect(nb::handle value, Numbers &numbers, int depth) {
  if (depth > 2) return false;
  nb::object items = items_of(value);
  if (!items.is_valid()) return false;
  const Py_ssize_t size = PyTuple_Size(items.ptr());
  for (Py_ssize_t i = 0; i < size; i++) {
    nb::handle item = PyTuple_GetItem(items.ptr(), i);
    double number;
    const int before = numbers.count;
    if (numbers.count >= 16) return false;
    if (read_number(item, number))
      numbers.values[numbers.count++] = number;
    else if (!collect(item, numbers, depth + 1))
      return false;
    else
      numbers.nested = true;
    if (depth == 0 && numbers.row_count < 4)
      numbers.rows[numbers.row_count++] = numbers.count - before;
    else if (depth == 0)
      numbers.row_count = 5;
  }
  return true;
}

bool has_rows(const Numbers &numbers, std::initializer_list<int> lengths) {
  if (!numbers.nested || numbers.row_count != (int)lengths.size()) return false;
  int i = 0;
  for (int length : lengths)
    if (numbers.rows[i++] != length) return false;
  return true;
}
} // namespace

graze_vec read_vector(nb::handle value, const char *argument, int dim, int *found) {
  Numbers numbers;
  const bool good = collect(value, numbers, 0) && !numbers.nested &&
                    (dim ? numbers.count == dim : numbers.count == 2 || numbers.count == 3);
  if (!good) reject(argument, value, dim == 2 ? "2 numbers" : dim == 3 ? "3 numbers" : "2 or 3 numbers");
  if (found) *found = numbers.count;
  return {numbers.values[0], numbers.values[1], numbers.count == 3 ? numbers.values[2] : 0};
}

// The pose of a rotation matrix by rows, of dim x dim numbers.
static graze_pose pose_of_rotation(graze_vec position, const double *r, int dim, const std::string &argument) {
  const double tolerance = 1e-6; // admits matrices of single precision
  bool good = dim == 2 ? r[0] * r[3] - r[1] * r[2] > 0
                       : r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
                                 r[2] * (r[3] * r[7] - r[4] * r[6]) >
                             0;
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) {
      double product = i == j ? -1 : 0;
      for (int k = 0; k < dim; k++) product += r[dim * k + i] * r[dim * k + j];
      good = good && std::abs(product) <= tolerance;
    }
  if (!good)
    raise(GRAZE_BAD_SHAPE,
          argument + ": the matrix is not a rotation (must be orthonormal within 1e-6, without reflection)", argument);
  if (dim == 3) return graze_pose_matrix(position, r, 3);
  const double rotation[9] = {r[0], r[1], 0, r[2], r[3], 0, 0, 0, 1};
  return graze_pose_matrix(position, rotation, 2);
}

graze_pose pose_of_matrix(const double *m, int dim, const std::string &argument) {
  const double *last = m + dim * (dim + 1);
  for (int i = 0; i <= dim; i++)
    if (last[i] != (i < dim ? 0 : 1))
      raise(GRAZE_BAD_SHAPE,
            argument + ": last row of the matrix: column " + std::to_string(i) + " = " + number_text(last[i]) +
                (dim == 2 ? " (must be 0, 0, 1; poses() accepts angles)" : " (must be 0, 0, 0, 1)"),
            argument, i, last[i]);
  if (dim == 2) {
    const double rotation[4] = {m[0], m[1], m[3], m[4]};
    return pose_of_rotation({m[2], m[5], 0}, rotation, 2, argument);
  }
  const double rotation[9] = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
  return pose_of_rotation({m[3], m[7], m[11]}, rotation, 3, argument);
}

static graze_pose half_angle_pose(double x, double y, double w, double z) { return {{x, y, 0}, w, 0, 0, z}; }

// Reads graze.typing.RotationLike. Returns whether it is one.
static bool read_rotation(nb::handle rotation, graze_vec position, int dim, const std::string &argument,
                          graze_pose &pose) {
  Numbers n;
  double angle;
  const double *v = n.values;
  if (dim == 2 && read_number(rotation, angle)) {
    pose = graze_pose2(position.x, position.y, angle);
    return true;
  }
  if (!collect(rotation, n, 0)) return false;
  if (!n.nested && n.count == 2 && dim == 2)
    pose = half_angle_pose(position.x, position.y, v[0], v[1]);
  else if (!n.nested && n.count == 4 && dim == 3)
    pose = graze_pose3(position, v[0], v[1], v[2], v[3]);
  else if (dim == 2 ? has_rows(n, {2, 2}) : has_rows(n, {3, 3, 3}))
    pose = pose_of_rotation(position, v, dim, argument);
  else
    return false;
  return true;
}

// Reads (position, rotation), a tuple. Returns whether it is such a pair.
static bool read_pair(nb::handle items, int dim, const std::string &argument, graze_pose &pose) {
  Numbers position;
  if (PyTuple_Size(items.ptr()) != 2) return false;
  if (!collect(PyTuple_GetItem(items.ptr(), 0), position, 0) || position.nested || position.count != dim) return false;
  const double *p = position.values;
  return read_rotation(PyTuple_GetItem(items.ptr(), 1), {p[0], p[1], dim == 3 ? p[2] : 0}, dim, argument, pose);
}

graze_pose read_pose(nb::handle value, const char *argument, int dim) {
  if (value.is_none()) return graze_pose_identity();
  Pose *pose;
  if (nb::try_cast(value, pose) && pose) {
    if (pose->dim != dim) reject(argument, value, dim == 2 ? "a 2D pose" : "a 3D pose");
    return pose->pose;
  }
  Numbers n;
  graze_pose pair = {};
  const double *v = n.values;
  const nb::object items = items_of(value);
  if (items.is_valid() && read_pair(items, dim, argument, pair)) return pair;
  if (items.is_valid() && collect(items, n, 0)) {
    const bool flat = !n.nested;
    if (dim == 3 && flat && n.count == 3) return graze_pose_at(v[0], v[1], v[2]);
    if (dim == 3 && flat && n.count == 7) return graze_pose3({v[0], v[1], v[2]}, v[3], v[4], v[5], v[6]);
    if (dim == 3 && has_rows(n, {4, 4, 4, 4})) return pose_of_matrix(v, 3, argument);
    if (dim == 2 && flat && n.count == 2) return graze_pose_at(v[0], v[1], 0);
    if (dim == 2 && flat && n.count == 3) return graze_pose2(v[0], v[1], v[2]);
    if (dim == 2 && flat && n.count == 4) return half_angle_pose(v[0], v[1], v[2], v[3]);
    if (dim == 2 && has_rows(n, {3, 3, 3})) return pose_of_matrix(v, 2, argument);
  }
  reject(argument, value,
         dim == 2 ? "a Pose, (x, y), (x, y, angle), (x, y, w, z), ((x, y), rotation) or a 3x3 matrix"
                  : "a Pose, (x, y, z), (x, y, z, w, x, y, z), ((x, y, z), rotation) or a 4x4 matrix");
}

graze_motion read_motion(nb::handle value, const char *argument, int dim) {
  if (value.is_none()) return {};
  Motion *motion;
  if (nb::try_cast(value, motion) && motion) {
    if (motion->dim != dim) reject(argument, value, dim == 2 ? "a 2D motion" : "a 3D motion");
    return motion->motion;
  }
  return {read_vector(value, argument, dim), {0, 0, 0}};
}

// ---- Arrays of points and faces

// The kind of the numbers of an array, as in NumPy: 'f', 'i' …; 0 for other objects.
static char kind_of_array(nb::handle value) {
  nb::object dtype = nb::getattr(value, "dtype", nb::none());
  if (dtype.is_none()) return 0;
  const std::string kind = nb::str(nb::getattr(dtype, "kind", nb::str(""))).c_str();
  return kind.empty() ? 0 : kind[0];
}

static void require_points(Py_ssize_t count, const std::string &argument) {
  if (count == 0) raise(GRAZE_BAD_SHAPE, argument + ": no points, must be at least one", argument);
}

std::vector<graze_vec> read_points(nb::handle value, const char *argument, int &dim) {
  std::vector<graze_vec> points;
  if (kind_of_array(value) == 'c') reject(argument, value, "an array of real numbers");
  using Array = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  Array array;
  if (!PyTuple_Check(value.ptr()) && !PyList_Check(value.ptr()) && nb::try_cast<Array>(value, array)) {
    const size_t width = array.shape(1);
    if (dim ? width != (size_t)dim : width != 2 && width != 3)
      reject(argument, value,
             std::string("an array of shape ") + (dim == 2   ? "(n, 2)"
                                                  : dim == 3 ? "(n, 3)"
                                                             : "(n, 2) or (n, 3)"));
    require_points((Py_ssize_t)array.shape(0), argument);
    dim = (int)width;
    points.resize(array.shape(0));
    for (size_t i = 0; i < points.size(); i++) {
      const double *p = array.data() + i * width;
      points[i] = {p[0], p[1], dim == 3 ? p[2] : 0};
    }
    return points;
  }
  nb::object items = items_of(value);
  if (!items.is_valid()) reject(argument, value, "an array of points of shape (n, 2) or (n, 3)");
  const Py_ssize_t size = PyTuple_Size(items.ptr());
  require_points(size, argument);
  points.reserve((size_t)size);
  for (Py_ssize_t i = 0; i < size; i++) {
    const std::string name = std::string(argument) + "[" + std::to_string(i) + "]";
    points.push_back(read_vector(PyTuple_GetItem(items.ptr(), i), name.c_str(), dim, &dim));
  }
  return points;
}

std::vector<int32_t> read_faces(nb::handle value, const char *argument, int dim) {
  std::vector<int32_t> faces;
  const char *allowed = dim == 2 ? "edges: whole numbers of shape (n, 2)" : "triangles: whole numbers of shape (n, 3)";
  const auto add = [&](long long index, nb::handle item) {
    if (index < INT32_MIN || index > INT32_MAX) reject(argument, item, "indices of vertices");
    faces.push_back((int32_t)index);
  };
  using Array = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  using Narrow = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  Array array;
  Narrow narrow;
  const bool sequence = PyTuple_Check(value.ptr()) || PyList_Check(value.ptr());
  if (!sequence && nb::try_cast<Narrow>(value, narrow, false)) {
    if (narrow.shape(1) != (size_t)dim) reject(argument, value, allowed);
    return {narrow.data(), narrow.data() + narrow.size()};
  }
  const char kind = kind_of_array(value);
  const bool whole = kind != 'f' && kind != 'c';
  if (!sequence && whole && nb::try_cast<Array>(value, array)) {
    if (array.shape(1) != (size_t)dim) reject(argument, value, allowed);
    for (size_t i = 0; i < array.size(); i++) add(array.data()[i], value);
    return faces;
  }
  nb::object items = items_of(value);
  if (!items.is_valid() || !whole) reject(argument, value, allowed);
  for (nb::handle face : nb::borrow<nb::tuple>(items)) {
    nb::object corners = items_of(face);
    if (!corners.is_valid() || PyTuple_Size(corners.ptr()) != dim) reject(argument, value, allowed);
    for (nb::handle corner : nb::borrow<nb::tuple>(corners)) {
      const long long index = PyIndex_Check(corner.ptr()) ? PyLong_AsLongLong(corner.ptr()) : -1;
      if (!PyIndex_Check(corner.ptr()) || PyErr_Occurred()) {
        PyErr_Clear();
        reject(argument, corner, "the index of a vertex");
      }
      add(index, corner);
    }
  }
  return faces;
}

nb::list points_list(const graze_vec *points, size_t count, int dim) {
  nb::list list;
  for (size_t i = 0; i < count; i++) list.append(vector(points[i], dim));
  return list;
}

// Raises unless the members are numbers of magnitude <= GRAZE_LARGEST.
void require_small(const char *function, const std::string &name, graze_vec v) {
  const double numbers[3] = {v.x, v.y, v.z};
  for (int i = 0; i < 3; i++)
    if (!(std::fabs(numbers[i]) <= GRAZE_LARGEST))
      raise(GRAZE_BAD_NUMBER,
            std::string(function) + ": " + name + "[" + std::to_string(i) + "] = " + number_text(numbers[i]) +
                " (must be a number of magnitude <= 1e40)",
            name, i, numbers[i]);
}

Motion make_motion(const graze_motion &motion, int dim, const char *function) {
  require_small(function, "velocity", motion.velocity);
  require_small(function, "angular", motion.angular);
  return {motion, dim};
}

// ---- Pose

static Pose make_pose(const graze_pose &pose, int dim, const char *function) {
  const graze_shape point = dim == 2 ? graze_point2() : graze_point();
  graze_error error = {};
  check(graze_check(&point, &pose, &error), function, &error);
  return {pose, dim};
}

static Pose new_pose(VectorLike position, nb::handle rotation) {
  int dim;
  graze_pose pose = graze_pose_identity();
  pose.position = read_vector(position.value, "position", 0, &dim);
  if (rotation.is_none()) return make_pose(pose, dim, "Pose");
  if (!read_rotation(rotation, pose.position, dim, "rotation", pose))
    reject("rotation", rotation,
           dim == 2 ? "an angle, a half-angle pair (w, z) or a 2x2 matrix"
                    : "a quaternion (w, x, y, z) or a 3x3 matrix");
  return make_pose(pose, dim, "Pose");
}

static nb::tuple quaternion_of(const Pose &p) {
  if (p.dim == 2) return nb::make_tuple(p.pose.w, p.pose.z);
  return nb::make_tuple(p.pose.w, p.pose.x, p.pose.y, p.pose.z);
}

static nb::tuple matrix_of(const Pose &p) {
  double r[9];
  graze_pose_rotation(&p.pose, r);
  const graze_vec t = p.pose.position;
  if (p.dim == 2)
    return nb::make_tuple(nb::make_tuple(r[0], r[1], t.x), nb::make_tuple(r[3], r[4], t.y),
                          nb::make_tuple(0.0, 0.0, 1.0));
  return nb::make_tuple(nb::make_tuple(r[0], r[1], r[2], t.x), nb::make_tuple(r[3], r[4], r[5], t.y),
                        nb::make_tuple(r[6], r[7], r[8], t.z), nb::make_tuple(0.0, 0.0, 0.0, 1.0));
}

static bool same_pose(const Pose &a, const Pose &b) {
  const graze_pose &p = a.pose, &q = b.pose;
  return a.dim == b.dim && same_vector(p.position, q.position) && p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z;
}

static std::string pose_text(const Pose &p) {
  const std::string position = nb::repr(nb::cast(vector(p.pose.position, p.dim))).c_str();
  return "Pose(" + position + ", " + nb::repr(quaternion_of(p)).c_str() + ")";
}

static void bind_pose(Module &m) {
  Class<Pose>(m, "Pose", R"(A rigid placement: x -> R(q) x + position. Immutable.

In 3D q = (w, x, y, z) is any nonzero quaternion, of any length, with w first. In 2D the rotation is an angle in
radians, counter-clockwise, or its half-angle pair (w, z).

>>> import graze
>>> graze.Pose((1, 2, 3), (1, 0, 0, 0)).position
(1.0, 2.0, 3.0)
>>> graze.Pose((1, 2), 0.0).rotation
(1.0, 0.0))")
      .def(
          "__init__",
          [](Pose *self, VectorLike position, nb::handle rotation) { new (self) Pose(new_pose(position, rotation)); },
          "position"_a = nb::make_tuple(0.0, 0.0, 0.0), "rotation"_a.none() = nb::none(),
          nb::sig("def __init__(self, position: graze.typing.VectorLike = (0.0, 0.0, 0.0), "
                  "rotation: graze.typing.RotationLike | None = None) -> None"))
      .def_static(
          "axis_angle",
          [](VectorLike position, VectorLike axis, double angle) {
            const graze_vec at = read_vector(position.value, "position", 3), about = read_vector(axis.value, "axis", 3);
            const bool finite = std::isfinite(about.x) && std::isfinite(about.y) && std::isfinite(about.z);
            if (!finite || (about.x == 0 && about.y == 0 && about.z == 0))
              raise(finite ? GRAZE_BAD_SHAPE : GRAZE_BAD_NUMBER, "axis_angle: axis (must be finite and not zero)",
                    "axis");
            if (!std::isfinite(angle))
              raise(GRAZE_BAD_NUMBER, "axis_angle: angle = " + number_text(angle) + " (must be finite)", "angle", -1,
                    angle);
            return make_pose(graze_pose_axis_angle(at, about, angle), 3, "axis_angle");
          },
          "position"_a, "axis"_a, "angle"_a,
          "Returns a 3D pose rotated by `angle` radians about `axis`, of any nonzero length.")
      .def_static(
          "matrix",
          [](nb::handle matrix) {
            Numbers n;
            const bool good = collect(matrix, n, 0);
            if (good && has_rows(n, {4, 4, 4, 4})) return make_pose(pose_of_matrix(n.values, 3, "matrix"), 3, "matrix");
            if (good && has_rows(n, {3, 3, 3})) return make_pose(pose_of_matrix(n.values, 2, "matrix"), 2, "matrix");
            reject("matrix", matrix, "a 4x4 matrix, in 2D a 3x3 matrix");
          },
          "matrix"_a, nb::sig("def matrix(matrix: graze.typing.MatrixLike) -> Pose"),
          R"(Returns the pose of a homogeneous matrix: 4x4, in 2D 3x3.

The last row is (0, 0, 0, 1), in 2D (0, 0, 1). The rotation, orthonormal within 1e-6, is rounded to the nearest
quaternion direction.)")
      .def_prop_ro(
          "dim", [](const Pose &p) { return p.dim; }, "2 or 3.")
      .def_prop_ro(
          "position", [](const Pose &p) { return vector(p.pose.position, p.dim); },
          "The position, 2 or 3 coordinates: the image of the local origin.")
      .def_prop_ro("rotation", &quaternion_of, nb::sig("def rotation(self) -> tuple[float, ...]"),
                   "The quaternion (w, x, y, z); in 2D the half-angle pair (w, z).")
      .def("to_matrix", &matrix_of, nb::sig("def to_matrix(self) -> tuple[tuple[float, ...], ...]"),
           "Returns the homogeneous matrix by rows: 4x4, in 2D 3x3. Rounded.")
      .def(
          "inverse", [](const Pose &p) { return make_pose(graze_pose_inverse(&p.pose), p.dim, "inverse"); },
          "Returns the inverse pose, rounded.")
      .def(
          "apply",
          [](const Pose &p, VectorLike point) {
            const graze_vec local = read_vector(point.value, "point", p.dim);
            require_small("apply", "point", local);
            return vector(graze_pose_apply(&p.pose, local), p.dim);
          },
          "point"_a, "Returns the world position of a local point, rounded.")
      .def(
          "after",
          [](const Pose &p, MotionLike motion, double t) {
            const graze_motion moves = read_motion(motion.value, "motion", p.dim);
            make_motion(moves, p.dim, "after");
            if (!std::isfinite(t))
              raise(GRAZE_BAD_OPTION, "after: t = " + number_text(t) + " (must be finite)", "t", -1, t);
            return make_pose(graze_pose_after(&p.pose, &moves, t), p.dim, "after");
          },
          "motion"_a, "t"_a, "Returns the pose at time t of a body that starts at this pose. Rounded.")
      .def(
          "__matmul__",
          [](const Pose &outer, const Pose &inner) {
            if (outer.dim != inner.dim) reject("inner", nb::cast(inner), outer.dim == 2 ? "a 2D pose" : "a 3D pose");
            return make_pose(graze_pose_compose(&outer.pose, &inner.pose), outer.dim, "@");
          },
          "inner"_a, "Returns x -> outer(inner(x)), rounded.")
      .def(
          "__eq__",
          [](const Pose &a, nb::handle b) {
            return equality<Pose>(b, [&](const Pose &other) { return same_pose(a, other); });
          },
          "other"_a, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const Pose &p) { return nb::hash(nb::make_tuple(vector(p.pose.position, p.dim), quaternion_of(p))); })
      .def("__repr__", &pose_text)
      .def(
          "__reduce__",
          [](nb::handle_t<Pose> self) {
            const Pose &p = nb::cast<const Pose &>(self);
            return nb::make_tuple(self.type(), nb::make_tuple(vector(p.pose.position, p.dim), quaternion_of(p)));
          },
          nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

void bind_values(Module &m) { bind_pose(m); }
