//! Errors of spring bones.

use std::{error, fmt};

use crate::skeleton::JointName;

/// Why spring bones were rejected: where, what was expected and what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringError {
    /// Where the fault is.
    pub place: SpringPlace,
    /// The fault.
    pub fault: SpringFault,
}

/// A place in a [`SpringSource`](super::SpringSource), by indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpringPlace {
    /// A collider.
    Collider(usize),
    /// A group of colliders.
    ColliderGroup(usize),
    /// A chain.
    Spring(usize),
    /// A joint of a chain.
    Joint {
        /// The chain.
        spring: usize,
        /// The index in the chain.
        joint: usize,
    },
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SpringFault {
    /// A joint that the skeleton does not have.
    NoSuchJoint {
        /// What the joint is there for.
        what: &'static str,
        /// The joint's index.
        joint: usize,
        /// The number of joints.
        len: usize,
    },
    /// An index of a collider or of a group that is not there.
    NoSuchIndex {
        /// What the index is.
        what: &'static str,
        /// The index.
        index: usize,
        /// The number of such things.
        len: usize,
    },
    /// A number that is not finite, or out of its range.
    BadNumber {
        /// What the number is.
        what: &'static str,
        /// What was expected.
        expected: &'static str,
        /// The number.
        found: f32,
    },
    /// A joint that is not below the joint before it in the chain, as in a chain with a cycle.
    NotDescendant {
        /// The joint.
        joint: JointName,
        /// The joint before it.
        ancestor: JointName,
    },
    /// A joint that another chain rotates already.
    Duplicate {
        /// The joint.
        joint: JointName,
        /// Where it is rotated first.
        first: SpringPlace,
    },
    /// A chain without a bone to swing.
    TooFewJoints {
        /// The number that is needed.
        expected: usize,
        /// The number of joints.
        found: usize,
    },
    /// Spring bones of another skeleton.
    OtherSkeleton {
        /// The number of joints of the skeleton that they were built for.
        expected: usize,
        /// The number of joints of the skeleton.
        found: usize,
    },
}

impl fmt::Display for SpringPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collider(index) => write!(f, "colliders[{index}]"),
            Self::ColliderGroup(index) => write!(f, "collider_groups[{index}]"),
            Self::Spring(index) => write!(f, "springs[{index}]"),
            Self::Joint { spring, joint } => write!(f, "springs[{spring}].joints[{joint}]"),
        }
    }
}

impl fmt::Display for SpringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, fault } = self;
        match fault {
            SpringFault::NoSuchJoint { what, joint, len } => {
                write!(f, "{place}: expected a {what} below {len}, found joint {joint}")
            }
            SpringFault::NoSuchIndex { what, index, len } => {
                write!(f, "{place}: expected a {what} below {len}, found {index}")
            }
            SpringFault::BadNumber { what, expected, found } => {
                write!(f, "{place}, {what}: expected {expected}, found {found:?}")
            }
            SpringFault::NotDescendant { joint, ancestor } => {
                write!(f, "{place}: expected a joint below {ancestor}, found {joint}")
            }
            SpringFault::Duplicate { joint, first } => {
                write!(f, "{place}: expected a joint that no other chain rotates, found {joint} of {first}")
            }
            SpringFault::TooFewJoints { expected, found } => {
                write!(f, "{place}: expected at least {expected} joints, found {found}")
            }
            SpringFault::OtherSkeleton { expected, found } => write!(
                f,
                "spring bones: expected the skeleton of {expected} joints that they were built for, found \
                 another one of {found}"
            ),
        }
    }
}

impl error::Error for SpringError {}
