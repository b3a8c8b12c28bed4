//! Spring bones as a pose modifier.

use sinew::Skeleton;
use sinew::animation::{
    self, AnimationError, Spring, SpringBones, SpringCollider, SpringJoint, SpringSource,
};

use super::vrm::{ColliderShape, Vrm, VrmSpringJoint, VrmVersion};

/// The length of the bone after a last joint in VRM 0.x, in meters.
const VIRTUAL_TAIL: f32 = 0.07;

impl Vrm {
    /// The springs as a pose modifier; `None` if there are none.
    ///
    /// # Errors
    ///
    /// When the skeleton is one of another model.
    pub fn spring_bones(&self, skeleton: &Skeleton) -> Result<Option<SpringBones>, AnimationError> {
        let source = self.spring_source(skeleton);
        if source.springs.is_empty() {
            return Ok(None);
        }
        SpringBones::new(skeleton, &source).map(Some)
    }

    /// The description of the spring bones. Numbers out of their range are moved into it. A joint
    /// that two chains would rotate belongs to the first one, and the other ends there.
    #[must_use]
    pub fn spring_source(&self, skeleton: &Skeleton) -> SpringSource {
        let mut source = SpringSource {
            colliders: self
                .colliders
                .iter()
                .map(|found| SpringCollider { joint: found.joint, shape: shape(&found.shape) })
                .collect(),
            collider_groups: self.collider_groups.iter().map(|group| group.colliders.clone()).collect(),
            ..SpringSource::default()
        };
        let virtual_tail = (self.version == VrmVersion::V0).then_some(VIRTUAL_TAIL);
        let mut rotated = vec![false; skeleton.len()];
        for (index, chain) in self.spring_chains(skeleton) {
            let rotates = |joint: &VrmSpringJoint| rotated[joint.joint.index()];
            // The last joint does not rotate, unless there is a virtual one after it.
            let cut = chain.iter().position(rotates);
            let (len, swinging, tail) = match (cut, virtual_tail) {
                (Some(cut), _) => (cut + 1, cut, None),
                (None, Some(_)) => (chain.len(), chain.len(), virtual_tail),
                (None, None) => (chain.len(), chain.len().saturating_sub(1), None),
            };
            if swinging == 0 {
                continue;
            }
            chain[..swinging].iter().for_each(|joint| rotated[joint.joint.index()] = true);
            let spring = &self.springs[index];
            source.springs.push(Spring {
                joints: chain[..len].iter().map(spring_joint).collect(),
                collider_groups: spring.collider_groups.clone(),
                center: spring.center,
                virtual_tail: tail,
            });
        }
        source
    }
}

fn spring_joint(joint: &VrmSpringJoint) -> SpringJoint {
    SpringJoint {
        joint: joint.joint,
        hit_radius: joint.hit_radius.max(0.0),
        stiffness: joint.stiffness.max(0.0),
        gravity_power: joint.gravity_power,
        gravity_dir: joint.gravity_direction,
        drag_force: joint.drag.clamp(0.0, 1.0),
    }
}

fn shape(shape: &ColliderShape) -> animation::ColliderShape {
    match *shape {
        ColliderShape::Sphere { offset, radius, inside } => {
            animation::ColliderShape::Sphere { offset, radius: radius.max(0.0), inside }
        }
        ColliderShape::Capsule { offset, tail, radius, inside } => {
            animation::ColliderShape::Capsule { offset, tail, radius: radius.max(0.0), inside }
        }
        ColliderShape::Plane { offset, normal } => {
            let normal = if normal == [0.0; 3] { [0.0, 0.0, 1.0] } else { normal };
            animation::ColliderShape::Plane { offset, normal }
        }
    }
}
