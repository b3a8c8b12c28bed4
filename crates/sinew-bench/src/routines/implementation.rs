//! The implementations of a routine, and their names in tables.

use sinew_kernels::{Backend, FloatMode, Kernels, backend};

/// One implementation of a routine.
#[derive(Clone, Copy, Debug)]
pub enum Implementation {
    /// The papers' plain loop.
    Plain,
    /// The papers' SSE2, on x86-64 only.
    Sse2,
    /// The papers' SSE3, for some routines, where the CPU has it.
    Sse3,
    /// Sinew's kernel.
    Sinew(&'static Backend, FloatMode),
}

impl Implementation {
    /// All that this machine supports, the papers' SSE2 first where it exists.
    #[must_use]
    pub fn supported() -> Vec<Self> {
        let papers = [Self::Sse2, Self::Plain, Self::Sse3]
            .into_iter()
            .filter(|implementation| implementation.is_supported());
        let own = backend::available().flat_map(|backend| {
            [FloatMode::Fast, FloatMode::Reproducible].map(|float_mode| Self::Sinew(backend, float_mode))
        });
        papers.chain(own).collect()
    }

    /// Whether this machine supports it.
    #[must_use]
    pub fn is_supported(self) -> bool {
        match self {
            Self::Plain | Self::Sinew(..) => true,
            Self::Sse2 => cfg!(target_arch = "x86_64"),
            Self::Sse3 => sinew_papers::has_sse3(),
        }
    }

    /// The name in the tables of `sinew bench`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Sse2 => "papers-sse2",
            Self::Sse3 => "papers-sse3",
            Self::Sinew(_, FloatMode::Fast) => "sinew",
            Self::Sinew(_, FloatMode::Reproducible) => "sinew-reproducible",
        }
    }

    /// The instruction set that it needs.
    #[must_use]
    pub fn isa(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Sse2 => "sse2",
            Self::Sse3 => "sse3",
            Self::Sinew(backend, _) => backend.name(),
        }
    }

    /// Whether it is one of the papers', whose quaternions are conjugated.
    #[must_use]
    pub fn is_published(self) -> bool {
        !matches!(self, Self::Sinew(..))
    }

    /// The kernels of sinew's implementations.
    pub(super) fn kernels(self) -> Option<&'static Kernels> {
        match self {
            Self::Sinew(backend, float_mode) => Some(backend.kernels(float_mode)),
            _ => None,
        }
    }
}
