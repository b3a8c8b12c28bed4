//! The joints and weights of a primitive's vertices, repaired.

use sinew::Influences;

use super::raw_scene::{InfluenceSet, RawInfluences, RawPrimitive};
use super::warning_count::WarningCount;
use crate::Report;
use crate::error::BoxedError as Error;

/// The deviation of the sum of weights from one, per weight that is not zero, that needs no
/// warning: rounding errors.
const ROUNDING: f64 = 2e-7;

/// Checks the influences of a primitive against a skin of `skin_len` joints, and repairs them.
/// Lists in joint space are checked by the mesh.
pub(super) fn repair(
    primitive: &mut RawPrimitive<'_>,
    skin_len: usize,
    report: &mut Report,
) -> Result<(), Error> {
    let vertices = primitive.positions.len();
    let location = &format!("{}.attributes", primitive.location);
    match &mut primitive.influences {
        RawInfluences::None | RawInfluences::JointSpace { .. } => Ok(()),
        RawInfluences::Sets(sets) => {
            for (set, InfluenceSet { joints, weights }) in sets.iter().enumerate() {
                for (name, found) in [("JOINTS", joints.len()), ("WEIGHTS", weights.len())] {
                    if found != vertices {
                        let expected = format!("{vertices} elements, one for each vertex");
                        let location = format!("{location}.{name}_{set}");
                        return Err(Error::invalid(location, expected, found.to_string()));
                    }
                }
            }
            repair_sets(sets, skin_len, location, report)
        }
        RawInfluences::Lists { counts, joints, weights } => {
            let sum = counts.iter().fold(0_u64, |sum, &count| sum.saturating_add(u64::from(count)));
            if counts.len() != vertices || sum != joints.len() as u64 || sum != weights.len() as u64 {
                let expected = format!("a list of influences for each of {vertices} vertices");
                let found = format!("{} lists of {sum} influences", counts.len());
                return Err(Error::invalid(location, expected, found));
            }
            repair_lists(counts, joints, weights, skin_len, location, report)
        }
    }
}

/// Influences in the form that a mesh is built from.
pub(super) enum MeshInfluences<'a> {
    One(&'a InfluenceSet<'a>),
    Two { joints: Vec<[u16; 8]>, weights: Vec<[f32; 8]> },
    Lists { counts: Vec<u32>, joints: Vec<u32>, weights: Vec<f32> },
    Raw(&'a RawInfluences<'a>),
}

impl<'a> MeshInfluences<'a> {
    /// Binds all vertices to the only joint of a skin.
    pub(super) fn rigid(vertices: usize) -> Self {
        Self::Lists { counts: vec![1; vertices], joints: vec![0; vertices], weights: vec![1.0; vertices] }
    }

    pub(super) fn new(influences: &'a RawInfluences<'_>) -> Self {
        let RawInfluences::Sets(sets) = influences else { return Self::Raw(influences) };
        let vertices = sets.first().map_or(0, |set| set.joints.len());
        match &sets[..] {
            [set] => Self::One(set),
            [first, second] => Self::Two {
                joints: first.joints.iter().zip(&*second.joints).map(|(&a, &b)| concat(a, b)).collect(),
                weights: first.weights.iter().zip(&*second.weights).map(|(&a, &b)| concat(a, b)).collect(),
            },
            _ => {
                let of_vertices =
                    || (0..vertices).flat_map(|vertex| sets.iter().map(move |set| (vertex, set)));
                Self::Lists {
                    counts: vec![sets.len() as u32 * 4; vertices],
                    joints: of_vertices()
                        .flat_map(|(vertex, set)| set.joints[vertex].map(u32::from))
                        .collect(),
                    weights: of_vertices().flat_map(|(vertex, set)| set.weights[vertex]).collect(),
                }
            }
        }
    }

