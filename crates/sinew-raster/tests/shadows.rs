//! Shadow volumes: counted right from outside and from inside, with ends infinitely far away.

mod scene;

use scene::{box_of, draw, size, view};
use sinew_raster::{Canvas, Picture, Size, Triangles, Vertex, View, Volume};

const LIT: [u8; 3] = [255; 3];
const SHADED: [u8; 3] = [0; 3];

/// Where the samples of a pixel are.
const SAMPLES: [[f64; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];
/// What a pixel is with so many samples in the shadow.
const GREYS: [u8; 5] = [255, 225, 188, 137, 0];

/// A wall across the picture at a distance, white where it is lit and black in the shadow.
fn wall(canvas: &mut Canvas, view: &View, z: f32) {
    let corner = |x: f32, y: f32| Vertex {
        place: view.point([x, y, z]),
        lit: [1.0; 3],
        shaded: [0.0; 3],
        texture: [0.0; 2],
    };
    let vertices = [corner(-99.0, -99.0), corner(99.0, -99.0), corner(99.0, 99.0), corner(-99.0, 99.0)];
    let triangles = Triangles { triangles: &[[0, 1, 2], [0, 2, 3]], ..Triangles::of(&vertices) };
    canvas.triangles(&triangles).expect("sound");
}

/// A wall at -5 seen from a place, with a volume from -`far` to -`near`, 2 wide and high.
fn seen(eye: [f32; 3], near: f32, far: f32) -> Picture {
    let size = size(32, 32);
    let view = view(eye, size);
    let mut canvas = Canvas::new(size);
    wall(&mut canvas, &view, -5.0);
    let (corners, triangles) = box_of([-1.0, -1.0, -far], [1.0, 1.0, -near]);
    let places = corners.map(|corner| view.point(corner));
    canvas.volume(&Volume { places: &places, triangles: &triangles }).expect("sound");
    draw(&mut canvas, &[], 1)
}

#[test]
fn a_box_darkens_what_is_in_it_and_nothing_else() {
    for (eye, what) in
        [([0.0; 3], "outside"), ([0.0, 0.0, -4.5], "inside"), ([0.5, 0.2, -4.9], "inside, aside")]
    {
        let picture = seen(eye, 4.0, 6.0);
        assert_eq!(picture.pixel(16, 16), SHADED, "{what}");
        // Before the wall and behind it.
        assert!(seen(eye, 2.0, 4.0).pixels().iter().all(|pixel| *pixel == LIT), "{what}");
        assert!(seen(eye, 6.0, 8.0).pixels().iter().all(|pixel| *pixel == LIT), "{what}");
    }
    assert_eq!(seen([0.0; 3], 4.0, 6.0).pixel(2, 2), LIT);
    // With the eye in the box, and the wall too, all around it.
    assert_eq!(seen([0.9, 0.0, -4.0], 3.0, 6.0).pixel(31, 16), LIT);
}

#[test]
fn a_box_around_the_eye_that_the_near_plane_cuts_is_counted() {
    let picture = seen([0.0, 0.0, 0.0], -1.0, 7.0);
    assert_eq!([picture.pixel(16, 16), picture.pixel(0, 0)], [SHADED, LIT]);
}

/// What a triangle keeps from a light, by the book: a cap, three sides to points infinitely far away, and the far cap.
fn cast(corners: [[f32; 3]; 3], light: [f32; 4], view: &View) -> ([[f32; 4]; 6], [[u32; 3]; 8]) {
    let away = |[x, y, z]: [f32; 3]| {
        let [lx, ly, lz, w] = light;
        [x * w - lx, y * w - ly, z * w - lz, 0.0]
    };
    let near = corners.map(|corner| view.point(corner));
    let far = corners.map(|corner| view.homogeneous(away(corner)));
    let places = [near[0], near[1], near[2], far[0], far[1], far[2]];
    let triangles = [[0, 1, 2], [5, 4, 3], [1, 0, 3], [1, 3, 4], [2, 1, 4], [2, 4, 5], [0, 2, 5], [0, 5, 3]];
    (places, triangles)
}

/// Whether a point's way to the light goes through a triangle.
fn is_hidden(point: [f64; 3], corners: [[f32; 3]; 3], light: [f32; 4]) -> bool {
    let [lx, ly, lz, w] = light.map(f64::from);
    let way = [lx - point[0] * w, ly - point[1] * w, lz - point[2] * w];
    let sub = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let [a, b, c] = corners.map(|corner| sub(corner.map(f64::from), point));
    let sides = [dot(way, cross(a, b)), dot(way, cross(b, c)), dot(way, cross(c, a))];
    let same = sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0);
    let normal = cross(sub(b, a), sub(c, a));
    same && dot(normal, a) / dot(normal, way) > 0.0
}

