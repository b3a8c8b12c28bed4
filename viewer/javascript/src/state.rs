//! The state between calls: the inbox, the text and the figures.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use sinew::FloatMode;

use crate::figure::Figure;

/// Maximum size of the inbox: reading a file of this size still fits into the memory of a
/// WebAssembly module.
const MAX_BYTES: usize = 512 << 20;

pub(crate) struct State {
    inbox: Vec<u8>,
    /// Null-terminated.
    text: Vec<u8>,
    figures: BTreeMap<u32, Figure>,
    /// The number of the last figure. Numbers are never reused, so an old one never refers to a new
    /// figure.
    last: u32,
}

static STATE: Mutex<State> =
    Mutex::new(State { inbox: Vec::new(), text: Vec::new(), figures: BTreeMap::new(), last: 0 });

impl State {
    /// Runs a function on the state and stores its error as the text.
    pub(crate) fn with<T>(run: impl FnOnce(&mut Self) -> Result<T, String>) -> Option<T> {
        let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
        run(&mut state).map_err(|error| state.set_text(&error)).ok()
    }

    pub(crate) fn set_text(&mut self, text: &str) {
        self.text.clear();
        self.text.extend_from_slice(text.as_bytes());
        self.text.push(0);
    }

    /// The text with its terminator.
    pub(crate) fn text(&mut self) -> &[u8] {
        if self.text.is_empty() {
            self.set_text("");
        }
        &self.text
    }

    pub(crate) fn inbox(&mut self, len: usize) -> Result<*mut u8, String> {
        if len > MAX_BYTES {
            return Err(format!("inbox: expected at most {MAX_BYTES} bytes, found {len}"));
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(|_| format!("inbox: not enough memory for {len} bytes"))?;
        bytes.resize(len, 0);
        self.inbox = bytes;
        Ok(self.inbox.as_mut_ptr())
    }

    pub(crate) fn open(&mut self, float_mode: u32) -> Result<u32, String> {
        let float_mode = match float_mode {
            0 => FloatMode::Fast,
            1 => FloatMode::Reproducible,
            _ => return Err(format!("float mode: expected 0 or 1, found {float_mode}")),
        };
        let bytes = std::mem::take(&mut self.inbox);
        let number = self.last.checked_add(1).ok_or("all figure numbers are used up")?;
        self.figures.insert(number, Figure::open(&bytes, float_mode)?);
        self.last = number;
        Ok(number)
    }

    pub(crate) fn close(&mut self, figure: u32) -> Result<(), String> {
        self.figures.remove(&figure).map(drop).ok_or_else(|| no_such_figure(figure))
    }

    pub(crate) fn figure(&mut self, figure: u32) -> Result<&mut Figure, String> {
        self.figures.get_mut(&figure).ok_or_else(|| no_such_figure(figure))
    }
}

fn no_such_figure(figure: u32) -> String {
    format!("no figure has the number {figure}")
}
