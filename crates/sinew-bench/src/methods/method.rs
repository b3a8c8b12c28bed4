//! The methods, and their names in tables.

use sinew::runtime::{Backend, backend};

/// A method that skins a mesh: positions, and unit normals where the method supports them.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// Davies' standard loop, scalar.
    Standard,
    /// Davies' collapsed matrices, scalar.
    Collapsed,
    /// Davies' SSE, four vertices at a time, from arrays of structures (unfriendly data).
    Gathered,
    /// Davies' SSE, four vertices at a time, from a structure of arrays (friendly data).
    Friendly,
    /// Van Waveren's blended matrix per vertex: position, normal and tangent, not renormalized.
    Blended(Simd),
    /// Van Waveren's pre-weighted positions, without normals.
    Weighted(Simd),
    /// Sinew into blocks.
    Blocks(&'static Backend),
    /// Sinew into vertices of 24 bytes, Davies' layout.
    Vertices(&'static Backend),
    /// Sinew with dual quaternions, into blocks.
    DualQuaternions(&'static Backend),
}

/// The instruction set of a published method that has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simd {
    /// Scalar.
    Plain,
    /// On x86-64 only.
    Sse2,
    /// Where the CPU has it.
    Sse3,
}

impl Method {
    /// The methods of Davies' Figure 15 that this machine supports, his fastest first where it
    /// exists.
    #[must_use]
    pub fn figure_15_methods() -> Vec<Self> {
        let sse: &[Self] = if cfg!(target_arch = "x86_64") { &[Self::Friendly, Self::Gathered] } else { &[] };
        let own = backend::available().flat_map(|backend| [Self::Blocks(backend), Self::Vertices(backend)]);
        sse.iter().copied().chain([Self::Standard, Self::Collapsed]).chain(own).collect()
    }

    /// All methods that this machine supports.
    #[must_use]
    pub fn supported() -> Vec<Self> {
        let papers = [Self::Standard, Self::Collapsed, Self::Gathered, Self::Friendly];
        let simds = [Simd::Plain, Simd::Sse2, Simd::Sse3];
        let waveren = simds.into_iter().flat_map(|simd| [Self::Blended(simd), Self::Weighted(simd)]);
        let own = backend::available().flat_map(|backend| {
            [Self::Blocks(backend), Self::Vertices(backend), Self::DualQuaternions(backend)]
        });
        let all = papers.into_iter().chain(waveren).chain(own);
        all.filter(|method| method.unsupported_reason().is_none()).collect()
    }

    /// The reason why this machine cannot run it; `None` where it can.
    #[must_use]
    pub fn unsupported_reason(self) -> Option<String> {
        match self {
            Self::Gathered | Self::Friendly => Simd::Sse2.unsupported_reason(),
            Self::Blended(simd) | Self::Weighted(simd) => simd.unsupported_reason(),
            _ => None,
        }
    }

    /// The name in the tables of `sinew bench`.
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
            Self::DualQuaternions(_) => "sinew-dual-quaternions",
        }
    }

    /// The instruction set that it needs.
    #[must_use]
    pub fn isa(self) -> &'static str {
        match self {
            Self::Standard | Self::Collapsed => "plain",
            Self::Gathered | Self::Friendly => "sse2",
            Self::Blended(simd) | Self::Weighted(simd) => simd.name(),
            Self::Blocks(backend) | Self::Vertices(backend) | Self::DualQuaternions(backend) => {
                backend.name()
            }
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

    fn unsupported_reason(self) -> Option<String> {
        match self {
            Self::Plain => None,
            _ if !cfg!(target_arch = "x86_64") => {
                Some(format!("not in a program built for {}", std::env::consts::ARCH))
            }
            Self::Sse2 => None,
            Self::Sse3 => (!sinew_papers::has_sse3()).then(|| "this CPU lacks sse3".to_owned()),
        }
    }
}
