//! The tour: animates and skins a figure, and prints one line with the time of each stage.

use std::io::Write;
use std::time::{Duration, Instant};

use sinew::animation::Factor;
use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew::{Mesh, Palette, Pose, Skin, SkinOptions};
use sinew_bench::timer::{AlternatingTimer, Length, Timing};
use sinew_figures::{Motion, Scene};

use crate::{CliError, isa};

/// Enough samples for a first impression, few enough that the tour seems instant.
const LENGTH: Length = Length { rounds: 15, sample: Duration::from_micros(300) };

pub(crate) fn run(out: &mut impl Write) -> Result<(), CliError> {
    let backend = isa::chosen_backend()?;
    let start = Instant::now();
    let scene = sinew_figures::scene("@figure").map_err(|error| CliError::Usage(error.to_string()))?;
    let figure = Figure::new(scene)?;
    let (joints, vertices) = (figure.scene.skeleton.len(), figure.mesh.len());
    writeln!(
        out,
        "sinew: a figure with {joints} joints and {vertices} vertices, halfway between walk and wave"
    )?;
    writeln!(
        out,
        "generated and checked in {:.0} ms; running on {} ({})",
        millis(start),
        backend.name(),
        backend.description()
    )?;
    writeln!(out)?;

    for (stage, timing) in STAGES.into_iter().zip(figure.timings()) {
        let microseconds = timing.seconds * 1e6;
        let (unit, count) = if stage.is_per_vertex { ("vertex", vertices) } else { ("joint", joints) };
        let each = microseconds * 1e3 / count as f64;
        writeln!(
            out,
            "  {:<15}{microseconds:>7.2} us{each:>6.1} ns per {unit:<8}{}",
            stage.name, stage.description
        )?;
    }
    let [x, y, z] = figure.right_hand()?;
    writeln!(out, "\nThe right hand is at ({x:.3}, {y:.3}, {z:.3}) meters.\n\nTry next:")?;
    // The name that the user typed, so that the printed commands can be copied.
    let sinew = std::env::args().next().unwrap_or_else(|| "sinew".to_owned());
    writeln!(out, "  {sinew} info @figure                   what a model contains")?;
    writeln!(out, "  {sinew} check @figure                  whether a model can be used")?;
    writeln!(out, "  {sinew} bake @figure --at 1 -o a.obj   a posed model as a mesh")?;
    writeln!(out, "  {sinew} render @figure -o a.gif        a picture that moves")?;
    writeln!(out, "  {sinew} bench --quick --only frames    what a character costs on this machine")?;
    writeln!(out, "  {sinew} isa                            the instruction sets of this machine")?;
    let slowest = sinew::runtime::backend::baseline().name();
    let chosen = format!("SINEW_ISA={slowest} ");
    // Aligns the description with those of the other lines.
    let pad = 32_usize.saturating_sub(chosen.len()).max(2);
    writeln!(out, "  {chosen}{sinew}{:pad$}the same tour on {slowest}", "")?;
    writeln!(out, "  {sinew} --help                         everything else")?;
    Ok(())
}

fn millis(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// A stage of a frame, printed as one line.
struct Stage {
    name: &'static str,
    is_per_vertex: bool,
    description: &'static str,
}

const STAGES: [Stage; 5] = [
    Stage { name: "pose", is_per_vertex: false, description: "blends walk and wave, rotations by slerp" },
    Stage { name: "model space", is_per_vertex: false, description: "multiplies each joint by its parent" },
    Stage { name: "palette", is_per_vertex: false, description: "multiplies by the inverse bind matrices" },
    Stage { name: "skin", is_per_vertex: true, description: "positions, normals and tangents, in blocks" },
    Stage {
        name: "to local space",
        is_per_vertex: false,
        description: "converts a copy of the model matrices back",
    },
];

/// The figure, two poses, and the blend of both.
struct Figure {
    scene: Scene,
    skin: Skin,
    mesh: Mesh,
    walk: Pose,
    wave: Pose,
    blended: Pose,
}

impl Figure {
    fn new(scene: Scene) -> Result<Self, sinew::Error> {
        let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
        let mesh = Mesh::new(&scene.mesh.source(), &skin)?;
        let mut walk = scene.skeleton.rest_pose();
        let (mut wave, mut blended) = (walk.clone(), walk.clone());
        Motion::Walk.pose(&scene.skeleton, 0.25, &mut walk)?;
        Motion::Wave.pose(&scene.skeleton, 1.0, &mut wave)?;
        blended.slerp(&walk, &wave, Factor::All(0.5))?;
        Ok(Self { scene, skin, mesh, walk, wave, blended })
    }

    fn right_hand(&self) -> Result<[f32; 3], sinew::Error> {
        let skeleton = &self.scene.skeleton;
        let mut model_from_joint = skeleton.identity_matrices();
        skeleton.to_model(&self.blended, .., &mut model_from_joint)?;
        Ok(model_from_joint[skeleton.joint("right hand")?.index()].translation())
    }

    /// Times the stages, each with its own buffers.
    fn timings(&self) -> Vec<Timing> {
        const CHECKED: &str = "all buffers were created for this figure";
        let skeleton = &self.scene.skeleton;
        let mut posed = skeleton.identity_matrices();
        skeleton.to_model(&self.blended, .., &mut posed).expect(CHECKED);
        let mut updated_palette = Palette::new(&self.skin);
        updated_palette.update(&posed, &self.skin).expect(CHECKED);
        let (mut pose, mut model_from_joint) = (skeleton.rest_pose(), skeleton.identity_matrices());
        let (mut palette, mut local) = (updated_palette.clone(), posed.clone());
        let mut skinned = Skinned::new(&self.mesh, Attributes::Tangents).expect(CHECKED);

        let mut timer = AlternatingTimer::new();
        timer.add("pose", || pose.slerp(&self.walk, &self.wave, Factor::All(0.5)).expect(CHECKED));
        timer.add("model space", || {
            skeleton.to_model(&self.blended, .., &mut model_from_joint).expect(CHECKED)
        });
        timer.add("palette", || palette.update(&posed, &self.skin).expect(CHECKED));
        timer.add("skin", || {
            self.mesh.skin(&updated_palette, &SkinOptions::default(), &mut skinned).expect(CHECKED)
        });
        timer.add("to local space", || {
            local.copy_from_slice(&posed);
            skeleton.to_local(.., &mut local).expect(CHECKED);
        });
        timer.run(LENGTH)
    }
}
