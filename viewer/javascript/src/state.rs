//! What lives between calls: the inbox, the text and the figures.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use sinew::FloatMode;

use crate::figure::Figure;

/// The largest inbox: what reading a file of this size takes still fits into the memory of a module.
const MOST_BYTES: usize = 512 << 20;

pub(crate) struct State {
    inbox: Vec<u8>,
    /// With a zero behind it.
    text: Vec<u8>,
    figures: BTreeMap<u32, Figure>,
    /// The number of the last figure. None is given twice, so an old one never means a new figure.
    last: u32,
}

static STATE: Mutex<State> =
    Mutex::new(State { inbox: Vec::new(), text: Vec::new(), figures: BTreeMap::new(), last: 0 });

impl State {
    /// Does something with the state, and keeps the text of what went wrong.
    pub(crate) fn with<T>(act: impl FnOnce(&mut Self) -> Result<T, String>) -> Option<T> {
        let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut state).map_err(|error| state.say(&error)).ok()
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.text.clear();
        self.text.extend_from_slice(text.as_bytes());
        self.text.push(0);
    }

    /// The text, and the zero.
    pub(crate) fn text(&mut self) -> &[u8] {
        if self.text.is_empty() {
            self.say("");
        }
        &self.text
    }

    pub(crate) fn inbox(&mut self, len: usize) -> Result<*mut u8, String> {
        if len > MOST_BYTES {
            return Err(format!("an inbox: expected at most {MOST_BYTES} bytes, found {len}"));
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(|_| format!("an inbox of {len} bytes: memory is short"))?;
        bytes.resize(len, 0);
        self.inbox = bytes;
        Ok(self.inbox.as_mut_ptr())
    }

    pub(crate) fn open(&mut self, float_mode: u32) -> Result<u32, String> {
        let float_mode = match float_mode {
            0 => FloatMode::Fast,
            1 => FloatMode::Reproducible,
            _ => return Err(format!("float_mode: expected 0 or 1, found {float_mode}")),
        };
        let bytes = std::mem::take(&mut self.inbox);
        let number = self.last.checked_add(1).ok_or("all numbers of figures are used up")?;
        self.figures.insert(number, Figure::open(&bytes, float_mode)?);
        self.last = number;
        Ok(number)
    }

    pub(crate) fn close(&mut self, figure: u32) -> Result<(), String> {
        self.figures.remove(&figure).map(drop).ok_or_else(|| unknown(figure))
    }

    pub(crate) fn figure(&mut self, figure: u32) -> Result<&mut Figure, String> {
        self.figures.get_mut(&figure).ok_or_else(|| unknown(figure))
    }
}

fn unknown(figure: u32) -> String {
    format!("no figure has the number {figure}")
}
