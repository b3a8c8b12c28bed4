//! The statistics panel on the right: frame rate, stages, and the table of methods.

use eframe::egui::{self, RichText, Ui};

use super::control_panel::heading;
use super::plot::{STAGES, format_short, plot};
use crate::figure_15::{Figure15, TableLine};
use crate::session::Session;
use crate::settings::Settings;
use crate::stats::Stats;

/// All statistics.
pub fn stats_panel(ui: &mut Ui, stats: &Stats, table: &Figure15, settings: &Settings, session: &Session) {
    ui.add_space(4.0);
    egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        frame_rate(ui, stats, settings);
        plot(ui, stats);
        stages(ui, stats, session);
        figure_15(ui, table, settings);
        table_note(ui);
    });
}

fn frame_rate(ui: &mut Ui, stats: &Stats, settings: &Settings) {
    let total = stats.median(|stages| stages.pipeline.total);
    ui.horizontal(|ui| {
        let (number, unit) = if settings.drawing {
            (stats.frames_per_second(), "frames/s")
        } else {
            (if total > 0.0 { 1.0 / total } else { 0.0 }, "frames/s, not drawn")
        };
        ui.label(RichText::new(format_short(number)).size(26.0).strong());
        ui.label(unit);
    });
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

fn figure_15(ui: &mut Ui, table: &Figure15, settings: &Settings) {
    heading(ui, "Figure 15: frames/s, animate and skin");
    ui.weak(if table.lines().is_empty() { "measuring…" } else { table.scene() });
    let grid = egui::Grid::new("figure 15").num_columns(6).striped(true);
    grid.spacing([7.0, 2.0]).min_col_width(24.0).show(ui, |ui| {
        for head in ["weights", "1", "2", "3", "4", "paper"] {
            ui.weak(head);
        }
        ui.end_row();
        for table_line in table.lines() {
            method_line(ui, table_line, settings);
            ui.end_row();
        }
    });
}

fn method_line(ui: &mut Ui, line: &TableLine, settings: &Settings) {
    let text = RichText::new(line.label()).size(11.5);
    let running = line.method == settings.method
        && line.threads == settings.threads
        && line.isa.is_none_or(|isa| isa == settings.backend.name());
    ui.label(if running { text.strong() } else { text });
    for (column, frames) in line.frames_per_second.iter().enumerate() {
        let text = frames.map_or("\u{2013}".to_owned(), |frames| format!("{frames:.0}"));
        let text = RichText::new(text).monospace();
        ui.label(if running && column + 1 == settings.weights { text.strong() } else { text });
    }
    ui.weak(line.published().map_or(String::new(), |frames| frames.to_string()));
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
