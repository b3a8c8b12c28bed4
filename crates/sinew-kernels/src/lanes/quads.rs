//! Joints, rotations, scales, matrices and dual quaternions as quads of floats, padding included,
//! so that they load and store as whole registers.

use super::Lanes;
use crate::{BLOCK, DualQuaternion, Joint, Matrix, Plane, Scale};

const _: () = assert!(size_of::<Joint>() == 32 && align_of::<Joint>() == 16);
const _: () = assert!(size_of::<Matrix>() == 48 && align_of::<Matrix>() == 16);
const _: () = assert!(size_of::<Scale>() == 16 && align_of::<Scale>() == 16);
const _: () = assert!(size_of::<Plane>() == 16 && align_of::<Plane>() == 16);

/// A type that consists of quads only.
pub(crate) trait Quads: 'static {
    /// The value that stands in for elements past the end.
    const PADDING: &'static Self;
    /// The quad at an index.
    fn quad(&self, index: usize) -> &[f32; 4];
    /// The quad at an index, mutable.
    fn quad_mut(&mut self, index: usize) -> &mut [f32; 4];
}

impl Quads for Matrix {
    const PADDING: &'static Self = &Self::IDENTITY;

    /// A row.
    #[inline(always)]
    fn quad(&self, index: usize) -> &[f32; 4] {
        &self.rows[index]
    }

    #[inline(always)]
    fn quad_mut(&mut self, index: usize) -> &mut [f32; 4] {
        &mut self.rows[index]
    }
}

impl Quads for DualQuaternion {
    const PADDING: &'static Self = &Self::IDENTITY;

    /// The real part, then the dual part.
    #[inline(always)]
    fn quad(&self, index: usize) -> &[f32; 4] {
        if index == 0 { &self.real } else { &self.dual }
    }

    #[inline(always)]
    fn quad_mut(&mut self, index: usize) -> &mut [f32; 4] {
        if index == 0 { &mut self.real } else { &mut self.dual }
    }
}

/// A rotation.
impl Quads for [f32; 4] {
    const PADDING: &'static Self = &[0.0, 0.0, 0.0, 1.0];

    /// The only quad.
    #[inline(always)]
    fn quad(&self, _: usize) -> &[f32; 4] {
        self
    }

    #[inline(always)]
    fn quad_mut(&mut self, _: usize) -> &mut [f32; 4] {
        self
    }
}

impl Quads for Joint {
    const PADDING: &'static Self = &Self::IDENTITY;

    /// Rotation, then translation and padding.
    #[inline(always)]
    fn quad(&self, index: usize) -> &[f32; 4] {
        // SAFETY: `Joint` is `repr(C)`, eight floats and nothing else (asserted above).
        let quads: &[[f32; 4]; 2] = unsafe { &*std::ptr::from_ref(self).cast() };
        &quads[index]
    }

    #[inline(always)]
    fn quad_mut(&mut self, index: usize) -> &mut [f32; 4] {
        // SAFETY: `Joint` is `repr(C)`, eight floats and nothing else (asserted above); any values
        // are valid.
        let quads: &mut [[f32; 4]; 2] = unsafe { &mut *std::ptr::from_mut(self).cast() };
        &mut quads[index]
    }
}

impl Quads for Scale {
    const PADDING: &'static Self = &Self::ONE;

    /// Factors and padding: the only quad.
    #[inline(always)]
    fn quad(&self, _: usize) -> &[f32; 4] {
        // SAFETY: `Scale` is `repr(C)`, four floats and nothing else (asserted above).
        unsafe { &*std::ptr::from_ref(self).cast() }
    }

    #[inline(always)]
    fn quad_mut(&mut self, _: usize) -> &mut [f32; 4] {
        // SAFETY: `Scale` is `repr(C)`, four floats and nothing else (asserted above); any values
        // are valid.
        unsafe { &mut *std::ptr::from_mut(self).cast() }
    }
}

impl Quads for Plane {
    const PADDING: &'static Self = &Self::NONE;

    /// Normal and distance: the only quad.
    #[inline(always)]
    fn quad(&self, _: usize) -> &[f32; 4] {
        // SAFETY: `Plane` is `repr(C)`, four floats and nothing else (asserted above).
        unsafe { &*std::ptr::from_ref(self).cast() }
    }

    #[inline(always)]
    fn quad_mut(&mut self, _: usize) -> &mut [f32; 4] {
        // SAFETY: `Plane` is `repr(C)`, four floats and nothing else (asserted above); any values
        // are valid.
        unsafe { &mut *std::ptr::from_mut(self).cast() }
    }
}

/// Two matrices as three rows of eight floats.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn matrix_pair_mut(pair: &mut [Matrix; 2]) -> &mut [[f32; BLOCK]; 3] {
    // SAFETY: `Matrix` is `repr(C)`, twelve floats and nothing else (asserted above), so two are
    // 24.
    unsafe { &mut *std::ptr::from_mut(pair).cast() }
}

/// Gathers one quad of each of `LEN` elements, component by component: lane `i` of register `c` is
/// component `c` of element `group * LEN + i`. Elements past the end are [`Quads::PADDING`].
#[inline(always)]
pub(crate) fn gather<L: Lanes, T: Quads>(
    token: L::Token,
    elements: &[T],
    quad: usize,
    group: usize,
) -> [L; 4] {
    gather_from(token, |i| elements.get(group * L::LEN + i).unwrap_or(T::PADDING).quad(quad))
}

/// Gathers `LEN` quads, component by component: lane `i` of register `c` is component `c` of
/// `quad(i)`.
#[inline(always)]
pub(crate) fn gather_from<'a, L: Lanes>(token: L::Token, quad: impl Fn(usize) -> &'a [f32; 4]) -> [L; 4] {
    L::transpose([
        L::load_quads(token, |i| quad(4 * i)),
        L::load_quads(token, |i| quad(4 * i + 1)),
        L::load_quads(token, |i| quad(4 * i + 2)),
        L::load_quads(token, |i| quad(4 * i + 3)),
    ])
}

/// The inverse of [`gather`]; elements past the end are not written.
#[inline(always)]
pub(crate) fn scatter<L: Lanes, T: Quads>(components: [L; 4], elements: &mut [T], quad: usize, group: usize) {
    let rows = L::transpose(components);
    for i in 0..L::QUADS {
        for k in 0..4 {
            if let Some(element) = elements.get_mut(group * L::LEN + 4 * i + k) {
                rows[k].store_quad(i, element.quad_mut(quad));
            }
        }
    }
}
