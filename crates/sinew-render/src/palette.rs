//! A palette of few colors, chosen by median cut from all colors of some pictures.

/// The most colors of a palette. The last of a GIF's 256 stands for unchanged pixels.
pub(crate) const MAX_COLORS: usize = 255;

/// The bits of each channel that distinguish the bins of the histogram.
const BITS: u32 = 6;
/// The number of codes of a channel in a bin.
pub(crate) const BIN_SIZE: i32 = 1 << (8 - BITS);
const BIN_COUNT: usize = 1 << (3 * BITS);

/// A histogram of colors, binned by their upper bits.
#[derive(Clone, Debug)]
pub struct Histogram {
    counts: Vec<u64>,
    sums: Vec<[u64; 3]>,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; BIN_COUNT], sums: vec![[0; 3]; BIN_COUNT] }
    }
}

impl Histogram {
    /// Counts the colors of a picture.
    pub fn add(&mut self, pixels: &[[u8; 3]]) {
        for &pixel in pixels {
            let bin = bin(pixel);
            self.counts[bin] += 1;
            for (sum, code) in self.sums[bin].iter_mut().zip(pixel) {
                *sum += u64::from(code);
            }
        }
    }

    /// Chooses up to 255 colors. The result depends on the histogram alone.
    #[must_use]
    pub fn palette(&self) -> Palette {
        let used = (0..BIN_COUNT).filter(|&bin| self.counts[bin] > 0);
        let entries = used.map(|bin| Entry {
            color: self.sums[bin].map(|sum| ((sum + self.counts[bin] / 2) / self.counts[bin]) as u8),
            count: self.counts[bin],
        });
        let mut boxes = vec![entries.collect::<Vec<_>>()];
        while boxes.len() < MAX_COLORS {
            // The first box with the largest gain.
            let mut best = None;
            for (index, entries) in boxes.iter().enumerate() {
                let gain = split_gain(entries);
                if gain > best.map_or(0, |(_, most)| most) {
                    best = Some((index, gain));
                }
            }
            let Some((index, _)) = best else { break };
            let rest = split_at_median(&mut boxes[index]);
            boxes.push(rest);
        }
        Palette::new(
            boxes.iter().filter(|entries| !entries.is_empty()).map(|entries| mean(entries)).collect(),
        )
    }
}

/// The mean color of a bin, and how many pixels it has.
struct Entry {
    color: [u8; 3],
    count: u64,
}

/// The channel with the largest range, and that range.
fn widest_channel(entries: &[Entry]) -> (usize, u64) {
    let span = |channel: usize| {
        let codes = || entries.iter().map(|entry| entry.color[channel]);
        u64::from(codes().max().unwrap_or(0) - codes().min().unwrap_or(0))
    };
    let spans = [span(0), span(1), span(2)];
    let channel = (1..3).fold(0, |most, channel| if spans[channel] > spans[most] { channel } else { most });
    (channel, spans[channel])
}

/// The gain of splitting a box: its range squared times the square root of its pixel count. The
/// root keeps large uniform areas from taking all colors.
fn split_gain(entries: &[Entry]) -> u64 {
    let (_, span) = widest_channel(entries);
    let count: u64 = entries.iter().map(|entry| entry.count).sum();
    span * span * count.isqrt()
}

/// Splits a box at the median of its pixels and returns the upper part.
fn split_at_median(entries: &mut Vec<Entry>) -> Vec<Entry> {
    let (channel, _) = widest_channel(entries);
    entries.sort_by_key(|entry| (entry.color[channel], entry.color));
    let half = entries.iter().map(|entry| entry.count).sum::<u64>() / 2;
    let mut below = 0;
    let cut = entries.iter().position(|entry| {
        below += entry.count;
        below > half
    });
    let cut = cut.unwrap_or(0).clamp(1, entries.len() - 1);
    entries.split_off(cut)
}

fn mean(entries: &[Entry]) -> [u8; 3] {
    let all: u64 = entries.iter().map(|entry| entry.count).sum();
    [0, 1, 2].map(|channel| {
        let sum: u64 = entries.iter().map(|entry| entry.count * u64::from(entry.color[channel])).sum();
        ((sum + all / 2) / all) as u8
    })
}

/// A palette with a lookup of the nearest color.
#[derive(Clone, Debug)]
pub struct Palette {
    pub(crate) colors: Vec<[u8; 3]>,
    /// The nearest color of each bin, computed on first use.
    nearest: Vec<Option<u8>>,
}

impl Palette {
    fn new(colors: Vec<[u8; 3]>) -> Self {
        Self { colors, nearest: vec![None; BIN_COUNT] }
    }

    pub(crate) fn nearest(&mut self, pixel: [u8; 3]) -> u8 {
        let bin = bin(pixel);
        let colors = &self.colors;
        *self.nearest[bin].get_or_insert_with(|| {
            let bin_center = bin_center(bin);
            let distance = |color: &[u8; 3]| -> i32 {
                let [r, g, b] = [0, 1, 2].map(|i| i32::from(color[i]) - bin_center[i]);
                // The eye is most sensitive to green and least to blue.
                3 * r * r + 6 * g * g + b * b
            };
            let nearest = (0..colors.len()).min_by_key(|&index| (distance(&colors[index]), index));
            nearest.unwrap_or(0) as u8
        })
    }
}

fn bin([red, green, blue]: [u8; 3]) -> usize {
    let upper = |code: u8| usize::from(code >> (8 - BITS));
    upper(red) << (2 * BITS) | upper(green) << BITS | upper(blue)
}

/// The color at the center of a bin.
fn bin_center(bin: usize) -> [i32; 3] {
    let code = |shift: u32| ((bin >> shift & ((1 << BITS) - 1)) << (8 - BITS)) as i32 + (1 << (7 - BITS));
    [code(2 * BITS), code(BITS), code(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colors_are_kept_within_the_bin_size() {
        let pixels: Vec<[u8; 3]> = (0..200).map(|i| [i, 255 - i, 7]).collect();
        let mut histogram = Histogram::default();
        histogram.add(&pixels);
        let mut palette = histogram.palette();
        assert!(palette.colors.len() <= 200);
        for pixel in pixels {
            let index = palette.nearest(pixel);
            let near = palette.colors[index as usize];
            assert!((0..3).all(|i| near[i].abs_diff(pixel[i]) <= 4), "{pixel:?} {near:?}");
        }
    }

    #[test]
    fn many_colors_are_reduced_to_the_maximum() {
        let mut histogram = Histogram::default();
        let pixel = |i: u32| [i * 7 % 256, i * 13 % 256, i * 29 % 256].map(|code| code as u8);
        histogram.add(&(0..100_000).map(pixel).collect::<Vec<_>>());
        assert_eq!(histogram.palette().colors.len(), MAX_COLORS);
        assert_eq!(Histogram::default().palette().colors.len(), 0);
    }
}
