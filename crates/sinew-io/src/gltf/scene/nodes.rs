//! Nodes as the bones of a skeleton: every node is one.

use sinew::{Bone, Transform};

use super::decompose::decompose;
use super::graph::Graph;
use super::tally::{Tally, usable};
use super::turning::{self, Length};
use crate::gltf::schema::{Node, Root};
use crate::{Error, Report};

/// The share of a matrix that may be left out without a word: what rounding its text leaves.
const SHEAR: f64 = 1e-5;

/// A bone for each node, in the graph's order.
pub(super) fn bones(root: &Root, graph: &Graph, report: &mut Report) -> Result<Vec<Bone>, Error> {
    let mut oddities = Oddities::default();
    let bone = |&node: &usize| {
        let found = &root.nodes[node];
        let rest = oddities.transform(node, found);
        Bone::new(found.name.as_deref().unwrap_or_default(), graph.parent_joint(node), rest)
    };
    let bones = graph.nodes().iter().map(bone).collect();
    oddities.note(report)?;
    Ok(bones)
}

/// What is wrong with nodes, so that each kind is one line however many nodes have it.
#[derive(Default)]
struct Oddities {
    both: Tally,
    not_finite: Tally,
    projective: Tally,
    sheared: Tally,
    largest_shear: f64,
    zero: Tally,
    other_length: Tally,
}

impl Oddities {
    fn transform(&mut self, index: usize, node: &Node) -> Transform {
        let parts = node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
        match &node.matrix {
            Some(matrix) => {
                if parts {
                    self.both.add(index);
                }
                self.of_matrix(index, matrix)
            }
            None => self.of_parts(index, node),
        }
    }

    fn of_matrix(&mut self, index: usize, matrix: &[f32; 16]) -> Transform {
        if !matrix.iter().all(|&element| usable(element)) {
            self.not_finite.add(index);
            return Transform::IDENTITY;
        }
        if [matrix[3], matrix[7], matrix[11], matrix[15]] != [0.0, 0.0, 0.0, 1.0] {
            self.projective.add(index);
        }
        let decomposed = decompose(matrix);
        if decomposed.left_out > SHEAR {
            self.sheared.add(index);
            self.largest_shear = self.largest_shear.max(decomposed.left_out);
        }
        decomposed.transform
    }

    fn of_parts(&mut self, index: usize, node: &Node) -> Transform {
        let mut transform = Transform {
            rotation: node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]),
            translation: node.translation.unwrap_or_default(),
            scale: node.scale.unwrap_or([1.0; 3]),
        };
        let mut broken = false;
        for (numbers, instead) in [(&mut transform.translation, 0.0), (&mut transform.scale, 1.0)] {
            for number in numbers.iter_mut().filter(|number| !usable(**number)) {
                *number = instead;
                broken = true;
            }
        }
        match turning::unit(&mut transform.rotation) {
            Length::One => {}
            Length::Other => self.other_length.add(index),
            Length::Zero => self.zero.add(index),
            Length::NotFinite => broken = true,
        }
        if broken {
            self.not_finite.add(index);
        }
        transform
    }

    fn note(self, report: &mut Report) -> Result<(), Error> {
        let shear =
            format!("matrices with shear, at most {:.2e} of the matrix; tallied by node", self.largest_shear);
        let lines = [
            (self.both, "the nodes with a matrix and its parts", "the matrix was taken"),
            (self.not_finite, "the nodes with numbers that are not finite", "what changes nothing was taken"),
            (self.projective, "the matrices with another last row than 0 0 0 1", "it was left out"),
            (self.sheared, shear.as_str(), "it was left out"),
            (self.zero, "the rotations of length zero", "they became no rotation"),
            (self.other_length, "the rotations of another length than one", "they were brought to it"),
        ];
        lines.into_iter().try_for_each(|(tally, what, done)| tally.note(report, "nodes", what, done))
    }
}
