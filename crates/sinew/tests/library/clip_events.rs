//! Events of clips: they fire once whenever time reaches them, however it moves.
//!
//! `SINEW_FRAMES=10000000 cargo test --release -p sinew --test library clip_events` takes ten
//! million steps.

use sinew::animation::{BlendSpace, ClipEvent, Interpolation, Keys, Playhead, Repeat, Track};
use sinew::crowd::CrowdOptions;
use sinew::model::ModelSource;
use sinew::{Bone, Clip, Crowd, InstanceOptions, JointId, Model, Skeleton, Transform};
use sinew_testkit::backends::EMULATED;
use sinew_testkit::random::Random;

/// Seconds of the oracle's unit of time: all sums of it are exact.
const TICK: f64 = 1.0 / 1024.0;

fn step_count() -> usize {
    let requested = std::env::var("SINEW_FRAMES").ok().and_then(|frames| frames.parse().ok());
    requested.unwrap_or(if EMULATED { 2000 } else { 1_000_000 })
}

fn skeleton() -> Skeleton {
    Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)]).expect("a root")
}

/// A clip from one time to another, with events.
fn clip(name: &str, [start, end]: [f32; 2], events: Vec<ClipEvent>) -> Clip {
    let (times, values) = ([start, end], [[0.0; 3], [1.0, 0.0, 0.0]]);
    let len = if start < end { 2 } else { 1 };
    let keys = Keys::Translations { joint: JointId::new(0), values: &values[..len] };
    let track = Track { times: &times[..len], keys, interpolation: Interpolation::Linear };
    Clip::new(name, &skeleton(), &[track]).expect("valid").with_events(events).expect("within the clip")
}

fn model(clips: Vec<Clip>) -> Model {
    Model::new(ModelSource { clips, ..ModelSource::new(skeleton()) }).expect("valid")
}

fn names<'a>(events: impl Iterator<Item = sinew::animation::FiredEvent<'a>>) -> Vec<&'a str> {
    events.map(|fired| fired.event.name.as_str()).collect()
}

/// Time on an endless line of integers, two to a tick. The end of a lap lies one before the start
/// of the next.
struct Oracle {
    length: i64,
    /// Sorted.
    events: Vec<i64>,
    ticks: i64,
    position: i64,
    arrived: bool,
    looped: bool,
}

impl Oracle {
    fn place(&self, ticks: i64) -> i64 {
        if ticks == self.length { 2 * ticks - 1 } else { 2 * ticks }
    }

    fn seek(&mut self, ticks: i64) {
        self.ticks = if self.looped { ticks.rem_euclid(self.length) } else { ticks.clamp(0, self.length) };
        self.position = self.place(self.ticks);
        self.arrived = true;
    }

    /// Advances, and looks at every event of every lap on the way. Returns their indices and
    /// numbers of passes, in order of the first pass.
    fn step(&mut self, by: i64) -> Vec<(usize, u64)> {
        let (from, target) = (self.position, self.ticks + by);
        let target = if self.looped { target } else { target.clamp(0, self.length) };
        let to = if self.looped { 2 * target } else { self.place(target) };
        let laps =
            (from.min(to).div_euclid(2 * self.length) - 2)..=(from.max(to).div_euclid(2 * self.length) + 2);
        let mut passed = Vec::new();
        for (index, &event) in self.events.iter().enumerate() {
            let places = laps.clone().map(|lap| 2 * lap * self.length + self.place(event));
            let on_way =
                |&at: &i64| from < at && at <= to || to <= at && at < from || self.arrived && at == from;
            let found: Vec<i64> = places.filter(on_way).collect();
            if let Some(first) = found.iter().map(|at| (at - from).abs()).min() {
                passed.push((first, index, found.len() as u64));
            }
        }
        passed.sort_by_key(|&(first, index, _)| {
            (first, if to < from { -(index as i64) } else { index as i64 })
        });
        self.arrived = false;
        self.ticks = if self.looped { target.rem_euclid(self.length) } else { target };
        self.position = self.place(self.ticks);
        passed.into_iter().map(|(_, index, passes)| (index, passes)).collect()
    }
}

