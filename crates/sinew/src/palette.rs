//! A palette: what a skin's joints do to the mesh.

use sinew_kernels::{Matrix, ToPalette};

use crate::error::check_len;
use crate::{Error, Skin};

/// A matrix for each joint of a skin, from the mesh at rest to the mesh as posed.
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

    /// Any matrices, one for each joint of a skin.
    pub(crate) fn from_matrices(matrices: Vec<Matrix>) -> Self {
        Self { matrices }
    }

    /// Each joint's model matrix times its inverse bind. `model_from_joint` has a matrix for each joint of the
    /// skeleton, all of them in model space.
    ///
    /// # Errors
    ///
    /// When the matrices are not as many as the skeleton's joints, or the palette was made for a skin of another
    /// length.
    pub fn update(&mut self, model_from_joint: &[Matrix], skin: &Skin) -> Result<(), Error> {
        check_len("model matrices", skin.skeleton_len(), model_from_joint.len())?;
        check_len("palette", skin.len(), self.matrices.len())?;
        skin.kernels().palette(ToPalette {
            models: model_from_joint,
            joints: skin.joints(),
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
