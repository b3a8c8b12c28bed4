//! What the lanes types made of intrinsics share: how they may round, and two macros.

/// What a lanes type may do to be fast.
pub(crate) trait FusePolicy: Copy {
    /// Multiply-add in one rounding, where the instruction set has it.
    const FUSE: bool;
}

/// May multiply and add in one rounding.
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

/// Runs an intrinsic that touches registers only.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: an operand is a lanes value or the row's token, so the CPU has the instruction.
        unsafe { $call }
    };
}
pub(crate) use intrinsic;
