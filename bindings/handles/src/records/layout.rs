//! Vertex layouts.

use sinew::skinning::{FourthComponent, VertexAttribute, VertexFormat, VertexLayout};

use crate::Error;

/// How one attribute of a vertex lies in memory. Sizes are in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Attribute {
    /// The format: 0 if the layout does not have the attribute; 1 three `f32`; 2 four `f32`; 3 four
    /// half floats; 4 four 16-bit normalized integers; 5 two such integers in octahedral encoding;
    /// 6 four 8-bit normalized integers.
    pub format: u32,
    /// The fourth component: 0 the usual one (1 for positions, the bitangent's sign for tangents, 0
    /// for others); 1 zero; 2 one; 3 the bitangent's sign.
    pub fourth: u32,
    /// The offset in a vertex.
    pub offset: u64,
    /// The stride in a buffer of its own; 0 for the size of the format. Ignored if the layout has a
    /// stride.
    pub stride: u64,
}

/// How vertices lie in memory. Sizes are in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Layout {
    /// From one vertex to the next in the only buffer; 0 if every attribute has a buffer of its
    /// own, in the order below.
    pub stride: u64,
    /// The position.
    pub position: Attribute,
    /// The normal.
    pub normal: Attribute,
    /// The tangent.
    pub tangent: Attribute,
    /// The bitangent.
    pub bitangent: Attribute,
    /// The order of vertices: 0 as in the source; 1 run order, which is faster: see
    /// `padded_vertices` of a mesh instance.
    pub order: u32,
    /// Zero.
    pub reserved: u32,
}

impl Layout {
    /// The library's layout.
    pub(crate) fn to_library(self) -> Result<VertexLayout, Error> {
        let mut layout = match self.stride {
            0 => VertexLayout::separate(),
            stride => VertexLayout::interleaved(size("stride", stride)?),
        };
        let attributes = [self.position, self.normal, self.tangent, self.bitangent];
        for (name, attribute) in VertexAttribute::ALL.into_iter().zip(attributes) {
            let format = match attribute.format {
                0 => continue,
                1 => VertexFormat::Float32x3,
                2 => VertexFormat::Float32x4,
                3 => VertexFormat::Float16x4,
                4 => VertexFormat::Snorm16x4,
                5 => VertexFormat::Snorm16x2Octahedral,
                6 => VertexFormat::Snorm8x4,
                found => return Err(Error::invalid("format of a vertex attribute", "0 to 6", found)),
            };
            layout = layout.with(name, format, size("offset of a vertex attribute", attribute.offset)?);
            if self.stride == 0 && attribute.stride != 0 {
                layout = layout.with_stride(name, size("stride of a vertex attribute", attribute.stride)?);
            }
            layout = match attribute.fourth {
                0 => layout,
                1 => layout.with_fourth(name, FourthComponent::Zero),
                2 => layout.with_fourth(name, FourthComponent::One),
                3 => layout.with_fourth(name, FourthComponent::TangentSign),
                found => return Err(Error::invalid("fourth component of an attribute", "0 to 3", found)),
            };
        }
        layout.check()?;
        Ok(layout)
    }
}

fn size(what: &str, found: u64) -> Result<usize, Error> {
    usize::try_from(found).map_err(|_| Error::invalid(what, "a size of this machine", found))
}
