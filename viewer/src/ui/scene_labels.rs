//! Text over the scene: joint names, and the last click.

use eframe::egui::{Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Vec2, pos2};
use sinew::JointId;

use crate::draw::{Mat4, project_point};
use crate::session::Session;
use crate::settings::{Layer, Settings};

/// Position of a point of the scene on the screen.
fn to_screen(clip_from_world: &Mat4, scene: Rect, point: [f32; 3]) -> Option<Pos2> {
    let [x, y] = project_point(clip_from_world, point)?;
    let at = pos2(scene.center().x + 0.5 * x * scene.width(), scene.center().y - 0.5 * y * scene.height());
    scene.contains(at).then_some(at)
}

/// Joint names of the nearest copy. Labels that would overlap others are left out.
pub fn joint_names(painter: &Painter, scene: Rect, settings: &Settings, session: &Session) {
    if !settings.layers.contains(Layer::Names) {
        return;
    }
    let clip_from_world = session.camera.clip_from_world(scene.width() / scene.height().max(1.0));
    let mut occupied: Vec<Rect> = Vec::new();
    for (joint, position) in session.joint_positions(nearest_copy(session)).into_iter().enumerate() {
        let Some(at) = to_screen(&clip_from_world, scene, position) else { continue };
        let chosen = settings.joint == Some(joint);
        let text = session.subject.model.skeleton().name(JointId::new(joint)).to_owned();
        let color = if chosen { Color32::from_rgb(255, 120, 90) } else { Color32::from_rgb(255, 226, 150) };
        let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), color);
        let rect = Align2::LEFT_CENTER.anchor_size(at + Vec2::new(7.0, 0.0), galley.size()).expand(1.0);
        if !chosen && occupied.iter().any(|other| other.intersects(rect)) {
            continue;
        }
        painter.rect_filled(
            rect.expand2(Vec2::new(2.0, 0.0)),
            CornerRadius::same(3),
            Color32::from_black_alpha(150),
        );
        painter.galley(rect.min, galley, color);
        painter.circle_filled(at, 2.0, color);
        occupied.push(rect);
    }
}

/// A description of the last hit.
pub fn hit_label(painter: &Painter, scene: Rect, session: &Session) {
    let Some(hit) = &session.hit else { return };
    let clip_from_world = session.camera.clip_from_world(scene.width() / scene.height().max(1.0));
    let copy = if session.copies() > 1 { format!(" of copy {}", hit.copy + 1) } else { String::new() };
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
    if let Some(at) = to_screen(&clip_from_world, scene, hit.point) {
        painter.circle_stroke(at, 6.0, (1.5, Color32::from_rgb(255, 80, 70)));
    }
}

/// The time of animating and skinning, in a corner of the scene: shown while the panel of timings
/// is closed.
pub fn scene_time(painter: &Painter, scene: Rect, (time, what): (&str, &str), color: Color32) {
    let at = scene.left_top() + Vec2::new(10.0, 8.0);
    let shown = painter.text(at, Align2::LEFT_TOP, time, FontId::proportional(26.0), color);
    painter.text(shown.left_bottom(), Align2::LEFT_TOP, what, FontId::proportional(13.0), color);
}

fn nearest_copy(session: &Session) -> usize {
    let eye = session.camera.eye();
    let distance_squared = |offset: [f32; 3]| (0..3).map(|i| (offset[i] - eye[i]).powi(2)).sum::<f32>();
    let distances = session.grid.copies.iter().map(|copy| distance_squared(copy.offset)).enumerate();
    distances.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(copy, _)| copy)
}
