//! Local to model space for eight instances of one skeleton.

use std::hint::black_box;

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{BLOCK, CrowdLocalToModel, Matrix, MatrixBlock};
use sinew_papers::Parents;
#[cfg(not(target_arch = "x86_64"))]
use sinew_papers::plain as sse2;
use sinew_papers::plain;
#[cfg(target_arch = "x86_64")]
use sinew_papers::sse2;

use super::spaces::THIRD_TURN;
use super::{Implementation, MaxError, Routine};
use crate::workload::{self, Random, SkeletonShape};

/// Local to model space: the papers' method eight times, the crowd kernel once.
#[derive(Clone, Debug)]
pub struct CrowdSpaces {
    parents: Vec<u32>,
}

impl CrowdSpaces {
    /// Eight humanoids of `joints` joints each.
    #[must_use]
    pub fn new(joints: usize) -> Self {
        Self { parents: workload::parents(SkeletonShape::Humanoids, joints) }
    }

    fn run_published(implementation: Implementation, checked: &Parents<'_>, matrices: &mut [Matrix]) {
        match implementation {
            Implementation::Plain => plain::local_to_model(checked, matrices),
            _ => sse2::local_to_model(checked, matrices),
        }
    }
}

impl Routine for CrowdSpaces {
    fn elements(&self) -> usize {
        BLOCK * self.parents.len()
    }

    fn runner(&self, implementation: Implementation) -> Box<dyn FnMut() + '_> {
        let (parents, len) = (self.parents.as_slice(), self.parents.len());
        if let Some(kernels) = implementation.kernels() {
            let mut matrices = vec![MatrixBlock::splat(&THIRD_TURN); len];
            return Box::new(move || {
                let parents = black_box(parents);
                let matrices = matrices.as_mut_slice();
                kernels.crowd_local_to_model(CrowdLocalToModel { parents, range: 0..len, matrices });
            });
        }
        let (checked, mut matrices) = (Parents::new(parents, 1..len), vec![THIRD_TURN; len]);
        Box::new(move || {
            for _ in 0..BLOCK {
                Self::run_published(implementation, black_box(&checked), &mut matrices);
            }
        })
    }

    fn error(&self, implementation: Implementation) -> f64 {
        let len = self.parents.len();
        let mut matrices = workload::rigid_matrices(len, &mut Random::new(3));
        let mut expected: Vec<_> = matrices.iter().map(algebra::widen).collect();
        reference::local_to_model(&self.parents, 0..len, &mut expected);
        if let Some(kernels) = implementation.kernels() {
            let mut blocks: Vec<_> = matrices.iter().map(MatrixBlock::splat).collect();
            let (parents, matrices) = (self.parents.as_slice(), blocks.as_mut_slice());
            kernels.crowd_local_to_model(CrowdLocalToModel { parents, range: 0..len, matrices });
            return max_error_of_blocks(&expected, &blocks);
        }
        Self::run_published(implementation, &Parents::new(&self.parents, 1..len), &mut matrices);
        let mut error = MaxError::default();
        error.compare_matrices(&expected, &matrices);
        error.relative()
    }
}

fn max_error_of_blocks(expected: &[algebra::Affine], found: &[MatrixBlock]) -> f64 {
    let mut error = MaxError::default();
    for lane in 0..BLOCK {
        let lane: Vec<Matrix> = found.iter().map(|block| block.matrix(lane)).collect();
        error.compare_matrices(expected, &lane);
    }
    error.relative()
}
