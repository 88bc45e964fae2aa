//! Meshes of Parry in doubles and in floats, for meshes_parry.c.

/// As in meshes.h.
#[repr(C)]
pub struct SourceMesh {
    vertex_count: usize,
    face_count: usize,
    vertices: *const [f64; 3],
    faces: *const [i32; 3],
}

#[repr(C)]
pub struct Place {
    position: [f64; 3],
    rotation: [f64; 4],
}

/// The code shared by doubles and floats, with the types of their crate.
macro_rules! meshes {
    ($parry:ident, $real:ident, $build:ident, $release:ident, $place:ident, $remove:ident, $first:ident,
        $contacts:ident, $distance:ident, $ray:ident) => {
        use super::{Place, SourceMesh};
        use $parry::math::{Pose, Rotation, Vector};
        use $parry::query::{self, ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher, Ray};
        use $parry::shape::SharedShape;

        pub struct Body {
            mesh: SharedShape,
            pose: Pose,
        }

        fn vector(v: &[f64; 3]) -> Vector {
            Vector::from_array(v.map(|x| x as $real))
        }

        /// # Safety
        /// `mesh` has the stated numbers of vertices and faces.
        #[no_mangle]
        pub unsafe extern "C" fn $build(mesh: &SourceMesh) -> *mut SharedShape {
            let vertices = std::slice::from_raw_parts(mesh.vertices, mesh.vertex_count).iter().map(vector).collect();
            let faces = std::slice::from_raw_parts(mesh.faces, mesh.face_count).iter();
            let faces = faces.map(|face| face.map(|index| index as u32)).collect();
            Box::into_raw(Box::new(SharedShape::trimesh(vertices, faces).expect("a mesh")))
        }

        /// # Safety
        /// `mesh` comes from this library and is not used again.
        #[no_mangle]
        pub unsafe extern "C" fn $release(mesh: *mut SharedShape) {
            drop(Box::from_raw(mesh));
        }

        #[no_mangle]
        pub extern "C" fn $place(mesh: &SharedShape, at: &Place) -> *mut Body {
            let q = at.rotation.map(|x| x as $real);
            let rotation = Rotation::from_xyzw(q[0], q[1], q[2], q[3]).normalize();
            let pose = Pose::from_parts(vector(&at.position), rotation);
            Box::into_raw(Box::new(Body { mesh: mesh.clone(), pose }))
        }

        /// # Safety
        /// `body` comes from this library and is not used again.
        #[no_mangle]
        pub unsafe extern "C" fn $remove(body: *mut Body) {
            drop(Box::from_raw(body));
        }

        #[no_mangle]
        pub extern "C" fn $first(a: &Body, b: &Body) -> bool {
            query::intersection_test(&a.pose, &*a.mesh, &b.pose, &*b.mesh).expect("two meshes").intersecting
        }

        /// The number of manifolds, one for each pair of triangles, with a point in contact.
        #[no_mangle]
        pub extern "C" fn $contacts(a: &Body, b: &Body) -> usize {
            let mut manifolds = Vec::<ContactManifold<(), ()>>::new();
            let relative = a.pose.inv_mul(&b.pose);
            DefaultQueryDispatcher
                .contact_manifolds(&relative, &*a.mesh, &*b.mesh, 0.0, &mut manifolds, &mut None)
                .expect("two meshes");
            manifolds.iter().filter(|manifold| manifold.points.iter().any(|point| point.dist <= 0.0)).count()
        }

        #[no_mangle]
        pub extern "C" fn $distance(a: &Body, b: &Body) -> f64 {
            f64::from(query::distance(&a.pose, &*a.mesh, &b.pose, &*b.mesh).expect("two meshes").distance)
        }

        #[no_mangle]
        pub extern "C" fn $ray(mesh: &SharedShape, origin: &[f64; 3], direction: &[f64; 3]) -> f64 {
            let ray = Ray::new(vector(origin), vector(direction));
            mesh.cast_local_ray(&ray, $real::MAX, true).map_or(f64::INFINITY, f64::from)
        }
    };
}

mod double {
    meshes!(parry3d_f64, f64, mesh_parry_build, mesh_parry_release, mesh_parry_place, mesh_parry_remove,
        mesh_parry_first, mesh_parry_contacts, mesh_parry_distance, mesh_parry_ray);
}

mod single {
    meshes!(parry3d, f32, mesh_parry_single_build, mesh_parry_single_release, mesh_parry_single_place,
        mesh_parry_single_remove, mesh_parry_single_first, mesh_parry_single_contacts, mesh_parry_single_distance,
        mesh_parry_single_ray);
}