#[test]
fn events_fire_exactly_once_in_a_million_random_steps() {
    let steps = step_count();
    let random = &mut Random::new(23);
    let (mut done, mut fired, mut several) = (0, 0_u64, 0_u64);
    while done < steps {
        let (start, length) = (random.below(300) as i64, 1 + random.below(200) as i64);
        let events: Vec<i64> = (0..random.below(8))
            .map(|_| match random.below(6) {
                0 => 0,
                1 => length,
                _ => random.below(length as usize + 1) as i64,
            })
            .collect();
        let seconds = |ticks: i64| ((start + ticks) as f64 * TICK) as f32;
        let list = events.iter().map(|&ticks| ClipEvent::new("", seconds(ticks))).collect();
        let clip = clip("", [seconds(0), seconds(length)], list);
        let mut events = events;
        events.sort_unstable();
        let mut playhead = Playhead::new(&clip, Repeat::Loop);
        let mut oracle = Oracle { length, events, ticks: 0, position: 0, arrived: true, looped: true };
        for _ in 0..200 {
            match random.below(12) {
                0 => {
                    let ticks = random.below(3 * length as usize) as i64 - length;
                    playhead.seek((start + ticks) as f64 * TICK);
                    oracle.seek(ticks);
                }
                1 => {
                    oracle.looped = random.once_in(2);
                    playhead.repeat = if oracle.looped { Repeat::Loop } else { Repeat::Clamp };
                }
                2 => playhead.speed = [1.0, -1.0, 0.5, -0.25, 2.0, 0.0][random.below(6)],
                _ => {}
            }
            let most = if random.once_in(8) { 4 * length } else { length / 3 + 2 };
            let ticks = 4 * (random.below(2 * most as usize + 1) as i64 - most);
            let passage = playhead.pass(ticks as f64 * TICK);
            let found: Vec<(usize, u64)> = clip.events_in(&passage).map(|it| (it.index, it.passes)).collect();
            let expected = oracle.step((ticks as f64 * playhead.speed) as i64);
            assert_eq!(found, expected, "{ticks} ticks of {playhead:?}, events {:?}", oracle.events);
            fired += found.iter().map(|&(_, passes)| passes).sum::<u64>();
            several += found.iter().filter(|&&(_, passes)| passes > 1).count() as u64;
            done += 1;
        }
    }
    assert!(
        fired > done as u64 && several > 0,
        "{done} steps, {fired} passes, {several} several in one step"
    );
}

#[test]
fn every_lap_of_any_steps_fires_every_event_once() {
    let random = &mut Random::new(24);
    let times = [0.1_f32, 0.1 + f32::EPSILON, 0.7, 1.2999, 1.3];
    let clip = clip("", [0.1, 1.3], times.map(|time| ClipEvent::new("", time)).to_vec());
    for direction in [1.0, -1.0] {
        let mut playhead = Playhead::new(&clip, Repeat::Loop);
        let (mut laps, mut counts) = (0, [0_i64; 5]);
        for _ in 0..if EMULATED { 2000 } else { 100_000 } {
            let passage = playhead.pass(direction * f64::from(random.between(0.0, 0.3)));
            laps += passage.laps();
            for passed in clip.events_in(&passage) {
                assert_eq!(passed.passes, 1);
                counts[passed.index] += 1;
            }
        }
        let now = playhead.time();
        for (index, &time) in times.iter().enumerate() {
            let (whole, time) = (laps.abs(), f64::from(time));
            let expected = if direction > 0.0 {
                whole + i64::from(time <= now && index != 4)
            } else {
                // The first lap in reverse is the one before, and the start was reached at once.
                whole - 1 + i64::from(time >= now) + i64::from(index == 0)
            };
            assert_eq!(counts[index], expected, "event {index}, direction {direction}");
        }
    }
}

#[test]
fn events_are_sorted_and_times_outside_the_clip_are_errors() {
    let sorted = clip("a", [0.5, 2.0], vec![ClipEvent::new("late", 2.0), ClipEvent::new("early", 0.5)]);
    assert_eq!(sorted.events(), [ClipEvent::new("early", 0.5), ClipEvent::new("late", 2.0)]);
    for seconds in [0.25, 2.5, -1.0, f32::NAN, f32::INFINITY] {
        let bad = vec![ClipEvent::new("step", 1.0), ClipEvent::new("jump", seconds)];
        let error = clip("a", [0.5, 2.0], Vec::new()).with_events(bad).unwrap_err();
        let expected = format!("expected a time from 0.5 to 2.0, found {seconds:?}");
        assert_eq!(error.to_string(), format!("clip \"a\", event 1 \"jump\": {expected}"));
    }
    let bytes = |events: usize| clip("", [0.0, 1.0], vec![ClipEvent::new("name", 0.5); events]).bytes();
    assert_eq!(bytes(3) - bytes(0), 3 * (size_of::<ClipEvent>() + 4));
}

#[test]
fn clones_of_a_clip_keep_its_events() {
    let walk = clip("walk", [0.0, 1.0], vec![ClipEvent::new("step", 0.5)]);
    assert_eq!(walk.clone().events(), walk.events());
    assert_eq!(model(vec![walk.clone()]).clips()[0].events(), walk.events());
}

