//! The blend space: which clip lies at which point.

use std::sync::Arc;

use super::triangulation::Triangulation;
use super::weights::{SampleWeights, between};
use crate::animation::{AnimationError, ClipSet};
use crate::math::sort::{f32_key, sort_by_key};

/// The largest number of points. Finding a position's triangle takes time in proportion to it.
const MAX_POINTS: usize = 1024;

/// Clips at points of a line or a plane, such as speeds, or speeds and directions. A playback of it
/// blends the clips around a position. Clones share the same data and are cheap.
///
/// Weights change linearly between points: on a line between the two neighbors of the position, in
/// a plane between the corners of its triangle in the Delaunay triangulation of the points. So at
/// most three clips are sampled in a frame, however many there are, the clip at a point is played
/// alone there, and the weighted mean of the points is the position. Outside, the nearest point of
/// the border counts. Axes are scaled to the extent of the points first, since they may have
/// different units. Where four or more points lie on one circle, as in a grid, there is more than
/// one Delaunay triangulation; the same one is chosen everywhere.
///
/// The clips are played in phase: all of them take the same part of their length at the same time,
/// and a cycle takes the weighted mean of their lengths. So their cycles should begin with the same
/// foot. A clip of length zero, a still pose, has no effect on the length.
///
/// ```
/// # use sinew::animation::{Interpolation, Keys, Track};
/// # use sinew::{Bone, Skeleton, Transform};
/// # use sinew::model::ModelSource;
/// # fn model() -> Result<sinew::Model, sinew::Error> {
/// #     let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
/// #     let joint = skeleton.joint("root")?;
/// #     let clip = |name, x, length| {
/// #         let keys = Keys::Translations { joint, values: &[[x, 0.0, 0.0]; 2] };
/// #         let track = Track { times: &[0.0, length], keys, interpolation: Default::default() };
/// #         sinew::Clip::new(name, &skeleton, &[track])
/// #     };
/// #     let clips = vec![clip("walk", 2.0, 1.0)?, clip("run", 6.0, 0.5)?];
/// #     Ok(sinew::Model::new(ModelSource { clips, ..ModelSource::new(skeleton) })?)
/// # }
/// use sinew::animation::BlendSpace;
///
/// let model = model()?; // From a file, or built in code.
/// // Speeds in meters per second.
/// let gait = BlendSpace::line(model.clip_set(), &[("walk", 1.0), ("run", 3.0)])?;
/// let mut fox = model.instance();
/// fox.play_space(&gait)?.set_blend_position(&[1.5])?;
/// fox.step(0.25);
/// let root = model.skeleton().joint("root")?;
/// assert_eq!(fox.pose().translation(root), [3.0, 0.0, 0.0]); // Three quarters walk.
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlendSpace {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    set: ClipSet,
    /// The clip of each point.
    clips: Vec<usize>,
    layout: Layout,
}

#[derive(Debug)]
enum Layout {
    /// Points in ascending order, with their indices.
    Line(Vec<(f32, usize)>),
    Plane(Triangulation),
}

