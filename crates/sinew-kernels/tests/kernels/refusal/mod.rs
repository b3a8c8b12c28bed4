//! What it means that a kernel refuses lengths.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sinew_kernels::Kernels;
use sinew_testkit::backends::Run;
use sinew_testkit::guarded::{Guard, Guarded};

/// Demands that the call panics with this sentence and writes nothing into the buffers.
pub(crate) fn refused<T: Guard>(
    run: &Run,
    sentence: &str,
    mut output: Guarded<T>,
    call: impl FnOnce(&Kernels, &mut [T]),
) {
    let result = catch_unwind(AssertUnwindSafe(|| call(run.kernels, &mut output)));
    let payload = result.expect_err(&format!("{run}: {sentence}: it was not refused"));
    let message = payload.downcast_ref::<&str>().copied().map(str::to_owned);
    let message = message.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    assert_eq!(message, sentence, "{run}");
    output.check();
    assert!(output.iter().all(|element| *element == T::GUARD), "{run}: {sentence}: something was written");
}

pub(crate) fn out<T: Guard>(len: usize) -> Guarded<T> {
    Guarded::new(len, 3)
}
