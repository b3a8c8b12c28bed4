//! One line of a table.

use serde_json::{Value, json};

/// What was measured of one method of a routine.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) table: &'static str,
    /// The papers' name, or one word for what they did not have.
    pub(super) routine: &'static str,
    pub(super) method: String,
    /// The instruction set; `None` where it is the library's or the system's choice.
    pub(super) isa: Option<&'static str>,
    /// How many joints, vertices or triangles one run takes.
    pub(super) elements: usize,
    /// Influences of each vertex, where all have as many.
    pub(super) weights: Option<usize>,
    /// Of one element.
    pub(super) ns: f64,
    /// Of one element, where there is a time stamp counter.
    pub(super) cycles: Option<f64>,
    /// Times as fast as the papers' SSE2 method.
    pub(super) ratio: Option<f64>,
    /// The largest difference from `f64`, as a share of the largest result.
    pub(super) error: Option<f64>,
    /// How far the quartiles of the time are apart, as a share of it.
    pub(super) spread: f64,
    /// What the time amounts to, in another unit. Not in JSON: it follows from the rest.
    pub(super) amount: Option<Amount>,
    /// What the papers have in its place.
    pub(super) published: Option<&'static str>,
}

/// A number and its unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    pub(super) value: f64,
    pub(super) unit: &'static str,
}

impl Row {
    /// Not measured yet.
    pub(super) fn new(
        table: &'static str,
        routine: &'static str,
        method: impl Into<String>,
        isa: Option<&'static str>,
    ) -> Self {
        Self {
            table,
            routine,
            method: method.into(),
            isa,
            elements: 0,
            weights: None,
            ns: 0.0,
            cycles: None,
            ratio: None,
            error: None,
            spread: 0.0,
            amount: None,
            published: None,
        }
    }

    /// Whether both are of the same routine, size and weights.
    pub(super) fn compares_with(&self, other: &Self) -> bool {
        let key = |row: &Self| (row.table, row.routine, row.elements, row.weights);
        key(self) == key(other)
    }

    /// Seconds of all elements.
    pub(super) fn seconds(&self) -> f64 {
        self.ns * self.elements as f64 / 1e9
    }

    /// Keys are stable: they are added to, never changed.
    pub(super) fn json(&self) -> Value {
        json!({
            "table": self.table,
            "routine": self.routine,
            "method": self.method,
            "isa": self.isa,
            "elements": self.elements,
            "weights": self.weights,
            "ns": self.ns,
            "cycles": self.cycles,
            "ratio": self.ratio,
            "error": self.error,
            "spread": self.spread,
        })
    }
}
