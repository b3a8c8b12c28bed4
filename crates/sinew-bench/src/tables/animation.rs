//! The animation of one skeleton, stage by stage, for kinds of clips and of skeletons.

use sinew::animation::{Cursor, Interpolation, KeyData, Layer, TrackData};
use sinew::runtime::backend;
use sinew::{Bone, Clip, JointId, Matrix, Palette, Pose, Skeleton, Skin, Transform};

use super::bench_group::{BenchGroup, Context};
use super::frames::{TABLE, figure_model};
use super::job::Job;
use super::measurement::Measurement;
use crate::Error;
use crate::workload::Random;

const ROUTINES: &[&str] = &["sample", "seek", "blend", "model", "palette", "animate"];

/// A minute of frames, after which the times repeat.
const STEPS: usize = 3600;

const CHECKED: &str = "poses, palettes and cursors were made for this skeleton";

/// One job per case.
pub(super) fn jobs() -> Vec<Job> {
    let job = |case: CaseFn| Job {
        tables: &[TABLE],
        routines: ROUTINES,
        run: Box::new(move |context: &Context| measure(case()?, context)),
    };
    let cases: [CaseFn; 7] = [common_times, reduced, own_times, scaled, chain, four_joints, one_joint];
    cases.map(job).into()
}

type CaseFn = fn() -> Result<Case, Error>;

/// A skeleton and two clips to blend.
struct Case {
    name: &'static str,
    skeleton: Skeleton,
    skin: Skin,
    clips: [Clip; 2],
}

impl Case {
    fn new(name: &'static str, skeleton: Skeleton, tracks: [Vec<TrackData>; 2]) -> Result<Self, Error> {
        let clip = |tracks: &[TrackData]| {
            let tracks: Vec<_> = tracks.iter().map(TrackData::track).collect();
            Clip::new(name, &skeleton, &tracks)
        };
        let clips = [clip(&tracks[0])?, clip(&tracks[1])?];
        let joints: Vec<JointId> = skeleton.joints().collect();
        let skin = Skin::new(&skeleton, &joints)?;
        Ok(Self { name, skeleton, skin, clips })
    }
}

/// The figure's two clips: keys of all tracks at the same 30 times a second.
fn common_times() -> Result<Case, Error> {
    let model = figure_model()?;
    let tracks = [0, 1].map(|clip: usize| model.clips()[clip].tracks().collect());
    Case::new("common times", model.skeleton().clone(), tracks)
}

/// The same with half of the keys left out, others for each track: times on a grid.
fn reduced() -> Result<Case, Error> {
    let mut case = figure_tracks()?;
    let random = &mut Random::new(1);
    case.1.iter_mut().flatten().for_each(|track| keep_some(track, |_| random.below(2) == 0));
    Case::new("reduced", case.0, case.1)
}

/// The same with a third of the keys kept, at times that no other track has.
fn own_times() -> Result<Case, Error> {
    let mut case = figure_tracks()?;
    let random = &mut Random::new(2);
    for track in case.1.iter_mut().flatten() {
        keep_some(track, |_| random.below(3) == 0);
        let last = track.times.len() - 1;
        for time in &mut track.times[1..last] {
            *time += random.below(1000) as f32 * 2e-5;
        }
    }
    Case::new("own times", case.0, case.1)
}

/// The figure's clips, and every joint moves and scales too.
fn scaled() -> Result<Case, Error> {
    let (skeleton, mut tracks) = figure_tracks()?;
    for tracks in &mut tracks {
        let times = tracks[0].times.clone();
        tracks.retain(|track| matches!(track.keys, KeyData::Rotations { .. }));
        for joint in skeleton.joints() {
            let wave = |i: usize| 0.01 * ((i + joint.index()) % 30) as f32;
            let rest = skeleton.rest().translation(joint);
            let moves = (0..times.len()).map(|i| rest.map(|element| element + wave(i))).collect();
            let scales = (0..times.len()).map(|i| [1.0 + wave(i); 3]).collect();
            for keys in
                [KeyData::Translations { joint, values: moves }, KeyData::Scales { joint, values: scales }]
            {
                tracks.push(TrackData { times: times.clone(), keys, interpolation: Interpolation::Linear });
            }
        }
    }
    Case::new("moved and scaled", skeleton, tracks)
}

fn chain() -> Result<Case, Error> {
    chain_of("chain of 1000", 1000)
}

fn four_joints() -> Result<Case, Error> {
    chain_of("four joints", 4)
}

fn one_joint() -> Result<Case, Error> {
    chain_of("one joint", 1)
}

fn figure_tracks() -> Result<(Skeleton, [Vec<TrackData>; 2]), Error> {
    let model = figure_model()?;
    Ok((model.skeleton().clone(), [0, 1].map(|clip: usize| model.clips()[clip].tracks().collect())))
}

