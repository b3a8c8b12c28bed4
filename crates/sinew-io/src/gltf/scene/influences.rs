//! The joints and weights of a primitive's vertices, repaired.

use sinew::Influences;

use super::warning_count::WarningCount;
use crate::gltf::document::{AccessorUse, Document};
use crate::gltf::schema::mesh::{Primitive, Semantic};
use crate::{Error, Report};

/// The deviation of the sum of weights from one, per weight that is not zero, that needs no
/// warning: rounding errors.
const ROUNDING: f64 = 2e-7;

/// The influences of a primitive, in the form for its number of sets.
pub(super) enum InfluenceSets {
    One { joints: Vec<[u16; 4]>, weights: Vec<[f32; 4]> },
    Two { joints: Vec<[u16; 8]>, weights: Vec<[f32; 8]> },
    More { counts: Vec<u32>, joints: Vec<u32>, weights: Vec<f32> },
}

impl InfluenceSets {
    /// Binds all vertices to the only joint of a skin.
    pub(super) fn rigid(vertices: usize) -> Self {
        Self::More { counts: vec![1; vertices], joints: vec![0; vertices], weights: vec![1.0; vertices] }
    }

    /// Decodes and repairs the influences of a primitive. The skin has `skin_len` joints.
    pub(super) fn new(
        document: &Document<'_>,
        primitive: &Primitive,
        (vertices, skin_len): (usize, usize),
        location: &str,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let location = format!("{location}.attributes");
        let count = set_count(primitive, &location)?;
        let mut sets = Vec::with_capacity(count);
        for set in 0..count {
            sets.push(decode(document, primitive, set as u32, vertices, &location)?);
        }
        repair(&mut sets, skin_len, &location, report)?;
        Ok(Self::from_sets(sets, vertices))
    }

    fn from_sets(mut sets: Vec<Set>, vertices: usize) -> Self {
        match (sets.pop(), sets.pop(), sets.is_empty()) {
            (Some((joints, weights)), None, _) => Self::One { joints, weights },
            (Some(second), Some(first), true) => Self::Two {
                joints: (0..vertices).map(|vertex| concat(first.0[vertex], second.0[vertex])).collect(),
                weights: (0..vertices).map(|vertex| concat(first.1[vertex], second.1[vertex])).collect(),
            },
            (last, before, _) => {
                sets.extend(before);
                sets.extend(last);
                let of_vertices =
                    || (0..vertices).flat_map(|vertex| sets.iter().map(move |set| (vertex, set)));
                Self::More {
                    counts: vec![sets.len() as u32 * 4; vertices],
                    joints: of_vertices().flat_map(|(vertex, set)| set.0[vertex].map(u32::from)).collect(),
                    weights: of_vertices().flat_map(|(vertex, set)| set.1[vertex]).collect(),
                }
            }
        }
    }

    /// The influences in the form that a mesh is built from.
    pub(super) fn influences(&self) -> Influences<'_> {
        match self {
            Self::One { joints, weights } => Influences::Four { joints, weights },
            Self::Two { joints, weights } => Influences::Eight { joints, weights },
            Self::More { counts, joints, weights } => Influences::Variable { counts, joints, weights },
        }
    }
}

/// Whether a primitive has joints.
pub(super) fn has_joints(primitive: &Primitive) -> bool {
    primitive.attributes.contains_key(&Semantic::Joints(0))
}

type Set = (Vec<[u16; 4]>, Vec<[f32; 4]>);

fn concat<T: Copy + Default>(first: [T; 4], second: [T; 4]) -> [T; 8] {
    let mut all = [T::default(); 8];
    all[..4].copy_from_slice(&first);
    all[4..].copy_from_slice(&second);
    all
}

/// The number of sets of joints and weights. Sets count from zero.
fn set_count(primitive: &Primitive, location: &str) -> Result<usize, Error> {
    let mut sets = [0, 0];
    for semantic in primitive.attributes.keys() {
        // Keys are sorted, so the sets of each attribute come in ascending order.
        let (kind, set) = match semantic {
            Semantic::Joints(set) => (0, *set),
            Semantic::Weights(set) => (1, *set),
            _ => continue,
        };
        if set != sets[kind] {
            let name = ["JOINTS", "WEIGHTS"][kind];
            return Err(Error::invalid(location, format!("{name}_{}", sets[kind]), format!("{name}_{set}")));
        }
        sets[kind] += 1;
    }
    match sets {
        [joints, weights] if joints == weights && joints > 0 => Ok(joints as usize),
        [joints, weights] => Err(Error::invalid(
            location,
            "as many sets of joints as of weights, and at least one",
            format!("{joints} of joints and {weights} of weights"),
        )),
    }
}

fn decode(
    document: &Document<'_>,
    primitive: &Primitive,
    set: u32,
    vertices: usize,
    location: &str,
) -> Result<Set, Error> {
    let accessor = |semantic| primitive.attributes.get(&semantic).map(|index| index.value());
    let (joints_at, weights_at) = (format!("{location}.JOINTS_{set}"), format!("{location}.WEIGHTS_{set}"));
    let missing = |location: &str| Error::invalid(location, "an accessor", "none");
    let joints = accessor(Semantic::Joints(set)).ok_or_else(|| missing(&joints_at))?;
    let weights = accessor(Semantic::Weights(set)).ok_or_else(|| missing(&weights_at))?;
    let joints = document.joints(joints, &joints_at)?;
    let weights = document.floats::<4>(weights, AccessorUse::Weights, &weights_at)?;
    for (location, found) in [(joints_at, joints.len()), (weights_at, weights.len())] {
        if found != vertices {
            let expected = format!("{vertices} elements, one for each vertex");
            return Err(Error::invalid(location, expected, found.to_string()));
        }
    }
    Ok((joints, weights))
}

