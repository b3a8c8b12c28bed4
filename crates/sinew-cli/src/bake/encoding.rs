//! What a frame becomes: the bytes of a file, or of its share of one.

use std::io::Write;

use sinew::Attributes;
use sinew_io::{Baked, ByteOrder, Error, Turn, write_obj, write_ply, write_posed_glb, write_vectors};

/// What is made of each frame.
#[derive(Clone, Debug)]
pub(super) enum Encoding {
    /// A whole file, which names the file of its materials.
    Obj { materials: Option<String> },
    /// A whole file.
    Ply,
    /// A whole file.
    Glb,
    /// Numbers for a file of all frames.
    Positions(ByteOrder),
    /// Numbers for a file of all frames.
    Normals(ByteOrder),
}

impl Encoding {
    /// What of a vertex it needs.
    pub(super) fn attributes(&self) -> Attributes {
        if matches!(self, Self::Positions(_)) { Attributes::Positions } else { Attributes::Normals }
    }

    pub(super) fn write(&self, baked: &Baked, to: impl Write) -> Result<(), Error> {
        match self {
            Self::Obj { materials } => write_obj(to, baked, materials.as_deref()),
            Self::Ply => write_ply(to, baked),
            Self::Glb => write_posed_glb(to, baked, Turn::None),
            Self::Positions(order) => write_vectors(to, baked.positions(), *order),
            Self::Normals(order) => write_vectors(to, baked.normals(), *order),
        }
    }

    /// About how many bytes a frame takes.
    pub(super) fn bytes(&self, baked: &Baked) -> usize {
        let (vertices, triangles) = (baked.positions().len(), baked.triangles().len());
        match self {
            Self::Obj { .. } => 120 * vertices + 40 * triangles,
            Self::Ply | Self::Glb => 36 * vertices + 13 * triangles,
            Self::Positions(_) | Self::Normals(_) => 12 * vertices,
        }
    }
}
