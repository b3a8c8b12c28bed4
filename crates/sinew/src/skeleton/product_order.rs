//! The order in which model matrices are computed.

use sinew_kernels::JointList;

use crate::math::sort::sort_by_key;

/// The fewest joints. The products of fewer are a short part of a frame, and the stages before and
/// after fill the time that they wait.
const MIN_JOINTS: usize = 32;

/// The most joints whose matrices are computed in another order than their own. More would not stay
/// in the L1 cache from one pass to the next.
const MAX_JOINTS: usize = 512;

/// Cycles that a product takes if it waits for the one before it, whose result is in registers.
const AFTER_LAST: usize = 15;

/// Cycles from a level to the next, through memory.
const LEVEL: usize = 24;

/// Cycles that a product takes if it waits for nothing.
const INDEPENDENT: usize = 6;

/// Cycles that writing all local matrices first, and reading them again, takes for a joint.
const SECOND_PASS: usize = 1;

/// The order by depth, or `None` where the joints' own order is as fast.
///
/// In a skeleton's own order most joints follow their parents, so that each product waits for the
/// one before it. By depth, neighbors are independent of each other. The costs are estimates for a
/// recent CPU.
pub(super) fn product_order(parents: &[u32]) -> Option<JointList> {
    let mut depths = Vec::<usize>::with_capacity(parents.len());
    // The number of joints of each depth.
    let mut widths = Vec::new();
    let mut own_cost = 0;
    for (joint, &parent) in parents.iter().enumerate() {
        let parent = parent as usize;
        let depth = depths.get(parent).map_or(0, |depth| depth + 1);
        if depth == widths.len() {
            widths.push(0);
        }
        widths[depth] += 1;
        depths.push(depth);
        own_cost += if joint.checked_sub(1) == Some(parent) { AFTER_LAST } else { INDEPENDENT };
    }
    let mut cost = SECOND_PASS * parents.len();
    for (depth, &width) in widths.iter().enumerate() {
        let waits = if width == 1 && depth > 0 && widths[depth - 1] == 1 { AFTER_LAST } else { LEVEL };
        cost += waits.max(INDEPENDENT * width);
    }
    if cost >= own_cost || !(MIN_JOINTS..=MAX_JOINTS).contains(&parents.len()) {
        return None;
    }
    let mut order: Vec<u32> = (0..parents.len() as u32).collect();
    sort_by_key(&mut order, |&joint| depths[joint as usize] as u64);
    Some(order.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_kernels::NO_PARENT;

    /// A spine with two limbs of `limb` joints on it.
    fn body(spine: u32, limb: u32) -> Vec<u32> {
        let first = [spine, spine + limb];
        let limbs = (spine..spine + 2 * limb).map(|joint| if first.contains(&joint) { 1 } else { joint - 1 });
        [NO_PARENT].into_iter().chain(0..spine - 1).chain(limbs).collect()
    }

    #[test]
    fn an_order_by_depth_has_every_joint_once_after_its_parent() {
        let parents = body(8, 20);
        let order = product_order(&parents).expect("a shorter way by depth");
        assert_eq!(order.indices().len(), parents.len());
        let mut done = vec![false; parents.len()];
        for &joint in order.indices() {
            let parent = parents[joint as usize];
            assert!(parent == NO_PARENT || done[parent as usize], "{joint} before its parent");
            assert!(!std::mem::replace(&mut done[joint as usize], true), "{joint} twice");
        }
    }

    #[test]
    fn chains_and_small_and_large_skeletons_keep_their_own_order() {
        assert!(product_order(&[NO_PARENT]).is_none());
        assert!(
            product_order(&(0..100).map(|joint: u32| joint.wrapping_sub(1)).collect::<Vec<_>>()).is_none()
        );
        assert!(product_order(&body(8, 11)).is_none());
        assert!(product_order(&body(8, 500)).is_none());
    }
}
