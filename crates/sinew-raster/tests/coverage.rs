//! Which samples a triangle has: every sample of a surface exactly once.

mod scene;

use scene::{Flat, Random, WHITE};
use sinew_raster::{Triangles, Vertex, Volume};

/// Where the samples of a pixel are, written down once more.
const SAMPLES: [[f64; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];

/// How many samples of each pixel are white, told from its grey: a quarter of light for each.
fn samples_of(flat: &mut Flat) -> Vec<usize> {
    let greys = [0, 137, 188, 225, 255];
    let count = |pixel: &[u8; 3]| greys.iter().position(|&grey| grey == pixel[0]).expect("quarters of white");
    flat.draw(1).pixels().iter().map(count).collect()
}

/// Corners on the grid of the rasteriser, so that nothing is rounded on the way.
fn on_grid(random: &mut Random, side: f32) -> [f32; 2] {
    [0, 1].map(|_| (random.within(-0.3 * side, 1.3 * side) * 256.0).round() / 256.0)
}

#[test]
fn a_triangle_has_the_samples_inside_it() {
    let mut random = Random(1);
    for _ in 0..200 {
        let mut flat = Flat::new(40, 24);
        let corners = [(); 3].map(|()| on_grid(&mut random, 32.0));
        let vertices = corners.map(|corner| flat.vertex(corner, 0.5, WHITE));
        flat.canvas
            .triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::of(&vertices) })
            .expect("sound");
        let [a, b, c] = corners.map(|corner| corner.map(f64::from));
        let side = |p: [f64; 2], q: [f64; 2], [x, y]: [f64; 2]| {
            (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])
        };
        for (pixel, found) in samples_of(&mut flat).into_iter().enumerate() {
            let sides = SAMPLES.map(|[i, j]| {
                let at = [(pixel % 40) as f64 + i, (pixel / 40) as f64 + j];
                [side(a, b, at), side(b, c, at), side(c, a, at)]
            });
            let inside = |s: &&[f64; 3]| s.iter().all(|&s| s > 0.0) || s.iter().all(|&s| s < 0.0);
            let outside = |s: &&[f64; 3]| s.iter().any(|&s| s < 0.0) && s.iter().any(|&s| s > 0.0);
            let least = sides.iter().filter(inside).count();
            let most = 4 - sides.iter().filter(outside).count();
            assert!(
                (least..=most).contains(&found),
                "{corners:?}, pixel {pixel}: {found} of {least}..={most}"
            );
        }
    }
}

/// Draws triangles that share edges as a volume: the count of a sample is the number of triangles that have it, less those
/// that have it from behind. Samples are white where it is not zero.
#[test]
fn triangles_with_a_common_edge_have_each_sample_once() {
    let mut random = Random(2);
    for round in 0..60 {
        let mut flat = Flat::new(64, 48);
        // A fan around a point, whose rim lies outside the picture; corners often fall onto samples.
        let coarse = if round % 2 == 0 { 16.0 } else { 256.0 };
        let mut point = |low: f32, high: f32| (random.within(low, high) * coarse).round() / coarse;
        let middle = [point(20.0, 44.0), point(14.0, 34.0)];
        let rim: Vec<[f32; 2]> =
            [[-9.0, -9.0], [70.0, -9.0], [90.0, 20.0], [70.0, 60.0], [30.0, 70.0], [-9.0, 60.0]]
                .iter()
                .map(|[x, y]| [x + point(-4.0, 4.0), y + point(-4.0, 4.0)])
                .collect();
        let places: Vec<[f32; 4]> =
            [middle].iter().chain(&rim).map(|&[x, y]| flat.place(x, y, 0.0)).collect();
        let fan: Vec<[u32; 3]> = (0..6).map(|i| [0, 1 + i, 1 + (i + 1) % 6]).collect();
        let ground = [[-9.0, -9.0], [200.0, -9.0], [-9.0, 200.0]].map(|corner| Vertex {
            lit: [0.0; 3],
            shaded: WHITE,
            ..flat.vertex(corner, 0.5, WHITE)
        });
        flat.canvas
            .triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::of(&ground) })
            .expect("sound");
        flat.canvas.volume(&Volume { places: &places, triangles: &fan }).expect("sound");
        assert!(flat.draw(1).pixels().iter().all(|pixel| *pixel == [255; 3]), "round {round}: a gap");
        // The same ground in other triangles and from behind: what was counted once is zero again.
        let across: Vec<[u32; 3]> = vec![[1, 3, 2], [1, 4, 3], [1, 5, 4], [1, 6, 5]];
        flat.canvas.volume(&Volume { places: &places, triangles: &across }).expect("sound");
        let overlaps = flat.draw(1).pixels().iter().filter(|pixel| **pixel != [0; 3]).count();
        assert_eq!(overlaps, 0, "round {round}: a sample was counted twice");
    }
}

#[test]
fn a_triangle_is_the_same_however_its_corners_are_listed() {
    let mut random = Random(3);
    for _ in 0..50 {
        let corners = [(); 3].map(|()| on_grid(&mut random, 32.0));
        let depths = [(); 3].map(|()| random.next());
        let draw = |order: [usize; 3]| {
            let mut flat = Flat::new(40, 24);
            // A wall through the middle, so that depths are seen.
            let wall =
                [[-9.0, -9.0], [99.0, -9.0], [-9.0, 99.0]].map(|corner| flat.vertex(corner, 0.5, [0.2; 3]));
            let vertices = [0, 1, 2].map(|i| flat.vertex(corners[i], depths[i], [0.1, 0.5 * i as f32, 0.9]));
            let one = &[order.map(|corner| corner as u32)];
            flat.canvas.triangles(&Triangles { triangles: one, ..Triangles::of(&vertices) }).expect("sound");
            flat.canvas
                .triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::of(&wall) })
                .expect("sound");
            flat.draw(1)
        };
        let expected = draw([0, 1, 2]);
        for order in [[1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            assert_eq!(draw(order), expected, "{order:?}");
        }
    }
}
