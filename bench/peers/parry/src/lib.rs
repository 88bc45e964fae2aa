//! Parry in doubles, 2D and 3D, for parry.c. https://github.com/dimforge/parry

mod meshes;

/// As in contestant.h and workload.h.
const INTERSECT: i32 = 0;
const DISTANCE: i32 = 1;
const DEPTH: i32 = 2;
const MANIFOLD: i32 = 3;
const BOX: i32 = 0;
const SPHERE: i32 = 1;
const CAPSULE: i32 = 2;
const CYLINDER: i32 = 3;
const HALFSPACE: i32 = 7;
const CONE: i32 = 9;

/// The code shared by 2D and 3D, with the types of their crate. The calling module defines `vector`, `pose`, `hull` and
/// `solid`.
macro_rules! scene {
    ($parry:ident, $make:ident, $hull:ident, $body:ident, $query:ident, $release:ident) => {
        use std::panic::{catch_unwind, AssertUnwindSafe};
        use $parry::math::{Pose, Vector};
        use $parry::query::{self, ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher, ShapeCastOptions};
        use $parry::shape::SharedShape;

        pub struct Body {
            shape: Option<SharedShape>,
            pose: Pose,
        }

        #[derive(Default)]
        pub struct Scene {
            hulls: Vec<Option<SharedShape>>,
            bodies: Vec<Body>,
        }

        /// A panic counts as no answer.
        #[no_mangle]
        pub extern "C" fn $make() -> *mut Scene {
            std::panic::set_hook(Box::new(|_| {}));
            Box::into_raw(Box::default())
        }

        /// # Safety
        /// `points` has 3 numbers per point, `faces` 3 indices per face.
        #[no_mangle]
        pub unsafe extern "C" fn $hull(scene: &mut Scene, points: *const [f64; 3], count: usize, faces: *const [i32; 3],
            face_count: usize) {
            let points = std::slice::from_raw_parts(points, count).iter().map(vector).collect();
            let faces: &[[i32; 3]] = if face_count == 0 { &[] } else { std::slice::from_raw_parts(faces, face_count) };
            scene.hulls.push(catch_unwind(|| hull(points, faces)).unwrap_or(None));
        }

        /// The bodies of pair i are added as 2 i and 2 i + 1. `hull` < 0: no hull.
        #[no_mangle]
        pub extern "C" fn $body(scene: &mut Scene, kind: i32, size: &[f64; 3], hull: i32, position: &[f64; 3],
            rotation: &[f64; 4]) {
            let shape = if hull < 0 { solid(kind, size) } else { scene.hulls[hull as usize].clone() };
            scene.bodies.push(Body { shape, pose: pose(kind, position, rotation) });
        }

        fn manifold(a: &Body, b: &Body, f: &SharedShape, g: &SharedShape) -> Option<(f64, Vector)> {
            let mut manifold = ContactManifold::<(), ()>::new();
            let relative = a.pose.inv_mul(&b.pose);
            DefaultQueryDispatcher
                .contact_manifold_convex_convex(&relative, &**f, &**g, None, None, 0.0, &mut manifold)
                .ok()?;
            let depth = manifold.points.iter().map(|point| point.dist).reduce(f64::min)?;
            Some((depth, a.pose.rotation * manifold.local_n1))
        }

        fn cast(a: &Body, b: &Body, f: &SharedShape, g: &SharedShape, velocity: &[f64; 3]) -> Option<f64> {
            let options = ShapeCastOptions::with_max_time_of_impact(1.0);
            let hit = query::cast_shapes(&a.pose, Vector::ZERO, &**f, &b.pose, vector(velocity), &**g, options).ok()?;
            Some(hit.map_or(f64::INFINITY, |hit| hit.time_of_impact))
        }

        fn answer(a: &Body, b: &Body, query: i32, velocity: &[f64; 3]) -> Option<(f64, Vector)> {
            let (f, g) = (a.shape.as_ref()?, b.shape.as_ref()?);
            match query {
                crate::INTERSECT => {
                    let collides = query::intersection_test(&a.pose, &**f, &b.pose, &**g).ok()?.intersecting;
                    Some((if collides { 0.0 } else { 1.0 }, Vector::ZERO))
                }
                crate::DISTANCE => Some((query::distance(&a.pose, &**f, &b.pose, &**g).ok()?.distance, Vector::ZERO)),
                crate::DEPTH => {
                    let contact = query::contact(&a.pose, &**f, &b.pose, &**g, 0.0).ok()??;
                    Some((contact.dist, contact.normal1))
                }
                crate::MANIFOLD => manifold(a, b, f, g),
                _ => cast(a, b, f, g, velocity).map(|time| (time, Vector::ZERO)),
            }
        }

        #[no_mangle]
        pub extern "C" fn $query(scene: &Scene, pair: usize, query: i32, velocity: &[f64; 3], normal: &mut [f64; 3])
            -> f64 {
            let (a, b) = (&scene.bodies[2 * pair], &scene.bodies[2 * pair + 1]);
            let answered = catch_unwind(AssertUnwindSafe(|| answer(a, b, query, velocity)));
            let Ok(Some((value, direction))) = answered else { return f64::NAN };
            for (to, from) in normal.iter_mut().zip(direction.to_array()) {
                *to = from;
            }
            value
        }

        /// # Safety
        /// `scene` comes from this library and is not used again.
        #[no_mangle]
        pub unsafe extern "C" fn $release(scene: *mut Scene) {
            drop(Box::from_raw(scene));
        }
    };
}

