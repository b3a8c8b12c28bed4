//! How far dual quaternions may take a vertex from where its joints would have it.
//!
//! Let joint i with weight w_i take a vertex to x_i by a rotation q_i, signs chosen as the kernel does, and let r be the sum of
//! w_i q_i. The blended move takes the vertex to x = sum of vec(x_i a_i), with quaternions a_i = w_i q_i r* / |r|^2 whose
//! sum is one. With a_i = (c_i, v_i) in real and vector part:
//!
//! - x = sum of c_i x_i + sum of x_i x v_i, where the c_i sum to one and the v_i to zero. So for any k the last sum is that
//!   of (x_i - x_k) x v_i. Where no c_i is negative, x is the mean of points x_k + e_k with |e_k| <= d_k V: d_k is the
//!   largest |x_i - x_k|, and V the sum of |v_i| over i other than k.
//! - |v_i| <= sum over l of w_i w_l sin(i, l) / |r|^2, and |r|^2 = sum of w_i w_l cos(i, l), angles between quaternions. With n
//!   joints that are at most t < 90 degrees apart, |v_i| <= w_i (1 - w_i) sin t / (cos t + (1 - cos t) / n). So |e_k| is no more than that
//!   quotient times the sum over the partners i of D_ki, the largest w_i (1 - w_i) |x_i - x_k| of the vertices that they share.
//!   These are near the pivot where the weights are even, and weakly held where they are far from it: D is small.
//! - Where all pairs are less than 60 degrees apart, up to sign, the signs fit and no c_i is negative. Two joints always do.
//! - Whatever the signs, |x - x_0| <= sum of w_i |x_i - x_0| / |r| for the strongest joint 0, and |r| >= w_0 + (1 - w_0) cos t_0,
//!   with t_0 the largest angle between it and another. Weights of others are at most a half, so w_i |x_i - x_0| <= 2 D_0i.
//! - Angles up to sign keep the triangle's rule: if all partners of k are within t_k, any two are within 2 t_k. No pair is
//!   farther apart than the farthest of the mesh.
//!
//! So a joint's box is made larger by the sum of its D times the first quotient, of the angle by the last rule, where that is less
//! than 60 degrees; elsewhere times the larger of that of 60 degrees and the second. A vertex is then within the smallest
//! box around the boxes of its joints, as with linear blending.
//!
//! Stretches go before, each vertex through the weighted mean of them: that takes it from where joint k's own stretch has
//! it by no more than the largest difference between two of them, and the distances between the x_i grow by no more than
//! three times that.

use std::ops::Range;

use sinew_kernels::{Aabb, DualQuaternion, Matrix};

use super::boxes::{JointBox, JointBoxes};
use super::extent::Extent;
use super::moved::{higher, lower};
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
    /// Of their offsets from the middle of that, times w (1 - w) with the partner's weight w.
    weighted: Extent,
    /// The largest w (1 - w).
    most: f32,
}

