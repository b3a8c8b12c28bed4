//! A subset of the clips, so that several machines can share the bake of one model.

use std::str::FromStr;

/// The clips whose number modulo `count` is `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// Whether the shard contains the clip with this number, counted from 0.
    pub(super) fn contains(self, clip: usize) -> bool {
        clip % self.count == self.index
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    /// Parses `I/N`. N counts as 0, so that N shards contain each clip once, whether they are
    /// counted from 0 or from 1.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected I/N with N above zero and I from 0 to N";
        let (index, count) = text.split_once('/').ok_or(EXPECTED)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| EXPECTED);
        let (index, count) = (number(index)?, number(count)?);
        if count == 0 || index > count {
            return Err(EXPECTED);
        }
        Ok(Self { index: index % count, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_contain_each_clip_once_counted_from_zero_or_one() {
        for count in 1..6 {
            for first in [0, 1] {
                let shards: Vec<Shard> = (first..first + count)
                    .map(|index| format!("{index}/{count}").parse().expect("a valid shard"))
                    .collect();
                for clip in 0..20 {
                    assert_eq!(shards.iter().filter(|shard| shard.contains(clip)).count(), 1);
                }
            }
        }
    }

    #[test]
    fn invalid_shards_are_rejected() {
        for text in ["", "1", "1/0", "0/0", "3/2", "a/2", "1/b", "-1/2", "1/2/3", "/"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
