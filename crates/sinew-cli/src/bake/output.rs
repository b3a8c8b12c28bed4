//! The output of one clip: a file with all frames, or a file for each frame.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use sinew::Model;
use sinew_io::{
    BakedModel, ByteOrder, Error, MddWriter, NpzWriter, OverwritePolicy, Pc2Writer, TextureFiles, mtl_path,
    write_mtl,
};

use super::encoding::Encoding;
use super::format::Format;
use super::frame_encoder::EncodedFrames;
use crate::CliError;
use crate::frame_times::FrameTimes;
use crate::json::{Value, json};
use crate::model_input::LoadedModel;
use crate::output_file::{OutputFile, check_output_path, write_file};
use crate::progress::Progress;
use crate::text::count;

/// What is baked for one clip, and where it is written.
pub(super) struct Output {
    pub(super) clip: Option<usize>,
    /// The path without frame numbers: each file of a sequence adds its own.
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) frame_times: FrameTimes,
    pub(super) policy: OverwritePolicy,
}

impl Output {
    /// The encodings of the file. All frames are written once for each of them.
    pub(super) fn encodings(&self, model: &Model) -> Vec<Encoding> {
        match self.format {
            Format::Obj => {
                let materials = self.material_path(model);
                let name = materials.as_deref().and_then(Path::file_name).and_then(OsStr::to_str);
                vec![Encoding::Obj { materials: name.map(str::to_owned) }]
            }
            Format::Ply => vec![Encoding::Ply { textures: self.texture_files(model) }],
            Format::Glb => vec![Encoding::Glb],
            Format::Pc2 => vec![Encoding::Positions(ByteOrder::Little)],
            Format::Mdd => vec![Encoding::Positions(ByteOrder::Big)],
            Format::Npz => vec![Encoding::Positions(ByteOrder::Little), Encoding::Normals(ByteOrder::Little)],
        }
    }

    /// Checks before any work that all files can be written.
    pub(super) fn check_paths(&self, loaded: &LoadedModel) -> Result<(), CliError> {
        let textures = self.texture_files(&loaded.model);
        let textures = textures.written().map(|(path, _)| path.to_owned());
        let mut paths = self.paths().chain(self.material_path(&loaded.model)).chain(textures);
        paths.try_for_each(|path| check_output_path(path, self.policy, loaded))
    }

    pub(super) fn write(
        &self,
        frames: &mut EncodedFrames<'_>,
        baked: &BakedModel,
        progress: &Progress,
    ) -> Result<(), Error> {
        let points = baked.positions().len();
        match self.format {
            Format::Obj | Format::Ply | Format::Glb => self.write_meshes(frames, baked.model(), progress),
            Format::Pc2 => self.write_one(|file| {
                let mut cache = Pc2Writer::new(file, points, self.frame_times.frames, 0.0, 1.0)?;
                self.write_frames(1, frames, &mut cache, progress)?;
                cache.finish().map(|_| ())
            }),
            Format::Mdd => self.write_one(|file| {
                let seconds: Vec<f32> = self.seconds().map(|seconds| seconds as f32).collect();
                let mut cache = MddWriter::new(file, points, &seconds)?;
                self.write_frames(1, frames, &mut cache, progress)?;
                cache.finish().map(|_| ())
            }),
            Format::Npz => self.write_one(|file| {
                let seconds: Vec<f64> = self.seconds().collect();
                let mut arrays = NpzWriter::new(file, baked, &seconds)?;
                self.write_frames(2, frames, &mut arrays, progress)?;
                arrays.finish().map(|_| ())
            }),
        }
    }

    /// Writes all frames in every encoding, one after the other.
    fn write_frames(
        &self,
        encodings: usize,
        frames: &mut EncodedFrames<'_>,
        mut to: impl Write,
        progress: &Progress,
    ) -> Result<(), Error> {
        for _ in 0..encodings * self.frame_times.frames {
            frames.next(&mut to)?;
            progress.step();
        }
        Ok(())
    }

