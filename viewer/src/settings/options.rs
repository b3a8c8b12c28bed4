//! Settings by name: the options of the command line and of URLs.

use sinew::runtime::backend;

use super::{Layer, LayerSet, MAX_COPIES, MAX_OCTAVES, Motion, Settings, Threads, Weights};
use crate::methods::MethodKind;

impl Settings {
    /// Parses a URL query: `model=@figure&copies=4`. Options that are unknown or have an invalid
    /// value keep their default, since links gain parameters that their authors did not choose; a
    /// message names each.
    #[must_use]
    pub fn from_query(query: &str) -> (Self, Option<String>) {
        let (mut settings, mut messages) = (Self::default(), Vec::new());
        for pair in query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, "on"));
            messages.extend(settings.set(name, &percent_decode(&value.replace('+', " "))).err());
        }
        (settings, (!messages.is_empty()).then(|| messages.join("; ")))
    }

    /// Sets an option by name.
    ///
    /// # Errors
    ///
    /// If the option is unknown or its value is invalid: which option, what was expected, what was
    /// found.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.auto_quality &= !matches!(name, "show" | "samples");
        let invalid = |expected: &str| format!("{name}: expected {expected}, found {value:?}");
        match name {
            "model" => self.set_model(value),
            "with" => self.clip_files.push(value.to_owned()),
            "method" => {
                let names = || MethodKind::ALL.map(MethodKind::name).join(", ");
                self.method =
                    MethodKind::from_name(value).ok_or_else(|| invalid(&format!("one of {}", names())))?;
            }
            "isa" => self.backend = backend::find(value).map_err(|error| format!("{name}: {error}"))?,
            "weights" => {
                self.weights = Weights::from_name(value).ok_or_else(|| invalid("1, 2, 3, 4 or varying"))?;
            }
            "threads" => {
                self.threads = Threads::from_name(value).ok_or_else(|| invalid("off, data or task"))?;
            }
            "copies" => {
                let expected = || invalid(&format!("a number from 1 to {MAX_COPIES}"));
                self.copies = Some(parse_integer(value, 1, MAX_COPIES).ok_or_else(expected)?);
            }
            "motion" => self.motion = Motion::from_name(value).ok_or_else(|| invalid("sine or noise"))?,
            "octaves" => {
                let expected = || invalid(&format!("a number from 1 to {MAX_OCTAVES}"));
                self.octaves = parse_integer(value, 1, MAX_OCTAVES as usize).ok_or_else(expected)? as u32;
            }
            "clip" => self.clip = Some(value.to_owned()),
            "second" => self.second = Some(value.to_owned()),
            "blend" => {
                self.blend = parse_float(value, 0.0, 1.0).ok_or_else(|| invalid("a number from 0 to 1"))?
            }
            "speed" => {
                self.speed = parse_float(value, 0.0, 10.0).ok_or_else(|| invalid("a number from 0 to 10"))?
            }
            "at" => {
                let seconds = parse_float(value, -1e6, 1e6).ok_or_else(|| invalid("a number of seconds"))?;
                self.seconds = f64::from(seconds);
            }
            "pause" => self.playing = !parse_switch(value).ok_or_else(|| invalid("on or off"))?,
            "drawing" => self.drawing = parse_switch(value).ok_or_else(|| invalid("on or off"))?,
            "vsync" => self.vsync = parse_switch(value).ok_or_else(|| invalid("on or off"))?,
            "log-state" => self.log_state = parse_switch(value).ok_or_else(|| invalid("on or off"))?,
            "bright" => self.bright = parse_switch(value).ok_or_else(|| invalid("on or off"))?,
            "show" => self.set_layers(value)?,
            "joint" => {
                self.joint =
                    Some(parse_integer(value, 0, 65_535).ok_or_else(|| invalid("the index of a joint"))?)
            }
            "samples" => self.samples = parse_integer(value, 0, 16).ok_or_else(|| invalid("0 to 16"))? as u32,
            "turn" => self.turn = Some(parse_angles(value).ok_or_else(|| invalid("two angles, YAW,PITCH"))?),
            "zoom" => {
                self.zoom =
                    parse_float(value, 0.01, 100.0).ok_or_else(|| invalid("a number from 0.01 to 100"))?;
            }
            _ => return Err(format!("{name}: no such option")),
        }
        Ok(())
    }

    /// Shows exactly these layers.
    fn set_layers(&mut self, names: &str) -> Result<(), String> {
        let mut layers = LayerSet::EMPTY;
        for name in names.split(',').filter(|name| !name.is_empty() && *name != "nothing") {
            let layer = Layer::ALL.into_iter().find(|layer| layer.name() == name);
            let all = || Layer::ALL.map(Layer::name).join(", ");
            layers
                .set(layer.ok_or_else(|| format!("show: expected some of {}, found {name:?}", all()))?, true);
        }
        self.layers = layers;
        Ok(())
    }
}

