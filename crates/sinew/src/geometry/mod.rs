//! Geometry derived from skinned positions: planes, edges, silhouettes, shadow volumes, normals,
//! tangents.

mod draw_order;
mod edges;
mod error;
mod facing;
mod locality;
mod mesh_facing;
mod planes;
mod position_view;
mod set_bits;
mod shadow;
mod side;
mod tangents;
mod vertex_normals;
mod weld;

pub use edges::{
    BoundaryEdge, EdgeReport, Edges, HalfEdge, NonManifoldEdge, SharedEdge, Silhouette, Topology,
};
pub use error::GeometryError;
pub use facing::{Facing, Light};
pub use locality::Locality;
pub use mesh_facing::MeshFacing;
pub use planes::Planes;
pub use position_view::PositionView;
pub use shadow::{Casters, ShadowBuffers, ShadowCast, ShadowSize, ShadowVolume};
pub use side::Side;
pub use sinew_kernels::{Plane, PlaneNormals, StridedPositions, Triangles, VertexBytes};
pub use tangents::tangents;
pub use vertex_normals::{NormalInput, NormalWeights, VertexNormals};
pub use weld::Weld;
