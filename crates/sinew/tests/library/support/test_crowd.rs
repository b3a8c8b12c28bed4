//! A crowd whose members use every feature, and plain instances that must equal them.
//!
//! Each character has an index, which decides its model, its clips and its modifiers, in any
//! order in which characters are added to the crowd.

use sinew::animation::{Mask, ModelRotation, ModifierStack, Override, Pole, Reference, RootParts, TwoBone};
use sinew::crowd::{CrowdOptions, MemberId};
use sinew::skinning::SkinMethod;
use sinew::{Aim, Animator, Crowd, Instance, InstanceOptions, JointId, Model};

use super::scene_cache::scene_model;

/// Seconds of a frame: a power of two, so that sums are exact.
pub(crate) const STEP: f32 = 0.0625;

/// The models of a crowd, and which character has which.
pub(crate) struct TestCrowd {
    pub(crate) models: Vec<(Model, InstanceOptions)>,
    pub(crate) model_of_character: Vec<usize>,
}

impl TestCrowd {
    /// A crowd of `len` characters: figures, and cylinders skinned with dual quaternions.
    pub(crate) fn new(len: usize) -> Self {
        let dual_quaternions = InstanceOptions::default().with_skin_method(SkinMethod::DualQuaternion);
        let models = vec![
            (scene_model("@figure:300"), InstanceOptions::default()),
            (scene_model("@cylinder:2"), dual_quaternions),
        ];
        Self {
            models,
            model_of_character: (0..len).map(|character| usize::from(character % 3 == 2)).collect(),
        }
    }

    /// Adds the characters in some order, and returns the identifier of each.
    pub(crate) fn build_crowd(&self, order: &[usize], options: CrowdOptions) -> (Crowd, Vec<MemberId>) {
        let mut crowd = Crowd::new(options);
        let models: Vec<usize> =
            self.models.iter().map(|(model, options)| crowd.add_model(model, options)).collect();
        let mut ids = vec![None; self.model_of_character.len()];
        for &character in order {
            let id = crowd.add(models[self.model_of_character[character]]).expect("a model of the crowd");
            let member = crowd.member_mut(id).expect("a member of the crowd");
            (member.update_interval, member.phase) = (update_interval(character), character as u32);
            member.world.rows[0][3] = character as f32;
            ids[character] = Some(id);
        }
        (crowd, ids.into_iter().map(|id| id.expect("every character is in the order")).collect())
    }

    /// An instance with the model and the options of a character.
    pub(crate) fn build_instance(&self, character: usize) -> Instance {
        let (model, options) = &self.models[self.model_of_character[character]];
        model.instance_with(options)
    }
}

/// The number of steps from one update of a character to the next.
pub(crate) fn update_interval(character: usize) -> u32 {
    [1, 1, 2, 1, 3][character % 5]
}

/// Starts and fades the clips of a character before a frame.
pub(crate) fn play_clips(animator: &mut Animator, character: usize, frame: usize) {
    let (clips, joints) = (animator.clips().clips().len(), animator.clips().skeleton().len());
    let time = 0.37 * character as f64;
    match (frame, character % 7) {
        (0, 0) => {
            animator.start(character % clips).seek(time);
        }
        (0, 1) => {
            animator.start(0).seek(time).set_weight(0.4);
            animator.start(clips - 1).seek(time).set_speed(1.5);
        }
        (0, 2) => {
            let mask = Mask::new(&(0..joints).map(|j| j as f32 / joints as f32).collect::<Vec<_>>());
            animator.start(0).seek(time);
            animator
                .start(clips - 1)
                .set_mask(mask.expect("valid"))
                .expect("of the skeleton")
                .set_weight(0.8);
        }
        (0, 3) => {
            animator.start(0).seek(time);
            let name = animator.clips().clips()[clips - 1].name().to_owned();
            animator.add(&name, Reference::FirstFrame).expect("a clip").seek(0.4).set_weight(0.5);
        }
        (0, 4) => {
            animator.start(0).set_root_motion(JointId::new(0), RootParts::GROUND).expect("a joint");
        }
        (0, 5) => {
            for i in 0..5 {
                animator.start(i % clips).seek(time * i as f64).set_weight(0.3);
            }
        }
        (2, _) => {
            let name = animator.clips().clips()[character % clips].name().to_owned();
            animator.fade_to(&name, 0.15).expect("a clip").set_speed(0.7);
        }
        _ => {}
    }
}

/// A modifier of any of the kinds that the characters use.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AnyModifier {
    Override(Override),
    Turn(ModelRotation),
    Reach(TwoBone),
    Aim(Aim),
}

/// The modifiers of a character.
pub(crate) fn choose_modifiers(model: &Model, character: usize) -> Vec<AnyModifier> {
    let joint = |name: &str| model.skeleton().joint(name);
    let [Ok(shoulder), Ok(elbow), Ok(hand), Ok(head)] =
        ["right upper arm", "right forearm", "right hand", "head"].map(joint)
    else {
        return vec![AnyModifier::Override(Override {
            rotation: Some([0.6, 0.0, 0.0, 0.8]),
            weight: 0.5,
            ..Override::new(JointId::new(3))
        })];
    };
    let pole = Pole::Direction([0.0, -1.0, 0.0]);
    let limb = TwoBone { pole, ..TwoBone::new([shoulder, elbow, hand], [-0.3, 1.2, 0.4]) };
    match character % 4 {
        // The only scaled character in its block of eight.
        _ if character == 6 => {
            vec![AnyModifier::Override(Override { scale: Some([1.25, 0.8, 1.5]), ..Override::new(shoulder) })]
        }
        3 => {
            let rotation = [0.0, 0.6, 0.0, 0.8];
            vec![AnyModifier::Turn(ModelRotation { joint: shoulder, rotation, weight: 0.7 })]
        }
        1 => {
            let aim = Aim::new(head, [0.0, 0.0, 1.0], [1.0, 1.5, 3.0]);
            vec![AnyModifier::Reach(limb), AnyModifier::Aim(aim)]
        }
        _ => Vec::new(),
    }
}

/// Replaces the modifiers of a stack.
pub(crate) fn set_modifiers(stack: &mut ModifierStack, modifiers: &[AnyModifier]) {
    stack.clear();
    for modifier in modifiers {
        let pushed = match *modifier {
            AnyModifier::Override(part) => stack.push(part),
            AnyModifier::Turn(turn) => stack.push(turn),
            AnyModifier::Reach(limb) => stack.push(limb),
            AnyModifier::Aim(aim) => stack.push(aim),
        };
        pushed.expect("valid");
    }
}

/// Applies modifiers to a plain instance, by the functions that edit a pose once.
pub(crate) fn apply_modifiers(instance: &mut Instance, modifiers: &[AnyModifier]) {
    for modifier in modifiers {
        match modifier {
            AnyModifier::Override(part) => instance.pose_mut().override_joints(&[*part]).expect("valid"),
            AnyModifier::Reach(limb) => {
                instance.reach(limb).expect("valid");
            }
            AnyModifier::Aim(aim) => {
                instance.aim(aim).expect("valid");
            }
            AnyModifier::Turn(turn) => {
                let mut matrices = instance.model_matrices().to_vec();
                let skeleton = instance.model().skeleton().clone();
                skeleton.set_model_rotation(turn, instance.pose_mut(), &mut matrices).expect("valid");
            }
        }
    }
}
