//! Skinning into an interleaved vertex buffer, with bounds, a level of detail and dual quaternions.
//!
//! Run with `cargo run -p sinew --example fill_a_vertex_buffer`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::f32::consts::TAU;

use sinew::skinning::{
    Blending, DualQuaternionPalette, SkinningError, Target, VertexAttribute, VertexFormat, VertexLayout,
    VertexWriter,
};
use sinew::{
    Aabb, Bone, Error, Influences, Matrix, Mesh, MeshSource, Palette, Skeleton, Skin, SkinOptions, Transform,
};

/// A vertex: position, normal, texture coordinates.
type Vertex = [f32; 8];
const SIDES: usize = 24;
const RINGS: usize = 9;

fn main() -> Result<(), Error> {
    // Once: a pipe along x with a joint at each end; weights blend from one to the other.
    let bone = |name| Bone::new(name, None, Transform::IDENTITY);
    let skeleton = Skeleton::new(&[bone("left"), bone("right")])?;
    let skin = Skin::new(&skeleton, &skeleton.joints().collect::<Vec<_>>())?;
    let mesh = pipe(&skin)?;
    let mut palette = Palette::new(&skin);
    let mut dual_quaternions = DualQuaternionPalette::new(&skin);

    // Texture coordinates are written once: skinning does not touch what the layout does not name.
    let layout = VertexLayout::interleaved(size_of::<Vertex>())
        .with(VertexAttribute::Position, VertexFormat::Float32x3, 0)
        .with(VertexAttribute::Normal, VertexFormat::Float32x3, 12);
    let mut buffer: Vec<Vertex> = vec![[0.0; 8]; mesh.len()];
    for (vertex, buffer) in buffer.iter_mut().enumerate() {
        buffer[6..].copy_from_slice(&[vertex as f32, 0.5]);
    }

    // Every frame: the right end is rotated by 180 degrees.
    let half_turn = Matrix { rows: [[1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0]] };
    palette.update(&[Matrix::IDENTITY, half_turn], &skin)?;
    dual_quaternions.update(&palette)?;
    for (name, blending) in [
        ("linear blending", Blending::Linear),
        ("dual quaternions", Blending::DualQuaternion(&dual_quaternions)),
    ] {
        let mut bounds = Aabb::EMPTY;
        let writer = VertexWriter::new(&layout, [&mut buffer], mesh.len()).map_err(SkinningError::from)?;
        let target = Target::vertices(writer).with_bounds(&mut bounds);
        mesh.skin_into(&palette, &SkinOptions::default().with_blending(blending), target)?;

        let middle = &buffer[SIDES * (RINGS / 2)..][..SIDES];
        let radius = |vertex: &Vertex| (vertex[1] * vertex[1] + vertex[2] * vertex[2]).sqrt();
        let radius = middle.iter().map(radius).sum::<f32>() / SIDES as f32;
        println!("{name}: the middle has a radius of {radius:.3}, all lies within {bounds:?}");
        assert!((radius < 0.05) == matches!(blending, Blending::Linear));
    }
    assert_eq!(buffer[5][6..], [5.0, 0.5]);

    let displacement = mesh.displacement(&palette, 1)?;
    println!("with one influence a vertex moves by up to {displacement:.3}");
    Ok(())
}

/// A pipe of radius one, from -1 to 1 along x.
fn pipe(skin: &Skin) -> Result<Mesh, Error> {
    let (mut positions, mut normals, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for ring in 0..RINGS {
        let right = ring as f32 / (RINGS - 1) as f32;
        for side in 0..SIDES {
            let (sine, cosine) = (TAU * side as f32 / SIDES as f32).sin_cos();
            positions.push([2.0 * right - 1.0, cosine, sine]);
            normals.push([0.0, cosine, sine]);
            weights.push([1.0 - right, right, 0.0, 0.0]);
        }
    }
    let influences = Influences::Four { joints: &vec![[0, 1, 0, 0]; weights.len()], weights: &weights };
    let source =
        MeshSource { normals: Some(&normals), levels: &[1], ..MeshSource::new(&positions, influences) };
    Ok(Mesh::new(&source, skin)?)
}
