//! Checks the required extensions.

use std::collections::HashSet;

use super::super::compressed;
use super::super::schema::Root;
use crate::Report;
use crate::error::BoxedError as Error;

/// Extensions that do not affect vertices, joints or keys. They may be required, and are ignored.
const APPEARANCE: [&str; 17] = [
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

/// Checks that all required extensions are supported.
pub(super) fn check(root: &Root<'_>, report: &mut Report) -> Result<(), Error> {
    let used: HashSet<&str> = root.extensions_used.iter().map(AsRef::as_ref).collect();
    let mut unused = 0_usize;
    for (i, required) in root.extensions_required.iter().enumerate() {
        if !is_supported(required) {
            let found = format!("{:?}", required.chars().take(80).collect::<String>());
            return Err(Error::invalid(format!("extensionsRequired[{i}]"), "a supported extension", found));
        }
        unused += usize::from(!used.contains(&**required));
    }
    if unused > 0 {
        let found = format!("{unused} that are not in extensionsUsed");
        report.warn("extensionsRequired", found, "they count as used")?;
    }
    Ok(())
}

fn is_supported(name: &str) -> bool {
    let material = |prefix: &str| name.starts_with(prefix);
    let is_vrm = |name: &str| name == "VRM" || name.starts_with("VRMC_");
    matches!(name, "EXT_mesh_gpu_instancing" | "KHR_mesh_quantization")
        || is_vrm(name)
        || compressed::NAMES.contains(&name)
        || APPEARANCE.contains(&name)
        || material("KHR_materials_")
        || material("EXT_materials_")
        || material("ADOBE_materials_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appearance_extensions_are_supported_and_geometry_extensions_are_not() {
        for name in [
            "EXT_mesh_gpu_instancing",
            "KHR_materials_unlit",
            "KHR_texture_transform",
            "KHR_meshopt_compression",
        ] {
            assert!(is_supported(name), "{name}");
        }
        for name in ["KHR_draco_mesh_compression", "KHR_animation_pointer", ""] {
            assert!(!is_supported(name), "{name}");
        }
    }
}
