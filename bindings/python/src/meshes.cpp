// Meshes, and their validation.
#include "shapes.hpp"

namespace {
struct MeshError {
  graze_mesh_error error;
};

struct MeshReport {
  std::shared_ptr<graze_mesh_report> report;
  int dim;
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
  if (arrays.dim == 0) arrays.dim = 3;
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
  check(status, "mesh", &error);
  return {graze_mesh_shape(mesh), std::shared_ptr<graze_mesh>(mesh, graze_mesh_destroy)};
}

static MeshReport validate_mesh(PointsLike vertices, FacesLike faces, bool intersections) {
  const MeshArrays arrays = read_arrays(vertices, faces);
  const graze_mesh_def def = definition_of(arrays);
  MeshReport report = {std::shared_ptr<graze_mesh_report>(new graze_mesh_report(),
                                                          [](graze_mesh_report *r) {
                                                            graze_mesh_report_destroy(r);
                                                            delete r;
                                                          }),
                       arrays.dim};
  graze_error error = {};
  graze_status status;
  {
    nb::gil_scoped_release release;
    status = graze_validate_mesh(&def, intersections, nullptr, report.report.get(), &error);
  }
  check(status, "validate_mesh", &error);
  return report;
}

static nb::list errors_of(const MeshReport &r) {
  nb::list errors;
  for (size_t i = 0; i < r.report->error_count; i++) errors.append(MeshError{r.report->errors[i]});
  return errors;
}

void bind_meshes(nb::module_ &m) {
  nb::enum_<graze_mesh_error_kind>(m, "MeshErrorKind", "The kinds of errors of a mesh.")
      .value("BAD_INDEX", GRAZE_MESH_BAD_INDEX, "Corner `corner` of the face is not a vertex.")
      .value("DEGENERATE_FACE", GRAZE_MESH_DEGENERATE_FACE, "The vertices of the face are on one line, exactly.")
      .value("DUPLICATE_FACE", GRAZE_MESH_DUPLICATE_FACE, "The earlier face `other` has the same vertices.")
      .value("OPEN_EDGE", GRAZE_MESH_OPEN_EDGE, "The edge that starts at `corner` belongs to no other face.")
      .value("SHARED_EDGE", GRAZE_MESH_SHARED_EDGE, "The edge that starts at `corner` belongs to more than two faces.")
      .value("ORIENTATION", GRAZE_MESH_ORIENTATION, "The edge occurs more often in this direction than in the other.")
      .value("INTERSECTION", GRAZE_MESH_INTERSECTION, "The face meets the earlier face `other`.");
  nb::class_<MeshError>(m, "MeshError", "An error of a mesh, and where it is.")
      .def_prop_ro("kind", [](const MeshError &e) { return e.error.kind; })
      .def_prop_ro("face", [](const MeshError &e) { return e.error.face; })
      .def_prop_ro(
          "corner", [](const MeshError &e) { return e.error.corner; }, "0 to dim - 1.")
      .def_prop_ro(
          "other", [](const MeshError &e) { return e.error.other; }, "-1 if the kind names none.")
      .def("__repr__", [](const MeshError &e) {
        return std::string("MeshError(") + graze_mesh_error_text(e.error.kind) + ", face " +
               std::to_string(e.error.face) + ", corner " + std::to_string(e.error.corner) + ", other " +
               std::to_string(e.error.other) + ")";
      });
  nb::class_<MeshReport>(m, "MeshReport", "The result of validate_mesh(). Immutable.")
      .def_prop_ro(
          "closed", [](const MeshReport &r) { return r.report->closed; }, "Each edge belongs to at least two faces.")
      .def_prop_ro(
          "oriented", [](const MeshReport &r) { return r.report->oriented; },
          "Each edge occurs as often in one direction as in the other: a solid.")
      .def_prop_ro(
          "volume", [](const MeshReport &r) { return r.report->volume; },
          "In 2D the area; signed, rounded; 0 if the mesh is not closed and oriented.")
      .def_prop_ro("errors", &errors_of, nb::sig("def errors(self) -> list[MeshError]"));
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
