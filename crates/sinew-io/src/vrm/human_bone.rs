//! The bones of a humanoid.

use std::fmt;

/// A bone of a humanoid, as VRM 1.0 names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum HumanBone {
    /// The hips.
    Hips,
    /// The spine.
    Spine,
    /// The chest.
    Chest,
    /// The upper chest.
    UpperChest,
    /// The neck.
    Neck,
    /// The head.
    Head,
    /// The left eye.
    LeftEye,
    /// The right eye.
    RightEye,
    /// The jaw.
    Jaw,
    /// The left upper leg.
    LeftUpperLeg,
    /// The right upper leg.
    RightUpperLeg,
    /// The left lower leg.
    LeftLowerLeg,
    /// The right lower leg.
    RightLowerLeg,
    /// The left foot.
    LeftFoot,
    /// The right foot.
    RightFoot,
    /// The left toes.
    LeftToes,
    /// The right toes.
    RightToes,
    /// The left shoulder.
    LeftShoulder,
    /// The right shoulder.
    RightShoulder,
    /// The left upper arm.
    LeftUpperArm,
    /// The right upper arm.
    RightUpperArm,
    /// The left lower arm.
    LeftLowerArm,
    /// The right lower arm.
    RightLowerArm,
    /// The left hand.
    LeftHand,
    /// The right hand.
    RightHand,
    /// The left thumb metacarpal.
    LeftThumbMetacarpal,
    /// The left thumb proximal.
    LeftThumbProximal,
    /// The left thumb distal.
    LeftThumbDistal,
    /// The left index proximal.
    LeftIndexProximal,
    /// The left index intermediate.
    LeftIndexIntermediate,
    /// The left index distal.
    LeftIndexDistal,
    /// The left middle proximal.
    LeftMiddleProximal,
    /// The left middle intermediate.
    LeftMiddleIntermediate,
    /// The left middle distal.
    LeftMiddleDistal,
    /// The left ring proximal.
    LeftRingProximal,
    /// The left ring intermediate.
    LeftRingIntermediate,
    /// The left ring distal.
    LeftRingDistal,
    /// The left little proximal.
    LeftLittleProximal,
    /// The left little intermediate.
    LeftLittleIntermediate,
    /// The left little distal.
    LeftLittleDistal,
    /// The right thumb metacarpal.
    RightThumbMetacarpal,
    /// The right thumb proximal.
    RightThumbProximal,
    /// The right thumb distal.
    RightThumbDistal,
    /// The right index proximal.
    RightIndexProximal,
    /// The right index intermediate.
    RightIndexIntermediate,
    /// The right index distal.
    RightIndexDistal,
    /// The right middle proximal.
    RightMiddleProximal,
    /// The right middle intermediate.
    RightMiddleIntermediate,
    /// The right middle distal.
    RightMiddleDistal,
    /// The right ring proximal.
    RightRingProximal,
    /// The right ring intermediate.
    RightRingIntermediate,
    /// The right ring distal.
    RightRingDistal,
    /// The right little proximal.
    RightLittleProximal,
    /// The right little intermediate.
    RightLittleIntermediate,
    /// The right little distal.
    RightLittleDistal,
}

