//! Which joints move each vertex: all sets of joints and weights of a primitive, mended.

use sinew::Influences;

use super::tally::Tally;
use crate::gltf::document::{Document, Use};
use crate::gltf::schema::mesh::{Primitive, Semantic};
use crate::{Error, Report};

/// How far weights may be from a sum of one without a word, for each that is not zero: what rounding leaves.
const ROUNDING: f64 = 2e-7;

/// The influences of a primitive, in the form in which a mesh takes so many sets.
pub(super) enum Sets {
    One { joints: Vec<[u16; 4]>, weights: Vec<[f32; 4]> },
    Two { joints: Vec<[u16; 8]>, weights: Vec<[f32; 8]> },
    More { counts: Vec<u32>, joints: Vec<u32>, weights: Vec<f32> },
}

impl Sets {
    /// All on the only joint of a skin.
    pub(super) fn on_one_joint(vertices: usize) -> Self {
        Self::More { counts: vec![1; vertices], joints: vec![0; vertices], weights: vec![1.0; vertices] }
    }

    /// Decodes and mends the influences of a primitive on a skin of so many joints.
    pub(super) fn new(
        document: &Document<'_>,
        primitive: &Primitive,
        (vertices, skin_len): (usize, usize),
        place: &str,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let place = format!("{place}.attributes");
        let count = set_count(primitive, &place)?;
        let mut sets = Vec::with_capacity(count);
        for set in 0..count {
            sets.push(decode(document, primitive, set as u32, vertices, &place)?);
        }
        mend(&mut sets, skin_len, &place, report)?;
        Ok(Self::from_sets(sets, vertices))
    }

