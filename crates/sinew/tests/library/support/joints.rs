//! Lists of joints, as skins take them.

use sinew::JointId;

/// The first `len` joints of a skeleton, in order.
pub(crate) fn first_joints(len: usize) -> Vec<JointId> {
    (0..len).map(JointId::new).collect()
}