    pub(super) fn influences(&self) -> Influences<'_> {
        match self {
            Self::One(InfluenceSet { joints, weights }) => Influences::Four { joints, weights },
            Self::Two { joints, weights } => Influences::Eight { joints, weights },
            Self::Lists { counts, joints, weights }
            | Self::Raw(RawInfluences::Lists { counts, joints, weights }) => {
                Influences::Variable { counts, joints, weights }
            }
            Self::Raw(RawInfluences::JointSpace { counts, joints, weights, vectors }) => {
                Influences::JointSpace { counts, joints, weights, vectors }
            }
            Self::Raw(RawInfluences::None | RawInfluences::Sets(_)) => {
                Influences::Variable { counts: &[], joints: &[], weights: &[] }
            }
        }
    }
}

fn concat<T: Copy + Default>(first: [T; 4], second: [T; 4]) -> [T; 8] {
    let mut all = [T::default(); 8];
    all[..4].copy_from_slice(&first);
    all[4..].copy_from_slice(&second);
    all
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

/// What was found among the influences of one vertex.
#[derive(Default)]
struct VertexState {
    sum: f64,
    used: usize,
    not_finite: bool,
    negative: bool,
    unused_joint: bool,
}

impl VertexState {
    /// Repairs one influence. Returns whether it has a weight on a joint that the skin lacks.
    fn repair(&mut self, has_joint: bool, weight: &mut f32) -> bool {
        self.not_finite |= !weight.is_finite();
        self.negative |= *weight < 0.0;
        if !weight.is_finite() || *weight < 0.0 {
            *weight = 0.0;
        }
        self.unused_joint |= !has_joint;
        self.sum += f64::from(*weight);
        self.used += usize::from(*weight != 0.0);
        !has_joint && *weight != 0.0
    }
}

fn repair_sets(
    sets: &mut [InfluenceSet<'_>],
    skin_len: usize,
    location: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let vertices = sets.first().map_or(0, |set| set.joints.len());
    let first = match sets {
        [set] => sound_len(set, skin_len),
        _ => 0,
    };
    if first == vertices {
        return Ok(());
    }
    let mut sets: Vec<_> =
        sets.iter_mut().map(|set| (&mut set.joints.to_mut()[..], &mut set.weights.to_mut()[..])).collect();
    let mut warnings = InfluenceWarnings::default();
    for vertex in first..vertices {
        let mut state = VertexState::default();
        for (set, (joints, weights)) in sets.iter_mut().enumerate() {
            for (joint, weight) in joints[vertex].iter_mut().zip(&mut weights[vertex]) {
                let has_joint = usize::from(*joint) < skin_len;
                if state.repair(has_joint, weight) {
                    let location = format!("{location}.JOINTS_{set}");
                    return Err(joint_error(location, skin_len, (*joint).into(), vertex));
                }
                if !has_joint {
                    *joint = 0;
                }
            }
        }
        if warnings.count(vertex, &state) {
            let (joints, weights) = &mut sets[0];
            (joints[vertex][0], weights[vertex][0]) = (0, 1.0);
        }
    }
    warnings.warn(location, report)
}

/// The number of vertices before the first one that needs a repair: all of most files.
fn sound_len(set: &InfluenceSet<'_>, skin_len: usize) -> usize {
    let (joints, weights) = (&set.joints[..], &set.weights[..]);
    let vertices = joints.len().min(weights.len());
    // Without an exit, and with the narrowest limit for the sum. Not a number compares false.
    let mut sound = true;
    for (joints, weights) in joints.iter().zip(weights) {
        let ([a, b, c, d], [w, x, y, z]) = (*joints, *weights);
        let sum = f64::from(w) + f64::from(x) + f64::from(y) + f64::from(z);
        let largest = a.max(b).max(c.max(d));
        sound &= (w >= 0.0) & (x >= 0.0) & (y >= 0.0) & (z >= 0.0);
        sound &= ((sum - 1.0).abs() <= ROUNDING) & (usize::from(largest) < skin_len);
    }
    if sound {
        return vertices;
    }
    let is_sound = |vertex: usize| is_sound(&joints[vertex], &weights[vertex], skin_len);
    (0..vertices).position(|vertex| !is_sound(vertex)).unwrap_or(vertices)
}

/// Whether four influences need no repair: the result of [`VertexState`] without branches.
#[inline(always)]
fn is_sound(joints: &[u16; 4], weights: &[f32; 4], skin_len: usize) -> bool {
    let (mut sound, mut used, mut sum) = (true, 0.0, 0.0);
    // By index, because `zip` need not be inlined.
    for i in 0..4 {
        let weight = weights[i];
        // Not a number compares false.
        sound &= (0.0..f32::INFINITY).contains(&weight) & (usize::from(joints[i]) < skin_len);
        sum += f64::from(weight);
        used += f64::from(u8::from(weight != 0.0));
    }
    sound & (used > 0.0) & ((sum - 1.0).abs() <= ROUNDING * used)
}

fn repair_lists(
    counts: &mut [u32],
    joints: &mut Vec<u32>,
    weights: &mut Vec<f32>,
    skin_len: usize,
    location: &str,
    report: &mut Report,
) -> Result<(), Error> {
    if counts.contains(&0) {
        fill_empty_lists(counts, joints, weights);
    }
    let mut warnings = InfluenceWarnings::default();
    let mut first = 0;
    for (vertex, count) in counts.iter().enumerate() {
        let own = first..first + *count as usize;
        let mut state = VertexState::default();
        for (joint, weight) in joints[own.clone()].iter_mut().zip(&mut weights[own.clone()]) {
            let has_joint = (*joint as usize) < skin_len;
            if state.repair(has_joint, weight) {
                return Err(joint_error(location.to_owned(), skin_len, *joint, vertex));
            }
            if !has_joint {
                *joint = 0;
            }
        }
        if warnings.count(vertex, &state) {
            (joints[first], weights[first]) = (0, 1.0);
        }
        first += *count as usize;
    }
    warnings.warn(location, report)
}

/// Gives vertices without influences one of weight zero.
fn fill_empty_lists(counts: &mut [u32], joints: &mut Vec<u32>, weights: &mut Vec<f32>) {
    let (mut all_joints, mut all_weights) = (Vec::new(), Vec::new());
    let mut first = 0;
    for count in counts {
        let own = first..first + *count as usize;
        first = own.end;
        all_joints.extend_from_slice(&joints[own.clone()]);
        all_weights.extend_from_slice(&weights[own]);
        if *count == 0 {
            all_joints.push(0);
            all_weights.push(0.0);
            *count = 1;
        }
    }
    (*joints, *weights) = (all_joints, all_weights);
}

fn joint_error(location: String, skin_len: usize, joint: u32, vertex: usize) -> Error {
    Error::invalid(
        location,
        format!("joints below {skin_len}, the length of the skin"),
        format!("{joint} at vertex {vertex}"),
    )
}

impl InfluenceWarnings {
    /// Counts the warnings of a vertex. Returns whether the vertex has no weight.
    fn count(&mut self, vertex: usize, state: &VertexState) -> bool {
        let other_sum = (state.sum - 1.0).abs() > ROUNDING * state.used as f64;
        let seen = [
            (&mut self.no_weight, state.used == 0),
            (&mut self.other_sum, state.used > 0 && other_sum),
            (&mut self.not_finite, state.not_finite),
            (&mut self.negative, state.negative),
            (&mut self.unused_joint, state.unused_joint),
        ];
        for (count, _) in seen.into_iter().filter(|(_, seen)| *seen) {
            count.add(vertex);
        }
        state.used == 0
    }

    fn warn(self, location: &str, report: &mut Report) -> Result<(), Error> {
        let lines = [
            (self.not_finite, "the vertices with weights that are not finite", "these became zero"),
            (self.negative, "the vertices with negative weights", "these became zero"),
            (
                self.unused_joint,
                "the vertices with a joint that the skin does not have, with weight zero",
                "it became joint 0",
            ),
            (self.no_weight, "the vertices without weights", "they follow joint 0 of the skin"),
            (self.other_sum, "the vertices whose weights do not sum to one", "they were normalized"),
        ];
        lines.into_iter().try_for_each(|(count, what, done)| count.warn(report, location, what, done))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(joints: [u16; 4], weights: [f32; 4]) -> Result<(InfluenceSet<'static>, usize), Error> {
        let mut report = Report::new(false);
        let mut sets = [set(joints, weights)];
        repair_sets(&mut sets, 3, "here", &mut report)?;
        let [set] = sets;
        Ok((set, report.warnings().len()))
    }

    fn set(joints: [u16; 4], weights: [f32; 4]) -> InfluenceSet<'static> {
        InfluenceSet { joints: vec![joints].into(), weights: vec![weights].into() }
    }

    #[test]
    fn invalid_weights_are_repaired() {
        let joints = [0, 1, 2, 0];
        let valid = [0.5, 0.25, 0.25, 0.0];
        assert_eq!(repaired(joints, valid).unwrap(), (set(joints, valid), 0));
        let broken = repaired(joints, [f32::NAN, 0.5, -0.5, 0.5]).unwrap();
        assert_eq!(broken, (set(joints, [0.0, 0.5, 0.0, 0.5]), 2));
        let none = repaired([2, 2, 2, 2], [0.0, -1.0, f32::INFINITY, 0.0]).unwrap();
        assert_eq!(none, (set([0, 2, 2, 2], [1.0, 0.0, 0.0, 0.0]), 3));
        assert_eq!(repaired(joints, [0.5, 0.0, 0.0, 0.0]).unwrap().1, 1);
    }

    #[test]
    fn lists_are_repaired_as_sets_are() {
        let mut report = Report::new(false);
        let (mut counts, mut joints, mut weights) = (vec![2, 0, 1], vec![0, 9, 2], vec![1.0, 0.0, f32::NAN]);
        repair_lists(&mut counts, &mut joints, &mut weights, 3, "here", &mut report).unwrap();
        assert_eq!((counts, joints, weights), (vec![2, 1, 1], vec![0, 0, 0, 0], vec![1.0, 0.0, 1.0, 1.0]));
        assert_eq!(report.warnings().len(), 3);
        let outside = repair_lists(&mut [1], &mut vec![3], &mut vec![1.0], 3, "here", &mut report);
        assert!(outside.is_err_and(|error| error.to_string().contains("3 at vertex 0")));
    }

    #[test]
    fn invalid_joint_with_weight_is_refused() {
        assert!(repaired([3, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]).is_err());
        let harmless = repaired([3, 1, 0, 0], [0.0, 1.0, 0.0, 0.0]).unwrap();
        assert_eq!(harmless, (set([0, 1, 0, 0], [0.0, 1.0, 0.0, 0.0]), 1));
    }

    #[test]
    fn any_number_of_sets_keeps_its_order() {
        let numbered = |first: u16| set([first, first + 1, first + 2, first + 3], [0.1; 4]);
        let two = RawInfluences::Sets(vec![numbered(0), numbered(4)]);
        let two = MeshInfluences::new(&two);
        let Influences::Eight { joints, .. } = two.influences() else { panic!("not two") };
        assert_eq!(joints, [[0, 1, 2, 3, 4, 5, 6, 7]]);
        let three = RawInfluences::Sets(vec![numbered(0), numbered(4), numbered(8)]);
        let three = MeshInfluences::new(&three);
        let Influences::Variable { counts, joints, weights } = three.influences() else { panic!("not more") };
        assert_eq!((counts, weights.len()), (&[12][..], 12));
        assert_eq!(joints, (0..12).collect::<Vec<_>>());
    }
}
