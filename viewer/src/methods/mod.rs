//! Skinning: every method by name, and the pipeline that runs one over all copies.

mod availability;
mod method_kind;
mod part;
mod pipeline;
mod thread_shares;
mod workers;

pub use availability::{
    MethodAvailability, influence_limit, isa_unavailable_reason, threads_unavailable_reason,
};
pub use method_kind::{Family, MethodKind};
pub use pipeline::{FrameInput, Order, Pipeline, PipelineTimes};
pub use thread_shares::ThreadShares;
