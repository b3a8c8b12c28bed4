//! Joint ids: a joint of a skeleton and a joint of a skin have different types.

use std::fmt;

/// A joint of a skeleton: an index below [`Skeleton::len`](super::Skeleton::len).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointId(u32);

/// A joint of a skin: an index into the skin's list of joints, below
/// [`Skin::len`](super::Skin::len). Vertex influences refer to these.
/// [`Skin::joint`](super::Skin::joint) returns the skeleton's joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SkinJoint(u32);

macro_rules! joint_index {
    ($($name:ident)*) => {
        $(impl $name {
            /// The joint with this index. Functions that take the id check that the joint exists.
            #[must_use]
            pub const fn new(index: usize) -> Self {
                // `u32::MAX` is never a valid joint: a skeleton has at most `u32::MAX` joints.
                if index < u32::MAX as usize { Self(index as u32) } else { Self(u32::MAX) }
            }

            /// The index.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        })*
    };
}

joint_index!(JointId SkinJoint);
