//! Local to model space and back.

use std::hint::black_box;

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{LocalToModel, Matrix, ModelToLocal};
#[cfg(not(target_arch = "x86_64"))]
use sinew_papers::plain as sse2;
#[cfg(target_arch = "x86_64")]
use sinew_papers::sse2;
use sinew_papers::{Parents, plain};

use super::{Implementation, MaxError, Routine};
use crate::workload::{self, Random, SkeletonShape};

/// An exact third of a turn: its products in place neither grow nor vanish, however many.
pub(super) const THIRD_TURN: Matrix =
    Matrix { rows: [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]] };

/// The direction of a conversion between spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `TransformSkeleton`.
    ToModel,
    /// `UntransformSkeleton`: correct for rigid joints only.
    ToLocal,
}

/// Converts the joints of a skeleton from one space to the other, in place.
#[derive(Clone, Debug)]
pub struct Spaces {
    direction: Direction,
    parents: Vec<u32>,
}

impl Spaces {
    /// The routine on `len` joints.
    #[must_use]
    pub fn new(direction: Direction, shape: SkeletonShape, len: usize) -> Self {
        Self { direction, parents: workload::parents(shape, len) }
    }

    /// The check that the papers' loops need. It is made once and not timed.
    fn checked_parents(&self) -> Parents<'_> {
        Parents::new(&self.parents, 1..self.parents.len())
    }

    fn run(&self, implementation: Implementation, checked: &Parents<'_>, matrices: &mut [Matrix]) {
        let (parents, range) = (self.parents.as_slice(), 0..matrices.len());
        let plain = matches!(implementation, Implementation::Plain);
        match (self.direction, implementation.kernels()) {
            (Direction::ToModel, Some(kernels)) => {
                kernels.local_to_model(LocalToModel { parents, range, matrices });
            }
            (Direction::ToLocal, Some(kernels)) => {
                kernels.rigid_model_to_local(ModelToLocal { parents, range, matrices });
            }
            (Direction::ToModel, None) if plain => plain::local_to_model(checked, matrices),
            (Direction::ToLocal, None) if plain => plain::model_to_local(checked, matrices),
            (Direction::ToModel, None) => sse2::local_to_model(checked, matrices),
            (Direction::ToLocal, None) => sse2::model_to_local(checked, matrices),
        }
    }
}

impl Routine for Spaces {
    fn elements(&self) -> usize {
        self.parents.len()
    }

    fn runner(&self, implementation: Implementation) -> Box<dyn FnMut() + '_> {
        let (checked, mut matrices) = (self.checked_parents(), vec![THIRD_TURN; self.parents.len()]);
        Box::new(move || black_box(self).run(implementation, black_box(&checked), &mut matrices))
    }

    fn error(&self, implementation: Implementation) -> f64 {
        let mut matrices = workload::rigid_matrices(self.parents.len(), &mut Random::new(3));
        let mut expected: Vec<_> = matrices.iter().map(algebra::widen).collect();
        let range = 0..expected.len();
        match self.direction {
            Direction::ToModel => reference::local_to_model(&self.parents, range, &mut expected),
            Direction::ToLocal => reference::model_to_local(&self.parents, range, &mut expected),
        }
        self.run(implementation, &self.checked_parents(), &mut matrices);
        let mut error = MaxError::default();
        error.compare_matrices(&expected, &matrices);
        error.relative()
    }
}