/// Counts the repairs of a primitive's influences.
#[derive(Default)]
struct InfluenceWarnings {
    not_finite: WarningCount,
    negative: WarningCount,
    unused_joint: WarningCount,
    no_weight: WarningCount,
    other_sum: WarningCount,
}

fn repair(sets: &mut [Set], skin_len: usize, location: &str, report: &mut Report) -> Result<(), Error> {
    let mut warnings = InfluenceWarnings::default();
    let vertices = sets.first().map_or(0, |set| set.0.len());
    for vertex in 0..vertices {
        warnings.repair(vertex, sets, skin_len, location)?;
    }
    let lines = [
        (warnings.not_finite, "the vertices with weights that are not finite", "these became zero"),
        (warnings.negative, "the vertices with negative weights", "these became zero"),
        (
            warnings.unused_joint,
            "the vertices with a joint that the skin does not have, with weight zero",
            "it became joint 0",
        ),
        (warnings.no_weight, "the vertices without weights", "they follow joint 0 of the skin"),
        (warnings.other_sum, "the vertices whose weights do not sum to one", "they were normalized"),
    ];
    lines.into_iter().try_for_each(|(count, what, done)| count.warn(report, location, what, done))
}

impl InfluenceWarnings {
    fn repair(
        &mut self,
        vertex: usize,
        sets: &mut [Set],
        skin_len: usize,
        location: &str,
    ) -> Result<(), Error> {
        let (mut sum, mut used) = (0.0, 0);
        let (mut not_finite, mut negative, mut unused_joint) = (false, false, false);
        for (set, (joints, weights)) in sets.iter_mut().enumerate() {
            for (joint, weight) in joints[vertex].iter_mut().zip(&mut weights[vertex]) {
                not_finite |= !weight.is_finite();
                negative |= *weight < 0.0;
                if !weight.is_finite() || *weight < 0.0 {
                    *weight = 0.0;
                }
                if usize::from(*joint) >= skin_len {
                    if *weight != 0.0 {
                        return Err(Error::invalid(
                            format!("{location}.JOINTS_{set}"),
                            format!("joints below {skin_len}, the length of the skin"),
                            format!("{joint} at vertex {vertex}"),
                        ));
                    }
                    *joint = 0;
                    unused_joint = true;
                }
                sum += f64::from(*weight);
                used += usize::from(*weight != 0.0);
            }
        }
        if used == 0 {
            let (joints, weights) = &mut sets[0];
            (joints[vertex][0], weights[vertex][0]) = (0, 1.0);
            self.no_weight.add(vertex);
        } else if (sum - 1.0).abs() > ROUNDING * used as f64 {
            self.other_sum.add(vertex);
        }
        let seen = [(&mut self.not_finite, not_finite), (&mut self.negative, negative)];
        for (count, _) in
            seen.into_iter().chain([(&mut self.unused_joint, unused_joint)]).filter(|(_, seen)| *seen)
        {
            count.add(vertex);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(joints: [u16; 4], weights: [f32; 4]) -> Result<(Set, usize), Error> {
        let mut report = Report::new(false);
        let mut sets = [(vec![joints], vec![weights])];
        repair(&mut sets, 3, "here", &mut report)?;
        let [set] = sets;
        Ok((set, report.warnings().len()))
    }

    #[test]
    fn invalid_weights_are_repaired() {
        let joints = [0, 1, 2, 0];
        let valid = [0.5, 0.25, 0.25, 0.0];
        assert_eq!(repaired(joints, valid).unwrap(), ((vec![joints], vec![valid]), 0));
        let broken = repaired(joints, [f32::NAN, 0.5, -0.5, 0.5]).unwrap();
        assert_eq!(broken, ((vec![joints], vec![[0.0, 0.5, 0.0, 0.5]]), 2));
        let none = repaired([2, 2, 2, 2], [0.0, -1.0, f32::INFINITY, 0.0]).unwrap();
        assert_eq!(none, ((vec![[0, 2, 2, 2]], vec![[1.0, 0.0, 0.0, 0.0]]), 3));
        assert_eq!(repaired(joints, [0.5, 0.0, 0.0, 0.0]).unwrap().1, 1);
    }

    #[test]
    fn invalid_joint_with_weight_is_refused() {
        assert!(repaired([3, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]).is_err());
        let harmless = repaired([3, 1, 0, 0], [0.0, 1.0, 0.0, 0.0]).unwrap();
        assert_eq!(harmless, ((vec![[0, 1, 0, 0]], vec![[0.0, 1.0, 0.0, 0.0]]), 1));
    }

    #[test]
    fn any_number_of_sets_keeps_its_order() {
        let set = |first: u16| (vec![[first, first + 1, first + 2, first + 3]], vec![[0.1; 4]]);
        let InfluenceSets::Two { joints, .. } = InfluenceSets::from_sets(vec![set(0), set(4)], 1) else {
            panic!("not two")
        };
        assert_eq!(joints, [[0, 1, 2, 3, 4, 5, 6, 7]]);
        let more = InfluenceSets::from_sets(vec![set(0), set(4), set(8)], 1);
        let InfluenceSets::More { counts, joints, weights } = more else { panic!("not more") };
        assert_eq!((counts, weights.len()), (vec![12], 12));
        assert_eq!(joints, (0..12).collect::<Vec<_>>());
    }
}
