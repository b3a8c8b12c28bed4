//! Lists of joints, and their model matrices without a bounds check per joint.
//!
//! `unsafe` indexes matrices by such a list. It relies on one fact: every index of a [`JointList`]
//! is below its `required_models`, which is computed when the list is built and never changes. With
//! a 32-bit `usize` the index 2^32 - 1 is an exception, but no memory holds that many matrices.

use crate::{BLOCK, Matrix};

/// Joints of a skeleton as indices: those of a skin.
///
/// Built once: it computes how many joints the skeleton needs, so that the kernels need not check
/// every index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointList {
    indices: Vec<u32>,
    required_models: usize,
}

impl From<Vec<u32>> for JointList {
    fn from(indices: Vec<u32>) -> Self {
        let required = |&index: &u32| (index as usize).saturating_add(1);
        Self { required_models: indices.iter().map(required).max().unwrap_or(0), indices }
    }
}

impl JointList {
    /// The joints.
    #[must_use]
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The number of joints that the skeleton needs: one more than the largest index.
    #[must_use]
    pub fn required_models(&self) -> usize {
        self.required_models
    }
}

/// Joints of a list, and model matrices for all of them.
#[derive(Clone, Copy)]
pub(crate) struct ListedModels<'a> {
    /// At least as many as the list requires.
    models: &'a [Matrix],
    /// A part of the list.
    indices: &'a [u32],
}

impl<'a> ListedModels<'a> {
    #[inline(always)]
    pub(crate) fn new(models: &'a [Matrix], joints: &'a JointList) -> Self {
        assert!(joints.required_models <= models.len(), "a model matrix for every joint of the list");
        Self { models, indices: &joints.indices }
    }

    /// The number of joints.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.indices.len()
    }

    /// The joints after the last whole block.
    #[inline(always)]
    pub(crate) fn tail(&self) -> Self {
        Self { models: self.models, indices: self.indices.as_chunks::<BLOCK>().1 }
    }

    /// One of the list's whole blocks. Its length is known, so that joints need no check of their
    /// own.
    #[inline(always)]
    pub(crate) fn block(&self, b: usize) -> Option<Self> {
        Some(Self { models: self.models, indices: self.indices.as_chunks::<BLOCK>().0.get(b)? })
    }

    /// The model matrix of a joint of the list.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> Option<&'a Matrix> {
        let index = *self.indices.get(i)? as usize;
        debug_assert!(index < self.models.len());
        // SAFETY: the index is below the list's `required_models`, and `new` checked the number of
        // models.
        Some(unsafe { self.models.get_unchecked(index) })
    }
}
