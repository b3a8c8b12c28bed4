//! The methods, by the names that tables have for them.

use sinew_kernels::{Backend, FloatMode, Kernels, backend};

/// How a routine is run.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// The papers' plain loop.
    Plain,
    /// The papers' SSE2; on x86-64 alone.
    Sse2,
    /// The papers' SSE3; where the CPU has it, and for some routines only.
    Sse3,
    /// A kernel of sinew.
    Sinew(&'static Backend, FloatMode),
}

impl Method {
    /// All that this machine can run, the papers' SSE2 first where there is one.
    #[must_use]
    pub fn present() -> Vec<Self> {
        let papers = [Self::Sse2, Self::Plain, Self::Sse3].into_iter().filter(|method| method.is_present());
        let own = backend::available().flat_map(|row| {
            [FloatMode::Fast, FloatMode::Reproducible].map(|float_mode| Self::Sinew(row, float_mode))
        });
        papers.chain(own).collect()
    }

    /// Whether this machine can run it.
    #[must_use]
    pub fn is_present(self) -> bool {
        match self {
            Self::Plain | Self::Sinew(..) => true,
            Self::Sse2 => cfg!(target_arch = "x86_64"),
            Self::Sse3 => sinew_kernels::papers::has_sse3(),
        }
    }

    /// As in the papers' tables and those of `sinew bench`.
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
            Self::Sinew(row, _) => row.name(),
        }
    }

    /// Whether it is one of the papers': their quaternions are conjugated.
    #[must_use]
    pub fn is_of_papers(self) -> bool {
        !matches!(self, Self::Sinew(..))
    }

    /// The kernels, where it is sinew's.
    pub(super) fn kernels(self) -> Option<&'static Kernels> {
        match self {
            Self::Sinew(row, float_mode) => Some(row.kernels(float_mode)),
            _ => None,
        }
    }
}
