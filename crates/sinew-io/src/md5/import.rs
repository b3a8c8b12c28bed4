//! Reads MD5 files into a scene.

use std::borrow::Cow;
use std::path::PathBuf;

use sinew::model::UpAxis;

use super::anim::Anim;
use super::clip::animation;
use super::joints::{Joints, SHORTEST_JOINT};
use super::mesh_block::MeshBlock;
use super::mesh_builder::MeshBuilder;
use super::pictures::find_pictures;
use super::tokenizer::{BYTE_ORDER_MARK, Token, Tokenizer};
use crate::error::BoxedError;
use crate::sandbox::read_file;
use crate::scene::Budget;
use crate::text_location::TextLocation;
use crate::{
    ClipFile, Error, ImportContext, ImportOptions, Importer, RawAnimation, RawMesh, RawScene, Report,
};

/// The contents of an `.md5anim` file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AnimSummary {
    /// The number of joints.
    pub(crate) joints: usize,
    /// The number of frames: one or more.
    pub(crate) frames: usize,
    /// Frames per second.
    pub(crate) frame_rate: f64,
}

/// The text of a clip file.
struct ClipText<'a> {
    /// The clip's name.
    name: String,
    /// The file, for error messages.
    file: PathBuf,
    bytes: Cow<'a, [u8]>,
}

/// Whether the bytes start like an MD5 file: with its version, or with one of the keywords that
/// follow it.
pub(super) fn is_md5(bytes: &[u8]) -> bool {
    Tokenizer::new(bytes)
        .is_ok_and(|text| text.token() == Token::Word(VERSION) || starts_unversioned(text.token()))
}

const VERSION: &[u8] = b"MD5Version";

/// Whether a file without a version can start with this token. The files of two shipped games do.
fn starts_unversioned(token: Token<'_>) -> bool {
    let Token::Word(word) = token else { return false };
    matches!(word, b"commandline" | b"numJoints" | b"numMeshes" | b"numFrames")
}

/// DOOM 3's `.md5mesh`, with clips from `.md5anim` files.
pub(crate) struct Md5Importer;

impl Importer for Md5Importer {
    fn name(&self) -> &'static str {
        "MD5"
    }

    fn detect(&self, bytes: &[u8]) -> bool {
        is_md5(bytes)
    }

    fn takes_clips(&self) -> bool {
        true
    }

    /// The first error has a line and a column. An error in a clip names the clip's file.
    fn read<'a>(&self, bytes: &'a [u8], context: &mut ImportContext<'_>) -> Result<RawScene<'a>, Error> {
        let ImportContext { options, report, budget, .. } = context;
        let clips: Vec<_> = options.clips.iter().map(load_clip).collect::<Result<_, _>>()?;
        for clip in &clips {
            budget.grow(clip.bytes.len() as u64);
        }
        let mut import = MeshImport {
            text: read_version(bytes, "", report)?,
            budget,
            joint_count: None,
            mesh_count: None,
            joints: None,
            meshes: MeshBuilder::default(),
        };
        while import.text.token() != Token::End {
            import.read_next(report)?;
        }
        let (joints, meshes) = import.finish(report)?;
        let mut scene = RawScene { up: UpAxis::Z, nodes: joints.nodes(), ..RawScene::default() };
        for ClipText { name, file, bytes } in &clips {
            let animation = read_clip(name, bytes, &joints, budget, report);
            scene.animations.push(animation.map_err(|error| Error::from(error).in_file(file))?);
        }
        scene.skins.push(joints.skin());
        scene.materials = meshes.materials.all;
        find_pictures(&mut scene, context)?;
        scene.meshes.push(RawMesh { primitives: meshes.primitives, ..RawMesh::default() });
        if let Some(root) = scene.nodes.first_mut() {
            (root.mesh, root.skin) = (Some(0), Some(0));
        }
        Ok(scene)
    }
}

fn load_clip(clip: &ClipFile) -> Result<ClipText<'_>, Error> {
    match clip {
        ClipFile::Path(path) => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Ok(ClipText { name, file: path.clone(), bytes: read_file(path)?.into() })
        }
        ClipFile::Bytes { name, bytes } => {
            Ok(ClipText { name: name.clone(), file: name.into(), bytes: bytes.into() })
        }
    }
}

/// Checks an `.md5anim` file.
///
/// # Errors
///
/// The first error, with line and column.
pub(crate) fn check_anim(
    bytes: &[u8],
    options: &ImportOptions,
    report: &mut Report,
) -> Result<AnimSummary, Error> {
    let budget = Budget::new(options, bytes.len() as u64);
    let anim = Anim::read(&mut read_version(bytes, "", report)?, "", &budget, report)?;
    Ok(AnimSummary { joints: anim.joints.len(), frames: anim.frames, frame_rate: anim.frame_rate })
}

