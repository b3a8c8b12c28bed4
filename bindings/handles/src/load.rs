//! Models from files and from the bytes of files.

use sinew_io::{ClipFile, ExternalFiles, Import, ImportOptions, KeyTimes, Loader, RepairPolicy, Tangents};

use crate::objects::{MODELS, ModelObject};
use crate::records::{flag, float_mode};
use crate::{Error, Handle};

/// How a file is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct LoadSettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// 1: what would be repaired is an error.
    pub strict: u32,
    /// 1: key times out of order are sorted. 0: they are an error.
    pub repair_key_times: u32,
    /// 1: missing tangents are generated.
    pub generate_tangents: u32,
    /// 1: the same bits on every machine. 0: as fast as possible.
    pub reproducible: u32,
    /// 1: files anywhere may be opened. 0: only those in the model's folder.
    pub any_folder: u32,
    /// The most influences per vertex of a level of detail to prepare; 0 for none.
    pub level_of_detail: u32,
    /// Zero.
    pub reserved: u32,
    /// The most bytes that decoding may take; 0 for a limit that grows with the file.
    pub memory_budget: u64,
}

impl Default for LoadSettings {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            strict: 0,
            repair_key_times: 0,
            generate_tangents: 0,
            reproducible: 0,
            any_folder: 0,
            level_of_detail: 0,
            reserved: 0,
            memory_budget: 0,
        }
    }
}

impl LoadSettings {
    fn to_library(self, clips: Vec<ClipFile>) -> Result<ImportOptions, Error> {
        let mut options = ImportOptions::default()
            .float_mode(float_mode(self.reproducible)?)
            .clips(clips)
            .memory_budget((self.memory_budget != 0).then_some(self.memory_budget));
        if flag("strict", self.strict)? {
            options = options.repairs(RepairPolicy::Refuse);
        }
        if flag("repair of key times", self.repair_key_times)? {
            options = options.key_times(KeyTimes::Repair);
        }
        if flag("generated tangents", self.generate_tangents)? {
            options = options.tangents(Tangents::Generate);
        }
        if flag("any folder", self.any_folder)? {
            options = options.external_files(ExternalFiles::Anywhere);
        }
        if self.level_of_detail != 0 {
            options = options.levels(vec![self.level_of_detail as usize]);
        }
        Ok(options)
    }
}

/// Loads a model from a file. `clips` are the paths of MD5 clips, which are files of their own.
///
/// # Errors
///
/// If the file cannot be read or holds no valid model, or a setting is not valid.
#[inline(never)]
pub fn load(path: &str, clips: &[&str], settings: &LoadSettings) -> Result<Handle, Error> {
    let clips = clips.iter().map(|path| ClipFile::Path((*path).into())).collect();
    insert(loader().load(path, &settings.to_library(clips)?)?)
}

/// Loads a model from the bytes of a file. `clips` are names and contents of MD5 clips.
///
/// # Errors
///
/// If the bytes hold no valid model, or a setting is not valid.
#[inline(never)]
pub fn load_bytes(bytes: &[u8], clips: &[(&str, &[u8])], settings: &LoadSettings) -> Result<Handle, Error> {
    let clip =
        |&(name, bytes): &(&str, &[u8])| ClipFile::Bytes { name: name.to_owned(), bytes: bytes.to_vec() };
    let clips = clips.iter().map(clip).collect();
    insert(loader().load_bytes(bytes, &settings.to_library(clips)?)?)
}

/// All formats that are compiled in.
fn loader() -> Loader {
    let loader = Loader::default();
    #[cfg(feature = "fbx")]
    let loader = loader.with(sinew_fbx::FbxImporter);
    loader
}

fn insert(import: Import) -> Result<Handle, Error> {
    let warnings = import.warnings().iter().map(ToString::to_string).collect();
    MODELS.insert(ModelObject { model: import.model, warnings })
}
