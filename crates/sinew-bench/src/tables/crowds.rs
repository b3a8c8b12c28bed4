//! Crowds of one to a thousand figures, with pose modifiers, and of avatars with springs, on one
//! thread.

use std::hint::black_box;

use sinew::animation::{
    ColliderShape, Override, Spring, SpringBones, SpringCollider, SpringJoint, SpringSource, TwoBone,
};
use sinew::crowd::CrowdOptions;
use sinew::model::ModelSource;
use sinew::runtime::backend;
use sinew::{Aim, Bone, Crowd, InstanceOptions, JointId, Model, Skeleton, Transform};

use super::bench_group::{BenchGroup, Context};
use super::frames::{figure_model, with_microseconds_per_figure};
use super::job::Job;
use super::measurement::Measurement;
use crate::Error;

const TABLE: &str = "crowds";

const ROUTINES: &[&str] = &["step", "two-bone", "aim", "override", "consumed", "kept", "avatars", "springs"];

/// One job per number of figures.
pub(super) fn jobs() -> Vec<Job> {
    let job = |figures: usize| Job {
        tables: &[TABLE],
        routines: ROUTINES,
        run: Box::new(move |context: &Context| measure(figures, context)),
    };
    [1, 7, 9, 100, 1000].map(job).into()
}

fn measure(len: usize, context: &Context) -> Result<Vec<Measurement>, Error> {
    let (crowd, joints, vertices) = crowd(len)?;
    let [mut reaching, mut aiming, mut overridden] =
        [Modifier::TwoBone, Modifier::Aim, Modifier::Override].map(|kind| modified(crowd.clone(), kind));
    let (mut stepped, mut consumed, mut kept) = (crowd.clone(), crowd.clone(), crowd);
    let isa = backend::default().unwrap_or(backend::baseline()).name();
    let row =
        |routine, elements| Measurement { elements, ..Measurement::new(TABLE, routine, "sinew", Some(isa)) };
    let mut group = BenchGroup::default();
    let [mut avatars, mut swinging] = [false, true].map(|swing| avatars(len, swing));
    group.add(row("avatars", len * AVATAR_BONES), move || avatars.step(1.0 / 60.0));
    group.add(row("springs", len * AVATAR_BONES), move || swinging.step(1.0 / 60.0));
    group.add(row("step", joints), move || stepped.step(1.0 / 60.0));
    group.add(row("two-bone", joints), move || reaching.step(1.0 / 60.0));
    group.add(row("aim", joints), move || aiming.step(1.0 / 60.0));
    group.add(row("override", joints), move || overridden.step(1.0 / 60.0));
    group.add(row("consumed", vertices), move || {
        consumed.skin_each(&mut |member| {
            black_box(member.all_blocks());
        });
    });
    group.add(row("kept", vertices), move || kept.skin());
    Ok(group.run(context).into_iter().map(|row| with_microseconds_per_figure(row, len)).collect())
}

/// Chains of an avatar, and bones of each.
const AVATAR_CHAINS: usize = 10;
const CHAIN_BONES: usize = 4;
const AVATAR_BONES: usize = AVATAR_CHAINS * CHAIN_BONES;

/// A crowd of avatars at rest, each with ten chains of four bones, with or without springs that
/// move them. The difference is the time of the springs.
fn avatars(len: usize, swing: bool) -> Crowd {
    let at = |translation: [f32; 3]| Transform { translation, ..Transform::IDENTITY };
    let mut bones = vec![Bone::new("head", None, at([0.0, 1.6, 0.0]))];
    let mut springs = Vec::new();
    let numbers = SpringJoint { gravity_power: 0.3, hit_radius: 0.02, ..SpringJoint::default() };
    for chain in 0..AVATAR_CHAINS {
        let first = bones.len();
        for joint in 0..=CHAIN_BONES {
            let (parent, offset) = match joint {
                0 => (0, [0.02 * chain as f32 - 0.1, 0.1, -0.1]),
                _ => (bones.len() - 1, [0.0, -0.02, -0.06]),
            };
            bones.push(Bone::new("", Some(parent), at(offset)));
        }
        let joints: Vec<JointId> = (first..bones.len()).map(JointId::new).collect();
        springs.push(Spring::new(&joints, numbers).with_collider_groups(&[0]));
    }
    let head = ColliderShape::Sphere { offset: [0.0; 3], radius: 0.1, inside: false };
    let source = SpringSource {
        colliders: vec![SpringCollider { joint: JointId::new(0), shape: head }],
        collider_groups: vec![vec![0]],
        springs,
        ..SpringSource::default()
    };
    let skeleton = Skeleton::new(&bones).expect("a sound skeleton");
    let springs = SpringBones::new(&skeleton, &source).expect("sound springs");
    let model = Model::new(ModelSource::new(skeleton)).expect("a sound model");
    let mut crowd = Crowd::new(CrowdOptions::default());
    let number = crowd.add_model(&model, &InstanceOptions::default());
    for i in 0..len {
        let id = crowd.add(number).expect("a model of the crowd");
        if let Some(member) = crowd.member_mut(id).filter(|_| swing) {
            member.world.rows[0][3] = i as f32;
            member.modifiers_mut().push(springs.clone()).expect("springs of the model");
        }
    }
    crowd.step(1.0 / 60.0);
    crowd
}

/// A modifier that each member of a crowd has.
#[derive(Clone, Copy)]
enum Modifier {
    /// The left hand reaches for a point.
    TwoBone,
    /// The head looks at a point.
    Aim,
    /// The left hand has another rotation.
    Override,
}

/// The crowd with a modifier for each member, which differ in their numbers.
fn modified(mut crowd: Crowd, kind: Modifier) -> Crowd {
    for (i, member) in crowd.members_mut().enumerate() {
        let joint = |name| member.model().skeleton().joint(name).expect("a joint of the figure");
        let [upper, lower, hand, head] = ["left upper arm", "left forearm", "left hand", "head"].map(joint);
        let x = 0.2 + 0.0004 * i as f32;
        let stack = member.modifiers_mut();
        let pushed = match kind {
            Modifier::TwoBone => stack.push(TwoBone::new([upper, lower, hand], [x, 1.3, 0.3])),
            Modifier::Aim => stack.push(Aim::new(head, [0.0, 0.0, 1.0], [x, 1.5, 2.0])),
            Modifier::Override => {
                stack.push(Override { rotation: Some([0.6, 0.0, 0.0, 0.8]), ..Override::new(hand) })
            }
        };
        pushed.expect("a modifier of the figure");
    }
    crowd.step(1.0 / 60.0);
    crowd
}

/// A crowd of figures that blend two clips, with different time offsets; and the numbers of all its
/// joints and vertices.
fn crowd(len: usize) -> Result<(Crowd, usize, usize), Error> {
    let model = figure_model()?;
    let mut crowd = Crowd::new(CrowdOptions::default());
    let number = crowd.add_model(&model, &InstanceOptions::default());
    for i in 0..len {
        let id = crowd.add(number)?;
        if let Some(member) = crowd.member_mut(id) {
            let seconds = i as f64 * 0.013;
            member.animator_mut().start(0).set_weight(0.7).seek(seconds);
            member.animator_mut().start(1).set_weight(0.3).seek(seconds);
        }
    }
    crowd.step(1.0 / 60.0);
    Ok((crowd, len * model.skeleton().len(), len * model.primitive(0).mesh.len()))
}
