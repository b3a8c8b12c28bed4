//! Normals where joints scale unevenly and shear: by cofactors they stay at right angles to the surface.

use crate::subjects::{JOINTS, Subject, dot, length};
use sinew::{
    Attributes, Blending, DirectionLength, DualPalette, DualShares, Mesh, NormalTransform, Palette,
    SkinOptions, Skinned,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

const VERTICES: usize = if EMULATED { 60 } else { 300 };

/// Every layout, with tangents and bitangents that span the surface: the normal is their cross product.
fn every_surface(kernels: &'static sinew::Kernels, random: &mut Random) -> [Subject; 4] {
    Subject::every(kernels, VERTICES, random).map(|subject| {
        let mut subject = subject.with_bitangents("", random);
        let bitangents = subject.bitangents.as_mut().expect("bitangents");
        for (vertex, normal) in subject.cloud.normals.iter().enumerate() {
            let [x, y, z, _] = subject.cloud.tangents[vertex];
            let bitangent = unit(cross(normal.map(f64::from), [x, y, z].map(f64::from)));
            let [x, y, z] = cross(bitangent, normal.map(f64::from)).map(|component| component as f32);
            subject.cloud.tangents[vertex] = [x, y, z, 1.0];
            bitangents[vertex] = bitangent.map(|component| component as f32);
        }
        subject
    })
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    vector.map(|component| component / length(vector))
}

/// Normal, tangent and bitangent of every vertex.
fn skinned(mesh: &Mesh, palette: &Palette, options: &SkinOptions<'_>) -> Vec<[[f64; 3]; 3]> {
    let mut skinned = Skinned::new(mesh, Attributes::Bitangents).expect("bitangents");
    mesh.skin(palette, options, &mut skinned).expect("what fits");
    let mut all = [0; 3].map(|_| vec![[f32::NAN; 3]; mesh.len()]);
    skinned.normals(mesh, &mut all[0]).expect("normals");
    skinned.tangents(mesh, &mut all[1]).expect("tangents");
    skinned.bitangents(mesh, &mut all[2]).expect("bitangents");
    let of = |vertex: usize| all.each_ref().map(|vectors| vectors[vertex].map(f64::from));
    (0..mesh.len()).map(of).collect()
}

#[test]
fn cofactor_normals_are_at_right_angles_to_the_skinned_surface() {
    every_backend(|run| {
        let mut random = Random::new(230);
        for subject in every_surface(run.kernels, &mut random) {
            let mesh = subject.mesh(&[]);
            let palette = subject.palette(&rigs::sheared_matrices(JOINTS, &mut random));
            let mut duals = DualPalette::new(&subject.skin);
            duals.update(&palette).unwrap();
            let shares: Vec<f32> = (0..VERTICES).map(|_| random.fraction()).collect();
            let shares = DualShares::new(&mesh, &shares).unwrap();
            let mut blendings = vec![Blending::Linear];
            if subject.vectors.is_none() {
                blendings.extend([Blending::Duals(&duals), Blending::Mixed(&duals, &shares)]);
            }
            for blending in blendings {
                let options =
                    SkinOptions { normals: NormalTransform::Cofactor, blending, ..SkinOptions::default() };
                for (vertex, [normal, tangent, bitangent]) in
                    skinned(&mesh, &palette, &options).into_iter().enumerate()
                {
                    let what = format!("{run}: vertex {vertex}: {normal:?} {tangent:?} {bitangent:?}");
                    // Cofactors of a blend that lost a dimension are mostly rounding, whatever their length.
                    let allowed = 2e-6 * length(tangent).max(length(bitangent)).max(1.0).powi(3);
                    assert!(dot(normal, tangent).abs() <= allowed, "{what}");
                    assert!(dot(normal, bitangent).abs() <= allowed, "{what}");
                    // Nor has it another length, or the other side of the surface.
                    let expected = cross(tangent, bitangent);
                    let apart = [0, 1, 2].map(|axis| normal[axis] - expected[axis]);
                    assert!(length(apart) <= 2.0 * allowed, "{what}: {expected:?}");
                }
            }
        }
    });
}

#[test]
fn normals_turned_as_directions_are_not_at_right_angles() {
    every_backend(|run| {
        let mut random = Random::new(231);
        for subject in every_surface(run.kernels, &mut random) {
            let palette = subject.palette(&rigs::sheared_matrices(JOINTS, &mut random));
            let vectors = skinned(&subject.mesh(&[]), &palette, &SkinOptions::default());
            let leaning = vectors.iter().filter(|[normal, tangent, bitangent]| {
                let lean = |along: [f64; 3]| dot(*normal, along).abs() / (length(*normal) * length(along));
                lean(*tangent).max(lean(*bitangent)) > 0.05
            });
            assert!(leaning.count() > VERTICES / 2, "{run}");
        }
    });
}

#[test]
fn unit_normals_have_length_one_and_the_same_direction() {
    every_backend(|run| {
        let mut random = Random::new(232);
        for subject in every_surface(run.kernels, &mut random) {
            let mesh = subject.mesh(&[]);
            let palette = subject.palette(&rigs::sheared_matrices(JOINTS, &mut random));
            for normals in [NormalTransform::BlendedMatrix, NormalTransform::Cofactor] {
                let as_blended = SkinOptions { normals, ..SkinOptions::default() };
                let of_length_one = SkinOptions { directions: DirectionLength::Unit, ..as_blended };
                let blended = skinned(&mesh, &palette, &as_blended);
                let found = skinned(&mesh, &palette, &of_length_one);
                for (vertex, (blended, found)) in blended.iter().zip(&found).enumerate() {
                    for (blended, found) in blended.iter().zip(found) {
                        assert!((length(*found) - 1.0).abs() < 1e-6, "{run}: vertex {vertex}: {found:?}");
                        let expected = unit(*blended);
                        let apart = [0, 1, 2].map(|axis| found[axis] - expected[axis]);
                        assert!(length(apart) < 2e-6, "{run}: vertex {vertex}: {found:?} {expected:?}");
                    }
                }
            }
        }
    });
}
