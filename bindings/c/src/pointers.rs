//! From pointers of the caller to slices, texts and records, and back.

use std::ffi::{c_char, c_void};
use std::slice;

use sinew_handles::records::{
    AimSettings, AttachmentSettings, Bounds, ChainSettings, ClipInfo, ColliderSettings, Event, FeetSettings,
    Layout, Leg, MeshInstanceInfo, ModelInfo, OverrideSettings, PlaySettings, PlaybackInfo, Ray,
    ReachSettings, RootMotionSettings, SkinSettings, SpringJoint, Transform, TurnSettings,
};
use sinew_handles::{Code, Error, LoadSettings, catch};

use crate::types::{Bone, Buffer, ClipBytes, ClipEvent, Mesh, Morph, Text, Track};

/// Runs a call of the caller: no panic leaves it, and its error is kept for `sinew_last_error`.
#[inline]
pub(crate) fn border(call: impl FnOnce() -> Result<(), Error>) -> Code {
    match catch(call) {
        Ok(()) => Code::Ok,
        Err(error) => refuse(error),
    }
}

/// Keeps an error for `sinew_last_error`. Not inlined, as all that makes errors below: it would be
/// in every function of the library.
#[cold]
#[inline(never)]
fn refuse(error: Error) -> Code {
    error.remember();
    error.code
}

#[cold]
#[inline(never)]
pub(crate) fn null(what: &str) -> Error {
    Error::new(Code::NullPointer, format!("{what}: expected a pointer, found null"))
}

/// Checks that elements can lie at an address.
#[inline]
fn check<T>(what: &str, address: *const T, len: usize) -> Result<(), Error> {
    if !address.is_null() && fits(len, size_of::<T>()) && address.is_aligned() {
        return Ok(());
    }
    Err(bad_array(what, address.is_null(), len, size_of::<T>(), align_of::<T>()))
}

#[inline]
fn fits(len: usize, size: usize) -> bool {
    len.checked_mul(size).is_some_and(|bytes| bytes <= isize::MAX as usize)
}

#[cold]
#[inline(never)]
fn bad_array(what: &str, is_null: bool, len: usize, size: usize, alignment: usize) -> Error {
    let message = if is_null {
        return null(what);
    } else if fits(len, size) {
        format!("{what}: expected an address that is a multiple of {alignment}, found another")
    } else {
        format!("{what}: expected a length that fits into memory, found {len}")
    };
    Error::new(Code::BadPointer, message)
}

#[inline]
pub(crate) fn check_size(what: &str, len: usize, size: usize) -> Result<(), Error> {
    if fits(len, size) { Ok(()) } else { Err(bad_array(what, false, len, size, 1)) }
}

/// An array of the caller. A null pointer is an empty array if the length is zero.
///
/// # Safety
///
/// If the pointer is not null, `len` elements are readable there during the call.
#[inline]
pub(crate) unsafe fn input<'a, T: Plain>(what: &str, from: *const T, len: usize) -> Result<&'a [T], Error> {
    if len == 0 {
        return Ok(&[]);
    }
    check(what, from, len)?;
    // SAFETY: not null, aligned, below `isize::MAX` bytes: just checked; readable: the caller of
    // this function promises it; any bytes are a valid `T`: `Plain`.
    Ok(unsafe { slice::from_raw_parts(from, len) })
}

/// An array of the caller to write to.
///
/// # Safety
///
/// If the pointer is not null, `len` elements are readable and writable there during the call, and
/// nothing else refers to them.
#[inline]
pub(crate) unsafe fn output<'a, T: Plain>(what: &str, to: *mut T, len: usize) -> Result<&'a mut [T], Error> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(what, to, len)?;
    // SAFETY: not null, aligned, below `isize::MAX` bytes: just checked; writable and not shared:
    // the caller of this function promises it; any bytes are a valid `T`: `Plain`.
    Ok(unsafe { slice::from_raw_parts_mut(to, len) })
}

/// An array of a known length.
pub(crate) fn numbers<'a, const N: usize>(what: &str, found: &'a [f32]) -> Result<&'a [f32; N], Error> {
    found.try_into().map_err(|_| bad_count(what, N, found.len()))
}

#[cold]
#[inline(never)]
fn bad_count(what: &str, expected: usize, found: usize) -> Error {
    Error::new(Code::Length, format!("{what}: expected {expected} numbers, found {found}"))
}

/// A text of the caller.
///
/// # Safety
///
/// As [`input`].
pub(crate) unsafe fn text<'a>(what: &str, from: *const c_char, len: usize) -> Result<&'a str, Error> {
    // SAFETY: the caller of this function promises it.
    let bytes = unsafe { input(what, from.cast::<u8>(), len) }?;
    str::from_utf8(bytes).map_err(|error| {
        Error::new(
            Code::BadText,
            format!("{what}: expected UTF-8, found another byte at {}", error.valid_up_to()),
        )
    })
}

