//! How far dual quaternions may take a vertex from where its joints would have it.
//!
//! Let joint i with weight w_i take a vertex to x_i by a rotation q_i, signs chosen as the kernel does, and let r be the sum of
//! w_i q_i. The blended move takes the vertex to x = sum of vec(x_i a_i), with quaternions a_i = w_i q_i r* / |r|^2 whose
//! sum is one. With a_i = (c_i, v_i) in real and vector part:
//!
//! - x = sum of c_i x_i + sum of x_i x v_i, where the c_i sum to one and the v_i to zero. So for any k the last sum is that
//!   of (x_i - x_k) x v_i. Where no c_i is negative, x is the mean of points x_k + e_k with |e_k| <= d_k V: d_k is the
//!   largest |x_i - x_k|, and V the sum of |v_i| over i other than k.
//! - |v_i| <= sum over l of w_i w_l sin(i, l) / |r|^2, and |r|^2 = sum of w_i w_l cos(i, l), angles between quaternions. With n + 1
//!   joints that are at most t < 90 degrees apart, V <= n sin t / (1 + n cos t). With two joints it is half of that.
//! - Where all pairs are less than 60 degrees apart, up to sign, the signs fit and no c_i is negative. Two joints always do.
//! - Whatever the signs, |x - x_0| <= d_0 (1 - w_0) / |r| for the strongest joint 0, and |r| >= w_0 + (1 - w_0) cos t_0,
//!   with t_0 the largest angle between it and another: |x - x_0| <= d_0 n / (1 + n cos t_0).
//! - Angles up to sign keep the triangle's rule: if all partners of k are within t_k, any two are within 2 t_k.
//!
//! So a joint's box is made larger by d_k times the first factor of 2 t_k where that is less than 60 degrees, and by d_k times the
//! larger of the first factor of 60 degrees and the second factor elsewhere. A vertex is then within the smallest box
//! around the boxes of its joints, as with linear blending.
//!
//! Stretches go before, each vertex through the weighted mean of them: that takes it from where joint k's own stretch has it by no more than the
//! largest difference s_k between two of them, and the distances between the x_i grow by no more than three times that.

use std::ops::Range;

use sinew_kernels::{Bounds, DualQuaternion, Matrix};

use super::boxes::{JointBox, JointBoxes};
use super::moved::higher;
use super::shapes::Grown;
use crate::Mesh;

/// Which joints share vertices with which.
#[derive(Clone, Debug)]
pub(crate) struct Partners {
    /// Of each joint, by place among the joints that something hangs on.
    joints: Vec<Own>,
    /// One joint after the other.
    partners: Vec<Partner>,
}

#[derive(Clone, Debug)]
struct Own {
    partners: Range<usize>,
    /// The most joints of a vertex that hangs on this one.
    influences: usize,
    /// What hangs on it.
    all: Extent,
}

/// A joint that shares vertices with another.
#[derive(Clone, Copy, Debug)]
struct Partner {
    joint: u32,
    /// Of the vertices that they share.
    shared: Extent,
}

/// A box by its middle and half.
#[derive(Clone, Copy, Debug)]
struct Extent {
    middle: [f32; 3],
    half: [f32; 3],
}

/// The dual quaternions of a frame.
#[derive(Clone, Copy)]
pub(super) struct Turned<'a> {
    pub(super) palette: &'a [Matrix],
    pub(super) duals: &'a [DualQuaternion],
    /// `None` where all are the identity but for `residue`.
    pub(super) stretches: Option<&'a [Matrix]>,
    /// How far vertices are at most from where stretches that are left out would have them.
    pub(super) residue: f32,
    /// The lowest and the highest sum of a vertex's weights.
    pub(super) sums: [f32; 2],
}

impl Turned<'_> {
    /// Whether what a joint does is finite, as palettes beyond the kernel's reach are not.
    pub(super) fn fits(&self, joint: u32) -> bool {
        let DualQuaternion { real, dual } = &self.duals[joint as usize];
        let stretch = self.stretches.is_none_or(|stretches| stretches[joint as usize].is_finite());
        stretch && real.iter().chain(dual).all(|element| element.is_finite())
    }
}

impl Partners {
    pub(crate) fn new(mesh: &Mesh, boxes: &JointBoxes) -> Self {
        let mut all = vec![(Bounds::EMPTY, 0); mesh.skin_len];
        let mut shared: Vec<Vec<(u32, Bounds)>> = vec![Vec::new(); mesh.skin_len];
        mesh.each_hold(|hold| {
            for (joint, point) in hold.points() {
                let own = &mut all[joint as usize];
                let point = Bounds { min: point, max: point };
                *own = (own.0.union(&point), own.1.max(hold.held.len()));
                for (other, _) in hold.points().filter(|(other, _)| *other != joint) {
                    let of_joint = &mut shared[joint as usize];
                    match of_joint.iter_mut().find(|(of, _)| *of == other) {
                        Some((_, bounds)) => *bounds = bounds.union(&point),
                        None => of_joint.push((other, point)),
                    }
                }
            }
        });
        let mut partners = Vec::new();
        let own = |joint: &JointBox| {
            let joint = joint.joint as usize;
            let start = partners.len();
            let partner =
                |(joint, bounds): &(u32, Bounds)| Partner { joint: *joint, shared: Extent::of(bounds) };
            partners.extend(shared[joint].iter().map(partner));
            let (bounds, influences) = &all[joint];
            Own { partners: start..partners.len(), influences: *influences, all: Extent::of(bounds) }
        };
        let joints = boxes.joints.iter().map(own).collect();
        Self { joints, partners }
    }

