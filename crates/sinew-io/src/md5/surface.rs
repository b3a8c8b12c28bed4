//! From a mesh block to a surface: weights mended where they must be, triangles turned, normals made.

use std::collections::HashMap;

use sinew::{Influences, Material, Mesh, MeshSource, Surface};

use super::budget::Budget;
use super::joints::Joints;
use super::mesh::{Block, Vertex};
use super::normals::normals;
use super::tally::Tally;
use crate::{Error, Options, Report, Tangents};

/// How far from one the weights of a vertex may sum by rounding in the file.
const ROUNDING: f64 = 1e-3;

/// What an influence takes in memory at most, where no two vertices hang on the same joints, and a mesh beside its
/// vertices. Measured.
const INFLUENCE_BYTES: u64 = 240;
const MESH_BYTES: u64 = 1024;

/// What a mesh takes for each joint of the skin. That is given back, but many meshes times many joints take time.
const JOINT_BYTES: u64 = 8;

/// What making tangents takes for each triangle, and gives back.
const TANGENT_BYTES: u64 = 540;

/// How often the names of a mesh are kept.
const NAMES: u64 = 3;

/// Surfaces made so far, and what was odd about them.
pub(super) struct Surfaces {
    pub(super) made: Vec<Surface>,
    pub(super) materials: Materials,
    levels: Vec<usize>,
    tangents: Tangents,
    empty: Tally,
    negative: Tally,
    weightless: Tally,
    other_sum: Tally,
}

impl Surfaces {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            made: Vec::new(),
            materials: Materials::default(),
            levels: options.levels.clone(),
            tangents: options.tangents,
            empty: Tally::default(),
            negative: Tally::default(),
            weightless: Tally::default(),
            other_sum: Tally::default(),
        }
    }

    /// Makes the surface of a block.
    pub(super) fn add(&mut self, block: &Block, joints: &Joints, budget: &mut Budget) -> Result<(), Error> {
        if block.vertices.is_empty() {
            self.empty.add(block.place);
        }
        let names = block.name.len() + block.shader.as_ref().map_or(0, String::len);
        let bytes = MESH_BYTES + JOINT_BYTES * joints.binds.len() as u64 + NAMES * names as u64;
        budget.charge(block.place, "meshes", 1, bytes)?;
        let listed = self.listed(block, joints, budget)?;
        let triangles: Vec<[u32; 3]> = block.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        let normals = normals(&listed.positions, &triangles);
        let texture_coordinates: Vec<[f32; 2]> =
            block.vertices.iter().map(|vertex| vertex.texture_coordinates).collect();
        let model = |error| Error::model(format!("mesh at {}", block.place), error);
        let tangents = match self.tangents {
            Tangents::AsStored => None,
            Tangents::Made => {
                budget.charge(block.place, "tangents", triangles.len() as u64, TANGENT_BYTES)?;
                let made = sinew::tangents(&listed.positions, &normals, &texture_coordinates, &triangles);
                Some(made.map_err(model)?)
            }
        };
        let Listed { counts, joints: of, weights, vectors, .. } = &listed;
        let source = MeshSource {
            normals: Some(&normals),
            tangents: tangents.as_deref(),
            triangles: &triangles,
            levels: &self.levels,
            ..MeshSource::new(&[], Influences::JointSpace { counts, joints: of, weights, vectors })
        };
        let mesh = Mesh::new(&source, &joints.skin).map_err(model)?;
        let name = match block.name.as_str() {
            "" => format!("mesh {}", self.made.len()),
            name => name.to_owned(),
        };
        self.made.push(Surface {
            name,
            mesh,
            texture_coordinates: vec![texture_coordinates],
            colours: Vec::new(),
            material: block.shader.as_deref().map(|shader| self.materials.named(shader)),
        });
        Ok(())
    }

    /// Notes what was odd.
    pub(super) fn note(&self, report: &mut Report) -> Result<(), Error> {
        self.empty.note(report, "", "mesh blocks have no vertices", "each is a part without vertices")?;
        self.negative.note(report, "", "weights are negative", "they count as zero")?;
        let found = "vertices have no weight above zero";
        self.weightless.note(report, "", found, "they stand at the origin and ride joint 0")?;
        let found = "vertices have weights that do not sum to one";
        self.other_sum.note(report, "", found, "the weights stay as stored, as in the engine")
    }

    /// The influences of all vertices of a block, one after the other.
    fn listed(&mut self, block: &Block, joints: &Joints, budget: &mut Budget) -> Result<Listed, Error> {
        let influences = block.vertices.iter().fold(0_u64, |sum, v| sum.saturating_add(v.count as u64));
        budget.charge(block.place, "influences", influences, INFLUENCE_BYTES)?;
        let mut listed = Listed::default();
        for vertex in &block.vertices {
            self.list(block, vertex, joints, &mut listed)?;
        }
        Ok(listed)
    }

    fn list(
        &mut self,
        block: &Block,
        vertex: &Vertex,
        joints: &Joints,
        listed: &mut Listed,
    ) -> Result<(), Error> {
        let own = vertex.first.checked_add(vertex.count).and_then(|end| block.weights.get(vertex.first..end));
        let own = own.ok_or_else(|| {
            let expected = format!("a run of the mesh's {} weights", block.weights.len());
            let found = format!("{} from number {}", vertex.count, vertex.first);
            Error::fault(vertex.place.to_string(), expected, found)
        })?;
        let (mut sum, mut position) = (0.0, [0.0; 3]);
        let start = listed.joints.len();
        for influence in own {
            if influence.weight < 0.0 {
                self.negative.add(influence.place);
            }
            if influence.weight > 0.0 {
                let weight = f64::from(influence.weight);
                let at = joints.binds[influence.joint as usize].point(influence.vector);
                sum += weight;
                position = std::array::from_fn(|axis| position[axis] + weight * at[axis]);
                listed.push(influence.joint, influence.weight, influence.vector);
            }
        }
        if listed.joints.len() == start {
            self.weightless.add(vertex.place);
            listed.push(0, 1.0, joints.binds[0].vector([0.0; 3]));
        } else if (sum - 1.0).abs() > ROUNDING {
            self.other_sum.add(vertex.place);
        }
        // As many as weights of the file at most, each of which takes bytes: they fit.
        listed.counts.push((listed.joints.len() - start) as u32);
        listed.positions.push(position.map(|component| component as f32));
        Ok(())
    }
}

/// Influences as a mesh takes them.
#[derive(Default)]
struct Listed {
    counts: Vec<u32>,
    joints: Vec<u32>,
    weights: Vec<f32>,
    vectors: Vec<[f32; 3]>,
    /// Of the vertices, at the bind.
    positions: Vec<[f32; 3]>,
}

impl Listed {
    fn push(&mut self, joint: u32, weight: f32, vector: [f64; 3]) {
        self.joints.push(joint);
        self.weights.push(weight);
        self.vectors.push(vector.map(|component| component as f32));
    }
}

/// Materials by name: meshes of the same shader share one.
#[derive(Default)]
pub(super) struct Materials {
    pub(super) all: Vec<Material>,
    by_name: HashMap<String, usize>,
}

impl Materials {
    fn named(&mut self, name: &str) -> usize {
        if let Some(&material) = self.by_name.get(name) {
            return material;
        }
        let material = self.all.len();
        self.all.push(Material { name: name.to_owned(), ..Material::default() });
        self.by_name.insert(name.to_owned(), material);
        material
    }
}