mod planar {
    use parry2d_f64::math::Rotation;

    scene!(parry2d_f64, parry2_make, parry2_hull, parry2_body, parry2_query, parry2_release);

    fn vector(v: &[f64; 3]) -> Vector {
        Vector::new(v[0], v[1])
    }

    fn pose(_kind: i32, position: &[f64; 3], q: &[f64; 4]) -> Pose {
        Pose::from_parts(vector(position), Rotation::new(2.0 * q[2].atan2(q[3])))
    }

    fn hull(points: Vec<Vector>, _faces: &[[i32; 3]]) -> Option<SharedShape> {
        SharedShape::convex_polyline_unmodified(points)
    }

    fn solid(_kind: i32, _size: &[f64; 3]) -> Option<SharedShape> {
        None
    }
}

mod spatial {
    use parry3d_f64::math::Rotation;

    scene!(parry3d_f64, parry3_make, parry3_hull, parry3_body, parry3_query, parry3_release);

    fn vector(v: &[f64; 3]) -> Vector {
        Vector::new(v[0], v[1], v[2])
    }

    /// Cylinders and cones of Parry are along y, those of Graze along z.
    fn pose(kind: i32, position: &[f64; 3], q: &[f64; 4]) -> Pose {
        let rotation = Rotation::from_xyzw(q[0], q[1], q[2], q[3]).normalize();
        let turns = kind == crate::CYLINDER || kind == crate::CONE;
        let upright = Rotation::from_rotation_x(std::f64::consts::FRAC_PI_2);
        Pose::from_parts(vector(position), if turns { rotation * upright } else { rotation })
    }

    fn hull(points: Vec<Vector>, faces: &[[i32; 3]]) -> Option<SharedShape> {
        if let [a, b, c] = points[..] {
            return Some(SharedShape::triangle(a, b, c));
        }
        let faces: Vec<[u32; 3]> = faces.iter().map(|face| face.map(|index| index as u32)).collect();
        SharedShape::convex_mesh(points.clone(), &faces).or_else(|| SharedShape::convex_hull(&points))
    }

    fn solid(kind: i32, s: &[f64; 3]) -> Option<SharedShape> {
        match kind {
            crate::BOX => Some(SharedShape::cuboid(s[0], s[1], s[2])),
            crate::SPHERE => Some(SharedShape::ball(s[0])),
            crate::CAPSULE => Some(SharedShape::capsule_z(s[1], s[0])),
            crate::CYLINDER => Some(SharedShape::cylinder(s[1], s[0])),
            crate::CONE => Some(SharedShape::cone(s[1], s[0])),
            crate::HALFSPACE => Some(SharedShape::halfspace(Vector::Z)),
            _ => None,
        }
    }
}
