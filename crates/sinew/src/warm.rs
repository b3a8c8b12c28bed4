//! Waking the CPU's wide registers at the start of a frame.

use sinew_kernels::{BLOCK, Kernels, ScalarBlock, WarmUp};

/// Wakes the registers that these kernels use; takes well under a microsecond.
///
/// Some CPUs start 256-bit code throttled after a pause of a millisecond, three times slower than it will be, for up to 300
/// microseconds: longer than it takes to skin a few characters. Call this at the start of a frame, some 100 microseconds
/// before skinning, as before the animation that comes first. Where a CPU has no such pause it does nothing of note.
pub fn warm(kernels: &Kernels) {
    kernels.warm_up(WarmUp { block: &mut ScalarBlock([1.0; BLOCK]) });
}
