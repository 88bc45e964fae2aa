//! Rapier in doubles and in floats, 2D and 3D, for queries_rapier.c. https://github.com/dimforge/rapier

/// As in queries.h.
const BOX: i32 = 0;
const BALL: i32 = 1;
const CAPSULE: i32 = 2;
const RAY: i32 = 0;
const OVERLAP: i32 = 1;
const ANY: i32 = 2;
const BOX_CAST: i32 = 3;
const BALL_CAST: i32 = 4;
const NEAREST: i32 = 5;
const ROBOT: i32 = 7;
const LINKS: usize = 7;
const LINK_VERTICES: usize = 8;

#[repr(C)]
pub struct SourceBody {
    shape: i32,
    vertex_count: i32,
    vertices: *const [f64; 3],
    size: [f64; 3],
    position: [f64; 3],
    rotation: [f64; 4],
}

#[repr(C)]
pub struct Query {
    position: [f64; 3],
    rotation: [f64; 4],
    motion: [f64; 3],
}

/// The shapes of queries.
#[repr(C)]
pub struct Sizes {
    overlap: [f64; 3],
    cast: [f64; 3],
    radius: f64,
    character: [f64; 2],
    link_capsule: [f64; 2],
    clearance: f64,
    link: *const [f64; 3],
}

/// The code shared by 2D and 3D, doubles and floats. The calling module defines `vector`, `pose`, `cuboid`, `capsule`,
/// `hull` and `array`.
macro_rules! scene {
    ($rapier:ident, $make:ident, $body:ident, $add:ident, $step:ident, $answer:ident, $release:ident) => {
        use std::panic::{catch_unwind, AssertUnwindSafe};
        use $rapier::control::KinematicCharacterController;
        use $rapier::parry::query::ShapeCastOptions;
        use $rapier::prelude::*;

        pub struct Scene {
            world: PhysicsWorld,
            bodies: Vec<(SharedShape, Pose)>,
            overlap: SharedShape,
            cast: SharedShape,
            ball: SharedShape,
            character: SharedShape,
            links: [SharedShape; 2],
            clearance: Real,
        }

        /// # Safety
        /// `sizes.link` has `LINK_VERTICES` points.
        #[no_mangle]
        pub unsafe extern "C" fn $make(sizes: &crate::Sizes) -> *mut Scene {
            std::panic::set_hook(Box::new(|_| {}));
            let mut world = PhysicsWorld::new();
            world.gravity = Vector::ZERO;
            let link = std::slice::from_raw_parts(sizes.link, crate::LINK_VERTICES).iter().map(vector).collect();
            Box::into_raw(Box::new(Scene {
                world,
                bodies: Vec::new(),
                overlap: cuboid(&sizes.overlap),
                cast: cuboid(&sizes.cast),
                ball: SharedShape::ball(sizes.radius as Real),
                character: capsule(&sizes.character),
                links: [capsule(&sizes.link_capsule), hull(link).expect("a hull of the link")],
                clearance: sizes.clearance as Real,
            }))
        }

        /// Makes the shape of the next body. False: there is none.
        ///
        /// # Safety
        /// `source.vertices` has `source.vertex_count` points.
        #[no_mangle]
        pub unsafe extern "C" fn $body(scene: &mut Scene, source: &crate::SourceBody) -> bool {
            let s = &source.size;
            let shape = match source.shape {
                crate::BOX => Some(cuboid(s)),
                crate::BALL => Some(SharedShape::ball(s[0] as Real)),
                crate::CAPSULE => Some(capsule(&[s[0], s[1]])),
                _ => {
                    let points = std::slice::from_raw_parts(source.vertices, source.vertex_count as usize);
                    catch_unwind(|| hull(points.iter().map(vector).collect())).unwrap_or(None)
                }
            };
            let Some(shape) = shape else { return false };
            scene.bodies.push((shape, pose(&source.position, &source.rotation)));
            true
        }

        #[no_mangle]
        pub extern "C" fn $add(scene: &mut Scene, index: usize) {
            let (shape, pose) = &scene.bodies[index];
            let world = &mut scene.world;
            let body = world.bodies.insert(RigidBodyBuilder::fixed().pose(*pose));
            world.colliders.insert_with_parent(ColliderBuilder::new(shape.clone()), body, &mut world.bodies);
        }

        #[no_mangle]
        pub extern "C" fn $step(scene: &mut Scene) {
            scene.world.step();
        }

        fn cast(pipeline: &QueryPipeline, shape: &dyn Shape, query: &crate::Query) -> f64 {
            let options = ShapeCastOptions::with_max_time_of_impact(1.0);
            pipeline
                .cast_shape(&pose(&query.position, &query.rotation), vector(&query.motion), shape, options)
                .map_or(f64::INFINITY, |(_, hit)| hit.time_of_impact as f64)
        }

        /// Slides along all bodies: no slope is too steep to climb, and none is slid down.
        fn walk(pipeline: &QueryPipeline, shape: &dyn Shape, query: &crate::Query, end: &mut [f64; 3]) -> f64 {
            let controller = KinematicCharacterController {
                max_slope_climb_angle: 4.0,
                min_slope_slide_angle: 0.0,
                snap_to_ground: None,
                ..Default::default()
            };
            let start = pose(&query.position, &query.rotation);
            let moved = controller.move_shape(1.0 / 60.0, pipeline, shape, &start, vector(&query.motion), |_| {});
            *end = array(start.translation + moved.translation);
            0.0
        }

        /// Whether a body is within the clearance. Rapier has such a query for points only.
        fn is_near(pipeline: &QueryPipeline, shape: &dyn Shape, clearance: Real, query: &crate::Query) -> bool {
            let pose = pose(&query.position, &query.rotation);
            let bounds = shape.compute_aabb(&pose).loosened(clearance);
            let found = pipeline.intersect_aabb_conservative(bounds).any(|(_, collider)| {
                let relative = pose.inv_mul(collider.position());
                let distance = pipeline.dispatcher.distance(&relative, shape, collider.shape());
                distance.is_ok_and(|found| found.distance <= clearance)
            });
            found
        }

        fn answer(scene: &Scene, kind: i32, queries: &[crate::Query], end: &mut [f64; 3]) -> f64 {
            let query = &queries[0];
            let pipeline = scene.world.query_pipeline();
            match kind {
                crate::RAY => {
                    let ray = Ray::new(vector(&query.position), vector(&query.motion));
                    pipeline.cast_ray(&ray, 1.0, true).map_or(f64::INFINITY, |(_, time)| time as f64)
                }
                crate::OVERLAP => {
                    let pose = pose(&query.position, &query.rotation);
                    pipeline.intersect_shape(pose, &*scene.overlap).count() as f64
                }
                crate::ANY => {
                    let pose = pose(&query.position, &query.rotation);
                    let found = pipeline.intersect_shape(pose, &*scene.overlap).next().is_some();
                    if found { 1.0 } else { 0.0 }
                }
                crate::BOX_CAST => cast(&pipeline, &*scene.cast, query),
                crate::BALL_CAST => cast(&pipeline, &*scene.ball, query),
                crate::NEAREST => {
                    let point = vector(&query.position);
                    let nearest = pipeline.project_point(point, Real::MAX, true);
                    nearest.map_or(f64::NAN, |(_, projection)| (projection.point - point).length() as f64)
                }
                crate::ROBOT => {
                    let near = |&(i, link): &(usize, &crate::Query)| {
                        is_near(&pipeline, &*scene.links[i % 2], scene.clearance, link)
                    };
                    queries.iter().enumerate().filter(near).count() as f64
                }
                _ => walk(&pipeline, &*scene.character, query, end),
            }
        }

        /// A panic counts as no answer.
        ///
        /// # Safety
        /// `queries` has `LINKS` entries for a robot, otherwise one.
        #[no_mangle]
        pub unsafe extern "C" fn $answer(scene: &Scene, kind: i32, queries: *const crate::Query, end: &mut [f64; 3])
            -> f64 {
            let count = if kind == crate::ROBOT { crate::LINKS } else { 1 };
            let queries = std::slice::from_raw_parts(queries, count);
            catch_unwind(AssertUnwindSafe(|| answer(scene, kind, queries, end))).unwrap_or(f64::NAN)
        }

        /// # Safety
        /// `scene` comes from this library and is not used again.
        #[no_mangle]
        pub unsafe extern "C" fn $release(scene: *mut Scene) {
            drop(Box::from_raw(scene));
        }
    };
}

