//! Random inputs for every kernel, and a function that runs all kernels on them.

use std::ops::Range;

use sinew_kernels::*;

use crate::guarded::{Guard, Guarded};
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
    /// The joints of the skin, some of them outside the skeleton.
    pub skin: Vec<u32>,
    /// One per joint of the skin.
    pub inverse_binds: Vec<Matrix>,
    /// The joints of one to eight instances.
    pub crowd: Vec<Vec<Joint>>,
    /// The scales of the same instances.
    pub crowd_scales: Vec<Vec<Scale>>,
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
    pub fn whole(len: usize, offset: usize) -> Self {
        Self { offset, pieces: std::iter::once(0..len).collect() }
    }

    /// Up to `calls` calls, some of them empty.
    pub fn split(len: usize, offset: usize, calls: usize, random: &mut Random) -> Self {
        let mut cuts: Vec<usize> = (1..calls).map(|_| random.below(len + 1)).collect();
        cuts.extend([0, len]);
        cuts.sort_unstable();
        Self { offset, pieces: cuts.windows(2).map(|cut| cut[0]..cut[1]).collect() }
    }

    fn input<T: Guard>(&self, elements: &[T]) -> Guarded<T> {
        Guarded::holding(elements, self.offset)
    }

    fn output<T: Guard>(&self, len: usize) -> Guarded<T> {
        Guarded::new(len, self.offset)
    }
}

impl Batch {
    /// Random elements. The shape of the skeleton and the size of the crowd depend on `len`.
    #[must_use]
    pub fn new(len: usize, seed: u64) -> Self {
        let random = &mut Random::new(seed ^ (len as u64) << 32);
        let instances = 1 + len % BLOCK;
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
            crowd: (0..instances).map(|_| rigs::joints(len, random)).collect(),
            crowd_scales: (0..instances).map(|_| rigs::scales(len, random)).collect(),
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

    /// SharedJointsInput every kernel.
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
        self.run_interpolation(kernels, layout, &mut streams);
        self.run_rotations(kernels, layout, &mut streams);
        self.run_blends(kernels, layout, &mut streams);
        self.run_crowd(kernels, layout, &mut streams);
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
        let (models, skin) = (layout.input(&self.sheared), layout.input(&self.skin));
        let inverse_binds = layout.input(&self.inverse_binds);
        let mut palette = layout.output(self.len());
        for piece in layout.pieces.iter().cloned() {
            kernels.palette(ToPalette {
                models: &models,
                joints: &skin[piece.clone()],
                inverse_binds: &inverse_binds[piece.clone()],
                palette: &mut palette[piece],
            });
        }
        streams.matrices("palette", &palette);
    }

