//! Files that were dropped.

use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui::{self, Context};

use super::Viewer;
use crate::scene::{self, File};
use crate::settings::Settings;

/// Files whose bytes are on their way, or an error.
pub(super) type Inbox = Arc<Mutex<Vec<Result<Vec<File>, String>>>>;

impl Viewer {
    pub(super) fn take_files(&mut self, context: &Context) {
        let dropped = context.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
        if !dropped.is_empty() {
            fetch(dropped, &self.inbox, context, &mut self.settings);
        }
        let arrived = std::mem::take(&mut *self.inbox.lock().unwrap_or_else(PoisonError::into_inner));
        for files in arrived {
            match files.and_then(|files| scene::load_bytes(&files)) {
                Ok(subject) => {
                    self.settings.choose_model(&subject.name);
                    self.error = self.show.replace(subject, &mut self.settings);
                }
                Err(error) => self.error = Some(error),
            }
        }
    }
}

/// Files have paths here, and models may have files beside them.
#[cfg(not(target_arch = "wasm32"))]
fn fetch(dropped: Vec<egui::DroppedFileHandle>, _: &Inbox, _: &Context, settings: &mut Settings) {
    let paths = dropped.iter().map(|file| file.path().display().to_string());
    let (clips, models): (Vec<_>, Vec<_>) = paths.partition(|path| path.ends_with(".md5anim"));
    settings.with = clips;
    if let Some(model) = models.first() {
        settings.choose_model(model);
    }
}

/// Bytes arrive later.
#[cfg(target_arch = "wasm32")]
fn fetch(dropped: Vec<egui::DroppedFileHandle>, inbox: &Inbox, context: &Context, _: &mut Settings) {
    let (inbox, context) = (Arc::clone(inbox), context.clone());
    wasm_bindgen_futures::spawn_local(async move {
        let mut files = Ok(Vec::new());
        for file in dropped {
            let name = file.path().display().to_string();
            match (file.bytes_async().await, &mut files) {
                (Ok(bytes), Ok(files)) => files.push(File { name, bytes }),
                (Err(error), _) => files = Err(format!("{name}: {error}")),
                _ => {}
            }
        }
        inbox.lock().unwrap_or_else(PoisonError::into_inner).push(files);
        context.request_repaint();
    });
}
