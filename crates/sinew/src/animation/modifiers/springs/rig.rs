//! Checked spring bones: what is simulated, in which order. Shared by all characters of a model.

use std::ops::Range;

use super::error::{SpringError, SpringFault, SpringPlace};
use super::source::{BoneLength, ColliderShape, Spring, SpringCollider, SpringJoint, SpringSource};
use crate::math::vector::{any_perpendicular, to_f32, to_f64, try_normalize};
use crate::skeleton::{JointId, Skeleton};

/// The maximum number of colliders of all springs together, each counted for each spring.
const MAX_COLLIDERS: usize = 1 << 22;

/// How deeply chains may wait for colliders that other chains move. Beyond it, and in a cycle, a
/// collider is where the clips put it.
const MAX_DEPTH: usize = 32;

/// The slot of the matrix from model space to world space, the parent of roots.
pub(super) const WORLD_SLOT: usize = 0;

/// Spring bones of one skeleton. World matrices are kept in slots: first the world matrix, then the
/// inputs, then those of joints that springs move.
#[derive(Debug)]
pub(super) struct SpringRig {
    /// The parents of the skeleton's joints.
    parents: Vec<u32>,
    /// Joints whose model matrices are read, and their slots.
    pub(super) inputs: Vec<(JointId, usize)>,
    pub(super) follows: Vec<Follow>,
    pub(super) bones: Vec<SpringBone>,
    pub(super) colliders: Vec<RigCollider>,
    pub(super) centers: Vec<Center>,
    /// What to do, in order.
    pub(super) steps: Vec<RigStep>,
    /// The colliders of each spring, one spring after the other.
    pub(super) spring_colliders: Vec<u32>,
    pub(super) slot_count: usize,
    pub(super) bone_length: BoneLength,
}

/// A step of the simulation, as an index of its list.
#[derive(Clone, Copy, Debug)]
pub(super) enum RigStep {
    Follow(usize),
    Collider(usize),
    Center(usize),
    Bone(usize),
}

/// A joint that does not swing itself but moves with one that does.
#[derive(Debug)]
pub(super) struct Follow {
    pub(super) joint: JointId,
    pub(super) parent: usize,
    pub(super) slot: usize,
}

#[derive(Debug)]
pub(super) struct RigCollider {
    pub(super) shape: ColliderShape,
    pub(super) slot: usize,
}

#[derive(Debug)]
pub(super) struct Center {
    joint: JointId,
    pub(super) slot: usize,
}

/// A joint that swings, with its bone.
#[derive(Debug)]
pub(super) struct SpringBone {
    pub(super) numbers: SpringJoint,
    pub(super) rest_rotation: [f32; 4],
    /// The end of the bone in the joint's space, at rest.
    pub(super) tail: [f32; 3],
    /// The direction of the tail.
    pub(super) axis: [f32; 3],
    /// A unit vector perpendicular to the axis.
    pub(super) perpendicular: [f32; 3],
    pub(super) parent: usize,
    pub(super) slot: usize,
    /// The range of its colliders in the list of all springs.
    pub(super) colliders: Range<usize>,
    pub(super) center: Option<usize>,
}

impl SpringRig {
    pub(super) fn new(skeleton: &Skeleton, source: &SpringSource) -> Result<Self, SpringError> {
        check_colliders(skeleton, source)?;
        for (index, spring) in source.springs.iter().enumerate() {
            check_spring(skeleton, source, index, spring)?;
        }
        Planner::new(skeleton, source)?.plan()
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

/// Puts everything in an order in which each thing comes after what it depends on.
struct Planner<'a> {
    skeleton: &'a Skeleton,
    source: &'a SpringSource,
    /// For each joint that swings, its bone among `pending`.
    bone_of_joint: Vec<Option<usize>>,
    /// Whether a joint swings or is below one that does.
    moves: Vec<bool>,
    /// The slot of each joint that springs move, once it is planned.
    slots: Vec<Option<usize>>,
    /// The slot of each joint whose matrix is read from the pose.
    input_slots: Vec<Option<usize>>,
    pending: Vec<PendingBone>,
    collider_slots: Vec<Option<usize>>,
    rig: SpringRig,
}

/// A bone before it has its slots.
struct PendingBone {
    state: PlanState,
    spring: usize,
    place: SpringPlace,
    numbers: SpringJoint,
    tail: [f32; 3],
    colliders: Range<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum PlanState {
    New,
    Started,
}

impl<'a> Planner<'a> {
    fn new(skeleton: &'a Skeleton, source: &'a SpringSource) -> Result<Self, SpringError> {
        let len = skeleton.len();
        let rig = SpringRig {
            parents: skeleton.parents().to_vec(),
            inputs: Vec::new(),
            follows: Vec::new(),
            bones: Vec::new(),
            colliders: Vec::new(),
            centers: Vec::new(),
            steps: Vec::new(),
            spring_colliders: Vec::new(),
            slot_count: WORLD_SLOT + 1,
            bone_length: source.bone_length,
        };
        let mut planner = Self {
            skeleton,
            source,
            bone_of_joint: vec![None; len],
            moves: vec![false; len],
            slots: vec![None; len],
            input_slots: vec![None; len],
            pending: Vec::new(),
            collider_slots: vec![None; source.colliders.len()],
            rig,
        };
        planner.collect_bones()?;
        for joint in skeleton.joints() {
            let parent_moves = skeleton.parent(joint).is_some_and(|parent| planner.moves[parent.index()]);
            planner.moves[joint.index()] = planner.bone_of_joint[joint.index()].is_some() || parent_moves;
        }
        Ok(planner)
    }

