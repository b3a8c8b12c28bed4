//! Makes clips for an avatar of the animations of a VRMA file.

use std::collections::BTreeMap;

use sinew::animation::{Interpolation, KeyData, TrackData};
use sinew::{Clip, Error, JointId, Matrix, Model, Skeleton};

use super::human_bone::HumanBone;
use super::quaternion::{from_f32, normalize, to_f32};
use super::vrm::{Vrm, VrmAnimation, VrmVersion};
use crate::math::Quaternion;
use crate::math::quaternion::{IDENTITY, conjugate, product, rotate};

/// Half a turn about Y: avatars of VRM 0.x look the other way.
const HALF_TURN: Quaternion = [0.0, 1.0, 0.0, 0.0];

impl Vrm {
    /// Clips for this avatar from all clips of a VRMA file: `animation` and `source` are its VRM
    /// data and its model, `model` is the avatar's.
    ///
    /// Rotations of the humanoid relative to the rest pose are taken over, and the translation of
    /// the hips in proportion to their height. Expressions become morph weights.
    ///
    /// # Errors
    ///
    /// When a joint does not belong to its model.
    pub fn retarget(
        &self,
        model: &Model,
        animation: &VrmAnimation,
        source: &Model,
    ) -> Result<Vec<Clip>, Error> {
        let retargeter = Retargeter::new(self, model, animation, source);
        let mut clips = Vec::with_capacity(source.clips().len());
        for clip in source.clips() {
            let tracks = retargeter.tracks(clip);
            let tracks: Vec<_> = tracks.iter().map(TrackData::track).collect();
            clips.push(Clip::new(clip.name(), model.skeleton(), &tracks)?);
        }
        Ok(clips)
    }
}

struct Retargeter<'a> {
    vrm: &'a Vrm,
    model: &'a Model,
    animation: &'a VrmAnimation,
    /// The bone of each joint of the source.
    bones: BTreeMap<usize, (HumanBone, JointId)>,
    source_rest: RestPose,
    target_rest: RestPose,
    facing: Quaternion,
}

impl<'a> Retargeter<'a> {
    fn new(vrm: &'a Vrm, model: &'a Model, animation: &'a VrmAnimation, source: &'a Model) -> Self {
        let target = |bone: &HumanBone| vrm.humanoid.get(bone).copied();
        let in_model = |joint: &JointId| joint.index() < model.skeleton().len();
        let bones = animation
            .humanoid
            .iter()
            .filter_map(|(bone, joint)| Some((joint.index(), (*bone, target(bone).filter(in_model)?))));
        Self {
            vrm,
            model,
            animation,
            bones: bones.collect(),
            source_rest: RestPose::new(source.skeleton()),
            target_rest: RestPose::new(model.skeleton()),
            facing: if vrm.version == VrmVersion::V0 { HALF_TURN } else { IDENTITY },
        }
    }

    fn tracks(&self, clip: &Clip) -> Vec<TrackData> {
        let mut tracks = Vec::new();
        let mut weights = BTreeMap::new();
        for track in clip.tracks() {
            match &track.keys {
                KeyData::Rotations { joint, values } => {
                    if let Some(&(_, target)) = self.bones.get(&joint.index()) {
                        let keys = KeyData::Rotations {
                            joint: target,
                            values: self.rotations(*joint, target, values),
                        };
                        tracks.push(TrackData { keys, ..track });
                    }
                }
                KeyData::Translations { joint, values } => {
                    if let Some(&(HumanBone::Hips, target)) = self.bones.get(&joint.index()) {
                        let values = self.translations(*joint, target, values, track.interpolation);
                        tracks.push(TrackData {
                            keys: KeyData::Translations { joint: target, values },
                            ..track
                        });
                    } else {
                        self.add_weights(*joint, &track, values, &mut weights);
                    }
                }
                KeyData::Scales { .. } | KeyData::Weights { .. } => {}
            }
        }
        tracks.extend(weights.into_iter().map(|(first, curves)| weight_track(first, curves)));
        tracks
    }

    /// Rotations, and slopes of splines, which change alike: a rotation of the bone relative to its
    /// rest pose is the same in both models, as seen from the model.
    fn rotations(&self, joint: JointId, target: JointId, values: &[[f32; 4]]) -> Vec<[f32; 4]> {
        let (from, to) = (&self.source_rest, &self.target_rest);
        let turned = product(self.facing, from.parent_rotation(joint));
        let before = product(conjugate(to.parent_rotation(target)), turned);
        let after = product(
            product(conjugate(from.local[joint.index()]), conjugate(turned)),
            product(to.parent_rotation(target), to.local[target.index()]),
        );
        let convert = |&value: &[f32; 4]| to_f32(product(product(before, from_f32(value)), after));
        values.iter().map(convert).collect()
    }

    /// Translations of the hips, scaled by the ratio of the heights of both hips.
    fn translations(
        &self,
        joint: JointId,
        target: JointId,
        values: &[[f32; 3]],
        interpolation: Interpolation,
    ) -> Vec<[f32; 3]> {
        let (from, to) = (&self.source_rest, &self.target_rest);
        let [source_height, target_height] = [from.height(joint), to.height(target)];
        let scale = if source_height.abs() > 1e-6 { target_height / source_height } else { 1.0 };
        let (source_parent, target_parent) = (from.parent_matrix(joint), to.parent_matrix(target).inverse());
        let per_key = values_per_key(interpolation);
        let convert = |(index, &value): (usize, &[f32; 3])| {
            // A slope is a direction.
            let w = f64::from(u8::from(index % per_key == per_key / 2));
            let world = source_parent.transform(value.map(f64::from), w);
            let world = rotate(self.facing, world.map(|part| scale * part));
            target_parent.transform(world, w).map(|part| part as f32)
        };
        values.iter().enumerate().map(convert).collect()
    }

