/* Embree, single rays: its robust scene, and its default one. https://github.com/RenderKit/embree */
#include "../meshes.h"

#include <embree3/rtcore.h>

static void *build_with(const bench_mesh *mesh, enum RTCSceneFlags flags) {
  static RTCDevice device;
  if (!device) device = rtcNewDevice("threads=1");
  RTCScene scene = rtcNewScene(device);
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  rtcSetSceneFlags(scene, flags);
  float(*vertices)[3] = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                sizeof *vertices, mesh->vertex_count);
  uint32_t(*faces)[3] =
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof *faces, mesh->face_count);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    for (int k = 0; k < 3; k++) vertices[i][k] = (float)mesh->vertices[i][k];
  for (size_t i = 0; i < mesh->face_count; i++)
    for (int k = 0; k < 3; k++) faces[i][k] = (uint32_t)mesh->faces[i][k];
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene);
  return scene;
}

static void *build(const bench_mesh *mesh) { return build_with(mesh, RTC_SCENE_FLAG_NONE); }
static void *build_robust(const bench_mesh *mesh) { return build_with(mesh, RTC_SCENE_FLAG_ROBUST); }
static void release(void *scene) { rtcReleaseScene(scene); }

static double ray(void *scene, const double origin[3], const double direction[3]) {
  struct RTCIntersectContext context;
  struct RTCRayHit hit = {.ray = {.org_x = (float)origin[0],
                                  .org_y = (float)origin[1],
                                  .org_z = (float)origin[2],
                                  .dir_x = (float)direction[0],
                                  .dir_y = (float)direction[1],
                                  .dir_z = (float)direction[2],
                                  .tfar = INFINITY,
                                  .mask = UINT32_MAX},
                          .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .instID = {RTC_INVALID_GEOMETRY_ID}}};
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene, &context, &hit);
  return hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? HUGE_VAL : (double)hit.ray.tfar;
}

const mesh_peer mesh_embree = {"embree", true, build, release, NULL, NULL, NULL, NULL, NULL, ray};
const mesh_peer mesh_embree_robust = {"embree-robust", true, build_robust, release, NULL, NULL, NULL, NULL, NULL, ray};
