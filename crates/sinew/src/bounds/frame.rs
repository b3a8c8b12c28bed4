//! The joints' boxes in a frame: where palette, morph weights and blending take them.

use sinew_kernels::{Aabb, BLOCK, Matrix};

use super::boxes::{JointBox, JointBoxes};
use super::moved::{EVERYTHING, Magnitude, higher, lower};
use super::partners::{Partners, Turned};

/// What a frame's bounds are made of.
pub(super) struct Frame<'a> {
    pub(super) boxes: &'a JointBoxes,
    pub(super) palette: &'a [Matrix],
    /// Of each morph target, where one is not zero.
    pub(super) morph_weights: Option<&'a [f32]>,
    /// Where dual quaternions blend.
    pub(super) turned: Option<(&'a Partners, Turned<'a>)>,
    /// What a vertex may be multiplied by: the lowest and the highest sum of weights.
    pub(super) scale: [f32; 2],
    /// What is added on each side for rounding; `None` where a number is lost.
    pub(super) margin: Option<[f32; 3]>,
}

impl Frame<'_> {
    /// Finds the margin, from the sizes of all numbers.
    pub(super) fn with_margin(mut self) -> Self {
        let mut extent = self.boxes.extent;
        if let Some(weights) = self.morph_weights {
            let more = self.boxes.shapes.extent(weights);
            extent = std::array::from_fn(|axis| extent[axis] + more[axis]);
        }
        let mut magnitude = Magnitude::default();
        for &joint in &self.boxes.weighing {
            magnitude.add(&self.palette[joint as usize]);
        }
        let targets = self.morph_weights.map_or(0, <[f32]>::len);
        self.margin = magnitude.margin(extent, self.boxes.roundings(targets));
        if let Some((_, turned)) = &mut self.turned {
            turned.residue *= 2.0 * (extent[0] + extent[1] + extent[2]);
            // A rotation mixes axes; what rounding does to a short sum of dual quaternions grows as that is normalised.
            let most = self.boxes.influences.max(1) as f32;
            let fits = self.boxes.weighing.iter().all(|&joint| turned.fits(joint));
            let margin = magnitude.margin(extent, 512.0 * most).filter(|_| fits && turned.sums[0] > 1e-10);
            self.margin = margin.map(|margin| [margin.iter().sum(); 3]);
        }
        self
    }

    /// The box of all joints.
    pub(super) fn bounds(&self) -> Aabb {
        let mut all = LaneReach::EMPTY;
        for (place, joint) in self.boxes.joints.iter().enumerate() {
            self.each_row(place, joint, |axis, low, high| all.add(axis, low, high));
        }
        self.outward(&all)
    }

    /// The box of one joint, by its place.
    pub(super) fn bounds_of(&self, place: usize, joint: &JointBox) -> Aabb {
        let mut own = LaneReach::EMPTY;
        self.each_row(place, joint, |axis, low, high| own.add(axis, low, high));
        self.outward(&own)
    }

    /// How far from a centre something may be; negative where there is nothing.
    pub(super) fn radius(&self, centre: [f32; 3]) -> f32 {
        let Some(margin) = self.margin else { return f32::INFINITY };
        if self.boxes.joints.is_empty() {
            return f32::NEG_INFINITY;
        }
        let mut farthest = [0.0; BLOCK];
        for (place, joint) in self.boxes.joints.iter().enumerate() {
            let mut squared = [0.0; BLOCK];
            self.each_row(place, joint, |axis, low, high| {
                for lane in 0..BLOCK {
                    let away = higher(high[lane] - centre[axis], centre[axis] - low[lane]) + margin[axis];
                    squared[lane] += away * away;
                }
            });
            for (farthest, squared) in farthest.iter_mut().zip(squared) {
                *farthest = higher(*farthest, squared);
            }
        }
        let squared = farthest.into_iter().fold(0.0, higher);
        // The last is there for distances whose squares are nothing.
        squared.sqrt() * (1.0 + 1e-6) + 1e-18
    }

    /// Calls with each axis and how far the cells of a joint reach along it.
    #[inline(always)]
    fn each_row(
        &self,
        place: usize,
        joint: &JointBox,
        mut act: impl FnMut(usize, &[f32; BLOCK], &[f32; BLOCK]),
    ) {
        let by = &self.palette[joint.joint as usize];
        let (further, wider) = match (self.morph_weights, &self.turned) {
            (None, None) => ([0.0; 3], [0.0; 3]),
            _ => self.further(place, joint, by),
        };
        let scaled = self.scale != [1.0, 1.0];
        for (r, row) in by.rows.iter().enumerate() {
            let (mut low, mut high) = joint.cells.along(row, further[r], wider[r]);
            if scaled {
                scale(&mut low, &mut high, self.scale);
            }
            act(r, &low, &high);
        }
    }

    /// How much further and wider morph weights and dual quaternions make a joint's cells.
    fn further(&self, place: usize, joint: &JointBox, by: &Matrix) -> ([f32; 3], [f32; 3]) {
        let grown = self.boxes.shapes.grown(place, self.morph_weights.unwrap_or_default());
        let pad =
            |(partners, turned): &(&Partners, Turned<'_>)| partners.pad(place, joint.joint, turned, grown);
        let pad = self.turned.as_ref().map_or(0.0, pad);
        let half = grown.half;
        let wider =
            by.rows.map(|[x, y, z, _]| x.abs() * half[0] + y.abs() * half[1] + z.abs() * half[2] + pad);
        (by.transform_vector(grown.by), wider)
    }

    /// Rounded outward.
    fn outward(&self, reach: &LaneReach) -> Aabb {
        let Some(margin) = self.margin else { return EVERYTHING };
        if self.boxes.joints.is_empty() {
            return Aabb::EMPTY;
        }
        let lowest = |axis: usize| reach.low[axis].iter().copied().fold(f32::INFINITY, lower);
        let highest = |axis: usize| reach.high[axis].iter().copied().fold(f32::NEG_INFINITY, higher);
        Aabb {
            min: std::array::from_fn(|axis| lowest(axis) - margin[axis]),
            max: std::array::from_fn(|axis| highest(axis) + margin[axis]),
        }
    }
}

