//! Dual quaternions through the library: what twists keeps its volume, and what does not fit is refused.

use crate::cloud;

use std::f64::consts::{PI, TAU};

use crate::cloud::Cloud;
use crate::subjects::{JOINTS, Moved, Subject, moved};
use sinew::{
    Attributes, Blending, DualPalette, DualShares, Error, Grouping, Kernels, Matrix, Mesh, MeshSource,
    Palette, Skin, SkinOptions, Skinned, Weights,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const VERTICES: usize = if EMULATED { 60 } else { 300 };
const AROUND: usize = 12;
const RINGS: usize = 9;

fn duals(skin: &Skin, palette: &Palette) -> DualPalette {
    let mut duals = DualPalette::new(skin);
    duals.update(palette).expect("a palette of the skin");
    duals
}

fn blended(blending: Blending<'_>) -> SkinOptions<'_> {
    SkinOptions { blending, ..SkinOptions::default() }
}

/// A cylinder of radius one about y, whose rings hang less and less on the first of two joints.
fn cylinder() -> Cloud {
    let mut cloud = Cloud::default();
    for ring in 0..RINGS {
        let part = ring as f32 / (RINGS - 1) as f32;
        for i in 0..AROUND {
            let angle = TAU * i as f64 / AROUND as f64;
            let [x, z] = [angle.cos() as f32, angle.sin() as f32];
            cloud.positions.push([x, 4.0 * part, z]);
            cloud.normals.push([x, 0.0, z]);
            cloud.tangents.push([0.0, 1.0, 0.0, 1.0]);
            cloud.counts.push(2);
            cloud.joints.extend([0, 1]);
            cloud.weights.extend([1.0 - part, part]);
        }
    }
    cloud
}

/// The second joint turned about y.
fn twist(skin: &Skin, angle: f64) -> Palette {
    let [sin, cos] = [angle.sin() as f32, angle.cos() as f32];
    let turned = Matrix { rows: [[cos, 0.0, sin, 0.0], [0.0, 1.0, 0.0, 0.0], [-sin, 0.0, cos, 0.0]] };
    cloud::palette(skin, &[Matrix::IDENTITY, turned])
}

/// Both forms of a cloud: runs, and joints for each vertex.
fn both_forms(cloud: &Cloud, skin: &Skin) -> [Mesh; 2] {
    let mut normalised = cloud.clone();
    let mut first = 0;
    for &count in &cloud.counts {
        let own = &mut normalised.weights[first..first + count as usize];
        let sum: f32 = own.iter().sum();
        own.iter_mut().for_each(|weight| *weight /= sum);
        first += count as usize;
    }
    let source = MeshSource { weights: Weights::AsStored, ..normalised.source() };
    let meshes = [cloud.mesh(skin), Mesh::new(&source, skin).expect("a sound mesh")];
    assert_eq!(meshes.each_ref().map(|mesh| mesh.layout().form), [Grouping::Runs, Grouping::Counts]);
    meshes
}

fn radius([x, _, z]: [f32; 3]) -> f32 {
    x.hypot(z)
}

#[test]
fn half_a_turn_keeps_the_radius_that_linear_blending_loses() {
    every_backend(|run| {
        let skin = cloud::skin_on(run.kernels, 2);
        let palette = twist(&skin, PI);
        let duals = duals(&skin, &palette);
        let middle = AROUND * (RINGS / 2)..AROUND * (RINGS / 2 + 1);
        for mesh in both_forms(&cylinder(), &skin) {
            let [positions, normals, _] = moved(&mesh, &palette, &blended(Blending::Duals(&duals)));
            for (&position, &normal) in positions.iter().zip(&normals) {
                assert!((radius(position) - 1.0).abs() < 0.01, "{run}: {position:?}");
                assert!((radius(normal) - 1.0).abs() < 0.01, "{run}: {normal:?}");
            }
            let [positions, ..] = moved(&mesh, &palette, &SkinOptions::default());
            for &position in &positions[middle.clone()] {
                assert!(radius(position) < 0.05, "{run}: {position:?}");
            }
        }
    });
}

#[test]
fn a_twist_turns_by_the_angle_of_the_blended_quaternion() {
    every_backend(|run| {
        let skin = cloud::skin_on(run.kernels, 2);
        for angle in [-2.5, -1.0, 0.01, 0.5, 2.0, 3.0] {
            let palette = twist(&skin, angle);
            let duals = duals(&skin, &palette);
            let cloud = cylinder();
            let mut tolerance = Tolerance::new(format!("{run}: {angle}"));
            for mesh in both_forms(&cloud, &skin) {
                let [positions, ..] = moved(&mesh, &palette, &blended(Blending::Duals(&duals)));
                for (vertex, &found) in positions.iter().enumerate() {
                    let weight = f64::from(cloud.weights[2 * vertex + 1]);
                    let half =
                        (weight * (angle / 2.0).sin()).atan2(1.0 - weight + weight * (angle / 2.0).cos());
                    let ([sin, cos], [x, y, z]) =
                        ([(2.0 * half).sin(), (2.0 * half).cos()], cloud.positions[vertex].map(f64::from));
                    let expected = [cos * x + sin * z, y, cos * z - sin * x];
                    tolerance.all_close(vertex, expected, found, 4e-6);
                }
            }
            tolerance.report();
        }
    });
}

fn assert_near(found: &Moved<f32>, expected: &Moved<f32>, allowed: f64, what: &str) {
    let mut tolerance = Tolerance::new(what);
    for (found, expected) in found.iter().zip(expected) {
        for (vertex, (&found, &expected)) in found.iter().zip(expected).enumerate() {
            tolerance.all_close(vertex, expected.map(f64::from), found, allowed);
        }
    }
    tolerance.report();
}

/// Calls the test with meshes on runs and on counts, palettes without and with scale, and their dual quaternions.
fn every_case(kernels: &'static Kernels, mut test: impl FnMut(&Mesh, &Palette, &DualPalette)) {
    let mut random = Random::new(240);
    let subjects = Subject::every(kernels, VERTICES, &mut random);
    for subject in subjects.iter().filter(|subject| subject.vectors.is_none()) {
        for matrices in [cloud::rigid(JOINTS, &mut random), rigs::sheared_matrices(JOINTS, &mut random)] {
            let palette = subject.palette(&matrices);
            test(&subject.mesh(&[]), &palette, &duals(&subject.skin, &palette));
        }
    }
}

#[test]
fn shares_of_nothing_and_of_all_are_the_one_and_the_other_blend() {
    every_backend(|run| {
        every_case(run.kernels, |mesh, palette, duals| {
            let linear = moved(mesh, palette, &SkinOptions::default());
            let all = moved(mesh, palette, &blended(Blending::Duals(duals)));
            for (share, expected) in [(0.0, &linear), (1.0, &all)] {
                let shares = DualShares::new(mesh, &vec![share; mesh.len()]).unwrap();
                let found = moved(mesh, palette, &blended(Blending::Mixed(duals, &shares)));
                assert_near(&found, expected, 4e-6, &format!("{run}: share {share}"));
            }
        });
    });
}

#[test]
fn each_vertex_has_its_own_share() {
    every_backend(|run| {
        every_case(run.kernels, |mesh, palette, duals| {
            let mut random = Random::new(241);
            let by_vertex: Vec<f32> = (0..mesh.len()).map(|_| random.fraction()).collect();
            let shares = DualShares::new(mesh, &by_vertex).unwrap();
            let linear = moved(mesh, palette, &SkinOptions::default());
            let all = moved(mesh, palette, &blended(Blending::Duals(duals)));
            let mut expected = linear.clone();
            for (vector, expected) in expected.iter_mut().enumerate() {
                for (vertex, expected) in expected.iter_mut().enumerate() {
                    let (a, b) = (linear[vector][vertex], all[vector][vertex]);
                    *expected = [0, 1, 2].map(|axis| a[axis] + by_vertex[vertex] * (b[axis] - a[axis]));
                }
            }
            let found = moved(mesh, palette, &blended(Blending::Mixed(duals, &shares)));
            assert_near(&found, &expected, 1e-5, &format!("{run}: shares"));
        });
    });
}

#[test]
fn one_joint_alone_may_scale_shear_and_mirror() {
    every_backend(|run| {
        let mut random = Random::new(242);
        for mut subject in [
            Subject::grouped(run.kernels, VERTICES, &mut random),
            Subject::stored(run.kernels, VERTICES, &mut random),
        ] {
            subject.cloud.counts = vec![1; VERTICES];
            subject.cloud.joints = (0..VERTICES).map(|vertex| (vertex % JOINTS) as u32).collect();
            subject.cloud.weights = vec![1.0; VERTICES];
            subject.form = None;
            let mesh = subject.mesh(&[]);
            let palette = subject.palette(&rigs::sheared_matrices(JOINTS, &mut random));
            let linear = moved(&mesh, &palette, &SkinOptions::default());
            let found = moved(&mesh, &palette, &blended(Blending::Duals(&duals(&subject.skin, &palette))));
            assert_near(&found, &linear, 1e-5, &format!("{run}: one joint"));
        }
    });
}

#[test]
fn scale_is_blended_linearly_before_the_turn() {
    every_backend(|run| {
        let skin = cloud::skin_on(run.kernels, 2);
        // Both joints alike: twice as wide, then a quarter turn about y. Blended or not, that is where it goes.
        let both = Matrix { rows: [[0.0, 0.0, 2.0, 1.0], [0.0, 1.0, 0.0, 0.0], [-2.0, 0.0, 0.0, 0.0]] };
        let palette = cloud::palette(&skin, &[both, both]);
        let wide = duals(&skin, &palette);
        // One joint twice as wide: between the two, the radius grows from one to two as the weight does.
        let mut second = Matrix::IDENTITY;
        (second.rows[0][0], second.rows[2][2]) = (2.0, 2.0);
        let growing = cloud::palette(&skin, &[Matrix::IDENTITY, second]);
        let grown = duals(&skin, &growing);
        let cloud = cylinder();
        for mesh in both_forms(&cloud, &skin) {
            let [positions, ..] = moved(&mesh, &palette, &blended(Blending::Duals(&wide)));
            for (vertex, found) in positions.iter().enumerate() {
                let expected = both.transform_point(cloud.positions[vertex]);
                assert!((0..3).all(|axis| (found[axis] - expected[axis]).abs() < 4e-6), "{run}: {found:?}");
            }
            let [positions, ..] = moved(&mesh, &growing, &blended(Blending::Duals(&grown)));
            for (vertex, &found) in positions.iter().enumerate() {
                let expected = 1.0 + cloud.weights[2 * vertex + 1];
                assert!((radius(found) - expected).abs() < 4e-6, "{run}: {found:?}");
            }
        }
    });
}

#[test]
fn joints_for_each_vertex_give_what_runs_give() {
    every_backend(|run| {
        let mut random = Random::new(243);
        let subject = Subject::grouped(run.kernels, VERTICES, &mut random);
        for matrices in [cloud::rigid(JOINTS, &mut random), rigs::sheared_matrices(JOINTS, &mut random)] {
            let palette = subject.palette(&matrices);
            let duals = duals(&subject.skin, &palette);
            let [runs, counts] = both_forms(&subject.cloud, &subject.skin)
                .map(|mesh| moved(&mesh, &palette, &blended(Blending::Duals(&duals))));
            assert_near(&counts, &runs, 2e-5, &format!("{run}: counts"));
        }
    });
}

#[test]
fn what_does_not_fit_is_refused() {
    let skin = cloud::skin(2);
    let mesh = cylinder().mesh(&skin);
    let shares = |by_vertex: &[f32]| DualShares::new(&mesh, by_vertex).unwrap_err().to_string();
    for (share, shown) in [(-0.01, "-0.01"), (1.5, "1.5"), (f32::NAN, "NaN"), (f32::INFINITY, "inf")] {
        let mut by_vertex = vec![1.0; mesh.len()];
        by_vertex[7] = share;
        let expected =
            format!("share of dual quaternions of vertex 7: expected a number from 0 to 1, found {shown}");
        assert_eq!(shares(&by_vertex), expected);
    }
    let len = mesh.len();
    for wrong in [0, len - 1, len + 1] {
        let expected = format!("elements by vertex: expected {len}, found {wrong}");
        assert_eq!(shares(&vec![0.5; wrong]), expected);
    }

    let (palette, other) = (Palette::new(&skin), cloud::skin(3));
    let mut duals = DualPalette::new(&other);
    assert_eq!(duals.update(&palette).unwrap_err().to_string(), "palette: expected 3, found 2");
    let mut skinned = Skinned::new(&mesh, Attributes::Tangents).unwrap();
    let mut refused = |mesh: &Mesh, palette: &Palette, blending: Blending<'_>| {
        let error = mesh.skin(palette, &blended(blending), &mut skinned).unwrap_err();
        assert!(skinned.blocks().iter().all(|block| *block == sinew::VectorBlock::default()), "untouched");
        error
    };
    let error = refused(&mesh, &palette, Blending::Duals(&duals));
    assert_eq!(error.to_string(), "dual palette: expected 2, found 3");
    let mut half = cylinder();
    half.positions.truncate(AROUND);
    (half.normals, half.tangents) = (vec![[1.0, 0.0, 0.0]; AROUND], vec![[0.0, 1.0, 0.0, 1.0]; AROUND]);
    half.counts.truncate(AROUND);
    half.joints.truncate(2 * AROUND);
    half.weights.truncate(2 * AROUND);
    let of_another = DualShares::new(&half.mesh(&skin), &[0.5; AROUND]).unwrap();
    let error = refused(&mesh, &palette, Blending::Mixed(&DualPalette::new(&skin), &of_another));
    assert_eq!(error.to_string(), format!("blocks of dual shares: expected {}, found 2", mesh.blocks()));

    let subject = Subject::joint_space(skin.kernels(), 20, &mut Random::new(244));
    let mesh = subject.mesh(&[]);
    let mut skinned = Skinned::new(&mesh, Attributes::Positions).unwrap();
    let duals = DualPalette::new(&subject.skin);
    let options = blended(Blending::Duals(&duals));
    let error = mesh.skin(&Palette::new(&subject.skin), &options, &mut skinned).unwrap_err();
    assert_eq!(error, Error::DualsInJointSpace);
    let message = "dual quaternions: expected one position for each vertex, found influences in joint space";
    assert_eq!(error.to_string(), message);
}
