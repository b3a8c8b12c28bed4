//! Builds and checks influences, vertex by vertex.

use super::normalize_few::NormalizedFew;
use super::small_sort::sort_few;
use super::vertex_influences::VertexInfluences;
use crate::length::check_len;
use crate::math::flush;
use crate::math::sort::{f32_key, sort_few_by_key};
use crate::mesh::joint_space::RestSpaces;
use crate::mesh::{MeshError, Weights, check_influence_count};
use crate::skeleton::Skin;

/// Influences under construction.
pub(super) struct InfluenceBuilder {
    rows: VertexInfluences,
    /// The influences of the current vertex.
    pending: Vec<PendingInfluence>,
}

/// One influence of the current vertex.
#[derive(Clone, Copy)]
struct PendingInfluence {
    joint: u32,
    weight: f64,
    vector: [f64; 3],
}

impl InfluenceBuilder {
    pub(super) fn new(weight_mode: Weights, skin_len: usize) -> Self {
        let rows = VertexInfluences {
            starts: vec![0],
            joints: Vec::new(),
            weights: Vec::new(),
            vectors: None,
            weight_mode,
            skin_len,
        };
        Self { rows, pending: Vec::new() }
    }

    pub(super) fn finish(self) -> VertexInfluences {
        self.rows
    }

    pub(super) fn add_variable(
        &mut self,
        vertices: usize,
        counts: &[u32],
        joints: &[u32],
        weights: &[f32],
    ) -> Result<(), MeshError> {
        check_len("counts of influences", vertices, counts.len())?;
        let total = total_count(counts);
        check_len("joints of influences", total, joints.len())?;
        check_len("weights of influences", total, weights.len())?;
        self.reserve(vertices, total)?;
        let (mut joints, mut weights) = (joints, weights);
        for &count in counts {
            let (own_joints, more_joints) = joints.split_at(count as usize);
            let (own_weights, more_weights) = weights.split_at(count as usize);
            self.add_vertex(own_joints, own_weights)?;
            (joints, weights) = (more_joints, more_weights);
        }
        Ok(())
    }

    pub(super) fn add_fixed<const N: usize>(
        &mut self,
        joints: &[[u16; N]],
        weights: &[[f32; N]],
        vertices: usize,
    ) -> Result<(), MeshError> {
        check_len("joints of influences", vertices, joints.len())?;
        check_len("weights of influences", vertices, weights.len())?;
        // Exactly what is kept, as many vertices have fewer influences.
        self.reserve(vertices, weights.as_flattened().iter().filter(|&&weight| weight > 0.0).count())?;
        for (joints, weights) in joints.iter().zip(weights) {
            if self.rows.weight_mode != Weights::Normalized || !self.add_normalized(joints, weights) {
                self.add_vertex(&joints.map(u32::from), weights)?;
            }
        }
        Ok(())
    }

    /// Adds a vertex as [`add_vertex`](Self::add_vertex) would if its influences are like those of
    /// most files. Adds nothing and returns false for others.
    #[inline(always)]
    fn add_normalized<const N: usize>(&mut self, joints: &[u16; N], weights: &[f32; N]) -> bool {
        let Some(few) = NormalizedFew::new(joints, weights, self.rows.skin_len) else { return false };
        let VertexInfluences { starts, joints, weights, .. } = &mut self.rows;
        let end = joints.len() + few.len;
        joints.extend_from_slice(&few.joints);
        joints.truncate(end);
        weights.extend_from_slice(&few.weights);
        weights.truncate(end);
        starts.push(end as u32);
        true
    }

    pub(super) fn add_joint_space(
        &mut self,
        skin: &Skin,
        counts: &[u32],
        joints: &[u32],
        weights: &[f32],
        vectors: &[[f32; 3]],
    ) -> Result<(), MeshError> {
        let total = total_count(counts);
        check_len("joints of influences", total, joints.len())?;
        check_len("weights of influences", total, weights.len())?;
        check_len("vectors of influences", total, vectors.len())?;
        check_influence_count(total)?;
        self.rows.weight_mode = Weights::AsStored;
        self.rows.vectors = Some(Vec::new());
        let mut rest = RestSpaces::new(skin);
        let mut influences = joints.iter().zip(weights).zip(vectors);
        for (vertex, &count) in counts.iter().enumerate() {
            for ((&joint, &weight), &vector) in influences.by_ref().take(count as usize) {
                if !self.add(joint, weight)? {
                    continue;
                }
                if vector.iter().any(|component| !component.is_finite()) {
                    return Err(MeshError::VertexNotFinite { vertex, what: "vector of an influence" });
                }
                let at_rest = rest.transform_to_model(joint, vector)?;
                if let Some(added) = self.pending.last_mut() {
                    added.vector = at_rest.map(|component| added.weight * component);
                }
            }
            self.finish_vertex()?;
        }
        Ok(())
    }

