//! Silhouettes and shadow volumes from facing bits.

use std::error::Error;
use std::hint::black_box;

use sinew::SkinOptions;
use sinew::geometry::{
    Casters, Edges, Facing, Light, PositionView, ShadowBuffers, ShadowCast, Side, Silhouette,
};
use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew_bench::timer::{AlternatingTimer, Length};

use crate::walking_figure::{PHASES, WalkingFigure};
use crate::{print as print_timings, print_line};

/// A point light above and beside the figure.
const LAMP: Light = Light::Point([1.5, 3.0, 2.0]);
/// A directional light.
const SUN: Light = Light::Direction([0.5, 1.0, 0.3]);

pub(crate) fn print(figure: &str, length: Length) -> Result<(), Box<dyn Error>> {
    let walking_figure = WalkingFigure::new(figure)?;
    let WalkingFigure { mesh, palettes, skinned } = &walking_figure;
    let edges = &Edges::new(mesh)?;
    print_line(&format!("{figure}: {} triangles, {:?}", mesh.triangles().len(), edges.report()));

    let facing = |light: Light| -> Vec<Facing> {
        skinned
            .iter()
            .map(|skinned| compute_facing(skinned.position_view(), mesh.triangles(), light))
            .collect()
    };
    let [lamp_facing, sun_facing] = &[LAMP, SUN].map(facing);

    let mut timer = AlternatingTimer::new();
    let mut to = Skinned::new(mesh, Attributes::Positions)?;
    let mut phases = (0..PHASES).cycle();
    timer.add("skinning, positions", move || {
        let palette = &palettes[phases.next().unwrap_or_default()];
        // The sizes match, so that this cannot fail.
        let _ = mesh.skin(palette, &SkinOptions::default(), &mut to);
        black_box(&mut to);
    });

    let mut silhouette = Silhouette::new(edges);
    let mut phases = (0..PHASES).cycle();
    timer.add("silhouette", move || {
        let _ = edges.silhouette(&lamp_facing[phases.next().unwrap_or_default()], &mut silhouette);
        black_box(&mut silhouette);
    });
    for (name, light, facing, casters) in [
        ("volume, point light", LAMP, lamp_facing, Casters::Front),
        ("volume, point light, all casters", LAMP, lamp_facing, Casters::All),
        ("volume, directional light", SUN, sun_facing, Casters::Front),
        ("volume, directional light, all casters", SUN, sun_facing, Casters::All),
    ] {
        let size = edges.shadow_size(casters);
        let (mut vertices, mut triangles) = (vec![[0.0; 4]; size.vertices], vec![[0; 3]; size.triangles]);
        let mut phases = (0..PHASES).cycle();
        timer.add(name, move || {
            let phase = phases.next().unwrap_or_default();
            let points = skinned[phase].position_view();
            let cast = ShadowCast { positions: points, light, facing: &facing[phase], casters };
            let buffers = ShadowBuffers { vertices: &mut vertices, triangles: &mut triangles };
            let _ = black_box(edges.cast_shadow(&cast, buffers));
            black_box((&mut vertices, &mut triangles));
        });
    }
    print_timings(&timer.run(length));
    Ok(())
}

/// Computes which triangles face a light.
fn compute_facing(points: PositionView<'_>, triangles: &[[u32; 3]], light: Light) -> Facing {
    let mut facing = Facing::new(triangles.len());
    let [x, y, z, w] = light.homogeneous();
    for (i, triangle) in triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|corner| points.position(corner as usize));
        let from = |[px, py, pz]: [f32; 3]| [px - a[0], py - a[1], pz - a[2]];
        let ([bx, by, bz], [cx, cy, cz]) = (from(b), from(c));
        let normal = [by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx];
        let towards = [x - w * a[0], y - w * a[1], z - w * a[2]];
        if normal.iter().zip(towards).map(|(n, t)| n * t).sum::<f32>() > 0.0 {
            facing.set(i, Side::Front);
        }
    }
    facing
}
