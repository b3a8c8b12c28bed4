//! Shadow volumes and silhouettes, from the triangles that face the light or the camera.

use sinew::geometry::{
    Casters, Edges, Facing, Light, PlaneNormals, Planes, PositionView, ShadowBuffers, ShadowCast, Silhouette,
    Triangles,
};

use crate::draw::{ShadowVolume, ShadowVolumes};
use crate::scene::Subject;

/// The edges of each part, with memory for planes and facing bits.
pub struct FacingShapes {
    parts: Vec<PartFacing>,
}

struct PartFacing {
    edges: Edges,
    casters: Casters,
    triangles: Triangles,
    planes: Planes,
    facing: Facing,
    silhouette: Silhouette,
}

impl FacingShapes {
    /// Finds the edges.
    ///
    /// # Errors
    ///
    /// If a mesh has more triangles than an index can address.
    pub fn new(subject: &Subject) -> Result<Self, String> {
        let part = |part: usize| -> Result<PartFacing, sinew::Error> {
            let mesh = subject.mesh(part);
            let edges = Edges::new(mesh)?;
            let triangles = Triangles::narrowest(edges.triangles());
            Ok(PartFacing {
                casters: edges.report().casters(),
                planes: Planes::new(&triangles, mesh.runtime()),
                facing: Facing::new(triangles.len()),
                silhouette: Silhouette::new(&edges),
                triangles,
                edges,
            })
        };
        let parts = (0..subject.mesh_instances()).map(part).collect::<Result<_, _>>();
        Ok(Self { parts: parts.map_err(|error| error.to_string())? })
    }

    /// Adds the shadow volume of a part of a copy.
    pub fn shadow(
        &mut self,
        part: usize,
        copy: usize,
        points: PositionView<'_>,
        light: Light,
        volumes: &mut ShadowVolumes,
    ) {
        let Some(part_data) = self.parts.get_mut(part) else { return };
        if !part_data.update_facing(points, light) {
            return;
        }
        let size = part_data.edges.shadow_size(part_data.casters);
        let (first_vertex, first_triangle) = (volumes.vertices.len(), volumes.triangles.len());
        volumes.vertices.resize(first_vertex + size.vertices, [0.0; 4]);
        volumes.triangles.resize(first_triangle + size.triangles, [0; 3]);
        let buffers = ShadowBuffers {
            vertices: &mut volumes.vertices[first_vertex..],
            triangles: &mut volumes.triangles[first_triangle..],
        };
        let cast =
            ShadowCast { positions: points, light, facing: &part_data.facing, casters: part_data.casters };
        let (vertices, triangles) = match part_data.edges.cast_shadow(&cast, buffers) {
            Ok(volume) => (volume.vertices, volume.triangles()),
            Err(_) => (0, 0),
        };
        volumes.vertices.truncate(first_vertex + vertices);
        volumes.triangles.truncate(first_triangle + triangles);
        volumes.volumes.push(ShadowVolume { copy, first_vertex, first_triangle, triangles });
    }

    /// Calls a function with both ends of each silhouette edge of a part.
    pub fn silhouette(
        &mut self,
        part: usize,
        points: PositionView<'_>,
        eye: [f32; 3],
        mut line: impl FnMut([[f32; 3]; 2]),
    ) {
        let Some(part_data) = self.parts.get_mut(part) else { return };
        if !part_data.update_facing(points, Light::Point(eye)) {
            return;
        }
        if part_data.edges.silhouette(&part_data.facing, &mut part_data.silhouette).is_ok() {
            for edge in part_data.silhouette.edges() {
                line(edge.map(|slot| points.position(slot as usize)));
            }
        }
    }
}

impl PartFacing {
    /// Computes which triangles face the light. False if the points do not belong to the part.
    fn update_facing(&mut self, points: PositionView<'_>, light: Light) -> bool {
        points.len() == self.edges.vertex_count()
            && self.planes.derive(points, &self.triangles, PlaneNormals::TwiceArea).is_ok()
            && self.planes.facing(light, &mut self.facing).is_ok()
    }
}
