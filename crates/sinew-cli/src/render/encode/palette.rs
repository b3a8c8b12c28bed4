//! The colours of a picture that can have few: chosen by median cut from all that occur.

/// Colours at most: the last of 256 stands for pixels that stay as they are.
pub(super) const MOST: usize = 255;

/// Bits of each channel by which colours are told apart.
const BITS: u32 = 6;
const CELLS: usize = 1 << (3 * BITS);

/// How often colours occur, told apart by their upper bits.
pub(super) struct Histogram {
    counts: Vec<u64>,
    sums: Vec<[u64; 3]>,
}

impl Histogram {
    pub(super) fn new() -> Self {
        Self { counts: vec![0; CELLS], sums: vec![[0; 3]; CELLS] }
    }

    pub(super) fn add(&mut self, pixels: &[[u8; 3]]) {
        for &pixel in pixels {
            let cell = cell(pixel);
            self.counts[cell] += 1;
            for (sum, code) in self.sums[cell].iter_mut().zip(pixel) {
                *sum += u64::from(code);
            }
        }
    }

    /// Up to [`MOST`] colours, in an order that depends on nothing else.
    pub(super) fn palette(&self) -> Palette {
        let used = (0..CELLS).filter(|&cell| self.counts[cell] > 0);
        let entries = used.map(|cell| Entry {
            colour: self.sums[cell].map(|sum| ((sum + self.counts[cell] / 2) / self.counts[cell]) as u8),
            count: self.counts[cell],
        });
        let mut boxes = vec![entries.collect::<Vec<_>>()];
        while boxes.len() < MOST {
            // The first of those whose widest side weighs the most.
            let mut widest = None;
            for (index, entries) in boxes.iter().enumerate() {
                let weight = weight(entries);
                if weight > widest.map_or(0, |(_, most)| most) {
                    widest = Some((index, weight));
                }
            }
            let Some((index, _)) = widest else { break };
            let rest = halve(&mut boxes[index]);
            boxes.push(rest);
        }
        Palette::new(
            boxes.iter().filter(|entries| !entries.is_empty()).map(|entries| mean(entries)).collect(),
        )
    }
}

struct Entry {
    colour: [u8; 3],
    count: u64,
}

/// The channel that differs the most, and by how much.
fn widest(entries: &[Entry]) -> (usize, u64) {
    let span = |channel: usize| {
        let codes = || entries.iter().map(|entry| entry.colour[channel]);
        u64::from(codes().max().unwrap_or(0) - codes().min().unwrap_or(0))
    };
    let spans = [span(0), span(1), span(2)];
    let channel = (1..3).fold(0, |most, channel| if spans[channel] > spans[most] { channel } else { most });
    (channel, spans[channel])
}

/// How much there is to gain from cutting a box: its span squared, by the root of how often its colours occur, so that
/// flat ground does not take all colours.
fn weight(entries: &[Entry]) -> u64 {
    let (_, span) = widest(entries);
    let count: u64 = entries.iter().map(|entry| entry.count).sum();
    span * span * count.isqrt()
}

/// Cuts a box where half of its pixels are to either side, and gives the upper part.
fn halve(entries: &mut Vec<Entry>) -> Vec<Entry> {
    let (channel, _) = widest(entries);
    entries.sort_by_key(|entry| (entry.colour[channel], entry.colour));
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
        let sum: u64 = entries.iter().map(|entry| entry.count * u64::from(entry.colour[channel])).sum();
        ((sum + all / 2) / all) as u8
    })
}

/// Few colours, and the nearest of them to any other.
pub(super) struct Palette {
    pub(super) colours: Vec<[u8; 3]>,
    /// For each cell the nearest colour, once it was asked for.
    nearest: Vec<Option<u8>>,
}

impl Palette {
    fn new(colours: Vec<[u8; 3]>) -> Self {
        Self { colours, nearest: vec![None; CELLS] }
    }

    pub(super) fn nearest(&mut self, pixel: [u8; 3]) -> u8 {
        let cell = cell(pixel);
        let colours = &self.colours;
        *self.nearest[cell].get_or_insert_with(|| {
            let middle = middle(cell);
            let distance = |colour: &[u8; 3]| -> i32 {
                let [r, g, b] = [0, 1, 2].map(|i| i32::from(colour[i]) - middle[i]);
                // Eyes tell green best and blue least.
                3 * r * r + 6 * g * g + b * b
            };
            let nearest = (0..colours.len()).min_by_key(|&index| (distance(&colours[index]), index));
            nearest.unwrap_or(0) as u8
        })
    }
}

fn cell([red, green, blue]: [u8; 3]) -> usize {
    let upper = |code: u8| usize::from(code >> (8 - BITS));
    upper(red) << (2 * BITS) | upper(green) << BITS | upper(blue)
}

/// The middle of a cell.
fn middle(cell: usize) -> [i32; 3] {
    let code = |shift: u32| ((cell >> shift & ((1 << BITS) - 1)) << (8 - BITS)) as i32 + (1 << (7 - BITS));
    [code(2 * BITS), code(BITS), code(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_stay_as_they_are() {
        let pixels: Vec<[u8; 3]> = (0..200).map(|i| [i, 255 - i, 7]).collect();
        let mut histogram = Histogram::new();
        histogram.add(&pixels);
        let mut palette = histogram.palette();
        assert!(palette.colours.len() <= 200);
        for pixel in pixels {
            let index = palette.nearest(pixel);
            let near = palette.colours[index as usize];
            assert!((0..3).all(|i| near[i].abs_diff(pixel[i]) <= 4), "{pixel:?} {near:?}");
        }
    }

    #[test]
    fn many_colours_become_few() {
        let mut histogram = Histogram::new();
        let pixel = |i: u32| [i * 7 % 256, i * 13 % 256, i * 29 % 256].map(|code| code as u8);
        histogram.add(&(0..100_000).map(pixel).collect::<Vec<_>>());
        assert_eq!(histogram.palette().colours.len(), MOST);
        assert_eq!(Histogram::new().palette().colours.len(), 0);
    }
}