    /// Reserves memory for all vertices, and for what is written after the last one.
    fn reserve(&mut self, vertices: usize, influences: usize) -> Result<(), MeshError> {
        check_influence_count(influences)?;
        self.rows.starts.reserve_exact(vertices);
        self.rows.joints.reserve_exact(influences + 8);
        self.rows.weights.reserve_exact(influences + 8);
        Ok(())
    }

    /// Adds a vertex with as many weights as joints.
    fn add_vertex(&mut self, joints: &[u32], weights: &[f32]) -> Result<(), MeshError> {
        let added = match joints.len() {
            0..=4 => self.add_few::<4>(joints, weights),
            5..=8 => self.add_few::<8>(joints, weights),
            _ => false,
        };
        if added {
            return Ok(());
        }
        for (&joint, &weight) in joints.iter().zip(weights) {
            self.add(joint, weight)?;
        }
        self.finish_vertex()
    }

    /// Adds a vertex with at most `N` influences, which is what [`add`](Self::add) and
    /// [`finish_vertex`](Self::finish_vertex) would add. Adds nothing and returns false if a joint
    /// is listed twice, or if something is wrong or too small to keep.
    ///
    /// Loops have `N` steps, so that there are no branches to mispredict.
    #[inline(always)]
    fn add_few<const N: usize>(&mut self, joints: &[u32], weights: &[f32]) -> bool {
        let (mut all_joints, mut all_weights) = ([0; N], [0.0; N]);
        for (i, (&joint, &weight)) in joints.iter().zip(weights).enumerate().take(N) {
            all_joints[i] = joint;
            all_weights[i] = weight;
        }
        // The joint, then the weight. `u64::MAX` comes last.
        let (mut by_joint, mut len, mut sound) = ([u64::MAX; N], 0, true);
        for i in 0..N {
            let (joint, weight) = (all_joints[i], all_weights[i]);
            // Not a number compares false.
            sound &= (0.0..f32::INFINITY).contains(&weight) & ((joint as usize) < self.rows.skin_len);
            let key = u64::from(joint) << 32 | u64::from(weight.to_bits());
            by_joint[i] = if weight > 0.0 { key } else { u64::MAX };
            len += usize::from(weight > 0.0);
        }
        sort_few(&mut by_joint);
        let mut sum = 0.0;
        for (i, &key) in by_joint.iter().enumerate() {
            sum += if i < len { weight_of(key) } else { 0.0 };
            sound &= i == 0 || i >= len || key >> 32 != by_joint[i - 1] >> 32;
        }
        if !sound || len == 0 || !(sum as f32).is_finite() {
            return false;
        }
        // The weight, largest first, then the joint. The bits of positive numbers are in order.
        let mut by_weight = [u64::MAX; N];
        for (i, &key) in by_joint.iter().enumerate() {
            let fraction = weight_of(key) / sum;
            sound &= i >= len || flush::is_significant_weight(fraction);
            let weight = match self.rows.weight_mode {
                Weights::Normalized => (fraction as f32).to_bits(),
                Weights::AsStored => key as u32,
            };
            by_weight[i] = if i < len { u64::from(!weight) << 32 | key >> 32 } else { u64::MAX };
        }
        if !sound {
            return false;
        }
        sort_few(&mut by_weight);
        let VertexInfluences { starts, joints, weights, .. } = &mut self.rows;
        let end = joints.len() + len;
        joints.extend(by_weight.map(|key| key as u32));
        joints.truncate(end);
        weights.extend(by_weight.map(|key| f32::from_bits(!(key >> 32) as u32)));
        weights.truncate(end);
        starts.push(end as u32);
        true
    }

    /// Adds an influence to the current vertex. Returns false for a weight of zero, which is
    /// ignored.
    fn add(&mut self, joint: u32, weight: f32) -> Result<bool, MeshError> {
        let vertex = self.rows.len();
        if !weight.is_finite() || weight < 0.0 {
            return Err(MeshError::BadWeight { vertex, joint, weight });
        }
        if weight == 0.0 {
            return Ok(false);
        }
        if joint as usize >= self.rows.skin_len {
            return Err(MeshError::VertexJointOutOfRange { vertex, joint, len: self.rows.skin_len });
        }
        self.pending.push(PendingInfluence { joint, weight: f64::from(weight), vector: [0.0; 3] });
        Ok(true)
    }

