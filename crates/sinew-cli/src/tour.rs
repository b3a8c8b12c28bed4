//! The tour: a figure goes through every stage there is, one line each.

use std::io::Write;
use std::time::{Duration, Instant};

use sinew::{Attributes, Factor, Mesh, Palette, Pose, Skin, SkinOptions, Skinned};
use sinew_figures::{Motion, Scene};
use sinew_testkit::timer::{Length, Race, Timing};

use crate::{Failure, isa};

/// Long enough for a first impression, short enough not to be waited for.
const LENGTH: Length = Length { rounds: 15, sample: Duration::from_micros(300) };

pub(crate) fn run(out: &mut impl Write) -> Result<(), Failure> {
    let row = isa::chosen()?;
    let start = Instant::now();
    let figure = Figure::new()?;
    let (joints, vertices) = (figure.scene.skeleton.len(), figure.mesh.len());
    writeln!(
        out,
        "sinew: a figure of {joints} joints and {vertices} vertices, half way between a walk and a wave"
    )?;
    writeln!(
        out,
        "made by rule and checked in {:.0} ms; on {} ({})",
        millis(start),
        row.name(),
        row.description()
    )?;
    writeln!(out)?;

    for (stage, timing) in STAGES.into_iter().zip(figure.timings()) {
        let microseconds = timing.seconds * 1e6;
        let (of, count) = if stage.of_vertices { ("vertex", vertices) } else { ("joint", joints) };
        let each = microseconds * 1e3 / count as f64;
        writeln!(out, "  {:<15}{microseconds:>7.2} us{each:>6.1} ns a {of:<8}{}", stage.name, stage.what)?;
    }
    let [x, y, z] = figure.right_hand()?;
    writeln!(out, "\nThe right hand is at ({x:.3}, {y:.3}, {z:.3}) metres.\n\nTry next:")?;
    // As it was called, so that the lines work from here.
    let sinew = std::env::args().next().unwrap_or_else(|| "sinew".to_owned());
    writeln!(out, "  {sinew} info @figure                   what a model is made of")?;
    writeln!(out, "  {sinew} check @figure                  whether a model can be used")?;
    writeln!(out, "  {sinew} bake @figure --at 1 -o a.obj   a posed model as a mesh")?;
    writeln!(out, "  {sinew} isa                            the instruction sets of this machine")?;
    let slowest = sinew::backend::baseline().name();
    let chosen = format!("SINEW_ISA={slowest} ");
    // As wide as what follows the program's name in the other lines.
    let pad = 32_usize.saturating_sub(chosen.len()).max(2);
    writeln!(out, "  {chosen}{sinew}{:pad$}the same tour on {slowest}", "")?;
    writeln!(out, "  {sinew} --help                         everything else")?;
    Ok(())
}

fn millis(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// A line of the tour.
struct Stage {
    name: &'static str,
    of_vertices: bool,
    what: &'static str,
}

const STAGES: [Stage; 5] = [
    Stage { name: "pose", of_vertices: false, what: "between walk and wave, rotations by slerp" },
    Stage { name: "model space", of_vertices: false, what: "each joint's matrix times its parent's" },
    Stage { name: "palette", of_vertices: false, what: "times the inverse of the rest pose" },
    Stage { name: "skin", of_vertices: true, what: "position, normal and tangent, in blocks" },
    Stage {
        name: "back to local",
        of_vertices: false,
        what: "a copy taken back, as after something moved joints",
    },
];

/// The figure, and a pose between two others.
struct Figure {
    scene: Scene,
    skin: Skin,
    mesh: Mesh,
    walking: Pose,
    waving: Pose,
    between: Pose,
}

impl Figure {
    fn new() -> Result<Self, Failure> {
        let scene = sinew_figures::scene("@figure").map_err(|error| Failure::Usage(error.to_string()))?;
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
        let mesh = Mesh::new(&scene.shape.source(), &skin)?;
        let mut walking = scene.skeleton.rest_pose();
        let (mut waving, mut between) = (walking.clone(), walking.clone());
        Motion::Walk.pose(&scene.skeleton, 0.25, &mut walking)?;
        Motion::Wave.pose(&scene.skeleton, 1.0, &mut waving)?;
        between.slerp(&walking, &waving, Factor::All(0.5))?;
        Ok(Self { scene, skin, mesh, walking, waving, between })
    }

    fn right_hand(&self) -> Result<[f32; 3], Failure> {
        let skeleton = &self.scene.skeleton;
        let mut model_from_joint = skeleton.model_matrices();
        skeleton.to_model(&self.between, .., &mut model_from_joint)?;
        Ok(model_from_joint[skeleton.joint("right hand")?].translation())
    }

    /// Times the stages, each on memory of its own.
    fn timings(&self) -> Vec<Timing> {
        const CHECKED: &str = "all of it was made for this figure";
        let skeleton = &self.scene.skeleton;
        let mut posed = skeleton.model_matrices();
        skeleton.to_model(&self.between, .., &mut posed).expect(CHECKED);
        let mut ready = Palette::new(&self.skin);
        ready.update(&posed, &self.skin).expect(CHECKED);
        let (mut pose, mut model_from_joint) = (skeleton.rest_pose(), skeleton.model_matrices());
        let (mut palette, mut local) = (ready.clone(), posed.clone());
        let mut skinned = Skinned::new(&self.mesh, Attributes::Tangents).expect(CHECKED);

        let mut race = Race::new();
        race.add("pose", || pose.slerp(&self.walking, &self.waving, Factor::All(0.5)).expect(CHECKED));
        race.add("model space", || {
            skeleton.to_model(&self.between, .., &mut model_from_joint).expect(CHECKED)
        });
        race.add("palette", || palette.update(&posed, &self.skin).expect(CHECKED));
        race.add("skin", || self.mesh.skin(&ready, &SkinOptions::default(), &mut skinned).expect(CHECKED));
        race.add("back to local", || {
            local.copy_from_slice(&posed);
            skeleton.to_local(.., &mut local).expect(CHECKED);
        });
        race.run(LENGTH)
    }
}
