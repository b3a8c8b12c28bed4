//! The node hierarchy, ordered so that parents come first. Nothing here recurses, and everything
//! takes linear time.

use sinew::JointId;

use crate::gltf::schema::Root;
use crate::{Error, Report};

/// The nodes of a document as a forest.
pub(super) struct Graph {
    parents: Vec<Option<usize>>,
    /// Every node after its parent; otherwise by index.
    order: Vec<usize>,
    /// The index in `order` of each node, which is its joint.
    joint_of_node: Vec<usize>,
    in_scene: Vec<bool>,
    /// The range of each node's subtree in depth-first order. It starts with the node itself.
    subtrees: Vec<(usize, usize)>,
}

impl Graph {
    /// Refuses cycles, nodes with two parents, and scenes that list a node with a parent.
    pub(super) fn new(root: &Root, report: &mut Report) -> Result<Self, Error> {
        let parents = parents(root)?;
        let order = parents_first(&parents)?;
        let mut joint_of_node = vec![0; order.len()];
        for (joint, &node) in order.iter().enumerate() {
            joint_of_node[node] = joint;
        }
        check_scenes(root, &parents, report)?;
        let in_scene = in_scene(root, &parents, &order);
        let subtrees = subtrees(&parents, &order);
        Ok(Self { parents, order, joint_of_node, in_scene, subtrees })
    }

    /// The node of each joint.
    pub(super) fn nodes(&self) -> &[usize] {
        &self.order
    }

    /// The joint of a node.
    pub(super) fn joint(&self, node: usize) -> JointId {
        JointId::new(self.joint_of_node[node])
    }

    /// The joint of a node's parent.
    pub(super) fn parent_joint(&self, node: usize) -> Option<usize> {
        self.parents[node].map(|parent| self.joint_of_node[parent])
    }

    /// Whether the node is in the imported scene.
    pub(super) fn is_in_scene(&self, node: usize) -> bool {
        self.in_scene[node]
    }

    /// Whether a node is `root` or one of its descendants.
    pub(super) fn is_in_subtree(&self, node: usize, root: usize) -> bool {
        let (start, end) = self.subtrees[root];
        (start..end).contains(&self.subtrees[node].0)
    }
}

fn parents(root: &Root) -> Result<Vec<Option<usize>>, Error> {
    let mut parents = vec![None; root.nodes.len()];
    for (parent, node) in root.nodes.iter().enumerate() {
        for (slot, child) in node.children.iter().flatten().enumerate() {
            let child = child.value();
            if let Some(other) = parents[child].replace(parent) {
                return Err(Error::invalid(
                    format!("nodes[{parent}].children[{slot}]"),
                    "a node without another parent",
                    format!("node {child}, which is a child of node {other} too"),
                ));
            }
        }
    }
    Ok(parents)
}

fn parents_first(parents: &[Option<usize>]) -> Result<Vec<usize>, Error> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        OnStack,
        Done,
    }
    let mut states = vec![State::New; parents.len()];
    let mut order = Vec::with_capacity(parents.len());
    let mut stack = Vec::new();
    for node in 0..parents.len() {
        let mut next = Some(node);
        while let Some(node) = next.filter(|&node| states[node] != State::Done) {
            if states[node] == State::OnStack {
                return Err(Error::invalid(
                    format!("nodes[{node}]"),
                    "a node that is not its own descendant",
                    "a cycle of children",
                ));
            }
            states[node] = State::OnStack;
            stack.push(node);
            next = parents[node];
        }
        while let Some(node) = stack.pop() {
            states[node] = State::Done;
            order.push(node);
        }
    }
    Ok(order)
}

fn check_scenes(root: &Root, parents: &[Option<usize>], report: &mut Report) -> Result<(), Error> {
    // The last scene that listed each node.
    let mut seen = vec![usize::MAX; parents.len()];
    for (index, scene) in root.scenes.iter().enumerate() {
        let mut again = 0;
        for (slot, node) in scene.nodes.iter().enumerate() {
            let node = node.value();
            if let Some(parent) = parents[node] {
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
    Ok(())
}

/// Whether each node is in the default scene, or else in the first; all nodes if there is no scene.
fn in_scene(root: &Root, parents: &[Option<usize>], order: &[usize]) -> Vec<bool> {
    let shown = root.scene.map_or(0, |scene| scene.value());
    let Some(scene) = root.scenes.get(shown) else { return vec![true; parents.len()] };
    let mut in_scene = vec![false; parents.len()];
    for node in &scene.nodes {
        in_scene[node.value()] = true;
    }
    for &node in order {
        if let Some(parent) = parents[node] {
            in_scene[node] = in_scene[parent];
        }
    }
    in_scene
}

fn subtrees(parents: &[Option<usize>], order: &[usize]) -> Vec<(usize, usize)> {
    let mut sizes = vec![1; parents.len()];
    for &node in order.iter().rev() {
        if let Some(parent) = parents[node] {
            sizes[parent] += sizes[node];
        }
    }
    let mut subtrees = vec![(0, 0); parents.len()];
    // The start of the next child's subtree, for each node.
    let mut next = vec![0; parents.len()];
    let mut next_root = 0;
    for &node in order {
        let slot = match parents[node] {
            Some(parent) => &mut next[parent],
            None => &mut next_root,
        };
        let start = *slot;
        *slot += sizes[node];
        next[node] = start + 1;
        subtrees[node] = (start, start + sizes[node]);
    }
    subtrees
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(children: &[&[u32]]) -> Root {
        let nodes: Vec<_> =
            children.iter().map(|children| format!("{{\"children\":{children:?}}}")).collect();
        let json = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{}]}}", nodes.join(","));
        serde_json::from_slice(json.as_bytes()).unwrap()
    }

    fn graph(children: &[&[u32]]) -> Result<Graph, Error> {
        Graph::new(&root(children), &mut Report::new(false))
    }

    #[test]
    fn parents_come_first_and_order_is_otherwise_by_index() {
        let sorted = graph(&[&[1, 3], &[2], &[], &[], &[]]).unwrap();
        assert_eq!(sorted.nodes(), [0, 1, 2, 3, 4]);
        let reordered = graph(&[&[], &[0], &[], &[1, 2]]).unwrap();
        assert_eq!(reordered.nodes(), [3, 1, 0, 2]);
        assert_eq!(reordered.parent_joint(0), Some(1));
        assert_eq!([0, 1, 2, 3].map(|node| reordered.joint(node).index()), [2, 1, 3, 0]);
    }

    #[test]
    fn subtrees_contain_descendants() {
        let graph = graph(&[&[], &[0], &[], &[1, 2], &[]]).unwrap();
        let subtree = |above| (0..5).filter(|&node| graph.is_in_subtree(node, above)).collect::<Vec<_>>();
        assert_eq!(subtree(3), [0, 1, 2, 3]);
        assert_eq!(subtree(1), [0, 1]);
        assert_eq!(subtree(2), [2]);
        assert_eq!(subtree(4), [4]);
    }

    #[test]
    fn cycles_and_second_parents_are_refused() {
        let cycles: [&[&[u32]]; 3] = [&[&[0]], &[&[1], &[0]], &[&[], &[2], &[1]]];
        for children in cycles {
            assert!(graph(children).is_err_and(|error| error.to_string().contains("cycle")));
        }
        let second_parents: [&[&[u32]]; 2] = [&[&[2], &[2], &[]], &[&[1, 1], &[]]];
        for children in second_parents {
            assert!(graph(children).is_err_and(|error| error.to_string().contains("too")));
        }
    }
}
