//! Davies' Figure 15, filled in as methods run: frames per second by method and number of weights.

use crate::draw::GlKind;
use crate::methods::{Family, MethodKind};
use crate::settings::{Settings, Threads, Weights};

/// The measurements of one scene.
#[derive(Clone, Debug, Default)]
pub struct Figure15 {
    scene: String,
    lines: Vec<TableLine>,
}

/// The measurements of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct TableLine {
    /// The method.
    pub method: MethodKind,
    /// The instruction set, for methods that have a choice.
    pub isa: Option<&'static str>,
    /// How the work was split over threads.
    pub threads: Threads,
    /// Frames per second, one for each of [`Weights::ALL`].
    pub frames_per_second: [Option<f64>; Weights::ALL.len()],
}

impl Figure15 {
    /// Records the frame rate of the current method. A different scene starts a new table.
    pub fn record(&mut self, scene: &str, settings: &Settings, frames_per_second: f64) {
        if self.scene != scene {
            scene.clone_into(&mut self.scene);
            self.lines.clear();
        }
        let key = TableLine::new(settings);
        let index = self.lines.iter().position(|line| line.same_method(&key)).unwrap_or_else(|| {
            self.lines.push(key);
            self.lines.len() - 1
        });
        let column = Weights::ALL.iter().position(|&weights| weights == settings.weights);
        self.lines[index].frames_per_second[column.unwrap_or_default()] = Some(frames_per_second);
        self.lines.sort_by_key(TableLine::order);
    }

    /// Description of the measured scene.
    #[must_use]
    pub fn scene(&self) -> &str {
        &self.scene
    }

    /// The lines of the table, in the order in which the controls list the methods.
    #[must_use]
    pub fn lines(&self) -> &[TableLine] {
        &self.lines
    }
}

impl TableLine {
    fn new(settings: &Settings) -> Self {
        Self {
            method: settings.method,
            isa: settings.method.has_isa_choice().then(|| settings.backend.name()),
            threads: settings.threads,
            frames_per_second: [None; Weights::ALL.len()],
        }
    }

    fn same_method(&self, other: &Self) -> bool {
        (self.method, self.isa, self.threads) == (other.method, other.isa, other.threads)
    }

    fn order(&self) -> (usize, usize, usize) {
        let method = MethodKind::ALL.iter().position(|&method| method == self.method);
        let isa = sinew::runtime::backend::NAMES.iter().position(|name| Some(*name) == self.isa);
        (method.unwrap_or_default(), isa.unwrap_or_default(), self.threads as usize)
    }

    /// The method with its instruction set and threads.
    #[must_use]
    pub fn label(&self, gl: GlKind) -> String {
        let family = match self.method.family() {
            Family::Davies => "Davies ",
            Family::Blended | Family::Weighted => "",
            Family::Sinew => "sinew ",
            Family::Gpu => gl.table_label(),
        };
        let isa = self.isa.map_or(String::new(), |isa| format!(" {isa}"));
        let threads = match self.threads {
            Threads::Off => String::new(),
            threads => format!(", {}", threads.name()),
        };
        format!("{family}{}{isa}{threads}", self.method.table_label())
    }

    /// The frame rate that the paper reports for this method, including drawing.
    #[must_use]
    pub fn published(&self, gl: GlKind) -> Option<u32> {
        match self.method {
            MethodKind::Standard => Some(45),
            MethodKind::Gathered => Some(82),
            MethodKind::Friendly => Some(98),
            MethodKind::Gpu => Some(gl.published()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_keeps_its_line_and_another_scene_starts_a_new_table() {
        let (mut table, mut settings) = (Figure15::default(), Settings::default());
        settings.weights = Weights::AtMost(2);
        table.record("64 cylinders", &settings, 100.0);
        settings.weights = Weights::Varying;
        table.record("64 cylinders", &settings, 50.0);
        settings.method = MethodKind::Standard;
        table.record("64 cylinders", &settings, 10.0);
        let cells: Vec<_> = table.lines().iter().map(|line| line.frames_per_second).collect();
        assert_eq!(
            cells,
            [[None, None, None, None, Some(10.0)], [None, Some(100.0), None, None, Some(50.0)],]
        );
        assert_eq!(table.lines()[0].published(GlKind::Hardware), Some(45));
        let shader = TableLine { method: MethodKind::Gpu, ..table.lines()[0].clone() };
        let published = [GlKind::Hardware, GlKind::Software].map(|gl| shader.published(gl));
        assert_eq!(published, [Some(146), Some(41)]);
        table.record("8 figures", &settings, 1.0);
        assert_eq!(table.lines().len(), 1);
    }
}
