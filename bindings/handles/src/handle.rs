//! Handles: numbers that name objects of this library.

use crate::{Code, Error};

/// What a handle refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// A model.
    Model = 1,
    /// A model that is built from arrays.
    Builder = 2,
    /// An instance of a model.
    Instance = 3,
    /// A mask of joints.
    Mask = 4,
    /// Recorded poses.
    History = 5,
    /// A crowd.
    Crowd = 6,
    /// A mesh that the caller poses by a palette.
    SkinnedMesh = 7,
    /// A blend space.
    BlendSpace = 8,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::Model,
        Self::Builder,
        Self::Instance,
        Self::Mask,
        Self::History,
        Self::Crowd,
        Self::SkinnedMesh,
        Self::BlendSpace,
    ];

    /// The name for error messages, with its article.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "a model",
            Self::Builder => "a model builder",
            Self::Instance => "an instance",
            Self::Mask => "a mask",
            Self::History => "a history",
            Self::Crowd => "a crowd",
            Self::SkinnedMesh => "a skinned mesh",
            Self::BlendSpace => "a blend space",
        }
    }
}

/// The number of bits of a slot, and of a generation.
const BITS: u32 = 24;
/// The largest slot, and the largest generation.
pub(crate) const MAX: u32 = (1 << BITS) - 1;

/// A handle as a number: kind, generation and slot. Zero is never a handle. Every handle is below
/// 2^53, so that languages whose only number is a double keep it exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle(u64);

impl Handle {
    /// The handle with these bits. Any bits are allowed; functions that take the handle check it.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits of the handle.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    pub(crate) fn new(kind: Kind, slot: u32, generation: u32) -> Self {
        Self(u64::from(kind as u8) << (2 * BITS) | u64::from(generation) << BITS | u64::from(slot))
    }

    /// The kind, if the number can be a handle at all.
    #[must_use]
    pub fn kind(self) -> Option<Kind> {
        let kind = self.0 >> (2 * BITS);
        Kind::ALL.into_iter().find(|known| *known as u64 == kind)
    }

    /// The slot and the generation, if the handle is of a kind.
    #[inline]
    pub(crate) fn parts(self, kind: Kind) -> Option<(u32, u32)> {
        let is_of_kind = self.0 >> (2 * BITS) == u64::from(kind as u8);
        is_of_kind.then_some((self.0 as u32 & MAX, (self.0 >> BITS) as u32 & MAX))
    }

    /// Says what a handle is that is not of a kind.
    #[cold]
    pub(crate) fn wrong_kind(self, expected: Kind) -> Error {
        let expected = expected.name();
        match self.kind() {
            None if self.0 == 0 => {
                Error::new(Code::NullHandle, format!("handle: expected {expected}, found zero"))
            }
            None => Error::new(Code::BadHandle, format!("handle: expected {expected}, found {:#x}", self.0)),
            Some(kind) => {
                Error::new(Code::WrongKind, format!("handle: expected {expected}, found {}", kind.name()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_exact_as_doubles() {
        let largest = Handle::new(Kind::BlendSpace, MAX, MAX);
        assert!(largest.to_bits() < 1 << 53);
        assert_eq!(largest.to_bits() as f64 as u64, largest.to_bits());
    }

    #[test]
    fn a_handle_of_another_kind_is_an_error() {
        let handle = Handle::new(Kind::Model, 3, 9);
        assert_eq!(handle.parts(Kind::Model), Some((3, 9)));
        for (other, code) in [
            (handle, Code::WrongKind),
            (Handle::from_bits(0), Code::NullHandle),
            (Handle::from_bits(u64::MAX), Code::BadHandle),
        ] {
            assert_eq!(other.parts(Kind::Crowd), None);
            assert_eq!(other.wrong_kind(Kind::Crowd).code, code);
        }
    }
}
