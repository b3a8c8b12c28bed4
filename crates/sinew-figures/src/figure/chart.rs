//! Where each part of the figure lies in the texture. The left half has the left half of the square.

/// A rectangle of the texture: a tube's rows run down, its columns to the right.
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

    /// A corner of the tube's grid.
    pub(super) fn place(&self, column: usize, columns: usize, row: usize, rows: usize) -> [f64; 2] {
        let between = |from: f64, to: f64, part: usize, whole: usize| {
            // The ends are exact: the middle of the figure must be the middle of the texture.
            if part == whole { to } else { from + (to - from) * part as f64 / whole as f64 }
        };
        [between(self.left, self.right, column, columns), between(self.top, self.bottom, row, rows)]
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

/// A finger and its tip, the thumb first.
pub(super) fn finger(finger: usize) -> (Chart, Chart) {
    let left = 0.26 + 0.045 * finger as f64;
    (Chart::new(left, 0.82, left + 0.04, 0.95), Chart::new(left + 0.01, 0.96, left + 0.03, 0.98))
}
