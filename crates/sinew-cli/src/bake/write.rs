//! One output: a file of all frames, or a file for each.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sinew::Model;
use sinew_io::{Baked, ByteOrder, Error, Mdd, Npz, OverwritePolicy, Pc2, materials_beside, write_mtl};

use super::encoding::Encoding;
use super::force_helps;
use super::format::Format;
use super::frames::Frames;
use super::plan::Plan;
use crate::Failure;
use crate::output_file::{OutputFile, write_file};
use crate::progress::Progress;
use crate::source::Loaded;
use crate::words;

/// What is baked, and where to.
pub(super) struct Job {
    pub(super) clip: Option<usize>,
    /// As it was asked for: the frames of a sequence are named after it.
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) plan: Plan,
    pub(super) policy: OverwritePolicy,
}

impl Job {
    /// What each frame becomes; all frames once for each.
    pub(super) fn encodings(&self, model: &Model) -> Vec<Encoding> {
        match self.format {
            Format::Obj => {
                let materials = self.materials(model);
                let name = materials.as_deref().and_then(Path::file_name).and_then(OsStr::to_str);
                vec![Encoding::Obj { materials: name.map(str::to_owned) }]
            }
            Format::Ply => vec![Encoding::Ply],
            Format::Glb => vec![Encoding::Glb],
            Format::Pc2 => vec![Encoding::Positions(ByteOrder::Little)],
            Format::Mdd => vec![Encoding::Positions(ByteOrder::Big)],
            Format::Npz => vec![Encoding::Positions(ByteOrder::Little), Encoding::Normals(ByteOrder::Little)],
        }
    }

    pub(super) fn write(
        &self,
        frames: &mut Frames<'_>,
        baked: &Baked,
        progress: &Progress,
    ) -> Result<(), Error> {
        let points = baked.positions().len();
        match self.format {
            Format::Obj | Format::Ply | Format::Glb => self.write_meshes(frames, baked.model(), progress),
            Format::Pc2 => self.write_one(|file| {
                let mut cache = Pc2::begin(file, points, self.plan.frames, 0.0, 1.0)?;
                self.write_frames(1, frames, &mut cache, progress)?;
                cache.end().map(|_| ())
            }),
            Format::Mdd => self.write_one(|file| {
                let seconds: Vec<f32> = self.seconds().map(|seconds| seconds as f32).collect();
                let mut cache = Mdd::begin(file, points, &seconds)?;
                self.write_frames(1, frames, &mut cache, progress)?;
                cache.end().map(|_| ())
            }),
            Format::Npz => self.write_one(|file| {
                let seconds: Vec<f64> = self.seconds().collect();
                let mut arrays = Npz::begin(file, baked, &seconds)?;
                self.write_frames(2, frames, &mut arrays, progress)?;
                arrays.end().map(|_| ())
            }),
        }
    }

    /// Writes all frames, so many times, one behind the other.
    fn write_frames(
        &self,
        times: usize,
        frames: &mut Frames<'_>,
        mut to: impl Write,
        progress: &Progress,
    ) -> Result<(), Error> {
        for _ in 0..times * self.plan.frames {
            frames.next(&mut to)?;
            progress.step();
        }
        Ok(())
    }

    fn write_meshes(&self, frames: &mut Frames<'_>, model: &Model, progress: &Progress) -> Result<(), Error> {
        for (frame, path) in self.files().enumerate() {
            write_file(path, self.policy, |to| {
                frames.next(to)?;
                // Only when a frame can be posed at all, and before the mesh that names them.
                match self.materials(model).filter(|_| frame == 0) {
                    Some(materials) => write_file(materials, self.policy, |to| write_mtl(to, model)),
                    None => Ok(()),
                }
            })?;
            progress.step();
        }
        Ok(())
    }

    fn write_one(&self, write: impl FnOnce(&mut OutputFile) -> Result<(), Error>) -> Result<(), Error> {
        write_file(&self.path, self.policy, write)
    }

    fn seconds(&self) -> impl Iterator<Item = f64> {
        (0..self.plan.frames).map(|frame| self.plan.seconds(frame))
    }

    /// The materials that all frames of a sequence of OBJ share.
    fn materials(&self, model: &Model) -> Option<PathBuf> {
        materials_beside(&self.path, model).filter(|_| self.format == Format::Obj)
    }

    /// The files that are written, in order.
    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let sequence = self.plan.is_sequence && self.format.is_mesh();
        let path = move |frame| if sequence { numbered(&self.path, frame) } else { self.path.clone() };
        (0..if sequence { self.plan.frames } else { 1 }).map(path)
    }

    /// What is said of the frames of an earlier and longer sequence, which readers would take for more of this one. They
    /// are not ours to remove.
    pub(super) fn left_over(&self) -> Option<String> {
        if !(self.plan.is_sequence && self.format.is_mesh()) {
            return None;
        }
        let old = |frame: &usize| numbered(&self.path, *frame).is_file();
        let count = (self.plan.frames..).take_while(old).count();
        let first = numbered(&self.path, self.plan.frames);
        let files = words::count(count, "file");
        (count > 0)
            .then(|| format!("{}: {files} of a longer sequence still there from before", first.display()))
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
    files.try_for_each(|path| refuse_path(path, job.policy, loaded))
}

/// Demands that a file can be begun, as far as can be told.
pub(crate) fn refuse_path(path: PathBuf, policy: OverwritePolicy, loaded: &Loaded) -> Result<(), Failure> {
    loaded.refuse_input(&path)?;
    if path.is_dir() {
        let source = io::ErrorKind::IsADirectory.into();
        return Err(Error::Write { file: path, source }.into());
    }
    if policy == OverwritePolicy::Refuse && path.is_file() {
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
