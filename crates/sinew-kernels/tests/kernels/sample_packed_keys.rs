//! Sampling of key frames of a few joints of a block: the bits of the kernels that sample whole
//! blocks, which are checked against `f64`, and which lanes are written.

use sinew_kernels::{
    BLOCK, Kernels, KeyFactor, KeyTarget, NlerpPackedRotations, NlerpRotations, PackedTarget, RotationBlock,
    SamplePackedRotations, SamplePackedVectors, SampleRotations, SampleVectors, VectorBlock,
};
use sinew_testkit::backends::every_backend;
use sinew_testkit::pose_blocks::{PoseArrays, rotation_key_blocks};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

/// Every choice of one to seven lanes of a block.
const CHOICES: usize = (1 << BLOCK) - 2;

const FACTORS: [f32; 3] = [0.0, 0.3, 1.0_f32.next_down()];

/// A target for each choice of lanes, with `floats` floats per key. Tracks are in ascending order
/// of lanes, or in descending order in every other block.
fn targets(floats: usize) -> Vec<PackedTarget> {
    let mut first = 0;
    let mut target = |block: usize| {
        let has_lane = |lane: &usize| (block + 1) >> lane & 1 == 1;
        let mut lanes: Vec<usize> = (0..BLOCK).filter(has_lane).collect();
        if block.is_multiple_of(2) {
            lanes.reverse();
        }
        let target = KeyTarget { block: block as u32, full: false, lanes: [0.0; BLOCK] };
        let mut packed =
            PackedTarget { target, first, len: lanes.len() as u32, tracks: PackedTarget::IN_ORDER };
        for (track, lane) in lanes.into_iter().enumerate() {
            packed.target.lanes[lane] = 1.0;
            packed.tracks[lane] = track as u8;
        }
        first += packed.len * floats as u32;
        packed
    };
    (0..CHOICES).map(&mut target).collect()
}

/// The floats of the targets' keys. `key` gives the component of a joint's key.
fn pack(targets: &[PackedTarget], floats: usize, key: impl Fn(usize, usize) -> f32) -> Vec<f32> {
    // As many more as a kernel may read.
    let end = targets.last().map_or(0, |last| last.first as usize + BLOCK * floats);
    let mut packed = vec![f32::NAN; end];
    for target in targets {
        for lane in (0..BLOCK).filter(|&lane| target.target.lanes[lane] > 0.0) {
            for component in 0..floats {
                let track = component * target.len as usize + usize::from(target.tracks[lane]);
                let joint = BLOCK * target.target.block as usize + lane;
                packed[target.first as usize + track] = key(joint, component);
            }
        }
    }
    packed
}

fn whole_targets(targets: &[PackedTarget]) -> Vec<KeyTarget> {
    targets.iter().map(|target| target.target).collect()
}

/// Checks results against those of a kernel for whole blocks, and against plain lanes.
fn check<B: PartialEq + std::fmt::Debug>(
    packed: impl Fn(&Kernels, f32) -> Vec<B>,
    whole: impl Fn(&Kernels, f32) -> Vec<B>,
) {
    every_backend(|run| {
        for factor in FACTORS {
            let found = packed(run.kernels, factor);
            assert!(found == whole(run.kernels, factor), "{run}: {factor}, whole blocks");
            assert!(found == packed(run.oracle(), factor), "{run}: {factor}, plain lanes");
        }
    });
}

#[test]
fn packed_rotations_have_the_bits_of_whole_blocks() {
    let random = &mut Random::new(51);
    let (from, to) = (rigs::joints(CHOICES * BLOCK, random), rigs::joints(CHOICES * BLOCK, random));
    let angles: Vec<f32> = from.iter().map(|_| random.between(-2.4, 2.4)).collect();
    let targets = &targets(5);
    let from_keys = &pack(targets, 5, |joint, component| match component {
        4 => angles[joint],
        _ => from[joint].rotation[component],
    });
    let to_keys = &pack(targets, 5, |joint, component| match component {
        4 => 0.0,
        _ => to[joint].rotation[component],
    });
    let from_blocks =
        &rotation_key_blocks(from.iter().zip(&angles).map(|(joint, &angle)| (joint.rotation, angle)));
    let to_blocks = &rotation_key_blocks(to.iter().map(|joint| (joint.rotation, 0.0)));
    let whole_targets = &whole_targets(targets);
    let marker = RotationBlock { rows: [[7.0; BLOCK]; 4] };
    check(
        |kernels, factor| {
            let mut rotations = vec![marker; CHOICES];
            let (from, to) = (from_keys, to_keys);
            let contract = SamplePackedRotations { from, to, factor, targets, rotations: &mut rotations };
            kernels.sample_packed_rotations(contract);
            rotations
        },
        |kernels, factor| {
            let mut rotations = vec![marker; CHOICES];
            let (from, to, factor, targets) = (from_blocks, to_blocks, KeyFactor::All(factor), whole_targets);
            kernels.sample_rotations(SampleRotations {
                from,
                to,
                factor,
                targets,
                rotations: &mut rotations,
            });
            rotations
        },
    );
}

