//! Local to model space for eight instances of one skeleton.

use std::hint::black_box;

use sinew_kernels::papers::Parents;
#[cfg(not(target_arch = "x86_64"))]
use sinew_kernels::papers::plain as sse2;
use sinew_kernels::papers::plain;
#[cfg(target_arch = "x86_64")]
use sinew_kernels::papers::sse2;
use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{BLOCK, CrowdLocalToModel, Matrix, MatrixBlock};

use super::spaces::{STILL, parents};
use super::{Method, Routine, Worst};
use crate::random::Random;
use crate::rigs::{self, Shape};

/// The papers' method eight times over, the crowd form once.
#[derive(Clone, Debug)]
pub struct CrowdSpaces {
    parents: Vec<u32>,
}

impl CrowdSpaces {
    /// Eight figures of so many joints.
    #[must_use]
    pub fn new(joints: usize) -> Self {
        Self { parents: parents(Shape::Figures, joints) }
    }

    fn run_papers(method: Method, checked: &Parents<'_>, matrices: &mut [Matrix]) {
        match method {
            Method::Plain => plain::local_to_model(checked, matrices),
            _ => sse2::local_to_model(checked, matrices),
        }
    }
}

impl Routine for CrowdSpaces {
    fn elements(&self) -> usize {
        BLOCK * self.parents.len()
    }

    fn contender(&self, method: Method) -> Box<dyn FnMut() + '_> {
        let (parents, len) = (self.parents.as_slice(), self.parents.len());
        if let Some(kernels) = method.kernels() {
            let mut matrices = vec![MatrixBlock::splat(&STILL); len];
            return Box::new(move || {
                let parents = black_box(parents);
                let matrices = matrices.as_mut_slice();
                kernels.crowd_local_to_model(CrowdLocalToModel { parents, range: 0..len, matrices });
            });
        }
        let (checked, mut matrices) = (Parents::new(parents, 1..len), vec![STILL; len]);
        Box::new(move || {
            for _ in 0..BLOCK {
                Self::run_papers(method, black_box(&checked), &mut matrices);
            }
        })
    }

    fn error(&self, method: Method) -> f64 {
        let len = self.parents.len();
        let mut matrices = rigs::rigid_matrices(len, &mut Random::new(3));
        let mut expected: Vec<_> = matrices.iter().map(algebra::widen).collect();
        reference::local_to_model(&self.parents, 0..len, &mut expected);
        if let Some(kernels) = method.kernels() {
            let mut blocks: Vec<_> = matrices.iter().map(MatrixBlock::splat).collect();
            let (parents, matrices) = (self.parents.as_slice(), blocks.as_mut_slice());
            kernels.crowd_local_to_model(CrowdLocalToModel { parents, range: 0..len, matrices });
            return worst_of_blocks(&expected, &blocks);
        }
        Self::run_papers(method, &Parents::new(&self.parents, 1..len), &mut matrices);
        let mut worst = Worst::default();
        worst.compare_matrices(&expected, &matrices);
        worst.share()
    }
}

fn worst_of_blocks(expected: &[algebra::Affine], found: &[MatrixBlock]) -> f64 {
    let mut worst = Worst::default();
    for lane in 0..BLOCK {
        let lane: Vec<Matrix> = found.iter().map(|block| block.matrix(lane)).collect();
        worst.compare_matrices(expected, &lane);
    }
    worst.share()
}
