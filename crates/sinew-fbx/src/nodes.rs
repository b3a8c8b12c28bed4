//! Reads nodes. Each node of the file, and each helper that ufbx adds, is one.

use sinew_io::{Error, ImportContext, RawNode, RawTransform};
use ufbx::Scene;

/// Bytes of a node in addition to those that the scene counts.
const NODE_BYTES: u64 = size_of::<RawNode>() as u64;

pub(crate) fn nodes(scene: &Scene, context: &ImportContext<'_>) -> Result<Vec<RawNode>, Error> {
    context.spend(scene.nodes.len() as u64 * NODE_BYTES, "nodes")?;
    let node = |node: &ufbx::Node| {
        let local = &node.local_transform;
        let [translation, scale] =
            [local.translation, local.scale].map(|vector| [vector.x, vector.y, vector.z].map(|x| x as f32));
        let rotation = [local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w];
        RawNode {
            name: node.element.name.to_string(),
            parent: node.parent.as_ref().map(|parent| parent.element.typed_id as usize),
            transform: RawTransform::Trs { translation, rotation: rotation.map(|x| x as f32), scale },
            ..RawNode::default()
        }
    };
    Ok(scene.nodes.iter().map(|found| node(found)).collect())
}
