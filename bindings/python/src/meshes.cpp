// Meshes, and their validation.
#include "shapes.hpp"

#include <cstring>

namespace {
struct MeshError {
  graze_mesh_error error;
};

struct MeshReport {
  bool closed, oriented;
  double volume;
  std::vector<MeshError> errors;
};

// The arrays of a definition.
struct MeshArrays {
  int dim = 0;
  std::vector<graze_vec> vertices;
  std::vector<int32_t> faces;
};
} // namespace

static MeshArrays read_arrays(PointsLike vertices, FacesLike faces) {
  MeshArrays arrays;
  arrays.vertices = read_points(vertices.value, "vertices", arrays.dim);
  arrays.faces = read_faces(faces.value, "faces", arrays.dim);
  return arrays;
}

static graze_mesh_def definition_of(const MeshArrays &arrays) {
  graze_mesh_def def = {};
  def.dim = arrays.dim;
  def.vertices = arrays.vertices.data();
  def.vertex_count = arrays.vertices.size();
  def.faces = arrays.faces.data();
  def.face_count = arrays.faces.size() / (size_t)arrays.dim;
  return def;
}

static Shape new_mesh(PointsLike vertices, FacesLike faces, bool surface) {
  const MeshArrays arrays = read_arrays(vertices, faces);
  graze_mesh_def def = definition_of(arrays);
  graze_mesh *mesh = nullptr;
  graze_error error = {};
  graze_status status;
  def.surface = surface;
  {
    nb::gil_scoped_release release;
    status = graze_mesh_create(&def, nullptr, &mesh, &error);
  }
  // The faces of C are one list: index 5 of triangles is faces[1][2].
  std::string name;
  if (status == GRAZE_BAD_SHAPE && error.what && std::strcmp(error.what, "faces") == 0 && error.index >= 0) {
    name = "faces[" + std::to_string(error.index / arrays.dim) + "]";
    error.what = name.c_str();
    error.index %= arrays.dim;
  }
  check(status, "mesh", &error);
  return {graze_mesh_shape(mesh), std::shared_ptr<graze_mesh>(mesh, graze_mesh_destroy)};
}

static MeshReport validate_mesh(PointsLike vertices, FacesLike faces, bool intersections) {
  const MeshArrays arrays = read_arrays(vertices, faces);
  const graze_mesh_def def = definition_of(arrays);
  graze_mesh_report report = {};
  graze_error error = {};
  graze_status status;
  {
    nb::gil_scoped_release release;
    status = graze_validate_mesh(&def, intersections, nullptr, &report, &error);
  }
  check(status, "validate_mesh", &error);
  MeshReport result = {report.closed, report.oriented, report.volume, {}};
  for (size_t i = 0; i < report.error_count; i++) result.errors.push_back({report.errors[i]});
  graze_mesh_report_destroy(&report);
  return result;
}

static nb::tuple reduce_error(const MeshError &e) {
  return reduced("_restore_mesh_error", e.error.kind, e.error.face, e.error.corner, e.error.other);
}

static MeshError restore_error(graze_mesh_error_kind kind, int32_t face, int32_t corner, int32_t other) {
  return {{kind, face, corner, other}};
}

static nb::tuple reduce_report(const MeshReport &r) {
  return reduced("_restore_mesh_report", r.closed, r.oriented, r.volume, r.errors);
}

static MeshReport restore_report(bool closed, bool oriented, double volume, std::vector<MeshError> errors) {
  return {closed, oriented, volume, std::move(errors)};
}

static std::string report_text(const MeshReport &r) {
  return std::string("<MeshReport: ") + (r.closed ? "closed" : "not closed") + ", " +
         (r.oriented ? "oriented" : "not oriented") + ", volume " + number_text(r.volume) + ", " +
         std::to_string(r.errors.size()) + " errors>";
}

void bind_meshes(Module &m) {
  nb::enum_<graze_mesh_error_kind>(m, "MeshErrorKind", "The kinds of errors of a mesh.")
      .value("BAD_INDEX", GRAZE_MESH_BAD_INDEX, "Corner `corner` of the face is not a vertex.")
      .value("DEGENERATE_FACE", GRAZE_MESH_DEGENERATE_FACE, "The vertices of the face are on one line, exactly.")
      .value("DUPLICATE_FACE", GRAZE_MESH_DUPLICATE_FACE, "The earlier face `other` has the same vertices.")
      .value("OPEN_EDGE", GRAZE_MESH_OPEN_EDGE, "The edge that starts at `corner` belongs to no other face.")
      .value("SHARED_EDGE", GRAZE_MESH_SHARED_EDGE, "The edge that starts at `corner` belongs to more than two faces.")
      .value("ORIENTATION", GRAZE_MESH_ORIENTATION, "The edge occurs more often in this direction than in the other.")
      .value("INTERSECTION", GRAZE_MESH_INTERSECTION, "The face meets the earlier face `other`.");
  Class<MeshError>(m, "MeshError", "An error of a mesh, and where it is.")
      .def_prop_ro(
          "kind", [](const MeshError &e) { return e.error.kind; }, "The kind of the error.")
      .def_prop_ro(
          "face", [](const MeshError &e) { return e.error.face; }, "The index of the face.")
      .def_prop_ro(
          "corner", [](const MeshError &e) { return e.error.corner; }, "0 to dim - 1.")
      .def_prop_ro(
          "other", [](const MeshError &e) { return e.error.other; }, "-1 if the kind names none.")
      .def("__repr__",
           [](const MeshError &e) {
             return std::string("MeshError(") + graze_mesh_error_text(e.error.kind) + ", face " +
                    std::to_string(e.error.face) + ", corner " + std::to_string(e.error.corner) + ", other " +
                    std::to_string(e.error.other) + ")";
           })
      .def("__reduce__", &reduce_error, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  Class<MeshReport>(m, "MeshReport", "The result of validate_mesh(). Immutable.")
      .def_prop_ro(
          "closed", [](const MeshReport &r) { return r.closed; }, "Each edge belongs to at least two faces.")
      .def_prop_ro(
          "oriented", [](const MeshReport &r) { return r.oriented; },
          "Each edge occurs as often in one direction as in the other: a solid.")
      .def_prop_ro(
          "volume", [](const MeshReport &r) { return r.volume; },
          "In 2D the area; signed, rounded; 0 if the mesh is not closed and oriented.")
      .def_prop_ro(
          "errors", [](const MeshReport &r) { return r.errors; }, "All errors, sorted by kind, face, corner and other.")
      .def("__repr__", &report_text)
      .def("__reduce__", &reduce_report, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  define_restore(m, "_restore_mesh_error", "MeshError", &restore_error, "kind", "face", "corner", "other");
  define_restore(m, "_restore_mesh_report", "MeshReport", &restore_report, "closed", "oriented", "volume", "errors");
  m.def("mesh", &new_mesh, "vertices"_a, "faces"_a, "surface"_a = false, R"(Returns triangles as a shape, in 2D edges.

vertices: shape (n, 3), in 2D (n, 2). faces: indices of shape (m, 3), in 2D (m, 2), counter-clockwise from outside. A
closed and consistently oriented mesh is solid, unless `surface` is true: then only its faces count.

>>> import graze
>>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
>>> graze.mesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]).is_solid
True)");
  m.def("validate_mesh", &validate_mesh, "vertices"_a, "faces"_a, "intersections"_a = true,
        R"(Validates the faces of a mesh, exactly. Arguments: mesh().

intersections: whether to search for faces that meet outside common vertices and edges.)");
}
