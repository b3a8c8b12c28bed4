//! The influences of all vertices as compressed sparse rows (CSR): one row per vertex.

use std::ops::Range;

use super::build::InfluenceBuilder;
use crate::mesh::{Influences, MeshError, Weights};
use crate::skeleton::Skin;

/// Checked influences, one row per source vertex. Each row has at least one influence, lists each
/// joint once, and has weights above zero.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VertexInfluences {
    /// The start of each row, and the end of the last one. In 32 bits: there are as many as
    /// vertices, and layouts read them at random.
    pub(super) starts: Vec<u32>,
    /// Strongest first in each row; the lower joint first among equal weights.
    pub(super) joints: Vec<u32>,
    /// One per joint.
    pub(super) weights: Vec<f32>,
    /// Weight x vector in model space at rest, one per joint. Only for joint-space influences.
    pub(super) vectors: Option<Vec<[f32; 3]>>,
    pub(super) weight_mode: Weights,
    pub(super) skin_len: usize,
}

/// One influence of a vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Influence {
    pub(crate) joint: u32,
    /// Above zero.
    pub(crate) weight: f32,
    /// Weight x vector in model space at rest for joint-space influences; zero for others.
    pub(crate) weighted: [f32; 3],
}

/// The strongest influences of a row. Their weights are scaled to keep the row's sum of weights.
#[derive(Clone, Copy)]
pub(crate) struct StrongestInfluences<'a> {
    /// Strongest first.
    pub(crate) joints: &'a [u32],
    weights: &'a [f32],
    vectors: &'a [[f32; 3]],
    /// The sum of all weights in the row.
    sum_of_all: f64,
    /// The sum of the kept weights.
    sum_of_kept: f64,
}

impl VertexInfluences {
    /// Checks the influences of a mesh source, one row per vertex.
    pub(crate) fn new(
        influences: Influences<'_>,
        weight_mode: Weights,
        vertices: usize,
        skin: &Skin,
    ) -> Result<Self, MeshError> {
        let mut builder = InfluenceBuilder::new(weight_mode, skin.len());
        match influences {
            Influences::Variable { counts, joints, weights } => {
                builder.add_variable(vertices, counts, joints, weights)?;
            }
            Influences::Four { joints, weights } => builder.add_fixed(joints, weights, vertices)?,
            Influences::Eight { joints, weights } => builder.add_fixed(joints, weights, vertices)?,
            Influences::JointSpace { counts, joints, weights, vectors } => {
                builder.add_joint_space(skin, counts, joints, weights, vectors)?;
            }
        }
        Ok(builder.finish())
    }

    /// The strongest influences of each row: at most `max`, with their effective weights.
    pub(crate) fn limited_to(&self, max: usize) -> Self {
        let mut limited = Self {
            starts: vec![0],
            joints: Vec::new(),
            weights: Vec::new(),
            vectors: self.vectors.as_ref().map(|_| Vec::new()),
            ..*self
        };
        for row in 0..self.len() {
            for Influence { joint, weight, weighted } in self.strongest(row, max).iter() {
                limited.joints.push(joint);
                limited.weights.push(weight);
                limited.vectors.iter_mut().for_each(|vectors| vectors.push(weighted));
            }
            limited.starts.push(limited.joints.len() as u32);
        }
        limited
    }

    /// Some of the rows, in any order and any number of times. Without joint-space vectors.
    pub(crate) fn gather(&self, rows: &[u32]) -> Self {
        let mut gathered = Self {
            starts: Vec::with_capacity(rows.len() + 1),
            joints: Vec::new(),
            weights: Vec::new(),
            vectors: None,
            ..*self
        };
        gathered.starts.push(0);
        for &row in rows {
            gathered.joints.extend_from_slice(self.joints(row as usize));
            gathered.weights.extend_from_slice(self.weights(row as usize));
            gathered.starts.push(gathered.joints.len() as u32);
        }
        gathered
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of joints in the skin.
    pub(crate) fn skin_len(&self) -> usize {
        self.skin_len
    }

    /// Whether weights were normalized.
    pub(crate) fn weight_mode(&self) -> Weights {
        self.weight_mode
    }

    /// Whether each influence has its own vector in joint space.
    pub(crate) fn is_joint_space(&self) -> bool {
        self.vectors.is_some()
    }

    /// The number of influences in all rows.
    pub(crate) fn total(&self) -> usize {
        self.joints.len()
    }

    /// The number of influences in a row.
    #[inline]
    pub(crate) fn count(&self, row: usize) -> usize {
        (self.starts[row + 1] - self.starts[row]) as usize
    }

    /// The influences of a row.
    #[inline(always)]
    fn range(&self, row: usize) -> Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// The joints of a row, strongest first.
    #[inline]
    pub(crate) fn joints(&self, row: usize) -> &[u32] {
        &self.joints[self.range(row)]
    }

    /// The joints of a row with at most four, each plus one, then zeros. `None` for rows with more.
    #[inline(always)]
    pub(crate) fn few_joints(&self, row: usize) -> Option<[u32; 4]> {
        let Range { start, end } = self.range(row);
        let (mut few, count) = ([0; 4], end - start);
        match self.joints.get(start..).and_then(<[u32]>::first_chunk::<4>) {
            // Without a branch for each joint: how many there are is unpredictable.
            Some(joints) => {
                for i in 0..4 {
                    few[i] = if i < count { joints[i] + 1 } else { 0 };
                }
            }
            None => few.iter_mut().zip(self.joints(row)).for_each(|(few, joint)| *few = joint + 1),
        }
        (count <= 4).then_some(few)
    }

    /// The weights of a row, largest first.
    #[inline]
    pub(crate) fn weights(&self, row: usize) -> &[f32] {
        &self.weights[self.range(row)]
    }

    /// The joint whose weight is positive and larger than all others of a row, if there is one.
    #[inline]
    pub(crate) fn largest(&self, row: usize) -> Option<u32> {
        let (&largest, others) = self.weights(row).split_first()?;
        let is_largest = largest > others.first().copied().unwrap_or(0.0).max(0.0);
        is_largest.then(|| self.joints[self.starts[row] as usize])
    }

    /// The largest number of influences in a row.
    pub(crate) fn max_count(&self) -> usize {
        self.starts.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0) as usize
    }

