//! Shadow volumes: correct with the camera outside and inside, and with vertices at infinity.

mod support;

use sinew_raster::{Canvas, Picture, ShadowVolume, Size, Triangles, Vertex, ViewProjection};
use support::{box_mesh, render, size, view};

const LIT: [u8; 3] = [255; 3];
const SHADOWED: [u8; 3] = [0; 3];

/// The sample positions of a pixel.
const SAMPLES: [[f64; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];
/// The gray level of a pixel, by the number of its samples in shadow.
const GRAYS: [u8; 5] = [255, 225, 188, 137, 0];

/// Adds a wall across the picture, white where it is lit and black in shadow.
fn add_wall(canvas: &mut Canvas, view: &ViewProjection, z: f32) {
    let corner = |x: f32, y: f32| Vertex {
        position: view.transform_point([x, y, z]),
        lit: [1.0; 3],
        shadowed: [0.0; 3],
    };
    let vertices = [corner(-99.0, -99.0), corner(99.0, -99.0), corner(99.0, 99.0), corner(-99.0, 99.0)];
    let triangles = Triangles { triangles: &[[0, 1, 2], [0, 2, 3]], ..Triangles::new(&vertices) };
    canvas.add_triangles(&triangles).expect("valid input");
}

/// The wall at z = -5 seen from `eye`, with a shadow volume from z = -`far` to z = -`near`, 2 wide
/// and high.
fn render_box_shadow(eye: [f32; 3], near: f32, far: f32) -> Picture {
    let size = size(32, 32);
    let view = view(eye, size);
    let mut canvas = Canvas::new(size);
    add_wall(&mut canvas, &view, -5.0);
    let (corners, triangles) = box_mesh([-1.0, -1.0, -far], [1.0, 1.0, -near]);
    let positions = corners.map(|corner| view.transform_point(corner));
    canvas
        .add_shadow_volume(&ShadowVolume { positions: &positions, triangles: &triangles })
        .expect("valid input");
    render(&mut canvas, &[], 1)
}

#[test]
fn a_box_darkens_only_what_is_inside_it() {
    for (eye, location) in
        [([0.0; 3], "outside"), ([0.0, 0.0, -4.5], "inside"), ([0.5, 0.2, -4.9], "inside, off center")]
    {
        let picture = render_box_shadow(eye, 4.0, 6.0);
        assert_eq!(picture.pixel(16, 16), SHADOWED, "{location}");
        // In front of the wall and behind it.
        assert!(render_box_shadow(eye, 2.0, 4.0).pixels().iter().all(|pixel| *pixel == LIT), "{location}");
        assert!(render_box_shadow(eye, 6.0, 8.0).pixels().iter().all(|pixel| *pixel == LIT), "{location}");
    }
    assert_eq!(render_box_shadow([0.0; 3], 4.0, 6.0).pixel(2, 2), LIT);
    // Camera and wall both inside the box, which ends within the picture.
    assert_eq!(render_box_shadow([0.9, 0.0, -4.0], 3.0, 6.0).pixel(31, 16), LIT);
}

#[test]
fn a_box_around_the_camera_is_clipped_at_the_near_plane_without_error() {
    let picture = render_box_shadow([0.0, 0.0, 0.0], -1.0, 7.0);
    assert_eq!([picture.pixel(16, 16), picture.pixel(0, 0)], [SHADOWED, LIT]);
}

/// The shadow volume of a triangle by the textbook: a cap, three sides to points at infinity, and
/// the far cap.
fn shadow_volume(
    corners: [[f32; 3]; 3],
    light: [f32; 4],
    view: &ViewProjection,
) -> ([[f32; 4]; 6], [[u32; 3]; 8]) {
    let away = |[x, y, z]: [f32; 3]| {
        let [lx, ly, lz, w] = light;
        [x * w - lx, y * w - ly, z * w - lz, 0.0]
    };
    let near = corners.map(|corner| view.transform_point(corner));
    let far = corners.map(|corner| view.transform(away(corner)));
    let positions = [near[0], near[1], near[2], far[0], far[1], far[2]];
    let triangles = [[0, 1, 2], [5, 4, 3], [1, 0, 3], [1, 3, 4], [2, 1, 4], [2, 4, 5], [0, 2, 5], [0, 5, 3]];
    (positions, triangles)
}

/// Whether the ray from a point to the light hits a triangle.
fn is_hidden(point: [f64; 3], corners: [[f32; 3]; 3], light: [f32; 4]) -> bool {
    let [lx, ly, lz, w] = light.map(f64::from);
    let ray = [lx - point[0] * w, ly - point[1] * w, lz - point[2] * w];
    let sub = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let [a, b, c] = corners.map(|corner| sub(corner.map(f64::from), point));
    let sides = [dot(ray, cross(a, b)), dot(ray, cross(b, c)), dot(ray, cross(c, a))];
    let is_inside = sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0);
    let normal = cross(sub(b, a), sub(c, a));
    is_inside && dot(normal, a) / dot(normal, ray) > 0.0
}

