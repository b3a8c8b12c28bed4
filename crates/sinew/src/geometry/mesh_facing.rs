//! Silhouettes and shadow volumes of one mesh: edges found once, planes and facing in each frame.

use super::{
    Casters, Edges, Facing, GeometryError, Light, PlaneNormals, Planes, PositionView, ShadowBuffers,
    ShadowCast, ShadowSize, ShadowVolume, Silhouette, Triangles,
};
use crate::length::check_len;
use crate::mesh::{Mesh, VertexOrder};

/// The edges of a mesh, and which of its triangles face a light or an eye.
///
/// It is built once per mesh. Any number of instances can use it one after the other. A frame
/// allocates nothing, except [`append_shadow`](Self::append_shadow) if its vectors grow.
///
/// ```
/// use sinew::geometry::{Light, MeshFacing};
/// use sinew::{Bone, Influences, Mesh, MeshSource, Skeleton, Skin, Transform};
///
/// let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
/// let skin = Skin::new(&skeleton, &[skeleton.joint("root")?])?;
/// let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let influences = Influences::Four { joints: &[[0; 4]; 4], weights: &[[1.0, 0.0, 0.0, 0.0]; 4] };
/// let triangles = &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let tetrahedron =
///     Mesh::new(&MeshSource { triangles, ..MeshSource::new(&positions, influences) }, &skin)?;
///
/// // Once.
/// let mut facing = MeshFacing::new(&tetrahedron)?;
/// let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
///
/// // Every frame, with skinned positions; here with those at rest.
/// let positions = tetrahedron.rest_positions();
/// let light = Light::Direction([1.0, 1.0, 1.0]);
/// assert_eq!(facing.silhouette(positions, light)?.edges().len(), 3);
/// facing.append_shadow(positions, light, &mut vertices, &mut triangles)?;
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshFacing {
    /// The number of vertices, with pads in run order.
    vertices: usize,
    edges: Edges,
    casters: Casters,
    /// The welded triangles of the edges.
    triangles: Triangles,
    planes: Planes,
    facing: Facing,
    silhouette: Silhouette,
}

impl MeshFacing {
    /// Finds the edges of a mesh and allocates all buffers.
    ///
    /// # Errors
    ///
    /// If the mesh has too many vertices or triangles for [`Edges::new`].
    pub fn new(mesh: &Mesh) -> Result<Self, GeometryError> {
        Self::in_order(mesh, VertexOrder::Run)
    }

