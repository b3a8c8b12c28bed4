//! The same bytes: for any number of threads, in every run, and on every machine.

mod scene;

use scene::{Random, box_of, draw, size, view};
use sinew_raster::{Canvas, Lines, Over, Picture, Texture, Triangles, Vertex, Volume};

/// So many triangles, half of them with a texture, a shadow and lines all over the picture.
fn picture(triangles: u32, threads: usize) -> Picture {
    let size = size(150, 110);
    let view = view([0.1, 0.2, 0.0], size);
    let mut random = Random(9);
    let mut canvas = Canvas::new(size);
    canvas.clear([0.3, 0.5, 0.7]);
    let mut point =
        |spread: f32| [0, 1, 2].map(|axis| random.within(-spread, spread) - [0.0, 0.0, 3.0][axis]);
    let vertices: Vec<Vertex> = (0..3 * triangles)
        .map(|_| {
            let [lit, shaded, [u, v, _]] = [point(1.0), point(1.0), point(2.0)];
            let light = |colour: [f32; 3]| colour.map(|light| light.abs() * 0.3);
            Vertex { place: view.point(point(2.9)), lit: light(lit), shaded: light(shaded), texture: [u, v] }
        })
        .collect();
    let triangles: Vec<[u32; 3]> = (0..triangles).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let half = triangles.len() / 2;
    let texture =
        Texture::new(2, 3, &[[255; 3], [9; 3], [0, 200, 99], [7, 7, 77], [90; 3], [1, 2, 3]]).expect("sound");
    for (texture, part) in [(None, 0..half), (Some(0), half..triangles.len())] {
        let part = Triangles { triangles: &triangles[part], texture, ..Triangles::of(&vertices) };
        canvas.triangles(&part).expect("sound");
    }
    let (corners, triangles) = box_of([-1.0, -1.5, -4.0], [1.0, 0.5, 1.0]);
    let places = corners.map(|corner| view.point(corner));
    canvas.volume(&Volume { places: &places, triangles: &triangles }).expect("sound");
    let ends: Vec<_> = vertices.windows(2).step_by(7).map(|two| [two[0].place, two[1].place]).collect();
    canvas.lines(&Lines { ends: &ends, colour: [0.9, 0.1, 0.1], width: 1.3, over: Over::Farther(0.01) });
    draw(&mut canvas, &[texture], threads)
}

#[test]
fn pixels_do_not_depend_on_the_number_of_threads() {
    // So many that threads share out cutting and sorting too.
    for triangles in [100, 3210] {
        let expected = picture(triangles, 1);
        for threads in [0, 2, 3, 5, 64, 1000] {
            assert_eq!(picture(triangles, threads), expected, "{triangles} triangles, {threads} threads");
        }
    }
}

#[test]
fn pixels_are_the_same_on_every_machine() {
    // Fowler, Noll and Vo's hash of the bytes, as it was when the test was written.
    let hash = picture(100, 1).bytes().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!(hash, 0x4bef_81b8_5651_e6d9, "{hash:#x}");
}

#[test]
fn a_canvas_that_is_cleared_is_as_new() {
    let size = size(40, 30);
    let view = view([0.0; 3], size);
    let mut canvas = Canvas::new(size);
    let corner = |x: f32, y: f32| Vertex::coloured(view.point([x, y, -2.0]), [1.0; 3]);
    let vertices = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(0.0, 1.0)];
    let once = |canvas: &mut Canvas| {
        canvas.clear([0.1; 3]);
        canvas.triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::of(&vertices) }).expect("sound");
        draw(canvas, &[], 1)
    };
    let first = once(&mut canvas);
    assert_eq!(once(&mut canvas), first);
    assert_eq!(once(&mut Canvas::new(size)), first);
}

#[test]
fn a_canvas_can_be_drawn_again_and_added_to() {
    let size = size(64, 48);
    let view = view([0.0; 3], size);
    let mut random = Random(5);
    let mut vertices = Vec::new();
    for _ in 0..6000 {
        let mut number = || random.within(-1.0, 1.0);
        let place = view.point([number(), number(), number() - 2.0]);
        vertices.push(Vertex::coloured(place, [number().abs(); 3]));
    }
    let triangles: Vec<[u32; 3]> = (0..2000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let (first, second) = triangles.split_at(1500);
    let mut canvas = Canvas::new(size);
    let add = |canvas: &mut Canvas, triangles: &[[u32; 3]]| {
        canvas.triangles(&Triangles { triangles, ..Triangles::of(&vertices) }).expect("sound");
    };
    add(&mut canvas, first);
    let before = draw(&mut canvas, &[], 4);
    assert_eq!(draw(&mut canvas, &[], 1), before);
    add(&mut canvas, second);
    let after = draw(&mut canvas, &[], 2);
    assert_ne!(after, before);
    let mut whole = Canvas::new(size);
    add(&mut whole, &triangles);
    assert_eq!(draw(&mut whole, &[], 1), after);
    // Fewer parts than before.
    canvas.clear([0.0; 3]);
    add(&mut canvas, &first[..10]);
    let mut few = Canvas::new(size);
    add(&mut few, &first[..10]);
    assert_eq!(draw(&mut canvas, &[], 2), draw(&mut few, &[], 2));
}

#[test]
fn marks_come_last_whenever_they_are_added() {
    let size = size(40, 30);
    let view = view([0.0; 3], size);
    let corner = |x: f32, y: f32| Vertex::coloured(view.point([x, y, -2.0]), [1.0; 3]);
    let vertices = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(0.0, 1.0)];
    let ends = [[vertices[0].place, vertices[2].place]];
    let drawn = |first: bool| {
        let mut canvas = Canvas::new(size);
        let line = Lines { ends: &ends, colour: [0.9, 0.1, 0.1], width: 2.0, over: Over::All };
        if first {
            canvas.lines(&line);
        }
        canvas.triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::of(&vertices) }).expect("sound");
        if !first {
            canvas.lines(&line);
        }
        draw(&mut canvas, &[], 1)
    };
    assert_eq!(drawn(true), drawn(false));
}
