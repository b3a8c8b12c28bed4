//! Checked spring bones: what is simulated, in which order. Shared by all characters of a model.

use std::ops::Range;

use sinew_kernels::{BoneLength, ColliderShape, PlannedCollider, SpringCenter, SpringPlan, SpringStep};

use super::error::{SpringError, SpringFault, SpringPlace};
use super::planner::Planner;
use super::source::{Spring, SpringSource};
use crate::math::vector::{to_f64, try_normalize};
use crate::runtime::Runtime;
use crate::skeleton::{JointId, Skeleton};

/// The slot of the matrix from model space to world space, the parent of roots.
pub(super) const WORLD_SLOT: usize = 0;

/// Spring bones of one skeleton. World matrices are kept in slots: first the world matrix, then the
/// inputs, then those of joints that springs move.
#[derive(Debug)]
pub(super) struct SpringRig {
    /// The parents of the skeleton's joints.
    pub(super) parents: Vec<u32>,
    pub(super) runtime: Runtime,
    /// Joints whose model matrices are read.
    pub(super) inputs: Vec<JointId>,
    /// The slot of each input.
    pub(super) input_slots: Vec<u32>,
    /// Joints that do not swing themselves but move with one that does.
    pub(super) follows: Vec<JointId>,
    /// Joints that swing.
    pub(super) bones: Vec<JointId>,
    pub(super) colliders: Vec<PlannedCollider>,
    /// Joints relative to whose motion bones swing.
    pub(super) centers: Vec<(JointId, SpringCenter)>,
    /// What to do, in order.
    pub(super) steps: Vec<SpringStep>,
    /// The colliders of each spring, one spring after the other.
    pub(super) spring_colliders: Vec<u32>,
    pub(super) slot_count: usize,
    pub(super) bone_length: BoneLength,
}

impl SpringRig {
    pub(super) fn new(skeleton: &Skeleton, source: &SpringSource) -> Result<Self, SpringError> {
        check_colliders(skeleton, source)?;
        for (index, spring) in source.springs.iter().enumerate() {
            check_spring(skeleton, source, index, spring)?;
        }
        Planner::new(skeleton, source)?.plan()
    }

    /// What the kernel simulates.
    pub(super) fn plan(&self) -> SpringPlan<'_> {
        SpringPlan {
            inputs: &self.input_slots,
            steps: &self.steps,
            colliders: &self.colliders,
            bone_colliders: &self.spring_colliders,
            bone_length: self.bone_length,
        }
    }

    /// Whether the rig was built for a skeleton like this.
    pub(super) fn check(&self, skeleton: &Skeleton) -> Result<(), SpringError> {
        if self.parents == skeleton.parents() {
            return Ok(());
        }
        let fault = SpringFault::OtherSkeleton { expected: self.parents.len(), found: skeleton.len() };
        Err(SpringError { place: SpringPlace::Spring(0), fault })
    }
}

fn check_joint(
    skeleton: &Skeleton,
    place: SpringPlace,
    what: &'static str,
    joint: JointId,
) -> Result<(), SpringError> {
    let (joint, len) = (joint.index(), skeleton.len());
    if joint < len {
        return Ok(());
    }
    Err(SpringError { place, fault: SpringFault::NoSuchJoint { what, joint, len } })
}

fn check_number(
    place: SpringPlace,
    what: &'static str,
    found: f32,
    range: Range<f32>,
    expected: &'static str,
) -> Result<(), SpringError> {
    if found.is_finite() && found >= range.start && found <= range.end {
        return Ok(());
    }
    Err(SpringError { place, fault: SpringFault::BadNumber { what, expected, found } })
}

fn check_finite(place: SpringPlace, what: &'static str, numbers: &[f32]) -> Result<(), SpringError> {
    numbers
        .iter()
        .try_for_each(|&found| check_number(place, what, found, f32::MIN..f32::MAX, "a finite number"))
}

