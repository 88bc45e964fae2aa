/* Scene queries for libraries with the class structure of FCL, such as Coal: a dynamic tree of bounding boxes. 3D. A Kit
 * provides:
 *   types     Geometry, Object, Manager, Box, Sphere, Capsule
 *   functions convex(hull), object(shape), place(object, position, rotation), count(manager, object, clearance, most): the
 *             bodies nearer than the clearance, at most `most`; nearest(manager, object): the smallest distance */
#ifndef GRAZE_BENCH_QUERIES_FCL_HPP
#define GRAZE_BENCH_QUERIES_FCL_HPP

#include "../queries.h"
#include "../workload.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

template <class Kit> struct FclWorld {
  using Shape = std::shared_ptr<typename Kit::Geometry>;
  using Object = std::unique_ptr<typename Kit::Object>;

  const query_world *world = nullptr;
  std::vector<Object> bodies;
  typename Kit::Manager manager;
  Object overlap, point, links[2];

  static Shape hull(const double (*vertices)[3], int32_t count) {
    auto *points = static_cast<graze_vec *>(bench_alloc(static_cast<size_t>(count) * sizeof(graze_vec)));
    for (int32_t i = 0; i < count; i++) points[i] = {vertices[i][0], vertices[i][1], vertices[i][2]};
    const bench_hull made = bench_hull_of_points(points, count);
    const Shape shape = Kit::convex(made);
    std::free(made.vertices);
    std::free(made.faces);
    return shape;
  }

  static Shape box(const double *s) { return std::make_shared<typename Kit::Box>(2 * s[0], 2 * s[1], 2 * s[2]); }

  static Shape capsule(const double *s) { return std::make_shared<typename Kit::Capsule>(s[0], 2 * s[1]); }

  static Shape shape_of(const query_body &body) {
    switch (body.shape) {
    case QUERY_BOX: return box(body.size);
    case QUERY_BALL: return std::make_shared<typename Kit::Sphere>(body.size[0]);
    case QUERY_CAPSULE: return capsule(body.size);
    default: return hull(body.vertices, body.vertex_count);
    }
  }

  static void *make(const query_world *world) {
    auto self = std::make_unique<FclWorld>();
    self->world = world;
    self->overlap = Kit::object(box(query_overlap_box));
    self->point = Kit::object(std::make_shared<typename Kit::Sphere>(0));
    self->links[0] = Kit::object(capsule(query_link_capsule));
    self->links[1] = Kit::object(hull(world->link, QUERY_LINK_VERTICES));
    for (size_t i = 0; i < world->count; i++) self->bodies.push_back(Kit::object(shape_of(world->bodies[i])));
    return self.release();
  }

  static void add(void *context, size_t index) {
    auto *self = static_cast<FclWorld *>(context);
    const query_body &body = self->world->bodies[index];
    Kit::place(*self->bodies[index], body.position, body.rotation);
    self->manager.registerObject(self->bodies[index].get());
  }

  static void step(void *context) {
    auto *self = static_cast<FclWorld *>(context);
    self->manager.setup();
    self->manager.update();
  }

  double count(const Object &object, const scene_query &query, double clearance, size_t most) {
    Kit::place(*object, query.position, query.rotation);
    return static_cast<double>(Kit::count(manager, object.get(), clearance, most));
  }

  static double answer(void *context, query_kind kind, size_t, const scene_query *query, double *) {
    auto *self = static_cast<FclWorld *>(context);
    double near = 0;
    switch (kind) {
    case QUERY_OVERLAP: return self->count(self->overlap, *query, 0, SIZE_MAX);
    case QUERY_ANY: return self->count(self->overlap, *query, 0, 1);
    case QUERY_NEAREST:
      Kit::place(*self->point, query->position, query->rotation);
      return std::max(Kit::nearest(self->manager, self->point.get()), 0.0);
    default:
      for (int i = 0; i < QUERY_LINKS; i++) near += self->count(self->links[i % 2], query[i], QUERY_CLEARANCE, 1);
      return near;
    }
  }

  static void release(void *context) { delete static_cast<FclWorld *>(context); }

  static constexpr unsigned missing = 1u << QUERY_RAY | 1u << QUERY_BOX_CAST | 1u << QUERY_BALL_CAST | 1u << QUERY_MOVE;
};

#endif