    /// As [`new`](Self::new), for positions in source order if `order` is that: for programs that
    /// skin in source order.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn in_order(mesh: &Mesh, order: VertexOrder) -> Result<Self, GeometryError> {
        let edges = Edges::in_order(mesh, order)?;
        let triangles = Triangles::narrowest(edges.triangles());
        Ok(Self {
            vertices: mesh.len_in(order),
            casters: edges.report().casters(),
            planes: Planes::new(&triangles, mesh.runtime()),
            facing: Facing::new(triangles.len()),
            silhouette: Silhouette::new(&edges),
            triangles,
            edges,
        })
    }

    /// The edges of the mesh.
    #[must_use]
    pub fn edges(&self) -> &Edges {
        &self.edges
    }

    /// The planes of the last [`update`](Self::update). The length of their normals is twice the
    /// area of the triangle.
    #[must_use]
    pub fn planes(&self) -> &Planes {
        &self.planes
    }

    /// The facing bits of the last [`update`](Self::update).
    #[must_use]
    pub fn facing(&self) -> &Facing {
        &self.facing
    }

    /// Computes the planes of all triangles, and which triangles face a light or an eye.
    ///
    /// # Errors
    ///
    /// If there is not one position per vertex of the mesh in the order given to
    /// [`in_order`](Self::in_order); in run order, including pads.
    pub fn update(&mut self, positions: PositionView<'_>, light: Light) -> Result<(), GeometryError> {
        check_len("positions", self.vertices, positions.len())?;
        self.planes.derive(positions, &self.triangles, PlaneNormals::TwiceArea)?;
        self.planes.facing(light, &mut self.facing)
    }

    /// Finds the silhouette as seen from an eye or a light. Calls [`update`](Self::update).
    ///
    /// # Errors
    ///
    /// As [`update`](Self::update).
    pub fn silhouette(
        &mut self,
        positions: PositionView<'_>,
        eye: Light,
    ) -> Result<&Silhouette, GeometryError> {
        self.update(positions, eye)?;
        self.edges.silhouette(&self.facing, &mut self.silhouette)?;
        Ok(&self.silhouette)
    }

    /// The size of the largest shadow volume of the mesh.
    #[must_use]
    pub fn shadow_size(&self) -> ShadowSize {
        self.edges.shadow_size(self.casters)
    }

    /// Writes the shadow volume of a light outside the mesh. Calls [`update`](Self::update).
    ///
    /// # Errors
    ///
    /// As [`update`](Self::update), and if the buffers are shorter than
    /// [`shadow_size`](Self::shadow_size).
    pub fn cast_shadow(
        &mut self,
        positions: PositionView<'_>,
        light: Light,
        buffers: ShadowBuffers<'_>,
    ) -> Result<ShadowVolume, GeometryError> {
        self.update(positions, light)?;
        let cast = ShadowCast { positions, light, facing: &self.facing, casters: self.casters };
        self.edges.cast_shadow(&cast, buffers)
    }

    /// Appends the shadow volume of a light outside the mesh to two vectors, which may already hold
    /// volumes of other meshes. Indices count from the first appended vertex. Calls
    /// [`update`](Self::update).
    ///
    /// # Errors
    ///
    /// As [`update`](Self::update). The vectors do not change then.
    pub fn append_shadow(
        &mut self,
        positions: PositionView<'_>,
        light: Light,
        vertices: &mut Vec<[f32; 4]>,
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<ShadowVolume, GeometryError> {
        let size = self.shadow_size();
        let (first_vertex, first_triangle) = (vertices.len(), triangles.len());
        vertices.resize(first_vertex + size.vertices, [0.0; 4]);
        triangles.resize(first_triangle + size.triangles, [0; 3]);
        let buffers = ShadowBuffers {
            vertices: &mut vertices[first_vertex..],
            triangles: &mut triangles[first_triangle..],
        };
        let volume = self.cast_shadow(positions, light, buffers);
        let (used_vertices, used_triangles) = match &volume {
            Ok(volume) => (volume.vertices, volume.triangles()),
            Err(_) => (0, 0),
        };
        vertices.truncate(first_vertex + used_vertices);
        triangles.truncate(first_triangle + used_triangles);
        volume
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Influences, MeshSource};
    use crate::skeleton::{Bone, JointId, Skeleton, Skin, Transform};

    /// A tetrahedron, and one without its first triangle.
    const CLOSED: &[[u32; 3]] = &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    const OPEN: &[[u32; 3]] = &[[0, 1, 3], [0, 3, 2], [1, 2, 3]];
    const LIGHTS: [Light; 3] =
        [Light::Point([3.0, 4.0, 5.0]), Light::Point([-2.0, 0.5, 0.25]), Light::Direction([0.1, -1.0, 0.2])];

    fn mesh(triangles: &[[u32; 3]]) -> Mesh {
        let bone = Bone::new("", None, Transform::IDENTITY);
        let skeleton = Skeleton::new(&[bone]).expect("a root");
        let skin = Skin::new(&skeleton, &[JointId::new(0)]).expect("a joint");
        let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let influences = Influences::Variable { counts: &[1; 4], joints: &[0; 4], weights: &[1.0; 4] };
        let source = MeshSource { triangles, ..MeshSource::new(&positions, influences) };
        Mesh::new(&source, &skin).expect("a valid mesh")
    }

    #[test]
    fn mesh_facing_matches_edges_planes_and_facing() {
        for triangles in [CLOSED, OPEN] {
            let mesh = mesh(triangles);
            let positions = mesh.rest_positions();
            let mut mesh_facing = MeshFacing::new(&mesh).expect("edges");
            let edges = Edges::new(&mesh).expect("edges");
            let welded = Triangles::narrowest(edges.triangles());
            let mut planes = Planes::new(&welded, mesh.runtime());
            let mut facing = Facing::new(welded.len());
            let mut silhouette = Silhouette::new(&edges);
            for light in LIGHTS {
                planes.derive(positions, &welded, PlaneNormals::TwiceArea).expect("all positions");
                planes.facing(light, &mut facing).expect("a bit per plane");
                edges.silhouette(&facing, &mut silhouette).expect("a bit per triangle");
                assert_eq!(mesh_facing.silhouette(positions, light).expect("all positions"), &silhouette);
                assert_eq!(mesh_facing.facing(), &facing);
                assert_eq!(mesh_facing.planes().planes(), planes.planes());

                let casters = edges.report().casters();
                let size = edges.shadow_size(casters);
                assert_eq!(mesh_facing.shadow_size(), size);
                let mut vertices = vec![[0.0; 4]; size.vertices];
                let mut indices = vec![[0; 3]; size.triangles];
                let buffers = ShadowBuffers { vertices: &mut vertices, triangles: &mut indices };
                let cast = ShadowCast { positions, light, facing: &facing, casters };
                let expected = edges.cast_shadow(&cast, buffers).expect("large buffers");
                let (mut found_vertices, mut found_indices) = (Vec::new(), Vec::new());
                let found =
                    mesh_facing.append_shadow(positions, light, &mut found_vertices, &mut found_indices);
                assert_eq!(found, Ok(expected.clone()));
                assert_eq!(found_vertices, vertices[..expected.vertices]);
                assert_eq!(found_indices, indices[..expected.triangles()]);
            }
        }
    }

    #[test]
    fn appended_shadow_keeps_the_volumes_before_it() {
        let mesh = mesh(CLOSED);
        let mut mesh_facing = MeshFacing::new(&mesh).expect("edges");
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        let mut append = |light| {
            mesh_facing
                .append_shadow(mesh.rest_positions(), light, &mut vertices, &mut triangles)
                .expect("all positions")
        };
        let (first, second) = (append(LIGHTS[0]), append(LIGHTS[0]));
        assert_eq!(first, second);
        assert_eq!(vertices[..first.vertices], vertices[first.vertices..]);
        assert_eq!(triangles[..first.triangles()], triangles[first.triangles()..]);
    }

    #[test]
    fn an_error_leaves_the_vectors_unchanged() {
        let mut mesh_facing = MeshFacing::new(&mesh(CLOSED)).expect("edges");
        let (mut vertices, mut triangles) = (vec![[1.0; 4]], vec![[7; 3]]);
        let positions = PositionView::Packed(&[[0.0; 3]; 4]);
        let error = mesh_facing.append_shadow(positions, LIGHTS[0], &mut vertices, &mut triangles);
        assert_eq!(error.unwrap_err().to_string(), "positions: expected 8, found 4");
        assert_eq!((vertices, triangles), (vec![[1.0; 4]], vec![[7; 3]]));
    }
}
