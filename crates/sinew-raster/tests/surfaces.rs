//! Surfaces that are lit per pixel: alpha, both sides, normal textures, highlights.

mod support;

use sinew_raster::{
    AlphaMode, Camera, Canvas, CullMode, DirectionalLight, Encoding, Lighting, Material, Picture,
    ShadowVolume, Surface, SurfaceVertex, Texture, ViewProjection, linear_to_srgb,
};
use support::{box_mesh, render, size};

const SIDE: usize = 32;
const FACING: [f32; 3] = [0.0, 0.0, 1.0];

/// A square across the whole picture that faces the eye.
#[derive(Clone)]
struct Square {
    z: f32,
    color: [f32; 4],
    cull_mode: CullMode,
    is_reversed: bool,
    material: Material,
    tangent: [f32; 4],
}

impl Square {
    fn new(z: f32, color: [f32; 4], alpha_mode: AlphaMode) -> Self {
        let material = Material { alpha_mode, ..Material::default() };
        let tangent = [1.0, 0.0, 0.0, 1.0];
        Self { z, color, cull_mode: CullMode::None, is_reversed: false, material, tangent }
    }

    fn add(&self, canvas: &mut Canvas, view: &ViewProjection) {
        let vertices =
            [[-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [1.0, 1.0]].map(|[x, y]: [f32; 2]| SurfaceVertex {
                position: view.transform_point([9.0 * x, 9.0 * y, self.z]),
                color: self.color,
                normal: FACING,
                tangent: self.tangent,
                to_eye: FACING,
                key: 1.0,
                uv: [0.5 + 0.5 * x, 0.5 - 0.5 * y],
            });
        let triangles: [[u32; 3]; 2] =
            if self.is_reversed { [[0, 2, 1], [0, 3, 2]] } else { [[0, 1, 2], [0, 2, 3]] };
        let (cull_mode, material) = (self.cull_mode, self.material);
        let surface = Surface { vertices: &vertices, triangles: &triangles, cull_mode, material };
        canvas.add_surface(&surface).expect("valid input");
    }
}

/// A light that shows diffuse colors as they are, since it comes from all sides.
const EVEN: Lighting = Lighting {
    key: DirectionalLight { towards: FACING, color: [0.0; 3] },
    others: [DirectionalLight { towards: FACING, color: [0.0; 3] }; 2],
    ambient: [[1.0; 3]; 2],
    reflected: [[0.0; 3]; 2],
};

fn picture(squares: &[Square], lighting: &Lighting, textures: &[Texture]) -> Picture {
    let size = size(SIDE, SIDE);
    // The edges of the squares are those of the picture.
    let camera = Camera { position: [0.0; 3], target: [0.0, 0.0, -1.0], ..Camera::default() };
    let view = ViewProjection::new(&camera, size).expect("a valid camera");
    let mut canvas = Canvas::new(size);
    canvas.set_lighting(lighting);
    squares.iter().for_each(|square| square.add(&mut canvas, &view));
    render(&mut canvas, textures, 1)
}

fn middle(squares: &[Square]) -> [u8; 3] {
    picture(squares, &EVEN, &[]).pixel(SIDE / 2, SIDE / 2)
}

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const HALF_GREEN: [f32; 4] = [0.0, 1.0, 0.0, 0.5];
const QUARTER_BLUE: [f32; 4] = [0.0, 0.0, 1.0, 0.25];

#[test]
fn alpha_means_what_the_mode_says() {
    let over_red =
        |color, mode| middle(&[Square::new(-3.0, RED, AlphaMode::Opaque), Square::new(-2.0, color, mode)]);
    assert_eq!(over_red(HALF_GREEN, AlphaMode::Opaque), [0, 255, 0]);
    assert_eq!(over_red(HALF_GREEN, AlphaMode::Mask(0.5)), [0, 255, 0]);
    assert_eq!(over_red(HALF_GREEN, AlphaMode::Mask(0.51)), [255, 0, 0]);
    let half = linear_to_srgb(0.5);
    assert_eq!(over_red(HALF_GREEN, AlphaMode::Blend), [half, half, 0]);
    assert_eq!(over_red([0.0, 1.0, 0.0, 0.0], AlphaMode::Blend), [255, 0, 0]);
}

#[test]
fn transparent_surfaces_blend_in_order_and_hide_nothing() {
    let red = Square::new(-4.0, RED, AlphaMode::Opaque);
    let green = Square::new(-3.0, HALF_GREEN, AlphaMode::Blend);
    let blue = Square::new(-2.0, QUARTER_BLUE, AlphaMode::Blend);
    let expected = [0.375, 0.375, 0.25].map(linear_to_srgb);
    let found = middle(&[red.clone(), green.clone(), blue.clone()]);
    // Colors are stored in eight bits after each step.
    assert!((0..3).all(|i| found[i].abs_diff(expected[i]) <= 1), "{found:?} {expected:?}");
    // An opaque surface in front hides both; a masked hole hides neither.
    let near = |alpha, mode| Square::new(-1.5, [1.0, 1.0, 1.0, alpha], mode);
    assert_eq!(middle(&[red.clone(), near(1.0, AlphaMode::Opaque), green.clone(), blue.clone()]), [255; 3]);
    assert_eq!(middle(&[red.clone(), near(0.2, AlphaMode::Mask(0.5)), green.clone(), blue.clone()]), found);
    // What is added later, farther away than a transparent surface, is still seen.
    assert_eq!(middle(&[blue, red]), [255, 0, 0]);
}

#[test]
fn a_mask_is_cut_pixel_by_pixel() {
    // The left half of the texture has holes.
    let texels = vec![[255, 255, 255, 0], [255, 255, 255, 255]];
    let texture = Texture::new(2, 1, texels, Encoding::Srgb).expect("valid input");
    let mut cut = Square::new(-1.0, [1.0; 4], AlphaMode::Mask(0.5));
    cut.material.base_texture = Some(0);
    let found = picture(&[Square::new(-3.0, RED, AlphaMode::Opaque), cut], &EVEN, &[texture]);
    // The camera sees the middle ninth of the square, between both texels: the edge is in its
    // middle.
    assert_eq!(found.pixel(SIDE / 2 - 2, 9), [255, 0, 0]);
    assert_eq!(found.pixel(SIDE / 2 + 2, 9), [255; 3]);
}

#[test]
fn a_culled_side_is_not_drawn_and_the_other_is_lit_from_behind() {
    let lighting =
        Lighting { key: DirectionalLight { towards: FACING, color: [1.0; 3] }, ..Lighting::default() };
    let brightness = |cull_mode, is_reversed| {
        let mut square = Square::new(-2.0, [0.5, 0.5, 0.5, 1.0], AlphaMode::Opaque);
        (square.cull_mode, square.is_reversed) = (cull_mode, is_reversed);
        picture(&[square], &lighting, &[]).pixel(9, 9)[0]
    };
    assert!(brightness(CullMode::Back, false) > 180);
    assert_eq!(brightness(CullMode::Back, true), 0);
    assert_eq!(brightness(CullMode::Front, false), 0);
    // The normal of a back face is reversed: here, away from the light.
    assert!(brightness(CullMode::None, false) > 180);
    assert_eq!(brightness(CullMode::None, true), 0);
}

#[test]
fn without_a_tangent_a_normal_texture_changes_nothing() {
    let lighting =
        Lighting { key: DirectionalLight { towards: FACING, color: [1.0; 3] }, ..Lighting::default() };
    // Texels whose z is zero, or points into the surface.
    for texel in [[255, 128, 128, 255], [128, 128, 0, 255], [0, 0, 0, 255]] {
        let texture = Texture::new(1, 1, vec![texel], Encoding::Linear).expect("valid input");
        // No direction, or that of the normal.
        for tangent in [[0.0; 4], [0.0, 0.0, 1.0, 1.0]] {
            let mut square = Square::new(-2.0, [0.5, 0.5, 0.5, 1.0], AlphaMode::Opaque);
            square.tangent = tangent;
            let expected = picture(std::slice::from_ref(&square), &lighting, &[]).pixel(9, 9);
            square.material.normal_texture = Some(0);
            let found = picture(&[square], &lighting, std::slice::from_ref(&texture)).pixel(9, 9);
            assert_eq!(found, expected, "{texel:?}");
        }
    }
}

#[test]
fn a_normal_texture_turns_the_surface_towards_and_away_from_the_light() {
    // The left texel leans to -x, the right one to +x, by 45 degrees.
    let lean = |x: i32| [(128 + 90 * x) as u8, 128, 218, 255];
    let texels = vec![lean(-1), lean(1)];
    let texture = Texture::new(2, 1, texels, Encoding::Linear).expect("valid input");
    let light = |towards: [f32; 3]| Lighting {
        key: DirectionalLight { towards: towards.map(|x| x * 0.5_f32.sqrt()), color: [1.0; 3] },
        ..Lighting::default()
    };
    let sides = |towards: [f32; 3], scale: f32| {
        let mut square = Square::new(-9.0, [0.5, 0.5, 0.5, 1.0], AlphaMode::Opaque);
        (square.material.normal_texture, square.material.normal_scale) = (Some(0), scale);
        let picture = picture(&[square], &light(towards), std::slice::from_ref(&texture));
        [8, 24].map(|x| i32::from(picture.pixel(x, 16)[0]))
    };
    let [left, right] = sides([1.0, 0.0, 1.0], 1.0);
    assert!(left < 40 && right > 180, "{left} {right}");
    let [left, right] = sides([-1.0, 0.0, 1.0], 1.0);
    assert!(right < 40 && left > 180, "{left} {right}");
    let [left, right] = sides([1.0, 0.0, 1.0], 0.0);
    assert!((left - right).abs() <= 1, "{left} {right}");
}

#[test]
fn shadows_fall_on_what_is_behind_a_transparent_surface() {
    let lighting = Lighting { key: DirectionalLight { towards: FACING, color: [0.9; 3] }, ..EVEN };
    let size = size(SIDE, SIDE);
    let view = support::view([0.0; 3], size);
    let gray = |shadow: bool, glass: bool| {
        let mut canvas = Canvas::new(size);
        canvas.set_lighting(&Lighting { ambient: [[0.1; 3]; 2], ..lighting });
        Square::new(-4.0, [1.0; 4], AlphaMode::Opaque).add(&mut canvas, &view);
        let (corners, triangles) = box_mesh([-9.0, -9.0, -5.0], [9.0, 9.0, -3.5]);
        let positions = corners.map(|corner| view.transform_point(corner));
        if shadow {
            let volume = ShadowVolume { positions: &positions, triangles: &triangles };
            canvas.add_shadow_volume(&volume).expect("valid input");
        }
        if glass {
            Square::new(-2.0, [1.0, 1.0, 1.0, 0.5], AlphaMode::Blend).add(&mut canvas, &view);
        }
        render(&mut canvas, &[], 1).pixel(16, 16)[0]
    };
    assert!(gray(true, false) < gray(true, true) && gray(true, true) < gray(false, true));
    assert!(gray(false, false) >= 250 && gray(false, true) >= 250);
}

#[test]
fn emitted_light_is_seen_in_the_dark() {
    let mut square = Square::new(-2.0, [1.0; 4], AlphaMode::Opaque);
    square.material.emissive = [0.0, 1.0, 0.25];
    let found = picture(&[square], &Lighting::default(), &[]).pixel(9, 9);
    assert_eq!(found, [0, 255, linear_to_srgb(0.25)]);
}
