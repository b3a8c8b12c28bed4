//! Random inputs for every kernel, and a function that runs all kernels on them.

use std::ops::Range;

use sinew_kernels::*;

use crate::guarded::{Guard, Guarded};
use crate::pose_blocks::{PoseArrays, rotation_key_blocks, vector_blocks, whole_blocks};
use crate::random::Random;
use crate::rigs::{self, SkeletonShape};
use crate::streams::Streams;

/// Inputs for every kernel, with the same number of elements for each.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The parent of each joint.
    pub parents: Vec<u32>,
    /// Local joints.
    pub joints: Vec<Joint>,
    /// The targets of interpolation from [`joints`](Self::joints).
    pub others: Vec<Joint>,
    /// Non-uniform, some of them mirrors.
    pub scales: Vec<Scale>,
    /// The targets of interpolation from [`scales`](Self::scales).
    pub other_scales: Vec<Scale>,
    /// From 0 to 1, both included.
    pub factors: Vec<f32>,
    /// Rotations and translations only.
    pub rigid: Vec<Matrix>,
    /// With scale, mirrors and shear.
    pub sheared: Vec<Matrix>,
    /// The joints of the skin, some of which are identities after the skeleton.
    pub skin: Vec<u32>,
    /// One per joint of the skin.
    pub inverse_binds: Vec<Matrix>,
    /// The vertices of the triangles.
    pub points: Vec<[f32; 3]>,
    /// Some of them without area.
    pub triangles: Triangles,
}

/// The alignment of a batch in memory, and its division into calls.
#[derive(Clone, Debug)]
pub struct BatchLayout {
    /// The number of elements before each slice.
    pub offset: usize,
    /// The elements of each call: consecutive ranges that cover all.
    pub pieces: Vec<Range<usize>>,
}

impl BatchLayout {
    /// One call.
    #[must_use]
    pub fn one_call(len: usize, offset: usize) -> Self {
        Self { offset, pieces: std::iter::once(0..len).collect() }
    }

    /// Up to `calls` calls, some of them empty.
    pub fn split(len: usize, offset: usize, calls: usize, random: &mut Random) -> Self {
        let mut cuts: Vec<usize> = (1..calls).map(|_| random.below(len + 1)).collect();
        cuts.extend([0, len]);
        cuts.sort_unstable();
        Self { offset, pieces: cuts.windows(2).map(|cut| cut[0]..cut[1]).collect() }
    }

    /// The same, in whole blocks of eight elements.
    fn block_pieces(&self) -> impl Iterator<Item = Range<usize>> {
        self.pieces.iter().map(|piece| piece.start.div_ceil(BLOCK)..piece.end.div_ceil(BLOCK))
    }

    fn input<T: Guard>(&self, elements: &[T]) -> Guarded<T> {
        Guarded::holding(elements, self.offset)
    }

    fn output<T: Guard>(&self, len: usize) -> Guarded<T> {
        Guarded::new(len, self.offset)
    }
}

impl Batch {
    /// Random elements. The shape of the skeleton depends on `len`.
    #[must_use]
    pub fn new(len: usize, seed: u64) -> Self {
        let random = &mut Random::new(seed ^ (len as u64) << 32);
        Self {
            parents: rigs::parents(SkeletonShape::ALL[len % 4], len, random),
            joints: rigs::joints(len, random),
            others: rigs::joints(len, random),
            scales: rigs::scales(len, random),
            other_scales: rigs::scales(len, random),
            factors: (0..len).map(|i| [0.0, 1.0, random.fraction()][(i % 7).min(2)]).collect(),
            rigid: rigs::rigid_matrices(len, random),
            sheared: rigs::sheared_matrices(len, random),
            skin: (0..len).map(|_| random.below(len + 2) as u32).collect(),
            inverse_binds: rigs::sheared_matrices(len, random),
            points: (0..50).map(|_| random.vector(0.5)).collect(),
            triangles: Triangles::from(
                (0..len).map(|_| [0; 3].map(|_| random.below(50) as u16)).collect::<Vec<_>>(),
            ),
        }
    }

    /// The number of elements per kernel.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Runs every kernel.
    ///
    /// # Panics
    ///
    /// When a kernel writes outside its slices.
    #[must_use]
    pub fn run(&self, kernels: &Kernels, layout: &BatchLayout) -> Streams {
        let mut streams = Streams::default();
        self.run_conversions(kernels, layout, &mut streams);
        self.run_spaces(kernels, layout, &mut streams);
        self.run_palette(kernels, layout, &mut streams);
        self.run_poses(kernels, layout, &mut streams);
        self.run_pose_to_model(kernels, layout, &mut streams);
        self.run_keys(kernels, layout, &mut streams);
        self.run_planes(kernels, layout, &mut streams);
        streams
    }

