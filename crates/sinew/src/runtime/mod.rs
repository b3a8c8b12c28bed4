//! The backend and float mode that kernels run with, chosen once and carried by everything that is
//! built from a skeleton.

mod runtime;
mod warm_up;

pub use runtime::Runtime;
pub use sinew_kernels::backend::Unavailable;
pub use sinew_kernels::{Backend, FloatMode, Kernels, backend};
pub use warm_up::warm_up;
