//! Bounds with dual quaternions, whose blends leave the hull of what their joints do.

use crate::cloud;

use crate::cloud::Cloud;
use crate::held::Holds;
use crate::subjects::{JOINTS, Subject};
use sinew::{
    Aabb, Blending, BoundsOptions, DualPalette, DualShares, Error, Joint, Matrix, Mesh, Scale, SkinOptions,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

const VERTICES: usize = if EMULATED { 60 } else { 200 };
const POSES: usize = if EMULATED { 4 } else { 60 };

/// Rotations that are hard to blend: anywhere, all alike, half a turn apart, or nearly so.
fn rotation(kind: usize, base: [f32; 4], random: &mut Random) -> [f32; 4] {
    let specials = rigs::special_rotations();
    let [x, y, z, w] = match kind {
        0 => rigs::rotation(random),
        1 => specials[random.below(specials.len())],
        2 => base,
        // Half a turn from the base, about x, y or z.
        _ => {
            let [x, y, z, w] = base;
            [[w, z, -y, -x], [-z, w, x, -y], [y, -x, w, -z], base][random.below(4)]
        }
    };
    let near = [0.0, 1e-7, 1e-4, 1e-3, 0.2][random.below(5)];
    let sign = if random.once_in(2) { -1.0 } else { 1.0 };
    rigs::unit([x, y, z, w].map(|c| f64::from(sign * (c + random.between(-near, near)))))
}

fn matrices(random: &mut Random) -> Vec<Matrix> {
    let (kind, base) = (random.below(5), rigs::rotation(random));
    let far = [0.0, 0.1, 2.0, 1e3][random.below(4)];
    let scaled = random.below(4);
    let even = random.between(0.01, 3.0);
    let matrix = |_| {
        let own = if kind == 4 { random.below(4) } else { kind };
        let joint = Joint::new(rotation(own, base, random), random.vector(far));
        let scale = match scaled {
            0 => rigs::scale(random),
            1 => Scale::new([even; 3]),
            _ => Scale::ONE,
        };
        Matrix::from_joint(&joint, scale)
    };
    (0..JOINTS).map(matrix).collect()
}

#[test]
fn every_vertex_that_duals_move_is_held_on_every_isa() {
    every_backend(|run| {
        let mut random = Random::new(620);
        let subjects = Subject::every(run.kernels, VERTICES, &mut random);
        for subject in subjects.iter().filter(|subject| subject.vectors.is_none()) {
            let mesh = subject.mesh(&[1, 2, 3]);
            let holds = Holds::new(&mesh);
            let by_vertex: Vec<f32> = (0..mesh.len()).map(|_| random.fraction()).collect();
            let shares = DualShares::new(&mesh, &by_vertex).expect("a share for each vertex");
            let mut duals = DualPalette::new(&subject.skin);
            for pose in 0..POSES {
                let palette = subject.palette(&matrices(&mut random));
                duals.update(&palette).expect("a palette of the skin");
                for blending in [Blending::Duals(&duals), Blending::Mixed(&duals, &shares)] {
                    for max_influences in [usize::MAX, 1, 2, 3] {
                        let skin = SkinOptions { blending, max_influences, ..SkinOptions::default() };
                        let bounds = BoundsOptions { blending, ..BoundsOptions::default() };
                        let name = format!("{run}, {}, pose {pose}, {max_influences}", subject.name);
                        holds.all(&palette, &skin, &bounds, &name);
                    }
                }
            }
        }
    });
}

/// One vertex on some joints; the bound may not rest on other vertices being farther out.
#[test]
fn a_lone_vertex_is_held_however_its_joints_turn() {
    let random = &mut Random::new(621);
    let cases = if EMULATED { 2_000 } else { 100_000 };
    for case in 0..cases {
        let count = 1 + random.below(4);
        let skin = cloud::skin(count);
        let cloud = Cloud {
            positions: vec![random.vector(2.0)],
            normals: vec![[0.0, 0.0, 1.0]],
            tangents: vec![[1.0, 0.0, 0.0, 1.0]],
            counts: vec![count as u32],
            joints: (0..count as u32).collect(),
            weights: (0..count).map(|_| random.between(0.01, 1.0)).collect(),
            triangles: Vec::new(),
        };
        let mesh: Mesh = cloud.mesh(&skin);
        let palette = cloud::palette(&skin, &matrices(random)[..count]);
        let mut duals = DualPalette::new(&skin);
        duals.update(&palette).expect("a palette of the skin");
        let blending = Blending::Duals(&duals);
        let skin = SkinOptions { blending, ..SkinOptions::default() };
        let bounds = BoundsOptions { blending, ..BoundsOptions::default() };
        Holds::new(&mesh).all(&palette, &skin, &bounds, &format!("case {case}"));
    }
}

#[test]
fn duals_that_turn_nothing_apart_cost_nothing() {
    let mut random = Random::new(622);
    let kernels = sinew::backend::default().expect("a backend").kernels(sinew::FloatMode::Fast);
    let subject = Subject::grouped(kernels, VERTICES, &mut random);
    let mesh = subject.mesh(&[]);
    let palette = subject.palette(&[rigs::rigid_matrices(1, &mut random)[0]; JOINTS]);
    let mut duals = DualPalette::new(&subject.skin);
    duals.update(&palette).unwrap();
    let linear = mesh.bounds(&palette, &BoundsOptions::default()).unwrap();
    let options = BoundsOptions { blending: Blending::Duals(&duals), ..BoundsOptions::default() };
    let found = mesh.bounds(&palette, &options).unwrap();
    for axis in 0..3 {
        assert!((linear.min[axis] - found.min[axis]).abs() < 1e-2, "{linear:?} {found:?}");
        assert!((linear.max[axis] - found.max[axis]).abs() < 1e-2, "{linear:?} {found:?}");
    }
}

#[test]
fn what_duals_cannot_hold_is_everywhere_or_refused() {
    let mut random = Random::new(623);
    let kernels = sinew::backend::default().expect("a backend").kernels(sinew::FloatMode::Fast);
    let [grouped, _, _, joint_space] = Subject::every(kernels, VERTICES, &mut random);
    let mesh = grouped.mesh(&[]);
    let everything = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
    for bad in [f32::NAN, f32::INFINITY, 1e30] {
        let mut matrices = vec![Matrix::IDENTITY; JOINTS];
        matrices[mesh.influences().joints[0] as usize].rows[1][1] = bad;
        let palette = grouped.palette(&matrices);
        let mut duals = DualPalette::new(&grouped.skin);
        duals.update(&palette).unwrap();
        let options = BoundsOptions { blending: Blending::Duals(&duals), ..BoundsOptions::default() };
        let found = mesh.bounds(&palette, &options).unwrap();
        assert!(found == everything || bad == 1e30 && !found.is_empty(), "{bad}: {found:?}");
    }
    let palette = joint_space.palette(&[Matrix::IDENTITY; JOINTS]);
    let duals = DualPalette::new(&joint_space.skin);
    let options = BoundsOptions { blending: Blending::Duals(&duals), ..BoundsOptions::default() };
    assert_eq!(joint_space.mesh(&[]).bounds(&palette, &options), Err(Error::DualsInJointSpace));
}

#[test]
fn bounds_allocate_nothing_after_the_first_time() {
    let mut random = Random::new(624);
    let kernels = sinew::backend::default().expect("a backend").kernels(sinew::FloatMode::Fast);
    let subject = Subject::grouped(kernels, VERTICES, &mut random);
    let mesh = subject.mesh(&[]);
    let palette = subject.palette(&matrices(&mut random));
    let mut duals = DualPalette::new(&subject.skin);
    duals.update(&palette).unwrap();
    let options = [Blending::Linear, Blending::Duals(&duals)]
        .map(|blending| BoundsOptions { blending, ..BoundsOptions::default() });
    let mut joints = [Aabb::EMPTY; JOINTS];
    let mut all = || {
        for options in &options {
            mesh.bounds(&palette, options).unwrap();
            mesh.sphere(&palette, options).unwrap();
            mesh.joint_bounds(&palette, options, &mut joints).unwrap();
        }
    };
    all();
    assert_eq!(allocation_counter::measure(all).count_total, 0);
}