/// Draws the wall in the shadow of a triangle and compares every sample with a ray. Gives how many are dark.
fn check(corners: [[f32; 3]; 3], light: [f32; 4], eye: [f32; 3], size: Size) -> usize {
    let view = view(eye, size);
    let mut canvas = Canvas::new(size);
    wall(&mut canvas, &view, -5.0);
    let (places, triangles) = cast(corners, light, &view);
    canvas.volume(&Volume { places: &places, triangles: &triangles }).expect("sound");
    let picture = draw(&mut canvas, &[], 1);
    let mut dark = 0;
    for y in 0..size.height() {
        for x in 0..size.width() {
            let at = |i: f64, j: f64| {
                let slope = |pixel: f64, side: usize| 2.0 * pixel / side as f64 - 1.0;
                let distance = f64::from(eye[2]) + 5.0;
                let aspect = size.width() as f64 / size.height() as f64;
                let right = slope(x as f64 + i, size.width()) * aspect * distance + f64::from(eye[0]);
                [right, -slope(y as f64 + j, size.height()) * distance + f64::from(eye[1]), -5.0]
            };
            // Around each sample, since corners are put on a grid.
            let around = [[0.0, 0.0], [0.02, 0.0], [-0.02, 0.0], [0.0, 0.02], [0.0, -0.02]];
            let hidden = SAMPLES
                .map(|[i, j]| around.map(|[right, down]| is_hidden(at(i + right, j + down), corners, light)));
            if hidden.iter().any(|sample| sample.iter().any(|&other| other != sample[0])) {
                continue;
            }
            let in_shadow = hidden.iter().filter(|sample| sample[0]).count();
            dark += in_shadow;
            assert_eq!(picture.pixel(x, y), [GREYS[in_shadow]; 3], "{light:?}, eye {eye:?}, pixel {x} {y}");
        }
    }
    dark
}

#[test]
fn shadows_are_where_rays_say() {
    let corners = [[-0.8, -0.6, -3.0], [0.9, -0.5, -3.4], [0.1, 0.9, -2.6]];
    let size = size(60, 40);
    for light in [[0.4, 0.5, 1.0, 1.0], [-2.0, 1.0, -0.5, 1.0], [0.2, 0.4, 1.0, 0.0], [-0.7, 0.3, 0.5, 0.0]] {
        // Before the volume, in it, and beside it.
        for eye in [[0.0; 3], [0.05, 0.1, -4.0], [-0.5, -0.2, -3.6], [2.0, -1.0, -1.0]] {
            let dark = check(corners, light, eye, size);
            assert!(dark > 5 || eye[0] != 0.0, "{light:?} {eye:?}: hardly any shadow");
        }
    }
}

#[test]
fn what_casts_a_shadow_is_not_in_it() {
    let size = size(40, 40);
    let view = view([0.0; 3], size);
    let corners = [[-0.8, -0.6, -3.0], [0.9, -0.5, -3.4], [0.1, 0.9, -2.6]];
    let mut canvas = Canvas::new(size);
    canvas.clear([1.0; 3]);
    let vertices = corners.map(|corner| Vertex {
        place: view.point(corner),
        lit: [1.0; 3],
        shaded: [0.0; 3],
        texture: [0.0; 2],
    });
    canvas.triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::of(&vertices) }).expect("sound");
    let (places, triangles) = cast(corners, [0.3, 0.5, 1.0, 0.0], &view);
    canvas.volume(&Volume { places: &places, triangles: &triangles }).expect("sound");
    assert!(draw(&mut canvas, &[], 1).pixels().iter().all(|pixel| *pixel == LIT));
}
