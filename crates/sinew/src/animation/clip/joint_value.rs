//! What a track of a joint animates: rotations, or translations and scales, and their blocks of
//! eight keys.

use sinew_kernels::{
    BLOCK, Kernels, KeyFactor, KeyTarget, PackedTarget, RotationBlock, RotationKeyBlock,
    SamplePackedRotations, SamplePackedVectors, SampleRotations, SampleVectors, VectorBlock,
};

use super::hermite::HermiteBasis;
use crate::math::{flush, slerp};

/// A value of a joint's channel.
pub(super) trait JointValue: Copy + PartialEq + std::fmt::Debug + 'static {
    /// Eight values of a pose.
    type PoseBlock: Copy + std::fmt::Debug;
    /// The keys of eight tracks at one time.
    type KeyBlock: Copy + Default + std::fmt::Debug;
    /// What a key says about the way to the next one: see [`RotationKeyBlock::angle_squared`].
    type Angle: Copy + Default + std::fmt::Debug;
    /// Whether a key says anything about it.
    const HAS_ANGLES: bool = size_of::<Self::Angle>() > 0;
    /// The number of floats of a key, with what it says about the way.
    const KEY_FLOATS: usize = (size_of::<Self>() + size_of::<Self::Angle>()) / size_of::<f32>();

    /// Interpolates linearly with the kernel's bits, where that needs no kernel.
    const LERP: Option<fn(Self, Self, f32) -> Self>;

    fn key(block: &Self::KeyBlock, lane: usize) -> Self;
    fn set_key(block: &mut Self::KeyBlock, lane: usize, value: Self);
    /// Sets what a key says about the way to the next one.
    fn set_angle(block: &mut Self::KeyBlock, lane: usize, angle: Self::Angle);
    fn angle(self, next: Self) -> Self::Angle;
    /// What a key says about the way as a number, the last one of a key.
    fn angle_component(angle: Self::Angle) -> Option<f32>;
    /// The numbers of a value.
    fn components(&self) -> impl Iterator<Item = f32>;
    fn from_components(component: impl FnMut(usize) -> f32) -> Self;
    /// Interpolates linearly when a clip is built: the same bits on every machine.
    fn resample(self, next: Self, factor: f64) -> Self;
    fn set_pose(block: &mut Self::PoseBlock, lane: usize, value: Self);
    fn pose(block: &Self::PoseBlock, lane: usize) -> Self;
    /// Eight values of no meaning.
    const POSE_BLOCK: Self::PoseBlock;
    /// Copies some lanes.
    fn copy(from: &Self::PoseBlock, lanes: [bool; BLOCK], to: &mut Self::PoseBlock);
    /// Interpolates keys into the lanes of their targets.
    fn sample(
        kernels: &Kernels,
        keys: [&[Self::KeyBlock]; 2],
        factor: KeyFactor<'_>,
        targets: &[KeyTarget],
        to: &mut [Self::PoseBlock],
    );
    /// The same for keys of which only the targets' lanes are stored.
    fn sample_packed(
        kernels: &Kernels,
        keys: [&[f32]; 2],
        factor: f32,
        targets: &[PackedTarget],
        to: &mut [Self::PoseBlock],
    );
    /// Interpolates between two keys of a cubic track.
    fn curve(basis: HermiteBasis, ends: [Self; 4]) -> Self;
}

impl JointValue for [f32; 4] {
    type PoseBlock = RotationBlock;
    type KeyBlock = RotationKeyBlock;
    type Angle = f32;
    const POSE_BLOCK: RotationBlock = RotationBlock::IDENTITY;
    const LERP: Option<fn(Self, Self, f32) -> Self> = None;

    fn key(block: &RotationKeyBlock, lane: usize) -> Self {
        block.rotation.rotation(lane)
    }

    #[inline]
    fn set_key(block: &mut RotationKeyBlock, lane: usize, value: Self) {
        block.rotation.set_rotation(lane, value);
    }

    #[inline]
    fn set_angle(block: &mut RotationKeyBlock, lane: usize, angle: f32) {
        block.angle_squared[lane] = angle;
    }

    fn angle(self, next: Self) -> f32 {
        let (squared, away) = slerp::angle_squared(self, next);
        // Smaller angles do not matter, and their products would be subnormal.
        let squared = if squared < 1e-14 { 0.0 } else { squared as f32 };
        if away { -squared } else { squared }
    }

    fn angle_component(angle: f32) -> Option<f32> {
        Some(angle)
    }

    fn components(&self) -> impl Iterator<Item = f32> {
        self.iter().copied()
    }

    fn from_components(component: impl FnMut(usize) -> f32) -> Self {
        std::array::from_fn(component)
    }

    fn resample(self, next: Self, factor: f64) -> Self {
        flush::rotation(slerp::slerp_unit(self, next, factor))
    }

