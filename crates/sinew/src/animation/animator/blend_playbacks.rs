//! Blends playbacks into one pose.

use super::playback::Playback;
use super::sampled_pose::{LayerScratch, SAME_SKELETON, SampledPose};
use crate::animation::blend::{BATCH, WeightSums, batch_part};
use crate::animation::{Additive, ClipSet, Layer};
use crate::skeleton::Pose;

/// Writes the pose of playbacks a number of seconds ahead of their current times, which stops at
/// the ends of clips. Parts with an effective weight of zero are not sampled.
pub(super) fn blend_playbacks(
    set: &ClipSet,
    playbacks: &mut [Playback],
    ahead: f64,
    scratch: &mut LayerScratch,
    output: &mut SampledPose,
) {
    match only_layer(playbacks, ahead) {
        LayerCount::None => output.reset(set),
        LayerCount::OneReplacesAll(index) => {
            if let Some(mut source) = playbacks[index].sources(set, ahead).next() {
                output.sample(set, &mut source);
            }
        }
        LayerCount::Some => blend_layers(set, playbacks, ahead, scratch, output.pose_mut()),
    }
    for playback in playbacks.iter_mut().filter(|playback| playback.effective_weight() > 0.0) {
        if playback.reference.is_none() {
            continue;
        }
        let [sampled, _] = &mut scratch.layers;
        let Some(mut source) = playback.sources(set, ahead).next() else { continue };
        sampled.sample(set, &mut source);
        let weight = source.weight;
        let Some(reference) = &playback.reference else { continue };
        let layer = Additive { pose: &sampled.pose, reference, weight, mask: playback.mask.as_ref() };
        output.pose_mut().add(&layer).expect(SAME_SKELETON);
    }
}

/// What there is to blend.
enum LayerCount {
    None,
    /// One layer of this playback, with full weight at every joint.
    OneReplacesAll(usize),
    Some,
}

fn only_layer(playbacks: &[Playback], ahead: f64) -> LayerCount {
    let mut found = LayerCount::None;
    for (index, playback) in playbacks.iter().enumerate() {
        for (_, weight) in playback.layers(ahead) {
            found = match found {
                LayerCount::None if weight >= 1.0 && playback.mask.is_none() => {
                    LayerCount::OneReplacesAll(index)
                }
                _ => return LayerCount::Some,
            };
        }
    }
    found
}

fn blend_layers(
    set: &ClipSet,
    playbacks: &mut [Playback],
    ahead: f64,
    scratch: &mut LayerScratch,
    pose: &mut Pose,
) {
    let rest = set.skeleton().rest();
    let (mut count, mut masked, mut sum, mut scaled) = (0, false, 0.0, rest.scaled);
    for playback in &*playbacks {
        for (clip, weight) in playback.layers(ahead) {
            count += 1;
            sum += f64::from(weight);
            masked |= playback.mask.is_some();
            scaled |= set.clips()[clip].has_scales();
        }
    }
    pose.begin_blend(rest, scaled, sum);
    let LayerScratch { layers, sums } = scratch;
    if masked {
        sums.fill(0.0);
        for playback in &*playbacks {
            for (_, weight) in playback.layers(ahead) {
                Layer { pose: rest, weight, mask: playback.mask.as_ref() }.add_weights(0, sums);
            }
        }
    }
    // Nested loops: the state of one chain of iterators would be copied for each playback.
    let (mut done, mut len) = (0, 0);
    let mut shares = [(0.0, None); 2];
    for playback in playbacks.iter_mut().filter(|playback| playback.reference.is_none()) {
        for mut source in playback.sources(set, ahead) {
            layers[len].sample(set, &mut source);
            shares[len] = (source.weight, source.mask);
            len += 1;
            if len < layers.len() && done + len < count {
                continue;
            }
            let [(weight, mask), (other_weight, other_mask)] = shares;
            let some = [
                Layer { pose: &layers[0].pose, weight, mask },
                Layer { pose: &layers[1].pose, weight: other_weight, mask: other_mask },
            ];
            let part = batch_part(done == 0, done + len == count);
            some[..len].iter().for_each(|layer| pose.add_morph_weights(layer, sum));
            if masked {
                for start in (0..pose.len()).step_by(BATCH) {
                    let range = start..pose.len().min(start + BATCH);
                    let sums = WeightSums::PerJoint(&sums[range.clone()]);
                    pose.blend_batch(range, part, rest, &some[..len], &sums);
                }
            } else {
                pose.blend_batch(0..pose.len(), part, rest, &some[..len], &WeightSums::Uniform(sum));
            }
            done += len;
            len = 0;
        }
    }
}