#[test]
fn packed_chords_have_the_bits_of_whole_blocks() {
    let random = &mut Random::new(52);
    let (from, to) = (rigs::joints(CHOICES * BLOCK, random), rigs::joints(CHOICES * BLOCK, random));
    let targets = &targets(4);
    let [from_keys, to_keys] =
        &[&from, &to].map(|joints| pack(targets, 4, |joint, component| joints[joint].rotation[component]));
    let [from_blocks, to_blocks] = &[&from, &to].map(|joints| PoseArrays::new(joints, &[]).rotations);
    let whole_targets = &whole_targets(targets);
    let marker = RotationBlock { rows: [[7.0; BLOCK]; 4] };
    check(
        |kernels, factor| {
            let mut rotations = vec![marker; CHOICES];
            let (from, to) = (from_keys, to_keys);
            let contract = NlerpPackedRotations { from, to, factor, targets, rotations: &mut rotations };
            kernels.nlerp_packed_rotations(contract);
            rotations
        },
        |kernels, factor| {
            let mut rotations = vec![marker; CHOICES];
            let (from, to, factor, targets) = (from_blocks, to_blocks, KeyFactor::All(factor), whole_targets);
            kernels.nlerp_rotations(NlerpRotations { from, to, factor, targets, rotations: &mut rotations });
            rotations
        },
    );
}

#[test]
fn packed_vectors_have_the_bits_of_whole_blocks() {
    let random = &mut Random::new(53);
    let (from, to) = (rigs::joints(CHOICES * BLOCK, random), rigs::joints(CHOICES * BLOCK, random));
    let targets = &targets(3);
    let [from_keys, to_keys] =
        &[&from, &to].map(|joints| pack(targets, 3, |joint, component| joints[joint].translation[component]));
    let [from_blocks, to_blocks] = &[&from, &to].map(|joints| PoseArrays::new(joints, &[]).translations);
    let whole_targets = &whole_targets(targets);
    let marker = VectorBlock { rows: [[7.0; BLOCK]; 3] };
    check(
        |kernels, factor| {
            let mut vectors = vec![marker; CHOICES];
            let (from, to) = (from_keys, to_keys);
            let contract = SamplePackedVectors { from, to, factor, targets, vectors: &mut vectors };
            kernels.sample_packed_vectors(contract);
            vectors
        },
        |kernels, factor| {
            let mut vectors = vec![marker; CHOICES];
            let (from, to, factor, targets) = (from_blocks, to_blocks, KeyFactor::All(factor), whole_targets);
            kernels.sample_vectors(SampleVectors { from, to, factor, targets, vectors: &mut vectors });
            vectors
        },
    );
}

#[test]
fn targets_without_a_block_or_keys_are_skipped() {
    let target = |block, first| {
        let target = KeyTarget { block, full: false, lanes: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] };
        PackedTarget { target, first, len: 1, tracks: [0; BLOCK] }
    };
    let targets = [target(2, 0), target(0, 1), target(0, u32::MAX), target(1, 0)];
    let keys: Vec<f32> = (0..24).map(|i| i as f32).collect();
    every_backend(|run| {
        let mut vectors = [VectorBlock::default(); 2];
        run.kernels.sample_packed_vectors(SamplePackedVectors {
            from: &keys,
            to: &keys,
            factor: 0.5,
            targets: &targets,
            vectors: &mut vectors,
        });
        let mut expected = [VectorBlock::default(); 2];
        expected[1].set_vector(1, [0.0, 1.0, 2.0]);
        assert_eq!(vectors, expected, "{run}");
    });
}
