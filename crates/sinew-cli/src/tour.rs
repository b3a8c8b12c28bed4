//! The tour: a figure goes through every stage there is, one line each.

use std::io::Write;
use std::time::Duration;

use sinew::{Bone, Factor, Palette, Pose, Skeleton, Skin, Transform};
use sinew_testkit::timer::{Length, Race, Timing};

use crate::{Failure, isa};

/// Long enough for a first impression, short enough not to be waited for.
const LENGTH: Length = Length { rounds: 15, sample: Duration::from_micros(300) };

pub(crate) fn run(out: &mut impl Write) -> Result<(), Failure> {
    let row = isa::chosen()?;
    let skeleton = Skeleton::new(&figure())?;
    let skin = Skin::new(&skeleton, &(0..skeleton.len()).collect::<Vec<_>>())?;
    writeln!(
        out,
        "sinew: a figure of {} joints, on {} ({})\n",
        skeleton.len(),
        row.name(),
        row.description()
    )?;

    let rest = skeleton.rest_pose();
    let waving = waving(&skeleton)?;
    let mut between = skeleton.rest_pose();
    between.slerp(&rest, &waving, Factor::All(0.5))?;
    let mut model_from_joint = skeleton.model_matrices();
    skeleton.to_model(&between, .., &mut model_from_joint)?;
    let hand = model_from_joint[skeleton.joint("left hand")?].translation();

    let lines = [
        ("pose", "half way between rest and a wave, rotations by slerp"),
        ("model space", "each joint's matrix times its parent's"),
        ("palette", "times the inverse of the rest pose: what skinning takes"),
        ("back to local", "a copy taken the way back, for joints that something else has moved"),
    ];
    for ((stage, what), timing) in
        lines.into_iter().zip(timings(&skeleton, &skin, [&rest, &waving], &between))
    {
        let nanoseconds = timing.seconds * 1e9;
        let each = nanoseconds / skeleton.len() as f64;
        writeln!(out, "  {stage:<15}{nanoseconds:>7.0} ns{each:>7.1} ns a joint   {what}")?;
    }
    let [x, y, z] = hand;
    writeln!(out, "\nThe left hand is at ({x:.3}, {y:.3}, {z:.3}) metres.")?;
    writeln!(out, "\nTry next:")?;
    // As it was called, so that the lines work from here.
    let sinew = std::env::args().next().unwrap_or_else(|| "sinew".to_owned());
    writeln!(out, "  {sinew} isa               the instruction sets of this machine")?;
    writeln!(out, "  SINEW_ISA=plain {sinew}   the same tour on plain Rust")?;
    writeln!(out, "  {sinew} --help            everything else")?;
    Ok(())
}

/// Times the stages one after the other, each on memory of its own.
fn timings(skeleton: &Skeleton, skin: &Skin, [from, to]: [&Pose; 2], pose: &Pose) -> Vec<Timing> {
    const CHECKED: &str = "every length was checked by the run before";
    let mut between = skeleton.rest_pose();
    let mut model_from_joint = skeleton.model_matrices();
    let mut posed = skeleton.model_matrices();
    skeleton.to_model(pose, .., &mut posed).expect(CHECKED);
    let mut palette = Palette::new(skin);
    let mut local = posed.clone();

    let mut race = Race::new();
    race.add("pose", || between.slerp(from, to, Factor::All(0.5)).expect(CHECKED));
    race.add("model space", || skeleton.to_model(pose, .., &mut model_from_joint).expect(CHECKED));
    race.add("palette", || palette.update(&posed, skin).expect(CHECKED));
    race.add("back to local", || {
        local.copy_from_slice(&posed);
        skeleton.to_local(.., &mut local).expect(CHECKED);
    });
    race.run(LENGTH)
}

/// A figure of 64 joints: a spine, a head, two arms with five fingers each, two legs.
fn figure() -> Vec<Bone> {
    let mut bones = vec![bone("hips", None, [0.0, 1.0, 0.0])];
    let spine = limb(&mut bones, 0, "spine", 5, [0.0, 0.1, 0.0]);
    limb(&mut bones, spine, "head", 4, [0.0, 0.12, 0.0]);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let elbow = limb(&mut bones, spine, &format!("{side} arm"), 3, [0.2 * sign, 0.0, 0.0]);
        bones.push(bone(&format!("{side} hand"), Some(elbow), [0.2 * sign, 0.0, 0.0]));
        let hand = bones.len() - 1;
        for finger in 0..5 {
            let spread = 0.02 * (finger as f32 - 2.0);
            limb(&mut bones, hand, &format!("{side} finger {finger}"), 3, [0.03 * sign, 0.0, spread]);
        }
    }
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let hip = limb(&mut bones, 0, &format!("{side} hip"), 1, [0.1 * sign, 0.0, 0.0]);
        let knee = limb(&mut bones, hip, &format!("{side} leg"), 5, [0.0, -0.19, 0.0]);
        limb(&mut bones, knee, &format!("{side} toe"), 2, [0.0, 0.0, 0.08]);
    }
    bones
}

/// A row of joints, each a step from the one before; gives the last.
fn limb(bones: &mut Vec<Bone>, parent: usize, name: &str, len: usize, step: [f32; 3]) -> usize {
    let mut parent = parent;
    for i in 0..len {
        bones.push(bone(&format!("{name} {i}"), Some(parent), step));
        parent = bones.len() - 1;
    }
    parent
}

fn bone(name: &str, parent: Option<usize>, translation: [f32; 3]) -> Bone {
    Bone::new(name, parent, Transform { translation, ..Transform::IDENTITY })
}

/// The left arm up.
fn waving(skeleton: &Skeleton) -> Result<Pose, sinew::Error> {
    let mut pose = skeleton.rest_pose();
    let shoulder = skeleton.joint("left arm 0")?;
    // A third of a turn about z: half of it has sine 0.866 and cosine 0.5.
    pose.joints_mut()[shoulder].rotation = [0.0, 0.0, 0.866_025_4, 0.5];
    Ok(pose)
}