    fn write_meshes(
        &self,
        frames: &mut EncodedFrames<'_>,
        model: &Model,
        progress: &Progress,
    ) -> Result<(), Error> {
        for (frame, path) in self.paths().enumerate() {
            write_file(path, self.policy, |to| {
                frames.next(to)?;
                // The materials are written after the first frame was encoded without error, and
                // before the mesh that refers to them appears.
                if frame == 0 { self.write_materials(model) } else { Ok(()) }
            })?;
            progress.step();
        }
        Ok(())
    }

    /// Writes the pictures and the material file that the meshes refer to.
    fn write_materials(&self, model: &Model) -> Result<(), Error> {
        let textures = self.texture_files(model);
        for (path, image) in textures.written() {
            let failed = |source| Error::Write { file: path.to_owned(), source };
            let bytes = &model.images()[image].bytes;
            write_file(path, self.policy, |to| to.write_all(bytes).map_err(failed))?;
        }
        match self.material_path(model) {
            Some(path) => write_file(path, self.policy, |to| write_mtl(to, model, &textures)),
            None => Ok(()),
        }
    }

    fn write_one(&self, write: impl FnOnce(&mut OutputFile) -> Result<(), Error>) -> Result<(), Error> {
        write_file(&self.path, self.policy, write)
    }

    fn seconds(&self) -> impl Iterator<Item = f64> {
        (0..self.frame_times.frames).map(|frame| self.frame_times.seconds(frame))
    }

    /// The material file that all OBJ files of a sequence share.
    fn material_path(&self, model: &Model) -> Option<PathBuf> {
        mtl_path(&self.path, model).filter(|_| self.format == Format::Obj)
    }

    /// The pictures that the meshes of a sequence share.
    fn texture_files(&self, model: &Model) -> TextureFiles {
        if matches!(self.format, Format::Obj | Format::Ply) {
            TextureFiles::beside(&self.path, model)
        } else {
            TextureFiles::default()
        }
    }

    /// The mesh or cache files, in the order of writing.
    fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let sequence = self.frame_times.is_sequence && self.format.is_mesh();
        let path = move |frame| if sequence { frame_path(&self.path, frame) } else { self.path.clone() };
        (0..if sequence { self.frame_times.frames } else { 1 }).map(path)
    }

    /// A warning about frames of an earlier and longer sequence. Other programs would read them as
    /// part of this one. They are kept, because they may be the user's own.
    pub(super) fn leftover_message(&self) -> Option<String> {
        if !(self.frame_times.is_sequence && self.format.is_mesh()) {
            return None;
        }
        let exists = |frame: &usize| frame_path(&self.path, *frame).is_file();
        let leftover = (self.frame_times.frames..).take_while(exists).count();
        let first = frame_path(&self.path, self.frame_times.frames);
        let files = count(leftover, "file");
        (leftover > 0).then(|| format!("{}: {files} left over from a longer sequence", first.display()))
    }

    /// What was written, as JSON.
    pub(super) fn json(&self, model: &Model) -> Value {
        json!({
            "clip": self.clip.map(|clip| model.clips()[clip].name()),
            "file": self.path.display().to_string(),
            "frames": self.frame_times.frames,
            "first": self.frame_times.seconds(0),
            "last": self.frame_times.seconds(self.frame_times.frames - 1),
        })
    }

    /// What was written, as one line of text.
    pub(super) fn summary(&self, vertices: usize) -> String {
        let first = self.paths().next().unwrap_or_default();
        match self.frame_times.frames {
            1 => format!("{}: {vertices} vertices", first.display()),
            frames => format!("{}: {frames} frames with {vertices} vertices each", first.display()),
        }
    }
}

/// The path of a frame of a sequence: `name.0007.obj` for `name.obj`.
fn frame_path(path: &Path, frame: usize) -> PathBuf {
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
    fn frame_numbers_have_at_least_four_digits() {
        let path = |frame| frame_path(Path::new("a/walk.v2.obj"), frame);
        assert_eq!(path(0), Path::new("a/walk.v2.0000.obj"));
        assert_eq!(path(12345), Path::new("a/walk.v2.12345.obj"));
    }
}