/// The bytes of the shortest mesh block, `mesh{}`.
const SHORTEST_MESH: usize = 6;

/// What has been read of an `.md5mesh` file so far.
struct MeshImport<'a> {
    text: Tokenizer<'a>,
    budget: &'a Budget,
    joint_count: Option<usize>,
    mesh_count: Option<(TextLocation, usize)>,
    joints: Option<Joints>,
    meshes: MeshBuilder,
}

impl MeshImport<'_> {
    /// Reads the next count or block.
    fn read_next(&mut self, report: &mut Report) -> Result<(), BoxedError> {
        let text = &mut self.text;
        let location = text.location();
        match (text.token(), &self.joints) {
            (Token::Word(b"commandline"), _) => skip_command_line(text)?,
            (Token::Word(b"numJoints"), _) if self.joint_count.is_none() => {
                text.take()?;
                self.joint_count = Some(text.count("the number of joints", SHORTEST_JOINT)?);
            }
            (Token::Word(b"numMeshes"), _) if self.mesh_count.is_none() => {
                text.take()?;
                self.mesh_count = Some((location, text.count("the number of meshes", SHORTEST_MESH)?));
            }
            (Token::Word(b"joints"), None) => {
                let len = self.joint_count.ok_or_else(|| text.unexpected("`numJoints` before the joints"))?;
                text.take()?;
                self.joints = Some(Joints::read(text, len, self.budget, report)?);
            }
            (Token::Word(b"mesh"), Some(joints)) => {
                text.take()?;
                let block = MeshBlock::read(text, location, joints.binds.len(), self.budget)?;
                self.meshes.add(&block, joints, self.budget)?;
            }
            (Token::Word(b"mesh"), None) => return Err(text.unexpected("`joints` before the meshes")),
            (Token::Word(b"numFrames" | b"hierarchy"), None) => {
                let expected = "an MD5 model (.md5mesh)";
                let found = "an MD5 clip (.md5anim); give it together with its model, as --with does";
                return Err(BoxedError::invalid(location.to_string(), expected, found));
            }
            _ => return Err(text.unexpected("`numJoints`, `numMeshes` and `joints`, each once, or `mesh`")),
        }
        Ok(())
    }

    /// Checks that nothing is missing, and returns what has been read.
    fn finish(self, report: &mut Report) -> Result<(Joints, MeshBuilder), BoxedError> {
        let missing = |what: &str| self.text.unexpected(what);
        let joints = self.joints.ok_or_else(|| missing("`joints`"))?;
        let (location, len) = self.mesh_count.ok_or_else(|| missing("`numMeshes`"))?;
        check_mesh_count(&location.to_string(), len, self.meshes.primitives.len(), report)?;
        self.meshes.report_warnings(report)?;
        Ok((joints, self.meshes))
    }
}

fn read_clip(
    name: &str,
    bytes: &[u8],
    joints: &Joints,
    budget: &Budget,
    report: &mut Report,
) -> Result<RawAnimation<'static>, BoxedError> {
    let prefix = format!("clip {name}, ");
    let mut text = read_version(bytes, &prefix, report)?;
    let anim = Anim::read(&mut text, &prefix, budget, report)?;
    animation(name, &anim, joints, budget, report)
}

/// Reads the version, which may be missing.
fn read_version<'a>(bytes: &'a [u8], prefix: &str, report: &mut Report) -> Result<Tokenizer<'a>, BoxedError> {
    let mut text = Tokenizer::new(bytes)?;
    if bytes.starts_with(BYTE_ORDER_MARK) {
        report.warn(format!("{prefix}line 1, column 1"), "a byte order mark", "it was skipped")?;
    }
    if starts_unversioned(text.token()) {
        let location = format!("{prefix}{}", text.location());
        report.warn(location, "no version before the first word", "version 10 was assumed")?;
        return Ok(text);
    }
    text.keyword("MD5Version")?;
    let token = text.located_token();
    if text.integer("the version")? != 10 {
        return Err(token.unexpected("version 10"));
    }
    Ok(text)
}

/// Skips the command line. Exporters write anything there, even quotes within quotes.
pub(super) fn skip_command_line(text: &mut Tokenizer<'_>) -> Result<(), BoxedError> {
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
        Token::Quoted(_) | Token::Punctuation(_) => false,
    }
}

/// Checks the number of meshes. A shipped model declares two and has one, so only zero against more
/// is an error.
fn check_mesh_count(
    location: &str,
    declared: usize,
    found: usize,
    report: &mut Report,
) -> Result<(), BoxedError> {
    if declared == found {
        return Ok(());
    }
    if declared == 0 || found == 0 {
        return Err(BoxedError::invalid(
            location,
            format!("{declared} meshes, as declared here"),
            format!("{found} meshes"),
        ));
    }
    let found = format!("{declared} meshes are declared, but there are {found}");
    report.warn(location, found, "all meshes of the file were imported")
}
