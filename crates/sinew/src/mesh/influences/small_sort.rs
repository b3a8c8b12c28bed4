//! Sorts few keys without branches: random joints and weights would mispredict most of them.

/// The comparisons that sort four keys.
const FOUR: [(usize, usize); 5] = [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)];
/// The comparisons that sort eight keys, by Batcher's odd-even merge sort.
const EIGHT: [(usize, usize); 19] = [
    (0, 1),
    (2, 3),
    (4, 5),
    (6, 7),
    (0, 2),
    (1, 3),
    (4, 6),
    (5, 7),
    (1, 2),
    (5, 6),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
    (2, 4),
    (3, 5),
    (1, 2),
    (3, 4),
    (5, 6),
];

/// Sorts four or eight keys, ascending.
#[inline(always)]
pub(crate) fn sort_few<const N: usize, T: Ord + Copy>(keys: &mut [T; N]) {
    const { assert!(N == 4 || N == 8, "there are networks for these") };
    let network: &[(usize, usize)] = if N == 4 { &FOUR } else { &EIGHT };
    for &(a, b) in network {
        let (first, second) = (keys[a], keys[b]);
        keys[a] = first.min(second);
        keys[b] = first.max(second);
    }
}

/// Memory for the keys of a vertex in ascending order.
pub(crate) struct Ascending<T> {
    few: [T; 8],
    many: Vec<T>,
    last: T,
}

impl<T: Ord + Copy> Ascending<T> {
    /// No keys. `last` is not below any key.
    pub(crate) fn new(last: T) -> Self {
        Self { few: [last; 8], many: Vec::new(), last }
    }

    /// Sorts keys.
    #[inline]
    pub(crate) fn sort(&mut self, keys: impl ExactSizeIterator<Item = T>) -> &[T] {
        let len = keys.len();
        match len {
            0..=4 => self.few[..4].copy_from_slice(&sorted::<4, T>(keys, self.last)),
            5..=8 => self.few = sorted(keys, self.last),
            _ => {
                self.many.clear();
                self.many.extend(keys);
                self.many.sort_unstable();
                return &self.many;
            }
        }
        &self.few[..len]
    }
}

#[inline(always)]
fn sorted<const N: usize, T: Ord + Copy>(keys: impl Iterator<Item = T>, last: T) -> [T; N] {
    let mut sorted = [last; N];
    for (to, key) in sorted.iter_mut().zip(keys) {
        *to = key;
    }
    sort_few(&mut sorted);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_of_zeros_and_ones_is_sorted() {
        // A network that sorts all of these sorts everything.
        fn check<const N: usize>() {
            for bits in 0..1_u32 << N {
                let mut keys: [u32; N] = std::array::from_fn(|i| bits >> i & 1);
                sort_few(&mut keys);
                assert!(keys.is_sorted() && keys.iter().sum::<u32>() == bits.count_ones(), "{bits:b}");
            }
        }
        check::<4>();
        check::<8>();
    }
}
