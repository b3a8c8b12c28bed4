//! The hierarchy: joints with their offsets and channels.

use super::tokens::Tokens;
use crate::error::BoxedError as Error;
use crate::scene::Budget;
use crate::text_location::TextLocation;

/// The bytes that a joint takes with its sticks, as far as the scene does not count them.
const JOINT_BYTES: u64 = 256;

/// A joint, or an end site, which has no channels.
pub(super) struct BvhJoint {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    /// Relative to the parent.
    pub(super) offset: [f64; 3],
    /// In the order of the file, which is the order of multiplication.
    pub(super) channels: Vec<Channel>,
    /// The index of the first channel among all channels.
    pub(super) first_channel: usize,
}

/// What a channel moves, and along or about which axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    Position(usize),
    Rotation(usize),
}

const CHANNELS: [(&str, Channel); 6] = [
    ("Xposition", Channel::Position(0)),
    ("Yposition", Channel::Position(1)),
    ("Zposition", Channel::Position(2)),
    ("Xrotation", Channel::Rotation(0)),
    ("Yrotation", Channel::Rotation(1)),
    ("Zrotation", Channel::Rotation(2)),
];

/// A joint whose brace is still open.
struct OpenJoint {
    joint: usize,
    location: TextLocation,
    has_offset: bool,
    is_end: bool,
}

/// Reads all joints, parents first, up to the motion. Returns them with their number of channels.
pub(super) fn read(tokens: &mut Tokens<'_>, budget: &Budget) -> Result<(Vec<BvhJoint>, usize), Error> {
    tokens.expect("HIERARCHY")?;
    let (mut joints, mut channels) = (Vec::new(), 0);
    let mut open: Vec<OpenJoint> = Vec::new();
    loop {
        let location = tokens.location();
        let Some(current) = open.last_mut() else {
            if !tokens.take("ROOT") {
                break;
            }
            open.push(start_joint(tokens, &mut joints, None, location, budget)?);
            continue;
        };
        let parent = current.joint;
        if tokens.take("OFFSET") {
            current.has_offset = true;
            for component in &mut joints[parent].offset {
                *component = tokens.finite_number("three numbers of an offset")?;
            }
        } else if !current.is_end && joints[parent].channels.is_empty() && tokens.take("CHANNELS") {
            joints[parent].first_channel = channels;
            joints[parent].channels = read_channels(tokens)?;
            channels += joints[parent].channels.len();
        } else if !current.is_end && tokens.take("JOINT") {
            open.push(start_joint(tokens, &mut joints, Some(parent), location, budget)?);
        } else if !current.is_end && tokens.take("End") {
            tokens.expect("Site")?;
            let mut end = start_joint(tokens, &mut joints, Some(parent), location, budget)?;
            end.is_end = true;
            joints[end.joint].name = format!("{} end", joints[parent].name);
            budget.charge(location, "bytes of names", joints[end.joint].name.len() as u64, 2)?;
            open.push(end);
        } else if tokens.take("}") {
            if !current.has_offset {
                let found = format!("none in the joint at {}", current.location);
                return Err(Error::invalid(location.to_string(), "`OFFSET`", found));
            }
            open.pop();
        } else {
            return Err(tokens.unexpected("`OFFSET`, `CHANNELS`, `JOINT`, `End Site` or `}`"));
        }
    }
    if joints.is_empty() {
        return Err(tokens.unexpected("`ROOT`"));
    }
    Ok((joints, channels))
}

fn start_joint(
    tokens: &mut Tokens<'_>,
    joints: &mut Vec<BvhJoint>,
    parent: Option<usize>,
    location: TextLocation,
    budget: &Budget,
) -> Result<OpenJoint, Error> {
    let name = tokens.rest_of_line();
    budget.charge(location, "joints", 1, JOINT_BYTES + 2 * name.len() as u64)?;
    tokens.expect("{")?;
    joints.push(BvhJoint { name, parent, offset: [0.0; 3], channels: Vec::new(), first_channel: 0 });
    Ok(OpenJoint { joint: joints.len() - 1, location, has_offset: false, is_end: false })
}

fn read_channels(tokens: &mut Tokens<'_>) -> Result<Vec<Channel>, Error> {
    let count = tokens.count("a number of channels", "Xposition".len())?;
    let mut channels = Vec::with_capacity(count.min(CHANNELS.len()));
    for _ in 0..count {
        let word = tokens.peek();
        let known = CHANNELS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name.as_bytes()));
        let Some((_, channel)) = known else {
            return Err(tokens.unexpected("a channel such as `Xposition` or `Zrotation`"));
        };
        if channels.contains(channel) {
            return Err(tokens.unexpected("each channel of a joint once"));
        }
        channels.push(*channel);
        tokens.next_word();
    }
    Ok(channels)
}
