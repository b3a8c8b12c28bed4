//! The encoding of one frame: a whole file, or its part of a file with all frames.

use std::io::Write;

use sinew::mesh::Attributes;
use sinew_io::{
    BakedModel, ByteOrder, Error, TextureFiles, UpAxisConversion, write_obj, write_ply, write_posed_glb,
    write_vectors,
};

/// How a frame is encoded.
#[derive(Clone, Debug)]
pub(super) enum Encoding {
    /// A whole OBJ file, which refers to the file with its materials.
    Obj { materials: Option<String> },
    /// A whole PLY file, which names the files of its textures.
    Ply { textures: TextureFiles },
    /// A whole GLB file.
    Glb,
    /// The positions, for a file with all frames.
    Positions(ByteOrder),
    /// The normals, for a file with all frames.
    Normals(ByteOrder),
}

impl Encoding {
    /// The vertex attributes that the encoding needs.
    pub(super) fn attributes(&self) -> Attributes {
        if matches!(self, Self::Positions(_)) { Attributes::Positions } else { Attributes::Normals }
    }

    pub(super) fn write(&self, baked: &BakedModel, to: impl Write) -> Result<(), Error> {
        match self {
            Self::Obj { materials } => write_obj(to, baked, materials.as_deref()),
            Self::Ply { textures } => write_ply(to, baked, textures),
            Self::Glb => write_posed_glb(to, baked, UpAxisConversion::None),
            Self::Positions(order) => write_vectors(to, baked.positions(), *order),
            Self::Normals(order) => write_vectors(to, baked.normals(), *order),
        }
    }

    /// An estimate of the bytes of a frame.
    pub(super) fn estimated_bytes(&self, baked: &BakedModel) -> usize {
        let (vertices, triangles) = (baked.positions().len(), baked.triangles().len());
        match self {
            Self::Obj { .. } => 120 * vertices + 40 * triangles,
            Self::Ply { .. } | Self::Glb => 36 * vertices + 13 * triangles,
            Self::Positions(_) | Self::Normals(_) => 12 * vertices,
        }
    }
}
