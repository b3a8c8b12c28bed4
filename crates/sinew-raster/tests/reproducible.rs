//! The same input gives the same bytes: with any number of threads and on every machine.

mod support;

use sinew_raster::{
    AlphaMode, Canvas, CullMode, DepthTest, DirectionalLight, Encoding, Lighting, Lines, Material, Picture,
    ShadowVolume, Surface, SurfaceVertex, Texture, Triangles, Vertex,
};
use support::{Random, box_mesh, render, size, view};

/// A picture of random triangles, half of them with materials, with a shadow and lines.
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
            let [lit, shadowed] = [random_point(1.0), random_point(1.0)];
            let light = |color: [f32; 3]| color.map(|light| light.abs() * 0.3);
            let position = view.transform_point(random_point(2.9));
            Vertex { position, lit: light(lit), shadowed: light(shadowed) }
        })
        .collect();
    let triangles: Vec<[u32; 3]> = (0..triangles).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let half = triangles.len() / 2;
    let part = Triangles { triangles: &triangles[..half], ..Triangles::new(&vertices) };
    canvas.add_triangles(&part).expect("valid input");
    let surface_vertices: Vec<SurfaceVertex> = vertices
        .iter()
        .map(|&Vertex { position, lit: [r, g, b], .. }| SurfaceVertex {
            position,
            color: [r, g, b, 0.2 + 3.0 * g],
            normal: random_point(1.5),
            tangent: [g, r, 0.3, r - g],
            to_eye: random_point(1.0),
            key: b * 3.0,
            uv: [9.0 * r, 9.0 * b],
        })
        .collect();
    canvas.set_lighting(&random_lighting());
    for (index, triangles) in triangles[half..].chunks(5).enumerate() {
        let surface = Surface {
            vertices: &surface_vertices,
            triangles,
            cull_mode: [CullMode::None, CullMode::Back, CullMode::Front][index % 3],
            material: random_material(index),
        };
        canvas.add_surface(&surface).expect("valid input");
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
    render(&mut canvas, &textures(), threads)
}

/// A texture of colors and one of data, each of two by three texels.
fn textures() -> [Texture; 2] {
    let texels = [[255; 4], [9, 9, 9, 0], [0, 200, 99, 255], [7, 7, 77, 200], [90; 4], [1, 2, 3, 99]];
    [Encoding::Srgb, Encoding::Linear]
        .map(|encoding| Texture::new(2, 3, texels.to_vec(), encoding).expect("valid input"))
}

fn random_lighting() -> Lighting {
    let light = |towards: [f32; 3], light: f32| DirectionalLight { towards, color: [light; 3] };
    Lighting {
        key: light([0.48, 0.6, 0.64], 1.1),
        others: [light([-0.8, 0.0, 0.6], 0.2), light([0.0, 0.6, -0.8], 0.3)],
        ambient: [[0.3, 0.2, 0.4], [0.1; 3]],
        reflected: [[0.6; 3], [0.2, 0.3, 0.1]],
    }
}

/// One of many materials: every alpha mode, with and without each texture.
fn random_material(index: usize) -> Material {
    let texture = |bit: usize, texture: usize| (index >> bit & 1 == 1).then_some(texture);
    Material {
        base_texture: texture(0, 0),
        alpha_mode: [AlphaMode::Opaque, AlphaMode::Mask(0.5), AlphaMode::Blend][index % 3],
        metallic: (index % 5) as f32 * 0.25,
        roughness: (index % 7) as f32 / 6.0,
        metallic_roughness_texture: texture(1, 1),
        normal_texture: texture(2, 1),
        normal_scale: 0.7,
        occlusion_texture: texture(3, 1),
        occlusion_strength: 0.8,
        emissive: [0.0, 0.1, 0.0],
        emissive_texture: texture(1, 0),
    }
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
    assert_eq!(hash, 0x3faa_9520_760d_9e27, "{hash:#x}");
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
