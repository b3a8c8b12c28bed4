//! A crowd whose members do all that members can, and the same of plain instances.

use sinew::{
    Adjustment, Aim, Crowd, CrowdOptions, Instance, InstanceOptions, JointBlend, Mask, MemberId, Model,
    ModelRotation, Override, Player, Pole, Reference, RootParts, TwoBone, VectorBlock,
};

use crate::made;

/// A sixteenth of a second: sums of it are exact.
pub(crate) const STEP: f32 = 0.0625;

pub(crate) struct Throng {
    pub(crate) models: Vec<(Model, InstanceOptions)>,
    /// Of each key its model.
    pub(crate) of_model: Vec<usize>,
}

impl Throng {
    /// So many keys, of a figure with levels of detail and a figure with dual quaternions.
    pub(crate) fn new(len: usize) -> Self {
        let duals = InstanceOptions { joint_blend: JointBlend::Duals, ..InstanceOptions::default() };
        let models = vec![
            (made::model("@figure:300"), InstanceOptions::default()),
            (made::model("@cylinder:2"), duals),
        ];
        Self { models, of_model: (0..len).map(|key| usize::from(key % 3 == 2)).collect() }
    }

    /// A crowd with the keys in some order, and the name of each key.
    pub(crate) fn crowd(&self, order: &[usize], options: CrowdOptions) -> (Crowd, Vec<MemberId>) {
        let mut crowd = Crowd::new(options);
        let models: Vec<usize> =
            self.models.iter().map(|(model, options)| crowd.add_model(model, options)).collect();
        let mut ids = vec![None; self.of_model.len()];
        for &key in order {
            let id = crowd.add(models[self.of_model[key]]).expect("a model of the crowd");
            let member = crowd.member_mut(id).expect("it was added");
            (member.every, member.phase) = (every(key), key as u32);
            member.world.rows[0][3] = key as f32;
            ids[key] = Some(id);
        }
        (crowd, ids.into_iter().map(|id| id.expect("every key is in the order")).collect())
    }

    pub(crate) fn instance(&self, key: usize) -> Instance {
        let (model, options) = &self.models[self.of_model[key]];
        model.instance_with(options)
    }
}

/// A key is animated in one of so many steps.
pub(crate) fn every(key: usize) -> u32 {
    [1, 1, 2, 1, 3][key % 5]
}

/// What the player of a key does before a frame.
pub(crate) fn direct(player: &mut Player, key: usize, frame: usize) {
    let (clips, joints) = (player.model().clips().len(), player.model().skeleton().len());
    let place = 0.37 * key as f64;
    match (frame, key % 7) {
        (0, 0) => {
            player.start(key % clips).at(place);
        }
        (0, 1) => {
            player.start(0).at(place).weight(0.4);
            player.start(clips - 1).at(place).speed(1.5);
        }
        (0, 2) => {
            let mask = Mask::new(&(0..joints).map(|j| j as f32 / joints as f32).collect::<Vec<_>>());
            player.start(0).at(place);
            player.start(clips - 1).masked(mask.expect("sound")).expect("of the skeleton").weight(0.8);
        }
        (0, 3) => {
            player.start(0).at(place);
            let name = player.model().clips()[clips - 1].name().to_owned();
            player.add(&name, Reference::FirstFrame).expect("a clip").at(0.4).weight(0.5);
        }
        (0, 4) => {
            player.start(0).root_motion(0, RootParts::GROUND).expect("a joint");
        }
        (0, 5) => {
            for i in 0..5 {
                player.start(i % clips).at(place * i as f64).weight(0.3);
            }
        }
        (2, _) => {
            let name = player.model().clips()[key % clips].name().to_owned();
            player.fade_to(&name, 0.15).expect("a clip").speed(0.7);
        }
        _ => {}
    }
}

/// What is adjusted of a key.
pub(crate) fn adjustments(model: &Model, key: usize) -> Vec<Adjustment> {
    let joint = |name: &str| model.skeleton().joint(name);
    let [Ok(shoulder), Ok(elbow), Ok(hand), Ok(head)] =
        ["right upper arm", "right forearm", "right hand", "head"].map(joint)
    else {
        return vec![Adjustment::Override(Override {
            rotation: Some([0.6, 0.0, 0.0, 0.8]),
            weight: 0.5,
            ..Override::new(3)
        })];
    };
    let pole = Pole::Direction([0.0, -1.0, 0.0]);
    let limb = TwoBone { pole, ..TwoBone::new([shoulder, elbow, hand], [-0.3, 1.2, 0.4]) };
    match key % 4 {
        // One alone is scaled, beside others in its block that are not.
        _ if key == 6 => {
            vec![Adjustment::Override(Override { scale: Some([1.25, 0.8, 1.5]), ..Override::new(shoulder) })]
        }
        3 => {
            let rotation = [0.0, 0.6, 0.0, 0.8];
            vec![Adjustment::Turn(ModelRotation { joint: shoulder, rotation, weight: 0.7 })]
        }
        1 => vec![Adjustment::Reach(limb), Adjustment::Aim(Aim::new(head, [0.0, 0.0, 1.0], [1.0, 1.5, 3.0]))],
        _ => Vec::new(),
    }
}

/// The same of an instance.
pub(crate) fn adjust(instance: &mut Instance, adjustments: &[Adjustment]) {
    for adjustment in adjustments {
        match adjustment {
            Adjustment::Override(part) => instance.pose_mut().override_joints(&[*part]).expect("sound"),
            Adjustment::Reach(limb) => {
                instance.reach(limb).expect("sound");
            }
            Adjustment::Aim(aim) => {
                instance.aim(aim).expect("sound");
            }
            Adjustment::Turn(turn) => {
                let mut matrices = instance.model_matrices().to_vec();
                let skeleton = instance.model().skeleton().clone();
                skeleton.turn_in_model(turn, instance.pose_mut(), &mut matrices).expect("sound");
            }
        }
    }
}

/// The bits of blocks.
pub(crate) fn bits(blocks: &[VectorBlock]) -> Vec<u32> {
    blocks.iter().flat_map(|block| block.rows).flatten().map(f32::to_bits).collect()
}
