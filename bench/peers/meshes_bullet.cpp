/* Bullet in doubles: GImpact, without margins. https://github.com/bulletphysics/bullet3 */
#include "../meshes.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>
#include <memory>

namespace {

struct Model {
  btTriangleMesh triangles;
  std::unique_ptr<btGImpactMeshShape> shape;
};

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btCollisionWorld world{&dispatcher, &broadphase, &configuration};
  btGImpactCollisionAlgorithm::CreateFunc create;
  World() { /* contactPairTest() uses the algorithm for closest points, which registerAlgorithm() does not set */
    dispatcher.registerClosestPointsCreateFunc(GIMPACT_SHAPE_PROXYTYPE, GIMPACT_SHAPE_PROXYTYPE, &create);
  }
};

void *build(const bench_mesh *mesh) {
  auto *model = new Model;
  for (size_t i = 0; i < mesh->vertex_count; i++)
    model->triangles.findOrAddVertex(btVector3(mesh->vertices[i][0], mesh->vertices[i][1], mesh->vertices[i][2]), false);
  for (size_t i = 0; i < mesh->face_count; i++)
    model->triangles.addTriangleIndices(mesh->faces[i][0], mesh->faces[i][1], mesh->faces[i][2]);
  model->shape = std::make_unique<btGImpactMeshShape>(&model->triangles);
  model->shape->setMargin(0);
  model->shape->updateBound();
  return model;
}

void release(void *mesh) { delete static_cast<Model *>(mesh); }

void *place(void *mesh, const bench_place *at) {
  auto *object = new btCollisionObject;
  const double *p = at->position, *q = at->rotation;
  object->setCollisionShape(static_cast<Model *>(mesh)->shape.get());
  object->setWorldTransform(btTransform(btQuaternion(q[0], q[1], q[2], q[3]), btVector3(p[0], p[1], p[2])));
  object->setContactProcessingThreshold(0);
  return object;
}

void remove(void *body) { delete static_cast<btCollisionObject *>(body); }

struct Count final : btCollisionWorld::ContactResultCallback {
  bool found = false;
  btScalar addSingleResult(btManifoldPoint &point, const btCollisionObjectWrapper *, int, int,
                           const btCollisionObjectWrapper *, int, int) override {
    found = found || point.getDistance() <= 0;
    return 0;
  }
};

bool first(void *a, void *b) {
  static auto *all = new World;
  Count count;
  count.m_closestDistanceThreshold = 0;
  all->world.contactPairTest(static_cast<btCollisionObject *>(a), static_cast<btCollisionObject *>(b), count);
  return count.found;
}

} // namespace

extern "C" const mesh_peer mesh_bullet = {"bullet", false, build,   release, place,
                                          remove,   first, nullptr, nullptr, nullptr};
