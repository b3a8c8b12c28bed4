//! From a palette to vertices: a tube with two joints, bent at the middle.
//!
//! Run with `cargo run -p sinew --example skin_a_tube`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::f32::consts::{FRAC_PI_2, TAU};

use sinew::mesh::Attributes;
use sinew::skinning::{DirectionLength, Skinned};
use sinew::{
    Bone, Error, Influences, Mesh, MeshSource, Palette, Pose, Skeleton, Skin, SkinOptions, Transform,
};

const RINGS: usize = 21;
const SIDES: usize = 12;
/// The radius in meters.
const RADIUS: f32 = 0.2;
/// The height of the bend in meters; the tube is twice as high.
const BEND: f32 = 1.0;

fn main() -> Result<(), Error> {
    // Once: all input is checked and all memory is allocated here.
    let up = Transform { translation: [0.0, BEND, 0.0], ..Transform::IDENTITY };
    let skeleton =
        Skeleton::new(&[Bone::new("lower", None, Transform::IDENTITY), Bone::new("upper", Some(0), up)])?;
    let upper = skeleton.joint("upper")?;
    let skin = Skin::new(&skeleton, &skeleton.joints().collect::<Vec<_>>())?;
    let mesh = tube(&skin)?;
    let mut pose = Pose::new(&skeleton);
    let mut model_from_joint = skeleton.identity_matrices();
    let mut palette = Palette::new(&skin);
    let mut skinned = Skinned::new(&mesh, Attributes::Normals)?;
    let mut positions = vec![[0.0; 3]; mesh.len()];
    let mut normals = vec![[0.0; 3]; mesh.len()];
    println!("{} vertices in {} runs, {} places", mesh.len(), mesh.run_count(), mesh.padded_len());

    for step in 0..=4 {
        let radians = FRAC_PI_2 * step as f32 / 4.0;
        let (sine, cosine) = (0.5 * radians).sin_cos();
        pose.set_rotation(upper, [0.0, 0.0, sine, cosine]);
        skeleton.to_model(&pose, .., &mut model_from_joint)?;
        palette.update(&model_from_joint, &skin)?;
        mesh.skin(&palette, &SkinOptions::default().with_directions(DirectionLength::Unit), &mut skinned)?;

        // The blocks in `skinned` are in run order; these arrays are in source order.
        skinned.positions(&mesh, &mut positions)?;
        skinned.normals(&mesh, &mut normals)?;
        let top = center(&positions[SIDES * (RINGS - 1)..]);
        let [x, y, z] = top;
        println!("bent by {radians:.2}: the top is at {x:6.3} {y:6.3} {z:6.3}");
        let expected = [-BEND * radians.sin(), BEND + BEND * radians.cos(), 0.0];
        assert!(top.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5));
        for [x, y, z] in &normals {
            assert!((x * x + y * y + z * z - 1.0).abs() < 1e-5, "normals have length one");
        }
    }
    Ok(())
}

/// A tube of rings. Near the bend both joints influence the vertices.
fn tube(skin: &Skin) -> Result<Mesh, Error> {
    let (mut positions, mut normals, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    let mut triangles = Vec::new();
    for ring in 0..RINGS {
        let height = 2.0 * BEND * ring as f32 / (RINGS - 1) as f32;
        let upper = ((height - BEND) / 0.4 + 0.5).clamp(0.0, 1.0);
        for side in 0..SIDES {
            let (sine, cosine) = (TAU * side as f32 / SIDES as f32).sin_cos();
            positions.push([RADIUS * cosine, height, RADIUS * sine]);
            normals.push([cosine, 0.0, sine]);
            weights.push([1.0 - upper, upper, 0.0, 0.0]);
            if ring > 0 {
                let vertex = |ring: usize, side: usize| (SIDES * ring + side % SIDES) as u32;
                let (a, b) = (vertex(ring - 1, side), vertex(ring - 1, side + 1));
                let (c, d) = (vertex(ring, side), vertex(ring, side + 1));
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    let influences = Influences::Four { joints: &vec![[0, 1, 0, 0]; weights.len()], weights: &weights };
    let source = MeshSource {
        normals: Some(&normals),
        triangles: &triangles,
        ..MeshSource::new(&positions, influences)
    };
    Ok(Mesh::new(&source, skin)?)
}

/// The mean of the points.
fn center(points: &[[f32; 3]]) -> [f32; 3] {
    std::array::from_fn(|axis| points.iter().map(|point| point[axis]).sum::<f32>() / points.len() as f32)
}
