//! Palette = model x inverse bind.

use std::hint::black_box;

#[cfg(not(target_arch = "x86_64"))]
use sinew_kernels::papers::plain as sse2;
use sinew_kernels::papers::plain;
#[cfg(target_arch = "x86_64")]
use sinew_kernels::papers::sse2;
use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{Matrix, ToPalette};

use super::{Method, Routine, Worst};
use crate::random::Random;
use crate::rigs;

/// `TransformJoints`.
#[derive(Clone, Debug)]
pub struct Palettes {
    models: Vec<Matrix>,
    /// The papers multiply two arrays in order; sinew looks joints up.
    order: Vec<u32>,
    binds: Vec<Matrix>,
}

impl Palettes {
    /// Of so many joints.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self {
            models: rigs::rigid_matrices(len, &mut Random::new(3)),
            order: (0..len as u32).collect(),
            binds: rigs::rigid_matrices(len, &mut Random::new(4)),
        }
    }

    fn run(&self, method: Method, palette: &mut [Matrix]) {
        let Self { models, order: joints, binds: inverse_binds } = self;
        match method.kernels() {
            Some(kernels) => kernels.palette(ToPalette { models, joints, inverse_binds, palette }),
            None if matches!(method, Method::Plain) => plain::palette(models, inverse_binds, palette),
            None => sse2::palette(models, inverse_binds, palette),
        }
    }
}

impl Routine for Palettes {
    fn elements(&self) -> usize {
        self.models.len()
    }

    fn contender(&self, method: Method) -> Box<dyn FnMut() + '_> {
        let (own, mut palette) = (self.clone(), self.models.clone());
        Box::new(move || black_box(&own).run(method, &mut palette))
    }

    fn error(&self, method: Method) -> f64 {
        let mut palette = self.models.clone();
        self.run(method, &mut palette);
        let wide = |matrices: &[Matrix]| matrices.iter().map(algebra::widen).collect::<Vec<_>>();
        let expected = reference::palette(&wide(&self.models), &self.order, &wide(&self.binds));
        let mut worst = Worst::default();
        worst.compare_matrices(&expected, &palette);
        worst.share()
    }
}
