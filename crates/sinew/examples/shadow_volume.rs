//! From skinned vertices to a shadow volume: a flagpole with two joints bends under a lamp, and its
//! shadow on the ground grows.
//!
//! Run with `cargo run -p sinew --example shadow_volume`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::f32::consts::TAU;

use sinew::geometry::{Edges, Facing, Light, PositionView, ShadowBuffers, ShadowCast, Side};
use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew::{
    Bone, Error, Influences, Mesh, MeshSource, Palette, Pose, Skeleton, Skin, SkinOptions, Transform,
};

const SIDES: usize = 6;
const RINGS: usize = 9;
/// The position of the lamp, above the ground and beside the pole.
const LAMP: [f32; 3] = [-2.0, 4.0, 0.0];

fn main() -> Result<(), Error> {
    // Once: the edges of the mesh, and memory for its largest possible shadow volume.
    let up = Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY };
    let skeleton =
        Skeleton::new(&[Bone::new("lower", None, Transform::IDENTITY), Bone::new("upper", Some(0), up)])?;
    let upper = skeleton.joint("upper")?;
    let skin = Skin::new(&skeleton, &skeleton.joints().collect::<Vec<_>>())?;
    let mesh = pole(&skin)?;
    let (mut pose, mut palette) = (Pose::new(&skeleton), Palette::new(&skin));
    let mut model_from_joint = skeleton.identity_matrices();
    let mut skinned = Skinned::new(&mesh, Attributes::Positions)?;
    let edges = Edges::new(&mesh)?;
    let report = edges.report();
    println!("{} edges, the surface is {:?}", edges.len(), report.topology());
    let size = edges.shadow_size(report.casters());
    let (mut vertices, mut triangles) = (vec![[0.0; 4]; size.vertices], vec![[0; 3]; size.triangles]);

    for step in 0..=4 {
        let (sine, cosine) = (-0.1 * step as f32).sin_cos();
        pose.set_rotation(upper, [0.0, 0.0, sine, cosine]);
        skeleton.to_model(&pose, .., &mut model_from_joint)?;
        palette.update(&model_from_joint, &skin)?;
        mesh.skin(&palette, &SkinOptions::default(), &mut skinned)?;

        let facing = &facing(skinned.position_view(), mesh.triangles());
        let (points, light) = (skinned.position_view(), Light::Point(LAMP));
        let cast = ShadowCast { positions: points, light, facing, casters: report.casters() };
        let buffers = ShadowBuffers { vertices: &mut vertices, triangles: &mut triangles };
        let volume = edges.cast_shadow(&cast, buffers)?;
        let [caps, sides] = [volume.front_cap.len(), volume.sides.len()];
        let far = vertices[edges.vertex_count()..volume.vertices].iter().map(|&[x, y, ..]| ground_hit(x, y));
        let end = far.fold(0.0, f32::max);
        println!(
            "step {step}: {caps} triangles cast, with {sides} at the sides; the shadow ends at {end:.2} m"
        );
    }
    Ok(())
}

/// The x coordinate at which light with direction (x, y) hits the ground.
fn ground_hit(x: f32, y: f32) -> f32 {
    LAMP[0] - LAMP[1] * x / y
}

/// The triangles that face the lamp.
fn facing(points: PositionView<'_>, triangles: &[[u32; 3]]) -> Facing {
    let mut facing = Facing::new(triangles.len());
    for (i, triangle) in triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|corner| points.position(corner as usize));
        let from_a = |p: [f32; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
        let (b, c, l) = (from_a(b), from_a(c), from_a(LAMP));
        let normal = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        if normal[0] * l[0] + normal[1] * l[1] + normal[2] * l[2] > 0.0 {
            facing.set(i, Side::Front);
        }
    }
    facing
}

/// A closed pole around y, from the ground to a height of two meters, with a point at either end.
fn pole(skin: &Skin) -> Result<Mesh, Error> {
    let (mut positions, mut triangles) = (vec![[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]], Vec::new());
    let vertex = |ring: usize, side: usize| (2 + SIDES * ring + side % SIDES) as u32;
    for (ring, side) in (0..RINGS).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
        let (sine, cosine) = (TAU * side as f32 / SIDES as f32).sin_cos();
        positions.push([0.1 * cosine, 2.0 * ring as f32 / (RINGS - 1) as f32, 0.1 * sine]);
        let [a, b] = [side, side + 1].map(|side| vertex(ring, side));
        match ring {
            0 => triangles.push([0, a, b]),
            _ => triangles.extend([
                [vertex(ring - 1, side), a, b],
                [vertex(ring - 1, side), b, vertex(ring - 1, side + 1)],
            ]),
        }
        if ring == RINGS - 1 {
            triangles.push([1, b, a]);
        }
    }
    let upper = |&[_, y, _]: &[f32; 3]| (2.5 * (y - 0.8)).clamp(0.0, 1.0);
    let weights: Vec<[f32; 4]> =
        positions.iter().map(upper).map(|upper| [1.0 - upper, upper, 0.0, 0.0]).collect();
    let influences = Influences::Four { joints: &vec![[0, 1, 0, 0]; weights.len()], weights: &weights };
    let source = MeshSource { triangles: &triangles, ..MeshSource::new(&positions, influences) };
    Ok(Mesh::new(&source, skin)?)
}
