//! The methods by name, each with what a user reads about it.

use sinew::{Backend, backend};
use sinew_figures::methods::{Method, Simd};

/// A method; sinew's have a row beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Davies' standard loop.
    Standard,
    /// Davies' collapsed matrices.
    Collapsed,
    /// Davies' SSE from unfriendly data.
    Gathered,
    /// Davies' SSE from friendly data.
    Friendly,
    /// Van Waveren's blended matrix.
    Blended(Simd),
    /// Van Waveren's weighted positions.
    Weighted(Simd),
    /// Sinew into blocks.
    Blocks,
    /// Sinew into vertices of 24 bytes.
    Vertices,
    /// Sinew with dual quaternions.
    Duals,
    /// The vertex shader.
    Gpu,
}

/// Where methods come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Davies 2004.
    Davies,
    /// Van Waveren 2005, the blended matrix.
    Blended,
    /// Van Waveren 2005, weighted positions.
    Weighted,
    /// This project.
    Sinew,
    /// The graphics processor.
    Gpu,
}

/// Every one there is, in the order in which they are shown.
pub const KINDS: [Kind; 14] = [
    Kind::Standard,
    Kind::Collapsed,
    Kind::Gathered,
    Kind::Friendly,
    Kind::Blended(Simd::Plain),
    Kind::Blended(Simd::Sse2),
    Kind::Blended(Simd::Sse3),
    Kind::Weighted(Simd::Plain),
    Kind::Weighted(Simd::Sse2),
    Kind::Weighted(Simd::Sse3),
    Kind::Blocks,
    Kind::Vertices,
    Kind::Duals,
    Kind::Gpu,
];

impl Kind {
    /// The method on a row; `None` where the graphics processor skins.
    #[must_use]
    pub fn on(self, row: &'static Backend) -> Option<Method> {
        Some(match self {
            Self::Standard => Method::Standard,
            Self::Collapsed => Method::Collapsed,
            Self::Gathered => Method::Gathered,
            Self::Friendly => Method::Friendly,
            Self::Blended(simd) => Method::Blended(simd),
            Self::Weighted(simd) => Method::Weighted(simd),
            Self::Blocks => Method::Blocks(row),
            Self::Vertices => Method::Vertices(row),
            Self::Duals => Method::Duals(row),
            Self::Gpu => return None,
        })
    }

    /// As options and tables have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.on(backend::fastest()).map_or("gpu", Method::name)
    }

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.name() == name)
    }

    /// For buttons: short, below the name of its family.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Standard => "C",
            Self::Collapsed => "C collapsed",
            Self::Gathered => "SSE",
            Self::Friendly => "SSE friendly",
            Self::Blended(Simd::Plain) | Self::Weighted(Simd::Plain) => "C",
            Self::Blended(Simd::Sse2) | Self::Weighted(Simd::Sse2) => "SSE2",
            Self::Blended(Simd::Sse3) | Self::Weighted(Simd::Sse3) => "SSE3",
            Self::Blocks => "blocks",
            Self::Vertices => "vertices",
            Self::Duals => "dual quaternions",
            Self::Gpu => "vertex shader",
        }
    }

    /// For tables: alone in its line.
    #[must_use]
    pub const fn table_label(self) -> &'static str {
        match self {
            Self::Blended(Simd::Plain) => "blended C",
            Self::Blended(Simd::Sse2) => "blended SSE2",
            Self::Blended(Simd::Sse3) => "blended SSE3",
            Self::Weighted(Simd::Plain) => "weighted C",
            Self::Weighted(Simd::Sse2) => "weighted SSE2",
            Self::Weighted(Simd::Sse3) => "weighted SSE3",
            Self::Duals => "duals",
            Self::Gpu => "shader",
            _ => self.label(),
        }
    }

    /// What it does, in a sentence or two.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Standard => "A loop over the weights: transform, scale, add. The paper had 45 frames/s.",
            Self::Collapsed => "The matrices of a vertex are added first, and transform it once.",
            Self::Gathered => {
                "Four vertices at a time; their data is gathered from arrays as games have them. The paper had \
                 82 frames/s."
            }
            Self::Friendly => {
                "Four vertices at a time from data laid out component by component. The paper had 98 frames/s."
            }
            Self::Blended(_) => {
                "One matrix is blended for each vertex, and transforms position, normal and tangent."
            }
            Self::Weighted(_) => {
                "Each influence has a position of its own, weighted before. No normals: triangles show their own."
            }
            Self::Blocks => {
                "Runs of vertices that share their joints, eight at a time, into blocks: the fastest."
            }
            Self::Vertices => "The same into vertices of 24 bytes, position and normal, ready to be drawn.",
            Self::Duals => "Dual quaternions in place of matrices: what twists keeps its volume.",
            Self::Gpu => {
                "The processor sends matrices only; the vertex shader blends and transforms. The paper had 146 \
                 frames/s."
            }
        }
    }

    /// Whose it is.
    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::Standard | Self::Collapsed | Self::Gathered | Self::Friendly => Family::Davies,
            Self::Blended(_) => Family::Blended,
            Self::Weighted(_) => Family::Weighted,
            Self::Blocks | Self::Vertices | Self::Duals => Family::Sinew,
            Self::Gpu => Family::Gpu,
        }
    }

    /// Whether it runs on any row.
    #[must_use]
    pub fn has_rows(self) -> bool {
        self.family() == Family::Sinew
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_found_by_its_name_alone() {
        for kind in KINDS {
            assert_eq!(Kind::named(kind.name()), Some(kind));
        }
        assert_eq!(Kind::named("magic"), None);
    }
}