    /// Adds the weights of an expression's morph targets, if the joint is the one of an expression.
    fn add_weights(
        &self,
        joint: JointId,
        track: &TrackData,
        values: &[[f32; 3]],
        weights: &mut BTreeMap<usize, Vec<WeightCurve>>,
    ) {
        let Some(found) = self.animation.expressions.iter().find(|expression| expression.joint == joint)
        else {
            return;
        };
        let Some(expression) = self.vrm.expression(&found.name) else { return };
        for (index, weight) in expression.morph_weights(self.model) {
            weights.entry(index).or_default().push(WeightCurve {
                times: track.times.clone(),
                values: values.iter().map(|[x, ..]| x * weight).collect(),
                interpolation: track.interpolation,
            });
        }
    }
}

/// The value of a key, and the slopes before and after it if the curve is cubic.
fn values_per_key(interpolation: Interpolation) -> usize {
    if interpolation == Interpolation::Cubic { 3 } else { 1 }
}

/// The weight of a morph target over time.
struct WeightCurve {
    times: Vec<f32>,
    values: Vec<f32>,
    interpolation: Interpolation,
}

impl WeightCurve {
    /// The weight at a time, between keys on a line.
    fn at(&self, seconds: f32) -> f32 {
        let per_key = values_per_key(self.interpolation);
        let value = |key: usize| self.values[key * per_key + per_key / 2];
        let next = self.times.partition_point(|&time| time <= seconds);
        match (next.checked_sub(1), self.times.get(next)) {
            (None, _) => value(0),
            (Some(key), None) => value(key),
            (Some(key), Some(_)) if self.interpolation == Interpolation::Step => value(key),
            (Some(key), Some(&to)) => {
                let part = (seconds - self.times[key]) / (to - self.times[key]);
                value(key) + part * (value(next) - value(key))
            }
        }
    }
}

/// The track of one morph weight: a curve, or the sum of several at all their times.
fn weight_track(first: usize, mut curves: Vec<WeightCurve>) -> TrackData {
    if curves.len() == 1
        && let Some(WeightCurve { times, values, interpolation }) = curves.pop()
    {
        return TrackData { times, keys: KeyData::Weights { first, count: 1, values }, interpolation };
    }
    let mut times: Vec<f32> = curves.iter().flat_map(|curve| &curve.times).copied().collect();
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    let values = times.iter().map(|&time| curves.iter().map(|curve| curve.at(time)).sum()).collect();
    TrackData {
        times,
        keys: KeyData::Weights { first, count: 1, values },
        interpolation: Interpolation::Linear,
    }
}

/// The rest pose of a skeleton.
struct RestPose {
    parents: Vec<Option<usize>>,
    /// Rotations relative to the parent.
    local: Vec<Quaternion>,
    /// Rotations relative to the model.
    rotations: Vec<Quaternion>,
    matrices: Vec<Matrix>,
}

impl RestPose {
    fn new(skeleton: &Skeleton) -> Self {
        let mut matrices = skeleton.identity_matrices();
        // The rest pose is one of this skeleton, and the matrices are as many as its joints.
        let _ = skeleton.to_model(skeleton.rest(), .., &mut matrices);
        let mut rest = Self { parents: Vec::new(), local: Vec::new(), rotations: Vec::new(), matrices };
        for joint in skeleton.joints() {
            let local = normalize(from_f32(skeleton.rest().transform(joint).rotation));
            let parent = skeleton.parent(joint).map(JointId::index);
            let above = parent.map_or(IDENTITY, |parent| rest.rotations[parent]);
            rest.parents.push(parent);
            rest.local.push(local);
            rest.rotations.push(product(above, local));
        }
        rest
    }

    fn parent_rotation(&self, joint: JointId) -> Quaternion {
        self.parents[joint.index()].map_or(IDENTITY, |parent| self.rotations[parent])
    }

    fn parent_matrix(&self, joint: JointId) -> Affine {
        let matrix = self.parents[joint.index()].map(|parent| self.matrices[parent]);
        Affine { rows: matrix.unwrap_or(Matrix::IDENTITY).rows.map(|row| row.map(f64::from)) }
    }

    fn height(&self, joint: JointId) -> f64 {
        f64::from(self.matrices[joint.index()].rows[1][3])
    }
}

/// Three rows of an affine transform.
struct Affine {
    rows: [[f64; 4]; 3],
}

impl Affine {
    /// Transforms a point if `w` is one, a direction if it is zero.
    fn transform(&self, [x, y, z]: [f64; 3], w: f64) -> [f64; 3] {
        self.rows.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3] * w)
    }

    /// The inverse; the identity if there is none.
    fn inverse(&self) -> Self {
        let [a, b, c] = self.rows;
        let cross = |a: [f64; 4], b: [f64; 4]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        // The columns of the adjugate.
        let columns = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant = a[0] * columns[0][0] + a[1] * columns[0][1] + a[2] * columns[0][2];
        if !(determinant.abs() > 1e-30 && determinant.is_finite()) {
            return Self { rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };
        }
        let row = |axis: usize| {
            let parts = columns.map(|column| column[axis] / determinant);
            let moved = parts[0] * a[3] + parts[1] * b[3] + parts[2] * c[3];
            [parts[0], parts[1], parts[2], -moved]
        };
        Self { rows: [row(0), row(1), row(2)] }
    }
}
