//! How far a mesh reaches in a frame, by its palette alone.

use sinew_kernels::{BLOCK, Bounds, Matrix};

use super::boxes::{JointBox, JointBoxes};
use super::moved::{EVERYTHING, Magnitude, higher, lower};
use super::sphere::Sphere;
use crate::error::check_len;
use crate::{Blending, Error, Mesh, Palette};

/// What moves a mesh beside its palette.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoundsOptions<'a> {
    /// What blends the joints of a vertex.
    pub blending: Blending<'a>,
    /// The weight of each morph target; none at all stands for zeros.
    pub morph_weights: &'a [f32],
}

/// Bounds from joints alone: their cost grows with joints, not with vertices, and they take no memory but the first time.
///
/// They hold every vertex that [`Mesh::skin`] gives for the same palette, whatever the level of detail and the instruction set.
impl Mesh {
    /// A box along the axes that holds all vertices where the palette takes them.
    ///
    /// # Errors
    ///
    /// When the palette has not as many matrices as the mesh's skin has joints.
    pub fn bounds(&self, palette: &Palette, options: &BoundsOptions<'_>) -> Result<Bounds, Error> {
        let frame = self.reach(palette, options)?;
        Ok(frame.bounds())
    }

    /// A sphere that holds all vertices where the palette takes them, about the middle of the box.
    ///
    /// # Errors
    ///
    /// As [`bounds`](Self::bounds).
    pub fn sphere(&self, palette: &Palette, options: &BoundsOptions<'_>) -> Result<Sphere, Error> {
        let frame = self.reach(palette, options)?;
        Ok(frame.sphere(&frame.bounds()))
    }

    /// For each joint of the skin a box; a vertex is within the smallest box around those of the joints that it hangs on.
    /// That of a joint on which nothing hangs is empty.
    ///
    /// # Errors
    ///
    /// As [`bounds`](Self::bounds); and when the slice is not as long as the skin.
    pub fn joint_bounds(
        &self,
        palette: &Palette,
        options: &BoundsOptions<'_>,
        to: &mut [Bounds],
    ) -> Result<(), Error> {
        check_len("bounds of joints", self.skin_len, to.len())?;
        let frame = self.reach(palette, options)?;
        to.fill(Bounds::EMPTY);
        for joint in &frame.boxes.joints {
            let mut reach = Reach::EMPTY;
            reach.add(&frame.cells(joint));
            to[joint.joint as usize] = frame.with_margin(&reach);
        }
        Ok(())
    }

    fn reach<'a>(&'a self, palette: &'a Palette, options: &BoundsOptions<'a>) -> Result<Frame<'a>, Error> {
        check_len("palette", self.skin_len, palette.matrices().len())?;
        let mut frame = Frame::new(self.joint_boxes(), palette.matrices());
        // Nothing is known of other ways to move yet.
        let still = options.morph_weights.iter().all(|&weight| weight == 0.0);
        if !(still && matches!(options.blending, Blending::Linear)) {
            frame.margin = None;
        }
        Ok(frame)
    }
}

/// What a frame's bounds are made of.
struct Frame<'a> {
    boxes: &'a JointBoxes,
    palette: &'a [Matrix],
    /// What is added on each side; `None` where a number is lost.
    margin: Option<[f32; 3]>,
}

impl<'a> Frame<'a> {
    fn new(boxes: &'a JointBoxes, palette: &'a [Matrix]) -> Self {
        let mut magnitude = Magnitude::default();
        for joint in &boxes.joints {
            magnitude.add(&palette[joint.joint as usize], boxes.extent);
        }
        let margin = magnitude.margin(boxes.roundings());
        Self { boxes, palette, margin }
    }

    fn bounds(&self) -> Bounds {
        let mut reach = Reach::EMPTY;
        for joint in &self.boxes.joints {
            reach.add(&self.cells(joint));
        }
        self.with_margin(&reach)
    }

    fn sphere(&self, bounds: &Bounds) -> Sphere {
        let Some(margin) = self.margin else { return Sphere::EVERYTHING };
        if bounds.is_empty() {
            return Sphere::EMPTY;
        }
        let centre = std::array::from_fn(|axis| 0.5 * bounds.min[axis] + 0.5 * bounds.max[axis]);
        let mut squared = [0.0; BLOCK];
        for joint in &self.boxes.joints {
            self.cells(joint).farthest(centre, margin, &mut squared);
        }
        let squared = squared.into_iter().fold(0.0, higher);
        Sphere { centre, radius: squared.sqrt() * (1.0 + 1e-6) }
    }

    /// The cells of a joint where its matrix takes them.
    #[inline]
    fn cells(&self, of: &JointBox) -> Moved {
        Moved::new(of, &self.palette[of.joint as usize], self.boxes.sums)
    }

    fn with_margin(&self, reach: &Reach) -> Bounds {
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
    /// through four more terms. The rest is for the boxes' own arithmetic.
    fn roundings(&self) -> f32 {
        (32.0 + 20.0 * self.influences as f32) * self.sums[1].max(1.0)
    }
}

/// How far cells reach so far, lane by lane.
struct Reach {
    low: [[f32; BLOCK]; 3],
    high: [[f32; BLOCK]; 3],
}

impl Reach {
    const EMPTY: Self = Self { low: [[f32::INFINITY; BLOCK]; 3], high: [[f32::NEG_INFINITY; BLOCK]; 3] };

    #[inline]
    fn add(&mut self, cells: &Moved) {
        for axis in 0..3 {
            for lane in 0..BLOCK {
                self.low[axis][lane] = lower(self.low[axis][lane], cells.low[axis][lane]);
                self.high[axis][lane] = higher(self.high[axis][lane], cells.high[axis][lane]);
            }
        }
    }
}

/// The cells of a joint in a frame.
struct Moved {
    low: [[f32; BLOCK]; 3],
    high: [[f32; BLOCK]; 3],
}

impl Moved {
    #[inline]
    fn new(of: &JointBox, by: &Matrix, sums: [f32; 2]) -> Self {
        let (middles, halves) = (&of.cells.middles.rows, &of.cells.halves.rows);
        let mut moved = Self { low: [[0.0; BLOCK]; 3], high: [[0.0; BLOCK]; 3] };
        for (r, &[x, y, z, t]) in by.rows.iter().enumerate() {
            let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
            for lane in 0..BLOCK {
                let middle = x * middles[0][lane] + y * middles[1][lane] + z * middles[2][lane] + t;
                let reach = ax * halves[0][lane] + ay * halves[1][lane] + az * halves[2][lane];
                moved.low[r][lane] = middle - reach;
                moved.high[r][lane] = middle + reach;
            }
        }
        if sums != [1.0, 1.0] {
            moved.scale(sums);
        }
        moved
    }

    /// Times anything from the lowest to the highest sum of weights.
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
