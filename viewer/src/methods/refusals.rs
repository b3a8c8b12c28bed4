//! Which methods cannot be chosen here, and why.

use sinew::backend;
use sinew_figures::methods::Demands;

use super::{KINDS, Kind};
use crate::scene::{Subject, unshaded};

/// What stands in the way of each method and each row.
#[derive(Clone, Debug, Default)]
pub struct Refusals {
    kinds: Vec<Option<String>>,
}

impl Refusals {
    /// For a subject with so many weights.
    #[must_use]
    pub fn new(subject: &Subject, weights: usize) -> Self {
        let most = max_influences(subject, weights);
        let refusal = |kind: Kind| subject.demands.iter().find_map(|demands| refusal(demands, most, kind));
        Self { kinds: KINDS.map(refusal).to_vec() }
    }

    /// Why a method cannot be chosen; `None` where it can.
    #[must_use]
    pub fn of(&self, kind: Kind) -> Option<&str> {
        let place = KINDS.iter().position(|&other| other == kind)?;
        self.kinds.get(place)?.as_deref()
    }
}

/// Why a row cannot be chosen; `None` where it can.
#[must_use]
pub fn no_row(name: &str) -> Option<String> {
    backend::find(name).err().map(|error| error.reason())
}

/// Why there are no threads; `None` where there are.
#[must_use]
pub fn no_threads() -> Option<&'static str> {
    cfg!(target_arch = "wasm32").then_some("a page has one thread unless its server says otherwise")
}

fn refusal(demands: &Demands, most: usize, kind: Kind) -> Option<String> {
    match kind.on(backend::fastest()) {
        Some(method) => demands.refusal(method, most),
        None => unshaded(demands, most),
    }
}

/// The most influences that are skinned: the cylinders are made with as many as are asked for, and four are all.
#[must_use]
pub fn max_influences(subject: &Subject, weights: usize) -> usize {
    if subject.is_cylinder || weights >= subject.most_influences() { usize::MAX } else { weights }
}
