//! The runtime of tests: of each run over all backends, or one for tests that need only one; and
//! case counts that fit an emulator.

use sinew::{FloatMode, Runtime};
use sinew_testkit::backends::{BackendRun, EMULATED};

/// The runtime of a run over all backends.
pub(crate) fn runtime(run: BackendRun) -> Runtime {
    Runtime::with_backend(run.backend, run.float_mode)
}

/// The chosen backend in the fast float mode.
pub(crate) fn fast_runtime() -> Runtime {
    Runtime::new(FloatMode::Fast).expect("a backend")
}

/// Returns `few` in an emulator and `many` elsewhere.
pub(crate) fn case_count(few: usize, many: usize) -> usize {
    if EMULATED { few } else { many }
}