    /// Finishes the current vertex: merges duplicate joints, normalizes and sorts.
    fn finish_vertex(&mut self) -> Result<(), MeshError> {
        let vertex = self.rows.len();
        let Self { rows, pending } = self;
        if pending.is_empty() {
            return Err(MeshError::NoWeight { vertex });
        }
        sort_few_by_key(pending, |influence| u64::from(influence.joint));
        pending.dedup_by(|later, earlier| {
            let same = later.joint == earlier.joint;
            if same {
                earlier.weight += later.weight;
                earlier.vector = std::array::from_fn(|axis| earlier.vector[axis] + later.vector[axis]);
            }
            same
        });
        let sum: f64 = pending.iter().map(|influence| influence.weight).sum();
        match rows.weight_mode {
            Weights::Normalized => pending.iter_mut().for_each(|influence| influence.weight /= sum),
            Weights::AsStored if (sum as f32).is_finite() => {}
            Weights::AsStored => return Err(MeshError::SumOfWeightsNotFinite { vertex }),
        }
        // Drop weights that are too small to move the vertex.
        let whole = if rows.weight_mode == Weights::Normalized { 1.0 } else { sum };
        pending.retain(|influence| flush::is_significant_weight(influence.weight / whole));
        // The lower joint comes first among equal weights.
        sort_few_by_key(pending, |influence| {
            u64::from(!(f32_key(influence.weight as f32) as u32)) << 32 | u64::from(influence.joint)
        });
        rows.joints.extend(pending.iter().map(|influence| influence.joint));
        rows.weights.extend(pending.iter().map(|influence| influence.weight as f32));
        if let Some(vectors) = &mut rows.vectors {
            for influence in pending.iter() {
                let vector = flush::vector(influence.vector.map(|component| component as f32));
                if vector.iter().any(|component| !component.is_finite()) {
                    return Err(MeshError::VertexNotFinite { vertex, what: "weighted vector" });
                }
                vectors.push(vector);
            }
        }
        rows.starts.push(rows.joints.len() as u32);
        pending.clear();
        Ok(())
    }
}

/// The weight in a key.
fn weight_of(key: u64) -> f64 {
    f64::from(f32::from_bits(key as u32))
}

/// The total number of influences. It saturates, which is more than any slice can have.
fn total_count(counts: &[u32]) -> usize {
    counts.iter().fold(0, |sum: usize, &count| sum.saturating_add(count as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next of a sequence of random numbers.
    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(0xD129_0B26_8C1B_52C5).wrapping_add(0x9E37_79B9);
        (*state >> 33) ^ (*state >> 13)
    }

    /// One vertex, influence by influence; `None` if it is refused.
    fn one_by_one(joints: &[u32], weights: &[f32], mode: Weights) -> Option<VertexInfluences> {
        let mut builder = InfluenceBuilder::new(mode, SKIN_LEN);
        for (&joint, &weight) in joints.iter().zip(weights) {
            builder.add(joint, weight).ok()?;
        }
        builder.finish_vertex().ok()?;
        Some(builder.finish())
    }

    const SKIN_LEN: usize = 6;

    /// Returns whether the vertex took the short way.
    fn check<const N: usize>(joints: [u16; N], weights: [f32; N]) -> bool {
        let wide = joints.map(u32::from);
        for mode in [Weights::Normalized, Weights::AsStored] {
            let expected = one_by_one(&wide, &weights, mode);
            let mut builder = InfluenceBuilder::new(mode, SKIN_LEN);
            let found = builder.add_fixed(&[joints], &[weights], 1).ok().map(|()| builder.finish());
            assert_eq!(found, expected, "{joints:?} {weights:?} {mode:?}");
        }
        InfluenceBuilder::new(Weights::Normalized, SKIN_LEN).add_normalized(&joints, &weights)
    }

    #[test]
    fn short_ways_give_what_one_influence_at_a_time_gives() {
        let odd = [0.0, -0.0, 1.0, 0.5, 0.25, 2.0_f32.powi(-27), 2.0_f32.powi(-28), 1e-20, 1e-40, 1.5];
        let odder = [f32::NAN, -1.0, f32::INFINITY, f32::MAX, 0.333_333_34, 0.1, f32::from_bits(0x3f7f_ffff)];
        let (mut state, mut short, mut long) = (1, [0, 0], [0, 0]);
        for round in 0..200_000_u32 {
            let mut weight = |_| match next(&mut state) % 24 {
                i if i < 10 => odd[i as usize],
                i if i < 14 => odder[i as usize - 7],
                15 if round % 8 == 0 => odder[next(&mut state) as usize % 4],
                _ => (next(&mut state) % 1000) as f32 / 1000.0,
            };
            let (four, eight) = (std::array::from_fn(&mut weight), std::array::from_fn(&mut weight));
            let mut joint = |_| (next(&mut state) % if round % 16 == 0 { 7 } else { 6 }) as u16;
            let taken = [
                check::<4>(std::array::from_fn(&mut joint), four),
                check::<8>(std::array::from_fn(&mut joint), eight),
            ];
            for (i, taken) in taken.into_iter().enumerate() {
                short[i] += u32::from(taken);
                long[i] += u32::from(!taken);
            }
        }
        assert!(short[0] > 1000 && short[1] > 0 && long.iter().all(|&count| count > 1000), "{short:?}");
    }
}
