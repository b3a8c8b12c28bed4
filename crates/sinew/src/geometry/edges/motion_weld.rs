//! Welding by motion: vertices that coincide in the rest pose and stay together in every pose.

use std::collections::HashMap;

use sinew_kernels::Matrix;

use crate::geometry::{GeometryError, Weld};
use crate::mesh::{Attributes, Mesh, Morphed};
use crate::skinning::{Palette, SkinOptions, Skinned};

/// For each vertex, the first vertex that coincides with it and moves with it in every pose.
///
/// A probe decides: the mesh is skinned with a palette of unrelated matrices after morphing with
/// unrelated weights. Equal influences give equal bits there, different ones give different bits.
/// So this does not depend on how influences are stored.
pub(super) fn weld_by_motion(mesh: &Mesh, weld: &Weld) -> Result<Vec<u32>, GeometryError> {
    let mut remap = weld.remap().to_vec();
    if weld.distinct() == weld.len() {
        return Ok(remap);
    }
    let probe = probe(mesh)?;
    let positions = probe.position_view();
    let mut seen = HashMap::with_capacity(remap.len());
    for (vertex, first) in (0_u32..).zip(&mut remap) {
        let probe_position = positions.position(vertex as usize).map(f32::to_bits);
        *first = *seen.entry((*first, probe_position)).or_insert(vertex);
    }
    Ok(remap)
}

/// The mesh skinned in an artificial pose.
fn probe(mesh: &Mesh) -> Result<Skinned, GeometryError> {
    let mut numbers = ProbeNumbers(0);
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

/// Pseudorandom numbers from 0.5 to 1.5: upper bits of a golden-ratio hash.
struct ProbeNumbers(u32);

impl ProbeNumbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9);
        let mixed = (self.0 ^ self.0 >> 15).wrapping_mul(0x85EB_CA6B);
        0.5 + (mixed >> 8) as f32 / (1 << 24) as f32
    }
}
