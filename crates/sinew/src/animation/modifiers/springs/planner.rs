//! The order of a simulation: each thing after what it depends on.

use std::ops::Range;

use sinew_kernels::{PlannedCollider, SpringBone, SpringCenter, SpringStep};

use super::error::{SpringError, SpringFault, SpringPlace};
use super::rig::{SpringRig, WORLD_SLOT};
use super::source::{Spring, SpringCollider, SpringJoint, SpringSource};
use crate::math::vector::{any_perpendicular, to_f32, to_f64, try_normalize};
use crate::skeleton::{JointId, Skeleton};

/// The maximum number of colliders of all springs together, each counted for each spring.
const MAX_COLLIDERS: usize = 1 << 22;

/// How deeply chains may wait for colliders that other chains move. Beyond it, and in a cycle, a
/// collider is where the clips put it.
const MAX_DEPTH: usize = 32;

/// Puts everything in an order in which each thing comes after what it depends on.
pub(super) struct Planner<'a> {
    skeleton: &'a Skeleton,
    source: &'a SpringSource,
    /// For each joint that swings, its bone among `pending`.
    bone_of_joint: Vec<Option<usize>>,
    /// Whether a joint swings or is below one that does.
    moves: Vec<bool>,
    /// The slot of each joint that springs move, once it is planned.
    slots: Vec<Option<u32>>,
    /// The slot of each joint whose matrix is read from the pose.
    input_slots: Vec<Option<u32>>,
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
    pub(super) fn new(skeleton: &'a Skeleton, source: &'a SpringSource) -> Result<Self, SpringError> {
        let len = skeleton.len();
        let rig = SpringRig {
            parents: skeleton.parents().to_vec(),
            runtime: skeleton.runtime(),
            inputs: Vec::new(),
            input_slots: Vec::new(),
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

    pub(super) fn plan(mut self) -> Result<SpringRig, SpringError> {
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

    fn new_slot(&mut self) -> u32 {
        self.rig.slot_count += 1;
        (self.rig.slot_count - 1) as u32
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
            None => WORLD_SLOT as u32,
        };
        for position in colliders.clone() {
            self.plan_collider(self.rig.spring_colliders[position] as usize, depth);
        }
        let center = self.source.springs[spring].center.map(|center| self.plan_center(center, depth));
        let slot = self.new_slot();
        self.slots[numbers.joint.index()] = Some(slot);
        let axis = try_normalize(to_f64(tail)).expect("bones without length are left out");
        self.rig.steps.push(SpringStep::Bone(SpringBone {
            rest_rotation: self.skeleton.rest().rotation(numbers.joint),
            tail,
            axis: to_f32(axis),
            perpendicular: to_f32(any_perpendicular(axis)),
            hit_radius: numbers.hit_radius,
            stiffness: numbers.stiffness,
            gravity_power: numbers.gravity_power,
            gravity_dir: numbers.gravity_dir,
            drag_force: numbers.drag_force,
            bone: self.rig.bones.len() as u32,
            parent,
            world: slot,
            colliders: [colliders.start as u32, colliders.end as u32],
            center,
        }));
        self.rig.bones.push(numbers.joint);
    }

    /// The slot of a joint's world matrix, planned with all that it depends on.
    fn plan_joint(&mut self, joint: JointId, depth: usize) -> u32 {
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
        let local = self.rig.follows.len() as u32;
        self.rig.steps.push(SpringStep::Follow { parent, local, world: slot });
        self.rig.follows.push(joint);
    }

    fn plan_collider(&mut self, index: usize, depth: usize) {
        if self.collider_slots[index].is_none() {
            let SpringCollider { joint, shape } = self.source.colliders[index];
            let world = self.plan_joint(joint, depth);
            // Planning the joint may have planned the collider, for a chain that uses it too.
            if self.collider_slots[index].is_none() {
                self.collider_slots[index] = Some(self.rig.colliders.len());
                self.rig.steps.push(SpringStep::Collider(self.rig.colliders.len() as u32));
                self.rig.colliders.push(PlannedCollider { shape, world });
            }
        }
    }

    fn plan_center(&mut self, joint: JointId, depth: usize) -> SpringCenter {
        let world = self.plan_joint(joint, depth);
        let centers = &mut self.rig.centers;
        let same = centers.iter().find(|(other, center)| *other == joint && center.world == world);
        if let Some(&(_, center)) = same {
            return center;
        }
        let center = SpringCenter { world, center: centers.len() as u32 };
        centers.push((joint, center));
        self.rig.steps.push(SpringStep::Center(center));
        center
    }

    fn input_slot(&mut self, joint: JointId) -> u32 {
        if let Some(slot) = self.input_slots[joint.index()] {
            return slot;
        }
        let slot = self.new_slot();
        self.input_slots[joint.index()] = Some(slot);
        self.rig.inputs.push(joint);
        self.rig.input_slots.push(slot);
        slot
    }
}
