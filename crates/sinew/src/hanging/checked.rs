//! The influences of all vertices, and the strongest of each.

use crate::{Error, Influences, Skin, Weights};

/// Checked influences: of each vertex at least one, each joint once, every weight above zero.
pub(crate) struct Hanging {
    /// Where each vertex's influences begin, and the end of the last.
    pub(super) starts: Vec<usize>,
    /// Of each vertex by falling weight; of equal weights the lower joint first.
    pub(super) joints: Vec<u32>,
    /// Beside the joints.
    pub(super) weights: Vec<f32>,
    /// Weight x vector in model space at rest, beside the joints, where the influences are in joint space.
    pub(super) vectors: Option<Vec<[f32; 3]>>,
    /// The joints of each vertex by rising number.
    pub(super) sets: Vec<u32>,
    pub(super) kept: Weights,
    pub(super) skin_len: usize,
    /// The vertex being added.
    pub(super) own: Vec<Influence>,
}

/// One influence of the vertex being added.
#[derive(Clone, Copy)]
pub(super) struct Influence {
    pub(super) joint: u32,
    pub(super) weight: f64,
    pub(super) vector: [f64; 3],
}

/// A vertex's strongest influences.
#[derive(Clone, Copy)]
pub(crate) struct Strongest<'a> {
    /// By falling weight.
    pub(crate) joints: &'a [u32],
    weights: &'a [f32],
    vectors: &'a [[f32; 3]],
    /// What all influences weigh together.
    all: f64,
    /// What these weigh together.
    kept: f64,
}

impl Hanging {
    pub(crate) fn new(
        influences: Influences<'_>,
        kept: Weights,
        vertices: usize,
        skin: &Skin,
    ) -> Result<Self, Error> {
        let mut hanging = Self {
            starts: vec![0],
            joints: Vec::new(),
            weights: Vec::new(),
            vectors: None,
            sets: Vec::new(),
            kept,
            skin_len: skin.len(),
            own: Vec::new(),
        };
        match influences {
            Influences::Listed { counts, joints, weights } => {
                hanging.add_listed(vertices, counts, joints, weights)?;
            }
            Influences::Four { joints, weights } => hanging.add_all(joints, weights, vertices)?,
            Influences::Eight { joints, weights } => hanging.add_all(joints, weights, vertices)?,
            Influences::JointSpace { counts, joints, weights, vectors } => {
                hanging.kept = Weights::AsStored;
                hanging.vectors = Some(Vec::new());
                hanging.add_in_joint_space(skin, counts, joints, weights, vectors)?;
            }
        }
        Ok(hanging)
    }

    /// The number of vertices.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of joints in the skin.
    pub(crate) fn skin_len(&self) -> usize {
        self.skin_len
    }

    /// What became of the weights.
    pub(crate) fn kept(&self) -> Weights {
        self.kept
    }

    /// Whether each influence has a vector of its own.
    pub(crate) fn in_joint_space(&self) -> bool {
        self.vectors.is_some()
    }

    /// The number of influences of all vertices.
    pub(crate) fn influences(&self) -> usize {
        self.joints.len()
    }

    /// The number of influences of a vertex.
    pub(crate) fn count(&self, vertex: u32) -> usize {
        self.starts[vertex as usize + 1] - self.starts[vertex as usize]
    }

    /// The joints of a vertex, by rising number.
    pub(crate) fn set(&self, vertex: u32) -> &[u32] {
        &self.sets[self.starts[vertex as usize]..self.starts[vertex as usize + 1]]
    }

    /// Where influences in joint space have the vertices at rest: the sums of their weighted vectors. `None` for others.
    pub(crate) fn positions(&self) -> Option<Vec<[f32; 3]>> {
        let vectors = self.vectors.as_ref()?;
        let position = |ends: &[usize]| {
            let own = &vectors[ends[0]..ends[1]];
            [0, 1, 2].map(|axis| own.iter().map(|vector| f64::from(vector[axis])).sum::<f64>() as f32)
        };
        Some(self.starts.windows(2).map(position).collect())
    }

    /// The influences of these vertices, one after the other, so that they are read from front to back. Without sets.
    pub(crate) fn in_order(&self, vertices: &[u32]) -> Self {
        let mut ordered = Self {
            starts: Vec::with_capacity(vertices.len() + 1),
            joints: Vec::with_capacity(self.joints.len()),
            weights: Vec::with_capacity(self.joints.len()),
            vectors: self.vectors.as_ref().map(|vectors| Vec::with_capacity(vectors.len())),
            sets: Vec::new(),
            own: Vec::new(),
            ..*self
        };
        ordered.starts.push(0);
        for &vertex in vertices {
            let own = self.starts[vertex as usize]..self.starts[vertex as usize + 1];
            ordered.joints.extend_from_slice(&self.joints[own.clone()]);
            ordered.weights.extend_from_slice(&self.weights[own.clone()]);
            if let (Some(to), Some(from)) = (&mut ordered.vectors, &self.vectors) {
                to.extend_from_slice(&from[own]);
            }
            ordered.starts.push(ordered.joints.len());
        }
        ordered
    }

    /// The joints of a vertex by falling weight.
    pub(crate) fn joints(&self, vertex: usize) -> &[u32] {
        &self.joints[self.starts[vertex]..self.starts[vertex + 1]]
    }

    /// The strongest influences of a vertex: `most`, or all where there are no more.
    pub(crate) fn strongest(&self, vertex: usize, most: usize) -> Strongest<'_> {
        let all = self.starts[vertex]..self.starts[vertex + 1];
        let own = all.start..all.end.min(all.start.saturating_add(most));
        let weights = &self.weights[own.clone()];
        let sum = |weights: &[f32]| weights.iter().copied().map(f64::from).sum();
        // Normalised weights sum to one before they are rounded.
        let (sum_of_all, sum_of_own) = match self.kept {
            Weights::Normalised if own == all => (1.0, 1.0),
            Weights::Normalised => (1.0, sum(weights)),
            Weights::AsStored => (sum(&self.weights[all]), sum(weights)),
        };
        Strongest {
            joints: &self.joints[own.clone()],
            weights,
            vectors: self.vectors.as_ref().map_or(&[], |vectors| &vectors[own]),
            all: sum_of_all,
            kept: sum_of_own,
        }
    }
}

impl Strongest<'_> {
    /// The weight of one of the influences, with the share of those left out.
    pub(crate) fn weight(&self, i: usize) -> f32 {
        self.scaled(self.weights[i])
    }

    /// Weight x vector of one of the influences, and the weight, with the share of those left out; only for
    /// influences in joint space.
    pub(crate) fn weighted_vector(&self, i: usize) -> [f32; 4] {
        let [x, y, z] = self.vectors[i];
        [x, y, z, self.weights[i]].map(|component| self.scaled(component))
    }

    /// How much of the vertex hangs on one of the joints, in billionths: whole, so that sums are the same in any order.
    pub(crate) fn share(&self, i: usize) -> u64 {
        (f64::from(self.weights[i]) / self.kept * 1e9) as u64
    }

    fn scaled(&self, number: f32) -> f32 {
        if self.all == self.kept { number } else { (f64::from(number) * self.all / self.kept) as f32 }
    }
}
