//! Words over the scene: the names of joints, and what was clicked.

use eframe::egui::{Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Vec2, pos2};

use crate::draw::{Columns, seen};
use crate::settings::{Layer, Settings};
use crate::show::Show;

/// Where a point of the scene is on the screen.
fn on_screen(clip_from_world: &Columns, scene: Rect, point: [f32; 3]) -> Option<Pos2> {
    let [x, y] = seen(clip_from_world, point)?;
    let at = pos2(scene.center().x + 0.5 * x * scene.width(), scene.center().y - 0.5 * y * scene.height());
    scene.contains(at).then_some(at)
}

/// The names of the joints of the copy that is nearest; those that would lie over others are left out.
pub fn names(painter: &Painter, scene: Rect, settings: &Settings, show: &Show) {
    if !settings.shown.has(Layer::Names) {
        return;
    }
    let clip_from_world = show.view.clip_from_world(scene.width() / scene.height().max(1.0));
    let mut taken: Vec<Rect> = Vec::new();
    for (joint, place) in show.joint_places(nearest(show)).into_iter().enumerate() {
        let Some(at) = on_screen(&clip_from_world, scene, place) else { continue };
        let chosen = settings.joint == Some(joint);
        let text = show.subject.model.skeleton().name(joint).to_owned();
        let colour = if chosen { Color32::from_rgb(255, 120, 90) } else { Color32::from_rgb(255, 226, 150) };
        let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), colour);
        let rect = Align2::LEFT_CENTER.anchor_size(at + Vec2::new(7.0, 0.0), galley.size()).expand(1.0);
        if !chosen && taken.iter().any(|other| other.intersects(rect)) {
            continue;
        }
        painter.rect_filled(
            rect.expand2(Vec2::new(2.0, 0.0)),
            CornerRadius::same(3),
            Color32::from_black_alpha(150),
        );
        painter.galley(rect.min, galley, colour);
        painter.circle_filled(at, 2.0, colour);
        taken.push(rect);
    }
}

/// What the last click met, beside the place.
pub fn hit(painter: &Painter, scene: Rect, show: &Show) {
    let Some(hit) = &show.hit else { return };
    let clip_from_world = show.view.clip_from_world(scene.width() / scene.height().max(1.0));
    let copy = if show.copies() > 1 { format!(" of copy {}", hit.copy + 1) } else { String::new() };
    let text = format!("triangle {}{copy}, joint {}", hit.triangle, hit.joint_name);
    let (font, white) = (FontId::proportional(12.5), Color32::WHITE);
    let galley = painter.layout_no_wrap(text, font, white);
    let bottom = scene.center_bottom() - Vec2::new(0.0, 14.0);
    let rect = Align2::CENTER_BOTTOM.anchor_size(bottom, galley.size());
    painter.rect_filled(
        rect.expand2(Vec2::new(8.0, 5.0)),
        CornerRadius::same(5),
        Color32::from_black_alpha(170),
    );
    painter.galley(rect.min, galley, white);
    if let Some(at) = on_screen(&clip_from_world, scene, hit.point) {
        painter.circle_stroke(at, 6.0, (1.5, Color32::from_rgb(255, 80, 70)));
    }
}

fn nearest(show: &Show) -> usize {
    let eye = show.view.eye();
    let away = |offset: [f32; 3]| (0..3).map(|i| (offset[i] - eye[i]).powi(2)).sum::<f32>();
    let far = show.grid.copies.iter().map(|copy| away(copy.offset)).enumerate();
    far.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(copy, _)| copy)
}
