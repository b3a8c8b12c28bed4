//! What is before what.

mod scene;

use scene::{Flat, WHITE, draw, size, view};
use sinew_raster::{Canvas, Dots, Lines, Over, Sides, Triangles, Vertex};

const RED: [f32; 3] = [1.0, 0.0, 0.0];
const BLUE: [f32; 3] = [0.0, 0.0, 1.0];

/// A triangle over the whole picture.
fn wall(flat: &mut Flat, depth: f32, colour: [f32; 3]) {
    let vertices =
        [[-9.0, -9.0], [99.0, -9.0], [-9.0, 99.0]].map(|corner| flat.vertex(corner, depth, colour));
    flat.canvas.triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::of(&vertices) }).expect("sound");
}

#[test]
fn the_nearer_is_seen_whatever_comes_first() {
    for [first, second] in [[(0.25, RED), (0.5, BLUE)], [(0.5, BLUE), (0.25, RED)]] {
        let mut flat = Flat::new(9, 9);
        wall(&mut flat, first.0, first.1);
        wall(&mut flat, second.0, second.1);
        assert!(flat.draw(1).pixels().iter().all(|pixel| *pixel == [0, 0, 255]));
    }
}

#[test]
fn of_two_at_one_depth_the_first_is_seen() {
    for [first, second] in [[RED, BLUE], [BLUE, RED]] {
        let mut flat = Flat::new(9, 9);
        wall(&mut flat, 0.3, first);
        wall(&mut flat, 0.3, second);
        let expected = first.map(|light| (light * 255.0) as u8);
        assert!(flat.draw(1).pixels().iter().all(|pixel| *pixel == expected));
    }
}

#[test]
fn two_walls_that_cross_are_parted_along_a_line() {
    let mut flat = Flat::new(32, 8);
    wall(&mut flat, 0.5, RED);
    let tilted = [(0.0, 0.0, 0.0), (32.0, 0.0, 1.0), (0.0, 400.0, 0.0)];
    let vertices = tilted.map(|(x, y, depth)| flat.vertex([x, y], depth, BLUE));
    flat.canvas.triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::of(&vertices) }).expect("sound");
    let picture = flat.draw(1);
    assert_eq!([picture.pixel(14, 0), picture.pixel(17, 0)], [[255, 0, 0], [0, 0, 255]]);
}

#[test]
fn only_fronts_are_seen_where_that_is_asked_for() {
    let size = size(16, 16);
    let view = view([0.0; 3], size);
    for (triangle, seen) in [([0, 1, 2], true), ([0, 2, 1], false)] {
        let mut canvas = Canvas::new(size);
        let corner = |x: f32, y: f32| Vertex::coloured(view.point([x, y, -2.0]), WHITE);
        let vertices = [corner(-9.0, -9.0), corner(9.0, -9.0), corner(0.0, 9.0)];
        let triangles = Triangles { triangles: &[triangle], sides: Sides::Front, ..Triangles::of(&vertices) };
        canvas.triangles(&triangles).expect("sound");
        assert_eq!(draw(&mut canvas, &[], 1).pixel(8, 8), if seen { [255; 3] } else { [0; 3] });
    }
}

#[test]
fn colours_are_even_in_space_and_not_in_the_picture() {
    let size = size(64, 64);
    let view = view([0.0, 1.0, 0.0], size);
    // A floor that runs away from the eye: half way in the picture is far less than half way along it.
    let corner = |x: f32, z: f32, light: f32| Vertex::coloured(view.point([x, 0.0, z]), [light; 3]);
    let vertices = [
        corner(-99.0, -1.0, 0.0),
        corner(99.0, -1.0, 0.0),
        corner(99.0, -9.0, 1.0),
        corner(-99.0, -9.0, 1.0),
    ];
    let mut canvas = Canvas::new(size);
    canvas
        .triangles(&Triangles { triangles: &[[0, 1, 2], [0, 2, 3]], ..Triangles::of(&vertices) })
        .expect("sound");
    let picture = draw(&mut canvas, &[], 1);
    // The middle of a row's pixels looks down by so much for each step ahead.
    for row in 40..64 {
        let slope = (row as f32 + 0.5 - 32.0) / 32.0;
        let light = (1.0 / slope - 1.0) / 8.0;
        let found = sinew_raster::from_code(picture.pixel(32, row)[0]);
        assert!((found - light).abs() < 0.006, "row {row}: {found} for {light}");
    }
}

#[test]
fn lines_and_dots_are_as_wide_as_asked_for() {
    let mut flat = Flat::new(40, 40);
    let ends = [[flat.place(10.0, 20.0, 0.5), flat.place(30.0, 20.0, 0.5)]];
    flat.canvas.lines(&Lines { ends: &ends, colour: WHITE, width: 4.0, over: Over::Farther(0.0) });
    let picture = flat.draw(1);
    let column: Vec<usize> = (0..40).filter(|&y| picture.pixel(20, y) == [255; 3]).collect();
    assert_eq!(column, [18, 19, 20, 21]);
    let mut flat = Flat::new(40, 40);
    let places = [flat.place(20.0, 20.0, 0.5)];
    flat.canvas.dots(&Dots { places: &places, colour: WHITE, width: 8.0, over: Over::All });
    let white = flat.draw(1).pixels().iter().filter(|pixel| **pixel == [255; 3]).count();
    assert!((30..=50).contains(&white), "{white}");
}

#[test]
fn lines_hide_behind_what_is_nearer_unless_they_are_over_all() {
    for (over, depth, seen) in [
        (Over::Farther(0.0), 0.4, false),
        (Over::Farther(0.0), 0.5, false),
        (Over::Farther(0.01), 0.5, true),
        (Over::Farther(0.0), 0.6, true),
        (Over::All, 0.1, true),
    ] {
        let mut flat = Flat::new(16, 16);
        wall(&mut flat, 0.5, RED);
        let ends = [[flat.place(0.0, 8.0, depth), flat.place(16.0, 8.0, depth)]];
        flat.canvas.lines(&Lines { ends: &ends, colour: BLUE, width: 4.0, over });
        assert_eq!(flat.draw(1).pixel(8, 8) == [0, 0, 255], seen, "{over:?} at {depth}");
    }
}
