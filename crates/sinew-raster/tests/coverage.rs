//! Coverage: a triangle covers the samples inside it, and a surface covers each sample exactly
//! once.

mod support;

use sinew_raster::{ShadowVolume, Triangles, Vertex};
use support::{FlatCanvas, Random, WHITE};

/// The sample positions of a pixel, as a second statement independent of the rasterizer.
const SAMPLES: [[f64; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];

/// The number of white samples of each pixel, from its gray level: a quarter of the light for each.
fn white_samples(flat: &mut FlatCanvas) -> Vec<usize> {
    let gray = [0, 137, 188, 225, 255];
    let count = |pixel: &[u8; 3]| gray.iter().position(|&gray| gray == pixel[0]).expect("quarters of white");
    flat.render(1).pixels().iter().map(count).collect()
}

/// A random point on the rasterizer's subpixel grid, so that nothing is rounded.
fn grid_point(random: &mut Random, side: f32) -> [f32; 2] {
    [0, 1].map(|_| (random.within(-0.3 * side, 1.3 * side) * 256.0).round() / 256.0)
}

#[test]
fn a_triangle_covers_the_samples_inside_it() {
    let mut random = Random(1);
    for _ in 0..200 {
        let mut flat = FlatCanvas::new(40, 24);
        let corners = [(); 3].map(|()| grid_point(&mut random, 32.0));
        let vertices = corners.map(|corner| flat.vertex(corner, 0.5, WHITE));
        flat.canvas
            .add_triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::new(&vertices) })
            .expect("valid input");
        let [a, b, c] = corners.map(|corner| corner.map(f64::from));
        let side = |p: [f64; 2], q: [f64; 2], [x, y]: [f64; 2]| {
            (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])
        };
        for (pixel, found) in white_samples(&mut flat).into_iter().enumerate() {
            let sides = SAMPLES.map(|[i, j]| {
                let at = [(pixel % 40) as f64 + i, (pixel / 40) as f64 + j];
                [side(a, b, at), side(b, c, at), side(c, a, at)]
            });
            let inside = |s: &&[f64; 3]| s.iter().all(|&s| s > 0.0) || s.iter().all(|&s| s < 0.0);
            let outside = |s: &&[f64; 3]| s.iter().any(|&s| s < 0.0) && s.iter().any(|&s| s > 0.0);
            let min = sides.iter().filter(inside).count();
            let max = 4 - sides.iter().filter(outside).count();
            assert!(
                (min..=max).contains(&found),
                "{corners:?}, pixel {pixel}: {found}, expected {min}..={max}"
            );
        }
    }
}

/// Draws triangles that share edges as a shadow volume. The stencil of a sample is then the number
/// of front triangles that cover it minus the number of back triangles; samples are white where it
/// is not zero.
#[test]
fn triangles_that_share_edges_cover_each_sample_once() {
    let mut random = Random(2);
    for round in 0..60 {
        let mut flat = FlatCanvas::new(64, 48);
        // A fan around a point, with its rim outside the picture. On the coarse grid, vertices
        // often coincide with samples.
        let grid = if round % 2 == 0 { 16.0 } else { 256.0 };
        let mut point = |low: f32, high: f32| (random.within(low, high) * grid).round() / grid;
        let center = [point(20.0, 44.0), point(14.0, 34.0)];
        let rim: Vec<[f32; 2]> =
            [[-9.0, -9.0], [70.0, -9.0], [90.0, 20.0], [70.0, 60.0], [30.0, 70.0], [-9.0, 60.0]]
                .iter()
                .map(|[x, y]| [x + point(-4.0, 4.0), y + point(-4.0, 4.0)])
                .collect();
        let positions: Vec<[f32; 4]> =
            [center].iter().chain(&rim).map(|&[x, y]| flat.position(x, y, 0.0)).collect();
        let fan: Vec<[u32; 3]> = (0..6).map(|i| [0, 1 + i, 1 + (i + 1) % 6]).collect();
        let ground = [[-9.0, -9.0], [200.0, -9.0], [-9.0, 200.0]].map(|corner| Vertex {
            lit: [0.0; 3],
            shadowed: WHITE,
            ..flat.vertex(corner, 0.5, WHITE)
        });
        flat.canvas
            .add_triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::new(&ground) })
            .expect("valid input");
        flat.canvas
            .add_shadow_volume(&ShadowVolume { positions: &positions, triangles: &fan })
            .expect("valid input");
        assert!(flat.render(1).pixels().iter().all(|pixel| *pixel == [255; 3]), "round {round}: a gap");
        // The same area from other triangles, seen from behind: the stencil returns to zero.
        let back: Vec<[u32; 3]> = vec![[1, 3, 2], [1, 4, 3], [1, 5, 4], [1, 6, 5]];
        flat.canvas
            .add_shadow_volume(&ShadowVolume { positions: &positions, triangles: &back })
            .expect("valid input");
        let overlaps = flat.render(1).pixels().iter().filter(|pixel| **pixel != [0; 3]).count();
        assert_eq!(overlaps, 0, "round {round}: a sample was counted twice");
    }
}

#[test]
fn a_triangle_does_not_depend_on_the_order_of_its_vertices() {
    let mut random = Random(3);
    for _ in 0..50 {
        let corners = [(); 3].map(|()| grid_point(&mut random, 32.0));
        let depths = [(); 3].map(|()| random.next());
        let render = |order: [usize; 3]| {
            let mut flat = FlatCanvas::new(40, 24);
            // A wall at half depth makes the triangle's depths visible.
            let wall =
                [[-9.0, -9.0], [99.0, -9.0], [-9.0, 99.0]].map(|corner| flat.vertex(corner, 0.5, [0.2; 3]));
            let vertices = [0, 1, 2].map(|i| flat.vertex(corners[i], depths[i], [0.1, 0.5 * i as f32, 0.9]));
            let triangle = &[order.map(|corner| corner as u32)];
            flat.canvas
                .add_triangles(&Triangles { triangles: triangle, ..Triangles::new(&vertices) })
                .expect("valid input");
            flat.canvas
                .add_triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::new(&wall) })
                .expect("valid input");
            flat.render(1)
        };
        let expected = render([0, 1, 2]);
        for order in [[1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            assert_eq!(render(order), expected, "{order:?}");
        }
    }
}
