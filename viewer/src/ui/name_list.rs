//! A list of names to choose from: buttons if there are few, a search field and a scrolling list if
//! there are many.

use eframe::egui::{self, Button, Id, ScrollArea, TextEdit, Ui};

use super::controls::Controls;

/// More names than this get a search field.
const FEW: usize = 4;
/// Height of the scrolling list.
const HEIGHT: f32 = 112.0;

/// A labeled list whose controls are named `control:NAME`, and `search:control` for its search
/// field. A click on the chosen name of the list `second` chooses none.
pub(super) fn name_list(
    ui: &mut Ui,
    controls: &mut Controls,
    (label, control): (&str, &str),
    names: &[&str],
    chosen: &mut Option<String>,
) {
    if names.len() <= FEW {
        ui.horizontal_wrapped(|ui| {
            ui.label(label);
            names.iter().for_each(|name| button(ui, controls, (control, name), chosen));
        });
        return;
    }
    let id = Id::unique(("search", control));
    let mut wanted: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        ui.label(label);
        let hint = format!("search {} clips", names.len());
        let field = TextEdit::singleline(&mut wanted).hint_text(hint).desired_width(ui.available_width());
        controls.record(format!("search:{control}"), ui.add(field));
    });
    let found: Vec<&&str> = names.iter().filter(|name| matches(name, &wanted)).collect();
    ui.data_mut(|data| data.insert_temp(id, wanted));
    egui::Frame::group(ui.style()).inner_margin(3.0).show(ui, |ui| {
        ScrollArea::vertical().id_salt(control).max_height(HEIGHT).auto_shrink([false, true]).show(
            ui,
            |ui| {
                if found.is_empty() {
                    ui.weak("no clip has this in its name");
                }
                found.iter().for_each(|name| button(ui, controls, (control, name), chosen));
            },
        );
    });
}

/// Whether a name has all words in it, in any order and case.
fn matches(name: &str, wanted: &str) -> bool {
    let name = name.to_lowercase();
    wanted.to_lowercase().split_whitespace().all(|word| name.contains(word))
}

fn button(ui: &mut Ui, controls: &mut Controls, (control, name): (&str, &str), chosen: &mut Option<String>) {
    let is = chosen.as_deref() == Some(name);
    let shown = if name.is_empty() { "(no name)" } else { name };
    let response = ui.add(Button::selectable(is, shown).wrap());
    if controls.record(format!("{control}:{name}"), response).clicked() {
        *chosen = if is && control == "second" { None } else { Some(name.to_owned()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_matches_words_in_any_order_and_case() {
        for wanted in ["", "walk", "WALK back", "wards walk"] {
            assert!(matches("Walking_Backwards", wanted), "{wanted}");
        }
        assert!(!matches("Walking_Backwards", "walk run"));
    }
}
