//! Matrix palettes.

use sinew_kernels::{Matrix, ToPalette};

use crate::length::check_len;
use crate::skeleton::Skin;
use crate::skinning::SkinningError;

/// A matrix palette: one matrix per joint of a skin, from the mesh at rest to the posed mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    matrices: Vec<Matrix>,
}

impl Palette {
    /// The identity for each joint: the mesh at rest.
    #[must_use]
    pub fn new(skin: &Skin) -> Self {
        Self { matrices: vec![Matrix::IDENTITY; skin.len()] }
    }

    /// A palette of arbitrary matrices, one per joint of a skin.
    pub(crate) fn from_matrices(matrices: Vec<Matrix>) -> Self {
        Self { matrices }
    }

    /// Sets each matrix to the joint's model matrix times its inverse bind matrix.
    /// `model_from_joint` has one matrix per joint of the skeleton.
    ///
    /// # Errors
    ///
    /// If there is not one matrix per joint of the skeleton, or the palette was created for a skin
    /// of another length.
    pub fn update(&mut self, model_from_joint: &[Matrix], skin: &Skin) -> Result<(), SkinningError> {
        check_len("model matrices", skin.skeleton_len(), model_from_joint.len())?;
        check_len("palette", skin.len(), self.matrices.len())?;
        skin.runtime().kernels().palette(ToPalette {
            models: model_from_joint,
            joints: skin.joint_indices(),
            inverse_binds: skin.inverse_binds(),
            palette: &mut self.matrices,
        });
        Ok(())
    }

    /// The matrices, in the order of the skin's joints.
    #[must_use]
    pub fn matrices(&self) -> &[Matrix] {
        &self.matrices
    }

    pub(crate) fn matrices_mut(&mut self) -> &mut [Matrix] {
        &mut self.matrices
    }
}