    fn run_interpolation(&self, kernels: &Kernels, layout: &BatchLayout, streams: &mut Streams) {
        let (from, to) = (layout.input(&self.joints), layout.input(&self.others));
        let (from_scales, to_scales) = (layout.input(&self.scales), layout.input(&self.other_scales));
        let factors = layout.input(&self.factors);
        let all = self.factors.last().copied().unwrap_or(0.5);
        let (mut joints, mut scales) = (layout.output(self.len()), layout.output(self.len()));
        for (name, kernel) in
            [("nlerp", Kernels::nlerp as fn(&_, Interpolate<'_>)), ("slerp", Kernels::slerp)]
        {
            for piece in layout.pieces.iter().cloned() {
                let (from, to) = (&from[piece.clone()], &to[piece.clone()]);
                let (factor, joints) = (Factor::All(all), &mut joints[piece]);
                kernel(kernels, Interpolate { from, to, factor, joints, scales: None });
            }
            streams.joints(&format!("{name}, one factor"), &joints);
            for piece in layout.pieces.iter().cloned() {
                let scales = InterpolateScales {
                    from: &from_scales[piece.clone()],
                    to: &to_scales[piece.clone()],
                    scales: &mut scales[piece.clone()],
                };
                let (from, to) = (&from[piece.clone()], &to[piece.clone()]);
                let factor = Factor::Each(&factors[piece.clone()]);
                let joints = &mut joints[piece];
                kernel(kernels, Interpolate { from, to, factor, joints, scales: Some(scales) });
            }
            streams.joints(&format!("{name}, each a factor"), &joints);
            streams.scales(format!("{name}, scale"), &scales);
        }
    }

    fn run_rotations(&self, kernels: &Kernels, layout: &BatchLayout, streams: &mut Streams) {
        let [from, to] = [&self.joints, &self.others]
            .map(|joints| layout.input(&joints.iter().map(|joint| joint.rotation).collect::<Vec<_>>()));
        let factors = layout.input(&self.factors);
        let all = self.factors.last().copied().unwrap_or(0.5);
        let mut rotations = layout.output(self.len());
        for (name, each) in [("one factor", false), ("each a factor", true)] {
            for piece in layout.pieces.iter().cloned() {
                let factor = if each { Factor::Each(&factors[piece.clone()]) } else { Factor::All(all) };
                let (from, to) = (&from[piece.clone()], &to[piece.clone()]);
                let rotations = &mut rotations[piece];
                kernels.slerp_rotations(SlerpRotations { from, to, factor, rotations });
            }
            streams.rotations(format!("slerp_rotations, {name}"), &rotations);
        }
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

    fn run_blends(&self, kernels: &Kernels, layout: &BatchLayout, streams: &mut Streams) {
        let [one, other] = [&self.joints, &self.others].map(|joints| layout.input(joints));
        let [one_scales, other_scales] =
            [&self.scales, &self.other_scales].map(|scales| layout.input(scales));
        let shares = layout.input(&self.factors);
        let (mut joints, mut scales) = (layout.output(self.len()), layout.output(self.len()));
        for piece in layout.pieces.iter().cloned() {
            let layers = &[
                BlendLayer {
                    joints: &one[piece.clone()],
                    scales: &one_scales[piece.clone()],
                    weight: Factor::Each(&shares[piece.clone()]),
                },
                BlendLayer {
                    joints: &other[piece.clone()],
                    scales: &other_scales[piece.clone()],
                    weight: Factor::All(0.4),
                },
            ];
            let (joints, scales) = (&mut joints[piece.clone()], Some(&mut scales[piece]));
            kernels.blend_joints(BlendJoints { layers, part: BlendPart::All, joints, scales });
        }
        streams.joints("blend_joints", &joints);
        streams.scales("blend_joints, scale", &scales);
    }

    fn run_crowd(&self, kernels: &Kernels, layout: &BatchLayout, streams: &mut Streams) {
        let crowd: Vec<_> = self.crowd.iter().map(|joints| layout.input(joints)).collect();
        let crowd_scales: Vec<_> = self.crowd_scales.iter().map(|scales| layout.input(scales)).collect();
        let mut blocks = layout.output(self.len());
        for with_scales in [true, false] {
            for piece in layout.pieces.iter().cloned() {
                let joints = lanes_of(&crowd, &piece);
                let scales = with_scales.then(|| lanes_of(&crowd_scales, &piece));
                let matrices = &mut blocks[piece];
                kernels.crowd_joints_to_matrices(CrowdJointsToMatrices { joints, scales, matrices });
            }
            streams.blocks(format!("crowd_joints_to_matrices, scales: {with_scales}"), &blocks);
        }
        let parents = layout.input(&self.parents);
        for range in layout.pieces.iter().cloned() {
            kernels.crowd_local_to_model(CrowdLocalToModel {
                parents: &parents,
                range,
                matrices: &mut blocks,
            });
        }
        streams.blocks("crowd_local_to_model", &blocks);

        let (skin, inverse_binds) = (layout.input(&self.skin), layout.input(&self.inverse_binds));
        let mut palettes: Vec<_> = crowd.iter().map(|_| layout.output(self.len())).collect();
        for piece in layout.pieces.iter().cloned() {
            let mut palettes: Vec<_> =
                palettes.iter_mut().map(|palette| &mut palette[piece.clone()]).collect();
            kernels.crowd_palette(CrowdToPalette {
                models: &blocks,
                joints: &skin[piece.clone()],
                inverse_binds: &inverse_binds[piece],
                palettes: &mut palettes,
            });
        }
        for (i, palette) in palettes.iter().enumerate() {
            streams.matrices(format!("crowd_palette, instance {i}"), palette);
        }
    }
}

/// A range of each instance. Fewer than eight instances are padded with the first.
fn lanes_of<'a, T>(instances: &'a [Guarded<T>], piece: &Range<usize>) -> [&'a [T]; BLOCK] {
    std::array::from_fn(|i| &instances.get(i).unwrap_or(&instances[0])[piece.clone()])
}
