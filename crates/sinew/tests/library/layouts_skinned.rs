//! Every layout against a plain loop over its source's own numbers, and what skinning promises, on every row.

use crate::cloud;

use crate::subjects::{JOINTS, Moved, SIZE, Subject, moved};
use sinew::{
    Attributes, FloatMode, Grouping, Influences, Matrix, Mesh, MeshSource, Order, Palette, SkinOptions,
    Target, VertexLayout, Weights,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const VERTICES: usize = if EMULATED { 60 } else { 300 };
/// Of the mesh's size, for positions.
const POSITION: f64 = 2e-6;
/// For directions, which have length one.
const DIRECTION: f64 = 2e-6;

fn compare(found: &Moved<f32>, expected: &Moved<f64>, what: &str) {
    let mut tolerance = Tolerance::new(what);
    for (vector, allowed) in [POSITION * SIZE, DIRECTION, DIRECTION].into_iter().enumerate() {
        assert_eq!(found[vector].len(), expected[vector].len());
        for (vertex, (&found, &expected)) in found[vector].iter().zip(&expected[vector]).enumerate() {
            tolerance.all_close(format_args!("vector {vector} of {vertex}"), expected, found, allowed);
        }
    }
    tolerance.report();
}

#[test]
fn every_layout_matches_a_plain_loop_over_its_source() {
    every_backend(|run| {
        let mut random = Random::new(210);
        for subject in Subject::every(run.kernels, VERTICES, &mut random) {
            let models = cloud::rigid(JOINTS, &mut random);
            let found = moved(&subject.mesh(&[]), &subject.palette(&models), &SkinOptions::default());
            compare(&found, &subject.expected(&models, usize::MAX), &format!("{run}: {}", subject.name));
        }
    });
}

#[test]
fn the_subjects_are_what_their_names_say() {
    let kernels = sinew::backend::default().unwrap().kernels(FloatMode::Fast);
    let subjects = Subject::every(kernels, VERTICES, &mut Random::new(211));
    let forms = subjects.each_ref().map(|subject| subject.mesh(&[]).layout().form);
    assert_eq!(forms, [Grouping::Runs, Grouping::Counts, Grouping::Counts, Grouping::Weighted]);
    for subject in &subjects {
        let sums = subject
            .strongest(usize::MAX)
            .into_iter()
            .map(|influences| influences.iter().map(|influence| influence.weight).sum::<f64>());
        let far_from_one = sums.filter(|sum| (sum - 1.0).abs() > 0.05).count();
        assert_eq!(far_from_one > VERTICES / 2, subject.weights == Weights::AsStored, "{}", subject.name);
    }
}

#[test]
fn the_rest_pose_gives_the_rest_mesh() {
    every_backend(|run| {
        for subject in Subject::every(run.kernels, VERTICES, &mut Random::new(212)) {
            let binds = subject.skin.inverse_binds().iter().map(|matrix| matrix.inverse().unwrap());
            let models: Vec<Matrix> = binds.collect();
            let found = moved(&subject.mesh(&[]), &Palette::new(&subject.skin), &SkinOptions::default());
            compare(&found, &subject.expected(&models, usize::MAX), &format!("{run}: {}", subject.name));
            if subject.weights == Weights::Normalised {
                let rest = subject.cloud.positions.iter().map(|position| position.map(f64::from)).collect();
                let normals: Vec<_> = subject.cloud.normals.iter().map(|n| n.map(f64::from)).collect();
                let tangents =
                    subject.cloud.tangents.iter().map(|&[x, y, z, _]| [x, y, z].map(f64::from)).collect();
                compare(&found, &[rest, normals, tangents], &format!("{run}: {} at rest", subject.name));
            }
        }
    });
}

#[test]
fn one_joint_with_all_weight_is_a_rigid_move() {
    every_backend(|run| {
        let mut random = Random::new(213);
        for mut subject in Subject::every(run.kernels, VERTICES, &mut random) {
            let joint = |vertex: usize| vertex * 7 % JOINTS;
            subject.cloud.counts = vec![1; VERTICES];
            subject.cloud.joints = (0..VERTICES).map(|vertex| joint(vertex) as u32).collect();
            subject.cloud.weights = vec![1.0; VERTICES];
            // One joint for each vertex makes few sets.
            subject.form = None;
            let from = match &mut subject.vectors {
                Some(vectors) => {
                    vectors.truncate(VERTICES);
                    vectors.resize(VERTICES, [0.5, -1.0, 0.25]);
                    vectors.clone()
                }
                None => subject.cloud.positions.clone(),
            };
            let models = cloud::rigid(JOINTS, &mut random);
            let palette = subject.palette(&models);
            let found = moved(&subject.mesh(&[]), &palette, &SkinOptions::default());
            // Each model matrix takes its joint's own vectors; binds are the identity where there are positions.
            let expected = [
                from.iter().enumerate().map(|(v, &p)| models[joint(v)].transform_point(p)).collect(),
                turned(&palette, joint, subject.cloud.normals.iter().copied()),
                turned(&palette, joint, subject.cloud.tangents.iter().map(|&[x, y, z, _]| [x, y, z])),
            ];
            let expected = expected.map(|vectors: Vec<[f32; 3]>| {
                vectors.into_iter().map(|vector| vector.map(f64::from)).collect()
            });
            compare(&found, &expected, &format!("{run}: {}", subject.name));
        }
    });
}

fn turned(
    palette: &Palette,
    joint: impl Fn(usize) -> usize,
    directions: impl Iterator<Item = [f32; 3]>,
) -> Vec<[f32; 3]> {
    let turn = |(v, direction)| palette.matrices()[joint(v)].transform_vector(direction);
    directions.enumerate().map(turn).collect()
}

#[test]
fn rotating_the_palette_rotates_the_result() {
    every_backend(|run| {
        let mut random = Random::new(214);
        for subject in Subject::every(run.kernels, VERTICES, &mut random) {
            let mesh = subject.mesh(&[]);
            let models = cloud::rigid(JOINTS, &mut random);
            // Where weights do not sum to one, only rotations do the same to a sum as to its parts.
            let mut turn = rigs::rigid_matrices(1, &mut random)[0];
            turn.rows.iter_mut().for_each(|row| row[3] = 0.0);
            let turned: Vec<Matrix> = models.iter().map(|&model| turn * model).collect();
            let options = SkinOptions::default();
            let before = moved(&mesh, &subject.palette(&models), &options);
            let found = moved(&mesh, &subject.palette(&turned), &options);
            let expected = before.map(|vectors| {
                vectors.iter().map(|&vector| turn.transform_vector(vector).map(f64::from)).collect()
            });
            compare(&found, &expected, &format!("{run}: {}", subject.name));
        }
    });
}

#[test]
fn permuting_the_vertices_permutes_the_result_bit_for_bit() {
    every_backend(|run| {
        let mut random = Random::new(215);
        for subject in Subject::every(run.kernels, VERTICES, &mut random) {
            let mut order: Vec<usize> = (0..VERTICES).collect();
            for i in (1..VERTICES).rev() {
                order.swap(i, random.below(i + 1));
            }
            let palette = subject.palette(&cloud::rigid(JOINTS, &mut random));
            let options = SkinOptions::default();
            // With levels the places are others, but not what all influences do.
            for levels in [&[][..], &[1, 2]] {
                let straight = moved(&subject.mesh(levels), &palette, &options);
                let shuffled = moved(&subject.reordered(&order).mesh(levels), &palette, &options);
                for (straight, shuffled) in straight.iter().zip(&shuffled) {
                    for (new, &old) in order.iter().enumerate() {
                        let bits = |vector: [f32; 3]| vector.map(f32::to_bits);
                        assert_eq!(bits(shuffled[new]), bits(straight[old]), "{run}: {}", subject.name);
                    }
                }
            }
        }
    });
}

#[test]
fn reproducible_rounding_is_the_same_on_every_backend() {
    let mut expected: Option<Vec<Moved<f32>>> = None;
    every_backend(|run| {
        if run.float_mode == FloatMode::Reproducible {
            let mut random = Random::new(216);
            let subjects = Subject::every(run.kernels, VERTICES, &mut random);
            let models = cloud::rigid(JOINTS, &mut random);
            let found: Vec<_> = subjects
                .iter()
                .map(|subject| moved(&subject.mesh(&[]), &subject.palette(&models), &SkinOptions::default()))
                .collect();
            assert_eq!(*expected.get_or_insert_with(|| found.clone()), found, "{run}");
        }
    });
}

#[test]
fn a_joint_far_away_does_not_disturb_vertices_that_do_not_hang_on_it() {
    // Few vertices on each set, so that all become one run.
    let counts = [1, 2, 2, 1, 2];
    let joints = [0, 0, 1, 0, 2, 0, 0, 1];
    let weights = [1.0, 0.25, 0.75, 0.5, 0.5, 1.0, 0.625, 0.375];
    let on_two = [false, false, true, false, false];
    let positions: Vec<[f32; 3]> = (0..5).map(|i| [i as f32, 1.0, -2.0]).collect();
    let influences = Influences::Listed { counts: &counts, joints: &joints, weights: &weights };
    every_backend(|run| {
        let skin = cloud::skin_on(run.kernels, 3);
        let mesh = Mesh::new(&MeshSource::new(&positions, influences), &skin).expect("a sound mesh");
        assert_eq!((mesh.layout().form, mesh.run_count()), (Grouping::Runs, 1));
        let mut matrices = cloud::rigid(3, &mut Random::new(215));
        let skinned = |matrices: &[Matrix]| {
            let palette = cloud::palette(&skin, matrices);
            let mut to = vec![[0.0; 3]; mesh.len()];
            let form = VertexLayout::Packed([&mut to, &mut [], &mut [], &mut []]);
            let target = Target { order: Order::Source, ..Target::new(Attributes::Positions, form) };
            mesh.skin_into(&palette, &SkinOptions::default(), target).expect("what fits");
            to
        };
        let near = skinned(&matrices);
        for row in &mut matrices[2].rows {
            row[3] = 1e30;
        }
        let far = skinned(&matrices);
        for (vertex, on_two) in on_two.into_iter().enumerate() {
            assert_eq!(near[vertex] != far[vertex], on_two, "{run}: vertex {vertex}");
        }
    });
}