    fn run_conversions(&self, kernels: &Kernels, layout: &BatchLayout, streams: &mut Streams) {
        let len = self.len();
        let (joints, scales) = (layout.input(&self.joints), layout.input(&self.scales));
        let mut matrices = layout.output(len);
        for piece in layout.pieces.iter().cloned() {
            let (joints, matrices) = (&joints[piece.clone()], &mut matrices[piece]);
            kernels.joints_to_matrices(JointsToMatrices { joints, scales: None, matrices });
        }
        streams.matrices("joints_to_matrices", &matrices);
        for piece in layout.pieces.iter().cloned() {
            let (joints, scales) = (&joints[piece.clone()], Some(&scales[piece.clone()]));
            kernels.joints_to_matrices(JointsToMatrices { joints, scales, matrices: &mut matrices[piece] });
        }
        streams.matrices("joints_to_matrices with scales", &matrices);

        let (rigid, sheared) = (layout.input(&self.rigid), layout.input(&self.sheared));
        let mut joints = layout.output(len);
        for piece in layout.pieces.iter().cloned() {
            let (matrices, joints) = (&rigid[piece.clone()], &mut joints[piece]);
            kernels.matrices_to_joints(MatricesToJoints { matrices, joints });
        }
        streams.joints("matrices_to_joints", &joints);
        let (mut scales, mut residuals) = (layout.output(len), layout.output(len));
        for piece in layout.pieces.iter().cloned() {
            kernels.matrices_to_scaled_joints(MatricesToScaledJoints {
                matrices: &sheared[piece.clone()],
                joints: &mut joints[piece.clone()],
                scales: &mut scales[piece.clone()],
                residuals: &mut residuals[piece],
            });
        }
        streams.joints("matrices_to_scaled_joints", &joints);
        streams.scales("matrices_to_scaled_joints, scale", &scales);
        streams.floats("matrices_to_scaled_joints, residual", &residuals);
    }

    fn run_spaces(&self, kernels: &Kernels, layout: &BatchLayout, streams: &mut Streams) {
        let parents = layout.input(&self.parents);
        for (name, matrices) in
            [("local_to_model", &self.rigid), ("local_to_model with scales", &self.sheared)]
        {
            let mut matrices = layout.input(matrices);
            for range in layout.pieces.iter().cloned() {
                kernels.local_to_model(LocalToModel { parents: &parents, range, matrices: &mut matrices });
            }
            streams.matrices(name, &matrices);
        }
        let mut matrices = layout.input(&self.rigid);
        for range in layout.pieces.iter().rev().cloned() {
            kernels.rigid_model_to_local(ModelToLocal { parents: &parents, range, matrices: &mut matrices });
        }
        streams.matrices("rigid_model_to_local", &matrices);
        let mut matrices = layout.input(&self.sheared);
        for range in layout.pieces.iter().rev().cloned() {
            kernels.model_to_local(ModelToLocal { parents: &parents, range, matrices: &mut matrices });
        }
        streams.matrices("model_to_local", &matrices);
    }

    fn run_palette(&self, kernels: &Kernels, layout: &BatchLayout, streams: &mut Streams) {
        let models = layout.input(&[&self.sheared[..], &[Matrix::IDENTITY; 2]].concat());
        let inverse_binds = layout.input(&self.inverse_binds);
        let mut palette = layout.output(self.len());
        for piece in layout.pieces.iter().cloned() {
            kernels.palette(ToPalette {
                models: &models,
                joints: &JointList::from(self.skin[piece.clone()].to_vec()),
                inverse_binds: &inverse_binds[piece.clone()],
                palette: &mut palette[piece],
            });
        }
        streams.matrices("palette", &palette);
    }

