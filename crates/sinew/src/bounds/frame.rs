//! The joints' boxes in a frame: where palette, morph weights and blending take them.

use sinew_kernels::{BLOCK, Bounds, Matrix};

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
        for joint in &self.boxes.joints {
            magnitude.add(&self.palette[joint.joint as usize], extent);
        }
        let targets = self.morph_weights.map_or(0, <[f32]>::len);
        self.margin = magnitude.margin(self.boxes.roundings(targets));
        if let Some((_, turned)) = &mut self.turned {
            turned.residue *= 2.0 * (extent[0] + extent[1] + extent[2]);
            // A rotation mixes axes; what rounding does to a short sum of dual quaternions grows as that is normalised.
            let most = self.boxes.influences.max(1) as f32;
            let fits = self.boxes.joints.iter().all(|joint| turned.fits(joint.joint));
            let margin = magnitude.margin(512.0 * most).filter(|_| fits && turned.sums[0] > 1e-10);
            self.margin = margin.map(|margin| [margin.iter().sum(); 3]);
        }
        self
    }

    /// The box of all joints.
    pub(super) fn bounds(&self) -> Bounds {
        let mut all = Reach::EMPTY;
        for (place, joint) in self.boxes.joints.iter().enumerate() {
            all.add(&self.reach(place, joint));
        }
        self.outward(&all)
    }

    /// The box of one joint, by its place.
    pub(super) fn bounds_of(&self, place: usize, joint: &JointBox) -> Bounds {
        self.outward(&self.reach(place, joint))
    }

    /// How far from a centre something may be; negative where there is nothing.
    pub(super) fn radius(&self, centre: [f32; 3]) -> f32 {
        let Some(margin) = self.margin else { return f32::INFINITY };
        if self.boxes.joints.is_empty() {
            return f32::NEG_INFINITY;
        }
        let mut squared = [0.0; BLOCK];
        for (place, joint) in self.boxes.joints.iter().enumerate() {
            self.reach(place, joint).farthest(centre, margin, &mut squared);
        }
        let squared = squared.into_iter().fold(0.0, higher);
        // The smallest number is there for those whose squares are nothing.
        squared.sqrt() * (1.0 + 1e-6) + 1e-18
    }

    /// Where the cells of a joint reach.
    #[inline]
    fn reach(&self, place: usize, joint: &JointBox) -> Reach {
        let by = &self.palette[joint.joint as usize];
        let mut reach = if self.morph_weights.is_none() && self.turned.is_none() {
            joint.reach(by, [0.0; 3], [0.0; 3])
        } else {
            self.reach_further(place, joint, by)
        };
        if self.scale != [1.0, 1.0] {
            reach.scale(self.scale);
        }
        reach
    }

    /// The same with morph weights and dual quaternions.
    fn reach_further(&self, place: usize, joint: &JointBox, by: &Matrix) -> Reach {
        let grown = self.boxes.shapes.grown(place, self.morph_weights.unwrap_or_default());
        let pad = self
            .turned
            .as_ref()
            .map_or(0.0, |(partners, turned)| partners.pad(place, joint.joint, turned, grown));
        let half = grown.half;
        let wider =
            by.rows.map(|[x, y, z, _]| x.abs() * half[0] + y.abs() * half[1] + z.abs() * half[2] + pad);
        joint.reach(by, by.transform_vector(grown.by), wider)
    }

    /// Rounded outward.
    fn outward(&self, reach: &Reach) -> Bounds {
        let Some(margin) = self.margin else { return EVERYTHING };
        if self.boxes.joints.is_empty() {
            return Bounds::EMPTY;
        }
        let lowest = |axis: usize| reach.low[axis].iter().copied().fold(f32::INFINITY, lower);
        let highest = |axis: usize| reach.high[axis].iter().copied().fold(f32::NEG_INFINITY, higher);
        Bounds {
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
struct Reach {
    low: [[f32; BLOCK]; 3],
    high: [[f32; BLOCK]; 3],
}

impl JointBox {
    /// Its cells moved by a matrix, then moved further and made wider on each side.
    #[inline]
    fn reach(&self, by: &Matrix, further: [f32; 3], wider: [f32; 3]) -> Reach {
        let (middles, halves) = (&self.cells.middles.rows, &self.cells.halves.rows);
        let mut reach = Reach { low: [[0.0; BLOCK]; 3], high: [[0.0; BLOCK]; 3] };
        for (r, &[x, y, z, t]) in by.rows.iter().enumerate() {
            let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
            let (t, wider) = (t + further[r], wider[r]);
            for lane in 0..BLOCK {
                let middle = x * middles[0][lane] + y * middles[1][lane] + z * middles[2][lane] + t;
                let half = ax * halves[0][lane] + ay * halves[1][lane] + az * halves[2][lane] + wider;
                reach.low[r][lane] = middle - half;
                reach.high[r][lane] = middle + half;
            }
        }
        reach
    }
}

impl Reach {
    const EMPTY: Self = Self { low: [[f32::INFINITY; BLOCK]; 3], high: [[f32::NEG_INFINITY; BLOCK]; 3] };

    #[inline]
    fn add(&mut self, other: &Self) {
        for axis in 0..3 {
            for lane in 0..BLOCK {
                self.low[axis][lane] = lower(self.low[axis][lane], other.low[axis][lane]);
                self.high[axis][lane] = higher(self.high[axis][lane], other.high[axis][lane]);
            }
        }
    }

    /// Times anything from the least to the most.
    fn scale(&mut self, [least, most]: [f32; 2]) {
        for (low, high) in self.low.as_flattened_mut().iter_mut().zip(self.high.as_flattened_mut()) {
            *low = lower(*low * least, *low * most);
            *high = higher(*high * least, *high * most);
        }
    }

    /// The largest squared distance of a cell's points from a centre, lane by lane.
    #[inline]
    fn farthest(&self, centre: [f32; 3], margin: [f32; 3], squared: &mut [f32; BLOCK]) {
        for (lane, squared) in squared.iter_mut().enumerate() {
            let mut sum = 0.0;
            for axis in 0..3 {
                let away = higher(self.high[axis][lane] - centre[axis], centre[axis] - self.low[axis][lane]);
                let away = away + margin[axis];
                sum += away * away;
            }
            *squared = higher(*squared, sum);
        }
    }
}
