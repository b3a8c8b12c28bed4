//! One output: a file of all frames, or a file for each.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sinew::Model;
use sinew_io::{
    Baked, Error, Existing, Mdd, Pc2, Turn, WholeFile, save_obj, write_mtl, write_npz, write_obj, write_ply,
    write_posed_glb, write_whole,
};

use super::force_helps;
use super::format::Format;
use super::frames::Frames;
use super::plan::Plan;
use crate::Failure;
use crate::progress::Progress;
use crate::source::Loaded;

/// What is baked, and where to.
pub(super) struct Job {
    pub(super) clip: Option<usize>,
    /// As it was asked for: the frames of a sequence are named after it.
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) plan: Plan,
    pub(super) existing: Existing,
}

impl Job {
    /// How often all frames are posed.
    pub(super) fn passes(&self) -> usize {
        if self.format == Format::Npz { 2 } else { 1 }
    }

    pub(super) fn write(
        &self,
        frames: &mut Frames<'_>,
        baked: &mut Baked,
        progress: &Progress,
    ) -> Result<(), Error> {
        let mut next = |baked: &mut Baked| {
            frames.next(baked)?;
            progress.step();
            Ok(())
        };
        match self.format {
            Format::Obj | Format::Ply | Format::Glb => self.write_meshes(next, baked),
            Format::Pc2 => self.whole(|file| {
                let mut cache = Pc2::begin(file, baked.positions().len(), self.plan.frames, 0.0, 1.0)?;
                for _ in 0..self.plan.frames {
                    next(baked)?;
                    cache.frame(baked.positions())?;
                }
                cache.end().map(|_| ())
            }),
            Format::Mdd => self.whole(|file| {
                let seconds: Vec<f32> = self.seconds().map(|seconds| seconds as f32).collect();
                let mut cache = Mdd::begin(file, baked.positions().len(), &seconds)?;
                for _ in 0..self.plan.frames {
                    next(baked)?;
                    cache.frame(baked.positions())?;
                }
                cache.end().map(|_| ())
            }),
            Format::Npz => self.whole(|file| {
                let seconds: Vec<f64> = self.seconds().collect();
                write_npz(file, baked, &seconds, |_, baked| next(baked))
            }),
        }
    }

    fn write_meshes(
        &self,
        mut next: impl FnMut(&mut Baked) -> Result<(), Error>,
        baked: &mut Baked,
    ) -> Result<(), Error> {
        if !self.plan.is_sequence {
            next(baked)?;
            return self.write_mesh(baked);
        }
        let materials = self.materials(baked.model());
        let name = materials.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
        for (frame, path) in self.files().enumerate() {
            next(baked)?;
            // Only when a frame can be posed at all.
            if let Some(materials) = materials.as_deref().filter(|_| frame == 0) {
                write_whole(materials, self.existing, |to| write_mtl(to, baked.model()))?;
            }
            write_whole(path, self.existing, |to| match self.format {
                Format::Obj => write_obj(to, baked, name),
                _ => write_ply(to, baked),
            })?;
        }
        Ok(())
    }

    fn write_mesh(&self, baked: &Baked) -> Result<(), Error> {
        match self.format {
            Format::Obj => save_obj(&self.path, baked, self.existing),
            Format::Glb => self.whole(|to| write_posed_glb(to, baked, Turn::None)),
            _ => self.whole(|to| write_ply(to, baked)),
        }
    }

    fn whole(&self, write: impl FnOnce(&mut WholeFile) -> Result<(), Error>) -> Result<(), Error> {
        write_whole(&self.path, self.existing, write)
    }

    fn seconds(&self) -> impl Iterator<Item = f64> {
        (0..self.plan.frames).map(|frame| self.plan.seconds(frame))
    }

    /// The materials that all frames of a sequence of OBJ share. The name stands in a line of each.
    fn materials(&self, model: &Model) -> Option<PathBuf> {
        let path = self.path.with_extension("mtl");
        let plain = path.file_name()?.to_str().is_some_and(|name| !name.contains(char::is_control));
        (self.format == Format::Obj && plain && !model.materials().is_empty()).then_some(path)
    }

    /// The files that are written, in order.
    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let sequence = self.plan.is_sequence && self.format.is_mesh();
        let path = move |frame| if sequence { numbered(&self.path, frame) } else { self.path.clone() };
        (0..if sequence { self.plan.frames } else { 1 }).map(path)
    }

    /// What was done, for machines.
    pub(super) fn describe(&self, model: &Model) -> Value {
        json!({
            "clip": self.clip.map(|clip| model.clips()[clip].name()),
            "file": self.path.display().to_string(),
            "frames": self.plan.frames,
            "first": self.plan.seconds(0),
            "last": self.plan.seconds(self.plan.frames - 1),
        })
    }

    /// What was done, in words.
    pub(super) fn told(&self, vertices: usize) -> String {
        let first = self.files().next().unwrap_or_default();
        match self.plan.frames {
            1 => format!("{}: {vertices} vertices", first.display()),
            frames => format!("{}: {frames} frames of {vertices} vertices", first.display()),
        }
    }
}

/// Demands that nothing is in the way, before any work is done.
pub(super) fn refuse_existing(job: &Job, loaded: &Loaded) -> Result<(), Failure> {
    let mut files = job.files().chain(job.materials(&loaded.model));
    files.try_for_each(|path| refuse_path(path, job.existing, loaded))
}

/// Demands that a file can be begun, as far as can be told.
pub(crate) fn refuse_path(path: PathBuf, existing: Existing, loaded: &Loaded) -> Result<(), Failure> {
    loaded.refuse_input(&path)?;
    if path.is_dir() {
        let source = io::ErrorKind::IsADirectory.into();
        return Err(Error::Write { file: path, source }.into());
    }
    if existing == Existing::Refuse && path.is_file() {
        return Err(force_helps(Error::Exists { file: path }));
    }
    Ok(())
}

/// `name.0007.obj` of `name.obj`.
fn numbered(path: &Path, frame: usize) -> PathBuf {
    let extension = path.extension().unwrap_or_default();
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{frame:04}."));
    name.push(extension);
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_numbered_with_four_digits_or_more() {
        let numbered = |frame| numbered(Path::new("a/walk.v2.obj"), frame);
        assert_eq!(numbered(0), Path::new("a/walk.v2.0000.obj"));
        assert_eq!(numbered(12345), Path::new("a/walk.v2.12345.obj"));
    }
}
