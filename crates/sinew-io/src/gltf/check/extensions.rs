//! Extensions that a document cannot be read without.

use std::collections::HashSet;

use super::super::compressed;
use super::super::schema::Root;
use crate::{Error, Report};

/// What changes no vertex, joint or key: it may be required, and is passed over.
const LOOKS: [&str; 17] = [
    "EXT_lights_ies",
    "EXT_lights_image_based",
    "EXT_mesh_features",
    "EXT_structural_metadata",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_lights_punctual",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_node_visibility",
    "KHR_techniques_webgl",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "MSFT_texture_dds",
    "CESIUM_primitive_outline",
];

/// That nothing is required that this reader does not know.
pub(super) fn check(root: &Root, report: &mut Report) -> Result<(), Error> {
    let used: HashSet<&String> = root.extensions_used.iter().collect();
    let mut unused = 0_usize;
    for (i, required) in root.extensions_required.iter().enumerate() {
        if !known(required) {
            let found = format!("{:?}", required.chars().take(80).collect::<String>());
            return Err(Error::fault(
                format!("extensionsRequired[{i}]"),
                "an extension that is known here",
                found,
            ));
        }
        unused += usize::from(!used.contains(required));
    }
    if unused > 0 {
        let found = format!("{unused} that are not in extensionsUsed");
        report.note("extensionsRequired", found, "they were taken as used")?;
    }
    Ok(())
}

fn known(name: &str) -> bool {
    let material = |prefix: &str| name.starts_with(prefix);
    name == "KHR_mesh_quantization"
        || compressed::NAMES.contains(&name)
        || LOOKS.contains(&name)
        || material("KHR_materials_")
        || material("EXT_materials_")
        || material("ADOBE_materials_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_known_and_geometry_is_not() {
        for name in ["KHR_materials_unlit", "KHR_texture_transform", "KHR_meshopt_compression"] {
            assert!(known(name), "{name}");
        }
        for name in ["KHR_draco_mesh_compression", "EXT_mesh_gpu_instancing", "KHR_animation_pointer", ""] {
            assert!(!known(name), "{name}");
        }
    }
}
