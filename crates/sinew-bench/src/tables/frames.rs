//! Whole frames of one, a hundred and a thousand figures, stage by stage.

use std::cell::RefCell;

use sinew::animation::{Cursor, Layer};
use sinew::mesh::Attributes;
use sinew::runtime::backend;
use sinew::skinning::Skinned;
use sinew::{Clip, Instance, Matrix, Mesh, Model, Palette, Pose, Skeleton, Skin, SkinOptions};

use super::bench_group::{BenchGroup, Context};
use super::job::Job;
use super::measurement::{Amount, Measurement};
use crate::Error;

pub(super) const TABLE: &str = "frames";

const ROUTINES: &[&str] = &["sample", "blend", "model", "palette", "skin", "frame", "instance"];

const CHECKED: &str = "poses, palettes and outputs were made for this figure";

/// One job per number of figures.
pub(super) fn jobs() -> Vec<Job> {
    let job = |figures: usize| Job {
        tables: &[TABLE],
        routines: ROUTINES,
        run: Box::new(move |context: &Context| measure(figures, context)),
    };
    [1, 100, 1000].map(job).into()
}

/// The data that all figures share.
struct SharedData<'a> {
    skeleton: &'a Skeleton,
    clips: [&'a Clip; 2],
    skin: &'a Skin,
    mesh: &'a Mesh,
}

/// The data of one figure.
#[derive(Clone)]
struct Figure {
    cursors: [Cursor; 2],
    sampled: [Pose; 2],
    pose: Pose,
    model_from_joint: Vec<Matrix>,
    palette: Palette,
    seconds: f32,
}

impl SharedData<'_> {
    fn new(model: &Model) -> SharedData<'_> {
        SharedData {
            skeleton: model.skeleton(),
            clips: [&model.clips()[0], &model.clips()[1]],
            skin: &model.skins()[0],
            mesh: &model.primitive(0).mesh,
        }
    }

    /// Figures with different time offsets.
    fn figures(&self, len: usize) -> Vec<Figure> {
        let pose = self.skeleton.rest_pose();
        let figure = Figure {
            cursors: self.clips.map(Clip::cursor),
            sampled: [pose.clone(), pose.clone()],
            pose,
            model_from_joint: self.skeleton.identity_matrices(),
            palette: Palette::new(self.skin),
            seconds: 0.0,
        };
        let mut figures = vec![figure; len];
        for (i, figure) in figures.iter_mut().enumerate() {
            figure.seconds = i as f32 * 0.013;
            self.animate(figure);
        }
        figures
    }

    /// Samples two clips a sixtieth of a second later.
    fn sample(&self, figure: &mut Figure) {
        figure.seconds += 1.0 / 60.0;
        let clips = self.clips.iter().zip(&mut figure.cursors).zip(&mut figure.sampled);
        for ((clip, cursor), pose) in clips {
            clip.sample(figure.seconds % clip.end(), cursor, pose).expect(CHECKED);
        }
    }

    fn blend(&self, figure: &mut Figure) {
        let [first, second] = &figure.sampled;
        let layers = [Layer::new(first, 0.7), Layer::new(second, 0.3)];
        figure.pose.blend(self.skeleton.rest(), &layers).expect(CHECKED);
    }

    fn to_model(&self, figure: &mut Figure) {
        self.skeleton.to_model(&figure.pose, .., &mut figure.model_from_joint).expect(CHECKED);
    }

    fn palette(&self, figure: &mut Figure) {
        figure.palette.update(&figure.model_from_joint, self.skin).expect(CHECKED);
    }

    fn animate(&self, figure: &mut Figure) {
        self.sample(figure);
        self.blend(figure);
        self.to_model(figure);
        self.palette(figure);
    }

    fn skin(&self, figure: &Figure, to: &mut Skinned) {
        self.mesh.skin(&figure.palette, &SkinOptions::default(), to).expect(CHECKED);
    }
}

/// Measures each stage of all figures, whole frames figure by figure, and the same with instances,
/// which keep their vertices.
fn measure(len: usize, context: &Context) -> Result<Vec<Measurement>, Error> {
    let model = figure_model()?;
    let stage = SharedData::new(&model);
    // All stages use the same figures, as in a frame.
    let figures = RefCell::new(stage.figures(len));
    let (mut reused, mut reused_in_frame) =
        (Skinned::new(stage.mesh, Attributes::Tangents)?, Skinned::new(stage.mesh, Attributes::Tangents)?);
    let (joints, vertices) = (len * stage.skeleton.len(), len * stage.mesh.len());
    let row = |routine, elements| Measurement {
        elements,
        ..Measurement::new(
            TABLE,
            routine,
            "sinew",
            Some(backend::default().unwrap_or(backend::baseline()).name()),
        )
    };
    let mut group = BenchGroup::default();
    type StageFn = fn(&SharedData<'_>, &mut Figure);
    let stages: [(&'static str, StageFn); 4] = [
        ("sample", |stage, figure| stage.sample(figure)),
        ("blend", |stage, figure| stage.blend(figure)),
        ("model", |stage, figure| stage.to_model(figure)),
        ("palette", |stage, figure| stage.palette(figure)),
    ];
    let (stage, figures) = (&stage, &figures);
    for (routine, run) in stages {
        group.add(row(routine, joints), move || {
            figures.borrow_mut().iter_mut().for_each(|figure| run(stage, figure));
        });
    }
    group.add(row("skin", vertices), move || {
        figures.borrow().iter().for_each(|figure| stage.skin(figure, &mut reused));
    });
    group.add(row("frame", vertices), move || {
        for figure in figures.borrow_mut().iter_mut() {
            stage.animate(figure);
            stage.skin(figure, &mut reused_in_frame);
        }
    });
    let mut instances = instances(&model, len);
    group.add(row("instance", vertices), move || {
        for instance in &mut instances {
            instance.step(1.0 / 60.0);
            instance.skin();
        }
    });
    Ok(group.run(context).into_iter().map(|row| with_microseconds_per_figure(row, len)).collect())
}

/// Instances that blend two clips, with different time offsets.
fn instances(model: &Model, len: usize) -> Vec<Instance> {
    let mut instances = Vec::new();
    for i in 0..len {
        let mut instance = model.instance();
        let seconds = i as f64 * 0.013;
        instance.start(0).set_weight(0.7).seek(seconds);
        instance.start(1).set_weight(0.3).seek(seconds);
        instances.push(instance);
    }
    instances
}

/// The figure of several tables.
pub(super) fn figure_model() -> Result<Model, Error> {
    let scene = sinew_figures::scene("@figure")?;
    Ok(scene.model()?)
}

/// Adds the time per figure.
pub(super) fn with_microseconds_per_figure(row: Measurement, figures: usize) -> Measurement {
    let amount = Amount { value: row.seconds() * 1e6 / figures as f64, unit: "us a figure" };
    Measurement { amount: Some(amount), ..row }
}
