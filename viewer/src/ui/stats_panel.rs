//! The panel of timings: animating and skinning, all stages, the table of methods, the threads.

use eframe::egui::{self, RichText, Ui};

use super::control_panel::heading;
use super::plot::{STAGES, format_short, plot};
use super::thread_profile::thread_profile;
use crate::draw::GlKind;
use crate::figure_15::{Figure15, TableLine};
use crate::methods::MethodKind;
use crate::session::Session;
use crate::settings::{Settings, Weights};
use crate::stats::Stats;

/// All timings.
pub fn stats_panel(
    ui: &mut Ui,
    (stats, table): (&Stats, &Figure15),
    settings: &Settings,
    (session, gl): (&Session, GlKind),
) {
    ui.add_space(4.0);
    egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        pipeline_time(ui, stats, settings);
        plot(ui, stats);
        stages(ui, stats, session);
        figure_15(ui, table, settings, gl);
        table_note(ui);
        thread_profile(ui, settings, session);
    });
}

/// What sinew is about, as the largest number: how long animating and skinning take.
fn pipeline_time(ui: &mut Ui, stats: &Stats, settings: &Settings) {
    let (time, what) = time_label(stats, settings);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(time).size(28.0).strong());
        ui.label(what);
    });
    let drawn = format!("{} frames/s drawn", format_short(stats.frames_per_second()));
    ui.weak(if settings.drawing { drawn } else { "not drawn: timed as sinew bench does".to_owned() });
}

/// The time of animating and skinning, and what it covers.
#[must_use]
pub fn time_label(stats: &Stats, settings: &Settings) -> (String, &'static str) {
    let seconds = stats.median(|stages| stages.pipeline.total);
    let what = match settings.method {
        MethodKind::Gpu => "to animate; the shader skins while it draws",
        _ => "to animate and skin",
    };
    (format_time(seconds), what)
}

/// A time with three significant digits, in microseconds below a millisecond.
fn format_time(seconds: f64) -> String {
    match 1e3 * seconds {
        ms if ms >= 0.9995 => format!("{} ms", format_short(ms)),
        ms => format!("{} \u{b5}s", format_short(1e3 * ms)),
    }
}

fn stages(ui: &mut Ui, stats: &Stats, session: &Session) {
    egui::Grid::new("stages").num_columns(3).spacing([8.0, 2.0]).min_col_width(10.0).show(ui, |ui| {
        for (name, color, seconds) in STAGES {
            let (square, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), egui::Sense::hover());
            ui.painter().rect_filled(square, egui::CornerRadius::same(2), color);
            ui.label(name);
            ui.monospace(format!("{:>6} ms", format_short(1e3 * stats.median(seconds))));
            ui.end_row();
        }
    });
    let vertices = session.subject.vertices() * session.copies();
    let skin = stats.median(|stages| stages.pipeline.skin);
    if skin > 0.0 && vertices > 0 {
        let each = 1e9 * skin / vertices as f64;
        ui.weak(format!("{} ns per vertex, {} vertices", format_short(each), group_thousands(vertices)));
    }
}

fn figure_15(ui: &mut Ui, table: &Figure15, settings: &Settings, gl: GlKind) {
    heading(ui, "Figure 15: frames/s, animate and skin");
    ui.weak(if table.lines().is_empty() { "measuring…" } else { table.scene() });
    let grid = egui::Grid::new("figure 15").num_columns(7).striped(true);
    let grid = grid.spacing([5.0, 2.0]).min_col_width(22.0);
    // Long names of methods make the table wider than the panel.
    egui::ScrollArea::horizontal().id_salt("figure 15 scroll").show(ui, |ui| {
        grid.show(ui, |ui| {
            for head in ["weights", "1", "2", "3", "4", "varying", "paper"] {
                ui.weak(RichText::new(head).size(11.0));
            }
            ui.end_row();
            for table_line in table.lines() {
                method_line(ui, table_line, settings, gl);
                ui.end_row();
            }
        });
    });
}

fn method_line(ui: &mut Ui, line: &TableLine, settings: &Settings, gl: GlKind) {
    let text = RichText::new(line.label(gl)).size(11.5);
    let running = line.method == settings.method
        && line.threads == settings.threads
        && line.isa.is_none_or(|isa| isa == settings.backend.name());
    ui.label(if running { text.strong() } else { text });
    for (weights, frames) in Weights::ALL.into_iter().zip(line.frames_per_second) {
        let text = frames.map_or("\u{2013}".to_owned(), format_rate);
        let text = RichText::new(text).monospace().size(11.5);
        ui.label(if running && weights == settings.weights { text.strong() } else { text });
    }
    ui.weak(line.published(gl).map_or(String::new(), |frames| frames.to_string()));
}

/// Frames per second; thousands as k, so that the table stays narrow.
fn format_rate(frames: f64) -> String {
    if frames < 9999.5 { format!("{frames:.0}") } else { format!("{}k", format_short(1e-3 * frames)) }
}

fn table_note(ui: &mut Ui) {
    ui.add_space(4.0);
    let text = "A method enters the table when it runs. The paper's frame rates are from a 3.0 GHz Pentium 4 \
                and include drawing, as does the vertex shader's here.";
    ui.label(RichText::new(text).weak().small());
}

/// Formats an integer with thin spaces between groups of three digits.
fn group_thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202F}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_rates_have_three_digits() {
        let times = [2.5e-3, 0.9996e-3, 31.24e-6, 0.85e-6].map(format_time);
        assert_eq!(times, ["2.50 ms", "1.00 ms", "31.2 \u{b5}s", "0.850 \u{b5}s"]);
        assert_eq!([98.4, 9999.0, 32_100.0].map(format_rate), ["98", "9999", "32.1k"]);
    }
}
