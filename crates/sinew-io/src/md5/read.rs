//! From the bytes of files to a model.

use std::borrow::Cow;
use std::path::PathBuf;

use sinew::{Kernels, Model, ModelSource, Part, Up};

use super::anim::Anim;
use super::budget::Budget;
use super::clip::clip;
use super::joints::{Joints, SHORTEST_JOINT};
use super::mesh::Block;
use super::surface::Surfaces;
use super::text::{BYTE_ORDER_MARK, Place, Text, Token};
use crate::{Error, Options, Report};

/// What a lone `.md5anim` holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AnimSummary {
    /// The number of joints that it is for.
    pub(crate) joints: usize,
    /// The number of frames: one or more.
    pub(crate) frames: usize,
    /// Frames in a second.
    pub(crate) frame_rate: f64,
}

/// What is in the file of a clip.
pub(crate) struct ClipText<'a> {
    /// The clip's name.
    pub(crate) name: String,
    /// For messages.
    pub(crate) file: PathBuf,
    pub(crate) bytes: Cow<'a, [u8]>,
}

/// Whether the bytes are those of an MD5 file: they begin with its version, or with a word that
/// follows it.
pub(crate) fn is_md5(bytes: &[u8]) -> bool {
    Text::new(bytes)
        .is_ok_and(|text| text.token() == Token::Word(VERSION) || begins_unversioned(text.token()))
}

const VERSION: &[u8] = b"MD5Version";

/// Whether a file can begin with this word where the version is missing, as in files of two shipped
/// games.
fn begins_unversioned(token: Token<'_>) -> bool {
    let Token::Word(word) = token else { return false };
    matches!(word, b"commandline" | b"numJoints" | b"numMeshes" | b"numFrames")
}

/// The model of an `.md5mesh`, with clips from `.md5anim` files.
///
/// # Errors
///
/// The first fault, with its line and column; one in a clip has the clip's file.
pub(crate) fn read_mesh(
    bytes: &[u8],
    clips: &[ClipText<'_>],
    options: &Options,
    report: &mut Report,
) -> Result<Model, Error> {
    let len = clips.iter().fold(bytes.len() as u64, |sum, clip| sum.saturating_add(clip.bytes.len() as u64));
    let mut reading = Reading {
        text: begin(bytes, "", report)?,
        budget: Budget::new(options, len),
        joint_len: None,
        mesh_len: None,
        joints: None,
        surfaces: Surfaces::new(options),
        kernels: options.kernels(),
    };
    while reading.text.token() != Token::End {
        reading.step(report)?;
    }
    let (joints, surfaces, mut budget) = reading.finish(report)?;
    let mut source = ModelSource { up: Up::Z, ..ModelSource::new(joints.skeleton.clone()) };
    for ClipText { name, file, bytes } in clips {
        let read = read_clip(name, bytes, &joints, &mut budget, report);
        source.clips.push(read.map_err(|error| error.in_file(file))?);
    }
    source.parts = parts(&surfaces);
    source.surfaces = surfaces.made;
    source.materials = surfaces.materials.all;
    source.skins.push(joints.skin);
    Model::new(source).map_err(|error| Error::model("", error))
}

/// Checks a lone `.md5anim`.
///
/// # Errors
///
/// The first fault, with its line and column.
pub(crate) fn check_anim(bytes: &[u8], options: &Options, report: &mut Report) -> Result<AnimSummary, Error> {
    let mut budget = Budget::new(options, bytes.len() as u64);
    let anim = Anim::read(&mut begin(bytes, "", report)?, "", &mut budget, report)?;
    Ok(AnimSummary { joints: anim.joints.len(), frames: anim.frames, frame_rate: anim.frame_rate })
}

/// The bytes of the shortest block, `mesh{}`.
const SHORTEST_MESH: usize = 6;

/// What was read of an `.md5mesh` so far.
struct Reading<'a> {
    text: Text<'a>,
    budget: Budget,
    joint_len: Option<usize>,
    mesh_len: Option<(Place, usize)>,
    joints: Option<Joints>,
    surfaces: Surfaces,
    kernels: Result<&'static Kernels, sinew::Error>,
}

