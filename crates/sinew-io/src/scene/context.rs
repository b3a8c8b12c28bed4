//! What an importer may use: options, the report, the memory budget, and files beside its own.

use std::fmt::Display;

use super::budget::Budget;
use crate::sandbox::SandboxedFolder;
use crate::{Error, ImageFiles, ImportOptions, Report};

/// The options, the report and the memory budget of one import. Every importer and the checks of
/// the [`RawScene`](crate::RawScene) share it.
pub struct ImportContext<'a> {
    pub(crate) options: &'a ImportOptions,
    pub(crate) report: &'a mut Report,
    pub(crate) budget: Budget,
    /// The folder of the imported file; `None` for bytes from memory.
    pub(crate) folder: Option<&'a SandboxedFolder>,
}

impl<'a> ImportContext<'a> {
    pub(crate) fn new(
        options: &'a ImportOptions,
        report: &'a mut Report,
        folder: Option<&'a SandboxedFolder>,
        input: u64,
    ) -> Self {
        Self { options, report, budget: Budget::new(options, input), folder }
    }

    /// The options of the import.
    #[must_use]
    pub fn options(&self) -> &ImportOptions {
        self.options
    }

    /// Adds a warning about data that was repaired: where, what was found, and what was done.
    ///
    /// # Errors
    ///
    /// In a strict import, the warning itself.
    pub fn warn(
        &mut self,
        location: impl Into<String>,
        found: impl Into<String>,
        action: impl Into<String>,
    ) -> Result<(), Error> {
        Ok(self.report.warn(location, found, action)?)
    }

    /// Subtracts bytes from the memory budget. Call it before allocating memory whose size the file
    /// states.
    ///
    /// # Errors
    ///
    /// When the budget is exceeded.
    pub fn spend(&self, bytes: u64, location: impl Display) -> Result<(), Error> {
        Ok(self.budget.spend(bytes, location)?)
    }

    /// The bytes that are left of the memory budget.
    #[must_use]
    pub fn memory_left(&self) -> u64 {
        self.budget.left()
    }

    /// The bytes of an external image; `None` if the options do not load images. A missing file is
    /// an error in either case, if there is a folder.
    pub(super) fn image_file(&self, uri: &str, location: &str) -> Result<Option<Vec<u8>>, Error> {
        let load = self.options.image_files == ImageFiles::Load;
        let Some(folder) = self.folder else {
            if !load {
                return Ok(None);
            }
            let found = format!("{:?}", uri.chars().take(80).collect::<String>());
            return Err(Error::invalid(location, "no external files in a document from memory", found));
        };
        if !load {
            return folder.check(uri, location).map(|()| None);
        }
        let file = folder.open(uri, location)?;
        let len = usize::try_from(file.len)
            .map_err(|_| Error::invalid(location, "a file that fits in memory", file.len.to_string()))?;
        Ok(Some(self.budget.read_file(file, len, location)?))
    }
}
