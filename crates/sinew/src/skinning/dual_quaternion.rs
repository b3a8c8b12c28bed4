//! Dual-quaternion palettes, which keep the volume of twisted joints.

use sinew_kernels::{BLOCK, DualQuaternion, Matrix, PaletteToDualQuaternions, ScalarBlock};

use crate::length::check_len;
use crate::mesh::Mesh;
use crate::runtime::Runtime;
use crate::skeleton::Skin;
use crate::skinning::{Palette, SkinningError};

/// Palettes that deviate less than this from rigid transforms are treated as rigid. It is far above
/// rounding errors and far below what is visible.
const RIGID: f32 = 1e-5;

/// The dual quaternions of a palette, and the scale, shear and reflection that they cannot
/// represent.
#[derive(Clone, Debug)]
pub struct DualQuaternionPalette {
    pub(crate) dual_quaternions: Vec<DualQuaternion>,
    scale_shears: Vec<Matrix>,
    max_deviation: f32,
    runtime: Runtime,
}

impl DualQuaternionPalette {
    /// The mesh at rest.
    #[must_use]
    pub fn new(skin: &Skin) -> Self {
        Self {
            dual_quaternions: vec![DualQuaternion::IDENTITY; skin.len()],
            scale_shears: vec![Matrix::IDENTITY; skin.len()],
            max_deviation: 0.0,
            runtime: skin.runtime(),
        }
    }

    /// Splits each matrix of a palette into scale and shear, and the rigid transform that follows
    /// them.
    ///
    /// # Errors
    ///
    /// If the palette was created for a skin of another length.
    pub fn update(&mut self, palette: &Palette) -> Result<(), SkinningError> {
        check_len("palette", self.dual_quaternions.len(), palette.matrices().len())?;
        self.runtime.kernels().palette_to_dual_quaternions(PaletteToDualQuaternions {
            palette: palette.matrices(),
            dual_quaternions: &mut self.dual_quaternions,
            scale_shears: &mut self.scale_shears,
            max_deviation: &mut self.max_deviation,
        });
        Ok(())
    }

    /// The largest difference between an element of the scale and shear matrices and the identity.
    pub(crate) fn max_deviation(&self) -> f32 {
        self.max_deviation
    }

    /// The scale and shear matrices; `None` if all joints are rigid.
    pub(crate) fn scale_shears(&self) -> Option<&[Matrix]> {
        (self.max_deviation > RIGID).then_some(&self.scale_shears)
    }
}

/// A weight per vertex that mixes dual-quaternion blending (1) with linear blending (0).
#[derive(Clone, Debug)]
pub struct DualQuaternionWeights {
    pub(crate) rows: Vec<ScalarBlock>,
}

impl DualQuaternionWeights {
    /// Converts weights from 0 (linear blending) to 1 (dual quaternions), one per vertex in source
    /// order.
    ///
    /// # Errors
    ///
    /// If there is not one weight per vertex, or a weight is not from 0 to 1.
    pub fn new(mesh: &Mesh, by_vertex: &[f32]) -> Result<Self, SkinningError> {
        let outside = |weight: &f32| !(0.0..=1.0).contains(weight);
        if let Some(vertex) = by_vertex.iter().position(outside) {
            return Err(SkinningError::BadDualQuaternionWeight { vertex, weight: by_vertex[vertex] });
        }
        let by_slot = mesh.to_run_order(by_vertex)?;
        let (rows, _) = by_slot.as_chunks::<BLOCK>();
        Ok(Self { rows: rows.iter().map(|&row| ScalarBlock(row)).collect() })
    }
}
