//! Version and errors.

use std::ffi::c_char;

use sinew_handles::{Code, with_last_error};

use crate::pointers::{border, write_text};

/// The version of the library: major * 65536 + minor * 256 + patch. A program that was compiled
/// with an older header works with a newer library of the same major version (of the same minor
/// version as long as the major one is zero).
#[unsafe(no_mangle)]
pub extern "C" fn sinew_version() -> u32 {
    const fn number(digits: &str) -> u32 {
        let (bytes, mut i, mut number) = (digits.as_bytes(), 0, 0);
        while i < bytes.len() {
            number = 10 * number + (bytes[i] - b'0') as u32;
            i += 1;
        }
        number
    }
    number(env!("CARGO_PKG_VERSION_MAJOR")) << 16
        | number(env!("CARGO_PKG_VERSION_MINOR")) << 8
        | number(env!("CARGO_PKG_VERSION_PATCH"))
}

/// A code in a few words, ended by a zero. The text is never freed. Any number is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_code_text(code: i32) -> *const c_char {
    macro_rules! texts {
        ($($code:ident $text:literal)*) => {
            match code {
                $(code if code == Code::$code as i32 => concat!($text, "\0"),)*
                _ => "unknown code\0",
            }
        };
    }
    let text = texts! {
        Ok "success"
        NullPointer "null pointer"
        BadPointer "bad pointer or length"
        NullHandle "null handle"
        BadHandle "not a handle"
        WrongKind "handle of another kind"
        StaleHandle "stale handle"
        Busy "object in use"
        BadText "text is not UTF-8"
        BadStructSize "unknown struct size"
        Length "wrong length"
        OutOfRange "index out of range"
        Name "unknown or ambiguous name"
        InvalidValue "invalid value"
        Io "file not readable or writable"
        InvalidFile "invalid file"
        FileExists "file exists"
        Unsupported "not in this build"
        Limit "limit exceeded"
        Internal "internal error"
    };
    text.as_ptr().cast()
}

/// Copies the text of this thread's last error to `to`, cut to `capacity` bytes and ended by a
/// zero. Returns its whole length without the zero: 0 if there was no error. A call that succeeds
/// does not change it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_last_error(to: *mut c_char, capacity: usize) -> usize {
    let capacity = if to.is_null() { 0 } else { capacity };
    let mut length = 0;
    with_last_error(|text| {
        // SAFETY: the header's contract: `capacity` bytes are writable; the length is a local.
        let _ = unsafe { write_text(text, to, capacity, &raw mut length) };
    });
    length
}

/// Copies the name of the backend that models use, such as "avx2", to `to`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_backend(to: *mut c_char, capacity: usize, length: *mut usize) -> Code {
    border(|| {
        let runtime = sinew::Runtime::new(sinew::FloatMode::Fast)?;
        let name = runtime.backend().map_or("", |backend| backend.name());
        // SAFETY: the header's contract.
        unsafe { write_text(name, to, capacity, length) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn every_code_has_its_text() {
        for code in Code::ALL {
            // SAFETY: the text ends with a zero and is never freed.
            let text = unsafe { CStr::from_ptr(sinew_code_text(code as i32)) };
            assert_eq!(text.to_str(), Ok(code.text()));
        }
        for code in [-1, 999, i32::MIN] {
            // SAFETY: as above.
            let text = unsafe { CStr::from_ptr(sinew_code_text(code)) };
            assert_eq!(text.to_str(), Ok("unknown code"));
        }
    }
}
