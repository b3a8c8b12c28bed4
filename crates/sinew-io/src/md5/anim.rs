//! An `.md5anim` as the file has it.

use super::budget::Budget;
use super::hierarchy::{Hierarchy, Named};
use super::read::skip_command_line;
use super::tally::Tally;
use super::text::{Place, Text, Token};
use crate::{Error, Report};

/// Frames of joints in the spaces of their parents.
#[derive(Debug)]
pub(super) struct Anim {
    /// Where the hierarchy is.
    pub(super) place: Place,
    pub(super) joints: Vec<Named>,
    /// For each joint what frames change of its base.
    pub(super) animated: Vec<Animated>,
    /// For each joint x, y, z of its position and of its rotation.
    pub(super) base: Vec<[f64; 6]>,
    /// One or more.
    pub(super) frames: usize,
    /// In a second, above zero.
    pub(super) frame_rate: f64,
    components: usize,
    /// Of all frames, one after the other, each with as many as components.
    values: Vec<f64>,
}

/// Which components of a joint frames have, and where the first of them is in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Animated {
    flags: u8,
    start: usize,
}

impl Animated {
    pub(super) fn position(self) -> bool {
        self.flags & 0b000_111 != 0
    }

    pub(super) fn rotation(self) -> bool {
        self.flags & 0b111_000 != 0
    }
}

/// Less or more frames in a second than these are no frame rate.
const SLOWEST: f64 = 0.001;
const FASTEST: f64 = 10_000.0;

/// The bytes of the shortest joint `""-1 0 0`, frame `frame 0{}` and component.
const SHORTEST_JOINT: usize = 8;
const SHORTEST_FRAME: usize = 9;
const SHORTEST_COMPONENT: usize = 2;

/// What a joint takes here, and in a clip where nothing moves it. Measured.
const JOINT_BYTES: u64 = 640;

impl Anim {
    /// Reads all after the version. `within` goes before the places of oddities.
    pub(super) fn read(
        text: &mut Text<'_>,
        within: &str,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let mut head = Head::default();
        let (mut hierarchy, mut bounds, mut base) = (None, None, None);
        loop {
            let place = text.place();
            match text.token() {
                Token::Word(b"commandline") => skip_command_line(text)?,
                Token::Word(b"hierarchy") if hierarchy.is_none() => {
                    let joints = head.joints(text)? as u64;
                    budget.charge(place, "joints", joints, JOINT_BYTES)?;
                    hierarchy = Some((place, read_hierarchy(text, &head, within, report)?));
                }
                Token::Word(b"bounds") if bounds.is_none() => bounds = Some((place, read_bounds(text)?)),
                Token::Word(b"baseframe") if base.is_none() => base = Some(read_base(text, &head)?),
                Token::Word(b"frame") => break,
                _ => head.read(text)?,
            }
        }
        let (Some((place, (joints, animated))), Some(base)) = (hierarchy, base) else {
            return Err(text.fault("`hierarchy` and `baseframe` before the frames"));
        };
        let frame_rate = head.frame_rate.ok_or_else(|| text.fault("`frameRate` before the frames"))?;
        let [frames, components] = [head.frames(text)?, head.components(text)?];
        budget.charge(text.place(), "numbers", (frames as u64).saturating_mul(components as u64), 8)?;
        let values = read_frames(text, frames, components)?;
        note_bounds(bounds, frames, (text.place(), within), report)?;
        Ok(Self { place, joints, animated, base, frames, frame_rate, components, values })
    }

    /// The six components of a joint in a frame.
    pub(super) fn of(&self, joint: usize, frame: usize) -> [f64; 6] {
        let Animated { flags, start } = self.animated[joint];
        let mut all = self.base[joint];
        let mut next = frame * self.components + start;
        for (bit, component) in all.iter_mut().enumerate() {
            if flags >> bit & 1 == 1 {
                *component = self.values[next];
                next += 1;
            }
        }
        all
    }
}

/// The counts before the blocks.
#[derive(Default)]
struct Head {
    frames: Option<usize>,
    joints: Option<usize>,
    components: Option<usize>,
    frame_rate: Option<f64>,
}

impl Head {
    /// Reads one of them.
    fn read(&mut self, text: &mut Text<'_>) -> Result<(), Error> {
        match text.token() {
            Token::Word(b"numFrames") if self.frames.is_none() => {
                self.frames = Some(above_zero(text, "the number of frames", SHORTEST_FRAME)?);
            }
            Token::Word(b"numJoints") if self.joints.is_none() => {
                self.joints = Some(above_zero(text, "the number of joints", SHORTEST_JOINT)?);
            }
            Token::Word(b"numAnimatedComponents") if self.components.is_none() => {
                text.take()?;
                self.components = Some(text.count("the number of animated components", SHORTEST_COMPONENT)?);
            }
            Token::Word(b"frameRate") if self.frame_rate.is_none() => {
                text.take()?;
                self.frame_rate = Some(read_frame_rate(text)?);
            }
            _ => {
                let expected = "`numFrames`, `numJoints`, `frameRate`, `numAnimatedComponents`, `hierarchy`, \
                                `bounds` and `baseframe`, each once, or `frame`";
                return Err(text.fault(expected));
            }
        }
        Ok(())
    }