    /// How much larger a joint's boxes are to be made on each side, by its place and its number.
    pub(super) fn pad(&self, place: usize, joint: u32, turned: &Turned<'_>, grown: Grown) -> f32 {
        let (own, joint) = (&self.joints[place], joint as usize);
        let (mut cosine, mut apart, mut stretched) = (1.0_f32, 0.0, 0.0);
        for partner in &self.partners[own.partners.clone()] {
            let (other, shared) = (partner.joint as usize, partner.shared.grown(grown));
            let dot = dot(turned.duals[joint].real, turned.duals[other].real).abs();
            cosine = if dot < cosine { dot } else { cosine };
            apart = higher(apart, shared.spread(&turned.palette[joint], &turned.palette[other]));
            if let Some(stretches) = turned.stretches {
                stretched = higher(stretched, shared.spread(&stretches[joint], &stretches[other]));
            }
        }
        let (apart, difference) = (apart.sqrt(), stretched.sqrt());
        let [least, most] = turned.sums;
        let mut away = difference * most;
        if let (Some(stretches), true) = (turned.stretches, turned.sums != [1.0, 1.0]) {
            // What the weights leave of one is not stretched.
            let lost = own.all.grown(grown).spread(&stretches[joint], &Matrix::IDENTITY).sqrt();
            away += lost * higher(1.0 - least, most - 1.0).abs();
        }
        away += turned.residue;
        factor(cosine, own.influences) * (apart + difference + 2.0 * away) + away
    }
}

/// What the largest distance between a vertex's images is multiplied by, from the cosine of the largest angle.
fn factor(cosine: f32, influences: usize) -> f32 {
    const SIXTY: [f32; 2] = [0.866_025_5, 0.5];
    let others = influences.saturating_sub(1) as f32;
    let sine = higher(1.0 - cosine * cosine, 0.0).sqrt();
    if influences <= 2 {
        return 0.5 * sine / (1.0 + cosine);
    }
    let first = |[sine, cosine]: [f32; 2]| others * sine / (1.0 + others * cosine);
    let [twice_sine, twice_cosine] = [2.0 * sine * cosine, 2.0 * cosine * cosine - 1.0];
    if twice_cosine > SIXTY[1] {
        return first([twice_sine, twice_cosine]);
    }
    higher(first(SIXTY), others / (1.0 + others * cosine))
}

impl Extent {
    fn of(bounds: &Bounds) -> Self {
        let middle = std::array::from_fn(|axis| 0.5 * bounds.min[axis] + 0.5 * bounds.max[axis]);
        let half = std::array::from_fn(|axis| 0.5 * bounds.max[axis] - 0.5 * bounds.min[axis]);
        Self { middle, half }
    }

    fn grown(&self, grown: Grown) -> Self {
        let middle = std::array::from_fn(|axis| self.middle[axis] + grown.by[axis]);
        Self { middle, half: std::array::from_fn(|axis| self.half[axis] + grown.half[axis]) }
    }

    /// The largest squared distance between where two matrices take a point.
    fn spread(&self, a: &Matrix, b: &Matrix) -> f32 {
        let [mx, my, mz] = self.middle;
        let [hx, hy, hz] = self.half;
        let mut squared = 0.0;
        for (a, b) in a.rows.iter().zip(&b.rows) {
            let [x, y, z, t]: [f32; 4] = std::array::from_fn(|c| a[c] - b[c]);
            let middle = (x * mx + y * my + z * mz + t).abs();
            let most = middle + (x.abs() * hx + y.abs() * hy + z.abs() * hz);
            squared += most * most;
        }
        squared
    }
}

fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + (a[2] * b[2] + a[3] * b[3])
}

#[cfg(test)]
mod tests {
    use super::factor;

    #[test]
    fn factors_are_those_of_the_angles() {
        for degrees in 0..=90 {
            let angle = f64::from(degrees).to_radians();
            let two = factor(angle.cos() as f32, 2);
            assert!((f64::from(two) - 0.5 * (angle / 2.0).tan()).abs() < 1e-4, "{degrees}");
            for influences in 3..8_u8 {
                let n = f64::from(influences - 1);
                let found = f64::from(factor(angle.cos() as f32, influences.into()));
                let t = (2.0 * angle).min(60_f64.to_radians());
                let hull = n * t.sin() / (1.0 + n * t.cos());
                assert!(found >= hull - 1e-3, "{degrees}");
                if degrees > 31 {
                    assert!(found >= n / (1.0 + n * angle.cos()) - 1e-3, "{degrees}");
                }
            }
        }
    }
}
