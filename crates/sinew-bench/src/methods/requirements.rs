//! What a mesh requires of a method, and why a method cannot skin it.

use sinew::Mesh;

use super::Method;

/// The maximum number of joints and influences of Davies' methods: joint indices are bytes.
const MAX_JOINTS: usize = 256;
const MAX_INFLUENCES: usize = 4;

/// What a mesh requires of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirements {
    /// The maximum number of influences of a vertex.
    pub influences: usize,
    /// One more than the largest joint index that has a weight.
    pub joints: usize,
    /// Whether it has morph targets.
    pub morphs: bool,
    /// Whether each influence has its own position, in the space of its joint.
    pub joint_space: bool,
}

impl Requirements {
    /// The requirements of a mesh. Reads all vertices.
    #[must_use]
    pub fn new(mesh: &Mesh) -> Self {
        let data = mesh.influences();
        Self {
            influences: data.counts.iter().max().map_or(0, |&count| count as usize),
            joints: data.joints.iter().max().map_or(0, |&joint| joint as usize + 1),
            morphs: mesh.morph_count() > 0,
            joint_space: mesh.has_joint_space_influences(),
        }
    }

    /// The reason why a method cannot skin the mesh with at most `max_influences` influences per
    /// vertex; `None` where it can.
    #[must_use]
    pub fn refusal(&self, method: Method, max_influences: usize) -> Option<String> {
        if let Some(reason) = method.unsupported_reason() {
            return Some(reason);
        }
        let influences = self.influences.min(max_influences);
        match method {
            Method::Blocks(_) | Method::Vertices(_) => None,
            Method::DualQuaternions(_) => {
                self.joint_space.then(|| "dual quaternions cannot blend positions in joint space".to_owned())
            }
            _ if self.morphs => Some("the papers' methods do not support morph targets".to_owned()),
            _ if self.joint_space => {
                Some("the papers' methods do not support this mesh's influences in joint space".to_owned())
            }
            Method::Blended(_) | Method::Weighted(_) => None,
            _ if influences > MAX_INFLUENCES => Some(format!(
                "the method supports {MAX_INFLUENCES} weights per vertex, the mesh has {influences}"
            )),
            _ if self.joints > MAX_JOINTS => {
                Some(format!("the method supports {MAX_JOINTS} joints, the skin has {}", self.joints))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_beyond_the_limits_of_a_method_are_refused() {
        let plain = Requirements { influences: 4, joints: 256, morphs: false, joint_space: false };
        assert_eq!(plain.refusal(Method::Standard, usize::MAX), None);
        let many = Requirements { influences: 6, ..plain };
        assert!(many.refusal(Method::Standard, usize::MAX).is_some_and(|reason| reason.contains("has 6")));
        assert_eq!(many.refusal(Method::Standard, 4), None);
        let far = Requirements { joints: 257, ..plain };
        assert!(far.refusal(Method::Collapsed, 4).is_some_and(|reason| reason.contains("257")));
        let backend = sinew::runtime::backend::fastest();
        let odd = Requirements { morphs: true, joint_space: true, ..many };
        assert_eq!(odd.refusal(Method::Blocks(backend), 1), None);
        assert!(odd.refusal(Method::DualQuaternions(backend), 1).is_some());
    }
}