    fn frames(&self, text: &Text<'_>) -> Result<usize, Error> {
        self.frames.ok_or_else(|| text.fault("`numFrames` before the frames"))
    }

    fn joints(&self, text: &Text<'_>) -> Result<usize, Error> {
        self.joints.ok_or_else(|| text.fault("`numJoints` before the joints"))
    }

    fn components(&self, text: &Text<'_>) -> Result<usize, Error> {
        self.components.ok_or_else(|| text.fault("`numAnimatedComponents` before what has them"))
    }
}

fn above_zero(text: &mut Text<'_>, what: &str, bytes: usize) -> Result<usize, Error> {
    text.take()?;
    let spot = text.spot();
    match text.count(what, bytes)? {
        0 => Err(spot.fault(format!("{what}, one or more"))),
        count => Ok(count),
    }
}

fn read_frame_rate(text: &mut Text<'_>) -> Result<f64, Error> {
    let spot = text.spot();
    let rate = text.number("the frame rate")?;
    match (SLOWEST..=FASTEST).contains(&rate) {
        true => Ok(rate),
        false => Err(spot.fault(format!("a frame rate from {SLOWEST} to {FASTEST}"))),
    }
}

fn read_hierarchy(
    text: &mut Text<'_>,
    head: &Head,
    within: &str,
    report: &mut Report,
) -> Result<(Vec<Named>, Vec<Animated>), Error> {
    let (len, components) = (head.joints(text)?, head.components(text)?);
    text.take()?;
    text.mark(b'{')?;
    let (mut hierarchy, mut animated) = (Hierarchy::default(), Vec::new());
    for _ in 0..len {
        hierarchy.read(text)?;
        // Six bits.
        let flags = text.index("flags of components", 64)? as u8;
        let spot = text.spot();
        let start = usize::try_from(text.integer("a component")?).ok();
        let fits = |start: &usize| {
            let end = start.checked_add(flags.count_ones() as usize);
            flags == 0 || end.is_some_and(|end| end <= components)
        };
        let start = start.filter(fits).ok_or_else(|| {
            spot.fault(format!("the first of {} within {components} components", flags.count_ones()))
        });
        animated.push(Animated { flags, start: start? });
    }
    text.mark(b'}')?;
    Ok((hierarchy.finish(report, within)?, animated))
}

/// Bounds are counted, and not kept: those of a skinned mesh are made from it.
fn read_bounds(text: &mut Text<'_>) -> Result<(usize, Tally), Error> {
    text.take()?;
    text.mark(b'{')?;
    let (mut len, mut inverted) = (0, Tally::default());
    while text.token() != Token::Mark(b'}') {
        let place = text.place();
        let [least, most] = [text.vector::<3>("a bound")?, text.vector("a bound")?];
        if least.iter().zip(&most).any(|(least, most)| least > most) {
            inverted.add(place);
        }
        len += 1;
    }
    text.take()?;
    Ok((len, inverted))
}

fn note_bounds(
    bounds: Option<(Place, (usize, Tally))>,
    frames: usize,
    (end, within): (Place, &str),
    report: &mut Report,
) -> Result<(), Error> {
    let done = "bounds of the file are not used";
    let (place, (len, inverted)) = bounds.unwrap_or((end, (0, Tally::default())));
    if len != frames {
        report.note(format!("{within}{place}"), format!("{len} bounds for {frames} frames"), done)?;
    }
    inverted.note(report, within, "bounds are inverted", done)
}

fn read_base(text: &mut Text<'_>, head: &Head) -> Result<Vec<[f64; 6]>, Error> {
    let len = head.joints(text)?;
    text.take()?;
    text.mark(b'{')?;
    let mut base = Vec::new();
    for _ in 0..len {
        let [x, y, z] = text.vector("the position of a joint")?;
        let [qx, qy, qz] = text.vector("the rotation of a joint")?;
        base.push([x, y, z, qx, qy, qz]);
    }
    text.mark(b'}')?;
    Ok(base)
}

/// All frames, to the end of the file.
fn read_frames(text: &mut Text<'_>, frames: usize, components: usize) -> Result<Vec<f64>, Error> {
    // No more than the text can hold, whatever the counts say.
    let most = text.left() / SHORTEST_COMPONENT;
    let mut values = Vec::with_capacity(frames.saturating_mul(components).min(most));
    for frame in 0..frames {
        text.keyword("frame")?;
        text.running("frame", frame)?;
        text.mark(b'{')?;
        for _ in 0..components {
            values.push(text.number("a component of the frame")?);
        }
        text.mark(b'}')?;
    }
    match text.token() {
        Token::End => Ok(values),
        _ => Err(text.fault(format!("the end of the file after {frames} frames"))),
    }
}