    fn collect_bones(&mut self) -> Result<(), SpringError> {
        let rest = self.skeleton.rest_model_matrices();
        for (index, spring) in self.source.springs.iter().enumerate() {
            let colliders = self.collect_colliders(index, spring)?;
            let bones_before = self.pending.len();
            for (position, &numbers) in spring.joints.iter().enumerate() {
                let joint = numbers.joint;
                let tail = match (spring.joints.get(position + 1), spring.virtual_tail) {
                    (Some(next), _) if self.skeleton.parent(next.joint) == Some(joint) => {
                        Some(self.skeleton.rest().translation(next.joint))
                    }
                    (Some(next), _) => rest[joint.index()]
                        .inverse()
                        .map(|inverse| inverse.transform_point(rest[next.joint.index()].translation())),
                    (None, Some(length)) => try_normalize(to_f64(self.skeleton.rest().translation(joint)))
                        .map(|direction| to_f32(direction * f64::from(length))),
                    (None, None) => None,
                };
                // A bone without length has no direction to swing in.
                let Some(tail) = tail.filter(|&tail| try_normalize(to_f64(tail)).is_some()) else { continue };
                let place = SpringPlace::Joint { spring: index, joint: position };
                if let Some(first) = self.bone_of_joint[joint.index()] {
                    let (joint, first) = (self.skeleton.joint_name(joint), self.pending[first].place);
                    return Err(SpringError { place, fault: SpringFault::Duplicate { joint, first } });
                }
                self.bone_of_joint[joint.index()] = Some(self.pending.len());
                let (state, colliders) = (PlanState::New, colliders.clone());
                self.pending.push(PendingBone { state, spring: index, place, numbers, tail, colliders });
            }
            // Colliders are planned with the bones that collide with them.
            if self.pending.len() == bones_before {
                self.rig.spring_colliders.truncate(colliders.start);
            }
        }
        Ok(())
    }

    /// Lists the colliders of a spring, each once.
    fn collect_colliders(&mut self, index: usize, spring: &Spring) -> Result<Range<usize>, SpringError> {
        let start = self.rig.spring_colliders.len();
        let mut groups = spring.collider_groups.clone();
        groups.sort_unstable();
        groups.dedup();
        let of_group = |&group: &usize| &self.source.collider_groups[group][..];
        let found = groups.iter().map(|group| of_group(group).len()).sum::<usize>();
        if found > MAX_COLLIDERS - start {
            let (what, len) = ("number of colliders", MAX_COLLIDERS - start);
            let fault = SpringFault::NoSuchIndex { what, index: found, len };
            return Err(SpringError { place: SpringPlace::Spring(index), fault });
        }
        let mut seen = std::collections::HashSet::new();
        for collider in spring.collider_groups.iter().flat_map(of_group) {
            if seen.len() < found && seen.insert(*collider) {
                self.rig.spring_colliders.push(*collider as u32);
            }
        }
        Ok(start..self.rig.spring_colliders.len())
    }

    fn plan(mut self) -> Result<SpringRig, SpringError> {
        for bone in 0..self.pending.len() {
            self.plan_bone(bone, 0);
        }
        // Colliders are listed in the order in which they were planned; the others are not needed.
        let slots = &self.collider_slots;
        for collider in &mut self.rig.spring_colliders {
            *collider = slots[*collider as usize].expect("all colliders of all springs are planned") as u32;
        }
        Ok(self.rig)
    }

