//! Loads files dropped on the window.

use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui::{self, Context};

use super::Viewer;
use crate::scene::{self, DroppedFile};
use crate::settings::Settings;

/// Dropped files whose bytes have been read, or the error that reading them gave.
pub(super) type Inbox = Arc<Mutex<Vec<Result<Vec<DroppedFile>, String>>>>;

impl Viewer {
    pub(super) fn load_dropped_files(&mut self, context: &Context) {
        let dropped = context.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
        if !dropped.is_empty() {
            read_dropped(dropped, &self.inbox, context, &mut self.settings);
        }
        let arrived = std::mem::take(&mut *self.inbox.lock().unwrap_or_else(PoisonError::into_inner));
        for files in arrived {
            match files.and_then(|files| scene::load_bytes(&files)) {
                Ok(subject) => {
                    self.settings.choose_model(&subject.name);
                    self.error = self.session.replace_subject(subject, &mut self.settings);
                }
                Err(error) => self.error = Some(error),
            }
        }
    }
}

/// On the desktop, dropped files have paths, and a model may refer to files beside it.
#[cfg(not(target_arch = "wasm32"))]
fn read_dropped(dropped: Vec<egui::DroppedFileHandle>, _: &Inbox, _: &Context, settings: &mut Settings) {
    let paths = dropped.iter().map(|file| file.path().display().to_string());
    let (clips, models): (Vec<_>, Vec<_>) = paths.partition(|path| path.ends_with(".md5anim"));
    settings.clip_files = clips;
    if let Some(model) = models.first() {
        settings.choose_model(model);
    }
}

/// In a browser, the bytes of dropped files are read asynchronously.
#[cfg(target_arch = "wasm32")]
fn read_dropped(dropped: Vec<egui::DroppedFileHandle>, inbox: &Inbox, context: &Context, _: &mut Settings) {
    let (inbox, context) = (Arc::clone(inbox), context.clone());
    wasm_bindgen_futures::spawn_local(async move {
        let mut files = Ok(Vec::new());
        for file in dropped {
            let name = file.path().display().to_string();
            match (file.bytes_async().await, &mut files) {
                (Ok(bytes), Ok(files)) => files.push(DroppedFile { name, bytes }),
                (Err(error), _) => files = Err(format!("{name}: {error}")),
                _ => {}
            }
        }
        inbox.lock().unwrap_or_else(PoisonError::into_inner).push(files);
        context.request_repaint();
    });
}
