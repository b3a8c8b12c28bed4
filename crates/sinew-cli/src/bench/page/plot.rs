//! Bar charts as SVG.

use super::super::text::format_short;
use super::escape;

/// The x coordinate at which bars start.
const LEFT: f64 = 230.0;
/// The length of the longest bar.
const LONGEST: f64 = 720.0;
/// The width of the chart.
const WIDTH: f64 = 1120.0;

const BAR: f64 = 17.0;
const HEADING: f64 = 26.0;
const AXIS: f64 = 46.0;

/// Groups of bars along one axis from zero.
pub(super) struct Chart {
    pub(super) title: String,
    /// The label of the axis, with its unit.
    pub(super) axis: String,
    pub(super) groups: Vec<Group>,
    /// The CSS class and the name of each segment of stacked bars.
    pub(super) legend: Vec<(&'static str, String)>,
}

/// Bars under a heading.
pub(super) struct Group {
    pub(super) label: String,
    pub(super) bars: Vec<Bar>,
}

/// One bar with one or more segments.
pub(super) struct Bar {
    pub(super) label: String,
    /// The CSS class of each segment, which selects its color, and its length.
    pub(super) segments: Vec<(&'static str, f64)>,
    /// The interquartile range, relative to the length.
    pub(super) spread: f64,
    /// The text after the length.
    pub(super) note: String,
}

impl Bar {
    fn len(&self) -> f64 {
        self.segments.iter().map(|segment| segment.1).sum()
    }
}

impl Chart {
    /// The chart as an SVG element.
    pub(super) fn svg(&self) -> String {
        let bars: usize = self.groups.iter().map(|group| group.bars.len()).sum();
        let legend = if self.legend.is_empty() { 0.0 } else { HEADING };
        let inner = legend + HEADING * self.groups.len() as f64 + BAR * bars as f64;
        let height = inner + AXIS;
        let longest = self.groups.iter().flat_map(|group| &group.bars).map(Bar::len).fold(0.0, f64::max);
        let step = tick_step(longest);
        let most = (longest / step).ceil().max(1.0) * step;
        let scale = LONGEST / most;
        let mut svg = format!(
            "<figure><figcaption>{}</figcaption>\n<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             aria-label=\"{}\">\n",
            escape(&self.title),
            escape(&self.title)
        );
        svg += &self.axis_lines(step, most, scale, inner);
        let mut y = legend;
        svg += &self.legend_text();
        for group in &self.groups {
            svg += &format!(
                "<text class=\"group\" x=\"0\" y=\"{}\">{}</text>\n",
                y + 18.0,
                escape(&group.label)
            );
            y += HEADING;
            for bar in &group.bars {
                svg += &bar.svg(y, scale);
                y += BAR;
            }
        }
        svg + "</svg></figure>\n"
    }

    fn axis_lines(&self, step: f64, most: f64, scale: f64, inner: f64) -> String {
        let mut lines = String::new();
        let mut tick = 0.0;
        while tick <= most * 1.001 {
            let x = LEFT + tick * scale;
            lines += &format!(
                "<line class=\"grid\" x1=\"{x:.1}\" y1=\"0\" x2=\"{x:.1}\" y2=\"{inner:.1}\"/>\
                 <text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>\n",
                inner + 16.0,
                format_tick(tick)
            );
            tick += step;
        }
        lines
            + &format!(
                "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                LEFT + LONGEST / 2.0,
                inner + 36.0,
                escape(&self.axis)
            )
    }

    fn legend_text(&self) -> String {
        let mut text = String::new();
        for (i, (class, name)) in self.legend.iter().enumerate() {
            let x = LEFT + 130.0 * i as f64;
            text += &format!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"4\" width=\"14\" height=\"14\"/>\
                 <text x=\"{}\" y=\"16\">{}</text>\n",
                x + 20.0,
                escape(name)
            );
        }
        text
    }
}

impl Bar {
    fn svg(&self, y: f64, scale: f64) -> String {
        let mut svg = format!(
            "<text class=\"label\" x=\"{}\" y=\"{}\">{}</text>",
            LEFT - 8.0,
            y + 12.0,
            escape(&self.label)
        );
        let mut x = LEFT;
        for (class, value) in &self.segments {
            let width = value * scale;
            svg += &format!(
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"13\"/>",
                y + 1.0
            );
            x += width;
        }
        let half = (self.spread * self.len() * scale / 2.0).min(LONGEST);
        if half > 0.5 {
            let (from, to) = ((x - half).max(LEFT), (x + half).min(LEFT + LONGEST));
            let middle = y + 7.5;
            svg += &format!(
                "<line class=\"spread\" x1=\"{from:.1}\" y1=\"{middle}\" x2=\"{to:.1}\" y2=\"{middle}\"/>"
            );
            x = x.max(to);
        }
        svg + &format!(
            "<text x=\"{:.1}\" y=\"{}\">{} <tspan class=\"note\">{}</tspan></text>\n",
            x + 6.0,
            y + 12.0,
            format_short(self.len()),
            escape(&self.note)
        )
    }
}

/// The distance between ticks: 1, 2 or 5 times a power of ten, so that there are about six.
fn tick_step(longest: f64) -> f64 {
    if longest <= 0.0 || !longest.is_finite() {
        return 1.0;
    }
    let raw = longest / 6.0;
    let power = 10.0_f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= raw).unwrap_or(10.0);
    factor * power
}

/// Formats a tick without trailing zeros.
fn format_tick(tick: f64) -> String {
    let text = format!("{tick:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_numbers() {
        for (longest, expected) in [(6.0, 1.0), (100.0, 20.0), (1857.0, 500.0), (0.3, 0.05), (0.0, 1.0)] {
            assert!((tick_step(longest) - expected).abs() < 1e-9, "{longest}: {}", tick_step(longest));
        }
        assert_eq!(format_tick(0.0), "0");
        assert_eq!(format_tick(2.5), "2.5");
    }

    #[test]
    fn a_chart_names_its_axis_and_every_bar() {
        let bar = Bar {
            label: "a<b".to_owned(),
            segments: vec![("sinew", 2.0)],
            spread: 0.1,
            note: "note".to_owned(),
        };
        let group = Group { label: "group".to_owned(), bars: vec![bar] };
        let chart = Chart {
            title: "title".to_owned(),
            axis: "cycles".to_owned(),
            groups: vec![group],
            legend: Vec::new(),
        };
        let svg = chart.svg();
        assert!(
            ["title", "cycles", "group", "a&lt;b", "2.00", "note"].iter().all(|text| svg.contains(text)),
            "{svg}"
        );
    }
}
