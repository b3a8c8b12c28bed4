//! Choices by name: the options of the command line and of an address.

use sinew::backend;

use super::{Layer, MOST_COPIES, MOST_OCTAVES, Motion, Settings, Shown, Threads};
use crate::methods::{KINDS, Kind};

impl Settings {
    /// From the query of an address: `model=@figure&copies=4`.
    ///
    /// # Errors
    ///
    /// When there is no such option, or it cannot have the value.
    pub fn of_query(query: &str) -> Result<Self, String> {
        let mut settings = Self::default();
        for pair in query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, "on"));
            settings.set(name, &decoded(value))?;
        }
        Ok(settings)
    }

    /// Sets one option by its name.
    ///
    /// # Errors
    ///
    /// When there is no such option, or it cannot have the value: which, what was expected and what was found.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.may_simplify &= !matches!(name, "show" | "samples");
        let wrong = |expected: &str| format!("{name}: expected {expected}, found {value:?}");
        match name {
            "model" => self.model = value.to_owned(),
            "with" => self.with.push(value.to_owned()),
            "method" => {
                let names = || KINDS.map(Kind::name).join(", ");
                self.kind = Kind::named(value).ok_or_else(|| wrong(&format!("one of {}", names())))?;
            }
            "isa" => self.row = backend::find(value).map_err(|error| format!("{name}: {error}"))?,
            "weights" => self.weights = number(value, 1, 4).ok_or_else(|| wrong("1, 2, 3 or 4"))?,
            "threads" => {
                self.threads = Threads::named(value).ok_or_else(|| wrong("off, data or task"))?;
            }
            "copies" => {
                let expected = || wrong(&format!("a number from 1 to {MOST_COPIES}"));
                self.copies = Some(number(value, 1, MOST_COPIES).ok_or_else(expected)?);
            }
            "motion" => self.motion = Motion::named(value).ok_or_else(|| wrong("sine or noise"))?,
            "octaves" => {
                let expected = || wrong(&format!("a number from 1 to {MOST_OCTAVES}"));
                self.octaves = number(value, 1, MOST_OCTAVES as usize).ok_or_else(expected)? as u32;
            }
            "clip" => self.clip = Some(value.to_owned()),
            "second" => self.second = Some(value.to_owned()),
            "blend" => self.blend = real(value, 0.0, 1.0).ok_or_else(|| wrong("a number from 0 to 1"))?,
            "speed" => self.speed = real(value, 0.0, 10.0).ok_or_else(|| wrong("a number from 0 to 10"))?,
            "at" => {
                let seconds = real(value, -1e6, 1e6).ok_or_else(|| wrong("a number of seconds"))?;
                self.seconds = f64::from(seconds);
            }
            "pause" => self.playing = !switch(value).ok_or_else(|| wrong("on or off"))?,
            "drawing" => self.drawing = switch(value).ok_or_else(|| wrong("on or off"))?,
            "vsync" => self.vsync = switch(value).ok_or_else(|| wrong("on or off"))?,
            "log-state" => self.log_state = switch(value).ok_or_else(|| wrong("on or off"))?,
            "bright" => self.bright = switch(value).ok_or_else(|| wrong("on or off"))?,
            "show" => self.show(value)?,
            "joint" => self.joint = Some(number(value, 0, 65_535).ok_or_else(|| wrong("a joint's number"))?),
            "samples" => self.samples = number(value, 0, 16).ok_or_else(|| wrong("0 to 16"))? as u32,
            "turn" => self.turn = Some(pair(value).ok_or_else(|| wrong("two angles, YAW,PITCH"))?),
            "zoom" => {
                self.zoom = real(value, 0.01, 100.0).ok_or_else(|| wrong("a number from 0.01 to 100"))?;
            }
            _ => return Err(format!("{name}: no such option")),
        }
        Ok(())
    }

    /// Shows these layers, and no others.
    fn show(&mut self, names: &str) -> Result<(), String> {
        let mut shown = Shown::NOTHING;
        for name in names.split(',').filter(|name| !name.is_empty() && *name != "nothing") {
            let layer = Layer::ALL.into_iter().find(|layer| layer.name() == name);
            let all = || Layer::ALL.map(Layer::name).join(", ");
            shown
                .set(layer.ok_or_else(|| format!("show: expected some of {}, found {name:?}", all()))?, true);
        }
        self.shown = shown;
        Ok(())
    }
}

fn number(value: &str, least: usize, most: usize) -> Option<usize> {
    value.parse().ok().filter(|number| (least..=most).contains(number))
}

fn real(value: &str, least: f32, most: f32) -> Option<f32> {
    value.parse().ok().filter(|number| (least..=most).contains(number))
}

fn pair(value: &str) -> Option<[f32; 2]> {
    let (yaw, pitch) = value.split_once(',')?;
    Some([real(yaw, -360.0, 360.0)?, real(pitch, -10.0, 89.0)?])
}

fn switch(value: &str) -> Option<bool> {
    match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Without the signs that addresses have for others.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let [first, others @ ..] = rest {
        rest = others;
        let code = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        match (first, others.get(..2).and_then(code)) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            (b'+', _) => bytes.push(b' '),
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_sets_what_it_names() {
        let settings =
            Settings::of_query("?model=%40figure%3A500&copies=4&pause&show=wireframe,bones&turn=30,10");
        let settings = settings.expect("options that there are");
        assert_eq!(settings.model, "@figure:500");
        assert_eq!((settings.copies, settings.playing), (Some(4), false));
        assert!(settings.shown.layers().eq([Layer::Wireframe, Layer::Bones]));
        assert_eq!(settings.turn, Some([30.0, 10.0]));
    }

    #[test]
    fn what_cannot_be_is_told_with_what_can() {
        for (query, told) in [
            ("weights=5", "weights: expected 1, 2, 3 or 4, found \"5\""),
            ("threads=many", "threads: expected off, data or task, found \"many\""),
            ("show=bones,soul", "found \"soul\""),
            ("method=magic", "method: expected one of plain, "),
            ("isa=mmx", "isa: unknown instruction set"),
            ("colour=red", "colour: no such option"),
            ("speed=NaN", "speed: expected a number"),
        ] {
            let error = Settings::of_query(query).expect_err(query);
            assert!(error.contains(told), "{error}");
        }
    }
}
