//! The formats, told by how a file's name ends.

use std::path::Path;

use crate::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Obj,
    Ply,
    Glb,
    Pc2,
    Mdd,
    Npz,
}

const ALL: [(&str, Format); 6] = [
    ("obj", Format::Obj),
    ("ply", Format::Ply),
    ("glb", Format::Glb),
    ("pc2", Format::Pc2),
    ("mdd", Format::Mdd),
    ("npz", Format::Npz),
];

impl Format {
    pub(super) fn of(path: &Path) -> Result<Self, Failure> {
        let extension = path.extension().unwrap_or_default();
        let found = ALL.iter().find(|(name, _)| extension.eq_ignore_ascii_case(name));
        found.map(|&(_, format)| format).ok_or_else(|| {
            let path = path.display();
            Failure::Usage(format!(
                "{path}: expected a name that ends with .obj, .ply, .glb, .pc2, .mdd or .npz"
            ))
        })
    }

    /// Whether a file is one mesh, so that several frames are several files.
    pub(super) fn is_mesh(self) -> bool {
        matches!(self, Self::Obj | Self::Ply | Self::Glb)
    }
}
