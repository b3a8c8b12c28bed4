//! SIMD warm-up: powering up the CPU's wide registers at the start of a frame.

use sinew_kernels::{BLOCK, ScalarBlock, WarmUp};

use super::Runtime;

/// Powers up the registers that the runtime's kernels use. Takes well under a microsecond.
///
/// Some CPUs run 256-bit code three times slower for up to 300 microseconds after a pause of one
/// millisecond, which is longer than it takes to skin a few characters. Call this at the start of a
/// frame, about 100 microseconds before skinning, for example before animation. On other CPUs it
/// has no measurable effect.
pub fn warm_up(runtime: Runtime) {
    runtime.kernels().warm_up(WarmUp { block: &mut ScalarBlock([1.0; BLOCK]) });
}
