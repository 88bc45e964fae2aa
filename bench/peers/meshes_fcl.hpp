/* Meshes of FCL and of Coal, which began as a copy of it. `Kit` has their types, which differ in names. */
#ifndef GRAZE_BENCH_MESHES_FCL_HPP
#define GRAZE_BENCH_MESHES_FCL_HPP

#include "../meshes.h"

#include <memory>
#include <vector>

template <class Kit> struct FclMeshes {
  using Model = std::shared_ptr<typename Kit::Model>;
  using Object = typename Kit::Object;

  static void *build(const bench_mesh *mesh) {
    std::vector<typename Kit::Point> points;
    std::vector<typename Kit::Face> faces;
    points.reserve(mesh->vertex_count), faces.reserve(mesh->face_count);
    for (size_t i = 0; i < mesh->vertex_count; i++)
      points.emplace_back(mesh->vertices[i][0], mesh->vertices[i][1], mesh->vertices[i][2]);
    for (size_t i = 0; i < mesh->face_count; i++)
      faces.emplace_back(mesh->faces[i][0], mesh->faces[i][1], mesh->faces[i][2]);
    auto model = std::make_shared<typename Kit::Model>();
    model->beginModel();
    model->addSubModel(points, faces);
    model->endModel();
    return new Model(model);
  }

  static void release(void *mesh) { delete static_cast<Model *>(mesh); }

  static void *place(void *mesh, const bench_place *at) {
    return Kit::place(*static_cast<Model *>(mesh), at->position, at->rotation);
  }

  static void remove(void *body) { delete static_cast<Object *>(body); }

  static bool first(void *a, void *b) { return Kit::collide(a, b, 1, false) > 0; }
  static size_t contacts(void *a, void *b) { return Kit::collide(a, b, 1000000, true); }
};

#endif
