//! The node hierarchy, ordered so that parents come first. Nothing here recurses, and everything
//! takes linear time.

use sinew::JointId;

use super::raw_scene::RawScene;
use crate::error::BoxedError as Error;

/// The nodes of a scene as a forest.
pub(crate) struct Graph {
    parents: Vec<Option<usize>>,
    /// Every node after its parent; otherwise by index.
    order: Vec<usize>,
    /// The index in `order` of each node, which is its joint.
    joint_of_node: Vec<usize>,
    in_scene: Vec<bool>,
    shown: Vec<bool>,
    /// The range of each node's subtree in depth-first order. It starts with the node itself.
    subtrees: Vec<(usize, usize)>,
}

impl Graph {
    /// Refuses cycles, and indices out of range.
    pub(crate) fn new(scene: &RawScene<'_>) -> Result<Self, Error> {
        let parents: Vec<Option<usize>> = scene.nodes.iter().map(|node| node.parent).collect();
        let outside = parents.iter().position(|parent| parent.is_some_and(|parent| parent >= parents.len()));
        if let Some(node) = outside {
            let expected = format!("one of {} nodes as parent", parents.len());
            let found = parents[node].unwrap_or_default().to_string();
            return Err(Error::invalid(format!("nodes[{node}]"), expected, found));
        }
        let order = parents_first(&parents)?;
        let mut joint_of_node = vec![0; order.len()];
        for (joint, &node) in order.iter().enumerate() {
            joint_of_node[node] = joint;
        }
        let in_scene = in_scene(scene, &parents, &order);
        let shown = shown(scene, &in_scene, &parents, &order);
        let subtrees = subtrees(&parents, &order);
        Ok(Self { parents, order, joint_of_node, in_scene, shown, subtrees })
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

    /// Whether the node is in the scene.
    pub(super) fn is_in_scene(&self, node: usize) -> bool {
        self.in_scene[node]
    }

    /// Whether the node is in the scene and not hidden.
    pub(crate) fn is_shown(&self, node: usize) -> bool {
        self.shown[node]
    }

    /// Whether a node is `root` or one of its descendants.
    pub(super) fn is_in_subtree(&self, node: usize, root: usize) -> bool {
        let (start, end) = self.subtrees[root];
        (start..end).contains(&self.subtrees[node].0)
    }
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

/// Whether each node is below a root of the scene.
fn in_scene(scene: &RawScene<'_>, parents: &[Option<usize>], order: &[usize]) -> Vec<bool> {
    let mut in_scene = vec![scene.roots.is_none(); parents.len()];
    for &root in scene.roots.iter().flatten() {
        if let Some(in_scene) = in_scene.get_mut(root) {
            *in_scene = true;
        }
    }
    for &node in order {
        if let Some(parent) = parents[node] {
            in_scene[node] = in_scene[parent];
        }
    }
    in_scene
}

/// Whether each node is in the scene, and neither hidden nor below a hidden node.
fn shown(scene: &RawScene<'_>, in_scene: &[bool], parents: &[Option<usize>], order: &[usize]) -> Vec<bool> {
    let mut shown = in_scene.to_vec();
    for &node in order {
        shown[node] &= !scene.nodes[node].hidden && parents[node].is_none_or(|parent| shown[parent]);
    }
    shown
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
    use crate::RawNode;

    fn scene(parents: &[Option<usize>]) -> RawScene<'static> {
        let nodes = parents.iter().map(|&parent| RawNode { parent, ..RawNode::default() }).collect();
        RawScene { nodes, ..RawScene::default() }
    }

    #[test]
    fn parents_come_first_and_order_is_otherwise_by_index() {
        let sorted = Graph::new(&scene(&[None, Some(0), Some(1), Some(0), None])).unwrap();
        assert_eq!(sorted.nodes(), [0, 1, 2, 3, 4]);
        let reordered = Graph::new(&scene(&[Some(1), Some(3), Some(3), None])).unwrap();
        assert_eq!(reordered.nodes(), [3, 1, 0, 2]);
        assert_eq!(reordered.parent_joint(0), Some(1));
        assert_eq!([0, 1, 2, 3].map(|node| reordered.joint(node).index()), [2, 1, 3, 0]);
    }

    #[test]
    fn subtrees_contain_descendants() {
        let graph = Graph::new(&scene(&[Some(1), Some(3), Some(3), None, None])).unwrap();
        let subtree = |above| (0..5).filter(|&node| graph.is_in_subtree(node, above)).collect::<Vec<_>>();
        assert_eq!(subtree(3), [0, 1, 2, 3]);
        assert_eq!(subtree(1), [0, 1]);
        assert_eq!(subtree(2), [2]);
        assert_eq!(subtree(4), [4]);
    }

    #[test]
    fn descendants_of_hidden_nodes_are_hidden() {
        let mut scene = scene(&[None, Some(0), Some(1), None]);
        scene.nodes[1].hidden = true;
        let shown = |scene: &RawScene<'_>| {
            let graph = Graph::new(scene).unwrap();
            [0, 1, 2, 3].map(|node| graph.is_shown(node))
        };
        assert_eq!(shown(&scene), [true, false, false, true]);
        scene.roots = Some(vec![0, 9]);
        assert_eq!(shown(&scene), [true, false, false, false]);
    }

    #[test]
    fn cycles_and_parents_out_of_range_are_refused() {
        let cycles: [&[Option<usize>]; 3] = [&[Some(0)], &[Some(1), Some(0)], &[None, Some(2), Some(1)]];
        for parents in cycles {
            assert!(Graph::new(&scene(parents)).is_err_and(|error| error.to_string().contains("cycle")));
        }
        assert!(Graph::new(&scene(&[Some(7)])).is_err_and(|error| error.to_string().contains("found 7")));
    }
}
