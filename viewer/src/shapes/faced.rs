//! Which triangles face the light or the eye: shadows and silhouettes.

use sinew::{
    Casters, Edges, Facing, Light, PlaneNormals, Planes, Points, ShadowBuffers, ShadowCast, Silhouette,
    Triangles,
};

use crate::draw::{Volume, Volumes};
use crate::scene::Subject;

/// The edges of each part, with memory for what a frame makes of them.
pub struct Faced {
    parts: Vec<Part>,
}

struct Part {
    edges: Edges,
    casters: Casters,
    triangles: Triangles,
    planes: Planes,
    facing: Facing,
    silhouette: Silhouette,
}

impl Faced {
    /// Finds the edges.
    ///
    /// # Errors
    ///
    /// When a surface has more triangles than can be numbered.
    pub fn new(subject: &Subject) -> Result<Self, String> {
        let part = |part: usize| -> Result<Part, sinew::Error> {
            let mesh = subject.mesh(part);
            let edges = Edges::new(mesh)?;
            let triangles = Triangles::narrowest(edges.triangles());
            Ok(Part {
                casters: edges.report().casters(),
                planes: Planes::new(&triangles, mesh.kernels()),
                facing: Facing::new(triangles.len()),
                silhouette: Silhouette::new(&edges),
                triangles,
                edges,
            })
        };
        let parts = (0..subject.parts()).map(part).collect::<Result<_, _>>();
        Ok(Self { parts: parts.map_err(|error| error.to_string())? })
    }

    /// Adds the shadow volume of a part of a copy.
    pub fn shadow(
        &mut self,
        part: usize,
        copy: usize,
        points: Points<'_>,
        light: Light,
        volumes: &mut Volumes,
    ) {
        let Some(own) = self.parts.get_mut(part) else { return };
        if !own.face(points, light) {
            return;
        }
        let size = own.edges.shadow_size(own.casters);
        let (first_vertex, first_triangle) = (volumes.vertices.len(), volumes.triangles.len());
        volumes.vertices.resize(first_vertex + size.vertices, [0.0; 4]);
        volumes.triangles.resize(first_triangle + size.triangles, [0; 3]);
        let buffers = ShadowBuffers {
            vertices: &mut volumes.vertices[first_vertex..],
            triangles: &mut volumes.triangles[first_triangle..],
        };
        let cast = ShadowCast { points, light, facing: &own.facing, casters: own.casters };
        let (vertices, triangles) = match own.edges.cast_shadow(&cast, buffers) {
            Ok(volume) => (volume.vertices, volume.triangles()),
            Err(_) => (0, 0),
        };
        volumes.vertices.truncate(first_vertex + vertices);
        volumes.triangles.truncate(first_triangle + triangles);
        volumes.each.push(Volume { copy, first_vertex, first_triangle, triangles });
    }

    /// Calls with both ends of each edge at which a part turns away from an eye.
    pub fn silhouette(
        &mut self,
        part: usize,
        points: Points<'_>,
        eye: [f32; 3],
        mut line: impl FnMut([[f32; 3]; 2]),
    ) {
        let Some(own) = self.parts.get_mut(part) else { return };
        if !own.face(points, Light::Point(eye)) {
            return;
        }
        if own.edges.silhouette(&own.facing, &mut own.silhouette).is_ok() {
            for edge in own.silhouette.edges() {
                line(edge.map(|place| points.point(place as usize)));
            }
        }
    }
}

impl Part {
    /// Whether the points are those of the part.
    fn face(&mut self, points: Points<'_>, light: Light) -> bool {
        points.len() == self.edges.places()
            && self.planes.derive(points, &self.triangles, PlaneNormals::TwiceArea).is_ok()
            && self.planes.facing(light, &mut self.facing).is_ok()
    }
}