/// Copies a text to the caller, cut to the capacity and ended by a zero, and its whole length.
///
/// # Safety
///
/// If `to` is not null, `capacity` bytes are writable there; `len` is null or writable.
pub(crate) unsafe fn write_text(
    text: &str,
    to: *mut c_char,
    capacity: usize,
    len: *mut usize,
) -> Result<(), Error> {
    if capacity > 0 {
        // SAFETY: the caller of this function promises it.
        let to = unsafe { output("text", to.cast::<u8>(), capacity) }?;
        // Whole characters only.
        let mut end = text.len().min(capacity - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        to[..end].copy_from_slice(&text.as_bytes()[..end]);
        to[end] = 0;
    }
    // SAFETY: the caller of this function promises it.
    unsafe { write_if_wanted(len, text.len()) };
    Ok(())
}

/// Writes a value to the caller.
///
/// # Safety
///
/// If `to` is not null, a `T` is writable there.
#[inline]
pub(crate) unsafe fn write<T>(what: &str, to: *mut T, value: T) -> Result<(), Error> {
    if to.is_null() {
        return Err(null(what));
    }
    // SAFETY: not null, so the caller of this function promises that it is writable.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// Writes a value to the caller, unless the pointer is null.
///
/// # Safety
///
/// As [`write`].
#[inline]
pub(crate) unsafe fn write_if_wanted<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: not null, so the caller of this function promises that it is writable.
        unsafe { to.write_unaligned(value) };
    }
}

/// Makes an object and writes its handle to the caller, unless there is nowhere to write it.
///
/// # Safety
///
/// As [`write`].
pub(crate) unsafe fn create<T>(to: *mut T, make: impl FnOnce() -> Result<T, Error>) -> Result<(), Error> {
    if to.is_null() {
        return Err(null("result"));
    }
    let made = make()?;
    // SAFETY: the caller of this function promises it.
    unsafe { write("result", to, made) }
}

/// Reads a value of the caller.
///
/// # Safety
///
/// If `from` is not null, a `T` is readable there.
#[inline]
pub(crate) unsafe fn read<T: Plain>(what: &str, from: *const T) -> Result<T, Error> {
    if from.is_null() {
        return Err(null(what));
    }
    // SAFETY: not null, so the caller of this function promises that it is readable; any bytes are
    // a valid `T`: `Plain`.
    Ok(unsafe { from.read_unaligned() })
}

/// Reads settings of the caller, who may know an older version of the struct: fields beyond its
/// size have their defaults. Null stands for the defaults.
///
/// # Safety
///
/// If `from` is not null, its first four bytes are readable, and as many bytes as they say.
#[inline]
pub(crate) unsafe fn settings<T: SizedRecord>(what: &str, from: *const T) -> Result<T, Error> {
    if from.is_null() {
        return Ok(T::default());
    }
    // SAFETY: not null, so the caller of this function promises that four bytes are readable.
    let size = unsafe { from.cast::<u32>().read_unaligned() } as usize;
    check_struct_size::<T>(what, size)?;
    let mut settings = T::default();
    // SAFETY: the caller of this function promises that `size` bytes are readable, and `size` is at
    // most that of the local struct, whose bytes may be anything: `Plain`.
    unsafe { from.cast::<u8>().copy_to_nonoverlapping((&raw mut settings).cast(), size) };
    Ok(settings)
}

/// Writes a record to the caller, who may know an older version of the struct and says its size in
/// the first field, which keeps it.
///
/// # Safety
///
/// If `to` is not null, its first four bytes are readable, and as many bytes as they say writable.
pub(crate) unsafe fn write_sized<T: SizedRecord>(what: &str, to: *mut T, value: T) -> Result<(), Error> {
    if to.is_null() {
        return Err(null(what));
    }
    // SAFETY: not null, so the caller of this function promises that four bytes are readable.
    let size = unsafe { to.cast::<u32>().read_unaligned() };
    check_struct_size::<T>(what, size as usize)?;
    // SAFETY: the caller of this function promises that `size` bytes are writable, and `size` is at
    // most that of the local struct.
    unsafe { (&raw const value).cast::<u8>().copy_to_nonoverlapping(to.cast(), size as usize) };
    // SAFETY: four bytes of those.
    unsafe { to.cast::<u32>().write_unaligned(size) };
    Ok(())
}

#[inline]
fn check_struct_size<T: SizedRecord>(what: &str, size: usize) -> Result<(), Error> {
    if (T::FIRST_SIZE..=size_of::<T>()).contains(&size) && size.is_multiple_of(4) {
        return Ok(());
    }
    Err(bad_struct_size(what, T::FIRST_SIZE, size_of::<T>(), size))
}

