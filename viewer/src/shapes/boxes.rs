//! The box of each copy, made from its joints alone.

use sinew::{Aabb, BoundsOptions};

use crate::draw::{Copy, Point};
use crate::scene::{Animated, Subject};

const COLOUR: [u8; 4] = [130, 225, 150, 200];

/// Adds the edges of the box that holds all parts of a copy.
pub fn boxes(subject: &Subject, animated: &Animated, copy: &Copy, lines: &mut Vec<Point>) {
    let mut all = Aabb::EMPTY;
    for part in 0..subject.parts() {
        let palette = &animated.palettes[subject.skin_of(part)];
        let weights = &animated.morph_weights[subject.model.parts()[part].morph_weights.clone()];
        let options = BoundsOptions { morph_weights: weights, ..BoundsOptions::default() };
        let Ok(bounds) = subject.mesh(part).bounds(palette, &options) else { continue };
        for axis in 0..3 {
            all.min[axis] = all.min[axis].min(bounds.min[axis]);
            all.max[axis] = all.max[axis].max(bounds.max[axis]);
        }
    }
    let sides = [all.min, all.max];
    if sides.as_flattened().iter().any(|number| !number.is_finite()) {
        return;
    }
    let corner = |bits: usize| {
        let place = subject.upright([0, 1, 2].map(|axis| sides[bits >> axis & 1][axis]));
        Point { position: [0, 1, 2].map(|i| place[i] + copy.offset[i]), colour: COLOUR }
    };
    for from in 0..8_usize {
        for axis in (0..3).filter(|axis| from >> axis & 1 == 0) {
            lines.extend([corner(from), corner(from | 1 << axis)]);
        }
    }
}
