//! The figures: frames per second, stages, and the table of methods.

use eframe::egui::{self, RichText, Ui};

use super::left::heading;
use super::plot::{STAGES, plot, short};
use crate::figure_15::{Figure15, Row};
use crate::settings::Settings;
use crate::show::Show;
use crate::stats::Stats;

/// All of them, one below the other.
pub fn figures(ui: &mut Ui, stats: &Stats, table: &Figure15, settings: &Settings, show: &Show) {
    ui.add_space(4.0);
    egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        pace(ui, stats, settings);
        plot(ui, stats);
        stages(ui, stats, show);
        figure_15(ui, table, settings);
        machine(ui);
    });
}

fn pace(ui: &mut Ui, stats: &Stats, settings: &Settings) {
    let both = stats.median(|stages| stages.crew.both);
    ui.horizontal(|ui| {
        let (number, unit) = if settings.drawing {
            (stats.frames_per_second(), "frames/s")
        } else {
            (if both > 0.0 { 1.0 / both } else { 0.0 }, "frames/s, not drawn")
        };
        ui.label(RichText::new(short(number)).size(26.0).strong());
        ui.label(unit);
    });
}

fn stages(ui: &mut Ui, stats: &Stats, show: &Show) {
    egui::Grid::new("stages").num_columns(3).spacing([8.0, 2.0]).min_col_width(10.0).show(ui, |ui| {
        for (name, colour, seconds) in STAGES {
            let (square, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), egui::Sense::hover());
            ui.painter().rect_filled(square, egui::CornerRadius::same(2), colour);
            ui.label(name);
            ui.monospace(format!("{:>6} ms", short(1e3 * stats.median(seconds))));
            ui.end_row();
        }
    });
    let vertices = show.subject.vertices() * show.copies();
    let skin = stats.median(|stages| stages.crew.skin);
    if skin > 0.0 && vertices > 0 {
        let each = 1e9 * skin / vertices as f64;
        ui.weak(format!("{} ns for each of {} vertices", short(each), grouped(vertices)));
    }
}

fn figure_15(ui: &mut Ui, table: &Figure15, settings: &Settings) {
    heading(ui, "Figure 15: frames/s of animate and skin");
    ui.weak(if table.rows().is_empty() { "measuring ..." } else { table.scene() });
    let grid = egui::Grid::new("figure 15").num_columns(6).striped(true);
    grid.spacing([7.0, 2.0]).min_col_width(24.0).show(ui, |ui| {
        for head in ["weights", "1", "2", "3", "4", "paper"] {
            ui.weak(head);
        }
        ui.end_row();
        for row in table.rows() {
            line(ui, row, settings);
            ui.end_row();
        }
    });
}

fn line(ui: &mut Ui, row: &Row, settings: &Settings) {
    let text = RichText::new(row.label()).size(11.5);
    let running = row.kind == settings.kind
        && row.threads == settings.threads
        && row.isa.is_none_or(|isa| isa == settings.row.name());
    ui.label(if running { text.strong() } else { text });
    for (cell, frames) in row.frames_per_second.iter().enumerate() {
        let text = frames.map_or("\u{2013}".to_owned(), |frames| format!("{frames:.0}"));
        let text = RichText::new(text).monospace();
        ui.label(if running && cell + 1 == settings.weights { text.strong() } else { text });
    }
    ui.weak(row.published().map_or(String::new(), |frames| frames.to_string()));
}

fn machine(ui: &mut Ui) {
    ui.add_space(4.0);
    let text = "Methods fill the table as they are tried. The paper's frames are those of a Pentium 4 of 3.0 GHz, \
                with drawing; so are the shader's here.";
    ui.label(RichText::new(text).weak().small());
}

/// Thousands apart.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push('\u{202F}');
        }
        text.push(digit);
    }
    text
}
