//! Color maps, in linear RGB: one color per joint, and a heat map.

/// A distinct color for each joint. Successive hues differ by the golden ratio, in three shades.
#[must_use]
pub fn joint_color(joint: usize) -> [f32; 3] {
    const GOLDEN: f32 = 0.618_034;
    let turns = joint as f32 * GOLDEN;
    let hue = 6.0 * (turns - turns.floor());
    let (low, high) = [(0.09, 0.75), (0.20, 0.80), (0.06, 0.50)][joint % 3];
    [0.0, 4.0, 2.0].map(|offset| {
        // HSV hue to RGB: over six sectors a channel rises for one, stays high for two, falls for
        // one and stays low for two.
        let sector = hue + offset;
        let sector = if sector >= 6.0 { sector - 6.0 } else { sector };
        let level = ((sector - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        low + (high - low) * level
    })
}

/// The heat map: a color for a value from 0 (cold) to 1 (hot). Values are clamped to that range.
#[must_use]
pub fn heat_color(value: f32) -> [f32; 3] {
    const STOPS: [[f32; 3]; 5] =
        [[0.10, 0.16, 0.32], [0.12, 0.38, 0.55], [0.75, 0.72, 0.30], [0.90, 0.38, 0.08], [0.65, 0.04, 0.04]];
    let position = value.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let stop = (position as usize).min(STOPS.len() - 2);
    let t = position - stop as f32;
    [0, 1, 2].map(|i| STOPS[stop][i] + (STOPS[stop + 1][i] - STOPS[stop][i]) * t)
}
