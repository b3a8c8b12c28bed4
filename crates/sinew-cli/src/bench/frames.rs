//! Whole frames of one, a hundred and a thousand figures, stage by stage.

use std::cell::RefCell;

use sinew::{
    Attributes, Clip, Cursor, Instance, Layer, Matrix, Mesh, Model, Palette, Pose, Skeleton, Skin,
    SkinOptions, Skinned, backend,
};

use super::contest::{Contest, Context};
use super::plan::Job;
use super::row::{Amount, Row};
use crate::Failure;

const TABLE: &str = "frames";

const ROUTINES: &[&str] = &["sample", "blend", "model", "palette", "skin", "frame", "instance"];

const CHECKED: &str = "all of it was made for this figure";

/// A race for each number of figures.
pub(super) fn jobs() -> Vec<Job> {
    let job = |figures: usize| Job {
        tables: &[TABLE],
        routines: ROUTINES,
        run: Box::new(move |context: &Context| measure(figures, context)),
    };
    [1, 100, 1000].map(job).into()
}

/// What all figures share.
struct Stage<'a> {
    skeleton: &'a Skeleton,
    clips: [&'a Clip; 2],
    skin: &'a Skin,
    mesh: &'a Mesh,
}

/// What each figure has of its own.
#[derive(Clone)]
struct Figure {
    cursors: [Cursor; 2],
    sampled: [Pose; 2],
    pose: Pose,
    model_from_joint: Vec<Matrix>,
    palette: Palette,
    seconds: f32,
}

impl Stage<'_> {
    fn of(model: &Model) -> Stage<'_> {
        Stage {
            skeleton: model.skeleton(),
            clips: [&model.clips()[0], &model.clips()[1]],
            skin: &model.skins()[0],
            mesh: &model.surface(0).mesh,
        }
    }

    /// Figures, each at a time of its own.
    fn figures(&self, len: usize) -> Vec<Figure> {
        let pose = self.skeleton.rest_pose();
        let figure = Figure {
            cursors: self.clips.map(Clip::cursor),
            sampled: [pose.clone(), pose.clone()],
            pose,
            model_from_joint: self.skeleton.model_matrices(),
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

    /// Two clips, a sixtieth of a second further.
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

/// The stages of all figures one after the other, the frame figure by figure, and the same by instances, which keep
/// their vertices.
fn measure(len: usize, context: &Context) -> Result<Vec<Row>, Failure> {
    let model = figure()?;
    let stage = Stage::of(&model);
    // All stages are of the same figures, as in a frame.
    let figures = RefCell::new(stage.figures(len));
    let (mut reused, mut reused_in_frame) =
        (Skinned::new(stage.mesh, Attributes::Tangents)?, Skinned::new(stage.mesh, Attributes::Tangents)?);
    let (joints, vertices) = (len * stage.skeleton.len(), len * stage.mesh.len());
    let row = |routine, elements| Row {
        elements,
        ..Row::new(TABLE, routine, "sinew", Some(backend::default().unwrap_or(backend::baseline()).name()))
    };
    let mut contest = Contest::default();
    type Act = fn(&Stage<'_>, &mut Figure);
    let acts: [(&'static str, Act); 4] = [
        ("sample", |stage, figure| stage.sample(figure)),
        ("blend", |stage, figure| stage.blend(figure)),
        ("model", |stage, figure| stage.to_model(figure)),
        ("palette", |stage, figure| stage.palette(figure)),
    ];
    let (stage, figures) = (&stage, &figures);
    for (routine, act) in acts {
        contest.add(row(routine, joints), move || {
            figures.borrow_mut().iter_mut().for_each(|figure| act(stage, figure));
        });
    }
    contest.add(row("skin", vertices), move || {
        figures.borrow().iter().for_each(|figure| stage.skin(figure, &mut reused));
    });
    contest.add(row("frame", vertices), move || {
        for figure in figures.borrow_mut().iter_mut() {
            stage.animate(figure);
            stage.skin(figure, &mut reused_in_frame);
        }
    });
    let mut instances = instances(&model, len);
    contest.add(row("instance", vertices), move || {
        for instance in &mut instances {
            instance.step(1.0 / 60.0);
            instance.skin();
        }
    });
    Ok(contest.run(context).into_iter().map(|row| in_microseconds(row, len)).collect())
}

/// Instances that blend two clips, each at a time of its own.
fn instances(model: &Model, len: usize) -> Vec<Instance> {
    let mut instances = Vec::new();
    for i in 0..len {
        let mut instance = model.instance();
        let seconds = i as f64 * 0.013;
        instance.start(0).weight(0.7).at(seconds);
        instance.start(1).weight(0.3).at(seconds);
        instances.push(instance);
    }
    instances
}

/// The figure that many tables are about.
pub(super) fn figure() -> Result<Model, Failure> {
    let scene = sinew_figures::scene("@figure").map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(scene.model()?)
}

/// The row with the time of one figure.
pub(super) fn in_microseconds(row: Row, figures: usize) -> Row {
    let amount = Amount { value: row.seconds() * 1e6 / figures as f64, unit: "us a figure" };
    Row { amount: Some(amount), ..row }
}
