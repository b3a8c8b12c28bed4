//! Geometry queries on posed meshes: ray casts, overlaps, closest points and point in mesh, with
//! BVHs.

mod aabb4;
mod affine_columns;
mod bvh_topology;
mod closest_point;
mod distance;
mod error;
mod extent4;
mod hit_joint;
mod joint_aabbs;
mod lazy_build;
mod lazy_bvh;
mod lazy_ray_cast;
mod mesh_bvh;
mod overlap;
mod point_in_mesh;
mod predicates;
mod prepared_ray;
mod ray;
mod ray_cast;
mod ray_stack;
mod ray_triangle;
mod traversal_stack;
mod vertex_source;

pub use closest_point::ClosestPoint;
pub use error::QueryError;
pub use lazy_bvh::LazyBvh;
pub(crate) use lazy_bvh::LazyTopology;
pub use lazy_ray_cast::LazyRayCast;
pub use mesh_bvh::MeshBvh;
pub use overlap::OverlapShape;
pub use ray::{Faces, Ray, TriangleHit};
