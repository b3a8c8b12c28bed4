//! Silhouettes and shadow volumes, from facing bits on.

use std::error::Error;
use std::hint::black_box;

use sinew::{
    Attributes, Casters, Edges, Facing, Light, Points, ShadowBuffers, ShadowCast, Side, Silhouette,
    SkinOptions, Skinned,
};
use sinew_testkit::timer::{Length, Race};

use crate::subject::{MOMENTS, Subject};
use crate::{print as print_timings, say};

/// Above and beside the figure.
const LAMP: Light = Light::Point([1.5, 3.0, 2.0]);
const SUN: Light = Light::Direction([0.5, 1.0, 0.3]);

pub(crate) fn print(figure: &str, length: Length) -> Result<(), Box<dyn Error>> {
    let subject = Subject::new(figure)?;
    let Subject { mesh, palettes, skinned } = &subject;
    let edges = &Edges::new(mesh)?;
    say(&format!("{figure}: {} triangles, {:?}", mesh.triangles().len(), edges.report()));

    let facing = |light: Light| -> Vec<Facing> {
        skinned.iter().map(|skinned| seen(skinned.points(), mesh.triangles(), light)).collect()
    };
    let [of_lamp, of_sun] = &[LAMP, SUN].map(facing);

    let mut race = Race::new();
    let mut to = Skinned::new(mesh, Attributes::Positions)?;
    let mut moments = (0..MOMENTS).cycle();
    race.add("skinning, positions", move || {
        let palette = &palettes[moments.next().unwrap_or_default()];
        // What fits once fits again.
        let _ = mesh.skin(palette, &SkinOptions::default(), &mut to);
        black_box(&mut to);
    });

    let mut silhouette = Silhouette::new(edges);
    let mut moments = (0..MOMENTS).cycle();
    race.add("silhouette", move || {
        let _ = edges.silhouette(&of_lamp[moments.next().unwrap_or_default()], &mut silhouette);
        black_box(&mut silhouette);
    });
    for (name, light, facing, casters) in [
        ("volume, light at a point", LAMP, of_lamp, Casters::Front),
        ("volume, light at a point, all cast", LAMP, of_lamp, Casters::All),
        ("volume, light from a direction", SUN, of_sun, Casters::Front),
        ("volume, light from a direction, all cast", SUN, of_sun, Casters::All),
    ] {
        let size = edges.shadow_size(casters);
        let (mut vertices, mut triangles) = (vec![[0.0; 4]; size.vertices], vec![[0; 3]; size.triangles]);
        let mut moments = (0..MOMENTS).cycle();
        race.add(name, move || {
            let moment = moments.next().unwrap_or_default();
            let points = skinned[moment].points();
            let cast = ShadowCast { points, light, facing: &facing[moment], casters };
            let buffers = ShadowBuffers { vertices: &mut vertices, triangles: &mut triangles };
            let _ = black_box(edges.cast_shadow(&cast, buffers));
            black_box((&mut vertices, &mut triangles));
        });
    }
    print_timings(&race.run(length));
    Ok(())
}

/// Which triangles face a light.
fn seen(points: Points<'_>, triangles: &[[u32; 3]], light: Light) -> Facing {
    let mut facing = Facing::new(triangles.len());
    let [x, y, z, w] = light.homogeneous();
    for (i, triangle) in triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|corner| points.point(corner as usize));
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
