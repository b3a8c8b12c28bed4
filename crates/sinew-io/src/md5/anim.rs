//! The contents of an `.md5anim` file.

use super::hierarchy::{Hierarchy, HierarchyJoint};
use super::import::skip_command_line;
use super::tokenizer::{Token, Tokenizer};
use crate::Report;
use crate::error::BoxedError as Error;
use crate::scene::{Budget, WarningCount};
use crate::text_location::TextLocation;

/// An animation: for each frame, the transforms of all joints relative to their parents.
#[derive(Debug)]
pub(super) struct Anim {
    /// Where the hierarchy starts in the file.
    pub(super) location: TextLocation,
    pub(super) joints: Vec<HierarchyJoint>,
    /// For each joint, which components the frames replace.
    pub(super) animated: Vec<AnimatedComponents>,
    /// For each joint, x, y, z of its position and of its rotation in the base frame.
    pub(super) base: Vec<[f64; 6]>,
    /// The number of frames: one or more.
    pub(super) frames: usize,
    /// Frames per second, above zero.
    pub(super) frame_rate: f64,
    component_count: usize,
    /// The components of all frames: `frames` x `component_count`.
    values: Vec<f64>,
}

/// Which of the six components of a joint are animated, as bits, and the index of the first in a
/// frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnimatedComponents {
    flags: u8,
    start: usize,
}

impl AnimatedComponents {
    pub(super) fn moves_position(self) -> bool {
        self.flags & 0b000_111 != 0
    }

    pub(super) fn moves_rotation(self) -> bool {
        self.flags & 0b111_000 != 0
    }
}

/// The range of valid frame rates, in frames per second.
const SLOWEST: f64 = 0.001;
const FASTEST: f64 = 10_000.0;

/// The bytes of the shortest joint `""-1 0 0`, the shortest frame `frame 0{}` and the shortest
/// component.
const SHORTEST_JOINT: usize = 8;
const SHORTEST_FRAME: usize = 9;
const SHORTEST_COMPONENT: usize = 2;

/// The bytes that a joint takes here and in a clip without motion. Measured.
const JOINT_BYTES: u64 = 640;

impl Anim {
    /// Reads everything after the version. `prefix` is added to the locations of warnings.
    pub(super) fn read(
        text: &mut Tokenizer<'_>,
        prefix: &str,
        budget: &Budget,
        report: &mut Report,
    ) -> Result<Self, Error> {
        let mut header = Header::default();
        let (mut hierarchy, mut bounds, mut base) = (None, None, None);
        loop {
            let location = text.location();
            match text.token() {
                Token::Word(b"commandline") => skip_command_line(text)?,
                Token::Word(b"hierarchy") if hierarchy.is_none() => {
                    let joints = header.joints(text)? as u64;
                    budget.charge(location, "joints", joints, JOINT_BYTES)?;
                    hierarchy = Some((location, read_hierarchy(text, &header, prefix, report)?));
                }
                Token::Word(b"bounds") if bounds.is_none() => bounds = Some((location, read_bounds(text)?)),
                Token::Word(b"baseframe") if base.is_none() => base = Some(read_base(text, &header)?),
                Token::Word(b"frame") => break,
                _ => header.read(text)?,
            }
        }
        let (Some((location, (joints, animated))), Some(base)) = (hierarchy, base) else {
            return Err(text.unexpected("`hierarchy` and `baseframe` before the frames"));
        };
        let frame_rate = header.frame_rate.ok_or_else(|| text.unexpected("`frameRate` before the frames"))?;
        let [frames, components] = [header.frames(text)?, header.components(text)?];
        budget.charge(text.location(), "numbers", (frames as u64).saturating_mul(components as u64), 8)?;
        let values = read_frames(text, frames, components)?;
        check_bounds(bounds, frames, (text.location(), prefix), report)?;
        Ok(Self { location, joints, animated, base, frames, frame_rate, component_count: components, values })
    }

    /// The six components of a joint in a frame.
    pub(super) fn components(&self, joint: usize, frame: usize) -> [f64; 6] {
        let AnimatedComponents { flags, start } = self.animated[joint];
        let mut all = self.base[joint];
        let mut next = frame * self.component_count + start;
        for (bit, component) in all.iter_mut().enumerate() {
            if flags >> bit & 1 == 1 {
                *component = self.values[next];
                next += 1;
            }
        }
        all
    }
}

/// The counts that come before the blocks.
#[derive(Default)]
struct Header {
    frames: Option<usize>,
    joints: Option<usize>,
    components: Option<usize>,
    frame_rate: Option<f64>,
}

impl Header {
    /// Reads one count.
    fn read(&mut self, text: &mut Tokenizer<'_>) -> Result<(), Error> {
        match text.token() {
            Token::Word(b"numFrames") if self.frames.is_none() => {
                self.frames = Some(nonzero_count(text, "the number of frames", SHORTEST_FRAME)?);
            }
            Token::Word(b"numJoints") if self.joints.is_none() => {
                self.joints = Some(nonzero_count(text, "the number of joints", SHORTEST_JOINT)?);
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
                return Err(text.unexpected(expected));
            }
        }
        Ok(())
    }