/// A chain whose joints all turn.
fn chain_of(name: &'static str, len: usize) -> Result<Case, Error> {
    let rest = Transform { translation: [0.0, 0.1, 0.0], ..Transform::IDENTITY };
    let bones: Vec<Bone> =
        (0..len).map(|joint: usize| Bone::new(&joint.to_string(), joint.checked_sub(1), rest)).collect();
    let skeleton = Skeleton::new(&bones)?;
    let tracks = [5, 7].map(|period: usize| {
        let turning = |joint| {
            let value = |i: usize| [0.1 * (i % period) as f32, 0.0, 0.05, 1.0];
            let values = (0..60).map(value).collect();
            let times = (0..60).map(|i| i as f32 / 30.0).collect();
            TrackData {
                times,
                keys: KeyData::Rotations { joint, values },
                interpolation: Interpolation::Linear,
            }
        };
        skeleton.joints().map(turning).collect()
    });
    Case::new(name, skeleton, tracks)
}

/// Keeps the first and the last key, and some of the others.
fn keep_some(track: &mut TrackData, mut keep: impl FnMut(usize) -> bool) {
    let last = track.times.len() - 1;
    let kept: Vec<usize> = (0..=last).filter(|&i| i == 0 || i == last || keep(i)).collect();
    track.times = kept.iter().map(|&i| track.times[i]).collect();
    match &mut track.keys {
        KeyData::Rotations { values, .. } => *values = kept.iter().map(|&i| values[i]).collect(),
        KeyData::Translations { values, .. } | KeyData::Scales { values, .. } => {
            *values = kept.iter().map(|&i| values[i]).collect();
        }
        KeyData::Weights { .. } => {}
    }
}

/// What a frame works with.
struct Frame<'a> {
    case: &'a Case,
    cursors: [Cursor; 2],
    sampled: [Pose; 2],
    pose: Pose,
    model_from_joint: Vec<Matrix>,
    palette: Palette,
    /// Times within the clips, computed before: a remainder takes as long as sampling a few joints.
    steps: Vec<[f32; 2]>,
    seeks: Vec<f32>,
    step: usize,
}

impl<'a> Frame<'a> {
    fn new(case: &'a Case) -> Self {
        let pose = case.skeleton.rest_pose();
        let [first, second] = [case.clips[0].end(), case.clips[1].end()];
        let seconds = (0..STEPS).map(|step| step as f32 / 60.0);
        let random = &mut Random::new(3);
        let mut frame = Self {
            case,
            cursors: [case.clips[0].cursor(), case.clips[1].cursor()],
            sampled: [pose.clone(), pose.clone()],
            pose,
            model_from_joint: case.skeleton.identity_matrices(),
            palette: Palette::new(&case.skin),
            steps: seconds.map(|seconds| [seconds % first, seconds % second]).collect(),
            seeks: (0..STEPS).map(|_| random.below(1000) as f32 / 1000.0 * first).collect(),
            step: 0,
        };
        frame.animate();
        frame
    }

    fn sample(&mut self, clip: usize, seconds: f32) {
        let (source, cursor) = (&self.case.clips[clip], &mut self.cursors[clip]);
        source.sample(seconds, cursor, &mut self.sampled[clip]).expect(CHECKED);
    }

    fn step(&mut self) {
        self.step = if self.step + 1 < STEPS { self.step + 1 } else { 0 };
    }

    fn seek(&mut self) {
        self.step();
        self.sample(0, self.seeks[self.step]);
    }

    fn blend(&mut self) {
        let [first, second] = &self.sampled;
        let layers = [Layer::new(first, 0.7), Layer::new(second, 0.3)];
        self.pose.blend(self.case.skeleton.rest(), &layers).expect(CHECKED);
    }

    fn update_model(&mut self) {
        self.case.skeleton.to_model(&self.pose, .., &mut self.model_from_joint).expect(CHECKED);
    }

    fn palette(&mut self) {
        self.palette.update(&self.model_from_joint, &self.case.skin).expect(CHECKED);
    }

    fn animate(&mut self) {
        self.step();
        let [first, second] = self.steps[self.step];
        self.sample(0, first);
        self.sample(1, second);
        self.blend();
        self.update_model();
        self.palette();
    }
}

fn measure(case: Case, context: &Context) -> Result<Vec<Measurement>, Error> {
    let isa = backend::default().unwrap_or(backend::baseline()).name();
    let mut group = BenchGroup::default();
    type StageFn = fn(&mut Frame<'_>);
    let stages: [(&'static str, StageFn); 6] = [
        ("sample", |frame| {
            frame.step();
            frame.sample(0, frame.steps[frame.step][0]);
        }),
        ("seek", |frame| frame.seek()),
        ("blend", |frame| frame.blend()),
        ("model", |frame| frame.update_model()),
        ("palette", |frame| frame.palette()),
        ("animate", |frame| frame.animate()),
    ];
    for (routine, run) in stages {
        let elements = case.skeleton.len();
        let method = format!("sinew, {}", case.name);
        let row = Measurement { elements, ..Measurement::new(TABLE, routine, method, Some(isa)) };
        let mut frame = Frame::new(&case);
        group.add(row, move || run(&mut frame));
    }
    Ok(group.run(context))
}
