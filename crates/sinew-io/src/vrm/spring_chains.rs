//! The chains of joints of springs.

use sinew::{JointId, Skeleton};

use super::vrm::{Vrm, VrmSpring, VrmSpringJoint, VrmVersion};

/// The most joints that all chains of a file may have together: chains of VRM 0.x overlap.
const MAX_JOINTS: usize = 1 << 20;

impl Vrm {
    /// The springs as chains of joints, each joint below the one before it, with the index of its
    /// spring.
    ///
    /// Springs of VRM 1.0 are chains; joints that are not below the one before them are left out.
    /// In VRM 0.x, the whole subtree of a joint swings, also joints without children: a chain goes
    /// on to the first child of each joint, and another begins with each further child.
    #[must_use]
    pub fn spring_chains(&self, skeleton: &Skeleton) -> Vec<(usize, Vec<VrmSpringJoint>)> {
        let mut chains = Vec::new();
        let (mut joints, children) = (0, children(skeleton));
        for (index, spring) in self.springs.iter().enumerate() {
            match self.version {
                // The last joint of a chain does not swing.
                VrmVersion::V1 => {
                    let chain = chain(spring, skeleton);
                    chains.extend((chain.len() > 1).then_some((index, chain)));
                }
                VrmVersion::V0 => {
                    for root in &spring.joints {
                        for chain in subtree_chains(root, &children) {
                            joints += chain.len();
                            chains.push((index, chain));
                        }
                        if joints > MAX_JOINTS {
                            return chains;
                        }
                    }
                }
            }
        }
        chains
    }
}

fn chain(spring: &VrmSpring, skeleton: &Skeleton) -> Vec<VrmSpringJoint> {
    let mut chain: Vec<VrmSpringJoint> = Vec::with_capacity(spring.joints.len());
    for joint in spring.joints.iter().filter(|joint| joint.joint.index() < skeleton.len()) {
        if chain.last().is_none_or(|last| is_below(joint.joint, last.joint, skeleton)) {
            chain.push(*joint);
        }
    }
    chain
}

/// Whether a joint is a descendant of another. Parents come before their children.
fn is_below(joint: JointId, ancestor: JointId, skeleton: &Skeleton) -> bool {
    let mut next = skeleton.parent(joint);
    while let Some(found) = next.filter(|&found| found >= ancestor) {
        if found == ancestor {
            return true;
        }
        next = skeleton.parent(found);
    }
    false
}

/// The children of each joint, in ascending order.
fn children(skeleton: &Skeleton) -> Vec<Vec<JointId>> {
    let mut children = vec![Vec::new(); skeleton.len()];
    for joint in skeleton.joints() {
        if let Some(parent) = skeleton.parent(joint) {
            children[parent.index()].push(joint);
        }
    }
    children
}

/// The chains of a joint's subtree: one from the joint along first children, and one from each
/// further child.
fn subtree_chains(root: &VrmSpringJoint, children: &[Vec<JointId>]) -> Vec<Vec<VrmSpringJoint>> {
    let mut chains = Vec::new();
    let mut starts = vec![root.joint];
    while let Some(start) = starts.pop() {
        let (mut chain, mut next) = (Vec::new(), Some(start));
        while let Some(joint) = next {
            chain.push(VrmSpringJoint { joint, ..*root });
            let own = children.get(joint.index()).map_or(&[][..], |own| own);
            next = own.first().copied();
            starts.extend(own.iter().skip(1).rev());
        }
        chains.push(chain);
    }
    chains
}
