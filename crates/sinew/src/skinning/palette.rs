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

    /// A palette of the caller's own matrices, one per joint of a skin: from the mesh at rest to
    /// the posed mesh, so the joint's model matrix times its inverse bind matrix. For programs that
    /// animate by other means.
    #[must_use]
    pub fn from_matrices(matrices: Vec<Matrix>) -> Self {
        Self { matrices }
    }

    /// Copies the caller's own matrices, as [`from_matrices`](Self::from_matrices), without
    /// allocating.
    ///
    /// # Errors
    ///
    /// If there are not as many matrices as joints of the skin.
    pub fn copy_from_matrices(&mut self, matrices: &[Matrix]) -> Result<(), SkinningError> {
        check_len("palette", self.matrices.len(), matrices.len())?;
        self.matrices.copy_from_slice(matrices);
        Ok(())
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
            joints: skin.joint_list(),
            inverse_binds: skin.inverse_binds(),
            palette: &mut self.matrices,
        });
        Ok(())
    }

    /// The matrices, in the order of the skin's joints: 3 rows x 4 columns, row-major, as many
    /// shaders read them to skin on a GPU.
    #[must_use]
    pub fn matrices(&self) -> &[Matrix] {
        &self.matrices
    }

    /// Copies the matrices as 4 x 4 floats each, column-major, as `mat4` in GLSL and WGSL.
    ///
    /// # Errors
    ///
    /// If there are not as many elements as joints of the skin.
    pub fn copy_to_4x4(&self, to: &mut [[f32; 16]]) -> Result<(), SkinningError> {
        check_len("4x4 matrices", self.matrices.len(), to.len())?;
        for (to, matrix) in to.iter_mut().zip(&self.matrices) {
            *to = matrix.to_4x4();
        }
        Ok(())
    }

    /// Copies the caller's own matrices of 4 x 4 floats each, column-major, without allocating: the
    /// inverse of [`copy_to_4x4`](Self::copy_to_4x4). Last rows are ignored.
    ///
    /// # Errors
    ///
    /// If there are not as many elements as joints of the skin.
    pub fn copy_from_4x4(&mut self, from: &[[f32; 16]]) -> Result<(), SkinningError> {
        check_len("4x4 matrices", self.matrices.len(), from.len())?;
        for (matrix, from) in self.matrices.iter_mut().zip(from) {
            *matrix = Matrix::from_4x4(from);
        }
        Ok(())
    }

    pub(crate) fn matrices_mut(&mut self) -> &mut [Matrix] {
        &mut self.matrices
    }
}
