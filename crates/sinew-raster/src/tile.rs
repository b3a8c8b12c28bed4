//! The samples of one tile, rasterized triangle by triangle.
//!
//! A tile fits into the L1 or L2 cache. Each sample has a depth, a stencil that counts shadow
//! volumes, and two colors: lit and in shadow. `resolve` picks one of them once the stencil is
//! final. The loops over the samples of a block are separate functions that are never inlined:
//! inlined together they would run out of registers.

use std::ops::Range;

use crate::binned::BinnedTriangles;
use crate::bins::{TILE_HEIGHT, TILE_WIDTH};
use crate::coverage::{BLOCK, BlockCoverage, DepthRow, Samples, depth_range, offset_from_origin};
use crate::hi_z::HiZ;
use crate::shade::{CoveredPixel, Shader};
use crate::srgb::SrgbEncoder;
use crate::surface_shader::SurfaceShader;
use crate::triangle_setup::{Op, RasterTriangle, SAMPLE_GRID, SAMPLE_POSITIONS, SAMPLES};
use crate::{AlphaMode, Lighting, Material, Texture};

/// The samples of a tile, pixel by pixel.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    left: i32,
    top: i32,
    depth: Vec<Samples<f32>>,
    lit: Vec<Samples<u32>>,
    shadowed: Vec<Samples<u32>>,
    /// Only the lowest eight bits count. It is as wide as a depth so that both vectorize together.
    stencil: Vec<Samples<i32>>,
    hi_z: HiZ,
    shader: Shader,
    /// The depths of a block before a transparent triangle was tested.
    depth_before: [Samples<f32>; BLOCK_PIXELS],
}

/// What the indices in a bin, and in its triangles, refer to.
#[derive(Clone, Copy)]
pub(crate) struct DrawData<'a> {
    pub(crate) part: &'a BinnedTriangles,
    pub(crate) materials: &'a [Material],
    pub(crate) lighting: &'a Lighting,
    pub(crate) textures: &'a [Texture],
}

const PIXELS: usize = TILE_WIDTH * TILE_HEIGHT;
const BLOCK_SIDE: usize = BLOCK as usize;
const BLOCK_PIXELS: usize = BLOCK_SIDE * BLOCK_SIDE;

impl Tile {
    pub(crate) fn new() -> Self {
        Self {
            left: 0,
            top: 0,
            depth: vec![[0.0; SAMPLES]; PIXELS],
            lit: vec![[0; SAMPLES]; PIXELS],
            shadowed: vec![[0; SAMPLES]; PIXELS],
            stencil: vec![[0; SAMPLES]; PIXELS],
            hi_z: HiZ::default(),
            shader: Shader::new(),
            depth_before: [[0.0; SAMPLES]; BLOCK_PIXELS],
        }
    }

    /// Moves to a tile and clears it to the background at infinity.
    pub(crate) fn begin(&mut self, column: usize, row: usize, background: u32) {
        self.left = (column * TILE_WIDTH) as i32;
        self.top = (row * TILE_HEIGHT) as i32;
        self.depth.fill([0.0; SAMPLES]);
        self.lit.fill([background; SAMPLES]);
        self.shadowed.fill([background; SAMPLES]);
        self.stencil.fill([0; SAMPLES]);
        self.hi_z.is_stale = true;
    }

    /// Draws the triangles of a bin in order.
    pub(crate) fn draw(&mut self, bin: &[u32], data: &DrawData<'_>) {
        let encoder = SrgbEncoder::new();
        for &index in bin {
            let triangle = &data.part.triangles[index as usize];
            match triangle.op {
                Op::Shade(varyings) => {
                    let varyings = &data.part.colored[varyings as usize];
                    self.draw_depth_tested(triangle, |tile| {
                        tile.shader.shade(varyings);
                        tile.write_colors(|shader, index| shader.colors(encoder, index));
                    });
                }
                Op::Surface(surface) => {
                    let surface = &data.part.surfaces[surface as usize];
                    let material = &data.materials[surface.material as usize];
                    let (textures, lighting) = (data.textures, data.lighting);
                    self.draw_surface(
                        triangle,
                        &SurfaceShader { triangle: surface, material, textures, lighting },
                    );
                }
                Op::Flat(color) => {
                    self.draw_depth_tested(triangle, |tile| tile.write_colors(|_, _| [color; 2]));
                }
                Op::Overlay(color) => self.draw_overlay(triangle, color),
                Op::Stencil(step) => self.draw_stencil(triangle, step.into()),
            }
        }
    }

