//! The order in which model matrices are computed.

use std::cmp::Reverse;

use sinew_kernels::{BLOCK, ProductPlan};

/// The fewest joints of a plan. All local matrices of fewer are computed at once in any case.
const MIN_JOINTS: usize = BLOCK + 1;

/// Cycles that a product of a plan takes if it waits for nothing.
const INDEPENDENT: usize = 4;

/// The same in the joints' own order, where each joint is checked.
const INDEPENDENT_CHECKED: usize = 7;

/// Cycles that a product takes if it waits for the one before it, whose result is in registers.
const AFTER_LAST: usize = 15;

/// Cycles until a product can use an earlier result through memory.
const THROUGH_MEMORY: usize = 32;

/// Cycles that writing all local matrices first, and reading them again, takes for a joint.
const SECOND_PASS: usize = 2;

/// A plan for a skeleton, or `None` where the joints' own order is as fast.
///
/// In a skeleton's own order most joints follow their parents, so that each product waits for the
/// one before it. In a plan neighbors are independent of each other. The cycles are estimates for a
/// recent CPU.
pub(super) fn product_plan(parents: &[u32]) -> Option<ProductPlan> {
    if !(MIN_JOINTS..=ProductPlan::MAX_JOINTS).contains(&parents.len()) {
        return None;
    }
    let follows = |joint: usize| joint.checked_sub(1) == Some(parents[joint] as usize);
    let own_cost =
        (0..parents.len()).map(|joint| if follows(joint) { AFTER_LAST } else { INDEPENDENT_CHECKED });
    let own_cost: usize = own_cost.sum();
    let heights = heights(parents);
    let mut order = Vec::with_capacity(parents.len());
    let mut cost = SECOND_PASS * parents.len();
    for first in (0..parents.len()).step_by(ProductPlan::SEGMENT) {
        let end = parents.len().min(first + ProductPlan::SEGMENT);
        cost += append_in_order(parents, &heights, first, end, &mut order);
    }
    (cost < own_cost).then(|| ProductPlan::new(parents, &order))
}

/// The longest chain of descendants of each joint.
fn heights(parents: &[u32]) -> Vec<usize> {
    let mut heights = vec![0; parents.len()];
    for joint in (0..parents.len()).rev() {
        let height = heights[joint] + 1;
        if let Some(parent) = heights[..joint].get_mut(parents[joint] as usize) {
            *parent = height.max(*parent);
        }
    }
    heights
}

/// Appends the joints from one to before another in the order in which they can begin, those with
/// the longest chain of descendants first. Returns the cycles.
fn append_in_order(
    parents: &[u32],
    heights: &[usize],
    first: usize,
    end: usize,
    order: &mut Vec<u32>,
) -> usize {
    // When each joint began.
    let mut begun: Vec<Option<usize>> = vec![None; end - first];
    let (mut now, mut last) = (0, None);
    for _ in first..end {
        let start = |joint: usize, begun: &[Option<usize>]| {
            let parent = parents[joint] as usize;
            if parent < first || parent >= joint {
                return Some(now);
            }
            let wait = if last == Some(parent) { AFTER_LAST } else { THROUGH_MEMORY };
            begun[parent - first].map(|begun| now.max(begun + wait))
        };
        let waiting = (first..end).filter(|&joint| begun[joint - first].is_none());
        let ready = waiting.filter_map(|joint| Some((start(joint, &begun)?, Reverse(heights[joint]), joint)));
        let Some((start, _, joint)) = ready.min() else { break };
        begun[joint - first] = Some(start);
        now = start + INDEPENDENT;
        last = Some(joint);
        order.push(joint as u32);
    }
    now
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
    fn a_plan_has_every_joint_once_after_its_parent() {
        let bush: Vec<u32> =
            (0..300).map(|joint: u32| if joint > 0 { joint / 3 } else { NO_PARENT }).collect();
        for parents in [body(8, 20), bush] {
            let plan = product_plan(&parents).expect("a shorter way");
            assert_eq!(plan.len(), parents.len());
            let mut done = vec![false; parents.len()];
            for joint in plan.joints() {
                let parent = parents[joint];
                assert!(parent == NO_PARENT || done[parent as usize], "{joint} before its parent");
                assert!(!std::mem::replace(&mut done[joint], true), "{joint} twice");
            }
        }
    }

    #[test]
    fn the_longest_of_several_chains_begins_first() {
        // A root with chains of two, eight and seven joints.
        let parents = [NO_PARENT, 0, 1, 0, 3, 4, 5, 6, 7, 8, 9, 0, 11, 12, 13, 14, 15, 16];
        let plan = product_plan(&parents).expect("a shorter way");
        let order: Vec<usize> = plan.joints().collect();
        assert_eq!(order[..2], [0, 3]);
    }

    #[test]
    fn chains_and_small_skeletons_keep_their_own_order() {
        assert!(product_plan(&[NO_PARENT]).is_none());
        assert!(product_plan(&[NO_PARENT, 0, 0, 0, 0, 0, 0, 0]).is_none());
        assert!(
            product_plan(&(0..100).map(|joint: u32| joint.wrapping_sub(1)).collect::<Vec<_>>()).is_none()
        );
    }
}
