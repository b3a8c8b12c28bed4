//! Builds meshes from mesh blocks: repairs weights, reverses the winding, computes normals.

use std::collections::HashMap;

use sinew::model::Material;

use super::joints::Joints;
use super::mesh_block::{MeshBlock, Vertex};
use super::normals::vertex_normals;
use crate::error::BoxedError as Error;
use crate::scene::{Budget, WarningCount};
use crate::text_location::TextLocation;
use crate::{RawInfluences, RawPrimitive, Report};

/// How far the weights of a vertex may sum from one by rounding in the file.
const SUM_TOLERANCE: f64 = 1e-3;

/// The most bytes that an influence takes, when no two vertices share a joint set, and the bytes of
/// a mesh besides its vertices. Measured.
const INFLUENCE_BYTES: u64 = 240;
const MESH_BYTES: u64 = 1024;

/// The bytes per joint of the skin that building a mesh takes temporarily. They are charged because
/// many meshes times many joints take time.
const JOINT_BYTES: u64 = 8;

/// The number of copies of a mesh's names.
const NAME_COPIES: u64 = 3;

/// The meshes built so far, and their warnings.
#[derive(Default)]
pub(super) struct MeshBuilder {
    pub(super) primitives: Vec<RawPrimitive<'static>>,
    pub(super) materials: Materials,
    empty: WarningCount<TextLocation>,
    negative: WarningCount<TextLocation>,
    weightless: WarningCount<TextLocation>,
    unnormalized: WarningCount<TextLocation>,
}

impl MeshBuilder {
    /// Builds the mesh of a block.
    pub(super) fn add(&mut self, block: &MeshBlock, joints: &Joints, budget: &Budget) -> Result<(), Error> {
        if block.vertices.is_empty() {
            self.empty.add(block.location);
        }
        let names = block.name.len() + block.shader.as_ref().map_or(0, String::len);
        let bytes = MESH_BYTES + JOINT_BYTES * joints.binds.len() as u64 + NAME_COPIES * names as u64;
        budget.charge(block.location, "meshes", 1, bytes)?;
        let lists = self.collect_influences(block, joints, budget)?;
        let triangles: Vec<[u32; 3]> = block.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        let normals = vertex_normals(&lists.positions, &triangles);
        let texture_coordinates = block.vertices.iter().map(|vertex| vertex.texture_coordinates).collect();
        let name = match block.name.as_str() {
            "" => format!("mesh {}", self.primitives.len()),
            name => name.to_owned(),
        };
        let InfluenceLists { counts, joints, weights, vectors, positions } = lists;
        self.primitives.push(RawPrimitive {
            name,
            location: format!("mesh at {}", block.location),
            positions: positions.into(),
            normals: Some(normals.into()),
            texture_coordinates: vec![texture_coordinates],
            corners: Some(triangles.into_flattened().into()),
            influences: RawInfluences::JointSpace { counts, joints, weights, vectors },
            material: block.shader.as_deref().map(|shader| self.materials.find_or_add(shader)),
            ..RawPrimitive::default()
        });
        Ok(())
    }

    /// Reports the warnings of all meshes.
    pub(super) fn report_warnings(&self, report: &mut Report) -> Result<(), Error> {
        self.empty.warn_at_first(
            report,
            "",
            "mesh blocks have no vertices",
            "each is a mesh instance without vertices",
        )?;
        self.negative.warn_at_first(report, "", "weights are negative", "they count as zero")?;
        let found = "vertices have no weight above zero";
        self.weightless.warn_at_first(report, "", found, "they were placed at the origin, on joint 0")?;
        let found = "vertices have weights that do not sum to one";
        self.unnormalized.warn_at_first(report, "", found, "the weights stay as stored, as in the engine")
    }

    /// Collects the influences of all vertices of a block.
    fn collect_influences(
        &mut self,
        block: &MeshBlock,
        joints: &Joints,
        budget: &Budget,
    ) -> Result<InfluenceLists, Error> {
        let influences = block.vertices.iter().fold(0_u64, |sum, v| sum.saturating_add(v.count as u64));
        budget.charge(block.location, "influences", influences, INFLUENCE_BYTES)?;
        let mut lists = InfluenceLists::default();
        for vertex in &block.vertices {
            self.collect_vertex(block, vertex, joints, &mut lists)?;
        }
        Ok(lists)
    }

    fn collect_vertex(
        &mut self,
        block: &MeshBlock,
        vertex: &Vertex,
        joints: &Joints,
        lists: &mut InfluenceLists,
    ) -> Result<(), Error> {
        let weights =
            vertex.first.checked_add(vertex.count).and_then(|end| block.weights.get(vertex.first..end));
        let weights = weights.ok_or_else(|| {
            let expected = format!("a range of the mesh's {} weights", block.weights.len());
            let found = format!("{} from index {}", vertex.count, vertex.first);
            Error::invalid(vertex.location.to_string(), expected, found)
        })?;
        let (mut sum, mut position) = (0.0, [0.0; 3]);
        let start = lists.joints.len();
        for influence in weights {
            if influence.weight < 0.0 {
                self.negative.add(influence.location);
            }
            if influence.weight > 0.0 {
                let weight = f64::from(influence.weight);
                let at = joints.binds[influence.joint as usize].transform_point(influence.vector);
                sum += weight;
                position = std::array::from_fn(|axis| position[axis] + weight * at[axis]);
                lists.push(influence.joint, influence.weight, influence.vector);
            }
        }
        if lists.joints.len() == start {
            self.weightless.add(vertex.location);
            lists.push(0, 1.0, joints.binds[0].inverse_transform_point([0.0; 3]));
        } else if (sum - 1.0).abs() > SUM_TOLERANCE {
            self.unnormalized.add(vertex.location);
        }
        // At most one influence per weight of the file, each of which takes bytes: the count fits
        // `u32`.
        lists.counts.push((lists.joints.len() - start) as u32);
        lists.positions.push(position.map(|component| component as f32));
        Ok(())
    }
}

/// Influences in the form that [`MeshSource`] takes.
#[derive(Default)]
struct InfluenceLists {
    counts: Vec<u32>,
    joints: Vec<u32>,
    weights: Vec<f32>,
    vectors: Vec<[f32; 3]>,
    /// The positions of the vertices in the bind pose.
    positions: Vec<[f32; 3]>,
}

impl InfluenceLists {
    fn push(&mut self, joint: u32, weight: f32, vector: [f64; 3]) {
        self.joints.push(joint);
        self.weights.push(weight);
        self.vectors.push(vector.map(|component| component as f32));
    }
}

/// Materials by name: meshes with the same shader share one.
#[derive(Default)]
pub(super) struct Materials {
    pub(super) all: Vec<Material>,
    by_name: HashMap<String, usize>,
}

impl Materials {
    fn find_or_add(&mut self, name: &str) -> usize {
        if let Some(&material) = self.by_name.get(name) {
            return material;
        }
        let material = self.all.len();
        self.all.push(Material { name: name.to_owned(), ..Material::default() });
        self.by_name.insert(name.to_owned(), material);
        material
    }
}