/// A partner that is being found.
#[derive(Clone, Copy)]
struct Found {
    joint: u32,
    shared: Aabb,
    weighted: Aabb,
    most: f32,
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
    /// Of the largest angle between two partners, as [`chord`] has it.
    pub(super) chord: f32,
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
        let mut all = vec![(Aabb::EMPTY, 0); mesh.skin_len];
        let mut found: Vec<Vec<Found>> = vec![Vec::new(); mesh.skin_len];
        mesh.each_hold_of_levels(|hold| {
            for (joint, point, _) in hold.shares() {
                let own = &mut all[joint as usize];
                let point = Aabb { min: point, max: point };
                *own = (own.0.union(&point), own.1.max(hold.held.len()));
                for (other, ..) in hold.shares().filter(|(other, ..)| *other != joint) {
                    let partner = partner_of(&mut found[joint as usize], other);
                    partner.shared = partner.shared.union(&point);
                }
            }
        });
        // Levels of detail have weights of their own, and so other shares.
        mesh.each_hold_of_levels(|hold| {
            for (joint, point, _) in hold.shares() {
                for (other, _, weight) in hold.shares().filter(|(other, ..)| *other != joint) {
                    partner_of(&mut found[joint as usize], other).weigh(point, weight);
                }
            }
        });
        let mut partners = Vec::new();
        let own = |joint: &JointBox| {
            let joint = joint.joint as usize;
            let start = partners.len();
            partners.extend(found[joint].iter().map(Partner::of));
            let (bounds, influences) = &all[joint];
            Own { partners: start..partners.len(), influences: *influences, all: Extent::of(bounds) }
        };
        let joints = boxes.joints.iter().map(own).collect();
        Self { joints, partners }
    }

    /// The squared chord of the largest angle between two partners.
    pub(super) fn chord(&self, boxes: &JointBoxes, duals: &[DualQuaternion]) -> f32 {
        let mut most = 0.0;
        for (own, joint) in self.joints.iter().zip(&boxes.joints) {
            let real = duals[joint.joint as usize].real;
            for partner in self.partners[own.partners.clone()].iter().filter(|p| p.joint > joint.joint) {
                most = higher(chord(real, duals[partner.joint as usize].real), most);
            }
        }
        most
    }

    /// How much larger a joint's boxes are to be made on each side, by its place and its number.
    pub(super) fn pad(&self, place: usize, joint: u32, turned: &Turned<'_>, grown: Grown) -> f32 {
        let (own, joint) = (&self.joints[place], joint as usize);
        let (mut widest, mut sum, mut largest, mut stretched) = (0.0, 0.0, 0.0, 0.0);
        for partner in &self.partners[own.partners.clone()] {
            let other = partner.joint as usize;
            widest = higher(chord(turned.duals[joint].real, turned.duals[other].real), widest);
            let apart = partner.apart(&turned.palette[joint], &turned.palette[other], grown);
            (sum, largest) = (sum + apart, higher(apart, largest));
            if let Some(stretches) = turned.stretches {
                let shared = partner.shared.grown(grown);
                stretched = higher(shared.spread(&stretches[joint], &stretches[other]), stretched);
            }
        }
        let (apart, difference) = (lower(sum, largest * own.influences as f32), stretched.sqrt());
        let [least, most] = turned.sums;
        let mut away = difference * most;
        if let (Some(stretches), true) = (turned.stretches, turned.sums != [1.0, 1.0]) {
            // What the weights leave of one is not stretched.
            let lost = own.all.grown(grown).spread(&stretches[joint], &Matrix::IDENTITY).sqrt();
            away += lost * higher(1.0 - least, most - 1.0).abs();
        }
        away += turned.residue;
        let pad = factor([widest, turned.chord], own.influences) * (apart + difference + 2.0 * away) + away;
        // Nothing times a distance whose square is too large.
        if pad.is_nan() { f32::INFINITY } else { pad }
    }
}

/// The squared chord of the angle t between two rotations, the shorter way: 2 - 2 cos t, a little more than less. A cosine would
/// be one for every small angle, and the sine from it nothing.
fn chord(a: [f32; 4], b: [f32; 4]) -> f32 {
    let squared = |sign: f32| -> f32 { (0..4).map(|c| (a[c] - sign * b[c]) * (a[c] - sign * b[c])).sum() };
    let chord = lower(squared(1.0), squared(-1.0)).sqrt() + 1e-6;
    lower(chord * chord, 2.0)
}

/// What the sum of weighted distances is multiplied by, from the squared chords of the largest angles of a joint and of the mesh.
fn factor([own, of_mesh]: [f32; 2], influences: usize) -> f32 {
    let n = influences as f32;
    let shortest = |chord: f32| (1.0 - 0.5 * chord) + 0.5 * chord / n;
    let sine = |chord: f32| (chord * (1.0 - 0.25 * chord)).sqrt();
    let quotient = |chord: f32| sine(chord) / shortest(chord);
    if influences <= 2 {
        return quotient(own);
    }
    // Of twice the angle.
    let between = lower(own * (4.0 - own), of_mesh);
    if between < 1.0 { quotient(between) } else { higher(quotient(1.0), 2.0 / shortest(own)) }
}