    fn run_poses(&self, kernels: &Kernels, layout: &BatchLayout, streams: &mut Streams) {
        let [from, to] = self.poses().map(|pose| GuardedPose::new(&pose, layout));
        let (len, blocks) = (self.len(), from.rotations.len());
        let (factors, all) = (layout.input(&whole_blocks(&self.factors)), self.last_factor());
        let (mut rotations, mut translations) = (layout.output(blocks), layout.output(blocks));
        let mut scales = layout.output(blocks);
        for (name, each) in [("one factor", false), ("each a factor", true)] {
            for piece in layout.block_pieces() {
                let lanes = BLOCK * piece.start..BLOCK * piece.end;
                kernels.slerp_poses(SlerpPoses {
                    from: from.blocks(piece.clone()),
                    to: to.blocks(piece.clone()),
                    factor: if each { Factor::Each(&factors[lanes]) } else { Factor::All(all) },
                    rotations: &mut rotations[piece.clone()],
                    translations: &mut translations[piece.clone()],
                    scales: &mut scales[piece],
                });
            }
            streams.rotation_blocks(format!("slerp_poses, {name}"), &rotations, len);
            streams.vector_blocks(format!("slerp_poses, translation, {name}"), &translations, len);
            streams.vector_blocks(format!("slerp_poses, scale, {name}"), &scales, len);
            for piece in layout.block_pieces() {
                let lanes = BLOCK * piece.start..BLOCK * piece.end;
                let joints = lanes.len().min(len.saturating_sub(lanes.start));
                if !each {
                    kernels.blend_two_poses(BlendTwoPoses {
                        one: from.blocks(piece.clone()),
                        other: to.blocks(piece.clone()),
                        weights: [&0.6, &0.4],
                        joints,
                        rotations: &mut rotations[piece.clone()],
                        translations: &mut translations[piece.clone()],
                        scales: &mut scales[piece],
                    });
                    continue;
                }
                let layers = &[
                    BlendLayer { pose: from.blocks(piece.clone()), weight: Factor::Each(&factors[lanes]) },
                    BlendLayer { pose: to.blocks(piece.clone()), weight: Factor::All(0.4) },
                ];
                kernels.blend_poses(BlendPoses {
                    layers,
                    part: BlendPart::All,
                    joints,
                    rotations: &mut rotations[piece.clone()],
                    translations: &mut translations[piece.clone()],
                    scales: &mut scales[piece],
                });
            }
            streams.rotation_blocks(format!("blend_poses, {name}"), &rotations, len);
            streams.vector_blocks(format!("blend_poses, translation, {name}"), &translations, len);
            streams.vector_blocks(format!("blend_poses, scale, {name}"), &scales, len);
            // In place, on what the blend has left.
            for piece in layout.block_pieces() {
                let lanes = BLOCK * piece.start..BLOCK * piece.end;
                kernels.add_poses(AddPoses {
                    pose: to.blocks(piece.clone()),
                    reference: from.blocks(piece.clone()),
                    weight: if each { Factor::Each(&factors[lanes]) } else { Factor::All(all) },
                    rotations: &mut rotations[piece.clone()],
                    translations: &mut translations[piece.clone()],
                    scales: &mut scales[piece],
                });
            }
            streams.rotation_blocks(format!("add_poses, {name}"), &rotations, len);
            streams.vector_blocks(format!("add_poses, translation, {name}"), &translations, len);
            streams.vector_blocks(format!("add_poses, scale, {name}"), &scales, len);
            for piece in layout.block_pieces() {
                kernels.add_pose_offsets(AddPoseOffsets {
                    offset: to.blocks(piece.clone()),
                    velocity: from.blocks(piece.clone()),
                    factors: [all, 0.2],
                    rotations: &mut rotations[piece.clone()],
                    translations: &mut translations[piece.clone()],
                    scales: &mut scales[piece],
                });
            }
            streams.rotation_blocks(format!("add_pose_offsets, {name}"), &rotations, len);
            streams.vector_blocks(format!("add_pose_offsets, translation, {name}"), &translations, len);
            streams.vector_blocks(format!("add_pose_offsets, scale, {name}"), &scales, len);
        }
    }

    fn run_pose_to_model(&self, kernels: &Kernels, layout: &BatchLayout, streams: &mut Streams) {
        let [pose, _] = self.poses().map(|pose| GuardedPose::new(&pose, layout));
        let parents = layout.input(&self.parents);
        for (name, scaled) in [("pose_to_model", false), ("pose_to_model with scales", true)] {
            let mut matrices = layout.output(self.len());
            for range in layout.pieces.iter().cloned() {
                kernels.pose_to_model(PoseToModel {
                    rotations: &pose.rotations,
                    translations: &pose.translations,
                    scales: scaled.then_some(&pose.scales[..]),
                    parents: &parents,
                    range,
                    plan: None,
                    root: if scaled { self.rigid.first() } else { None },
                    matrices: &mut matrices,
                });
            }
            streams.matrices(name, &matrices);
        }
    }

