//! What stands above a skeleton's roots.

use sinew::{Matrix, Model, Skin};

/// The joints above the topmost joints of skins, in order. A skin that only hangs a part on one joint does not count,
/// unless there are no others.
pub(super) fn above_roots(model: &Model) -> Vec<usize> {
    let skeleton = model.skeleton();
    let any_real = model.skins().iter().any(is_real);
    let mut in_skin = vec![false; skeleton.len()];
    for skin in model.skins().iter().filter(|skin| !any_real || is_real(skin)) {
        for &joint in skin.joints() {
            in_skin[joint as usize] = true;
        }
    }
    // Parents come first, so each joint knows whether something above it is in a skin.
    let mut below = vec![false; skeleton.len()];
    let mut above = vec![false; skeleton.len()];
    for joint in 0..skeleton.len() {
        let parent = skeleton.parent(joint);
        below[joint] = parent.is_some_and(|parent| below[parent] || in_skin[parent]);
        if in_skin[joint] && !below[joint] {
            mark_ancestors(model, joint, &mut above);
        }
    }
    (0..skeleton.len()).filter(|&joint| above[joint]).collect()
}

fn mark_ancestors(model: &Model, joint: usize, above: &mut [bool]) {
    let mut next = model.skeleton().parent(joint);
    while let Some(joint) = next
        && !above[joint]
    {
        above[joint] = true;
        next = model.skeleton().parent(joint);
    }
}

fn is_real(skin: &Skin) -> bool {
    skin.len() != 1 || skin.inverse_binds()[0] != Matrix::IDENTITY
}

#[cfg(test)]
mod tests {
    use sinew::{Bone, ModelSource, Skeleton, Transform};

    use super::*;

    /// 0 - 1 - 2 - 3, and 4 below 0.
    fn model(skins: &[&[usize]]) -> Model {
        let parents = [None, Some(0), Some(1), Some(2), Some(0)];
        let bones = parents.map(|parent| Bone::new("", parent, Transform::IDENTITY));
        let skeleton = Skeleton::new(&bones).expect("sound bones");
        let skin = |joints: &&[usize]| {
            let binds = vec![Matrix::IDENTITY; joints.len()];
            Skin::with_inverse_binds(&skeleton, joints, &binds).expect("a sound skin")
        };
        let skins = skins.iter().map(skin).collect();
        Model::new(ModelSource { skins, ..ModelSource::new(skeleton) }).expect("a sound model")
    }

    #[test]
    fn what_is_above_the_topmost_joints_is_found() {
        assert_eq!(above_roots(&model(&[&[2, 3]])), [0, 1]);
        assert_eq!(above_roots(&model(&[&[3, 2], &[1, 2]])), [0]);
        assert_eq!(above_roots(&model(&[&[0, 3]])), [0; 0]);
        assert_eq!(above_roots(&model(&[])), [0; 0]);
    }

    #[test]
    fn skins_of_hung_parts_count_only_when_there_are_no_others() {
        assert_eq!(above_roots(&model(&[&[1], &[2, 3]])), [0, 1]);
        assert_eq!(above_roots(&model(&[&[1]])), [0]);
    }
}
