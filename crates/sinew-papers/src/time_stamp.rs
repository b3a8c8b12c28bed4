//! The time stamp counter, in whose ticks the papers give their times.
//!
//! `unsafe` reads it: every x86-64 CPU has it.

/// Ticks of the processor's time stamp counter; `None` on other processors.
#[cfg(target_arch = "x86_64")]
#[must_use]
pub fn time_stamp() -> Option<u64> {
    // SAFETY: the instruction is part of x86-64.
    Some(unsafe { std::arch::x86_64::_rdtsc() })
}

/// Ticks of the processor's time stamp counter; `None` on other processors.
#[cfg(not(target_arch = "x86_64"))]
#[must_use]
pub fn time_stamp() -> Option<u64> {
    None
}
