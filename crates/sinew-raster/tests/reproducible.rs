//! The same input gives the same bytes: with any number of threads and on every machine.

mod support;

use sinew_raster::{Canvas, DepthTest, Lines, Picture, ShadowVolume, Texture, Triangles, Vertex};
use support::{Random, box_mesh, render, size, view};

/// A picture of random triangles, half of them textured, with a shadow and lines.
fn picture(triangles: u32, threads: usize) -> Picture {
    let size = size(150, 110);
    let view = view([0.1, 0.2, 0.0], size);
    let mut random = Random(9);
    let mut canvas = Canvas::new(size);
    canvas.clear([0.3, 0.5, 0.7]);
    let mut random_point =
        |spread: f32| [0, 1, 2].map(|axis| random.within(-spread, spread) - [0.0, 0.0, 3.0][axis]);
    let vertices: Vec<Vertex> = (0..3 * triangles)
        .map(|_| {
            let [lit, shadowed, [u, v, _]] = [random_point(1.0), random_point(1.0), random_point(2.0)];
            let light = |color: [f32; 3]| color.map(|light| light.abs() * 0.3);
            Vertex {
                position: view.transform_point(random_point(2.9)),
                lit: light(lit),
                shadowed: light(shadowed),
                uv: [u, v],
            }
        })
        .collect();
    let triangles: Vec<[u32; 3]> = (0..triangles).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let half = triangles.len() / 2;
    let texture = Texture::new(2, 3, &[[255; 3], [9; 3], [0, 200, 99], [7, 7, 77], [90; 3], [1, 2, 3]])
        .expect("valid input");
    for (texture, part) in [(None, 0..half), (Some(0), half..triangles.len())] {
        let part = Triangles { triangles: &triangles[part], texture, ..Triangles::new(&vertices) };
        canvas.add_triangles(&part).expect("valid input");
    }
    let (corners, triangles) = box_mesh([-1.0, -1.5, -4.0], [1.0, 0.5, 1.0]);
    let positions = corners.map(|corner| view.transform_point(corner));
    canvas
        .add_shadow_volume(&ShadowVolume { positions: &positions, triangles: &triangles })
        .expect("valid input");
    let ends: Vec<_> = vertices.windows(2).step_by(7).map(|two| [two[0].position, two[1].position]).collect();
    canvas.add_lines(&Lines {
        ends: &ends,
        color: [0.9, 0.1, 0.1],
        width: 1.3,
        depth_test: DepthTest::Biased(0.01),
    });
    render(&mut canvas, &[texture], threads)
}

#[test]
fn pixels_do_not_depend_on_the_number_of_threads() {
    // With the larger number, threads also share clipping and binning.
    for triangles in [100, 3210] {
        let expected = picture(triangles, 1);
        for threads in [0, 2, 3, 5, 64, 1000] {
            assert_eq!(picture(triangles, threads), expected, "{triangles} triangles, {threads} threads");
        }
    }
}

#[test]
fn pixels_are_the_same_on_every_machine() {
    // The FNV-1a hash of the bytes.
    let hash = picture(100, 1).bytes().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!(hash, 0x4bef_81b8_5651_e6d9, "{hash:#x}");
}

#[test]
fn a_cleared_canvas_renders_like_a_new_one() {
    let size = size(40, 30);
    let view = view([0.0; 3], size);
    let mut canvas = Canvas::new(size);
    let corner = |x: f32, y: f32| Vertex::with_color(view.transform_point([x, y, -2.0]), [1.0; 3]);
    let vertices = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(0.0, 1.0)];
    let clear_and_render = |canvas: &mut Canvas| {
        canvas.clear([0.1; 3]);
        canvas
            .add_triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::new(&vertices) })
            .expect("valid input");
        render(canvas, &[], 1)
    };
    let first = clear_and_render(&mut canvas);
    assert_eq!(clear_and_render(&mut canvas), first);
    assert_eq!(clear_and_render(&mut Canvas::new(size)), first);
}

#[test]
fn a_canvas_can_be_rendered_again_and_extended() {
    let size = size(64, 48);
    let view = view([0.0; 3], size);
    let mut random = Random(5);
    let mut vertices = Vec::new();
    for _ in 0..6000 {
        let mut number = || random.within(-1.0, 1.0);
        let position = view.transform_point([number(), number(), number() - 2.0]);
        vertices.push(Vertex::with_color(position, [number().abs(); 3]));
    }
    let triangles: Vec<[u32; 3]> = (0..2000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let (first, second) = triangles.split_at(1500);
    let mut canvas = Canvas::new(size);
    let add = |canvas: &mut Canvas, triangles: &[[u32; 3]]| {
        canvas.add_triangles(&Triangles { triangles, ..Triangles::new(&vertices) }).expect("valid input");
    };
    add(&mut canvas, first);
    let before = render(&mut canvas, &[], 4);
    assert_eq!(render(&mut canvas, &[], 1), before);
    add(&mut canvas, second);
    let after = render(&mut canvas, &[], 2);
    assert_ne!(after, before);
    let mut whole = Canvas::new(size);
    add(&mut whole, &triangles);
    assert_eq!(render(&mut whole, &[], 1), after);
    // Few triangles are binned in fewer parts than before.
    canvas.clear([0.0; 3]);
    add(&mut canvas, &first[..10]);
    let mut few = Canvas::new(size);
    add(&mut few, &first[..10]);
    assert_eq!(render(&mut canvas, &[], 2), render(&mut few, &[], 2));
}

#[test]
fn lines_are_drawn_last_whenever_they_are_added() {
    let size = size(40, 30);
    let view = view([0.0; 3], size);
    let corner = |x: f32, y: f32| Vertex::with_color(view.transform_point([x, y, -2.0]), [1.0; 3]);
    let vertices = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(0.0, 1.0)];
    let ends = [[vertices[0].position, vertices[2].position]];
    let picture = |first: bool| {
        let mut canvas = Canvas::new(size);
        let line = Lines { ends: &ends, color: [0.9, 0.1, 0.1], width: 2.0, depth_test: DepthTest::Always };
        if first {
            canvas.add_lines(&line);
        }
        canvas
            .add_triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::new(&vertices) })
            .expect("valid input");
        if !first {
            canvas.add_lines(&line);
        }
        render(&mut canvas, &[], 1)
    };
    assert_eq!(picture(true), picture(false));
}
