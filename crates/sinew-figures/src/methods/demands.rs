//! What a surface demands of a method, and which methods cannot give it.

use sinew::Mesh;

use super::Method;

/// The most joints and influences that Davies' bytes and registers have room for.
const MOST_JOINTS: usize = 256;
const MOST_INFLUENCES: usize = 4;

/// What a surface demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demands {
    /// The most influences of a vertex.
    pub influences: usize,
    /// One past the last joint of its skin that has a weight.
    pub joints: usize,
    /// Whether it has morph targets.
    pub morphs: bool,
    /// Whether each influence has a position of its own, in the space of its joint.
    pub joint_space: bool,
}

impl Demands {
    /// Those of a mesh. Looks at all vertices.
    #[must_use]
    pub fn of(mesh: &Mesh) -> Self {
        let data = mesh.influences();
        Self {
            influences: data.counts.iter().max().map_or(0, |&count| count as usize),
            joints: data.joints.iter().max().map_or(0, |&joint| joint as usize + 1),
            morphs: mesh.morph_count() > 0,
            joint_space: mesh.in_joint_space(),
        }
    }

    /// Why a method cannot skin it with so many influences at most; `None` where it can.
    #[must_use]
    pub fn refusal(&self, method: Method, max_influences: usize) -> Option<String> {
        if let Some(reason) = method.absence() {
            return Some(reason);
        }
        let influences = self.influences.min(max_influences);
        match method {
            Method::Blocks(_) | Method::Vertices(_) => None,
            Method::Duals(_) => self
                .joint_space
                .then(|| "dual quaternions cannot blend positions in the space of each joint".to_owned()),
            _ if self.morphs => Some("the papers' methods have no morph targets".to_owned()),
            _ if self.joint_space => {
                Some("this surface has a position of its own in the space of each joint".to_owned())
            }
            Method::Blended(_) | Method::Weighted(_) => None,
            _ if influences > MOST_INFLUENCES => {
                Some(format!("the method takes {MOST_INFLUENCES} weights, a vertex has {influences}"))
            }
            _ if self.joints > MOST_JOINTS => {
                Some(format!("the method takes {MOST_JOINTS} joints, the skin has {}", self.joints))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_method_has_no_room_for_is_refused() {
        let plain = Demands { influences: 4, joints: 256, morphs: false, joint_space: false };
        assert_eq!(plain.refusal(Method::Standard, usize::MAX), None);
        let many = Demands { influences: 6, ..plain };
        assert!(many.refusal(Method::Standard, usize::MAX).is_some_and(|reason| reason.contains("has 6")));
        assert_eq!(many.refusal(Method::Standard, 4), None);
        let far = Demands { joints: 257, ..plain };
        assert!(far.refusal(Method::Collapsed, 4).is_some_and(|reason| reason.contains("257")));
        let row = sinew::backend::fastest();
        let odd = Demands { morphs: true, joint_space: true, ..many };
        assert_eq!(odd.refusal(Method::Blocks(row), 1), None);
        assert!(odd.refusal(Method::Duals(row), 1).is_some());
    }
}