    fn run_keys(&self, kernels: &Kernels, layout: &BatchLayout, streams: &mut Streams) {
        let len = self.len();
        let rotations = self.joints.iter().map(|joint| joint.rotation);
        // Any angles do, of either sign.
        let angles =
            self.factors.iter().enumerate().map(|(i, f)| if i % 3 == 0 { -2.4 * f } else { 2.4 * f });
        let from = rotation_key_blocks(rotations.zip(angles).collect::<Vec<_>>().into_iter());
        let to = rotation_key_blocks(self.others.iter().map(|joint| (joint.rotation, 0.0)));
        let [moves, other_moves] = self.poses().map(|pose| layout.input(&pose.translations));
        let times = self.factors.iter().map(|&factor| [factor, 1.0 + factor, 0.75]);
        let times = layout.input(&vector_blocks(times, 0.0));
        let targets: Vec<KeyTarget> = (0..from.len()).map(|block| self.key_target(block)).collect();
        let [from_chords, to_chords] = self.poses().map(|pose| layout.input(&pose.rotations));
        let mut sampled = layout.input(&vec![RotationBlock::IDENTITY; from.len()]);
        let mut nlerped = layout.input(&vec![RotationBlock::IDENTITY; from.len()]);
        let mut vectors = layout.input(&vec![VectorBlock::default(); from.len()]);
        for (name, each) in [("one factor", false), ("times", true)] {
            for piece in layout.block_pieces() {
                let (piece, times) = (piece.clone(), &times[piece]);
                let factor =
                    if each { KeyFactor::Times(1.5, times) } else { KeyFactor::All(self.last_factor()) };
                let targets = &targets[piece.clone()];
                kernels.sample_rotations(SampleRotations {
                    from: &from[piece.clone()],
                    to: &to[piece.clone()],
                    factor,
                    targets,
                    rotations: &mut sampled,
                });
                kernels.nlerp_rotations(NlerpRotations {
                    from: &from_chords[piece.clone()],
                    to: &to_chords[piece.clone()],
                    factor,
                    targets,
                    rotations: &mut nlerped,
                });
                let (from, to) = (&moves[piece.clone()], &other_moves[piece]);
                kernels.sample_vectors(SampleVectors { from, to, factor, targets, vectors: &mut vectors });
            }
            streams.rotation_blocks(format!("sample_rotations, {name}"), &sampled, len);
            streams.rotation_blocks(format!("nlerp_rotations, {name}"), &nlerped, len);
            streams.vector_blocks(format!("sample_vectors, {name}"), &vectors, len);
        }
        let mut stale = layout.output(times.len());
        for piece in layout.block_pieces() {
            let chunks = times[piece.clone()].chunks(BLOCK).zip(stale[piece].chunks_mut(BLOCK));
            for (times, bytes) in chunks {
                let mut stale = 0;
                kernels.find_stale_keys(FindStaleKeys { seconds: 0.5, times, stale: &mut stale });
                bytes.copy_from_slice(&u64::to_le_bytes(stale)[..bytes.len()]);
            }
        }
        stale.check();
        streams.bits("find_stale_keys", (0..len).map(|i| stale[i / BLOCK] >> (i % BLOCK) & 1 == 1));
    }

    /// Some lanes of a block, or all.
    fn key_target(&self, block: usize) -> KeyTarget {
        let lanes = std::array::from_fn(|lane| f32::from(u8::from(block.is_multiple_of(2) || lane % 3 != 1)));
        KeyTarget { block: block as u32, full: block.is_multiple_of(2), lanes }
    }

    fn poses(&self) -> [PoseArrays; 2] {
        [PoseArrays::new(&self.joints, &self.scales), PoseArrays::new(&self.others, &self.other_scales)]
    }

    fn last_factor(&self) -> f32 {
        self.factors.last().copied().unwrap_or(0.5)
    }

    fn run_planes(&self, kernels: &Kernels, layout: &BatchLayout, streams: &mut Streams) {
        let mut planes = layout.output(self.len());
        for (name, normals) in [("unit", PlaneNormals::Unit), ("twice the area", PlaneNormals::TwiceArea)] {
            for range in layout.pieces.iter().cloned() {
                kernels.planes(ToPlanes {
                    points: TrianglePoints::Strided(self.points[..].into()),
                    triangles: &self.triangles,
                    range: range.clone(),
                    normals,
                    planes: &mut planes[range],
                });
            }
            streams.planes(format!("planes, {name}"), &planes);
        }
        let mut facing = Vec::new();
        for piece in &layout.pieces {
            let mut words = layout.output(piece.len().div_ceil(64));
            let planes = &planes[piece.clone()];
            kernels.facing(ToFacing { planes, light: [0.1, 0.2, 0.3, 1.0], words: &mut words });
            words.check();
            facing.extend((0..piece.len()).map(|i| words[i / 64] >> (i % 64) & 1 == 1));
        }
        streams.bits("facing", facing.into_iter());
    }
}

/// A pose between guards.
struct GuardedPose {
    rotations: Guarded<RotationBlock>,
    translations: Guarded<VectorBlock>,
    scales: Guarded<VectorBlock>,
}

impl GuardedPose {
    fn new(pose: &PoseArrays, layout: &BatchLayout) -> Self {
        Self {
            rotations: layout.input(&pose.rotations),
            translations: layout.input(&pose.translations),
            scales: layout.input(&pose.scales),
        }
    }

    fn blocks(&self, piece: Range<usize>) -> PoseBlocks<'_> {
        PoseBlocks {
            rotations: &self.rotations[piece.clone()],
            translations: &self.translations[piece.clone()],
            scales: &self.scales[piece],
        }
    }
}
