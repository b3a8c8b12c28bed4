//! How errors are made of others and of lengths, and what lies behind them.

use sinew_kernels::backend;

use super::Error;

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Isa(unavailable) => Some(unavailable),
            _ => None,
        }
    }
}

impl From<backend::Unavailable> for Error {
    fn from(unavailable: backend::Unavailable) -> Self {
        Self::Isa(unavailable)
    }
}

/// Demands that triangles can be numbered by 32 bits.
pub(crate) fn check_triangle_count(found: usize) -> Result<(), Error> {
    let limit = u32::MAX as usize;
    if found > limit { Err(Error::TooManyTriangles { limit, found }) } else { Ok(()) }
}

/// A check of constant cost, for each frame.
pub(crate) fn check_len(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }) }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn triangles_that_32_bits_do_not_number_are_refused() {
        let limit = u32::MAX as usize;
        assert_eq!(check_triangle_count(limit), Ok(()));
        let error = check_triangle_count(limit + 1).unwrap_err();
        assert_eq!(error, Error::TooManyTriangles { limit, found: limit + 1 });
        assert_eq!(error.to_string(), "mesh: expected at most 4294967295 triangles, found 4294967296");
    }
}