/// The one of this number, new where there is none.
fn partner_of(found: &mut Vec<Found>, joint: u32) -> &mut Found {
    let place = found.iter().position(|partner| partner.joint == joint).unwrap_or_else(|| {
        found.push(Found { joint, shared: Aabb::EMPTY, weighted: Aabb::EMPTY, most: 0.0 });
        found.len() - 1
    });
    &mut found[place]
}

impl Found {
    fn weigh(&mut self, point: [f32; 3], weight: f32) {
        let weight = higher(weight * (1.0 - weight), 0.0);
        let centre = Extent::of(&self.shared).middle;
        let point = std::array::from_fn(|axis| weight * (point[axis] - centre[axis]));
        self.weighted = self.weighted.union(&Aabb { min: point, max: point });
        self.most = higher(weight, self.most);
    }
}

impl Partner {
    fn of(found: &Found) -> Self {
        let (shared, weighted) = (Extent::of(&found.shared), Extent::of(&found.weighted));
        Self { joint: found.joint, shared, weighted, most: found.most }
    }

    /// The largest weighted distance between where two matrices take a shared point.
    fn apart(&self, a: &Matrix, b: &Matrix, grown: Grown) -> f32 {
        let centre = self.shared.middle;
        let [mx, my, mz] = self.weighted.middle;
        let half =
            |axis: usize| self.weighted.half[axis] + self.most * (grown.by[axis].abs() + grown.half[axis]);
        let [hx, hy, hz] = [half(0), half(1), half(2)];
        let mut squared = 0.0;
        for (a, b) in a.rows.iter().zip(&b.rows) {
            let [x, y, z, t]: [f32; 4] = std::array::from_fn(|c| a[c] - b[c]);
            let of_centre = (x * centre[0] + y * centre[1] + z * centre[2] + t).abs() * self.most;
            let of_offset = (x * mx + y * my + z * mz).abs() + (x.abs() * hx + y.abs() * hy + z.abs() * hz);
            squared += (of_centre + of_offset) * (of_centre + of_offset);
        }
        squared.sqrt()
    }
}

impl Extent {
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

#[cfg(test)]
mod tests {
    use super::{chord, factor};

    #[test]
    fn small_angles_have_chords_no_shorter_than_they_are() {
        for exponent in 1..40 {
            let half = 0.5_f64.powi(exponent);
            let (a, b) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, half.sin() as f32, half.cos() as f32]);
            let exact = 2.0 - 2.0 * half.cos();
            assert!(f64::from(chord(a, b)) >= exact && f64::from(chord(a, b.map(|c| -c))) >= exact, "{half}");
        }
    }

    #[test]
    fn factors_are_those_of_the_angles() {
        for degrees in 0..=90 {
            let angle = f64::from(degrees).to_radians();
            let chord = (2.0 - 2.0 * angle.cos()) as f32;
            // A weight of a half makes of it a half of the tangent of half the angle.
            let two = f64::from(factor([chord, 2.0], 2)) / 4.0;
            assert!((two - 0.5 * (angle / 2.0).tan()).abs() < 1e-4, "{degrees}");
            for influences in 3..8_u8 {
                let n = f64::from(influences);
                let quotient = |t: f64| t.sin() / (t.cos() + (1.0 - t.cos()) / n);
                let found = f64::from(factor([chord, 2.0], influences.into()));
                assert!(found >= quotient((2.0 * angle).min(60_f64.to_radians())) - 1e-3, "{degrees}");
                let alone = f64::from(factor([chord, chord], influences.into()));
                assert!(alone >= quotient(angle.min(60_f64.to_radians())) - 1e-3, "{degrees}");
                assert!(alone <= found + 1e-6, "{degrees}");
                if degrees > 60 {
                    assert!(alone >= 2.0 / (angle.cos() + (1.0 - angle.cos()) / n) - 1e-3, "{degrees}");
                }
            }
        }
    }
}
