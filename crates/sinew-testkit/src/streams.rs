//! The output of kernels, as named streams of floats to compare.

use sinew_kernels::{BLOCK, Joint, Matrix, Plane, RotationBlock, Scale, VectorBlock};

use crate::checksum::Checksum;
use crate::guarded::Guarded;

/// The floats that a kernel wrote.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The kernel, and which of its outputs.
    pub name: String,
    /// In memory order, without padding.
    pub floats: Vec<f32>,
}

/// The output of all kernels, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct Streams(pub Vec<Stream>);

impl Streams {
    pub(crate) fn floats(&mut self, name: impl Into<String>, floats: &Guarded<f32>) {
        floats.check();
        self.push(name, floats.to_vec());
    }

    /// The first rotations of blocks.
    pub(crate) fn rotation_blocks(
        &mut self,
        name: impl Into<String>,
        blocks: &Guarded<RotationBlock>,
        len: usize,
    ) {
        blocks.check();
        self.push(name, (0..len).flat_map(|i| blocks[i / BLOCK].rotation(i % BLOCK)).collect());
    }

    /// The first vectors of blocks.
    pub(crate) fn vector_blocks(
        &mut self,
        name: impl Into<String>,
        blocks: &Guarded<VectorBlock>,
        len: usize,
    ) {
        blocks.check();
        self.push(name, (0..len).flat_map(|i| blocks[i / BLOCK].vector(i % BLOCK)).collect());
    }

    pub(crate) fn scales(&mut self, name: impl Into<String>, scales: &Guarded<Scale>) {
        scales.check();
        let mut numbers = scales.iter().filter(|scale| !scale.factors.iter().any(|f| f.is_nan()));
        assert!(numbers.all(|scale| *scale == Scale::new(scale.factors)), "pads of scales are zero");
        self.push(name, scales.iter().flat_map(|scale| scale.factors).collect());
    }

    pub(crate) fn matrices(&mut self, name: impl Into<String>, matrices: &Guarded<Matrix>) {
        matrices.check();
        self.push(name, matrices.iter().flat_map(|m| m.rows).flatten().collect());
    }

    pub(crate) fn planes(&mut self, name: impl Into<String>, planes: &Guarded<Plane>) {
        planes.check();
        let floats = planes.iter().flat_map(|&Plane { normal: [x, y, z], distance }| [x, y, z, distance]);
        self.push(name, floats.collect());
    }

    /// One number per bit.
    pub(crate) fn bits(&mut self, name: impl Into<String>, bits: impl Iterator<Item = bool>) {
        self.push(name, bits.map(|bit| f32::from(u8::from(bit))).collect());
    }

    /// Adds two streams: rotations and translations.
    pub(crate) fn joints(&mut self, name: &str, joints: &Guarded<Joint>) {
        joints.check();
        let is_number = |j: &&Joint| !j.rotation.iter().chain(&j.translation).any(|f| f.is_nan());
        let mut numbers = joints.iter().filter(is_number);
        assert!(numbers.all(|j| *j == Joint::new(j.rotation, j.translation)), "pads of joints are zero");
        self.push(format!("{name}, rotation"), joints.iter().flat_map(|joint| joint.rotation).collect());
        self.push(
            format!("{name}, translation"),
            joints.iter().flat_map(|joint| joint.translation).collect(),
        );
    }

    fn push(&mut self, name: impl Into<String>, floats: Vec<f32>) {
        self.0.push(Stream { name: name.into(), floats });
    }

    /// The checksum of all streams in order.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let mut sum = Checksum::new();
        for stream in &self.0 {
            sum.add(&stream.floats);
        }
        sum.value()
    }

    /// Checks for equal bits.
    ///
    /// # Panics
    ///
    /// When a bit differs.
    #[track_caller]
    pub fn assert_same_bits(&self, expected: &Self, context: &str) {
        for (found, expected) in self.pairs(expected) {
            found.assert_same_bits(expected, context);
        }
    }

    #[track_caller]
    fn pairs<'a>(&'a self, expected: &'a Self) -> impl Iterator<Item = (&'a Stream, &'a Stream)> {
        assert_eq!(self.0.len(), expected.0.len(), "as many streams");
        self.0.iter().zip(&expected.0)
    }
}

impl Stream {
    #[track_caller]
    fn assert_same_bits(&self, expected: &Self, context: &str) {
        let name = &self.name;
        assert_eq!((name, self.floats.len()), (&expected.name, expected.floats.len()), "{context}");
        for (i, (&a, &b)) in self.floats.iter().zip(&expected.floats).enumerate() {
            assert!(
                a.to_bits() == b.to_bits(),
                "{context}: {name}: float {i}: expected {b:?} ({:08x}), found {a:?} ({:08x})",
                b.to_bits(),
                a.to_bits()
            );
        }
    }
}
