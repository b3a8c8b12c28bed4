//! Which of the vertices that coincide at rest stay together in every pose.

use std::collections::HashMap;

use sinew_kernels::Matrix;

use crate::{Attributes, Error, Mesh, Morphed, Palette, SkinOptions, Skinned, Weld};

/// For each place the first that coincides with it and is moved alike by every pose.
///
/// A probe tells: the mesh, skinned by a palette of unlike matrices after morphing with unlike weights. Equal influences
/// give equal bits there, and others other ones. So it needs to know nothing of the ways in which influences are kept.
pub(super) fn moved_alike(mesh: &Mesh, weld: &Weld) -> Result<Vec<u32>, Error> {
    let mut first = weld.first().to_vec();
    if weld.distinct() == weld.len() {
        return Ok(first);
    }
    let probe = probe(mesh)?;
    let points = probe.points();
    let mut seen = HashMap::with_capacity(first.len());
    for (place, first) in (0_u32..).zip(&mut first) {
        let moved = points.point(place as usize).map(f32::to_bits);
        *first = *seen.entry((*first, moved)).or_insert(place);
    }
    Ok(first)
}

/// The mesh in a pose that it will never have.
fn probe(mesh: &Mesh) -> Result<Skinned, Error> {
    let mut numbers = Numbers(0);
    let matrix = |_| Matrix { rows: [[0; 4]; 3].map(|row| row.map(|_| numbers.next())) };
    let palette = Palette::from_matrices((0..mesh.skin_len()).map(matrix).collect());
    let weights: Vec<f32> = (0..mesh.morph_count()).map(|_| numbers.next()).collect();
    let mut morphed = Morphed::new(mesh);
    let mut options = SkinOptions::default();
    if !weights.is_empty() {
        mesh.morph(&weights, &mut morphed)?;
        options.morphed = Some(&morphed);
    }
    let mut probe = Skinned::new(mesh, Attributes::Positions)?;
    mesh.skin(&palette, &options, &mut probe)?;
    Ok(probe)
}

/// Numbers from a half to one and a half without a pattern: the upper bits of a product with the golden ratio.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9);
        let mixed = (self.0 ^ self.0 >> 15).wrapping_mul(0x85EB_CA6B);
        0.5 + (mixed >> 8) as f32 / (1 << 24) as f32
    }
}
