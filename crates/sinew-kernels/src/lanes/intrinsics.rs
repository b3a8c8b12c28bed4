//! What the lanes types made of intrinsics share: the fuse policy and two macros.

/// Whether a lanes type may fuse multiply-adds.
pub(crate) trait FusePolicy: Copy {
    /// Whether to use the fused instruction, if the instruction set has it.
    const FUSE: bool;
}

/// May fuse multiply-adds.
#[derive(Clone, Copy)]
pub(crate) struct Fast;

impl FusePolicy for Fast {
    const FUSE: bool = true;
}

/// Only operations that give the same bits everywhere.
#[derive(Clone, Copy)]
pub(crate) struct Exact;

impl FusePolicy for Exact {
    const FUSE: bool = false;
}

/// The arithmetic operators of a lanes type, from its instruction set's intrinsics.
macro_rules! operators {
    ([$($generics:tt)*] $type:ty: $add:ident, $sub:ident, $mul:ident, $div:ident) => {
        operators!(@one [$($generics)*] $type: Add add $add);
        operators!(@one [$($generics)*] $type: Sub sub $sub);
        operators!(@one [$($generics)*] $type: Mul mul $mul);
        operators!(@one [$($generics)*] $type: Div div $div);
    };
    (@one [$($generics:tt)*] $type:ty: $trait:ident $function:ident $intrinsic:ident) => {
        impl<$($generics)*> std::ops::$trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                // SAFETY: `self` exists, so the CPU has the instruction.
                Self::new(unsafe { $intrinsic(self.register, other.register) })
            }
        }
    };
}
pub(crate) use operators;

/// Calls an intrinsic that only touches registers.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: an operand is a lanes value or the backend's token, so the CPU has the
        // instruction.
        unsafe { $call }
    };
}
pub(crate) use intrinsic;
