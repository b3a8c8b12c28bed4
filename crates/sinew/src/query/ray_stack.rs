//! The stack of a ray's traversal: children in the order in which the ray enters them.
//!
//! Whether a ray enters a child, and which child comes first, is close to random, so a branch on
//! either is often mispredicted. Here four children are sorted and pushed without branches.

use super::aabb4::WIDTH;
use super::bvh_topology::{MAX_DEPTH, MAX_LEAF_TRIANGLES};

/// Three waiting children per level, leaves included, and four that are pushed at once.
const CAPACITY: usize = (WIDTH - 1) * (MAX_DEPTH + 1) + WIDTH;

/// Bits of a key below the entry distance: an index of 32 bits and a length of 3.
const INDEX_BITS: u32 = 32;
const CHILD_BITS: u32 = INDEX_BITS + 3;
/// Bits of an entry distance that a key has no room for: the sign is always zero, and 29 remain.
const DROPPED_BITS: u32 = 31 - (u64::BITS - CHILD_BITS);
const _: () = assert!(MAX_LEAF_TRIANGLES < 8);

/// Children to visit; the next one is last.
pub(super) struct RayStack {
    keys: [u64; CAPACITY],
    len: usize,
}

/// A child that a ray enters.
pub(super) struct Child {
    /// The entry distance, rounded down.
    pub(super) entry: f32,
    /// Index of the node, or first triangle of the leaf in leaf order.
    pub(super) first: usize,
    /// Number of triangles in the leaf; zero for a node.
    pub(super) len: usize,
}

impl RayStack {
    pub(super) fn empty() -> Self {
        Self { keys: [0; CAPACITY], len: 0 }
    }

    /// Pushes the children whose entry distance is not NaN, the farthest first. Distances are not
    /// negative, and no child is node 0.
    #[inline(always)]
    pub(super) fn push_entered(&mut self, entries: &[f32; WIDTH], first: &[u32; WIDTH], len: &[u32; WIDTH]) {
        let mut keys = [0; WIDTH];
        for lane in 0..WIDTH {
            let key = key(entries[lane], first[lane], len[lane]);
            let is_entered = !entries[lane].is_nan();
            // A key is never zero, so zeros come last.
            keys[lane] = if is_entered { key } else { 0 };
        }
        let [a, b, c, d] = keys;
        let entered = keys.iter().map(|&key| usize::from(key != 0)).sum::<usize>();
        let ((a, b), (c, d)) = (larger_first(a, b), larger_first(c, d));
        let ((a, c), (b, d)) = (larger_first(a, c), larger_first(b, d));
        let (b, c) = larger_first(b, c);
        self.keys[self.len..self.len + WIDTH].copy_from_slice(&[a, b, c, d]);
        self.len += entered;
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Child> {
        self.len = self.len.checked_sub(1)?;
        let key = self.keys[self.len];
        Some(Child {
            entry: f32::from_bits(((key >> CHILD_BITS) as u32) << DROPPED_BITS),
            first: key as u32 as usize,
            len: (key >> INDEX_BITS) as usize & 7,
        })
    }
}

/// A number that is larger the later the ray enters a child: the bits of a float that is not
/// negative are in the order of its values.
#[inline(always)]
fn key(entry: f32, first: u32, len: u32) -> u64 {
    // Adding zero turns -0 into +0.
    let entry = u64::from((entry + 0.0).to_bits() >> DROPPED_BITS);
    entry << CHILD_BITS | u64::from(len) << INDEX_BITS | u64::from(first)
}

#[inline(always)]
fn larger_first(a: u64, b: u64) -> (u64, u64) {
    (a.max(b), a.min(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn popped(stack: &mut RayStack) -> Vec<(f32, usize, usize)> {
        let next = |stack: &mut RayStack| stack.pop().map(|child| (child.entry, child.first, child.len));
        std::iter::from_fn(|| next(stack)).collect()
    }

    #[test]
    fn entered_children_are_popped_from_the_nearest_to_the_farthest() {
        let choices = [f32::NAN, 0.0, 0.5, 1.5, 1e30, f32::INFINITY];
        for number in 0..choices.len().pow(4) {
            let entries: [f32; 4] =
                std::array::from_fn(|lane| choices[number / choices.len().pow(lane as u32) % choices.len()]);
            let (first, len) = ([u32::MAX, 7, 1, 0], [0, 1, 0, 4]);
            let mut expected: Vec<(f32, usize, usize)> = (0..4)
                .map(|lane| (entries[lane], first[lane] as usize, len[lane] as usize))
                .filter(|(entry, ..)| !entry.is_nan())
                .collect();
            let by_entry = |a: &(f32, usize, usize), b: &(f32, usize, usize)| {
                a.0.total_cmp(&b.0).then((a.2, a.1).cmp(&(b.2, b.1)))
            };
            expected.sort_by(by_entry);
            let mut stack = RayStack::empty();
            stack.push_entered(&entries, &first, &len);
            let found = popped(&mut stack);
            assert_eq!(found.len(), expected.len(), "{entries:?}");
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!((found.1, found.2), (expected.1, expected.2), "{entries:?}");
                assert!(found.0 <= expected.0, "{found:?} rounds {expected:?} up");
                assert!(found.0 >= expected.0 * 0.999_999 || expected.0 == 0.0, "{found:?} {expected:?}");
            }
        }
    }

    #[test]
    fn the_deepest_bvh_fits() {
        let mut stack = RayStack::empty();
        for level in 0..=MAX_DEPTH {
            stack.push_entered(&[1.0; 4], &[1; 4], &[0; 4]);
            assert!(stack.pop().is_some(), "level {level}");
        }
        stack.push_entered(&[1.0; 4], &[1; 4], &[1; 4]);
    }
}