    /// A triangle's bounds clipped to the tile: left, top, right, bottom; the last two exclusive.
    #[inline(always)]
    fn clip_bounds(&self, triangle: &RasterTriangle) -> [i32; 4] {
        let [left, top, right, bottom] = triangle.bounds;
        [
            left.max(self.left),
            top.max(self.top),
            right.min(self.left + TILE_WIDTH as i32),
            bottom.min(self.top + TILE_HEIGHT as i32),
        ]
    }

    /// The tile's indices of a row of pixels.
    #[inline(always)]
    fn pixels(&self, [left, right]: [i32; 2], y: i32) -> Range<usize> {
        let row = (y - self.top) as usize * TILE_WIDTH;
        row + (left - self.left) as usize..row + (right - self.left) as usize
    }

    /// Draws a triangle of a surface. One that is not opaque leaves the depth of pixels that it
    /// does not hide.
    fn draw_surface(&mut self, triangle: &RasterTriangle, shader: &SurfaceShader<'_>) {
        let encoder = SrgbEncoder::new();
        if shader.material.alpha_mode == AlphaMode::Opaque {
            self.draw_depth_tested(triangle, |tile| {
                tile.shader.shade_surface(shader);
                tile.write_colors(|shader, index| shader.colors(encoder, index));
            });
            return;
        }
        self.hi_z.is_stale = true;
        for block in blocks(self.clip_bounds(triangle)) {
            let corner = [block[0] & -BLOCK, block[1] & -BLOCK];
            let Some(coverage) = BlockCoverage::new(triangle, corner[0], corner[1]) else { continue };
            self.copy_depths(corner);
            self.depth_test(triangle, &coverage, block);
            self.shader.shade_surface(shader);
            match shader.material.alpha_mode {
                AlphaMode::Mask(cutoff) => {
                    let Self { shader, depth, depth_before, .. } = self;
                    shader.retain(|alpha, covered| {
                        let keeps = alpha >= cutoff;
                        if !keeps {
                            depth[covered.pixel] = depth_before[pixel_in_block(covered.pixel)];
                        }
                        keeps
                    });
                    self.write_colors(|shader, index| shader.colors(encoder, index));
                }
                AlphaMode::Opaque | AlphaMode::Blend => self.blend_colors(encoder),
            }
        }
    }

    /// Copies the depths of the block at a pixel of the picture.
    fn copy_depths(&mut self, [x, y]: [i32; 2]) {
        for row in 0..BLOCK_SIDE {
            let from = self.pixels([x, x + BLOCK], y + row as i32);
            let to = row * BLOCK_SIDE..(row + 1) * BLOCK_SIDE;
            self.depth_before[to].copy_from_slice(&self.depth[from]);
        }
    }

    /// Blends the shaded pixels into the samples that passed the depth test, and restores the
    /// depths. What is behind keeps its shadow; the transparent surface has none.
    fn blend_colors(&mut self, encoder: SrgbEncoder) {
        for (index, covered) in self.shader.covered().iter().enumerate() {
            self.depth[covered.pixel] = self.depth_before[pixel_in_block(covered.pixel)];
            let ([lit, _], alpha) = self.shader.linear_colors(index);
            let samples = [&mut self.lit[covered.pixel], &mut self.shadowed[covered.pixel]];
            for stored in samples {
                for sample in 0..SAMPLES {
                    let blended = encoder.blend(lit, alpha, stored[sample]);
                    stored[sample] = select(covered.samples[sample], blended, stored[sample]);
                }
            }
        }
    }

    /// Runs the depth test on each block, then `write` for the pixels that passed.
    #[inline(always)]
    fn draw_depth_tested(&mut self, triangle: &RasterTriangle, write: impl Fn(&mut Self)) {
        self.hi_z.is_stale = true;
        for block in blocks(self.clip_bounds(triangle)) {
            let coverage = BlockCoverage::new(triangle, block[0] & -BLOCK, block[1] & -BLOCK);
            let Some(coverage) = coverage else { continue };
            self.depth_test(triangle, &coverage, block);
            write(self);
        }
    }

