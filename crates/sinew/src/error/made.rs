//! How errors are made of others and of lengths, and what lies behind them.

use sinew_kernels::isa;

use super::Error;

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Isa(unavailable) => Some(unavailable),
            _ => None,
        }
    }
}

impl From<isa::Unavailable> for Error {
    fn from(unavailable: isa::Unavailable) -> Self {
        Self::Isa(unavailable)
    }
}

/// A check of constant cost, for each frame.
pub(crate) fn check_len(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }) }
}
