//! Checks that a kernel rejects wrong lengths.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sinew_kernels::Kernels;
use sinew_testkit::backends::BackendRun;
use sinew_testkit::guarded::{Guard, Guarded};

/// Asserts that the call panics with this message and writes nothing into the buffer.
pub(crate) fn assert_rejects<T: Guard>(
    run: &BackendRun,
    expected: &str,
    mut output: Guarded<T>,
    call: impl FnOnce(&Kernels, &mut [T]),
) {
    let result = catch_unwind(AssertUnwindSafe(|| call(run.kernels, &mut output)));
    let payload = result.expect_err(&format!("{run}: {expected}: it was not rejected"));
    let message = payload.downcast_ref::<&str>().copied().map(str::to_owned);
    let message = message.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    assert_eq!(message, expected, "{run}");
    output.check();
    assert!(output.iter().all(|element| *element == T::GUARD), "{run}: {expected}: something was written");
}

/// A guarded buffer.
pub(crate) fn guarded<T: Guard>(len: usize) -> Guarded<T> {
    Guarded::new(len, 3)
}
