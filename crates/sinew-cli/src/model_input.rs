//! The model that a command works on: a file, standard input, or a procedural model.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use sinew::{Model, Runtime};
use sinew_fbx::FbxImporter;
use sinew_figures::Scene;
use sinew_io::{
    ClipFile, ExternalFiles, ImportOptions, ImportOutcome, KeyTimes, Loader, RepairPolicy, Report, Vrm,
    picture_name, same_file,
};

use crate::error::print_stderr;
use crate::notes::note;
use crate::text::count;
use crate::{CliError, isa};

/// The most bytes read from standard input: the largest size a GLB can have.
const MAX_INPUT_BYTES: u64 = 1 << 32;

/// The name of standard input in messages.
const STANDARD_INPUT: &str = "standard input";

/// Arguments that select a model and say how to read it.
#[derive(Args, Debug)]
pub(crate) struct ModelInput {
    /// A glTF, GLB, VRM, FBX, MD5 or BVH file; `-` for standard input; or a procedural model:
    /// @figure, @figure:VERTICES, @cylinder, @cylinder:WEIGHTS, @ponytail, @twist
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// Add a clip to an MD5 model, named after its file; may be repeated
    #[arg(long, value_name = "MD5ANIM", help_heading = "Reading")]
    pub(crate) with: Vec<PathBuf>,

    /// Treat warnings as errors instead of repairing the data
    #[arg(long, help_heading = "Reading")]
    pub(crate) strict: bool,

    /// Sort key times that are out of order instead of rejecting the file
    #[arg(long, help_heading = "Reading")]
    pub(crate) repair: bool,

    /// Open files outside the model's own folder when the model refers to them
    #[arg(long, help_heading = "Reading")]
    pub(crate) allow_outside: bool,
}

/// A model that was read, with its warnings.
pub(crate) struct LoadedModel {
    pub(crate) model: Model,
    pub(crate) report: Report,
    /// The files that were opened.
    pub(crate) files: Vec<PathBuf>,
    /// What the file has and the model does not keep.
    pub(crate) dropped: Vec<String>,
    /// The materials whose pictures were looked for beside the file, and not found.
    pub(crate) missing_pictures: Vec<usize>,
    /// The VRM data of the file.
    pub(crate) vrm: Option<Vrm>,
}

impl ModelInput {
    /// Reads or builds the model, with these levels of detail for its meshes.
    pub(crate) fn load(&self, levels: &[usize]) -> Result<LoadedModel, CliError> {
        self.load_with(&self.options().levels(levels.to_vec()))
    }

    /// Reads or builds the model with any options.
    pub(crate) fn load_with(&self, options: &ImportOptions) -> Result<LoadedModel, CliError> {
        let ImportOutcome { model, report, files, dropped, missing_pictures, vrm } = self.import(options)?;
        Ok(LoadedModel { model: model?, report, files, dropped, missing_pictures, vrm })
    }

    /// Reads or builds the model. The outcome has the warnings even when the file is rejected.
    pub(crate) fn import(&self, options: &ImportOptions) -> Result<ImportOutcome, CliError> {
        // First, so that an unavailable instruction set is not reported as an error of the file.
        let backend = isa::chosen_backend()?;
        if let Some(name) = self.procedural_name() {
            self.note_unused_options(name);
            let mut scene = self.build_scene(name)?;
            scene.skeleton = scene.skeleton.with_runtime(Runtime::with_backend(backend, options.float_mode));
            let model = scene.model_with_levels(&options.levels)?;
            return Ok(ImportOutcome {
                model: Ok(model),
                report: Report::default(),
                files: Vec::new(),
                dropped: Vec::new(),
                missing_pictures: Vec::new(),
                vrm: None,
            });
        }
        if self.is_standard_input() {
            let outcome = loader().load_bytes_outcome(&read_standard_input()?, options);
            return Ok(ImportOutcome { model: outcome.model.map_err(name_standard_input), ..outcome });
        }
        Ok(loader().load_outcome(&self.model, options))
    }

    fn build_scene(&self, name: &str) -> Result<Scene, CliError> {
        if let Some(clip) = self.with.first() {
            let clip = clip.display();
            return Err(CliError::Usage(format!("--with {clip}: expected an MD5 model, found {name}")));
        }
        sinew_figures::scene(name).map_err(|error| CliError::Usage(error.to_string()))
    }

    /// Notes the options for reading files that a procedural model does not need.
    fn note_unused_options(&self, name: &str) {
        let options =
            [("--strict", self.strict), ("--repair", self.repair), ("--allow-outside", self.allow_outside)];
        for (option, _) in options.into_iter().filter(|&(_, given)| given) {
            note(&format!("{option} has no effect: {name} is not read from a file"));
        }
    }