/// All bones with their names in files.
const NAMES: [(HumanBone, &str); 55] = [
    (HumanBone::Hips, "hips"),
    (HumanBone::Spine, "spine"),
    (HumanBone::Chest, "chest"),
    (HumanBone::UpperChest, "upperChest"),
    (HumanBone::Neck, "neck"),
    (HumanBone::Head, "head"),
    (HumanBone::LeftEye, "leftEye"),
    (HumanBone::RightEye, "rightEye"),
    (HumanBone::Jaw, "jaw"),
    (HumanBone::LeftUpperLeg, "leftUpperLeg"),
    (HumanBone::RightUpperLeg, "rightUpperLeg"),
    (HumanBone::LeftLowerLeg, "leftLowerLeg"),
    (HumanBone::RightLowerLeg, "rightLowerLeg"),
    (HumanBone::LeftFoot, "leftFoot"),
    (HumanBone::RightFoot, "rightFoot"),
    (HumanBone::LeftToes, "leftToes"),
    (HumanBone::RightToes, "rightToes"),
    (HumanBone::LeftShoulder, "leftShoulder"),
    (HumanBone::RightShoulder, "rightShoulder"),
    (HumanBone::LeftUpperArm, "leftUpperArm"),
    (HumanBone::RightUpperArm, "rightUpperArm"),
    (HumanBone::LeftLowerArm, "leftLowerArm"),
    (HumanBone::RightLowerArm, "rightLowerArm"),
    (HumanBone::LeftHand, "leftHand"),
    (HumanBone::RightHand, "rightHand"),
    (HumanBone::LeftThumbMetacarpal, "leftThumbMetacarpal"),
    (HumanBone::LeftThumbProximal, "leftThumbProximal"),
    (HumanBone::LeftThumbDistal, "leftThumbDistal"),
    (HumanBone::LeftIndexProximal, "leftIndexProximal"),
    (HumanBone::LeftIndexIntermediate, "leftIndexIntermediate"),
    (HumanBone::LeftIndexDistal, "leftIndexDistal"),
    (HumanBone::LeftMiddleProximal, "leftMiddleProximal"),
    (HumanBone::LeftMiddleIntermediate, "leftMiddleIntermediate"),
    (HumanBone::LeftMiddleDistal, "leftMiddleDistal"),
    (HumanBone::LeftRingProximal, "leftRingProximal"),
    (HumanBone::LeftRingIntermediate, "leftRingIntermediate"),
    (HumanBone::LeftRingDistal, "leftRingDistal"),
    (HumanBone::LeftLittleProximal, "leftLittleProximal"),
    (HumanBone::LeftLittleIntermediate, "leftLittleIntermediate"),
    (HumanBone::LeftLittleDistal, "leftLittleDistal"),
    (HumanBone::RightThumbMetacarpal, "rightThumbMetacarpal"),
    (HumanBone::RightThumbProximal, "rightThumbProximal"),
    (HumanBone::RightThumbDistal, "rightThumbDistal"),
    (HumanBone::RightIndexProximal, "rightIndexProximal"),
    (HumanBone::RightIndexIntermediate, "rightIndexIntermediate"),
    (HumanBone::RightIndexDistal, "rightIndexDistal"),
    (HumanBone::RightMiddleProximal, "rightMiddleProximal"),
    (HumanBone::RightMiddleIntermediate, "rightMiddleIntermediate"),
    (HumanBone::RightMiddleDistal, "rightMiddleDistal"),
    (HumanBone::RightRingProximal, "rightRingProximal"),
    (HumanBone::RightRingIntermediate, "rightRingIntermediate"),
    (HumanBone::RightRingDistal, "rightRingDistal"),
    (HumanBone::RightLittleProximal, "rightLittleProximal"),
    (HumanBone::RightLittleIntermediate, "rightLittleIntermediate"),
    (HumanBone::RightLittleDistal, "rightLittleDistal"),
];

/// Names of VRM 0.x for bones that VRM 1.0 names differently. What 0.x calls proximal is the
/// metacarpal.
const THUMBS_0: [(HumanBone, &str); 4] = [
    (HumanBone::LeftThumbMetacarpal, "leftThumbProximal"),
    (HumanBone::LeftThumbProximal, "leftThumbIntermediate"),
    (HumanBone::RightThumbMetacarpal, "rightThumbProximal"),
    (HumanBone::RightThumbProximal, "rightThumbIntermediate"),
];

impl HumanBone {
    /// All bones.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        NAMES.iter().map(|(bone, _)| *bone)
    }

    /// The name in files of VRM 1.0, such as `leftUpperArm`.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(bone, _)| *bone == self).map_or("", |(_, name)| name)
    }

    /// The bone with a name of VRM 1.0.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, found)| *found == name).map(|(bone, _)| *bone)
    }

    /// The name in files of VRM 0.x.
    pub(super) fn name_0(self) -> &'static str {
        THUMBS_0.iter().find(|(bone, _)| *bone == self).map_or_else(|| self.name(), |(_, name)| name)
    }

    /// The bone with a name of VRM 0.x.
    pub(super) fn from_name_0(name: &str) -> Option<Self> {
        let thumb = THUMBS_0.iter().find(|(_, found)| *found == name).map(|(bone, _)| *bone);
        thumb.or_else(|| Self::from_name(name).filter(|bone| bone.name_0() == name))
    }
}

impl fmt::Display for HumanBone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_bones() {
        for bone in HumanBone::all() {
            assert_eq!(HumanBone::from_name(bone.name()), Some(bone));
            assert_eq!(HumanBone::from_name_0(bone.name_0()), Some(bone));
        }
        assert_eq!(HumanBone::from_name_0("leftThumbProximal"), Some(HumanBone::LeftThumbMetacarpal));
        assert_eq!(HumanBone::from_name_0("leftThumbMetacarpal"), None);
        assert_eq!(HumanBone::from_name("Hips"), None);
    }
}
