//! Foot placement: puts feet on the ground that rays find.

use std::fmt;
use std::sync::Arc;

use sinew_kernels::Matrix;

use super::{ModifierContext, PoseModifier};
use crate::animation::blend::check_factor;
use crate::animation::ik::parent_rotation;
use crate::animation::{AnimationError, TwoBone};
use crate::math::linear::linear_part;
use crate::math::quaternion::{conjugate, multiply, nlerp, rotation_arc, to_f32, to_unit_f64};
use crate::math::vector::{self, Vector, try_normalize};
use crate::skeleton::{JointId, Skeleton, check_joint};

/// A point of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundHit {
    /// The point in world space.
    pub point: [f32; 3],
    /// The direction away from the ground in world space; any length but zero.
    pub normal: [f32; 3],
}

/// Finds the ground: a ray's origin, its unit direction and its length in world space give the
/// nearest hit, or `None`.
type GroundRay = dyn Fn([f32; 3], [f32; 3], f32) -> Option<GroundHit> + Send + Sync;

/// A leg whose foot is put on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// The hip joint.
    pub hip: JointId,
    /// The knee. Must be below the hip.
    pub knee: JointId,
    /// The ankle. Must be below the knee.
    pub foot: JointId,
    /// The axis that the knee bends about, in its own space. See [`TwoBone::hinge`].
    pub hinge: Option<[f32; 3]>,
}

impl Leg {
    /// A leg whose knee bends in the plane in which it is bent.
    #[must_use]
    pub fn new([hip, knee, foot]: [JointId; 3]) -> Self {
        Self { hip, knee, foot, hinge: None }
    }
}

/// Puts the feet of a character on uneven ground: a ray down through each foot finds the ground,
/// the pelvis sinks so that the lower foot reaches it, the legs bend by two-bone IK, and the feet
/// tilt to the slope.
///
/// The clips are taken to walk on the plane y = 0 of model space: a foot that a clip lifts stays
/// lifted above the ground. The rays are in world space; see
/// [`Instance::set_world`](crate::Instance::set_world). Feet whose rays find nothing stay where the
/// clip has them.
#[derive(Clone)]
pub struct FootPlacement {
    /// The joint that sinks, above all legs.
    pub pelvis: JointId,
    /// How far above and below the plane of the model ground is searched, in meters.
    pub range: f32,
    /// How fast feet and pelvis follow changes of the ground, in meters per second.
    pub speed: f32,
    /// How much feet tilt to the slope, from 0 to 1.
    pub tilt: f32,
    legs: Vec<Leg>,
    states: Vec<FootState>,
    pelvis_offset: f32,
    started: bool,
    ground: Arc<GroundRay>,
}

/// The ground below a foot, in model space.
#[derive(Clone, Copy, Debug)]
struct FootState {
    height: f32,
    normal: Vector,
}

const LEVEL: FootState = FootState { height: 0.0, normal: Vector::Y };

impl FootPlacement {
    /// Legs that are put on the ground that a function finds. It gets a ray's origin, unit
    /// direction and length in world space.
    #[must_use]
    pub fn new(
        pelvis: JointId,
        legs: &[Leg],
        ground: impl Fn([f32; 3], [f32; 3], f32) -> Option<GroundHit> + Send + Sync + 'static,
    ) -> Self {
        Self {
            pelvis,
            range: 0.5,
            speed: 2.0,
            tilt: 1.0,
            legs: legs.to_vec(),
            states: vec![LEVEL; legs.len()],
            pelvis_offset: 0.0,
            started: false,
            ground: Arc::new(ground),
        }
    }

    /// The legs.
    #[must_use]
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// The height of the ground below each foot in model space, as it is followed.
    pub fn ground_heights(&self) -> impl ExactSizeIterator<Item = f32> {
        self.states.iter().map(|state| state.height)
    }

    /// Casts a ray down through a point of model space.
    fn probe(&self, world: &Matrix, model: &Matrix, [x, _, z]: [f32; 3]) -> Option<FootState> {
        let (top, bottom) =
            (world.transform_point([x, self.range, z]), world.transform_point([x, -self.range, z]));
        let down = vector::to_f64(bottom) - vector::to_f64(top);
        let hit = (self.ground)(top, vector::to_f32(try_normalize(down)?), down.length() as f32)?;
        let [_, height, _] = model.transform_point(hit.point);
        // Normals go from world to model space by the transposed matrix of the way back.
        let normal = try_normalize(linear_part(world).transpose().mul_vec3(vector::to_f64(hit.normal)))?;
        (height.abs() <= self.range * 1.001).then_some(FootState { height, normal })
    }
}

