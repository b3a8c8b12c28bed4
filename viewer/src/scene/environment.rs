//! The surroundings of the copies: spacing, camera, floor and light.

use sinew::Aabb;
use sinew::bounds::BoundsOptions;

use super::{AnimatedCopy, AnimationSource, Grid, PoseSampler, Subject};
use crate::draw::{Floor, OrbitCamera};

/// Number of poses sampled to find the bounds of a motion.
const POSE_SAMPLES: usize = 24;

/// Aabb of one copy in the scene, over its whole motion.
#[must_use]
pub fn motion_bounds(subject: &Subject, source: AnimationSource) -> Aabb {
    let (mut poser, mut copy) = (PoseSampler::new(subject), AnimatedCopy::new(subject));
    let seconds = source.seconds(subject).unwrap_or(10.0);
    let samples = if source == AnimationSource::Rest { 1 } else { POSE_SAMPLES };
    let mut all = Aabb::EMPTY;
    for sample in 0..samples {
        let at = f64::from(seconds) * sample as f64 / samples as f64;
        poser.animate(subject, source, at, (0, std::slice::from_mut(&mut copy)));
        for mesh_instance in 0..subject.mesh_instances() {
            let palette = &copy.palettes[subject.skin_index(mesh_instance)];
            let weights =
                &copy.morph_weights[subject.model.mesh_instances()[mesh_instance].morph_weights.clone()];
            let options = BoundsOptions::default().with_morph_weights(weights);
            if let Ok(bounds) = subject.model.joint_bounds(mesh_instance).aabb(palette, &options) {
                grow(&mut all, &subject.bounds_in_scene(&bounds));
            }
        }
    }
    let finite = all.min.iter().chain(&all.max).all(|number| number.is_finite());
    if finite { all } else { Aabb { min: [-1.0; 3], max: [1.0; 3] } }
}

fn grow(all: &mut Aabb, more: &Aabb) {
    for axis in 0..3 {
        all.min[axis] = all.min[axis].min(more.min[axis]);
        all.max[axis] = all.max[axis].max(more.max[axis]);
    }
}

/// Distance between copies.
#[must_use]
pub fn spacing(subject: &Subject, motion_bounds: &Aabb) -> f32 {
    if subject.is_cylinder {
        return 1.0;
    }
    let side = |axis: usize| motion_bounds.max[axis] - motion_bounds.min[axis];
    1.12 * side(0).max(side(2)).max(1e-3)
}

/// A camera that sees all copies.
#[must_use]
pub fn default_camera(grid: &Grid, motion_bounds: &Aabb) -> OrbitCamera {
    let half = |axis: usize| 0.5 * (motion_bounds.max[axis] - motion_bounds.min[axis]);
    let center = [0, 1, 2].map(|axis| 0.5 * (motion_bounds.max[axis] + motion_bounds.min[axis]));
    let own = (half(0).powi(2) + half(1).powi(2) + half(2).powi(2)).sqrt();
    let wide = 0.86 * grid.radius() + half(0).max(half(2));
    // A single copy is seen whole; of many, those in front may be cut.
    let radius = if grid.copies.len() > 1 { wide.max(own) } else { 1.08 * own };
    OrbitCamera::framing(center, radius.max(1e-3))
}

/// The floor below all copies.
#[must_use]
pub fn floor(grid: &Grid, motion_bounds: &Aabb) -> Floor {
    let half = 0.5 * (0..3).map(|axis| motion_bounds.max[axis] - motion_bounds.min[axis]).fold(0.0, f32::max);
    let radius = 2.4 * (grid.radius() + half).max(1e-3);
    let center = [
        0.5 * (motion_bounds.min[0] + motion_bounds.max[0]),
        motion_bounds.min[1],
        0.5 * (motion_bounds.min[2] + motion_bounds.max[2]),
    ];
    Floor { center, radius, step: round_step(radius) }
}

/// A spacing of 1, 2 or 5 times a power of ten, so that 8 to 20 grid lines fit into the radius.
fn round_step(radius: f32) -> f32 {
    let power = 10.0_f32.powf((radius / 20.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|step| radius / step <= 20.0).unwrap_or(10.0 * power)
}

/// Unit vector towards the key light: from above and from the left, for a camera at the front.
#[must_use]
pub fn to_key_light() -> [f32; 3] {
    let [x, y, z]: [f32; 3] = [-0.55, 1.0, 0.62];
    let length = (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|element| element / length)
}
