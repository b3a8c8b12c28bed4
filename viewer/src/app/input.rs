//! Camera control by mouse, fingers and keyboard.

use eframe::egui::{self, Context, Key, PointerButton, Rect, Ui, ViewportCommand};

use super::Viewer;

impl Viewer {
    pub(super) fn handle_mouse(&mut self, ui: &Ui, rect: Rect, response: &egui::Response) {
        if self.handle_fingers(ui, rect) {
            return;
        }
        let camera = &mut self.session.camera;
        let delta = response.drag_delta() / rect.height().max(1.0);
        let shifted = ui.input(|input| input.modifiers.shift);
        if response.dragged_by(PointerButton::Primary) && !shifted {
            camera.orbit(-4.0 * delta.x, 4.0 * delta.y);
        } else if response.dragged() {
            camera.pan(-delta.x, delta.y);
        }
        if response.hovered() {
            let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            camera.zoom((-0.002 * wheel).exp() / pinch.max(1e-3));
        }
        if let (true, Some(at)) = (response.clicked(), response.interact_pointer_pos()) {
            let position = [
                2.0 * (at.x - rect.center().x) / rect.width().max(1.0),
                -2.0 * (at.y - rect.center().y) / rect.height().max(1.0),
            ];
            self.session.click(rect.width() / rect.height().max(1.0), position);
        }
    }

    /// Two fingers zoom and move the view. Returns whether there are two.
    fn handle_fingers(&mut self, ui: &Ui, rect: Rect) -> bool {
        let Some(fingers) = ui.input(|input| input.multi_touch()) else { return false };
        if !rect.contains(fingers.center_pos) {
            return false;
        }
        let moved = fingers.translation_delta / rect.height().max(1.0);
        self.session.camera.zoom(1.0 / fingers.zoom_delta.clamp(0.1, 10.0));
        self.session.camera.pan(-moved.x, moved.y);
        true
    }

    pub(super) fn handle_keys(&mut self, context: &Context) {
        let presses = |key: Key| context.input(|input| input.num_presses(key)) as f32;
        self.open.help ^= presses(Key::F1) % 2.0 > 0.0;
        self.open.window ^= presses(Key::F2) % 2.0 > 0.0;
        let quit = egui::KeyboardShortcut::new(egui::Modifiers::COMMAND, Key::Q);
        if context.input_mut(|input| input.consume_shortcut(&quit)) {
            context.send_viewport_cmd(ViewportCommand::Close);
        }
        if context.memory(|memory| memory.focused().is_some()) {
            return;
        }
        let camera = &mut self.session.camera;
        let step = |less: Key, more: Key| 0.08 * (presses(more) - presses(less));
        camera.orbit(step(Key::ArrowRight, Key::ArrowLeft), step(Key::ArrowDown, Key::ArrowUp));
        camera.zoom(step(Key::PageUp, Key::PageDown).exp());
        self.settings.playing ^= presses(Key::Space) % 2.0 > 0.0;
        if presses(Key::Home) > 0.0 {
            self.reset_view();
        }
    }
}