/// Renders the wall in the shadow of a triangle and compares every sample with a ray cast. Returns
/// the number of samples in shadow.
fn check_against_rays(corners: [[f32; 3]; 3], light: [f32; 4], eye: [f32; 3], size: Size) -> usize {
    let view = view(eye, size);
    let mut canvas = Canvas::new(size);
    add_wall(&mut canvas, &view, -5.0);
    let (positions, triangles) = shadow_volume(corners, light, &view);
    canvas
        .add_shadow_volume(&ShadowVolume { positions: &positions, triangles: &triangles })
        .expect("valid input");
    let picture = render(&mut canvas, &[], 1);
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
            // Rounding to fixed point moves edges a little: skip pixels with a sample near an edge.
            let offsets = [[0.0, 0.0], [0.02, 0.0], [-0.02, 0.0], [0.0, 0.02], [0.0, -0.02]];
            let hidden = SAMPLES.map(|[i, j]| {
                offsets.map(|[right, down]| is_hidden(at(i + right, j + down), corners, light))
            });
            if hidden.iter().any(|sample| sample.iter().any(|&other| other != sample[0])) {
                continue;
            }
            let in_shadow = hidden.iter().filter(|sample| sample[0]).count();
            dark += in_shadow;
            assert_eq!(picture.pixel(x, y), [GRAYS[in_shadow]; 3], "{light:?}, eye {eye:?}, pixel {x} {y}");
        }
    }
    dark
}

#[test]
fn shadows_agree_with_ray_casts() {
    let corners = [[-0.8, -0.6, -3.0], [0.9, -0.5, -3.4], [0.1, 0.9, -2.6]];
    let size = size(60, 40);
    for light in [[0.4, 0.5, 1.0, 1.0], [-2.0, 1.0, -0.5, 1.0], [0.2, 0.4, 1.0, 0.0], [-0.7, 0.3, 0.5, 0.0]] {
        // In front of the volume, inside it, and beside it.
        for eye in [[0.0; 3], [0.05, 0.1, -4.0], [-0.5, -0.2, -3.6], [2.0, -1.0, -1.0]] {
            let dark = check_against_rays(corners, light, eye, size);
            assert!(dark > 5 || eye[0] != 0.0, "{light:?} {eye:?}: hardly any shadow");
        }
    }
}

#[test]
fn a_caster_is_not_in_its_own_shadow() {
    let size = size(40, 40);
    let view = view([0.0; 3], size);
    let corners = [[-0.8, -0.6, -3.0], [0.9, -0.5, -3.4], [0.1, 0.9, -2.6]];
    let mut canvas = Canvas::new(size);
    canvas.clear([1.0; 3]);
    let vertices = corners.map(|corner| Vertex {
        position: view.transform_point(corner),
        lit: [1.0; 3],
        shadowed: [0.0; 3],
    });
    canvas
        .add_triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::new(&vertices) })
        .expect("valid input");
    let (positions, triangles) = shadow_volume(corners, [0.3, 0.5, 1.0, 0.0], &view);
    canvas
        .add_shadow_volume(&ShadowVolume { positions: &positions, triangles: &triangles })
        .expect("valid input");
    assert!(render(&mut canvas, &[], 1).pixels().iter().all(|pixel| *pixel == LIT));
}