fn parse_integer(value: &str, min: usize, max: usize) -> Option<usize> {
    value.parse().ok().filter(|number| (min..=max).contains(number))
}

fn parse_float(value: &str, min: f32, max: f32) -> Option<f32> {
    value.parse().ok().filter(|number| (min..=max).contains(number))
}

fn parse_angles(value: &str) -> Option<[f32; 2]> {
    let (yaw, pitch) = value.split_once(',')?;
    Some([parse_float(yaw, -360.0, 360.0)?, parse_float(pitch, -10.0, 89.0)?])
}

fn parse_switch(value: &str) -> Option<bool> {
    match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Decodes the `%` escapes of a URI.
#[must_use]
pub fn percent_decode(value: &str) -> String {
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
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_query_sets_the_options_it_names() {
        let settings =
            Settings::from_query("?model=%40figure%3A500&copies=4&pause&show=wireframe,bones&turn=30,10");
        let (settings, message) = settings;
        assert_eq!(message, None);
        assert_eq!(settings.model, "@figure:500");
        assert_eq!((settings.copies, settings.playing), (Some(4), false));
        assert!(settings.layers.iter().eq([Layer::Wireframe, Layer::Bones]));
        assert_eq!(settings.turn, Some([30.0, 10.0]));
    }

    #[test]
    fn the_weights_in_the_name_of_a_cylinder_can_be_changed() {
        let (mut settings, _) = Settings::from_query("model=@cylinder:varying");
        assert_eq!((settings.model.as_str(), settings.weights), ("@cylinder", Weights::Varying));
        settings.set("weights", "2").expect("a number");
        assert_eq!((settings.model.as_str(), settings.weights), ("@cylinder", Weights::AtMost(2)));
        settings.choose_model("@cylinder:3");
        assert_eq!((settings.model.as_str(), settings.weights), ("@cylinder", Weights::AtMost(3)));
        settings.choose_model("@cylinder:9");
        assert_eq!(settings.model, "@cylinder:9", "loading it gives the message");
    }

    #[test]
    fn an_unknown_option_leaves_the_others() {
        let (settings, message) = Settings::from_query("utm_source=mail&copies=4&weights=9&pause=on");
        assert_eq!((settings.copies, settings.playing), (Some(4), false));
        let message = message.expect("two options are invalid");
        assert!(message.contains("utm_source: no such option; weights: expected"), "{message}");
    }

    #[test]
    fn errors_say_what_was_expected() {
        for (query, expected) in [
            ("weights=5", "weights: expected 1, 2, 3, 4 or varying, found \"5\""),
            ("threads=many", "threads: expected off, data or task, found \"many\""),
            ("show=bones,soul", "found \"soul\""),
            ("method=magic", "method: expected one of plain, "),
            ("isa=mmx", "isa: unknown instruction set"),
            ("color=red", "color: no such option"),
            ("speed=NaN", "speed: expected a number"),
        ] {
            let (_, error) = Settings::from_query(query);
            let error = error.expect(query);
            assert!(error.contains(expected), "{error}");
        }
    }
}
