/* Jolt, in floats: MeshShape, which stores vertices in 21 bits per axis. https://github.com/jrouwe/JoltPhysics */
#include "../meshes.h"

#include <Jolt/Jolt.h>

#include <Jolt/Core/Memory.h>
#include <Jolt/Physics/Collision/CastResult.h>
#include <Jolt/Physics/Collision/RayCast.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>

#include <cfloat>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace JPH;

float scalar(double value) { return static_cast<float>(value); }

void *build(const bench_mesh *mesh) {
  if (!Allocate) RegisterDefaultAllocator();
  VertexList vertices;
  IndexedTriangleList faces;
  vertices.reserve(mesh->vertex_count), faces.reserve(mesh->face_count);
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    const double *v = mesh->vertices[i];
    vertices.emplace_back(scalar(v[0]), scalar(v[1]), scalar(v[2]));
  }
  for (size_t i = 0; i < mesh->face_count; i++) {
    const int32_t *f = mesh->faces[i];
    faces.emplace_back(static_cast<uint32>(f[0]), static_cast<uint32>(f[1]), static_cast<uint32>(f[2]), 0);
  }
  const ShapeSettings::ShapeResult result = MeshShapeSettings(std::move(vertices), std::move(faces)).Create();
  if (result.IsValid()) return new Ref<Shape>(result.Get());
  std::fprintf(stderr, "meshes: jolt: %s\n", result.GetError().c_str());
  std::exit(1);
}

void release(void *mesh) { delete static_cast<Ref<Shape> *>(mesh); }

double ray(void *mesh, const double origin[3], const double direction[3]) {
  const RayCast cast{Vec3(scalar(origin[0]), scalar(origin[1]), scalar(origin[2])),
                     Vec3(scalar(direction[0]), scalar(direction[1]), scalar(direction[2]))};
  RayCastResult hit;
  hit.mFraction = FLT_MAX; /* the ray does not end at 1 */
  const bool found = (*static_cast<Ref<Shape> *>(mesh))->CastRay(cast, SubShapeIDCreator(), hit);
  return found ? static_cast<double>(hit.mFraction) : HUGE_VAL;
}

} // namespace

extern "C" const mesh_peer mesh_jolt = {"jolt", true, build, release, nullptr, nullptr, nullptr, nullptr, nullptr, ray};
