//! Joints in blocks of eight, and back. Lanes past the last joint hold the identity.

use sinew_kernels::{BLOCK, Joint, PoseBlocks, RotationBlock, RotationKeyBlock, Scale, VectorBlock};

/// The blocks of a pose.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseArrays {
    /// Eight rotations each.
    pub rotations: Vec<RotationBlock>,
    /// Eight translations each.
    pub translations: Vec<VectorBlock>,
    /// Eight scales each, or none.
    pub scales: Vec<VectorBlock>,
}

impl PoseArrays {
    /// The blocks of joints, and of their scales if there are any.
    #[must_use]
    pub fn new(joints: &[Joint], scales: &[Scale]) -> Self {
        Self {
            rotations: rotation_blocks(joints.iter().map(|joint| joint.rotation)),
            translations: vector_blocks(joints.iter().map(|joint| joint.translation), 0.0),
            scales: vector_blocks(scales.iter().map(|scale| scale.factors), 1.0),
        }
    }

    /// The form that kernels take.
    #[must_use]
    pub fn blocks(&self) -> PoseBlocks<'_> {
        PoseBlocks { rotations: &self.rotations, translations: &self.translations, scales: &self.scales }
    }

    /// The first joints.
    #[must_use]
    pub fn joints(&self, len: usize) -> Vec<Joint> {
        let joint = |i: usize| {
            let (block, lane) = (i / BLOCK, i % BLOCK);
            Joint::new(self.rotations[block].rotation(lane), self.translations[block].vector(lane))
        };
        (0..len).map(joint).collect()
    }

    /// The scales of the first joints.
    #[must_use]
    pub fn scale_list(&self, len: usize) -> Vec<Scale> {
        (0..len).map(|i| Scale::new(self.scales[i / BLOCK].vector(i % BLOCK))).collect()
    }
}

/// Blocks of rotations.
pub fn rotation_blocks(rotations: impl ExactSizeIterator<Item = [f32; 4]>) -> Vec<RotationBlock> {
    let mut blocks = vec![RotationBlock::IDENTITY; rotations.len().div_ceil(BLOCK)];
    for (i, rotation) in rotations.enumerate() {
        blocks[i / BLOCK].set_rotation(i % BLOCK, rotation);
    }
    blocks
}

/// Blocks of rotation keys, each with the squared angle to a next key.
pub fn rotation_key_blocks(keys: impl ExactSizeIterator<Item = ([f32; 4], f32)>) -> Vec<RotationKeyBlock> {
    let mut blocks = vec![RotationKeyBlock::default(); keys.len().div_ceil(BLOCK)];
    for (i, (rotation, angle)) in keys.enumerate() {
        blocks[i / BLOCK].rotation.set_rotation(i % BLOCK, rotation);
        blocks[i / BLOCK].angle_squared[i % BLOCK] = angle;
    }
    blocks
}

/// Blocks of vectors. Lanes past the last one hold `rest`.
pub fn vector_blocks(vectors: impl ExactSizeIterator<Item = [f32; 3]>, rest: f32) -> Vec<VectorBlock> {
    let mut blocks = vec![VectorBlock { rows: [[rest; BLOCK]; 3] }; vectors.len().div_ceil(BLOCK)];
    for (i, vector) in vectors.enumerate() {
        blocks[i / BLOCK].set_vector(i % BLOCK, vector);
    }
    blocks
}

/// Factors for whole blocks: zero past the last one.
#[must_use]
pub fn whole_blocks(factors: &[f32]) -> Vec<f32> {
    let mut factors = factors.to_vec();
    factors.resize(factors.len().next_multiple_of(BLOCK), 0.0);
    factors
}
