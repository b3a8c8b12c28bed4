//! Davies' Figure 15, filled in as methods are tried: frames per second by method and number of weights.

use crate::methods::{Family, Kind};
use crate::settings::{Settings, Threads};

/// What was measured so far, of one scene.
#[derive(Clone, Debug, Default)]
pub struct Figure15 {
    scene: String,
    rows: Vec<Row>,
}

/// A method's line.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Whose frames they are.
    pub kind: Kind,
    /// On which row, where the method has rows.
    pub isa: Option<&'static str>,
    /// How the work was shared.
    pub threads: Threads,
    /// For one to four weights.
    pub frames_per_second: [Option<f64>; 4],
}

impl Figure15 {
    /// Takes what one more frame says. Another scene begins another table.
    pub fn note(&mut self, scene: &str, settings: &Settings, frames_per_second: f64) {
        if self.scene != scene {
            scene.clone_into(&mut self.scene);
            self.rows.clear();
        }
        let key = Row::new(settings);
        let place = self.rows.iter().position(|row| row.is_like(&key)).unwrap_or_else(|| {
            self.rows.push(key);
            self.rows.len() - 1
        });
        let cell = settings.weights.clamp(1, 4) - 1;
        self.rows[place].frames_per_second[cell] = Some(frames_per_second);
        self.rows.sort_by_key(Row::order);
    }

    /// What is measured, in words.
    #[must_use]
    pub fn scene(&self) -> &str {
        &self.scene
    }

    /// The lines, in the order in which methods are shown.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}

impl Row {
    fn new(settings: &Settings) -> Self {
        Self {
            kind: settings.kind,
            isa: settings.kind.has_rows().then(|| settings.row.name()),
            threads: settings.threads,
            frames_per_second: [None; 4],
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        (self.kind, self.isa, self.threads) == (other.kind, other.isa, other.threads)
    }

    fn order(&self) -> (usize, usize, usize) {
        let kind = crate::methods::KINDS.iter().position(|&kind| kind == self.kind);
        let isa = sinew::backend::NAMES.iter().position(|name| Some(*name) == self.isa);
        (kind.unwrap_or_default(), isa.unwrap_or_default(), self.threads as usize)
    }

    /// The method, with its row and threads.
    #[must_use]
    pub fn label(&self) -> String {
        let family = match self.kind.family() {
            Family::Davies => "Davies ",
            Family::Blended | Family::Weighted => "",
            Family::Sinew => "sinew ",
            Family::Gpu => "GPU ",
        };
        let isa = self.isa.map_or(String::new(), |isa| format!(" {isa}"));
        let threads = match self.threads {
            Threads::Off => String::new(),
            threads => format!(", {}", threads.name()),
        };
        format!("{family}{}{isa}{threads}", self.kind.table_label())
    }

    /// What the paper has in its place, drawing included.
    #[must_use]
    pub fn published(&self) -> Option<u32> {
        match self.kind {
            Kind::Standard => Some(45),
            Kind::Gathered => Some(82),
            Kind::Friendly => Some(98),
            Kind::Gpu => Some(146),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_keeps_its_line_and_another_scene_begins_anew() {
        let (mut table, mut settings) = (Figure15::default(), Settings::default());
        settings.weights = 2;
        table.note("64 cylinders", &settings, 100.0);
        settings.weights = 4;
        table.note("64 cylinders", &settings, 50.0);
        settings.kind = Kind::Standard;
        table.note("64 cylinders", &settings, 10.0);
        let cells: Vec<_> = table.rows().iter().map(|row| row.frames_per_second).collect();
        assert_eq!(cells, [[None, None, None, Some(10.0)], [None, Some(100.0), None, Some(50.0)]]);
        assert_eq!(table.rows()[0].published(), Some(45));
        table.note("8 figures", &settings, 1.0);
        assert_eq!(table.rows().len(), 1);
    }
}