#[test]
fn a_start_and_a_seek_fire_events_at_their_time_with_the_next_step() {
    let event = |name, seconds| ClipEvent::new(name, seconds);
    let events = vec![event("start", 0.0), event("middle", 0.5), event("end", 1.0)];
    let model = model(vec![clip("a", [0.0, 1.0], events)]);
    let mut instance = model.instance();
    instance.play("a").unwrap();
    assert_eq!(instance.events().count(), 0);
    instance.step(0.0);
    assert_eq!(names(instance.events()), ["start"]);
    instance.step(0.0);
    assert_eq!(instance.events().count(), 0);
    // A seek passes over nothing.
    instance.playbacks_mut()[0].seek(0.75);
    instance.step(0.125);
    assert_eq!(instance.events().count(), 0);
    instance.playbacks_mut()[0].seek(0.5);
    instance.step(0.25);
    assert_eq!(names(instance.events()), ["middle"]);
    // The end comes before the start of the next lap.
    instance.step(0.25);
    assert_eq!(names(instance.events()), ["end", "start"]);
    instance.step(2.75);
    let passes: Vec<_> = instance.events().map(|fired| (fired.event.name.as_str(), fired.passes)).collect();
    assert_eq!(passes, [("middle", 3), ("end", 2), ("start", 2)]);
    // NaN moves nothing.
    instance.step(f32::NAN);
    assert_eq!(instance.events().count(), 0);
    instance.playbacks_mut()[0].set_speed(-1.0);
    instance.step(1.0);
    let reverse: Vec<_> = instance.events().map(|fired| (fired.event.name.as_str(), fired.reverse)).collect();
    assert_eq!(reverse, [("middle", true), ("start", true), ("end", true)]);
}

#[test]
fn a_clip_of_one_key_fires_once() {
    let model = model(vec![clip("a", [0.5, 0.5], vec![ClipEvent::new("only", 0.5)])]);
    let mut instance = model.instance();
    instance.play("a").unwrap();
    let mut fired = 0;
    for _ in 0..10 {
        instance.step(0.25);
        fired += instance.events().count();
    }
    assert_eq!(fired, 1);
}

#[test]
fn a_clamped_clip_fires_its_last_event_once() {
    let model = model(vec![clip("a", [0.0, 1.0], vec![ClipEvent::new("end", 1.0)])]);
    let mut instance = model.instance();
    instance.play("a").unwrap().set_repeat(Repeat::Clamp);
    let mut fired = Vec::new();
    for frame in 0..9 {
        instance.step(0.25);
        fired.extend(instance.events().map(|_| frame));
    }
    assert_eq!(fired, [3]);
}

#[test]
fn events_tell_the_weight_of_their_clip() {
    let events = |name| vec![ClipEvent::new(name, 0.5)];
    let model = model(vec![clip("a", [0.0, 1.0], events("a")), clip("b", [0.0, 2.0], events("b"))]);
    let mut instance = model.instance();
    instance.play("a").unwrap().set_weight(0.25);
    instance.blend("b").unwrap().fade_in(2.0);
    instance.step(0.5);
    let found: Vec<_> = instance.events().map(|fired| (fired.clip, fired.weight)).collect();
    assert_eq!(found, [(0, 0.25), (1, 0.25)]);

    // In a blend space all clips have one phase: 0.5 is half of one clip and a quarter of the
    // other.
    let space = BlendSpace::line(model.clip_set(), &[("a", 0.0), ("b", 1.0)]).unwrap();
    instance.play_space(&space).unwrap().set_blend_position(&[0.5]).unwrap();
    instance.step(0.5); // A third of a cycle of 1.5 seconds.
    let found: Vec<_> = instance.events().map(|fired| (fired.clip, fired.weight)).collect();
    assert_eq!(found, [(1, 0.5)]);
    instance.step(0.5);
    assert_eq!(names(instance.events()), ["a"]);
    // Clips without weight fire nothing.
    instance.playbacks_mut()[0].set_blend_position(&[0.0]).unwrap();
    instance.step(1.0);
    assert_eq!(names(instance.events()), ["a"]);
}

#[test]
fn members_of_a_crowd_fire_like_instances_and_only_in_steps_that_animate_them() {
    let events = (0..9).map(|i| ClipEvent::new("", 0.11 * i as f32)).collect();
    let model = model(vec![clip("a", [0.0, 1.0], events)]);
    let mut crowd = Crowd::new(CrowdOptions::default());
    crowd.add_model(&model, &InstanceOptions::default());
    let ids = [0, 1].map(|_| crowd.add(0).unwrap());
    for (interval, &id) in [1, 3].iter().zip(&ids) {
        let member = crowd.member_mut(id).unwrap();
        member.update_interval = *interval;
        member.animator_mut().play("a").unwrap();
    }
    let mut instance = model.instance();
    instance.play("a").unwrap();
    let mut totals = [0, 0, 0];
    for _ in 0..300 {
        crowd.step(0.03125);
        instance.step(0.03125);
        let counts = ids.map(|id| crowd.member(id).unwrap().animator().events().count());
        assert_eq!(counts[0], instance.events().count());
        totals[0] += counts[0];
        totals[1] += counts[1];
        totals[2] += instance.events().count();
    }
    assert_eq!(totals, [totals[0]; 3]);
    assert!(totals[0] > 80);
}

#[test]
fn firing_allocates_nothing() {
    let events = (0..9).map(|i| ClipEvent::new("step", 0.11 * i as f32)).collect();
    let model = model(vec![clip("a", [0.0, 1.0], events)]);
    let mut instance = model.instance();
    instance.play("a").unwrap();
    instance.blend("a").unwrap();
    let counted = allocation_counter::measure(|| {
        for frame in 0..100 {
            instance.step(frame as f32 * 0.1);
        }
    });
    assert_eq!(counted.count_total, 0);
}