/// Puts feet on the ground in each step. With an invalid number, changes nothing.
impl PoseModifier for FootPlacement {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        if self.check(context.skeleton()).is_err() {
            return;
        }
        let world = *context.world_from_model();
        let Some(model) = world.inverse() else { return };
        let most = if self.started { self.speed * context.seconds() } else { f32::INFINITY };
        for index in 0..self.legs.len() {
            let foot = context.model_from_joint(self.legs[index].foot).translation();
            let found = self.probe(&world, &model, foot).unwrap_or(LEVEL);
            let state = &mut self.states[index];
            state.height = approach(state.height, found.height, most);
            // As much of the turn as of the height, so that both arrive together.
            let share = if most >= self.range { 1.0 } else { f64::from(most / self.range) };
            state.normal = try_normalize(state.normal.lerp(found.normal, share)).unwrap_or(Vector::Y);
        }
        let lowest = self.states.iter().map(|state| state.height).fold(f32::INFINITY, f32::min);
        let sink = if lowest.is_finite() { lowest.min(0.0) } else { 0.0 };
        self.pelvis_offset = approach(self.pelvis_offset, sink, most);
        self.started = true;

        // Where the clips have the feet, before the pelvis sinks.
        let feet: [Option<[f32; 3]>; MAX_LEGS] = std::array::from_fn(|index| {
            self.legs.get(index).map(|leg| context.model_from_joint(leg.foot).translation())
        });
        move_in_model(context, self.pelvis, [0.0, self.pelvis_offset, 0.0]);
        for ((leg, state), foot) in self.legs.iter().zip(&self.states).zip(feet.iter().flatten()) {
            let target = [foot[0], foot[1] + state.height, foot[2]];
            let limb = TwoBone { hinge: leg.hinge, ..TwoBone::new([leg.hip, leg.knee, leg.foot], target) };
            // The foot keeps its direction in model space, then tilts.
            let before = model_rotation(context, leg.foot);
            limb_bend(context, &limb);
            let tilted = multiply(rotation_arc(Vector::Y, state.normal), before);
            let after = nlerp(before, tilted, f64::from(self.tilt));
            let parent = parent_rotation(context.skeleton(), context.pose(), leg.foot);
            let local = multiply(conjugate(parent), after);
            context.set_rotation(leg.foot, to_f32(local));
        }
    }

    fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        check_joint(self.pelvis, skeleton.len())?;
        check_factor("tilt of the feet", self.tilt)?;
        let numbers = [("range of the rays", self.range), ("speed of the feet", self.speed)];
        for (what, found) in numbers {
            if !(found > 0.0 && found.is_finite()) {
                let message = format!("{what}: expected a finite number above zero, found {found:?}");
                return Err(AnimationError::Modifier { message });
            }
        }
        if self.legs.len() > MAX_LEGS {
            let message = format!("legs: expected at most {MAX_LEGS}, found {}", self.legs.len());
            return Err(AnimationError::Modifier { message });
        }
        for leg in &self.legs {
            skeleton.check_descendant(leg.hip, self.pelvis)?;
            TwoBone { hinge: leg.hinge, ..TwoBone::new([leg.hip, leg.knee, leg.foot], [0.0; 3]) }
                .check(skeleton)?;
        }
        Ok(())
    }

    fn reset(&mut self) {
        self.started = false;
    }
}

/// The maximum number of legs.
const MAX_LEGS: usize = 16;

impl fmt::Debug for FootPlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FootPlacement")
            .field("pelvis", &self.pelvis)
            .field("legs", &self.legs)
            .field("states", &self.states)
            .finish_non_exhaustive()
    }
}

/// Moves a number toward another one, at most by a distance.
fn approach(from: f32, to: f32, most: f32) -> f32 {
    if (to - from).abs() <= most { to } else { from + most * (to - from).signum() }
}

/// Moves a joint by a vector of model space.
fn move_in_model(context: &mut ModifierContext<'_>, joint: JointId, by: [f32; 3]) {
    let parent = context.skeleton().parent(joint);
    let local = match parent {
        Some(parent) => match context.model_from_joint(parent).inverse() {
            Some(inverse) => inverse.transform_vector(by),
            None => return,
        },
        None => by,
    };
    let current = context.pose().translation(joint);
    context.set_translation(joint, std::array::from_fn(|axis| current[axis] + local[axis]));
}

fn limb_bend(context: &mut ModifierContext<'_>, limb: &TwoBone) {
    context.edit_from(limb.start, |skeleton, pose, matrices| limb.bend(skeleton, pose, matrices));
}

fn model_rotation(context: &ModifierContext<'_>, joint: JointId) -> [f64; 4] {
    let parent = parent_rotation(context.skeleton(), context.pose(), joint);
    multiply(parent, to_unit_f64(context.pose().rotation(joint)))
}
