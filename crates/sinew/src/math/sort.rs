//! A stable sort with little machine code.

/// Sorts items by a key. Items of the same key keep their order.
///
/// Each closure that a sort of the standard library is given makes 3 to 6 KB of code. Here, only
/// keys are sorted, so one copy serves all. It allocates: for what is built once, not for frames.
pub(crate) fn sort_by_key<T>(items: &mut [T], mut key: impl FnMut(&T) -> u64) {
    let mut order: Vec<(u64, usize)> =
        items.iter().enumerate().map(|(index, item)| (key(item), index)).collect();
    sort_keys(&mut order);
    for position in 0..items.len() {
        // An item that was in the way was swapped to where the one before it came from.
        let mut from = order[position].1;
        while from < position {
            from = order[from].1;
        }
        order[position].1 = from;
        items.swap(position, from);
    }
}

/// Sorts items; equal ones in any order. A heap takes longer than the standard library's sort, but
/// is far less code: for short lists, and those that are sorted already.
pub(crate) fn heap_sort<T>(items: &mut [T], less: impl Fn(&T, &T) -> bool) {
    if items.is_sorted_by(|a, b| !less(b, a)) {
        return;
    }
    // The items before it have not been compared with their children yet.
    let mut unordered = items.len() / 2;
    let mut len = items.len();
    while len > 1 {
        if unordered > 0 {
            unordered -= 1;
        } else {
            len -= 1;
            items.swap(0, len);
        }
        let (heap, mut parent) = (&mut items[..len], unordered);
        loop {
            let mut child = 2 * parent + 1;
            if child + 1 < len && less(&heap[child], &heap[child + 1]) {
                child += 1;
            }
            if child >= len || !less(&heap[parent], &heap[child]) {
                break;
            }
            heap.swap(parent, child);
            parent = child;
        }
    }
}

/// Sorts few items by a key. Items of the same key keep their order.
pub(crate) fn sort_few_by_key<T>(items: &mut [T], key: impl Fn(&T) -> u64) {
    if items.len() > FEW {
        return sort_by_key(items, key);
    }
    for sorted in 1..items.len() {
        let mut position = sorted;
        while position > 0 && key(&items[position]) < key(&items[position - 1]) {
            items.swap(position, position - 1);
            position -= 1;
        }
    }
}

/// As many items are sorted without memory of their own.
const FEW: usize = 20;

/// The key of a number in the order of [`f32::total_cmp`].
pub(crate) fn f32_key(number: f32) -> u64 {
    let bits = number.to_bits();
    u64::from(if bits >> 31 == 0 { bits | 1 << 31 } else { !bits })
}

#[inline(never)]
fn sort_keys(order: &mut [(u64, usize)]) {
    order.sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_stable_sort_of_the_standard_library() {
        let mut state = 1_u64;
        for len in 0..200 {
            let mut items: Vec<(u64, usize)> = (0..len)
                .map(|index| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    // Few keys at first, then ever fewer duplicates.
                    ((state >> 40) % (1 + len as u64 / 3), index)
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by_key(&mut items, |item| item.0);
            assert_eq!(items, expected);
        }
    }

    #[test]
    fn other_sorts_give_the_same() {
        let mut state = 1_u64;
        for len in 0..200 {
            let mut items: Vec<(u64, usize)> = (0..len)
                .map(|index| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    ((state >> 40) % (1 + len as u64 / 3), index)
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            let mut heap = items.clone();
            heap_sort(&mut heap, |a, b| a < b);
            assert_eq!(heap, expected);
            sort_few_by_key(&mut items, |item| item.0);
            assert_eq!(items, expected);
        }
    }

    #[test]
    fn keys_of_numbers_are_in_total_order() {
        let numbers = [
            -f32::NAN,
            f32::NEG_INFINITY,
            -1.0,
            -f32::MIN_POSITIVE,
            -0.0,
            0.0,
            f32::MIN_POSITIVE,
            1.0,
            f32::INFINITY,
            f32::NAN,
        ];
        for pair in numbers.windows(2) {
            assert!(pair[0].total_cmp(&pair[1]).is_lt());
            assert!(f32_key(pair[0]) < f32_key(pair[1]), "{pair:?}");
        }
    }
}
