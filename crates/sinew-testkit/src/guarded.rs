//! Buffers between guard values, which detect writes outside.

use std::fmt::Debug;
use std::ops::{Deref, DerefMut};

use sinew_kernels::{
    AffineBlock, BLOCK, DualQuaternion, Joint, Matrix, Plane, RotationBlock, ScalarBlock, Scale, VectorBlock,
};

/// Element types with a guard value.
pub trait Guard: Copy + PartialEq + Debug {
    /// A value that no kernel writes.
    const GUARD: Self;
}

impl Guard for f32 {
    const GUARD: Self = -1.234_567_9e30;
}

impl Guard for [f32; 4] {
    const GUARD: Self = [f32::GUARD; 4];
}

impl Guard for u8 {
    const GUARD: Self = 0xDE;
}

impl Guard for u32 {
    const GUARD: Self = 0xDEAD_BEEF;
}

impl Guard for u64 {
    const GUARD: Self = 0xDEAD_BEEF_FEED_CAFE;
}

impl Guard for Joint {
    const GUARD: Self = Self::new([f32::GUARD; 4], [f32::GUARD; 3]);
}

impl Guard for Scale {
    const GUARD: Self = Self::new([f32::GUARD; 3]);
}

impl Guard for Plane {
    const GUARD: Self = Self { normal: [f32::GUARD; 3], distance: f32::GUARD };
}

impl Guard for Matrix {
    const GUARD: Self = Self { rows: [[f32::GUARD; 4]; 3] };
}

impl Guard for DualQuaternion {
    const GUARD: Self = Self { real: [f32::GUARD; 4], dual: [f32::GUARD; 4] };
}

impl Guard for RotationBlock {
    const GUARD: Self = Self { rows: [[f32::GUARD; BLOCK]; 4] };
}

impl Guard for ScalarBlock {
    const GUARD: Self = Self([f32::GUARD; BLOCK]);
}

impl Guard for VectorBlock {
    const GUARD: Self = Self { rows: [[f32::GUARD; BLOCK]; 3] };
}

impl Guard for AffineBlock {
    const GUARD: Self = Self { columns: [VectorBlock::GUARD; 4] };
}

/// A slice between guard values.
#[derive(Clone, Debug)]
pub struct Guarded<T> {
    buffer: Vec<T>,
    offset: usize,
    len: usize,
}

/// The number of guards after the last element, more than a register or block holds.
const AFTER: usize = 17;

impl<T: Guard> Guarded<T> {
    /// `len` elements to write, after `offset` guards.
    #[must_use]
    pub fn new(len: usize, offset: usize) -> Self {
        Self { buffer: vec![T::GUARD; offset + len + AFTER], offset, len }
    }

    /// A copy of `elements`, after `offset` guards.
    #[must_use]
    pub fn holding(elements: &[T], offset: usize) -> Self {
        let mut guarded = Self::new(elements.len(), offset);
        guarded.copy_from_slice(elements);
        guarded
    }

    /// Checks that no guard was overwritten.
    ///
    /// # Panics
    ///
    /// When one was.
    #[track_caller]
    pub fn check(&self) {
        let Self { buffer, offset, len } = self;
        for (i, element) in buffer.iter().enumerate() {
            let inside = (*offset..offset + len).contains(&i);
            let distance = i as isize - *offset as isize;
            assert!(inside || *element == T::GUARD, "element {distance} of {len} was written: {element:?}");
        }
    }
}

impl<T> Deref for Guarded<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.buffer[self.offset..self.offset + self.len]
    }
}

impl<T> DerefMut for Guarded<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.buffer[self.offset..self.offset + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_inside_are_allowed() {
        let mut guarded = Guarded::new(3, 5);
        guarded.fill(1.0);
        guarded.check();
        assert_eq!(*guarded, [1.0; 3]);
    }

    #[test]
    #[should_panic(expected = "element 3 of 3 was written")]
    fn writes_past_the_end_are_detected() {
        let mut guarded = Guarded::new(3, 5);
        guarded.buffer[8] = 0.0;
        guarded.check();
    }
}
