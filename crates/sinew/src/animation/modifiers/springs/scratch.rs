//! Working memory of the simulation, for up to eight characters.

use sinew_kernels::{AffineBlock, BLOCK, ColliderBlock, SimulateSprings, SpringBoneBlock};

use super::rig::SpringRig;

/// Working memory of the simulation, for up to eight characters, one in each lane.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpringScratch {
    /// The number of characters: one more than the last lane that was gathered.
    pub(super) characters: usize,
    /// The world matrix of each slot.
    pub(super) worlds: Vec<AffineBlock>,
    /// The local matrix of each joint that follows.
    pub(super) locals: Vec<AffineBlock>,
    pub(super) bones: Vec<SpringBoneBlock>,
    colliders: Vec<ColliderBlock>,
    /// The inverse of each center's world matrix.
    centers: Vec<AffineBlock>,
    /// The length of a sub-step.
    pub(super) seconds: [f32; BLOCK],
    /// The number of sub-steps; zero keeps the state.
    pub(super) sub_steps: [u32; BLOCK],
    /// Lanes that start without motion.
    pub(super) starts: [bool; BLOCK],
}

impl SpringScratch {
    /// Makes room for a rig. Allocates only if no rig was larger before.
    pub(super) fn reserve(&mut self, rig: &SpringRig) {
        fn grow<T: Clone + Default>(list: &mut Vec<T>, len: usize) {
            if list.len() < len {
                list.resize(len, T::default());
            }
        }
        grow(&mut self.worlds, rig.slot_count);
        grow(&mut self.locals, rig.follows.len());
        grow(&mut self.bones, rig.bones.len());
        grow(&mut self.colliders, rig.colliders.len());
        grow(&mut self.centers, rig.centers.len());
        self.characters = 0;
        self.sub_steps = [0; BLOCK];
        self.starts = [false; BLOCK];
    }

    /// Advances all lanes by their sub-steps. Inputs, local transforms and states must be set.
    pub(super) fn simulate(&mut self, rig: &SpringRig) {
        rig.runtime.kernels().simulate_springs(SimulateSprings {
            plan: rig.plan(),
            characters: self.characters,
            seconds: self.seconds,
            sub_steps: self.sub_steps,
            starts: self.starts,
            worlds: &mut self.worlds,
            locals: &self.locals,
            bones: &mut self.bones,
            colliders: &mut self.colliders[..rig.colliders.len()],
            centers: &mut self.centers,
        });
    }
}
