//! One row of a table.

/// The measurement of one method of a routine: one row of a table.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The name of its table.
    pub table: &'static str,
    /// The papers' name, or one word for a routine that they do not have.
    pub routine: &'static str,
    /// The name of the method.
    pub method: String,
    /// The instruction set; `None` where the standard library or the system chooses it.
    pub isa: Option<&'static str>,
    /// The number of joints, vertices or triangles per run.
    pub elements: usize,
    /// The number of influences per vertex, where all vertices have the same number.
    pub weights: Option<usize>,
    /// Nanoseconds per element.
    pub ns: f64,
    /// Clock cycles per element, where there is a time stamp counter.
    pub cycles: Option<f64>,
    /// The speed relative to the papers' SSE2 method.
    pub ratio: Option<f64>,
    /// The largest difference from `f64`, relative to the largest result.
    pub error: Option<f64>,
    /// The interquartile range of the time, relative to the time.
    pub spread: f64,
    /// The result in another unit. Not in the JSON, because it follows from the rest.
    pub amount: Option<Amount>,
    /// The published figure.
    pub published: Option<&'static str>,
}

/// A number and its unit.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
}

impl Measurement {
    /// A row without results.
    #[must_use]
    pub fn new(
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

    /// Whether both have the same table, routine, size and weights.
    pub(super) fn is_comparable_with(&self, other: &Self) -> bool {
        let key = |row: &Self| (row.table, row.routine, row.elements, row.weights);
        key(self) == key(other)
    }

    /// The seconds of all elements.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.ns * self.elements as f64 / 1e9
    }
}
