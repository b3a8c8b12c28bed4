//! The UV charts of the figure's parts. The left half of the body uses the left half of the
//! texture.

/// A rectangle of the texture. A tube's columns run from `left` to `right`, its rows from `top` to
/// `bottom`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chart {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Chart {
    pub(super) const fn new(left: f64, top: f64, right: f64, bottom: f64) -> Self {
        Self { left, top, right, bottom }
    }

    /// The texture coordinates of a grid point of the tube.
    pub(super) fn uv_at(&self, column: usize, columns: usize, row: usize, rows: usize) -> [f64; 2] {
        let lerp = |from: f64, to: f64, step: usize, steps: usize| {
            // Exact at the ends: the figure's mirror plane must be exactly the middle of the
            // texture.
            if step == steps { to } else { from + (to - from) * step as f64 / steps as f64 }
        };
        [lerp(self.left, self.right, column, columns), lerp(self.top, self.bottom, row, rows)]
    }
}

pub(super) const HEAD: Chart = Chart::new(0.5, 0.24, 0.32, 0.035);
pub(super) const CROWN: Chart = Chart::new(0.49, 0.03, 0.45, 0.005);
pub(super) const TRUNK: Chart = Chart::new(0.5, 0.62, 0.26, 0.26);
pub(super) const SHOULDER: Chart = Chart::new(0.27, 0.2, 0.31, 0.25);
pub(super) const ARM: Chart = Chart::new(0.01, 0.01, 0.14, 0.36);
pub(super) const HAND: Chart = Chart::new(0.01, 0.37, 0.14, 0.48);
pub(super) const LEG: Chart = Chart::new(0.01, 0.5, 0.24, 0.99);
pub(super) const HEEL: Chart = Chart::new(0.26, 0.64, 0.3, 0.68);
pub(super) const FOOT: Chart = Chart::new(0.31, 0.64, 0.47, 0.78);
pub(super) const TOES: Chart = Chart::new(0.26, 0.7, 0.3, 0.72);

/// The charts of a finger and its tip; finger 0 is the thumb.
pub(super) fn finger(finger: usize) -> (Chart, Chart) {
    let left = 0.26 + 0.045 * finger as f64;
    (Chart::new(left, 0.82, left + 0.04, 0.95), Chart::new(left + 0.01, 0.96, left + 0.03, 0.98))
}