    /// Writes a triangle's depths where it is nearest, and collects those pixels in the shader.
    #[inline(never)]
    fn depth_test(
        &mut self,
        triangle: &RasterTriangle,
        coverage: &BlockCoverage,
        [left, top, right, bottom]: [i32; 4],
    ) {
        self.shader.clear();
        for y in top..bottom {
            let mut outside = coverage.row(left, y);
            let mut depths = DepthRow::new(triangle, left, y);
            let pixels = self.pixels([left, right], y);
            let first = pixels.start;
            for ((x, stored), pixel) in (left..right).zip(&mut self.depth[pixels]).zip(first..) {
                let (outside, depth) = (outside.next(), depths.next());
                let mut samples = [0; SAMPLES];
                for sample in 0..SAMPLES {
                    let is_nearer = mask(depth[sample] > stored[sample]);
                    samples[sample] = (!(outside[sample] >> 31) & is_nearer).cast_unsigned();
                }
                if samples == [0; SAMPLES] {
                    continue;
                }
                for sample in 0..SAMPLES {
                    let bits = select(samples[sample], depth[sample].to_bits(), stored[sample].to_bits());
                    stored[sample] = f32::from_bits(bits);
                }
                self.shader.push(CoveredPixel { pixel, samples }, shading_point(triangle, x, y, outside));
            }
        }
    }

    /// Writes colors to the samples that passed the depth test.
    #[inline(always)]
    fn write_colors(&mut self, colors: impl Fn(&Shader, usize) -> [u32; 2]) {
        for (index, covered) in self.shader.covered().iter().enumerate() {
            let [lit, shadowed] = colors(&self.shader, index);
            let masked = |stored: Samples<u32>, color: u32| {
                let mut masked = stored;
                for sample in 0..SAMPLES {
                    masked[sample] = select(covered.samples[sample], color, stored[sample]);
                }
                masked
            };
            self.lit[covered.pixel] = masked(self.lit[covered.pixel], lit);
            self.shadowed[covered.pixel] = masked(self.shadowed[covered.pixel], shadowed);
        }
    }

    /// Writes a color to all covered samples, without the depth test.
    fn draw_overlay(&mut self, triangle: &RasterTriangle, color: u32) {
        for [left, top, right, bottom] in blocks(self.clip_bounds(triangle)) {
            let coverage = BlockCoverage::new(triangle, left & -BLOCK, top & -BLOCK);
            let Some(coverage) = coverage else { continue };
            for y in top..bottom {
                let mut outside = coverage.row(left, y);
                for pixel in self.pixels([left, right], y) {
                    let outside = outside.next();
                    for sample in 0..SAMPLES {
                        if outside[sample] >= 0 {
                            self.lit[pixel][sample] = color;
                            self.shadowed[pixel][sample] = color;
                        }
                    }
                }
            }
        }
    }

    /// Adds `step` to the stencil of covered samples whose surface is in front of the triangle or
    /// at the same depth.
    #[inline(never)]
    fn draw_stencil(&mut self, triangle: &RasterTriangle, step: i32) {
        if self.hi_z.is_stale {
            self.hi_z = HiZ::new(&self.depth);
        }
        let bounds = self.clip_bounds(triangle);
        if depth_range(triangle, bounds)[0] > self.hi_z.tile[1] {
            return;
        }
        for block in blocks(bounds) {
            let [left, top, ..] = block;
            let [min, max] = depth_range(triangle, block);
            let stored = self.hi_z.block((left - self.left) as usize, (top - self.top) as usize);
            if min > stored[1] {
                continue;
            }
            let coverage = BlockCoverage::new(triangle, left & -BLOCK, top & -BLOCK);
            let Some(coverage) = coverage else { continue };
            if max <= stored[0] {
                self.stencil_all(&coverage, block, step);
            } else {
                self.stencil_depth_fail(triangle, &coverage, block, step);
            }
        }
    }