impl BlendSpace {
    /// A space of one dimension: names of clips and their points. A clip may have several points.
    ///
    /// # Errors
    ///
    /// When no clip or several clips have a name, there is no point, or more than 1024, a point is
    /// not finite, or two are equal.
    pub fn line(set: &ClipSet, points: &[(&str, f32)]) -> Result<Self, AnimationError> {
        check_len(1, points.len())?;
        let mut ordered = Vec::with_capacity(points.len());
        for (point, &(_, x)) in points.iter().enumerate() {
            check_point(Some(point), &[x])?;
            // Zero has one sign.
            ordered.push((x + 0.0, point));
        }
        sort_by_key(&mut ordered, |&(x, _)| f32_key(x));
        if let Some(pair) = ordered.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let (one, other) = (pair[0].1, pair[1].1);
            return Err(AnimationError::DuplicateBlendPoint { point: one.max(other), other: one.min(other) });
        }
        Self::new(set, points.iter().map(|&(name, _)| name), Layout::Line(ordered))
    }

    /// A space of two dimensions: names of clips and their points. A clip may have several points.
    ///
    /// # Errors
    ///
    /// When no clip or several clips have a name, there are fewer than three points, or more than
    /// 1024, a point is not finite, two are closer to each other than a billionth of the space's
    /// extent, or all lie on one line.
    pub fn plane(set: &ClipSet, points: &[(&str, [f32; 2])]) -> Result<Self, AnimationError> {
        check_len(3, points.len())?;
        for (point, (_, coordinates)) in points.iter().enumerate() {
            check_point(Some(point), coordinates)?;
        }
        let coordinates: Vec<[f32; 2]> = points.iter().map(|&(_, coordinates)| coordinates).collect();
        let triangulation = Triangulation::new(&coordinates)?;
        Self::new(set, points.iter().map(|&(name, _)| name), Layout::Plane(triangulation))
    }

    fn new<'a>(
        set: &ClipSet,
        names: impl Iterator<Item = &'a str>,
        layout: Layout,
    ) -> Result<Self, AnimationError> {
        let clips = names.map(|name| set.find(name)).collect::<Result<_, _>>()?;
        Ok(Self { shared: Arc::new(Shared { set: set.clone(), clips, layout }) })
    }

    /// The number of dimensions: 1 or 2.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        match self.shared.layout {
            Layout::Line(_) => 1,
            Layout::Plane(_) => 2,
        }
    }

    /// The clip of each point, by its index in the set.
    #[must_use]
    pub fn clips(&self) -> &[usize] {
        &self.shared.clips
    }

    /// The points around a position, by index, and their weights, which sum to exactly one. A point
    /// may be listed with weight zero. Allocates nothing.
    ///
    /// # Errors
    ///
    /// When the position has another number of coordinates than the space, or one is not finite.
    pub fn weights(&self, position: &[f32]) -> Result<[(usize, f32); 3], AnimationError> {
        crate::length::check_len("coordinates of the blend position", self.dimensions(), position.len())?;
        check_point(None, position)?;
        Ok(self.weights_at([position[0], position.get(1).copied().unwrap_or(0.0)]))
    }

    /// The weights at a position of finite numbers. The second is ignored in one dimension.
    pub(crate) fn weights_at(&self, position: [f32; 2]) -> SampleWeights {
        match &self.shared.layout {
            Layout::Line(points) => weights_on_line(points, position[0]),
            Layout::Plane(triangulation) => triangulation.weights(position),
        }
    }

    /// Whether the space is of this set of clips.
    pub(crate) fn is_of(&self, set: &ClipSet) -> bool {
        self.shared.set.is_same(set)
    }

    /// Whether both are clones of the same space.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }
}

fn weights_on_line(points: &[(f32, usize)], x: f32) -> SampleWeights {
    let after = points.partition_point(|&(point, _)| point <= x);
    match (after.checked_sub(1).map(|before| points[before]), points.get(after)) {
        (Some((from, one)), Some(&(to, other))) => {
            let [from, to, x] = [from, to, x].map(f64::from);
            between(one, other, (x - from) / (to - from))
        }
        (Some((_, last)), None) => between(last, last, 0.0),
        (None, first) => {
            let first = first.map_or(0, |&(_, first)| first);
            between(first, first, 0.0)
        }
    }
}

fn check_len(min: usize, found: usize) -> Result<(), AnimationError> {
    if (min..=MAX_POINTS).contains(&found) {
        Ok(())
    } else {
        Err(AnimationError::BlendSpaceLength { min, max: MAX_POINTS, found })
    }
}

fn check_point(point: Option<usize>, coordinates: &[f32]) -> Result<(), AnimationError> {
    match coordinates.iter().find(|coordinate| !coordinate.is_finite()) {
        Some(&found) => Err(AnimationError::BadBlendPoint { point, found }),
        None => Ok(()),
    }
}
