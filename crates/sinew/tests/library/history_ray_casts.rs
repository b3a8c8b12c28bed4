//! Ray casts at past times: a recorded frame gives the identical hit.

use sinew::model::History;
use sinew::{Aabb, FloatMode, Hit, Instance, Model, Ray};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;

use crate::support::backends::runtime;

const FRAMES: u32 = if EMULATED { 8 } else { 40 };
const RAYS: usize = if EMULATED { 5 } else { 20 };

/// Rays from around a box to points inside it.
fn random_rays(bounds: &Aabb, random: &mut Random) -> Vec<Ray> {
    let mut within = |grown: f32| -> [f32; 3] {
        std::array::from_fn(|c| random.between(bounds.min[c] - grown, bounds.max[c] + grown))
    };
    (0..RAYS).map(|_| Ray::between(within(1.0), within(0.0))).collect()
}

fn cast_all(instance: &mut Instance, rays: &[Ray]) -> Vec<Option<Hit>> {
    rays.iter().map(|ray| instance.cast(ray)).collect()
}

fn hit_bits(hits: &[Option<Hit>]) -> Vec<u32> {
    let floats = |hit: &Hit| {
        let vectors = hit.point.into_iter().chain(hit.normal).chain(hit.barycentrics);
        vectors.chain([hit.distance]).map(f32::to_bits).chain([hit.triangle as u32, hit.joint.index() as u32])
    };
    hits.iter().flat_map(|hit| hit.iter().flat_map(floats).collect::<Vec<u32>>()).collect()
}

/// Casts rays in every frame as it is played, and asserts that the history gives the same hits.
/// Returns the bits of all hits.
fn play_and_rewind(model: &Model) -> Vec<u32> {
    let random = &mut Random::new(650);
    let mut runner = model.instance();
    runner.start(0);
    let mut history = History::new(model.skeleton(), FRAMES as usize);
    let mut frames = Vec::new();
    for frame in 0..FRAMES {
        runner.step(1.0 / 13.0);
        let seconds = 1e5 + f64::from(frame) / 13.0;
        history.record(seconds, runner.pose()).expect("times rise");
        let rays = random_rays(&runner.bounds(), random);
        let hits = cast_all(&mut runner, &rays);
        frames.push((seconds, rays, hits));
    }
    let present = runner.pose().clone();
    let mut past = model.instance();
    for (seconds, rays, hits) in frames.iter().rev() {
        history.pose_at(*seconds, past.pose_mut()).expect("a finite time");
        assert_eq!(hit_bits(&cast_all(&mut past, rays)), hit_bits(hits));
    }
    assert_eq!(*runner.pose(), present);
    let all: Vec<Option<Hit>> = frames.into_iter().flat_map(|(_, _, hits)| hits).collect();
    assert!(all.iter().flatten().count() > all.len() / 20, "too few hits to tell");
    hit_bits(&all)
}

#[test]
fn a_recorded_frame_gives_the_identical_hit_on_every_backend() {
    let mut first: Option<Vec<u32>> = None;
    let mut scene = sinew_figures::scene("@figure:300").expect("a scene by rule");
    scene.motions.truncate(1);
    every_backend(|run| {
        scene.skeleton = scene.skeleton.clone().with_runtime(runtime(run));
        let hits = play_and_rewind(&scene.model().expect("a scene by rule"));
        if run.float_mode == FloatMode::Reproducible {
            assert!(first.get_or_insert_with(|| hits.clone()) == &hits, "{run}");
        }
    });
}
