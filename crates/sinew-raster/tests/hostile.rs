//! Hostile input gives a picture or an error, never a panic.

mod support;

use sinew_raster::{
    AlphaMode, Canvas, CullMode, DepthTest, Dots, Encoding, Error, Lines, MAX_SIDE, Material, ShadowVolume,
    Size, Surface, SurfaceVertex, Texture, Triangles, Vertex,
};
use support::{FlatCanvas, Random, WHITE, render, size};

#[test]
fn invalid_sizes_are_errors() {
    for (width, height) in [(0, 5), (5, 0), (0, 0), (MAX_SIDE + 1, 1), (1, 100_000), (usize::MAX, usize::MAX)]
    {
        assert_eq!(Size::new(width, height), Err(Error::Size { width, height, max: MAX_SIDE }));
    }
    assert!(Size::new(MAX_SIDE, MAX_SIDE).is_ok());
}

#[test]
fn a_vertex_index_out_of_range_is_an_error() {
    let mut flat = FlatCanvas::new(8, 8);
    let vertices = [flat.vertex([0.0, 0.0], 0.5, WHITE); 3];
    let expected = Err(Error::VertexIndex { triangle: 1, vertex: 3, len: 3 });
    let bad = &[[0, 1, 2], [0, 1, 3]];
    assert_eq!(
        flat.canvas.add_triangles(&Triangles { triangles: bad, ..Triangles::new(&vertices) }),
        expected
    );
    let positions = vertices.map(|vertex| vertex.position);
    assert_eq!(
        flat.canvas.add_shadow_volume(&ShadowVolume { positions: &positions, triangles: bad }),
        expected
    );
}

#[test]
fn triangles_before_an_invalid_one_are_drawn() {
    let triangle =
        |flat: &FlatCanvas| [[1.0, 1.0], [7.0, 1.0], [1.0, 7.0]].map(|at| flat.vertex(at, 0.5, WHITE));
    let (mut cut, mut whole, mut empty) =
        (FlatCanvas::new(8, 8), FlatCanvas::new(8, 8), FlatCanvas::new(8, 8));
    let vertices = triangle(&cut);
    let bad = &[[0, 1, 2], [0, 1, u32::MAX], [2, 1, 0]];
    assert!(cut.canvas.add_triangles(&Triangles { triangles: bad, ..Triangles::new(&vertices) }).is_err());
    assert!(
        whole.canvas.add_triangles(&Triangles { triangles: &bad[..1], ..Triangles::new(&vertices) }).is_ok()
    );
    assert!(
        empty.canvas.add_triangles(&Triangles { triangles: &bad[1..], ..Triangles::new(&vertices) }).is_err()
    );
    let [cut, whole, empty] = [cut, whole, empty].map(|mut flat| render(&mut flat.canvas, &[], 1));
    assert_eq!(cut, whole);
    assert_ne!(cut, empty);
}

/// Numbers at and beyond the limits.
const EXTREMES: [f32; 12] = [
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
fn extreme_numbers_never_panic() {
    let mut random = Random(4);
    let mut extreme = || EXTREMES[(random.next() * EXTREMES.len() as f32) as usize % EXTREMES.len()];
    let texture = Texture::new(1, 2, vec![[9; 4]; 2], Encoding::Linear).expect("valid input");
    for round in 0..3000 {
        let mut canvas = Canvas::new(size(20, 20));
        canvas.clear([extreme(), extreme(), extreme()]);
        let vertices = [(); 3].map(|()| Vertex {
            position: [extreme(), extreme(), extreme(), extreme()],
            lit: [extreme(), extreme(), extreme()],
            shadowed: [extreme(), extreme(), extreme()],
        });
        let positions = vertices.map(|vertex| vertex.position);
        canvas
            .add_triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::new(&vertices) })
            .expect("valid input");
        let surface_vertices = positions.map(|position| SurfaceVertex {
            position,
            color: [(); 4].map(|()| extreme()),
            normal: [(); 3].map(|()| extreme()),
            tangent: [(); 4].map(|()| extreme()),
            to_eye: [(); 3].map(|()| extreme()),
            key: extreme(),
            uv: [extreme(), extreme()],
        });
        let alpha_mode = [AlphaMode::Opaque, AlphaMode::Mask(extreme()), AlphaMode::Blend][round % 3];
        let material = Material {
            base_texture: Some(7),
            normal_texture: Some(0),
            normal_scale: extreme(),
            roughness: extreme(),
            metallic: extreme(),
            alpha_mode,
            ..Material::default()
        };
        let (vertices, triangles) = (&surface_vertices, &[[0, 1, 2]]);
        canvas
            .add_surface(&Surface { vertices, triangles, cull_mode: CullMode::None, material })
            .expect("valid input");
        canvas
            .add_shadow_volume(&ShadowVolume { positions: &positions, triangles: &[[0, 1, 2]] })
            .expect("valid input");
        let depth_test = DepthTest::Biased(extreme());
        canvas.add_lines(&Lines {
            ends: &[[positions[0], positions[1]]],
            color: [extreme(); 3],
            width: extreme(),
            depth_test,
        });
        canvas.add_dots(&Dots {
            positions: &positions,
            color: [extreme(); 3],
            width: extreme(),
            depth_test: DepthTest::Always,
        });
        render(&mut canvas, std::slice::from_ref(&texture), 2);
    }
}

#[test]
fn non_finite_triangles_are_skipped_and_the_rest_is_drawn() {
    let mut flat = FlatCanvas::new(8, 8);
    let mut vertices =
        [[-9.0, -9.0], [99.0, -9.0], [-9.0, 99.0]].map(|at| flat.vertex(at, 0.5, WHITE)).to_vec();
    vertices.push(Vertex { position: [f32::NAN, 0.0, 0.5, 1.0], ..vertices[0] });
    let triangles = &[[0, 1, 3], [0, 1, 2], [3, 3, 3]];
    flat.canvas.add_triangles(&Triangles { triangles, ..Triangles::new(&vertices) }).expect("valid input");
    assert!(flat.render(1).pixels().iter().all(|pixel| *pixel == [255; 3]));
}

#[test]
fn the_largest_and_the_smallest_picture_can_be_rendered() {
    for (width, height) in [(1, 1), (MAX_SIDE, 1), (1, MAX_SIDE), (MAX_SIDE, 17)] {
        let mut flat = FlatCanvas::new(width, height);
        let far = 3.0 * MAX_SIDE as f32;
        let vertices =
            [[-far, -far], [3.0 * far, -far], [-far, 3.0 * far]].map(|at| flat.vertex(at, 0.5, WHITE));
        flat.canvas
            .add_triangles(&Triangles { triangles: &[[0, 1, 2]], ..Triangles::new(&vertices) })
            .expect("valid input");
        assert!(flat.render(3).pixels().iter().all(|pixel| *pixel == [255; 3]), "{width} x {height}");
    }
}
