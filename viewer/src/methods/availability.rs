//! Which methods are unavailable, and why.

use sinew::runtime::backend;
use sinew_bench::methods::Requirements;

use super::MethodKind;
use crate::scene::{Subject, gpu_unavailable_reason};
use crate::settings::Weights;

/// For each method, the reason why it cannot be chosen.
#[derive(Clone, Debug, Default)]
pub struct MethodAvailability {
    reasons: Vec<Option<String>>,
}

impl MethodAvailability {
    /// Checks every method against a subject skinned with at most `weights` influences per vertex.
    #[must_use]
    pub fn new(subject: &Subject, weights: Weights) -> Self {
        let limit = influence_limit(subject, weights);
        let refusal =
            |method: MethodKind| subject.demands.iter().find_map(|demands| refusal(demands, limit, method));
        Self { reasons: MethodKind::ALL.map(refusal).to_vec() }
    }

    /// Why a method cannot be chosen; `None` if it can.
    #[must_use]
    pub fn unavailable_reason(&self, method: MethodKind) -> Option<&str> {
        let index = MethodKind::ALL.iter().position(|&other| other == method)?;
        self.reasons.get(index)?.as_deref()
    }
}

/// Why an instruction set cannot be chosen; `None` if it can.
#[must_use]
pub fn isa_unavailable_reason(name: &str) -> Option<String> {
    backend::find(name).err().map(|error| error.reason())
}

/// Why several threads cannot be chosen; `None` if they can.
#[must_use]
pub fn threads_unavailable_reason() -> Option<&'static str> {
    cfg!(target_arch = "wasm32").then_some("a page has only one thread")
}

fn refusal(demands: &Requirements, limit: usize, method: MethodKind) -> Option<String> {
    match method.to_method(backend::fastest()) {
        Some(method) => demands.refusal(method, limit),
        None => gpu_unavailable_reason(demands, limit),
    }
}

/// The influence limit that is passed to the skinners. There is none for cylinders, whose meshes
/// are built with the chosen number of weights, nor if no vertex has more influences than chosen.
#[must_use]
pub fn influence_limit(subject: &Subject, weights: Weights) -> usize {
    let most = weights.most();
    if subject.is_cylinder || most >= subject.max_influences() { usize::MAX } else { most }
}
