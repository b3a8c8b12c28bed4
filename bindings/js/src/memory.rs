//! Memory that JavaScript fills and reads, errors, and results of any length.

use std::alloc::Layout;
use std::cell::RefCell;

use sinew_handles::{Code, Error, Handle, Kind};

/// The alignment of all memory that is handed out.
const ALIGN: usize = 16;

/// Allocates zeroed memory; null if there is none left. Zero bytes need no memory.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_alloc(bytes: usize) -> *mut u8 {
    match Layout::from_size_align(bytes.max(1), ALIGN) {
        // SAFETY: the size is not zero.
        Ok(layout) => unsafe { std::alloc::alloc_zeroed(layout) },
        Err(_) => std::ptr::null_mut(),
    }
}

/// Frees memory.
///
/// # Safety
///
/// `memory` is from [`sinew_alloc`] with the same number of bytes, and was not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_free(memory: *mut u8, bytes: usize) {
    if let Ok(layout) = Layout::from_size_align(bytes.max(1), ALIGN) {
        // SAFETY: the caller's promise.
        unsafe { std::alloc::dealloc(memory, layout) };
    }
}

/// Destroys an object of a kind.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_destroy(handle: f64, kind: u32) -> i32 {
    const SKINNED_MESH: u32 = Kind::SkinnedMesh as u32;
    #[cfg(feature = "importers")]
    const MODEL: u32 = Kind::Model as u32;
    #[cfg(feature = "importers")]
    const INSTANCE: u32 = Kind::Instance as u32;
    let handle = to_handle(handle);
    // Only what this module can make: the code that destroys other objects is left out of it.
    status(match kind {
        SKINNED_MESH => sinew_handles::destroy(handle, Kind::SkinnedMesh),
        #[cfg(feature = "importers")]
        MODEL => sinew_handles::destroy(handle, Kind::Model),
        #[cfg(feature = "importers")]
        INSTANCE => sinew_handles::destroy(handle, Kind::Instance),
        _ => Err(Error::new(Code::WrongKind, format!("no objects of the kind {kind}"))),
    })
}

/// The handle of a number; any number is allowed.
pub(crate) fn to_handle(number: f64) -> Handle {
    Handle::from_bits(number as u64)
}

/// The number of a result. The text of an error is kept for [`sinew_error_text`].
pub(crate) fn status(result: Result<(), Error>) -> i32 {
    match result {
        Ok(()) => Code::Ok as i32,
        Err(error) => {
            error.remember();
            error.code as i32
        }
    }
}

thread_local! {
    /// A result of any length: a text or a file.
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Replaces the result of any length.
pub(crate) fn set_output(bytes: Vec<u8>) {
    OUTPUT.with_borrow_mut(|output| *output = bytes);
}

/// Where the last text or file is; valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// The bytes of the last text or file.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_output_len() -> usize {
    OUTPUT.with_borrow(Vec::len)
}

/// Makes the text of the last error the result of any length.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_error_text() {
    set_output(sinew_handles::with_last_error(|text| text.as_bytes().to_vec()));
}

/// Frees the result of any length.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_clear_output() {
    set_output(Vec::new());
}

/// An array of the caller; empty if the pointer is null.
///
/// # Safety
///
/// The pointer is null or to `len` elements that nobody writes while the slice is in use.
pub(crate) unsafe fn slice<'a, T>(from: *const T, len: usize) -> &'a [T] {
    if from.is_null() || len == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(from, len) }
}

/// An array of the caller to write to; empty if the pointer is null.
///
/// # Safety
///
/// The pointer is null or to `len` elements that nobody else uses while the slice is in use.
pub(crate) unsafe fn slice_mut<'a, T>(to: *mut T, len: usize) -> &'a mut [T] {
    if to.is_null() || len == 0 {
        return &mut [];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts_mut(to, len) }
}

/// As [`slice`], or nothing if the pointer is null.
///
/// # Safety
///
/// As [`slice`].
pub(crate) unsafe fn optional_slice<'a, T>(from: *const T, len: usize) -> Option<&'a [T]> {
    // SAFETY: the caller's promise.
    (!from.is_null()).then(|| unsafe { slice(from, len) })
}