    /// All influences of a row, strongest first.
    pub(crate) fn influences_of(&self, row: usize) -> impl Iterator<Item = Influence> + '_ {
        self.strongest(row, usize::MAX).iter()
    }

    /// The rest position of each vertex with joint-space influences: the sum of its weighted
    /// vectors. `None` for other influences.
    pub(crate) fn positions(&self) -> Option<Vec<[f32; 3]>> {
        let vectors = self.vectors.as_ref()?;
        let position = |row: usize| {
            let kept = &vectors[self.range(row)];
            [0, 1, 2].map(|axis| kept.iter().map(|vector| f64::from(vector[axis])).sum::<f64>() as f32)
        };
        Some((0..self.len()).map(position).collect())
    }

    /// The strongest influences of a row: at most `max`.
    #[inline(always)]
    pub(crate) fn strongest(&self, row: usize, max: usize) -> StrongestInfluences<'_> {
        let all = self.range(row);
        let kept = all.start..all.end.min(all.start.saturating_add(max));
        let weights = &self.weights[kept.clone()];
        let sum = |weights: &[f32]| weights.iter().copied().map(f64::from).sum();
        // Normalized weights sum to exactly one before they are rounded.
        let (sum_of_all, sum_of_kept) = match self.weight_mode {
            Weights::Normalized if kept == all => (1.0, 1.0),
            Weights::Normalized => (1.0, sum(weights)),
            Weights::AsStored => (sum(&self.weights[all]), sum(weights)),
        };
        StrongestInfluences {
            joints: &self.joints[kept.clone()],
            weights,
            vectors: self.vectors.as_ref().map_or(&[], |vectors| &vectors[kept]),
            sum_of_all,
            sum_of_kept,
        }
    }
}

impl<'a> StrongestInfluences<'a> {
    /// Appends the influences, as [`iter`](Self::iter) gives them.
    pub(crate) fn append_to(self, influences: &mut Vec<Influence>) {
        if self.vectors.is_empty() && self.sum_of_all == self.sum_of_kept {
            // Nothing to scale: most meshes, most of the time.
            let stored = self.joints.iter().zip(self.weights);
            influences.extend(stored.map(|(&joint, &weight)| Influence {
                joint,
                weight,
                weighted: [0.0; 3],
            }));
        } else {
            influences.extend(self.iter());
        }
    }

    /// The influences, strongest first, with their effective weights.
    pub(crate) fn iter(self) -> impl Iterator<Item = Influence> + 'a {
        self.joints.iter().enumerate().map(move |(i, &joint)| {
            let weighted = self.vectors.get(i).map_or([0.0; 3], |vector| vector.map(|c| self.scaled(c)));
            Influence { joint, weight: self.weight(i), weighted }
        })
    }

    /// The effective weight of an influence: scaled to make up for the dropped influences.
    #[inline]
    pub(crate) fn weight(&self, i: usize) -> f32 {
        self.scaled(self.weights[i])
    }

    /// Weight x vector of an influence, and its effective weight. Only for joint-space influences.
    pub(crate) fn weighted_vector(&self, i: usize) -> [f32; 4] {
        let [x, y, z] = self.vectors[i];
        [x, y, z, self.weights[i]].map(|component| self.scaled(component))
    }

    /// The fraction of an influence's weight among the kept ones, in billionths. It is an integer
    /// so that sums do not depend on their order.
    #[inline]
    pub(crate) fn relative_weight(&self, i: usize) -> u64 {
        let weight = f64::from(self.weights[i]);
        // Dividing by one takes as long as by anything else.
        let part = if self.sum_of_kept == 1.0 { weight } else { weight / self.sum_of_kept };
        // It fits, as no part is larger than the whole, and needs fewer instructions than `u64`.
        u64::from((part * 1e9) as u32)
    }

    #[inline]
    fn scaled(&self, number: f32) -> f32 {
        if self.sum_of_all == self.sum_of_kept {
            number
        } else {
            (f64::from(number) * self.sum_of_all / self.sum_of_kept) as f32
        }
    }
}