impl Reading<'_> {
    /// Reads the next count or block.
    fn step(&mut self, report: &mut Report) -> Result<(), Error> {
        let text = &mut self.text;
        let place = text.place();
        match (text.token(), &self.joints) {
            (Token::Word(b"commandline"), _) => skip_command_line(text)?,
            (Token::Word(b"numJoints"), _) if self.joint_len.is_none() => {
                text.take()?;
                self.joint_len = Some(text.count("the number of joints", SHORTEST_JOINT)?);
            }
            (Token::Word(b"numMeshes"), _) if self.mesh_len.is_none() => {
                text.take()?;
                self.mesh_len = Some((place, text.count("the number of meshes", SHORTEST_MESH)?));
            }
            (Token::Word(b"joints"), None) => {
                let len = self.joint_len.ok_or_else(|| text.fault("`numJoints` before the joints"))?;
                text.take()?;
                let joints = Joints::read(text, len, &mut self.budget, report)?;
                let joints = self.kernels.clone().and_then(|kernels| joints.on(kernels));
                self.joints = Some(joints.map_err(|error| Error::model(place.to_string(), error))?);
            }
            (Token::Word(b"mesh"), Some(joints)) => {
                text.take()?;
                let block = Block::read(text, place, joints.binds.len(), &mut self.budget)?;
                self.surfaces.add(&block, joints, &mut self.budget)?;
            }
            (Token::Word(b"mesh"), None) => return Err(text.fault("`joints` before the meshes")),
            _ => return Err(text.fault("`numJoints`, `numMeshes` and `joints`, each once, or `mesh`")),
        }
        Ok(())
    }

    /// What was read, once all is.
    fn finish(self, report: &mut Report) -> Result<(Joints, Surfaces, Budget), Error> {
        let missing = |what: &str| self.text.fault(what);
        let joints = self.joints.ok_or_else(|| missing("`joints`"))?;
        let (place, len) = self.mesh_len.ok_or_else(|| missing("`numMeshes`"))?;
        check_mesh_len(&place.to_string(), len, self.surfaces.made.len(), report)?;
        self.surfaces.note(report)?;
        Ok((joints, self.surfaces, self.budget))
    }
}

fn read_clip(
    name: &str,
    bytes: &[u8],
    joints: &Joints,
    budget: &mut Budget,
    report: &mut Report,
) -> Result<sinew::Clip, Error> {
    let within = format!("clip {name}, ");
    let mut text = begin(bytes, &within, report)?;
    let anim = Anim::read(&mut text, &within, budget, report)?;
    clip(name, &anim, joints, budget, report)
}

/// Passes the version, which may be missing.
fn begin<'a>(bytes: &'a [u8], within: &str, report: &mut Report) -> Result<Text<'a>, Error> {
    let mut text = Text::new(bytes)?;
    if bytes.starts_with(BYTE_ORDER_MARK) {
        report.note(format!("{within}line 1, column 1"), "a byte order mark", "it was skipped")?;
    }
    if begins_unversioned(text.token()) {
        let place = format!("{within}{}", text.place());
        report.note(place, "no version before the first word", "version 10 was assumed")?;
        return Ok(text);
    }
    text.keyword("MD5Version")?;
    let spot = text.spot();
    if text.integer("the version")? != 10 {
        return Err(spot.fault("version 10"));
    }
    Ok(text)
}

/// Exporters write anything there, quotes within quotes too.
pub(super) fn skip_command_line(text: &mut Text<'_>) -> Result<(), Error> {
    text.take()?;
    while !ends_command_line(text.token()) {
        text.take()?;
    }
    Ok(())
}

fn ends_command_line(token: Token<'_>) -> bool {
    match token {
        Token::Word(word) => {
            matches!(
                word,
                b"numJoints" | b"numMeshes" | b"joints" | b"numFrames" | b"frameRate" | b"hierarchy"
            )
        }
        Token::End => true,
        Token::Quoted(_) | Token::Mark(_) => false,
    }
}

/// A shipped model says two and has one, so only a count that nothing can explain is a fault.
fn check_mesh_len(place: &str, said: usize, found: usize, report: &mut Report) -> Result<(), Error> {
    if said == found {
        return Ok(());
    }
    if said == 0 || found == 0 {
        return Err(Error::fault(
            place,
            format!("{said} meshes, as it says here"),
            format!("{found} meshes"),
        ));
    }
    let oddity = format!("the number of meshes is {said}, where there are {found}");
    report.note(place, oddity, "those that are there were read")
}

fn parts(surfaces: &Surfaces) -> Vec<Part> {
    let part = |(surface, made): (usize, &sinew::Surface)| Part {
        name: made.name.clone(),
        joint: 0,
        surface,
        skin: 0,
        morph_weights: 0..0,
    };
    surfaces.made.iter().enumerate().map(part).collect()
}