#[cold]
#[inline(never)]
fn bad_struct_size(what: &str, first: usize, last: usize, found: usize) -> Error {
    let message = format!("{what}: expected a struct_size from {first} to {last}, found {found}");
    Error::new(Code::BadStructSize, message)
}

/// A pointer of the caller that a callback gets back, on whatever thread it runs.
#[derive(Clone, Copy)]
pub(crate) struct UserData(*mut c_void);

impl UserData {
    pub(crate) fn new(data: *mut c_void) -> Self {
        Self(data)
    }

    pub(crate) fn get(self) -> *mut c_void {
        self.0
    }
}

// SAFETY: this library never looks at what is there. The caller of a function that takes a callback
// promises that it may be called on other threads.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

/// A type of which any bytes are a value, and which has no references.
///
/// # Safety
///
/// It consists of numbers and raw pointers only.
pub(crate) unsafe trait Plain: Copy {}

/// A plain struct whose first field is its size in bytes, as the caller knows it.
pub(crate) trait SizedRecord: Plain + Default {
    /// The size of the struct in the first version of this library that had it.
    const FIRST_SIZE: usize;
}

macro_rules! plain {
    ($($name:ty)*) => { $(
        // SAFETY: numbers, and structs of numbers and raw pointers.
        unsafe impl Plain for $name {}
    )* };
}

macro_rules! sized {
    ($($name:ty: $size:literal)*) => { $(
        plain!($name);

        impl SizedRecord for $name {
            const FIRST_SIZE: usize = $size;
        }
    )* };
}

plain! { u8 u16 u32 f32 }
plain! { Bone Bounds Buffer ClipBytes ClipEvent Event Layout Leg Morph Ray SpringJoint Text Track Transform }

// The sizes of version 0.1, on machines with pointers of 64 bits for those that have pointers.
sized! {
    AimSettings: 80
    AttachmentSettings: 56
    ChainSettings: 24
    ClipInfo: 16
    ColliderSettings: 44
    FeetSettings: 20
    LoadSettings: 40
    MeshInstanceInfo: 64
    ModelInfo: 32
    OverrideSettings: 64
    PlaySettings: 32
    PlaybackInfo: 24
    ReachSettings: 64
    RootMotionSettings: 32
    SkinSettings: 24
    TurnSettings: 28
}
plain!(Mesh);

impl SizedRecord for Mesh {
    const FIRST_SIZE: usize = size_of::<Self>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Default, Debug, PartialEq)]
    #[repr(C)]
    struct Versioned {
        struct_size: u32,
        first: u32,
        added: u32,
    }

    // SAFETY: numbers.
    unsafe impl Plain for Versioned {}

    impl SizedRecord for Versioned {
        const FIRST_SIZE: usize = 8;
    }

    #[test]
    fn an_older_struct_is_read_and_written_as_far_as_it_goes() {
        let old = Versioned { struct_size: 8, first: 5, added: 77 };
        // SAFETY: the struct is there.
        let read = unsafe { settings("record", &raw const old) }.unwrap();
        assert_eq!(read, Versioned { struct_size: 8, first: 5, added: 0 });
        let mut to = old;
        let new = Versioned { struct_size: 12, first: 6, added: 7 };
        // SAFETY: the struct is there.
        unsafe { write_sized("record", &raw mut to, new) }.unwrap();
        assert_eq!(to, Versioned { struct_size: 8, first: 6, added: 77 });
        for size in [0, 4, 7, 10, 16, u32::MAX] {
            let bad = Versioned { struct_size: size, ..old };
            // SAFETY: the struct is there; a bad size is refused before anything else is read.
            let error = unsafe { settings("record", &raw const bad) }.unwrap_err();
            assert_eq!(error.code, Code::BadStructSize, "{size}");
        }
    }

    #[test]
    fn bad_lengths_and_addresses_are_refused() {
        let numbers = [0_u32; 4];
        let first = numbers.as_ptr();
        let code = |from: *const u32, len: usize| {
            // SAFETY: what is not there is refused before it is read.
            unsafe { input("numbers", from, len) }.map_or_else(|error| error.code, |_| Code::Ok)
        };
        assert_eq!(code(first, 4), Code::Ok);
        assert_eq!(code(std::ptr::null(), 0), Code::Ok);
        assert_eq!(code(std::ptr::null(), 1), Code::NullPointer);
        assert_eq!(code(first, usize::MAX), Code::BadPointer);
        assert_eq!(code(first, isize::MAX as usize / 2), Code::BadPointer);
        assert_eq!(code(first.wrapping_byte_add(1), 1), Code::BadPointer);
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        let mut to = [b'x'; 4];
        let mut len = 0;
        // SAFETY: four bytes are there.
        unsafe { write_text("aäö", to.as_mut_ptr().cast(), 3, &raw mut len) }.unwrap();
        assert_eq!((&to[..], len), (&b"a\0xx"[..], 5));
    }
}