    #[inline]
    fn set_pose(block: &mut RotationBlock, lane: usize, value: Self) {
        block.set_rotation(lane, value);
    }

    fn pose(block: &RotationBlock, lane: usize) -> Self {
        block.rotation(lane)
    }

    fn copy(from: &RotationBlock, lanes: [bool; BLOCK], to: &mut RotationBlock) {
        copy_rows(&from.rows, lanes, &mut to.rows);
    }

    fn sample(
        kernels: &Kernels,
        [from, to]: [&[RotationKeyBlock]; 2],
        factor: KeyFactor<'_>,
        targets: &[KeyTarget],
        rotations: &mut [RotationBlock],
    ) {
        kernels.sample_rotations(SampleRotations { from, to, factor, targets, rotations });
    }

    fn sample_packed(
        kernels: &Kernels,
        [from, to]: [&[f32]; 2],
        factor: f32,
        targets: &[PackedTarget],
        rotations: &mut [RotationBlock],
    ) {
        kernels.sample_packed_rotations(SamplePackedRotations { from, to, factor, targets, rotations });
    }

    fn curve(basis: HermiteBasis, [from, slope_out, slope_in, to]: [Self; 4]) -> Self {
        basis.rotation(from, slope_out, slope_in, to)
    }
}

impl JointValue for [f32; 3] {
    type PoseBlock = VectorBlock;
    type KeyBlock = VectorBlock;
    type Angle = ();
    const POSE_BLOCK: VectorBlock = VectorBlock { rows: [[0.0; BLOCK]; 3] };
    const LERP: Option<fn(Self, Self, f32) -> Self> = Some(lerp_like_kernel);

    fn key(block: &VectorBlock, lane: usize) -> Self {
        block.vector(lane)
    }

    #[inline]
    fn set_key(block: &mut VectorBlock, lane: usize, value: Self) {
        block.set_vector(lane, value);
    }

    #[inline]
    fn set_angle(_: &mut VectorBlock, _: usize, (): ()) {}

    fn angle(self, _: Self) {}

    fn angle_component((): ()) -> Option<f32> {
        None
    }

    fn components(&self) -> impl Iterator<Item = f32> {
        self.iter().copied()
    }

    fn from_components(component: impl FnMut(usize) -> f32) -> Self {
        std::array::from_fn(component)
    }

    fn resample(self, next: Self, factor: f64) -> Self {
        let lerp = |i: usize| {
            let (from, to) = (f64::from(self[i]), f64::from(next[i]));
            flush::scalar((from + (to - from) * factor) as f32)
        };
        [lerp(0), lerp(1), lerp(2)]
    }

    #[inline]
    fn set_pose(block: &mut VectorBlock, lane: usize, value: Self) {
        block.set_vector(lane, value);
    }

    fn pose(block: &VectorBlock, lane: usize) -> Self {
        block.vector(lane)
    }

    fn copy(from: &VectorBlock, lanes: [bool; BLOCK], to: &mut VectorBlock) {
        copy_rows(&from.rows, lanes, &mut to.rows);
    }

    fn sample(
        kernels: &Kernels,
        [from, to]: [&[VectorBlock]; 2],
        factor: KeyFactor<'_>,
        targets: &[KeyTarget],
        vectors: &mut [VectorBlock],
    ) {
        kernels.sample_vectors(SampleVectors { from, to, factor, targets, vectors });
    }

    fn sample_packed(
        kernels: &Kernels,
        [from, to]: [&[f32]; 2],
        factor: f32,
        targets: &[PackedTarget],
        vectors: &mut [VectorBlock],
    ) {
        kernels.sample_packed_vectors(SamplePackedVectors { from, to, factor, targets, vectors });
    }

    fn curve(basis: HermiteBasis, [from, slope_out, slope_in, to]: [Self; 4]) -> Self {
        basis.vector(from, slope_out, slope_in, to)
    }
}

/// What the kernel computes of translations and scales.
#[inline]
fn lerp_like_kernel(from: [f32; 3], to: [f32; 3], factor: f32) -> [f32; 3] {
    [
        from[0] + (to[0] - from[0]) * factor,
        from[1] + (to[1] - from[1]) * factor,
        from[2] + (to[2] - from[2]) * factor,
    ]
}

#[inline]
fn copy_rows<const N: usize>(from: &[[f32; BLOCK]; N], lanes: [bool; BLOCK], to: &mut [[f32; BLOCK]; N]) {
    if lanes == [true; BLOCK] {
        *to = *from;
        return;
    }
    for (to, from) in to.iter_mut().zip(from) {
        for lane in 0..BLOCK {
            // Not a branch: the lanes of a block have no pattern.
            to[lane] = if lanes[lane] { from[lane] } else { to[lane] };
        }
    }
}
