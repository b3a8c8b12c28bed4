//! Whatever is handed in, there is an answer: a picture, or an error.

mod scene;

use scene::{Flat, Random, WHITE, draw, size};
use sinew_raster::{Canvas, Dots, Error, Lines, MOST_SIDE, Over, Size, Triangles, Vertex, Volume};

#[test]
fn sizes_that_cannot_be_are_refused() {
    for (width, height) in
        [(0, 5), (5, 0), (0, 0), (MOST_SIDE + 1, 1), (1, 100_000), (usize::MAX, usize::MAX)]
    {
        assert_eq!(Size::new(width, height), Err(Error::Size { width, height, most: MOST_SIDE }));
    }
    assert!(Size::new(MOST_SIDE, MOST_SIDE).is_ok());
}

#[test]
fn a_vertex_that_is_not_there_is_an_error() {
    let mut flat = Flat::new(8, 8);
    let vertices = [flat.vertex([0.0, 0.0], 0.5, WHITE); 3];
    let expected = Err(Error::Corner { triangle: 1, vertex: 3, len: 3 });
    let bad = &[[0, 1, 2], [0, 1, 3]];
    assert_eq!(flat.canvas.triangles(&Triangles { triangles: bad, ..Triangles::of(&vertices) }), expected);
    let places = vertices.map(|vertex| vertex.place);
    assert_eq!(flat.canvas.volume(&Volume { places: &places, triangles: bad }), expected);
}

#[test]
fn triangles_before_one_without_its_vertex_are_drawn() {
    let triangle = |flat: &Flat| [[1.0, 1.0], [7.0, 1.0], [1.0, 7.0]].map(|at| flat.vertex(at, 0.5, WHITE));
    let (mut cut, mut whole, mut empty) = (Flat::new(8, 8), Flat::new(8, 8), Flat::new(8, 8));
    let vertices = triangle(&cut);
    let bad = &[[0, 1, 2], [0, 1, u32::MAX], [2, 1, 0]];
    assert!(cut.canvas.triangles(&Triangles { triangles: bad, ..Triangles::of(&vertices) }).is_err());
    assert!(whole.canvas.triangles(&Triangles { triangles: &bad[..1], ..Triangles::of(&vertices) }).is_ok());
    assert!(empty.canvas.triangles(&Triangles { triangles: &bad[1..], ..Triangles::of(&vertices) }).is_err());
    let [cut, whole, empty] = [cut, whole, empty].map(|mut flat| draw(&mut flat.canvas, &[], 1));
    assert_eq!(cut, whole);
    assert_ne!(cut, empty);
}

/// Numbers that nobody should hand in.
const ODD: [f32; 12] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1e-45,
    0.0,
    -0.0,
    1e30,
    -1e20,
    1.0,
];

#[test]
fn odd_numbers_give_a_picture_all_the_same() {
    let mut random = Random(4);
    let mut odd = || ODD[(random.next() * ODD.len() as f32) as usize % ODD.len()];
    for _ in 0..3000 {
        let mut canvas = Canvas::new(size(20, 20));
        canvas.clear([odd(), odd(), odd()]);
        let vertices = [(); 3].map(|()| Vertex {
            place: [odd(), odd(), odd(), odd()],
            lit: [odd(), odd(), odd()],
            shaded: [odd(), odd(), odd()],
            texture: [odd(), odd()],
        });
        let places = vertices.map(|vertex| vertex.place);
        canvas
            .triangles(&Triangles { triangles: &[[0, 1, 2]], texture: Some(7), ..Triangles::of(&vertices) })
            .expect("sound");
        canvas.volume(&Volume { places: &places, triangles: &[[0, 1, 2]] }).expect("sound");
        let over = Over::Farther(odd());
        canvas.lines(&Lines { ends: &[[places[0], places[1]]], colour: [odd(); 3], width: odd(), over });
        canvas.dots(&Dots { places: &places, colour: [odd(); 3], width: odd(), over: Over::All });
        draw(&mut canvas, &[], 2);
    }
}

#[test]
fn what_is_not_finite_is_left_out_and_the_rest_is_drawn() {
    let mut flat = Flat::new(8, 8);
    let mut vertices =
        [[-9.0, -9.0], [99.0, -9.0], [-9.0, 99.0]].map(|at| flat.vertex(at, 0.5, WHITE)).to_vec();
    vertices.push(Vertex { place: [f32::NAN, 0.0, 0.5, 1.0], ..vertices[0] });
    let triangles = &[[0, 1, 3], [0, 1, 2], [3, 3, 3]];
    flat.canvas.triangles(&Triangles { triangles, ..Triangles::of(&vertices) }).expect("sound");
    assert!(flat.draw(1).pixels().iter().all(|pixel| *pixel == [255; 3]));
}

#[test]
fn the_largest_and_the_smallest_picture_can_be_drawn() {
    for (width, height) in [(1, 1), (MOST_SIDE, 1), (1, MOST_SIDE), (MOST_SIDE, 17)] {
        let mut flat = Flat::new(width, height);
        let far = 3.0 * MOST_SIDE as f32;
        let vertices =
            [[-far, -far], [3.0 * far, -far], [-far, 3.0 * far]].map(|at| flat.vertex(at, 0.5, WHITE));
        flat.canvas
            .triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::of(&vertices) })
            .expect("sound");
        assert!(flat.draw(3).pixels().iter().all(|pixel| *pixel == [255; 3]), "{width} x {height}");
    }
}
