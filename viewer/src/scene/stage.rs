//! Around the copies: the floor below, the camera before and the light above them.

use sinew::{Aabb, BoundsOptions};

use super::{Animated, Grid, Plan, Poser, Subject};
use crate::draw::{Floor, View};

/// Poses of a motion that decide about the view.
const LOOKS: usize = 24;

/// A box in the scene that holds one copy whatever its motion does.
#[must_use]
pub fn reach(subject: &Subject, plan: Plan) -> Aabb {
    let (mut poser, mut copy) = (Poser::new(subject), Animated::new(subject));
    let seconds = plan.seconds(subject).unwrap_or(10.0);
    let looks = if plan == Plan::Rest { 1 } else { LOOKS };
    let mut all = Aabb::EMPTY;
    for look in 0..looks {
        let at = f64::from(seconds) * look as f64 / looks as f64;
        poser.animate(subject, plan, at, (0, std::slice::from_mut(&mut copy)));
        for part in 0..subject.parts() {
            let palette = &copy.palettes[subject.skin_of(part)];
            let weights = &copy.morph_weights[subject.model.parts()[part].morph_weights.clone()];
            let options = BoundsOptions { morph_weights: weights, ..BoundsOptions::default() };
            if let Ok(bounds) = subject.mesh(part).bounds(palette, &options) {
                grow(&mut all, &subject.upright_bounds(&bounds));
            }
        }
    }
    let sound = all.min.iter().chain(&all.max).all(|number| number.is_finite());
    if sound { all } else { Aabb { min: [-1.0; 3], max: [1.0; 3] } }
}

fn grow(all: &mut Aabb, more: &Aabb) {
    for axis in 0..3 {
        all.min[axis] = all.min[axis].min(more.min[axis]);
        all.max[axis] = all.max[axis].max(more.max[axis]);
    }
}

/// How far apart copies stand.
#[must_use]
pub fn spacing(subject: &Subject, reach: &Aabb) -> f32 {
    if subject.is_cylinder {
        return 1.0;
    }
    let side = |axis: usize| reach.max[axis] - reach.min[axis];
    1.12 * side(0).max(side(2)).max(1e-3)
}

/// From where all copies are seen.
#[must_use]
pub fn frame_view(grid: &Grid, reach: &Aabb) -> View {
    let half = |axis: usize| 0.5 * (reach.max[axis] - reach.min[axis]);
    let middle = [0, 1, 2].map(|axis| 0.5 * (reach.max[axis] + reach.min[axis]));
    let own = (half(0).powi(2) + half(1).powi(2) + half(2).powi(2)).sqrt();
    let wide = 0.86 * grid.reach() + half(0).max(half(2));
    let radius = if grid.copies.len() > 1 { wide.max(own) } else { own };
    View::around(middle, radius.max(1e-3))
}

/// Below all copies.
#[must_use]
pub fn floor(grid: &Grid, reach: &Aabb) -> Floor {
    let half = 0.5 * (0..3).map(|axis| reach.max[axis] - reach.min[axis]).fold(0.0, f32::max);
    let radius = 2.4 * (grid.reach() + half).max(1e-3);
    let centre = [0.5 * (reach.min[0] + reach.max[0]), reach.min[1], 0.5 * (reach.min[2] + reach.max[2])];
    Floor { centre, radius, step: round_step(radius) }
}

/// One, two or five times a power of ten, so that some eight to twenty of them reach from the middle to the rim.
fn round_step(radius: f32) -> f32 {
    let power = 10.0_f32.powf((radius / 20.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|step| radius / step <= 20.0).unwrap_or(10.0 * power)
}

/// Towards the light, of length one: above the left shoulder of who looks from the front.
#[must_use]
pub fn towards_key() -> [f32; 3] {
    let [x, y, z]: [f32; 3] = [-0.55, 1.0, 0.62];
    let length = (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|element| element / length)
}
