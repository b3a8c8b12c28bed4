//! What every routine provides: its size, a runner per implementation, and their errors.

use super::Implementation;
use crate::timer::{AlternatingTimer, Length, Timing};

/// A routine with its input. Each runner writes into its own memory.
pub trait Routine {
    /// The number of joints, vertices or triangles per run.
    fn elements(&self) -> usize;

    /// Whether the routine has this implementation.
    fn has(&self, implementation: Implementation) -> bool {
        !matches!(implementation, Implementation::Sse3)
    }

    /// A closure that runs the routine once per call.
    fn runner(&self, implementation: Implementation) -> Box<dyn FnMut() + '_>;

    /// The largest difference from the `f64` result, relative to the largest result.
    fn error(&self, implementation: Implementation) -> f64;
}

/// Times the implementations that the routine has against each other. The first of them is the unit
/// that the others are compared with.
pub fn compare(
    routine: &dyn Routine,
    implementations: &[Implementation],
    length: Length,
) -> Vec<(Implementation, Timing)> {
    let implementations: Vec<Implementation> =
        implementations.iter().copied().filter(|&implementation| routine.has(implementation)).collect();
    let mut timer = AlternatingTimer::new();
    for &implementation in &implementations {
        timer.add(
            format!("{} {}", implementation.name(), implementation.isa()),
            routine.runner(implementation),
        );
    }
    implementations.into_iter().zip(timer.run(length)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Direction, Palettes, Planes, SkinMesh, Spaces, ToJoints, ToMatrices};
    use super::*;
    use crate::workload::SkeletonShape;
    use sinew_kernels::backend;

    #[test]
    fn every_implementation_of_every_routine_matches_f64() {
        let routines: [(Box<dyn Routine>, f64); 8] = [
            (Box::new(ToMatrices::new(100)), 1e-6),
            // The papers' reciprocal square roots are estimates.
            (Box::new(ToJoints::new(100)), 2e-3),
            (Box::new(Spaces::new(Direction::ToModel, SkeletonShape::Humanoids, 100)), 1e-5),
            (Box::new(Spaces::new(Direction::ToLocal, SkeletonShape::Chain, 100)), 1e-5),
            (Box::new(Palettes::new(100)), 1e-6),
            // The paper's square roots have 12 bits.
            (Box::new(Planes::new(100)), 1e-3),
            (Box::new(SkinMesh::new(128, 64, 1, 3)), 1e-6),
            (Box::new(SkinMesh::new(128, 64, 4, 1)), 1e-6),
        ];
        for (i, (routine, allowed)) in routines.iter().enumerate() {
            for implementation in
                Implementation::supported().into_iter().filter(|&implementation| routine.has(implementation))
            {
                let error = routine.error(implementation);
                assert!(error <= *allowed, "{i}: {implementation:?}: {error:e}");
            }
        }
    }

    #[test]
    fn only_implementations_that_a_routine_has_are_compared() {
        let timings = compare(&Palettes::new(16), &Implementation::supported(), Length::SMOKE);
        assert!(timings.iter().all(|(implementation, _)| !matches!(implementation, Implementation::Sse3)));
        assert!(timings.iter().any(|(implementation, _)| implementation.name() == "sinew"
            && implementation.isa() == backend::baseline().name()));
        assert_eq!(timings[0].1.speed, 1.0);
    }
}
