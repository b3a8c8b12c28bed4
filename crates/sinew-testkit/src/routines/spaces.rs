//! Local to model space and back.

use std::hint::black_box;

#[cfg(not(target_arch = "x86_64"))]
use sinew_kernels::papers::plain as sse2;
#[cfg(target_arch = "x86_64")]
use sinew_kernels::papers::sse2;
use sinew_kernels::papers::{Parents, plain};
use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{LocalToModel, Matrix, ModelToLocal};

use super::{Method, Routine, Worst};
use crate::random::Random;
use crate::rigs::{self, Shape};

/// A third of a turn, exactly: multiplied in place however often, nothing grows or vanishes.
pub(super) const STILL: Matrix =
    Matrix { rows: [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]] };

/// From which space to which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `TransformSkeleton`.
    ToModel,
    /// `UntransformSkeleton`: right for rigid joints only.
    ToLocal,
}

/// The joints of a skeleton from one space to the other, in place.
#[derive(Clone, Debug)]
pub struct Spaces {
    way: Way,
    parents: Vec<u32>,
}

impl Spaces {
    /// Of so many joints that hang together in this way.
    #[must_use]
    pub fn new(way: Way, shape: Shape, len: usize) -> Self {
        Self { way, parents: parents(shape, len) }
    }

    /// What the papers' loops need to know is checked once, outside the time.
    fn checked(&self) -> Parents<'_> {
        Parents::new(&self.parents, 1..self.parents.len())
    }

    fn run(&self, method: Method, checked: &Parents<'_>, matrices: &mut [Matrix]) {
        let (parents, range) = (self.parents.as_slice(), 0..matrices.len());
        let plain = matches!(method, Method::Plain);
        match (self.way, method.kernels()) {
            (Way::ToModel, Some(kernels)) => {
                kernels.local_to_model(LocalToModel { parents, range, matrices });
            }
            (Way::ToLocal, Some(kernels)) => {
                kernels.rigid_model_to_local(ModelToLocal { parents, range, matrices });
            }
            (Way::ToModel, None) if plain => plain::local_to_model(checked, matrices),
            (Way::ToLocal, None) if plain => plain::model_to_local(checked, matrices),
            (Way::ToModel, None) => sse2::local_to_model(checked, matrices),
            (Way::ToLocal, None) => sse2::model_to_local(checked, matrices),
        }
    }
}

/// The parents of a skeleton. The papers' loops know no roots but the first joint.
pub(super) fn parents(shape: Shape, len: usize) -> Vec<u32> {
    let mut parents = rigs::parents(shape, len, &mut Random::new(2));
    for (joint, parent) in parents.iter_mut().enumerate().skip(1) {
        *parent = (*parent).min(joint as u32 - 1);
    }
    parents
}

impl Routine for Spaces {
    fn elements(&self) -> usize {
        self.parents.len()
    }

    fn contender(&self, method: Method) -> Box<dyn FnMut() + '_> {
        let (checked, mut matrices) = (self.checked(), vec![STILL; self.parents.len()]);
        Box::new(move || black_box(self).run(method, black_box(&checked), &mut matrices))
    }

    fn error(&self, method: Method) -> f64 {
        let mut matrices = rigs::rigid_matrices(self.parents.len(), &mut Random::new(3));
        let mut expected: Vec<_> = matrices.iter().map(algebra::widen).collect();
        let range = 0..expected.len();
        match self.way {
            Way::ToModel => reference::local_to_model(&self.parents, range, &mut expected),
            Way::ToLocal => reference::model_to_local(&self.parents, range, &mut expected),
        }
        self.run(method, &self.checked(), &mut matrices);
        let mut worst = Worst::default();
        worst.compare_matrices(&expected, &matrices);
        worst.share()
    }
}