    /// Adds `step` to the stencil of all covered samples of a block.
    #[inline(never)]
    fn stencil_all(&mut self, coverage: &BlockCoverage, [left, top, right, bottom]: [i32; 4], step: i32) {
        for y in top..bottom {
            let mut outside = coverage.row(left, y);
            let pixels = self.pixels([left, right], y);
            for stencil in &mut self.stencil[pixels] {
                let outside = outside.next();
                for sample in 0..SAMPLES {
                    stencil[sample] += !(outside[sample] >> 31) & step;
                }
            }
        }
    }

    /// Adds `step` to the stencil of the covered samples of a block whose surface is in front of
    /// the triangle.
    #[inline(never)]
    fn stencil_depth_fail(
        &mut self,
        triangle: &RasterTriangle,
        coverage: &BlockCoverage,
        block: [i32; 4],
        step: i32,
    ) {
        let [left, top, right, bottom] = block;
        for y in top..bottom {
            let mut outside = coverage.row(left, y);
            let mut depths = DepthRow::new(triangle, left, y);
            let pixels = self.pixels([left, right], y);
            for (stencil, stored) in self.stencil[pixels.clone()].iter_mut().zip(&self.depth[pixels]) {
                let (outside, depth) = (outside.next(), depths.next());
                let mut updated = *stencil;
                for sample in 0..SAMPLES {
                    // The sign bit is set where the triangle is in front of the surface: both
                    // depths are numbers from zero to one.
                    let in_front = (stored[sample] - depth[sample]).to_bits().cast_signed();
                    updated[sample] += !((outside[sample] | in_front) >> 31) & step;
                }
                *stencil = updated;
            }
        }
    }

    /// Writes the tile's pixels into a row of tiles, which is `width` pixels wide.
    pub(crate) fn resolve(&self, to: &mut [[u8; 3]], width: usize) {
        let encoder = SrgbEncoder::new();
        let left = self.left as usize;
        let columns = TILE_WIDTH.min(width - left);
        for (row, to) in to.chunks_mut(width).enumerate() {
            for (column, to) in to[left..left + columns].iter_mut().enumerate() {
                let pixel = row * TILE_WIDTH + column;
                let mut colors = self.lit[pixel];
                if self.stencil[pixel] != [0; SAMPLES] {
                    for sample in 0..SAMPLES {
                        let in_shadow = self.stencil[pixel][sample] & 255 != 0;
                        colors[sample] =
                            if in_shadow { self.shadowed[pixel][sample] } else { colors[sample] };
                    }
                }
                let color = if colors == [colors[0]; SAMPLES] { colors[0] } else { encoder.average(colors) };
                let [red, green, blue, _] = color.to_le_bytes();
                *to = [red, green, blue];
            }
        }
    }
}

/// The index of a tile's pixel within its block.
fn pixel_in_block(pixel: usize) -> usize {
    pixel / TILE_WIDTH % BLOCK_SIDE * BLOCK_SIDE + pixel % BLOCK_SIDE
}

/// All bits for true, none for false.
#[inline(always)]
fn mask(condition: bool) -> i32 {
    -i32::from(condition)
}

/// The bits of `a` where the mask is set, and the bits of `b` elsewhere.
#[inline(always)]
fn select(mask: u32, a: u32, b: u32) -> u32 {
    a & mask | b & !mask
}

/// The point at which a pixel is shaded, in pixels from the triangle's origin: its center if all
/// samples are covered, the first covered sample otherwise. So the point lies inside the triangle,
/// where the varyings are valid.
#[inline(always)]
fn shading_point(triangle: &RasterTriangle, x: i32, y: i32, outside: Samples<i32>) -> [f32; 2] {
    let point = if outside.iter().all(|&sign| sign >= 0) {
        [SAMPLE_GRID / 2; 2]
    } else {
        SAMPLE_POSITIONS[outside.iter().position(|&sign| sign >= 0).unwrap_or(0)]
    };
    offset_from_origin(triangle, x, y, point)
}

/// The intersections of a rectangle of pixels with the blocks that it touches.
fn blocks([left, top, right, bottom]: [i32; 4]) -> impl Iterator<Item = [i32; 4]> {
    let starts = |low: i32, high: i32| (low & -BLOCK..high).step_by(BLOCK as usize);
    starts(top, bottom).flat_map(move |y| {
        let rows = [y.max(top), bottom.min(y + BLOCK)];
        starts(left, right).map(move |x| [x.max(left), rows[0], right.min(x + BLOCK), rows[1]])
    })
}
