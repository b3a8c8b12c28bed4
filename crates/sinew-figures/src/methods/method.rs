//! The methods, by the names that tables have for them.

use sinew::{Backend, backend};

/// What skins a surface: position, and normal at length one where the method can.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// Davies' standard loop in plain numbers.
    Standard,
    /// Davies' collapsed matrices in plain numbers.
    Collapsed,
    /// Davies' SSE, four vertices at a time from unfriendly data.
    Gathered,
    /// The same from friendly data.
    Friendly,
    /// Van Waveren's blended matrix for each vertex: position, normal and tangent, not brought to length one.
    Blended(Simd),
    /// Van Waveren's weighted positions: no normals.
    Weighted(Simd),
    /// Sinew into blocks.
    Blocks(&'static Backend),
    /// Sinew into vertices of 24 bytes, as Davies'.
    Vertices(&'static Backend),
    /// Sinew with dual quaternions, into blocks.
    Duals(&'static Backend),
}

/// The instructions of a method of the papers that comes with several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simd {
    /// None.
    Plain,
    /// On x86-64 alone.
    Sse2,
    /// Where the processor has it.
    Sse3,
}

impl Method {
    /// Those of Davies' comparison that this machine can run, his fastest first where there is one.
    #[must_use]
    pub fn of_figure_15() -> Vec<Self> {
        let sse: &[Self] = if cfg!(target_arch = "x86_64") { &[Self::Friendly, Self::Gathered] } else { &[] };
        let own = backend::available().flat_map(|row| [Self::Blocks(row), Self::Vertices(row)]);
        sse.iter().copied().chain([Self::Standard, Self::Collapsed]).chain(own).collect()
    }

    /// Every one that this machine can run.
    #[must_use]
    pub fn present() -> Vec<Self> {
        let papers = [Self::Standard, Self::Collapsed, Self::Gathered, Self::Friendly];
        let simds = [Simd::Plain, Simd::Sse2, Simd::Sse3];
        let waveren = simds.into_iter().flat_map(|simd| [Self::Blended(simd), Self::Weighted(simd)]);
        let own =
            backend::available().flat_map(|row| [Self::Blocks(row), Self::Vertices(row), Self::Duals(row)]);
        let all = papers.into_iter().chain(waveren).chain(own);
        all.filter(|method| method.absence().is_none()).collect()
    }

    /// Why this machine cannot run it; `None` where it can.
    #[must_use]
    pub fn absence(self) -> Option<String> {
        match self {
            Self::Gathered | Self::Friendly => Simd::Sse2.absence(),
            Self::Blended(simd) | Self::Weighted(simd) => simd.absence(),
            _ => None,
        }
    }

    /// As in the tables of `sinew bench`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "plain",
            Self::Collapsed => "plain-collapsed",
            Self::Gathered => "papers-sse2-gathered",
            Self::Friendly => "papers-sse2",
            Self::Blended(Simd::Plain) => "blended-plain",
            Self::Blended(Simd::Sse2) => "blended-sse2",
            Self::Blended(Simd::Sse3) => "blended-sse3",
            Self::Weighted(Simd::Plain) => "weighted-plain",
            Self::Weighted(Simd::Sse2) => "weighted-sse2",
            Self::Weighted(Simd::Sse3) => "weighted-sse3",
            Self::Blocks(_) => "sinew",
            Self::Vertices(_) => "sinew-vertices",
            Self::Duals(_) => "sinew-duals",
        }
    }

    /// The instruction set that it needs.
    #[must_use]
    pub fn isa(self) -> &'static str {
        match self {
            Self::Standard | Self::Collapsed => "plain",
            Self::Gathered | Self::Friendly => "sse2",
            Self::Blended(simd) | Self::Weighted(simd) => simd.name(),
            Self::Blocks(row) | Self::Vertices(row) | Self::Duals(row) => row.name(),
        }
    }

    /// Whether it writes normals.
    #[must_use]
    pub const fn has_normals(self) -> bool {
        !matches!(self, Self::Weighted(_))
    }
}

impl Simd {
    const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Sse2 => "sse2",
            Self::Sse3 => "sse3",
        }
    }

    fn absence(self) -> Option<String> {
        match self {
            Self::Plain => None,
            _ if !cfg!(target_arch = "x86_64") => {
                Some(format!("not in a program built for {}", std::env::consts::ARCH))
            }
            Self::Sse2 => None,
            Self::Sse3 => (!sinew_kernels::papers::has_sse3()).then(|| "this CPU lacks sse3".to_owned()),
        }
    }
}