fn check_positive(place: SpringPlace, what: &'static str, found: f32) -> Result<(), SpringError> {
    check_number(place, what, found, 0.0..f32::MAX, "a finite number from zero up")
}

fn check_colliders(skeleton: &Skeleton, source: &SpringSource) -> Result<(), SpringError> {
    for (index, collider) in source.colliders.iter().enumerate() {
        let place = SpringPlace::Collider(index);
        check_joint(skeleton, place, "joint of a collider", collider.joint)?;
        match collider.shape {
            ColliderShape::Sphere { offset, radius, .. } => {
                check_finite(place, "offset", &offset)?;
                check_positive(place, "radius", radius)?;
            }
            ColliderShape::Capsule { offset, tail, radius, .. } => {
                check_finite(place, "offset", &offset)?;
                check_finite(place, "tail", &tail)?;
                check_positive(place, "radius", radius)?;
            }
            ColliderShape::Plane { offset, normal } => {
                check_finite(place, "offset", &offset)?;
                check_finite(place, "normal", &normal)?;
                if try_normalize(to_f64(normal)).is_none() {
                    let (what, expected) = ("normal", "a vector longer than zero");
                    return Err(SpringError {
                        place,
                        fault: SpringFault::BadNumber { what, expected, found: 0.0 },
                    });
                }
            }
        }
    }
    let len = source.colliders.len();
    for (index, group) in source.collider_groups.iter().enumerate() {
        check_indices(SpringPlace::ColliderGroup(index), "collider", group, len)?;
    }
    Ok(())
}

fn check_indices(
    place: SpringPlace,
    what: &'static str,
    indices: &[usize],
    len: usize,
) -> Result<(), SpringError> {
    match indices.iter().find(|&&index| index >= len) {
        Some(&index) => Err(SpringError { place, fault: SpringFault::NoSuchIndex { what, index, len } }),
        None => Ok(()),
    }
}

fn check_spring(
    skeleton: &Skeleton,
    source: &SpringSource,
    index: usize,
    spring: &Spring,
) -> Result<(), SpringError> {
    let place = SpringPlace::Spring(index);
    check_indices(place, "group of colliders", &spring.collider_groups, source.collider_groups.len())?;
    if let Some(center) = spring.center {
        check_joint(skeleton, place, "center", center)?;
    }
    if let Some(length) = spring.virtual_tail {
        check_positive(place, "virtual tail", length)?;
    }
    let expected = if spring.virtual_tail.is_some() { 1 } else { 2 };
    let found = spring.joints.len();
    if found < expected {
        return Err(SpringError { place, fault: SpringFault::TooFewJoints { expected, found } });
    }
    let mut before = None;
    for (joint, numbers) in spring.joints.iter().enumerate() {
        let place = SpringPlace::Joint { spring: index, joint };
        check_joint(skeleton, place, "joint of a chain", numbers.joint)?;
        check_positive(place, "hit radius", numbers.hit_radius)?;
        check_positive(place, "stiffness", numbers.stiffness)?;
        check_finite(place, "gravity power", &[numbers.gravity_power])?;
        check_finite(place, "gravity direction", &numbers.gravity_dir)?;
        check_number(place, "drag force", numbers.drag_force, 0.0..1.0, "a number from 0 to 1")?;
        if let Some(ancestor) = before.filter(|&before| !is_below(skeleton, numbers.joint, before)) {
            let [joint, ancestor] = [numbers.joint, ancestor].map(|joint| skeleton.joint_name(joint));
            return Err(SpringError { place, fault: SpringFault::NotDescendant { joint, ancestor } });
        }
        before = Some(numbers.joint);
    }
    Ok(())
}

fn is_below(skeleton: &Skeleton, joint: JointId, ancestor: JointId) -> bool {
    let mut parent = skeleton.parent(joint);
    while let Some(found) = parent.filter(|&found| found > ancestor) {
        parent = skeleton.parent(found);
    }
    parent == Some(ancestor)
}
