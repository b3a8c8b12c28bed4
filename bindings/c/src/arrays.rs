//! Arrays of the caller with strides, and vertex buffers: what casts and skinning take.

use sinew_handles::records::{Bounds, Hit, Layout, Ray};
use sinew_handles::{Code, Error};

use crate::pointers::{border, check_size, input, null, output, read, write_if_wanted};
use crate::types::Buffer;

/// Casts the caller's rays. `cast` gets their number, and functions to read a ray and to write a
/// hit.
///
/// # Safety
///
/// As [`RayArrays::new`], during the call.
pub(crate) unsafe fn cast_rays(
    rays: *const Ray,
    ray_stride: usize,
    hits: *mut Hit,
    hit_stride: usize,
    len: usize,
    cast: impl FnOnce(&RayArrays) -> Result<(), Error>,
) -> Code {
    border(|| {
        // SAFETY: the caller of this function promises it.
        cast(&unsafe { RayArrays::new(rays, ray_stride, hits, hit_stride, len) }?)
    })
}

/// Skins into the caller's buffers. `skin` gets the layout, the buffers, and where to write bounds.
///
/// # Safety
///
/// If `layout` is not null, one is readable there; if `bounds` is not, some are writable there;
/// else as [`Buffers::new`].
#[inline]
pub(crate) unsafe fn skin_into<'a>(
    layout: *const Layout,
    buffers: *const Buffer,
    buffer_count: usize,
    bounds: *mut Bounds,
    skin: impl FnOnce(&Layout, Buffers<'a>, Option<&mut Bounds>) -> Result<(), Error>,
) -> Code {
    border(|| {
        // SAFETY: the caller of this function promises it.
        let layout = unsafe { read("layout", layout) }?;
        // SAFETY: the caller of this function promises it.
        let buffers = unsafe { Buffers::new(buffers, buffer_count) }?;
        let mut exact = Bounds { min: [0.0; 3], max: [0.0; 3] };
        let wanted = (!bounds.is_null()).then_some(&mut exact);
        skin(&layout, buffers, wanted)?;
        // SAFETY: the caller of this function promises it.
        unsafe { write_if_wanted(bounds, exact) };
        Ok(())
    })
}

/// The caller's rays and hits, as functions of their indices. Strides are in bytes. They may
/// overlap and need no alignment: they are copied one by one.
pub(crate) struct RayArrays {
    rays: *const u8,
    ray_stride: usize,
    hits: *mut u8,
    hit_stride: usize,
    pub(crate) len: usize,
}

impl RayArrays {
    /// Checks the arrays.
    ///
    /// # Safety
    ///
    /// If the pointers are not null, `len` rays and hits are there, as far apart as the strides
    /// say, for as long as the arrays are used.
    pub(crate) unsafe fn new(
        rays: *const Ray,
        ray_stride: usize,
        hits: *mut Hit,
        hit_stride: usize,
        len: usize,
    ) -> Result<Self, Error> {
        if len > 0 {
            if rays.is_null() {
                return Err(null("rays"));
            }
            if hits.is_null() {
                return Err(null("hits"));
            }
            check_stride::<Ray>("rays", ray_stride, len)?;
            check_stride::<Hit>("hits", hit_stride, len)?;
        }
        Ok(Self { rays: rays.cast(), ray_stride, hits: hits.cast(), hit_stride, len })
    }

    pub(crate) fn ray(&self, index: usize) -> Ray {
        assert!(index < self.len, "ray {index} of {}", self.len);
        let offset = index * self.ray_stride;
        // SAFETY: within the array that the maker of this struct promised, which is below
        // `isize::MAX` bytes.
        let from = unsafe { self.rays.add(offset) };
        // SAFETY: a ray is readable there, and any bytes are a ray.
        unsafe { from.cast::<Ray>().read_unaligned() }
    }

    pub(crate) fn set_hit(&self, index: usize, hit: Hit) {
        assert!(index < self.len, "hit {index} of {}", self.len);
        let offset = index * self.hit_stride;
        // SAFETY: within the array that the maker of this struct promised, which is below
        // `isize::MAX` bytes.
        let to = unsafe { self.hits.add(offset) };
        // SAFETY: a hit is writable there.
        unsafe { to.cast::<Hit>().write_unaligned(hit) };
    }
}

fn check_stride<T>(what: &str, stride: usize, len: usize) -> Result<(), Error> {
    if stride < size_of::<T>() {
        let message = format!("stride of {what}: expected at least {} bytes, found {stride}", size_of::<T>());
        return Err(Error::new(Code::BadStructSize, message));
    }
    check_size(what, len, stride)
}

/// The caller's vertex buffers, at most four, none of which overlaps another.
pub(crate) struct Buffers<'a> {
    slices: [&'a mut [u8]; 4],
    len: usize,
}

impl<'a> Buffers<'a> {
    /// Checks the buffers.
    ///
    /// # Safety
    ///
    /// The array and the memory of each of its buffers are writable during the call.
    pub(crate) unsafe fn new(buffers: *const Buffer, len: usize) -> Result<Self, Error> {
        if len > 4 {
            let message = format!("vertex buffers: expected at most 4, found {len}");
            return Err(Error::new(Code::Length, message));
        }
        // SAFETY: the caller of this function promises it.
        let buffers = unsafe { input("vertex buffers", buffers, len) }?;
        for (index, one) in buffers.iter().enumerate() {
            check_size("vertex buffer", one.length, 1)?;
            if buffers[..index].iter().any(|other| overlap(one, other)) {
                let message = format!("vertex buffer {index}: expected memory of its own, found an overlap");
                return Err(Error::new(Code::BadPointer, message));
            }
        }
        let mut slices: [&mut [u8]; 4] = Default::default();
        for (slice, buffer) in slices.iter_mut().zip(buffers) {
            // SAFETY: the caller of this function promises it, and no two of them overlap.
            *slice = unsafe { output("vertex buffer", buffer.data.cast::<u8>(), buffer.length) }?;
        }
        Ok(Self { slices, len })
    }
}

impl<'a> IntoIterator for Buffers<'a> {
    type Item = &'a mut [u8];
    type IntoIter = std::iter::Take<std::array::IntoIter<&'a mut [u8], 4>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.slices.into_iter().take(self.len)
    }
}

fn overlap(one: &Buffer, other: &Buffer) -> bool {
    let range = |buffer: &Buffer| {
        let start = buffer.data.cast::<u8>().addr();
        (start, start.saturating_add(buffer.length))
    };
    let ((start, end), (other_start, other_end)) = (range(one), range(other));
    start < other_end && other_start < end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_buffers_are_refused() {
        let memory = [0_u8; 16];
        let at = |offset: usize, length| Buffer {
            data: memory.as_ptr().wrapping_add(offset).cast_mut().cast(),
            length,
        };
        assert!(overlap(&at(0, 8), &at(7, 1)));
        assert!(!overlap(&at(0, 8), &at(8, 8)));
        assert!(!overlap(&at(4, 0), &at(4, 0)));
    }
}