    fn from_sets(mut sets: Vec<Set>, vertices: usize) -> Self {
        match (sets.pop(), sets.pop(), sets.is_empty()) {
            (Some((joints, weights)), None, _) => Self::One { joints, weights },
            (Some(second), Some(first), true) => Self::Two {
                joints: (0..vertices).map(|vertex| joined(first.0[vertex], second.0[vertex])).collect(),
                weights: (0..vertices).map(|vertex| joined(first.1[vertex], second.1[vertex])).collect(),
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

    /// As a mesh takes them.
    pub(super) fn influences(&self) -> Influences<'_> {
        match self {
            Self::One { joints, weights } => Influences::Four { joints, weights },
            Self::Two { joints, weights } => Influences::Eight { joints, weights },
            Self::More { counts, joints, weights } => Influences::Listed { counts, joints, weights },
        }
    }
}

/// Whether a primitive has joints at all.
pub(super) fn has_joints(primitive: &Primitive) -> bool {
    primitive.attributes.contains_key(&Semantic::Joints(0))
}

type Set = (Vec<[u16; 4]>, Vec<[f32; 4]>);

fn joined<T: Copy + Default>(first: [T; 4], second: [T; 4]) -> [T; 8] {
    let mut all = [T::default(); 8];
    all[..4].copy_from_slice(&first);
    all[4..].copy_from_slice(&second);
    all
}

/// The number of sets, which count from zero, each of joints and weights.
fn set_count(primitive: &Primitive, place: &str) -> Result<usize, Error> {
    let mut sets = [0, 0];
    for semantic in primitive.attributes.keys() {
        // Keys are in order, so the sets of a kind come by rising number.
        let (kind, set) = match semantic {
            Semantic::Joints(set) => (0, *set),
            Semantic::Weights(set) => (1, *set),
            _ => continue,
        };
        if set != sets[kind] {
            let name = ["JOINTS", "WEIGHTS"][kind];
            return Err(Error::fault(place, format!("{name}_{}", sets[kind]), format!("{name}_{set}")));
        }
        sets[kind] += 1;
    }
    match sets {
        [joints, weights] if joints == weights && joints > 0 => Ok(joints as usize),
        [joints, weights] => Err(Error::fault(
            place,
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
    place: &str,
) -> Result<Set, Error> {
    let accessor = |semantic| primitive.attributes.get(&semantic).map(|index| index.value());
    let (joints_at, weights_at) = (format!("{place}.JOINTS_{set}"), format!("{place}.WEIGHTS_{set}"));
    let missing = |place: &str| Error::fault(place, "an accessor", "none");
    let joints = accessor(Semantic::Joints(set)).ok_or_else(|| missing(&joints_at))?;
    let weights = accessor(Semantic::Weights(set)).ok_or_else(|| missing(&weights_at))?;
    let joints = document.joints(joints, &joints_at)?;
    let weights = document.floats::<4>(weights, Use::Weights, &weights_at)?;
    for (place, found) in [(joints_at, joints.len()), (weights_at, weights.len())] {
        if found != vertices {
            let expected = format!("{vertices} elements, one for each vertex");
            return Err(Error::fault(place, expected, found.to_string()));
        }
    }
    Ok((joints, weights))
}

/// What is wrong with the influences of a primitive.
#[derive(Default)]
struct Odd {
    not_finite: Tally,
    negative: Tally,
    unused_joint: Tally,
    no_weight: Tally,
    other_sum: Tally,
}

fn mend(sets: &mut [Set], skin_len: usize, place: &str, report: &mut Report) -> Result<(), Error> {
    let mut odd = Odd::default();
    let vertices = sets.first().map_or(0, |set| set.0.len());
    for vertex in 0..vertices {
        odd.mend(vertex, sets, skin_len, place)?;
    }
    let lines = [
        (odd.not_finite, "the vertices with weights that are not finite", "these became zero"),
        (odd.negative, "the vertices with negative weights", "these became zero"),
        (
            odd.unused_joint,
            "the vertices that name a joint past the skin's, with no weight",
            "it became joint 0",
        ),
        (odd.no_weight, "the vertices without weights", "they hang on joint 0 of the skin"),
        (odd.other_sum, "the vertices whose weights do not sum to one", "they were brought to it"),
    ];
    lines.into_iter().try_for_each(|(tally, what, done)| tally.note(report, place, what, done))
}

impl Odd {
    fn mend(&mut self, vertex: usize, sets: &mut [Set], skin_len: usize, place: &str) -> Result<(), Error> {
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
                        return Err(Error::fault(
                            format!("{place}.JOINTS_{set}"),
                            format!("joints below {skin_len}, as the skin has so many"),
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
        for (tally, _) in
            seen.into_iter().chain([(&mut self.unused_joint, unused_joint)]).filter(|(_, seen)| *seen)
        {
            tally.add(vertex);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(joints: [u16; 4], weights: [f32; 4]) -> Result<(Set, usize), Error> {
        let mut report = Report::new(false);
        let mut sets = [(vec![joints], vec![weights])];
        mend(&mut sets, 3, "here", &mut report)?;
        let [set] = sets;
        Ok((set, report.oddities().len()))
    }

    #[test]
    fn weights_are_mended_by_the_rules() {
        let joints = [0, 1, 2, 0];
        let sound = [0.5, 0.25, 0.25, 0.0];
        assert_eq!(mended(joints, sound).unwrap(), ((vec![joints], vec![sound]), 0));
        let broken = mended(joints, [f32::NAN, 0.5, -0.5, 0.5]).unwrap();
        assert_eq!(broken, ((vec![joints], vec![[0.0, 0.5, 0.0, 0.5]]), 2));
        let none = mended([2, 2, 2, 2], [0.0, -1.0, f32::INFINITY, 0.0]).unwrap();
        assert_eq!(none, ((vec![[0, 2, 2, 2]], vec![[1.0, 0.0, 0.0, 0.0]]), 3));
        assert_eq!(mended(joints, [0.5, 0.0, 0.0, 0.0]).unwrap().1, 1);
    }

    #[test]
    fn a_joint_past_the_skin_is_refused_when_it_weighs_anything() {
        assert!(mended([3, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]).is_err());
        let harmless = mended([3, 1, 0, 0], [0.0, 1.0, 0.0, 0.0]).unwrap();
        assert_eq!(harmless, ((vec![[0, 1, 0, 0]], vec![[0.0, 1.0, 0.0, 0.0]]), 1));
    }

    #[test]
    fn any_number_of_sets_keeps_its_order() {
        let set = |first: u16| (vec![[first, first + 1, first + 2, first + 3]], vec![[0.1; 4]]);
        let Sets::Two { joints, .. } = Sets::from_sets(vec![set(0), set(4)], 1) else { panic!("not two") };
        assert_eq!(joints, [[0, 1, 2, 3, 4, 5, 6, 7]]);
        let more = Sets::from_sets(vec![set(0), set(4), set(8)], 1);
        let Sets::More { counts, joints, weights } = more else { panic!("not more") };
        assert_eq!((counts, weights.len()), (vec![12], 12));
        assert_eq!(joints, (0..12).collect::<Vec<_>>());
    }
}
