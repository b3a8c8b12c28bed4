//! What the viewer shows, for tests: a line of JSON.
//!
//! In a window `--log-state` prints a line whenever something but figures has changed, and ten times a second. In a page
//! `sinewViewerState()` gives the last one. The keys:
//!
//! | key | what |
//! |---|---|
//! | `frame`, `fps` | frames so far, and in the last second |
//! | `size`, `scale` | of the window in points, and pixels per point |
//! | `subject`, `copies`, `vertices` | what is shown |
//! | `method`, `isa`, `weights`, `threads` | what skins it |
//! | `motion`, `octaves`, `clip`, `second`, `blend` | what moves it |
//! | `playing`, `seconds`, `speed` | when |
//! | `show` | the layers that are shown |
//! | `joint` | whose weights are painted; null for all |
//! | `drawing`, `bright`, `samples`, `vsync`, `fullscreen` | how |
//! | `view` | yaw, pitch and distance of the camera |
//! | `open` | the windows that are open: `window`, `help` |
//! | `milliseconds` | of `animate`, `skin`, `shapes` and `draw`: the middle of the last frames |
//! | `figure_15` | a line for each method that was tried: its label, and frames per second for 1 to 4 weights |
//! | `picture` | a sum of all pixels of the scene in the frame before, where it is asked for; else null |
//! | `hit` | `copy`, `part`, `triangle`, `joint` of what was clicked; null for nothing |
//! | `error` | the message that is shown; null for none |
//! | `controls` | for each control by name: left, top, width, height in points, and whether it can be used |
//!
//! The scene itself is the control `view`. A control is clicked in its middle. Sliders are the left three fifths of theirs, and
//! are set by pressing the button somewhere along them and holding it until the state changes: a press and a release within one
//! frame are no drag. Ctrl+Q quits; so does what a window manager sends (`xdotool windowquit`).

use std::cell::RefCell;

use eframe::egui::{Context, Rect};
use serde_json::{Map, Value, json};

use crate::figure_15::Figure15;
use crate::settings::{Layer, Settings};
use crate::show::Show;
use crate::stats::Stats;
use crate::ui::{Controls, Open};

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The state after the last frame of this thread; empty before the first.
#[must_use]
pub fn last() -> String {
    LAST.with_borrow(Clone::clone)
}

/// Keeps the state.
pub(crate) fn keep(state: String) {
    LAST.set(state);
}

/// All that the state is made of.
pub(crate) struct Seen<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) show: &'a Show,
    pub(crate) stats: &'a Stats,
    pub(crate) table: &'a Figure15,
    pub(crate) controls: &'a Controls,
    pub(crate) open: Open,
    pub(crate) picture: Option<u64>,
    pub(crate) error: Option<&'a str>,
}

impl Seen<'_> {
    /// What does not change by itself.
    pub(crate) fn steady(&self, context: &Context) -> Map<String, Value> {
        let Self { settings, show, .. } = self;
        let size = context.viewport_rect().size();
        let full = context.input(|input| input.viewport().fullscreen.unwrap_or(false));
        let value = json!({
            "size": [size.x, size.y],
            "scale": context.pixels_per_point(),
            "subject": show.subject.name,
            "copies": show.copies(),
            "vertices": show.subject.vertices() * show.copies(),
            "method": settings.kind.name(),
            "isa": settings.kind.has_rows().then(|| settings.row.name()),
            "weights": settings.weights,
            "threads": settings.threads.name(),
            "motion": show.subject.is_cylinder.then(|| settings.motion.name()),
            "octaves": settings.octaves,
            "clip": settings.clip,
            "second": settings.second,
            "blend": settings.blend,
            "playing": settings.playing,
            "speed": settings.speed,
            "show": settings.shown.layers().map(Layer::name).collect::<Vec<_>>(),
            "joint": settings.joint.map(|joint| show.subject.model.skeleton().name(joint)),
            "drawing": settings.drawing,
            "bright": settings.bright,
            "samples": settings.samples,
            "vsync": settings.vsync,
            "fullscreen": full,
            "view": { "yaw": show.view.yaw, "pitch": show.view.pitch, "distance": show.view.distance },
            "open": { "window": self.open.window, "help": self.open.help },
            "hit": show.hit.as_ref().map(|hit| json!({
                "copy": hit.copy, "part": hit.part, "triangle": hit.triangle, "joint": hit.joint_name,
            })),
            "error": self.error,
            "told": self.controls.told(),
            "controls": self.placed(),
        });
        let Value::Object(map) = value else { return Map::new() };
        map
    }

    fn placed(&self) -> Value {
        let rect = |rect: Rect| [rect.left(), rect.top(), rect.width(), rect.height()].map(f32::round);
        let pair = |control: &crate::ui::Control| {
            let [x, y, width, height] = rect(control.rect);
            (control.name.clone(), json!([x, y, width, height, control.enabled]))
        };
        Value::Object(self.controls.all().iter().map(pair).collect())
    }

    /// All of it.
    pub(crate) fn whole(&self, mut steady: Map<String, Value>) -> Value {
        let Self { settings, stats, .. } = self;
        let ms = |of: fn(&crate::show::Stages) -> f64| 1e3 * stats.median(of);
        let figures = json!({
            "frame": stats.counted(),
            "fps": stats.frames_per_second(),
            "seconds": settings.seconds,
            "picture": self.picture.map(|sum| format!("{sum:016x}")),
            "milliseconds": {
                "animate": ms(|stages| stages.crew.animate),
                "skin": ms(|stages| stages.crew.skin),
                "shapes": ms(|stages| stages.shapes),
                "draw": ms(|stages| stages.draw),
            },
            "figure_15": self.table.rows().iter().map(|row| json!({
                "method": row.label(), "frames_per_second": row.frames_per_second,
            })).collect::<Vec<_>>(),
        });
        if let Value::Object(figures) = figures {
            steady.extend(figures);
        }
        Value::Object(steady)
    }
}
