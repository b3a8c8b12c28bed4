//! Which joints move each vertex, and how much: as files have it, and as runs are made of it.

use crate::Error;
use crate::error::check_len;

/// Which of a skin's joints move each vertex, and how much. A joint is a place in the skin's list.
///
/// A weight of zero is no influence. A joint named twice by a vertex has the sum of both weights. The weights of a
/// vertex are brought to a sum of one.
#[derive(Clone, Copy, Debug)]
pub enum Influences<'a> {
    /// Any number for each vertex.
    Listed {
        /// How many each vertex has.
        counts: &'a [u32],
        /// The joints of all vertices, one vertex after the other.
        joints: &'a [u32],
        /// As many as joints.
        weights: &'a [f32],
    },
    /// Up to four for each vertex.
    Four {
        /// Four for each vertex.
        joints: &'a [[u16; 4]],
        /// Four for each vertex.
        weights: &'a [[f32; 4]],
    },
    /// Up to eight for each vertex.
    Eight {
        /// Eight for each vertex.
        joints: &'a [[u16; 8]],
        /// Eight for each vertex.
        weights: &'a [[f32; 8]],
    },
}

/// Checked influences: of each vertex at least one, by rising joint, every weight above zero, their sum one.
pub(crate) struct Hanging {
    /// Where each vertex's influences begin, and the end of the last.
    starts: Vec<usize>,
    joints: Vec<u32>,
    weights: Vec<f32>,
    /// The vertex being added.
    pairs: Vec<(u32, f64)>,
}

impl Hanging {
    pub(crate) fn new(influences: Influences<'_>, vertices: usize, skin_len: usize) -> Result<Self, Error> {
        let mut hanging =
            Self { starts: vec![0], joints: Vec::new(), weights: Vec::new(), pairs: Vec::new() };
        match influences {
            Influences::Listed { counts, joints, weights } => {
                check_len("counts of influences", vertices, counts.len())?;
                // No slice is as long as the number where this would stop.
                let listed = counts.iter().fold(0, |sum: usize, &count| sum.saturating_add(count as usize));
                check_len("joints of influences", listed, joints.len())?;
                check_len("weights of influences", listed, weights.len())?;
                let (mut joints, mut weights) = (joints, weights);
                for &count in counts {
                    let (own_joints, other_joints) = joints.split_at(count as usize);
                    let (own_weights, other_weights) = weights.split_at(count as usize);
                    (joints, weights) = (other_joints, other_weights);
                    hanging.add(own_joints.iter().copied(), own_weights, skin_len)?;
                }
            }
            Influences::Four { joints, weights } => hanging.add_all(joints, weights, vertices, skin_len)?,
            Influences::Eight { joints, weights } => hanging.add_all(joints, weights, vertices, skin_len)?,
        }
        Ok(hanging)
    }

    fn add_all<const N: usize>(
        &mut self,
        joints: &[[u16; N]],
        weights: &[[f32; N]],
        vertices: usize,
        skin_len: usize,
    ) -> Result<(), Error> {
        check_len("joints of influences", vertices, joints.len())?;
        check_len("weights of influences", vertices, weights.len())?;
        for (joints, weights) in joints.iter().zip(weights) {
            self.add(joints.iter().map(|&joint| u32::from(joint)), weights, skin_len)?;
        }
        Ok(())
    }

    /// Adds the next vertex.
    fn add(
        &mut self,
        joints: impl Iterator<Item = u32>,
        weights: &[f32],
        skin_len: usize,
    ) -> Result<(), Error> {
        let vertex = self.starts.len() - 1;
        self.pairs.clear();
        for (joint, &weight) in joints.zip(weights) {
            if !weight.is_finite() || weight < 0.0 {
                return Err(Error::BadWeight { vertex, joint, weight });
            }
            if weight == 0.0 {
                continue;
            }
            if joint as usize >= skin_len {
                return Err(Error::VertexJointOutOfRange { vertex, joint, len: skin_len });
            }
            self.pairs.push((joint, f64::from(weight)));
        }
        if self.pairs.is_empty() {
            return Err(Error::NoWeight { vertex });
        }
        self.pairs.sort_by_key(|&(joint, _)| joint);
        self.pairs.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 += later.1;
            }
            same
        });
        let sum: f64 = self.pairs.iter().map(|&(_, weight)| weight).sum();
        for &(joint, weight) in &self.pairs {
            let share = (weight / sum) as f32;
            // A share too small for an `f32` moves nothing.
            if share > 0.0 {
                self.joints.push(joint);
                self.weights.push(share);
            }
        }
        self.starts.push(self.joints.len());
        Ok(())
    }

    /// The number of vertices.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn joints(&self, vertex: usize) -> &[u32] {
        &self.joints[self.starts[vertex]..self.starts[vertex + 1]]
    }

    pub(crate) fn weights(&self, vertex: usize) -> &[f32] {
        &self.weights[self.starts[vertex]..self.starts[vertex + 1]]
    }
}
