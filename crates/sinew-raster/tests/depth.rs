//! The depth test, perspective-correct interpolation, and lines and dots.

mod support;

use sinew_raster::{Canvas, CullMode, DepthTest, Dots, Lines, Triangles, Vertex};
use support::{FlatCanvas, WHITE, render, size, view};

const RED: [f32; 3] = [1.0, 0.0, 0.0];
const BLUE: [f32; 3] = [0.0, 0.0, 1.0];

/// Adds a triangle over the whole picture.
fn add_wall(flat: &mut FlatCanvas, depth: f32, color: [f32; 3]) {
    let vertices = [[-9.0, -9.0], [99.0, -9.0], [-9.0, 99.0]].map(|corner| flat.vertex(corner, depth, color));
    flat.canvas
        .add_triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::new(&vertices) })
        .expect("valid input");
}

#[test]
fn the_nearer_surface_is_visible_in_any_order() {
    for [first, second] in [[(0.25, RED), (0.5, BLUE)], [(0.5, BLUE), (0.25, RED)]] {
        let mut flat = FlatCanvas::new(9, 9);
        add_wall(&mut flat, first.0, first.1);
        add_wall(&mut flat, second.0, second.1);
        assert!(flat.render(1).pixels().iter().all(|pixel| *pixel == [0, 0, 255]));
    }
}

#[test]
fn at_equal_depth_the_first_surface_is_visible() {
    for [first, second] in [[RED, BLUE], [BLUE, RED]] {
        let mut flat = FlatCanvas::new(9, 9);
        add_wall(&mut flat, 0.3, first);
        add_wall(&mut flat, 0.3, second);
        let expected = first.map(|light| (light * 255.0) as u8);
        assert!(flat.render(1).pixels().iter().all(|pixel| *pixel == expected));
    }
}

#[test]
fn two_walls_that_intersect_meet_in_a_line() {
    let mut flat = FlatCanvas::new(32, 8);
    add_wall(&mut flat, 0.5, RED);
    let tilted = [(0.0, 0.0, 0.0), (32.0, 0.0, 1.0), (0.0, 400.0, 0.0)];
    let vertices = tilted.map(|(x, y, depth)| flat.vertex([x, y], depth, BLUE));
    flat.canvas
        .add_triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::new(&vertices) })
        .expect("valid input");
    let picture = flat.render(1);
    assert_eq!([picture.pixel(14, 0), picture.pixel(17, 0)], [[255, 0, 0], [0, 0, 255]]);
}

#[test]
fn back_faces_are_culled_on_request() {
    let size = size(16, 16);
    let view = view([0.0; 3], size);
    for (triangle, visible) in [([0, 1, 2], true), ([0, 2, 1], false)] {
        let mut canvas = Canvas::new(size);
        let corner = |x: f32, y: f32| Vertex::with_color(view.transform_point([x, y, -2.0]), WHITE);
        let vertices = [corner(-9.0, -9.0), corner(9.0, -9.0), corner(0.0, 9.0)];
        let triangles =
            Triangles { triangles: &[triangle], cull_mode: CullMode::Back, ..Triangles::new(&vertices) };
        canvas.add_triangles(&triangles).expect("valid input");
        assert_eq!(render(&mut canvas, &[], 1).pixel(8, 8), if visible { [255; 3] } else { [0; 3] });
    }
}

#[test]
fn colors_are_interpolated_with_perspective() {
    let size = size(64, 64);
    let view = view([0.0, 1.0, 0.0], size);
    // A floor that recedes from the camera: the middle of the picture is far nearer than the middle
    // of the floor.
    let corner =
        |x: f32, z: f32, light: f32| Vertex::with_color(view.transform_point([x, 0.0, z]), [light; 3]);
    let vertices = [
        corner(-99.0, -1.0, 0.0),
        corner(99.0, -1.0, 0.0),
        corner(99.0, -9.0, 1.0),
        corner(-99.0, -9.0, 1.0),
    ];
    let mut canvas = Canvas::new(size);
    canvas
        .add_triangles(&Triangles { triangles: &[[0, 1, 2], [0, 2, 3]], ..Triangles::new(&vertices) })
        .expect("valid input");
    let picture = render(&mut canvas, &[], 1);
    // The view ray through the middle of a row descends by `slope` per unit of distance.
    for row in 40..64 {
        let slope = (row as f32 + 0.5 - 32.0) / 32.0;
        let light = (1.0 / slope - 1.0) / 8.0;
        let found = sinew_raster::srgb_to_linear(picture.pixel(32, row)[0]);
        assert!((found - light).abs() < 0.006, "row {row}: found {found}, expected {light}");
    }
}

#[test]
fn lines_and_dots_have_the_given_width() {
    let mut flat = FlatCanvas::new(40, 40);
    let ends = [[flat.position(10.0, 20.0, 0.5), flat.position(30.0, 20.0, 0.5)]];
    flat.canvas.add_lines(&Lines {
        ends: &ends,
        color: WHITE,
        width: 4.0,
        depth_test: DepthTest::Biased(0.0),
    });
    let picture = flat.render(1);
    let column: Vec<usize> = (0..40).filter(|&y| picture.pixel(20, y) == [255; 3]).collect();
    assert_eq!(column, [18, 19, 20, 21]);
    let mut flat = FlatCanvas::new(40, 40);
    let positions = [flat.position(20.0, 20.0, 0.5)];
    flat.canvas.add_dots(&Dots {
        positions: &positions,
        color: WHITE,
        width: 8.0,
        depth_test: DepthTest::Always,
    });
    let white = flat.render(1).pixels().iter().filter(|pixel| **pixel == [255; 3]).count();
    assert!((30..=50).contains(&white), "{white}");
}

#[test]
fn nearer_surfaces_hide_lines_unless_they_are_always_visible() {
    for (depth_test, depth, visible) in [
        (DepthTest::Biased(0.0), 0.4, false),
        (DepthTest::Biased(0.0), 0.5, false),
        (DepthTest::Biased(0.01), 0.5, true),
        (DepthTest::Biased(0.0), 0.6, true),
        (DepthTest::Always, 0.1, true),
    ] {
        let mut flat = FlatCanvas::new(16, 16);
        add_wall(&mut flat, 0.5, RED);
        let ends = [[flat.position(0.0, 8.0, depth), flat.position(16.0, 8.0, depth)]];
        flat.canvas.add_lines(&Lines { ends: &ends, color: BLUE, width: 4.0, depth_test });
        assert_eq!(flat.render(1).pixel(8, 8) == [0, 0, 255], visible, "{depth_test:?} at {depth}");
    }
}
