//! The model that a command is about: a file, the standard input, or one made by rule.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use sinew::Model;
use sinew_figures::Scene;
use sinew_io::{ClipFile, KeyTimes, Noted, Oddities, Options, Outside, Report, same_file};

use crate::failure::say;
use crate::words::count;
use crate::{Failure, isa};

/// The most bytes that are taken from the standard input: as many as a GLB can have.
const MOST_INPUT: u64 = 1 << 32;

/// What the standard input is called in messages.
const STANDARD_INPUT: &str = "standard input";

/// Which model, and how it is read.
#[derive(Args, Debug)]
pub(crate) struct Source {
    /// A file of glTF, GLB or MD5; `-` for the standard input; or a model made by rule: @figure, @figure:VERTICES,
    /// @cylinder, @cylinder:WEIGHTS, @twist
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// Add a clip to a model of MD5, named after its file; may be given many times
    #[arg(long, value_name = "MD5ANIM", help_heading = "Reading")]
    pub(crate) with: Vec<PathBuf>,

    /// Refuse what is odd about a file instead of mending it
    #[arg(long, help_heading = "Reading")]
    pub(crate) strict: bool,

    /// Sort key times that are out of order instead of refusing them
    #[arg(long, help_heading = "Reading")]
    pub(crate) repair: bool,

    /// Open files that the model names outside its own folder
    #[arg(long, help_heading = "Reading")]
    pub(crate) allow_outside: bool,
}

/// What was read.
pub(crate) struct Loaded {
    pub(crate) model: Model,
    pub(crate) report: Report,
    /// The files that were opened.
    pub(crate) files: Vec<PathBuf>,
}

impl Source {
    /// Reads the model, or makes it.
    pub(crate) fn load(&self, levels: &[usize]) -> Result<Loaded, Failure> {
        self.load_as(&Options { levels: levels.to_vec(), ..self.options() })
    }

    /// The same, read in any way.
    pub(crate) fn load_as(&self, options: &Options) -> Result<Loaded, Failure> {
        let Noted { model, report, files } = self.look(options)?;
        Ok(Loaded { model: model?, report, files })
    }

    /// The same; what is odd is known also of a file that is refused.
    pub(crate) fn look(&self, options: &Options) -> Result<Noted, Failure> {
        // A wish for an instruction set that cannot be had is no fault of the file.
        let row = isa::chosen()?;
        if let Some(name) = self.rule() {
            let mut scene = self.make(name)?;
            scene.skeleton = scene.skeleton.with_kernels(row.kernels(options.float_mode));
            let model = scene.model_with_levels(&options.levels)?;
            return Ok(Noted { model: Ok(model), report: Report::default(), files: Vec::new() });
        }
        if self.is_standard_input() {
            let noted = sinew_io::read_bytes_noting(&standard_input()?, options);
            return Ok(Noted { model: noted.model.map_err(named), ..noted });
        }
        Ok(sinew_io::read_noting(&self.model, options))
    }

    fn make(&self, name: &str) -> Result<Scene, Failure> {
        if let Some(clip) = self.with.first() {
            let clip = clip.display();
            return Err(Failure::Usage(format!("--with {clip}: only a model of MD5 takes clips from files")));
        }
        sinew_figures::scene(name).map_err(|error| Failure::Usage(error.to_string()))
    }

    /// How files are read.
    pub(crate) fn options(&self) -> Options {
        Options {
            oddities: if self.strict { Oddities::Refuse } else { Oddities::Mend },
            key_times: if self.repair { KeyTimes::Repair } else { KeyTimes::Refuse },
            outside: if self.allow_outside { Outside::Allow } else { Outside::Refuse },
            clips: self.with.iter().cloned().map(ClipFile::Path).collect(),
            ..Options::default()
        }
    }

    /// The name of a model that is made by rule.
    fn rule(&self) -> Option<&str> {
        self.model.to_str().filter(|name| name.starts_with('@'))
    }

    fn is_standard_input(&self) -> bool {
        self.model == Path::new("-")
    }

    /// For headings and messages.
    pub(crate) fn name(&self) -> String {
        if self.is_standard_input() { STANDARD_INPUT.to_owned() } else { self.model.display().to_string() }
    }
}

/// The most vertices of all parts that are posed. Each takes about a hundred bytes, and a small file may have very many
/// nodes that show one mesh.
const MOST_VERTICES: usize = 1 << 25;

impl Loaded {
    /// Demands that all parts together are no more than memory has room for.
    pub(crate) fn refuse_vast(&self, source: &Source) -> Result<(), Failure> {
        let lens = (0..self.model.parts().len()).map(|part| self.model.surface(part).mesh.len());
        match lens.fold(0, usize::saturating_add) {
            0..=MOST_VERTICES => Ok(()),
            found => {
                let name = source.name();
                let expected = format!("expected at most {MOST_VERTICES} vertices in all parts together");
                Err(Failure::Input(format!("{name}: {expected}, found {found} vertices")))
            }
        }
    }

    /// Demands that what is to be written is none of the files that were read.
    pub(crate) fn refuse_input(&self, out: &Path) -> Result<(), Failure> {
        match self.files.iter().find(|file| same_file(file, out)) {
            None => Ok(()),
            Some(_) => {
                let out = out.display();
                Err(Failure::Input(format!("{out}: expected another file to write than those that are read")))
            }
        }
    }

    /// The model. Whoever sits at a terminal is told that something was mended.
    pub(crate) fn noted(self, source: &Source) -> Model {
        let odd = self.report.oddities().len();
        if odd > 0 && std::io::stderr().is_terminal() {
            let (name, odd) = (source.name(), count(odd, "mended place"));
            say(&format!("{name}: {odd}; `sinew check` tells which"));
        }
        self.model
    }
}

fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MOST_INPUT).read_to_end(&mut bytes);
    read.map_err(|source| sinew_io::Error::Io { file: PathBuf::from(STANDARD_INPUT), source })?;
    Ok(bytes)
}

/// An error that names no file is about the standard input.
fn named(mut error: sinew_io::Error) -> sinew_io::Error {
    use sinew_io::Error::{Fault, Model};
    if let Fault { file, .. } | Model { file, .. } = &mut error
        && file.as_os_str().is_empty()
    {
        *file = PathBuf::from(STANDARD_INPUT);
    }
    error
}