    fn frames(&self, text: &Tokenizer<'_>) -> Result<usize, Error> {
        self.frames.ok_or_else(|| text.unexpected("`numFrames` before the frames"))
    }

    fn joints(&self, text: &Tokenizer<'_>) -> Result<usize, Error> {
        self.joints.ok_or_else(|| text.unexpected("`numJoints` before the joints"))
    }

    fn components(&self, text: &Tokenizer<'_>) -> Result<usize, Error> {
        self.components.ok_or_else(|| text.unexpected("`numAnimatedComponents` before the hierarchy"))
    }
}

fn nonzero_count(text: &mut Tokenizer<'_>, what: &str, bytes: usize) -> Result<usize, Error> {
    text.take()?;
    let token = text.located_token();
    match text.count(what, bytes)? {
        0 => Err(token.unexpected(format!("{what}, one or more"))),
        count => Ok(count),
    }
}

fn read_frame_rate(text: &mut Tokenizer<'_>) -> Result<f64, Error> {
    let token = text.located_token();
    let rate = text.number("the frame rate")?;
    match (SLOWEST..=FASTEST).contains(&rate) {
        true => Ok(rate),
        false => Err(token.unexpected(format!("a frame rate from {SLOWEST} to {FASTEST}"))),
    }
}

fn read_hierarchy(
    text: &mut Tokenizer<'_>,
    header: &Header,
    prefix: &str,
    report: &mut Report,
) -> Result<(Vec<HierarchyJoint>, Vec<AnimatedComponents>), Error> {
    let (len, components) = (header.joints(text)?, header.components(text)?);
    text.take()?;
    text.punctuation(b'{')?;
    let (mut hierarchy, mut animated) = (Hierarchy::default(), Vec::new());
    for _ in 0..len {
        hierarchy.read(text)?;
        // Six bits.
        let flags = text.index("flags of components", 64)? as u8;
        let token = text.located_token();
        let start = usize::try_from(text.integer("a component")?).ok();
        let fits = |start: &usize| {
            let end = start.checked_add(flags.count_ones() as usize);
            flags == 0 || end.is_some_and(|end| end <= components)
        };
        let start = start.filter(fits).ok_or_else(|| {
            token.unexpected(format!(
                "an index with room for {} of the {components} components",
                flags.count_ones()
            ))
        });
        animated.push(AnimatedComponents { flags, start: start? });
    }
    text.punctuation(b'}')?;
    Ok((hierarchy.finish(report, prefix)?, animated))
}

/// Reads the bounds block. Bounds are only counted: the bounds of a skinned mesh are computed from
/// the mesh.
fn read_bounds(text: &mut Tokenizer<'_>) -> Result<(usize, WarningCount<TextLocation>), Error> {
    text.take()?;
    text.punctuation(b'{')?;
    let (mut len, mut inverted) = (0, WarningCount::default());
    while text.token() != Token::Punctuation(b'}') {
        let location = text.location();
        let [min, max] = [text.vector::<3>("a bound")?, text.vector("a bound")?];
        if min.iter().zip(&max).any(|(min, max)| min > max) {
            inverted.add(location);
        }
        len += 1;
    }
    text.take()?;
    Ok((len, inverted))
}

fn check_bounds(
    bounds: Option<(TextLocation, (usize, WarningCount<TextLocation>))>,
    frames: usize,
    (end, prefix): (TextLocation, &str),
    report: &mut Report,
) -> Result<(), Error> {
    let done = "bounds of the file are not used";
    let (location, (len, inverted)) = bounds.unwrap_or((end, (0, WarningCount::default())));
    if len != frames {
        report.warn(format!("{prefix}{location}"), format!("{len} bounds for {frames} frames"), done)?;
    }
    inverted.warn_at_first(report, prefix, "bounds are inverted", done)
}

fn read_base(text: &mut Tokenizer<'_>, header: &Header) -> Result<Vec<[f64; 6]>, Error> {
    let len = header.joints(text)?;
    text.take()?;
    text.punctuation(b'{')?;
    let mut base = Vec::new();
    for _ in 0..len {
        let [x, y, z] = text.vector("the position of a joint")?;
        let [qx, qy, qz] = text.vector("the rotation of a joint")?;
        base.push([x, y, z, qx, qy, qz]);
    }
    text.punctuation(b'}')?;
    Ok(base)
}

/// Reads all frames, up to the end of the file.
fn read_frames(text: &mut Tokenizer<'_>, frames: usize, components: usize) -> Result<Vec<f64>, Error> {
    // Never more than the rest of the file can hold, whatever its counts say.
    let most = text.bytes_left() / SHORTEST_COMPONENT;
    let mut values = Vec::with_capacity(frames.saturating_mul(components).min(most));
    for frame in 0..frames {
        text.keyword("frame")?;
        text.sequence_number("frame", frame)?;
        text.punctuation(b'{')?;
        for _ in 0..components {
            values.push(text.number("a component of the frame")?);
        }
        text.punctuation(b'}')?;
    }
    match text.token() {
        Token::End => Ok(values),
        _ => Err(text.unexpected(format!("the end of the file after {frames} frames"))),
    }
}
