//! Bones: a long octahedron from each joint to its parent.

use crate::draw::{LineVertex, ModelCopy};
use crate::scene::{AnimatedCopy, Subject};
use sinew::JointId;

const BONE_COLOR: [u8; 4] = [255, 205, 90, 235];
const SELECTED_COLOR: [u8; 4] = [255, 80, 60, 255];
/// Half the thickness of a bone, and the point where it is thickest, relative to its length.
const HALF_THICKNESS: f32 = 0.09;
const WIDEST_POINT: f32 = 0.18;

/// Positions of the joints of a copy, in the scene.
#[must_use]
pub fn joint_positions(subject: &Subject, animated: &AnimatedCopy, copy: &ModelCopy) -> Vec<[f32; 3]> {
    let position = |matrix: &sinew::Matrix| {
        let at = subject.to_scene(matrix.translation());
        [0, 1, 2].map(|i| at[i] + copy.offset[i])
    };
    animated.model_from_joint.iter().map(position).collect()
}

/// Adds the bones of a copy.
pub fn add_bones(
    subject: &Subject,
    positions: &[[f32; 3]],
    selected: Option<usize>,
    lines: &mut Vec<LineVertex>,
) {
    let skeleton = subject.model.skeleton();
    for (joint, &end) in skeleton.joints().zip(positions) {
        let Some(parent) = skeleton.parent(joint).map(JointId::index) else { continue };
        let color = if selected == Some(parent) { SELECTED_COLOR } else { BONE_COLOR };
        add_bone(positions[parent], end, color, lines);
    }
}

fn add_bone(from: [f32; 3], to: [f32; 3], color: [u8; 4], lines: &mut Vec<LineVertex>) {
    let axis = [0, 1, 2].map(|i| to[i] - from[i]);
    let length = axis.iter().map(|element| element * element).sum::<f32>().sqrt();
    if !length.is_finite() || length <= 0.0 {
        return;
    }
    let helper = if axis[0].abs() < 0.7 * length { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let [u, v] = {
        let u = unit(cross(axis, helper));
        [u, unit(cross(axis, u))]
    };
    let size = HALF_THICKNESS * length;
    let corner =
        |a: f32, b: f32| [0, 1, 2].map(|i| from[i] + WIDEST_POINT * axis[i] + size * (a * u[i] + b * v[i]));
    let ring = [corner(1.0, 0.0), corner(0.0, 1.0), corner(-1.0, 0.0), corner(0.0, -1.0)];
    for (index, &position) in ring.iter().enumerate() {
        for other in [from, to, ring[(index + 1) % 4]] {
            lines.extend([position, other].map(|position| LineVertex { position, color }));
        }
    }
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f32; 3]) -> [f32; 3] {
    let length = a.iter().map(|element| element * element).sum::<f32>().sqrt();
    if length > 0.0 { a.map(|element| element / length) } else { [0.0; 3] }
}
