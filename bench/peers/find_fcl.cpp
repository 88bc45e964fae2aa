/* FCL: a dynamic tree of the moving cubes and one of the static cubes; collide() for the relation. */
#include "../cubes.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/narrowphase/collision.h>
#include <memory>
#include <vector>

namespace {

template <class Manager> struct Finder {
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
  Manager moving, still;
  size_t moving_count = 0;

  static fcl::Transform3d place(const bench_cube &cube) {
    const double *p = cube.position, *q = cube.rotation;
    fcl::Transform3d at = fcl::Transform3d::Identity();
    at.linear() = fcl::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix();
    at.translation() = fcl::Vector3d(p[0], p[1], p[2]);
    return at;
  }

  static void *make(const bench_cubes *cubes, int) {
    auto self = std::make_unique<Finder>();
    self->moving_count = cubes->moving;
    for (size_t i = 0; i < cubes->count; i++) {
      const double edge = 2 * cubes->cube[i].half;
      auto box = std::make_shared<fcl::Boxd>(edge, edge, edge);
      self->objects.push_back(std::make_unique<fcl::CollisionObjectd>(box, place(cubes->cube[i])));
      (i < cubes->moving ? self->moving : self->still).registerObject(self->objects.back().get());
    }
    self->moving.setup();
    self->still.setup();
    return self.release();
  }

  static void update(void *context, const bench_cubes *cubes) {
    Finder *self = static_cast<Finder *>(context);
    for (size_t i = 0; i < self->moving_count; i++) {
      self->objects[i]->setTransform(place(cubes->cube[i]));
      self->objects[i]->computeAABB();
    }
    self->moving.update();
  }

  static bool count_pair(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *count) {
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    *static_cast<size_t *>(count) += fcl::collide(a, b, request, result) > 0;
    return false;
  }

  static size_t find(void *context) {
    Finder *self = static_cast<Finder *>(context);
    size_t count = 0;
    self->moving.collide(&count, count_pair);
    if (!self->still.empty()) self->moving.collide(&self->still, &count, count_pair);
    return count;
  }

  static void release(void *context) { delete static_cast<Finder *>(context); }
};

using Tree = Finder<fcl::DynamicAABBTreeCollisionManagerd>;
using Array = Finder<fcl::DynamicAABBTreeCollisionManager_Arrayd>;

} // namespace

extern "C" const bench_finder bench_find_fcl = {"fcl", SIZE_MAX, Tree::make, Tree::update, Tree::find, Tree::release};
/* With more cubes its broad phase misses pairs. */
extern "C" const bench_finder bench_find_fcl_array = {"fcl-array",   20000,       Array::make,
                                                      Array::update, Array::find, Array::release};
