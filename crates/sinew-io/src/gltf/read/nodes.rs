//! Reads nodes and scenes.

use crate::error::BoxedError as Error;
use crate::gltf::schema::{Node, Root};
use crate::scene::WarningCount;
use crate::{RawNode, RawTransform, Report};

/// All nodes. Refuses nodes with two parents.
pub(super) fn nodes(root: &Root<'_>, report: &mut Report) -> Result<Vec<RawNode>, Error> {
    let mut both = WarningCount::default();
    let mut nodes = Vec::with_capacity(root.nodes.len());
    for (index, node) in root.nodes.iter().enumerate() {
        let has_trs = node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
        if node.matrix.is_some() && has_trs {
            both.add(index);
        }
        let transform = match &node.matrix {
            Some(matrix) => RawTransform::Matrix(**matrix),
            None => RawTransform::Trs {
                rotation: node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]),
                translation: node.translation.unwrap_or_default(),
                scale: node.scale.unwrap_or([1.0; 3]),
            },
        };
        nodes.push(RawNode {
            name: node.name.clone(),
            transform,
            mesh: node.mesh.map(|mesh| mesh.value()),
            skin: node.skin.map(|skin| skin.value()),
            morph_weights: node.weights.clone(),
            hidden: is_hidden(node),
            ..RawNode::default()
        });
    }
    set_parents(root, &mut nodes)?;
    both.warn(
        report,
        "nodes",
        "the nodes with a matrix and with translation, rotation or scale",
        "the matrix was used",
    )?;
    Ok(nodes)
}

/// Whether `KHR_node_visibility` hides the node and its descendants.
fn is_hidden(node: &Node<'_>) -> bool {
    let extension = node.extensions.and_then(|extensions| extensions.get("KHR_node_visibility"));
    extension
        .and_then(|extension| extension.get("visible"))
        .is_some_and(|visible| visible.bool().is_ok_and(|visible| !visible))
}

fn set_parents(root: &Root<'_>, nodes: &mut [RawNode]) -> Result<(), Error> {
    for (parent, node) in root.nodes.iter().enumerate() {
        for (slot, child) in node.children.iter().enumerate() {
            let child = child.value();
            if let Some(other) = nodes[child].parent.replace(parent) {
                return Err(Error::invalid(
                    format!("nodes[{parent}].children[{slot}]"),
                    "a node without another parent",
                    format!("node {child}, which is a child of node {other} too"),
                ));
            }
        }
    }
    Ok(())
}

/// The root nodes of the default scene, or else of the first; `None` if there is no scene. Refuses
/// scenes that list a node with a parent.
pub(super) fn roots(
    root: &Root<'_>,
    nodes: &[RawNode],
    report: &mut Report,
) -> Result<Option<Vec<usize>>, Error> {
    // The last scene that listed each node.
    let mut seen = vec![usize::MAX; nodes.len()];
    for (index, scene) in root.scenes.iter().enumerate() {
        let mut again = 0;
        for (slot, node) in scene.nodes.iter().enumerate() {
            let node = node.value();
            if let Some(parent) = nodes[node].parent {
                return Err(Error::invalid(
                    format!("scenes[{index}].nodes[{slot}]"),
                    "a node without a parent",
                    format!("node {node}, a child of node {parent}"),
                ));
            }
            again += usize::from(seen[node] == index);
            seen[node] = index;
        }
        if again > 0 {
            let found = format!("{again} nodes that the scene lists again");
            report.warn(format!("scenes[{index}].nodes"), found, "each is used once")?;
        }
    }
    let shown = root.scenes.get(root.scene.map_or(0, |scene| scene.value()));
    Ok(shown.map(|scene| scene.nodes.iter().map(|node| node.value()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImportOptions;
    use crate::json::Json;
    use crate::scene::Budget;

    #[test]
    fn second_parents_are_refused() {
        let second_parents: [&[&[u32]]; 2] = [&[&[2], &[2], &[]], &[&[1, 1], &[]]];
        for children in second_parents {
            let nodes: Vec<_> =
                children.iter().map(|children| format!("{{\"children\":{children:?}}}")).collect();
            let json = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{}]}}", nodes.join(","));
            let budget = Budget::new(&ImportOptions::default(), 0);
            let json = Json::parse(json.as_bytes(), &budget).unwrap();
            let found = super::nodes(&Root::read(json.root()).unwrap(), &mut Report::new(false));
            assert!(found.is_err_and(|error| error.to_string().contains("too")));
        }
    }
}
