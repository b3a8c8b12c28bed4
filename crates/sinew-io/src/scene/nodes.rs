//! Builds the bones of the skeleton from nodes: every node is a bone.

use sinew::{Bone, Transform};

use super::decompose::decompose;
use super::graph::Graph;
use super::raw_scene::{RawNode, RawScene, RawTransform};
use super::rotation::{self, Length};
use super::warning_count::{WarningCount, usable};
use crate::Report;
use crate::error::BoxedError as Error;

/// The relative size of shear that needs no warning: rounding errors.
const SHEAR_TOLERANCE: f64 = 1e-5;

/// A bone for each node, in the order of the graph.
pub(super) fn bones(scene: &RawScene<'_>, graph: &Graph, report: &mut Report) -> Result<Vec<Bone>, Error> {
    let mut warnings = NodeWarnings::default();
    let bone = |&node: &usize| {
        let found = &scene.nodes[node];
        let rest = warnings.transform(node, found);
        Bone::new(&found.name, graph.parent_joint(node), rest)
    };
    let bones = graph.nodes().iter().map(bone).collect();
    warnings.warn(report)?;
    Ok(bones)
}

/// Counts the repairs of nodes, so that each kind is one warning.
#[derive(Default)]
struct NodeWarnings {
    not_finite: WarningCount,
    projective: WarningCount,
    sheared: WarningCount,
    largest_shear: f64,
    zero: WarningCount,
    other_length: WarningCount,
}

impl NodeWarnings {
    fn transform(&mut self, index: usize, node: &RawNode) -> Transform {
        match node.transform {
            RawTransform::Matrix(matrix) => self.matrix_transform(index, &matrix),
            RawTransform::Trs { translation, rotation, scale } => {
                self.trs_transform(index, Transform { rotation, translation, scale })
            }
        }
    }

    fn matrix_transform(&mut self, index: usize, matrix: &[f32; 16]) -> Transform {
        if !matrix.iter().all(|&element| usable(element)) {
            self.not_finite.add(index);
            return Transform::IDENTITY;
        }
        if [matrix[3], matrix[7], matrix[11], matrix[15]] != [0.0, 0.0, 0.0, 1.0] {
            self.projective.add(index);
        }
        let decomposed = decompose(matrix);
        if decomposed.residual > SHEAR_TOLERANCE {
            self.sheared.add(index);
            self.largest_shear = self.largest_shear.max(decomposed.residual);
        }
        decomposed.transform
    }

    fn trs_transform(&mut self, index: usize, mut transform: Transform) -> Transform {
        let mut broken = false;
        for (numbers, default) in [(&mut transform.translation, 0.0), (&mut transform.scale, 1.0)] {
            for number in numbers.iter_mut().filter(|number| !usable(**number)) {
                *number = default;
                broken = true;
            }
        }
        match rotation::normalize(&mut transform.rotation) {
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

    fn warn(self, report: &mut Report) -> Result<(), Error> {
        let shear =
            format!("the nodes with shear in the matrix, at most {:.2e} of its size", self.largest_shear);
        let lines = [
            (
                self.not_finite,
                "the nodes with numbers that are not finite",
                "identity values were used instead",
            ),
            (self.projective, "the matrices whose last row is not 0 0 0 1", "the row was ignored"),
            (self.sheared, shear.as_str(), "the shear was removed"),
            (self.zero, "the rotations of length zero", "they became the identity"),
            (self.other_length, "the rotations whose length is not one", "they were normalized"),
        ];
        lines.into_iter().try_for_each(|(count, what, done)| count.warn(report, "nodes", what, done))
    }
}