    /// The MD5 clips in the folder of an MD5 model, sorted, as `--with` takes them.
    pub(crate) fn md5_clips_beside(&self) -> Vec<PathBuf> {
        let has_ending = |path: &Path, expected: &str| {
            path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(expected))
        };
        if !has_ending(&self.model, "md5mesh") {
            return Vec::new();
        }
        let folder = self.model.parent().filter(|folder| !folder.as_os_str().is_empty());
        let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
        let paths = entries.map(|entry| match folder {
            Some(folder) => folder.join(entry.file_name()),
            None => PathBuf::from(entry.file_name()),
        });
        let mut clips: Vec<_> = paths.filter(|path| has_ending(path, "md5anim")).collect();
        clips.sort();
        clips
    }

    /// The import options that the arguments select.
    pub(crate) fn options(&self) -> ImportOptions {
        ImportOptions::default()
            .repairs(if self.strict { RepairPolicy::Refuse } else { RepairPolicy::Repair })
            .key_times(if self.repair { KeyTimes::Repair } else { KeyTimes::Refuse })
            .external_files(if self.allow_outside {
                ExternalFiles::Anywhere
            } else {
                ExternalFiles::WithinFolder
            })
            .clips(self.with.iter().cloned().map(ClipFile::Path).collect())
    }

    /// The name of a procedural model, which starts with `@`.
    fn procedural_name(&self) -> Option<&str> {
        self.model.to_str().filter(|name| name.starts_with('@'))
    }

    fn is_standard_input(&self) -> bool {
        self.model == Path::new("-")
    }

    /// The name of the model in headings and messages.
    pub(crate) fn name(&self) -> String {
        if self.is_standard_input() { STANDARD_INPUT.to_owned() } else { self.model.display().to_string() }
    }
}

/// The most vertices, summed over all mesh instances, of a model that is skinned. Each takes about
/// a hundred bytes, and a small file may instance one mesh very many times.
const MAX_VERTICES: usize = 1 << 25;

impl LoadedModel {
    /// The name, without ending, of the picture of a material that was looked for beside the model and
    /// not found. `None` also for a mesh that names no material.
    pub(crate) fn missing_picture(&self, material: usize) -> Option<&str> {
        let name =
            self.missing_pictures.contains(&material).then(|| &*self.model.materials()[material].name)?;
        Some(picture_name(name)).filter(|name| !name.is_empty())
    }

    /// Checks that skinning all mesh instances fits into memory.
    pub(crate) fn check_vertex_limit(&self, input: &ModelInput) -> Result<(), CliError> {
        let lens =
            (0..self.model.mesh_instances().len()).map(|instance| self.model.primitive(instance).mesh.len());
        match lens.fold(0, usize::saturating_add) {
            0..=MAX_VERTICES => Ok(()),
            found => {
                let name = input.name();
                let expected = format!("expected at most {MAX_VERTICES} vertices in all mesh instances");
                Err(CliError::Input(format!("{name}: {expected}, found {found} vertices")))
            }
        }
    }

    /// Checks that dual quaternions can skin all meshes: those in joint space they cannot.
    pub(crate) fn check_dual_quaternions(&self, input: &ModelInput) -> Result<(), CliError> {
        let mut primitives = self.model.primitives().iter();
        if !primitives.any(|primitive| primitive.mesh.has_joint_space_influences()) {
            return Ok(());
        }
        let name = input.name();
        let expected =
            "expected influences in model space for dual quaternions, found joint space, as MD5 has it";
        Err(CliError::Input(format!("{name}: {expected}; `sinew convert` makes a GLB in model space")))
    }

    /// Checks that an output file is none of the files that were read.
    pub(crate) fn check_not_input(&self, out: &Path) -> Result<(), CliError> {
        match self.files.iter().find(|file| same_file(file, out)) {
            None => Ok(()),
            Some(_) => {
                let out = out.display();
                Err(CliError::Input(format!("{out}: expected an output file that is not also read")))
            }
        }
    }

    /// The model. When standard error is a terminal, prints how many warnings there are.
    pub(crate) fn into_model(self, input: &ModelInput) -> Model {
        let warnings = self.report.warnings().len();
        if warnings > 0 && std::io::stderr().is_terminal() {
            let (name, warnings) = (input.name(), count(warnings, "warning"));
            print_stderr(&format!("{name}: {warnings}; `sinew check` lists them"));
        }
        self.model
    }
}

/// Reads all formats of the libraries, and FBX.
fn loader() -> Loader {
    Loader::default().with(FbxImporter)
}

fn read_standard_input() -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_INPUT_BYTES).read_to_end(&mut bytes);
    read.map_err(|source| sinew_io::Error::Io { file: PathBuf::from(STANDARD_INPUT), source })?;
    Ok(bytes)
}

/// Names standard input in an error that names no file.
fn name_standard_input(mut error: sinew_io::Error) -> sinew_io::Error {
    use sinew_io::Error::{Invalid, Model};
    if let Invalid { file, .. } | Model { file, .. } = &mut error
        && file.as_os_str().is_empty()
    {
        *file = PathBuf::from(STANDARD_INPUT);
    }
    error
}