impl JointBoxes {
    /// How many roundings a vertex's way and that of its box take, in units of the sums of magnitudes that make it.
    ///
    /// With n joints: a blended matrix is a sum of n terms, of differences to the last; weights sum to one but for n
    /// roundings; and up to n influences are too weak to be in boxes, eight units each, here and there. A point goes
    /// through four more terms, and two for each morph target. The rest is for the boxes' own arithmetic.
    fn roundings(&self, targets: usize) -> f32 {
        (32.0 + 20.0 * self.influences as f32 + 4.0 * targets as f32) * self.sums[1].max(1.0)
    }
}

/// How far cells reach, lane by lane.
struct LaneReach {
    low: [[f32; BLOCK]; 3],
    high: [[f32; BLOCK]; 3],
}

impl LaneReach {
    const EMPTY: Self = Self { low: [[f32::INFINITY; BLOCK]; 3], high: [[f32::NEG_INFINITY; BLOCK]; 3] };

    #[inline(always)]
    fn add(&mut self, axis: usize, low: &[f32; BLOCK], high: &[f32; BLOCK]) {
        for lane in 0..BLOCK {
            self.low[axis][lane] = lower(self.low[axis][lane], low[lane]);
            self.high[axis][lane] = higher(self.high[axis][lane], high[lane]);
        }
    }
}

/// Times anything from the least to the most.
fn scale(low: &mut [f32; BLOCK], high: &mut [f32; BLOCK], [least, most]: [f32; 2]) {
    for (low, high) in low.iter_mut().zip(high) {
        *low = lower(*low * least, *low * most);
        *high = higher(*high * least, *high * most);
    }
}
