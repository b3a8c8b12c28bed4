//! Who hangs on whom: nodes in an order in which parents come first. Nothing here recurses, and all is linear.

use crate::gltf::schema::Root;
use crate::{Error, Report};

/// The nodes of a document as a forest.
pub(super) struct Graph {
    parents: Vec<Option<usize>>,
    /// Every node, after its parent; by index where that leaves a choice.
    order: Vec<usize>,
    /// For each node its place in `order`, which is its joint.
    joint_of_node: Vec<usize>,
    in_scene: Vec<bool>,
    /// For each node its place in an order in which what hangs on a node follows it, and the end of that.
    spans: Vec<(usize, usize)>,
}

impl Graph {
    /// Refuses cycles, nodes with two parents and scenes that list a node which has a parent.
    pub(super) fn new(root: &Root, report: &mut Report) -> Result<Self, Error> {
        let parents = parents(root)?;
        let order = parents_first(&parents)?;
        let mut joint_of_node = vec![0; order.len()];
        for (joint, &node) in order.iter().enumerate() {
            joint_of_node[node] = joint;
        }
        check_scenes(root, &parents, report)?;
        let in_scene = in_scene(root, &parents, &order);
        let spans = spans(&parents, &order);
        Ok(Self { parents, order, joint_of_node, in_scene, spans })
    }

    /// The node of each joint.
    pub(super) fn nodes(&self) -> &[usize] {
        &self.order
    }

    /// The joint of a node.
    pub(super) fn joint(&self, node: usize) -> usize {
        self.joint_of_node[node]
    }

    /// The joint that a node hangs on.
    pub(super) fn parent_joint(&self, node: usize) -> Option<usize> {
        self.parents[node].map(|parent| self.joint(parent))
    }

    /// Whether the scene that is shown has the node.
    pub(super) fn is_in_scene(&self, node: usize) -> bool {
        self.in_scene[node]
    }

    /// Whether a node is the other, or hangs on it.
    pub(super) fn hangs_on(&self, node: usize, above: usize) -> bool {
        let (start, end) = self.spans[above];
        (start..end).contains(&self.spans[node].0)
    }
}

fn parents(root: &Root) -> Result<Vec<Option<usize>>, Error> {
    let mut parents = vec![None; root.nodes.len()];
    for (parent, node) in root.nodes.iter().enumerate() {
        for (place, child) in node.children.iter().flatten().enumerate() {
            let child = child.value();
            if let Some(other) = parents[child].replace(parent) {
                return Err(Error::fault(
                    format!("nodes[{parent}].children[{place}]"),
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
        Waiting,
        Done,
    }
    let mut states = vec![State::New; parents.len()];
    let mut order = Vec::with_capacity(parents.len());
    let mut waiting = Vec::new();
    for node in 0..parents.len() {
        let mut above = Some(node);
        while let Some(node) = above.filter(|&node| states[node] != State::Done) {
            if states[node] == State::Waiting {
                return Err(Error::fault(
                    format!("nodes[{node}]"),
                    "no node below itself",
                    "a cycle of children",
                ));
            }
            states[node] = State::Waiting;
            waiting.push(node);
            above = parents[node];
        }
        while let Some(node) = waiting.pop() {
            states[node] = State::Done;
            order.push(node);
        }
    }
    Ok(order)
}

fn check_scenes(root: &Root, parents: &[Option<usize>], report: &mut Report) -> Result<(), Error> {
    // Which scene listed a node last.
    let mut seen = vec![usize::MAX; parents.len()];
    for (index, scene) in root.scenes.iter().enumerate() {
        let mut again = 0;
        for (place, node) in scene.nodes.iter().enumerate() {
            let node = node.value();
            if let Some(parent) = parents[node] {
                return Err(Error::fault(
                    format!("scenes[{index}].nodes[{place}]"),
                    "a node without a parent",
                    format!("node {node}, a child of node {parent}"),
                ));
            }
            again += usize::from(seen[node] == index);
            seen[node] = index;
        }
        if again > 0 {
            let found = format!("{again} nodes that it lists already");
            report.note(format!("scenes[{index}].nodes"), found, "each is taken once")?;
        }
    }
    Ok(())
}

/// The default scene, else the first; all nodes where there is no scene.
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

fn spans(parents: &[Option<usize>], order: &[usize]) -> Vec<(usize, usize)> {
    let mut sizes = vec![1; parents.len()];
    for &node in order.iter().rev() {
        if let Some(parent) = parents[node] {
            sizes[parent] += sizes[node];
        }
    }
    let mut spans = vec![(0, 0); parents.len()];
    // Where the next child of each node begins.
    let mut next = vec![0; parents.len()];
    let mut next_root = 0;
    for &node in order {
        let place = match parents[node] {
            Some(parent) => &mut next[parent],
            None => &mut next_root,
        };
        let start = *place;
        *place += sizes[node];
        next[node] = start + 1;
        spans[node] = (start, start + sizes[node]);
    }
    spans
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
    fn parents_come_first_and_indices_stay_where_they_can() {
        let sorted = graph(&[&[1, 3], &[2], &[], &[], &[]]).unwrap();
        assert_eq!(sorted.nodes(), [0, 1, 2, 3, 4]);
        let turned = graph(&[&[], &[0], &[], &[1, 2]]).unwrap();
        assert_eq!(turned.nodes(), [3, 1, 0, 2]);
        assert_eq!(turned.parent_joint(0), Some(1));
        assert_eq!([0, 1, 2, 3].map(|node| turned.joint(node)), [2, 1, 3, 0]);
    }

    #[test]
    fn what_hangs_on_what_is_known() {
        let graph = graph(&[&[], &[0], &[], &[1, 2], &[]]).unwrap();
        let below = |above| (0..5).filter(|&node| graph.hangs_on(node, above)).collect::<Vec<_>>();
        assert_eq!(below(3), [0, 1, 2, 3]);
        assert_eq!(below(1), [0, 1]);
        assert_eq!(below(2), [2]);
        assert_eq!(below(4), [4]);
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
