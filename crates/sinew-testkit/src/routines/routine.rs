//! What all routines have: contenders for a race, and an error.

use super::Method;
use crate::timer::{Length, Race, Timing};

/// A routine with its input. Each contender has memory of its own to write.
pub trait Routine {
    /// How many joints, vertices or triangles one run takes.
    fn elements(&self) -> usize;

    /// Whether there is such a method for it.
    fn has(&self, method: Method) -> bool {
        !matches!(method, Method::Sse3)
    }

    /// Something to run again and again.
    fn contender(&self, method: Method) -> Box<dyn FnMut() + '_>;

    /// The largest difference of a result from what `f64` gives, as a share of the largest result.
    fn error(&self, method: Method) -> f64;
}

/// Times those of the methods that the routine has against each other, by the name and instruction set of each. The first of
/// them is what the others are compared with.
pub fn race(routine: &dyn Routine, methods: &[Method], length: Length) -> Vec<(Method, Timing)> {
    let methods: Vec<Method> = methods.iter().copied().filter(|&method| routine.has(method)).collect();
    let mut race = Race::new();
    for &method in &methods {
        race.add(format!("{} {}", method.name(), method.isa()), routine.contender(method));
    }
    methods.into_iter().zip(race.run(length)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{CrowdSpaces, Palettes, Planes, SkinScene, Spaces, ToJoints, ToMatrices, Way};
    use super::*;
    use crate::rigs::Shape;
    use sinew_kernels::backend;

    #[test]
    fn every_method_of_every_routine_is_as_near_to_f64_as_it_should_be() {
        let routines: [(Box<dyn Routine>, f64); 9] = [
            (Box::new(ToMatrices::new(100)), 1e-6),
            // The papers' reciprocal square roots are estimates.
            (Box::new(ToJoints::new(100)), 2e-3),
            (Box::new(Spaces::new(Way::ToModel, Shape::Figures, 100)), 1e-5),
            (Box::new(Spaces::new(Way::ToLocal, Shape::Chain, 100)), 1e-5),
            (Box::new(Palettes::new(100)), 1e-6),
            // The paper's roots have 12 bits.
            (Box::new(Planes::new(100)), 1e-3),
            (Box::new(CrowdSpaces::new(66)), 1e-5),
            (Box::new(SkinScene::new(128, 64, 1, 3)), 1e-6),
            (Box::new(SkinScene::new(128, 64, 4, 1)), 1e-6),
        ];
        for (i, (routine, allowed)) in routines.iter().enumerate() {
            for method in Method::present().into_iter().filter(|&method| routine.has(method)) {
                let error = routine.error(method);
                assert!(error <= *allowed, "{i}: {method:?}: {error:e}");
            }
        }
    }

    #[test]
    fn a_race_is_between_the_methods_that_a_routine_has() {
        let timings = race(&Palettes::new(16), &Method::present(), Length::SMOKE);
        assert!(timings.iter().all(|(method, _)| !matches!(method, Method::Sse3)));
        assert!(
            timings
                .iter()
                .any(|(method, _)| method.name() == "sinew" && method.isa() == backend::baseline().name())
        );
        assert_eq!(timings[0].1.speed, 1.0);
    }
}
