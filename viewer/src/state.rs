//! The viewer's state as a line of JSON, for tests.
//!
//! In a window, `--log-state` prints a line whenever anything but a timing has changed, and ten
//! times a second. In a page, `sinewViewerState()` returns the last line. The keys:
//!
//! | key | value |
//! |---|---|
//! | `frame`, `fps` | frames so far, and in the last second |
//! | `size`, `scale` | size of the window in points, and pixels per point |
//! | `subject`, `copies`, `vertices` | what is shown |
//! | `method`, `isa`, `weights`, `threads` | how it is skinned; `weights` may be `varying` |
//! | `gl` | what runs the shaders: `Hardware` or `Software` |
//! | `profile` | for each thread, its shares of a frame: `animate`, `skin`, `wait` |
//! | `motion`, `octaves`, `clip`, `second`, `blend` | how it is animated |
//! | `playing`, `seconds`, `speed` | playback |
//! | `show` | the layers that are shown |
//! | `joint` | the joint whose weights are shown; null for all |
//! | `drawing`, `bright`, `samples`, `vsync`, `fullscreen` | how it is drawn |
//! | `view` | yaw, pitch and distance of the camera |
//! | `open` | which panels and windows are open: `controls`, `times`, `window`, `help` |
//! | `milliseconds` | median times of `animate`, `skin`, `shapes` and `draw` |
//! | `figure_15` | a line per method tried: its label, and frames per second by weights |
//! | `picture` | checksum of the pixels of the previous frame if `--log-state` is on, else null |
//! | `hit` | `copy`, `mesh_instance`, `triangle`, `joint` under the last click; null for none |
//! | `error` | the message that is shown; null for none |
//! | `disabled_reason` | why the control under the pointer is disabled; null if it is not |
//! | `controls` | for each control: left, top, width, height in points, and whether it is enabled |
//!
//! The scene itself is the control `view`. Click a control in its center. The track of a slider is
//! the left three fifths of its rectangle; to set it, press the button on the track and hold it
//! until the state changes, because a press and release within one frame are not a drag. Ctrl+Q
//! quits, and so does a close request of the window manager (`xdotool windowquit`).

use sinew::JointId;
use std::cell::RefCell;

use eframe::egui::{Context, Rect};
use serde_json::{Map, Value, json};

use crate::draw::GlKind;
use crate::figure_15::Figure15;
use crate::session::Session;
use crate::settings::{Layer, Settings, Weights};
use crate::stats::Stats;
use crate::ui::{Controls, OpenWindows};

thread_local! {
    static LATEST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A number of weights, or "varying".
pub(crate) fn weights_value(weights: Weights) -> Value {
    match weights {
        Weights::AtMost(most) => most.into(),
        Weights::Varying => weights.name().into(),
    }
}

/// The state after the last frame on this thread; empty before the first.
#[must_use]
pub fn latest() -> String {
    LATEST.with_borrow(Clone::clone)
}

/// Stores the state for [`latest`].
pub(crate) fn store(state: String) {
    LATEST.set(state);
}

/// Everything that the state is built from.
pub(crate) struct StateSnapshot<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) session: &'a Session,
    pub(crate) stats: &'a Stats,
    pub(crate) table: &'a Figure15,
    pub(crate) controls: &'a Controls,
    pub(crate) open: OpenWindows,
    pub(crate) gl: GlKind,
    pub(crate) picture: Option<u64>,
    pub(crate) error: Option<&'a str>,
}

impl StateSnapshot<'_> {
    /// The values that change only when something happens, not from frame to frame.
    pub(crate) fn stable_values(&self, context: &Context) -> Map<String, Value> {
        let Self { settings, session, .. } = self;
        let size = context.viewport_rect().size();
        let fullscreen = context.input(|input| input.viewport().fullscreen.unwrap_or(false));
        let value = json!({
            "size": [size.x, size.y],
            "scale": context.pixels_per_point(),
            "subject": session.subject.name,
            "copies": session.copies(),
            "vertices": session.subject.vertices() * session.copies(),
            "method": settings.method.name(),
            "isa": settings.method.has_isa_choice().then(|| settings.backend.name()),
            "weights": weights_value(settings.weights),
            "threads": settings.threads.name(),
            "gl": format!("{:?}", self.gl),
            "motion": session.subject.is_cylinder.then(|| settings.motion.name()),
            "octaves": settings.octaves,
            "clip": settings.clip,
            "second": settings.second,
            "blend": settings.blend,
            "playing": settings.playing,
            "speed": settings.speed,
            "show": settings.layers.iter().map(Layer::name).collect::<Vec<_>>(),
            "joint": settings.joint.map(|joint| session.subject.model.skeleton().name(JointId::new(joint))),
            "drawing": settings.drawing,
            "bright": settings.bright,
            "samples": settings.samples,
            "vsync": settings.vsync,
            "fullscreen": fullscreen,
            "view": { "yaw": session.camera.yaw, "pitch": session.camera.pitch, "distance": session.camera.distance },
            "open": {
                "controls": self.open.controls, "times": self.open.times,
                "window": self.open.window, "help": self.open.help,
            },
            "hit": session.hit.as_ref().map(|hit| json!({
                "copy": hit.copy, "mesh_instance": hit.mesh_instance,
                "triangle": hit.triangle, "joint": hit.joint_name,
            })),
            "error": self.error,
            "disabled_reason": self.controls.disabled_reason(),
            "controls": self.control_rects(),
        });
        let Value::Object(map) = value else { return Map::new() };
        map
    }

    fn control_rects(&self) -> Value {
        let rect = |rect: Rect| [rect.left(), rect.top(), rect.width(), rect.height()].map(f32::round);
        let pair = |control: &crate::ui::Control| {
            let [x, y, width, height] = rect(control.rect);
            (control.name.clone(), json!([x, y, width, height, control.enabled]))
        };
        Value::Object(self.controls.all().iter().map(pair).collect())
    }

    /// The complete state: the stable values and the timings.
    pub(crate) fn to_json(&self, mut stable: Map<String, Value>) -> Value {
        let Self { settings, stats, .. } = self;
        let ms = |of: fn(&crate::session::StageTimes) -> f64| 1e3 * stats.median(of);
        let figures = json!({
            "frame": stats.frame_count(),
            "fps": stats.frames_per_second(),
            "seconds": settings.seconds,
            "picture": self.picture.map(|sum| format!("{sum:016x}")),
            "milliseconds": {
                "animate": ms(|stages| stages.pipeline.animate),
                "skin": ms(|stages| stages.pipeline.skin),
                "shapes": ms(|stages| stages.shapes),
                "draw": ms(|stages| stages.draw),
            },
            "profile": self.session.thread_shares().iter().map(|shares| json!({
                "animate": shares.animate, "skin": shares.skin, "wait": shares.wait(),
            })).collect::<Vec<_>>(),
            "figure_15": self.table.lines().iter().map(|line| json!({
                "method": line.label(self.gl), "frames_per_second": line.frames_per_second,
            })).collect::<Vec<_>>(),
        });
        if let Value::Object(figures) = figures {
            stable.extend(figures);
        }
        Value::Object(stable)
    }
}
