//! A surface in plain arrays, and the mesh, the skin and the palette made of it.

use std::error::Error;

use sinew::{
    Bone, DualPalette, Influences, Kernels, Matrix, Mesh, MeshSource, Palette, Skeleton, Skin, Transform,
};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

/// What a model has of what is skinned, all of it in one mesh.
#[derive(Default)]
pub(crate) struct Surface {
    pub(crate) name: String,
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) tangents: Vec<[f32; 4]>,
    /// How many influences each vertex has.
    pub(crate) counts: Vec<u32>,
    /// One vertex after the other.
    pub(crate) joints: Vec<u32>,
    pub(crate) weights: Vec<f32>,
    pub(crate) skin_len: usize,
}

impl Surface {
    /// A scene by rule.
    pub(crate) fn of_scene(name: &str) -> Result<Self, Box<dyn Error>> {
        let scene = sinew_figures::scene(name)?;
        let shape = scene.shape;
        Ok(Self {
            name: name.to_owned(),
            positions: shape.positions,
            normals: shape.normals,
            tangents: shape.tangents,
            counts: shape.influence_counts,
            joints: shape.joints,
            weights: shape.weights,
            skin_len: scene.skin_joints.len(),
        })
    }

    /// The surface and a second one like it, on joints of its own.
    pub(crate) fn twice(mut self) -> Self {
        self.name = format!("{} twice", self.name);
        let joints: Vec<u32> = self.joints.iter().map(|joint| joint + self.skin_len as u32).collect();
        self.positions.extend_from_within(..);
        self.normals.extend_from_within(..);
        self.tangents.extend_from_within(..);
        self.counts.extend_from_within(..);
        self.joints.extend(joints);
        self.weights.extend_from_within(..);
        self.skin_len *= 2;
        self
    }

    /// Where the joints are: anywhere, which does not matter to the time.
    pub(crate) fn model_from_joint(&self) -> Vec<Matrix> {
        rigs::rigid_matrices(self.skin_len, &mut Random::new(1))
    }

    /// The mesh on these kernels.
    pub(crate) fn rig(&self, kernels: &'static Kernels, levels: &[usize]) -> Result<Rig, sinew::Error> {
        let bone = Bone::new("", None, Transform::IDENTITY);
        let skeleton = Skeleton::new(&vec![bone; self.skin_len])?.with_kernels(kernels);
        let joints: Vec<usize> = (0..self.skin_len).collect();
        let skin = Skin::new(&skeleton, &joints)?;
        let mut palette = Palette::new(&skin);
        palette.update(&self.model_from_joint(), &skin)?;
        let mut duals = DualPalette::new(&skin);
        duals.update(&palette)?;
        let influences =
            Influences::Listed { counts: &self.counts, joints: &self.joints, weights: &self.weights };
        let source = MeshSource {
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
            levels,
            ..MeshSource::new(&self.positions, influences)
        };
        Ok(Rig { mesh: Mesh::new(&source, &skin)?, palette, duals })
    }
}

/// A mesh and where to take it, on the kernels of one instruction set and rounding.
pub(crate) struct Rig {
    pub(crate) mesh: Mesh,
    pub(crate) palette: Palette,
    pub(crate) duals: DualPalette,
}

impl Rig {
    /// The bytes that a frame reads of so many vectors, and those of the blocks that it writes.
    pub(crate) fn bytes(&self, vectors: usize) -> usize {
        let floats_of_weights = (self.mesh.layout().skinned_influences - 1.0).max(0.0);
        let floats_of_place = floats_of_weights + 2.0 * 3.0 * vectors as f64;
        (self.mesh.padded_len() as f64 * 4.0 * floats_of_place) as usize
    }
}
