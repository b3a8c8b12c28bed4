//! The output formats, selected by the extension of the file name.

use std::path::Path;

use crate::CliError;

/// An output format.
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
    pub(super) fn from_path(path: &Path) -> Result<Self, CliError> {
        let extension = path.extension().unwrap_or_default();
        let found = ALL.iter().find(|(name, _)| extension.eq_ignore_ascii_case(name));
        found.map(|&(_, format)| format).ok_or_else(|| {
            let path = path.display();
            CliError::Usage(format!(
                "{path}: expected a name that ends with .obj, .ply, .glb, .pc2, .mdd or .npz"
            ))
        })
    }

    /// Whether a file contains one mesh, so that each frame needs a file of its own.
    pub(super) fn is_mesh(self) -> bool {
        matches!(self, Self::Obj | Self::Ply | Self::Glb)
    }
}
