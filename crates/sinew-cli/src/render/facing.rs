//! The triangles of a model that face a light or the camera, for shadows and silhouettes.

use sinew::Model;
use sinew::geometry::{Edges, Facing, Light, PlaneNormals, Planes, PositionView, Triangles};

use crate::CliError;

/// The edges of each mesh instance, with memory for plane equations and facing bits.
pub(super) struct ModelFacing {
    pub(super) edges: Vec<Edges>,
    instances: Vec<InstanceFacing>,
}

/// The plane equations and facing bits of one mesh instance.
struct InstanceFacing {
    triangles: Triangles,
    planes: Planes,
    facing: Facing,
}

impl ModelFacing {
    pub(super) fn new(model: &Model) -> Result<Self, CliError> {
        let mut facing = Self { edges: Vec::new(), instances: Vec::new() };
        for instance in 0..model.mesh_instances().len() {
            let mesh = &model.primitive(instance).mesh;
            let edges = Edges::new(mesh).map_err(|error| CliError::Input(error.to_string()))?;
            let triangles = Triangles::narrowest(edges.triangles());
            let planes = Planes::new(&triangles, mesh.runtime());
            facing.instances.push(InstanceFacing { facing: Facing::new(triangles.len()), triangles, planes });
            facing.edges.push(edges);
        }
        Ok(facing)
    }

    /// Computes which triangles of a mesh instance face a light or an eye.
    pub(super) fn update(
        &mut self,
        instance: usize,
        points: PositionView<'_>,
        light: Light,
    ) -> Result<(&Edges, &Facing), CliError> {
        let InstanceFacing { triangles, planes, facing } = &mut self.instances[instance];
        planes.derive(points, triangles, PlaneNormals::TwiceArea)?;
        planes.facing(light, facing)?;
        Ok((&self.edges[instance], facing))
    }
}
