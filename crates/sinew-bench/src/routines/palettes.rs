//! Palette = model x inverse bind.

use std::hint::black_box;

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{JointList, Matrix, ToPalette};
#[cfg(not(target_arch = "x86_64"))]
use sinew_papers::plain as sse2;
use sinew_papers::plain;
#[cfg(target_arch = "x86_64")]
use sinew_papers::sse2;

use super::{Implementation, MaxError, Routine};
use crate::workload::{self, Random};

/// `TransformJoints`.
#[derive(Clone, Debug)]
pub struct Palettes {
    models: Vec<Matrix>,
    /// The joint of each element for sinew, which looks joints up; the papers multiply two arrays
    /// in order.
    order: JointList,
    binds: Vec<Matrix>,
}

impl Palettes {
    /// The routine on `len` joints.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self {
            models: workload::rigid_matrices(len, &mut Random::new(3)),
            order: (0..len as u32).collect::<Vec<_>>().into(),
            binds: workload::rigid_matrices(len, &mut Random::new(4)),
        }
    }

    fn run(&self, implementation: Implementation, palette: &mut [Matrix]) {
        let Self { models, order: joints, binds: inverse_binds } = self;
        match implementation.kernels() {
            Some(kernels) => kernels.palette(ToPalette { models, joints, inverse_binds, palette }),
            None if matches!(implementation, Implementation::Plain) => {
                plain::palette(models, inverse_binds, palette)
            }
            None => sse2::palette(models, inverse_binds, palette),
        }
    }
}

impl Routine for Palettes {
    fn elements(&self) -> usize {
        self.models.len()
    }

    fn runner(&self, implementation: Implementation) -> Box<dyn FnMut() + '_> {
        let (own, mut palette) = (self.clone(), self.models.clone());
        Box::new(move || black_box(&own).run(implementation, &mut palette))
    }

    fn error(&self, implementation: Implementation) -> f64 {
        let mut palette = self.models.clone();
        self.run(implementation, &mut palette);
        let wide = |matrices: &[Matrix]| matrices.iter().map(algebra::widen).collect::<Vec<_>>();
        let expected = reference::palette(&wide(&self.models), self.order.indices(), &wide(&self.binds));
        let mut error = MaxError::default();
        error.compare_matrices(&expected, &palette);
        error.relative()
    }
}