macro_rules! planar {
    ($rapier:ident, $($name:ident),*) => {
        scene!($rapier, $($name),*);

        fn vector(v: &[f64; 3]) -> Vector {
            Vector::new(v[0] as Real, v[1] as Real)
        }

        fn array(v: Vector) -> [f64; 3] {
            [v.x as f64, v.y as f64, 0.0]
        }

        fn pose(position: &[f64; 3], q: &[f64; 4]) -> Pose {
            Pose::from_parts(vector(position), Rotation::new((2.0 * q[2].atan2(q[3])) as Real))
        }

        fn cuboid(s: &[f64; 3]) -> SharedShape {
            SharedShape::cuboid(s[0] as Real, s[1] as Real)
        }

        fn capsule(s: &[f64; 2]) -> SharedShape {
            SharedShape::capsule_x(s[1] as Real, s[0] as Real)
        }

        fn hull(points: Vec<Vector>) -> Option<SharedShape> {
            SharedShape::convex_polyline(points)
        }
    };
}

macro_rules! spatial {
    ($rapier:ident, $($name:ident),*) => {
        scene!($rapier, $($name),*);

        fn vector(v: &[f64; 3]) -> Vector {
            Vector::new(v[0] as Real, v[1] as Real, v[2] as Real)
        }

        fn array(v: Vector) -> [f64; 3] {
            [v.x as f64, v.y as f64, v.z as f64]
        }

        fn pose(position: &[f64; 3], q: &[f64; 4]) -> Pose {
            let q = q.map(|x| x as Real);
            Pose::from_parts(vector(position), Rotation::from_xyzw(q[0], q[1], q[2], q[3]).normalize())
        }

        fn cuboid(s: &[f64; 3]) -> SharedShape {
            SharedShape::cuboid(s[0] as Real, s[1] as Real, s[2] as Real)
        }

        fn capsule(s: &[f64; 2]) -> SharedShape {
            SharedShape::capsule_z(s[1] as Real, s[0] as Real)
        }

        fn hull(points: Vec<Vector>) -> Option<SharedShape> {
            SharedShape::convex_hull(&points)
        }
    };
}

mod planar_double {
    planar!(rapier2d_f64, rapier2_make, rapier2_body, rapier2_add, rapier2_step, rapier2_answer, rapier2_release);
}

mod spatial_double {
    spatial!(rapier3d_f64, rapier3_make, rapier3_body, rapier3_add, rapier3_step, rapier3_answer, rapier3_release);
}

mod planar_single {
    planar!(
        rapier2d, rapier2_single_make, rapier2_single_body, rapier2_single_add, rapier2_single_step,
        rapier2_single_answer, rapier2_single_release
    );
}

mod spatial_single {
    spatial!(
        rapier3d, rapier3_single_make, rapier3_single_body, rapier3_single_add, rapier3_single_step,
        rapier3_single_answer, rapier3_single_release
    );
}
