//! Adding vertices to influences: every check of them.

use super::checked::{Hanging, Influence};
use crate::error::check_len;
use crate::joint_space::Rest;
use crate::{Error, Skin, Weights, flush};

impl Hanging {
    pub(super) fn add_listed(
        &mut self,
        vertices: usize,
        counts: &[u32],
        joints: &[u32],
        weights: &[f32],
    ) -> Result<(), Error> {
        check_len("counts of influences", vertices, counts.len())?;
        let listed = sum_of(counts);
        check_len("joints of influences", listed, joints.len())?;
        check_len("weights of influences", listed, weights.len())?;
        let mut listed = joints.iter().zip(weights);
        for &count in counts {
            for (&joint, &weight) in listed.by_ref().take(count as usize) {
                self.add(joint, weight)?;
            }
            self.finish_vertex()?;
        }
        Ok(())
    }

    pub(super) fn add_all<const N: usize>(
        &mut self,
        joints: &[[u16; N]],
        weights: &[[f32; N]],
        vertices: usize,
    ) -> Result<(), Error> {
        check_len("joints of influences", vertices, joints.len())?;
        check_len("weights of influences", vertices, weights.len())?;
        for (joints, weights) in joints.iter().zip(weights) {
            for (&joint, &weight) in joints.iter().zip(weights) {
                self.add(u32::from(joint), weight)?;
            }
            self.finish_vertex()?;
        }
        Ok(())
    }

    pub(super) fn add_in_joint_space(
        &mut self,
        skin: &Skin,
        counts: &[u32],
        joints: &[u32],
        weights: &[f32],
        vectors: &[[f32; 3]],
    ) -> Result<(), Error> {
        let listed = sum_of(counts);
        check_len("joints of influences", listed, joints.len())?;
        check_len("weights of influences", listed, weights.len())?;
        check_len("vectors of influences", listed, vectors.len())?;
        let mut rest = Rest::new(skin);
        let mut listed = joints.iter().zip(weights).zip(vectors);
        for (vertex, &count) in counts.iter().enumerate() {
            for ((&joint, &weight), &vector) in listed.by_ref().take(count as usize) {
                if !self.add(joint, weight)? {
                    continue;
                }
                if vector.iter().any(|component| !component.is_finite()) {
                    return Err(Error::VertexNotFinite { vertex, what: "vector of an influence" });
                }
                let at_rest = rest.of(joint, vector)?;
                if let Some(added) = self.own.last_mut() {
                    added.vector = at_rest.map(|component| added.weight * component);
                }
            }
            self.finish_vertex()?;
        }
        Ok(())
    }

    /// Adds an influence to the next vertex, unless it is none.
    fn add(&mut self, joint: u32, weight: f32) -> Result<bool, Error> {
        let vertex = self.len();
        if !weight.is_finite() || weight < 0.0 {
            return Err(Error::BadWeight { vertex, joint, weight });
        }
        if weight == 0.0 {
            return Ok(false);
        }
        if joint as usize >= self.skin_len {
            return Err(Error::VertexJointOutOfRange { vertex, joint, len: self.skin_len });
        }
        self.own.push(Influence { joint, weight: f64::from(weight), vector: [0.0; 3] });
        Ok(true)
    }

    /// Ends the vertex to which influences were added.
    fn finish_vertex(&mut self) -> Result<(), Error> {
        let vertex = self.len();
        let own = &mut self.own;
        if own.is_empty() {
            return Err(Error::NoWeight { vertex });
        }
        own.sort_by_key(|influence| influence.joint);
        own.dedup_by(|later, earlier| {
            let same = later.joint == earlier.joint;
            if same {
                earlier.weight += later.weight;
                earlier.vector = std::array::from_fn(|axis| earlier.vector[axis] + later.vector[axis]);
            }
            same
        });
        let sum: f64 = own.iter().map(|influence| influence.weight).sum();
        match self.kept {
            Weights::Normalised => own.iter_mut().for_each(|influence| influence.weight /= sum),
            Weights::AsStored if (sum as f32).is_finite() => {}
            Weights::AsStored => return Err(Error::SumOfWeightsNotFinite { vertex }),
        }
        // A share too small to matter moves nothing.
        let whole = if self.kept == Weights::Normalised { 1.0 } else { sum };
        own.retain(|influence| flush::counts(influence.weight / whole));
        self.sets.extend(own.iter().map(|influence| influence.joint));
        // Stable, so that of equal weights the lower joint stays first.
        own.sort_by(|a, b| (b.weight as f32).total_cmp(&(a.weight as f32)));
        self.joints.extend(own.iter().map(|influence| influence.joint));
        self.weights.extend(own.iter().map(|influence| influence.weight as f32));
        if let Some(vectors) = &mut self.vectors {
            for influence in own.iter() {
                let vector = flush::vector(influence.vector.map(|component| component as f32));
                if vector.iter().any(|component| !component.is_finite()) {
                    return Err(Error::VertexNotFinite { vertex, what: "weighted vector" });
                }
                vectors.push(vector);
            }
        }
        self.starts.push(self.joints.len());
        own.clear();
        Ok(())
    }
}

/// How many influences are listed. No slice is as long as the number where this stops.
fn sum_of(counts: &[u32]) -> usize {
    counts.iter().fold(0, |sum: usize, &count| sum.saturating_add(count as usize))
}
