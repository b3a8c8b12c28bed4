//! Colours that tell joints apart, and much from little: linear red, green and blue.

/// A colour of a joint's own: hues a golden section apart, in three shades.
#[must_use]
pub fn joint_colour(joint: usize) -> [f32; 3] {
    const GOLDEN: f32 = 0.618_034;
    let turns = joint as f32 * GOLDEN;
    let hue = 6.0 * (turns - turns.floor());
    let (low, high) = [(0.09, 0.75), (0.20, 0.80), (0.06, 0.50)][joint % 3];
    [0.0, 4.0, 2.0].map(|offset| {
        // Up over one part of six, there for two, down over one, away for two.
        let place = hue + offset;
        let place = if place >= 6.0 { place - 6.0 } else { place };
        let share = ((place - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        low + (high - low) * share
    })
}

/// A colour for each share of the most, from 0, as cool as can be, to 1.
#[must_use]
pub fn heat_colour(share: f32) -> [f32; 3] {
    const STOPS: [[f32; 3]; 5] =
        [[0.10, 0.16, 0.32], [0.12, 0.38, 0.55], [0.75, 0.72, 0.30], [0.90, 0.38, 0.08], [0.65, 0.04, 0.04]];
    let place = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let stop = (place as usize).min(STOPS.len() - 2);
    let part = place - stop as f32;
    [0, 1, 2].map(|i| STOPS[stop][i] + (STOPS[stop + 1][i] - STOPS[stop][i]) * part)
}
