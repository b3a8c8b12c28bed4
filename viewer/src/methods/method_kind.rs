//! The skinning methods by name, with their labels and descriptions.

use sinew::runtime::{Backend, backend};
use sinew_bench::methods::{Method, Simd};

/// A skinning method without its instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodKind {
    /// Davies' standard loop.
    Standard,
    /// Davies' collapsed matrices.
    Collapsed,
    /// Davies' SSE method, gathering from arrays of structures.
    Gathered,
    /// Davies' SSE method, with data laid out for SIMD.
    Friendly,
    /// Van Waveren's blended matrix.
    Blended(Simd),
    /// Van Waveren's pre-weighted positions.
    Weighted(Simd),
    /// Sinew, writing blocks.
    Blocks,
    /// Sinew, writing interleaved vertices of 24 bytes.
    Vertices,
    /// Sinew with dual quaternions.
    DualQuaternions,
    /// The GPU's vertex shader.
    Gpu,
}

/// The source of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Davies 2004.
    Davies,
    /// Van Waveren 2005, blended matrix.
    Blended,
    /// Van Waveren 2005, weighted positions.
    Weighted,
    /// This project.
    Sinew,
    /// The GPU.
    Gpu,
}

impl MethodKind {
    /// Every method, in the order in which the controls list them.
    pub const ALL: [Self; 14] = [
        Self::Standard,
        Self::Collapsed,
        Self::Gathered,
        Self::Friendly,
        Self::Blended(Simd::Plain),
        Self::Blended(Simd::Sse2),
        Self::Blended(Simd::Sse3),
        Self::Weighted(Simd::Plain),
        Self::Weighted(Simd::Sse2),
        Self::Weighted(Simd::Sse3),
        Self::Blocks,
        Self::Vertices,
        Self::DualQuaternions,
        Self::Gpu,
    ];

    /// The method with an instruction set; `None` for the GPU method.
    #[must_use]
    pub fn to_method(self, backend: &'static Backend) -> Option<Method> {
        Some(match self {
            Self::Standard => Method::Standard,
            Self::Collapsed => Method::Collapsed,
            Self::Gathered => Method::Gathered,
            Self::Friendly => Method::Friendly,
            Self::Blended(simd) => Method::Blended(simd),
            Self::Weighted(simd) => Method::Weighted(simd),
            Self::Blocks => Method::Blocks(backend),
            Self::Vertices => Method::Vertices(backend),
            Self::DualQuaternions => Method::DualQuaternions(backend),
            Self::Gpu => return None,
        })
    }

    /// The name used by options and tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.to_method(backend::fastest()).map_or("gpu", Method::name)
    }

    /// Finds a method by its name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        MethodKind::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Button label: short, because it stands below the name of the family.
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
            Self::DualQuaternions => "dual quaternions",
            Self::Gpu => "vertex shader",
        }
    }

    /// Table label: understandable without the name of the family.
    #[must_use]
    pub const fn table_label(self) -> &'static str {
        match self {
            Self::Blended(Simd::Plain) => "blended C",
            Self::Blended(Simd::Sse2) => "blended SSE2",
            Self::Blended(Simd::Sse3) => "blended SSE3",
            Self::Weighted(Simd::Plain) => "weighted C",
            Self::Weighted(Simd::Sse2) => "weighted SSE2",
            Self::Weighted(Simd::Sse3) => "weighted SSE3",
            Self::DualQuaternions => "duals",
            Self::Gpu => "shader",
            _ => self.label(),
        }
    }

    /// A description in one or two sentences.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Standard => {
                "A loop over the weights: transform, scale, add. The paper reports 45 frames/s."
            }
            Self::Collapsed => "Blends the matrices of a vertex first, then transforms it once.",
            Self::Gathered => {
                "Four vertices at a time, gathered from arrays of structures. The paper reports 82 frames/s."
            }
            Self::Friendly => {
                "Four vertices at a time from data stored by component. The paper reports 98 frames/s."
            }
            Self::Blended(_) => {
                "Blends one matrix per vertex, which transforms position, normal and tangent."
            }
            Self::Weighted(_) => {
                "Each influence has its own pre-weighted position. No normals: shading is flat."
            }
            Self::Blocks => {
                "Runs of vertices that share their joints, eight at a time, written as blocks: the fastest."
            }
            Self::Vertices => {
                "The same, written as vertices of 24 bytes, position and normal, ready to draw."
            }
            Self::DualQuaternions => {
                "Dual quaternions instead of matrices: twisting joints keep their volume."
            }
            Self::Gpu => {
                "The CPU sends only matrices; the vertex shader blends and transforms. The paper reports 146 \
                 frames/s on a graphics processor, 41 in software."
            }
        }
    }

    /// The source of the method.
    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::Standard | Self::Collapsed | Self::Gathered | Self::Friendly => Family::Davies,
            Self::Blended(_) => Family::Blended,
            Self::Weighted(_) => Family::Weighted,
            Self::Blocks | Self::Vertices | Self::DualQuaternions => Family::Sinew,
            Self::Gpu => Family::Gpu,
        }
    }

    /// Whether the instruction set of the method can be chosen.
    #[must_use]
    pub fn has_isa_choice(self) -> bool {
        self.family() == Family::Sinew
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_found_by_its_name() {
        for method in MethodKind::ALL {
            assert_eq!(MethodKind::from_name(method.name()), Some(method));
        }
        assert_eq!(MethodKind::from_name("magic"), None);
    }
}