    fn new_slot(&mut self) -> usize {
        self.rig.slot_count += 1;
        self.rig.slot_count - 1
    }

    fn plan_bone(&mut self, index: usize, depth: usize) {
        if self.pending[index].state != PlanState::New {
            return;
        }
        self.pending[index].state = PlanState::Started;
        let PendingBone { spring, numbers, tail, ref colliders, .. } = self.pending[index];
        let colliders = colliders.clone();
        let parent = match self.skeleton.parent(numbers.joint) {
            Some(parent) => self.plan_joint(parent, depth),
            None => WORLD_SLOT,
        };
        for position in colliders.clone() {
            self.plan_collider(self.rig.spring_colliders[position] as usize, depth);
        }
        let center = self.source.springs[spring].center.map(|center| self.plan_center(center, depth));
        let slot = self.new_slot();
        self.slots[numbers.joint.index()] = Some(slot);
        let axis = try_normalize(to_f64(tail)).expect("bones without length are left out");
        self.rig.steps.push(RigStep::Bone(self.rig.bones.len()));
        self.rig.bones.push(SpringBone {
            numbers,
            rest_rotation: self.skeleton.rest().rotation(numbers.joint),
            tail,
            axis: to_f32(axis),
            perpendicular: to_f32(any_perpendicular(axis)),
            parent,
            slot,
            colliders,
            center,
        });
    }

    /// The slot of a joint's world matrix, planned with all that it depends on.
    fn plan_joint(&mut self, joint: JointId, depth: usize) -> usize {
        if !self.moves[joint.index()] {
            return self.input_slot(joint);
        }
        // The joints above that are not planned yet, from the lowest up.
        let mut path = Vec::new();
        let mut above = Some(joint);
        while let Some(found) =
            above.filter(|found| self.moves[found.index()] && self.slots[found.index()].is_none())
        {
            path.push(found);
            above = self.skeleton.parent(found);
        }
        for &joint in path.iter().rev() {
            match self.bone_of_joint[joint.index()] {
                Some(bone) if depth < MAX_DEPTH => self.plan_bone(bone, depth + 1),
                Some(_) => {}
                None => self.plan_follow(joint),
            }
        }
        match self.slots[joint.index()] {
            Some(slot) => slot,
            // A bone that waits for itself.
            None => self.input_slot(joint),
        }
    }

    fn plan_follow(&mut self, joint: JointId) {
        let Some(parent) = self.skeleton.parent(joint) else { return };
        // Without a slot, the parent waits for itself, and so does this joint.
        let parent = match self.slots[parent.index()] {
            Some(slot) => slot,
            None if !self.moves[parent.index()] => self.input_slot(parent),
            None => return,
        };
        let slot = self.new_slot();
        self.slots[joint.index()] = Some(slot);
        self.rig.steps.push(RigStep::Follow(self.rig.follows.len()));
        self.rig.follows.push(Follow { joint, parent, slot });
    }

    fn plan_collider(&mut self, index: usize, depth: usize) {
        if self.collider_slots[index].is_none() {
            let SpringCollider { joint, shape } = self.source.colliders[index];
            let slot = self.plan_joint(joint, depth);
            // Planning the joint may have planned the collider, for a chain that uses it too.
            if self.collider_slots[index].is_none() {
                self.collider_slots[index] = Some(self.rig.colliders.len());
                self.rig.steps.push(RigStep::Collider(self.rig.colliders.len()));
                self.rig.colliders.push(RigCollider { shape, slot });
            }
        }
    }

    fn plan_center(&mut self, joint: JointId, depth: usize) -> usize {
        let slot = self.plan_joint(joint, depth);
        let same = |center: &Center| center.joint == joint && center.slot == slot;
        self.rig.centers.iter().position(same).unwrap_or_else(|| {
            self.rig.steps.push(RigStep::Center(self.rig.centers.len()));
            self.rig.centers.push(Center { joint, slot });
            self.rig.centers.len() - 1
        })
    }

    fn input_slot(&mut self, joint: JointId) -> usize {
        if let Some(slot) = self.input_slots[joint.index()] {
            return slot;
        }
        let slot = self.new_slot();
        self.input_slots[joint.index()] = Some(slot);
        self.rig.inputs.push((joint, slot));
        slot
    }
}
