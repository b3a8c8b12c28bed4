//! The joints above the root joints of skins, whose transforms place a skeleton in the scene.

use sinew::{JointId, Matrix, Model, Skin};

/// The ancestors of the topmost joints of all skins, in ascending order. Skins that only attach a
/// rigid mesh to one joint are ignored, unless there are no others.
pub(super) fn skeleton_ancestors(model: &Model) -> Vec<JointId> {
    let skeleton = model.skeleton();
    let any_deforming = model.skins().iter().any(is_deforming);
    let mut in_skin = vec![false; skeleton.len()];
    for skin in model.skins().iter().filter(|skin| !any_deforming || is_deforming(skin)) {
        for joint in skin.joints() {
            in_skin[joint.index()] = true;
        }
    }
    // Parents come first, so the entry of the parent is known.
    let mut has_skin_ancestor = vec![false; skeleton.len()];
    let mut is_ancestor = vec![false; skeleton.len()];
    for joint in skeleton.joints() {
        let parent = skeleton.parent(joint).map(JointId::index);
        has_skin_ancestor[joint.index()] =
            parent.is_some_and(|parent| has_skin_ancestor[parent] || in_skin[parent]);
        if in_skin[joint.index()] && !has_skin_ancestor[joint.index()] {
            mark_ancestors(model, joint, &mut is_ancestor);
        }
    }
    skeleton.joints().filter(|joint| is_ancestor[joint.index()]).collect()
}

fn mark_ancestors(model: &Model, joint: JointId, is_ancestor: &mut [bool]) {
    let mut next = model.skeleton().parent(joint);
    while let Some(joint) = next
        && !is_ancestor[joint.index()]
    {
        is_ancestor[joint.index()] = true;
        next = model.skeleton().parent(joint);
    }
}

fn is_deforming(skin: &Skin) -> bool {
    skin.len() != 1 || skin.inverse_binds()[0] != Matrix::IDENTITY
}

#[cfg(test)]
mod tests {
    use sinew::model::ModelSource;
    use sinew::{Bone, Skeleton, Transform};

    use super::*;

    /// The chain 0 - 1 - 2 - 3, and joint 4 as a second child of 0.
    fn model(skins: &[&[usize]]) -> Model {
        let parents = [None, Some(0), Some(1), Some(2), Some(0)];
        let bones = parents.map(|parent| Bone::new("", parent, Transform::IDENTITY));
        let skeleton = Skeleton::new(&bones).expect("valid bones");
        let skin = |joints: &&[usize]| {
            let binds = vec![Matrix::IDENTITY; joints.len()];
            let joints: Vec<JointId> = joints.iter().copied().map(JointId::new).collect();
            Skin::with_inverse_binds(&skeleton, &joints, &binds).expect("a valid skin")
        };
        let skins = skins.iter().map(skin).collect();
        Model::new(ModelSource { skins, ..ModelSource::new(skeleton) }).expect("a valid model")
    }

    fn ancestor_indices(skins: &[&[usize]]) -> Vec<usize> {
        skeleton_ancestors(&model(skins)).into_iter().map(JointId::index).collect()
    }

    #[test]
    fn the_ancestors_of_the_topmost_joints_are_found() {
        assert_eq!(ancestor_indices(&[&[2, 3]]), [0, 1]);
        assert_eq!(ancestor_indices(&[&[3, 2], &[1, 2]]), [0]);
        assert_eq!(ancestor_indices(&[&[0, 3]]), [0; 0]);
        assert_eq!(ancestor_indices(&[]), [0; 0]);
    }

    #[test]
    fn rigid_skins_count_only_when_there_are_no_others() {
        assert_eq!(ancestor_indices(&[&[1], &[2, 3]]), [0, 1]);
        assert_eq!(ancestor_indices(&[&[1]]), [0]);
    }
}
