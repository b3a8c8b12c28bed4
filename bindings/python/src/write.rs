//! Files: whole models, posed geometry and baked clips.

use std::path::PathBuf;

use pyo3::prelude::*;
use sinew::mesh::Attributes;
use sinew::skinning::SkinMethod;
use sinew_io::{
    AtomicFile, Error as FileError, MddWriter, NpzWriter, OverwritePolicy, Pc2Writer, UpAxisConversion,
    save_obj, save_ply, write_atomic, write_model_glb, write_posed_glb,
};

use crate::bake::{Frames, Poser, PoserOptions};
use crate::errors::{bad_value, of_file};
use crate::instance::Instance;
use crate::model::Model;

/// Frames between two looks for Ctrl-C.
const FRAMES_AT_ONCE: usize = 8;

fn policy(overwrite: bool) -> OverwritePolicy {
    if overwrite { OverwritePolicy::Replace } else { OverwritePolicy::Refuse }
}

fn up_axis(y_up: bool) -> UpAxisConversion {
    if y_up { UpAxisConversion::ToYUp } else { UpAxisConversion::None }
}

fn extension(path: &std::path::Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

#[pymethods]
impl Model {
    /// Writes the whole model as GLB: joints, skins, meshes, morph targets, clips, materials. The
    /// file is written completely or not at all. Raises FileExistsError unless `overwrite`.
    ///
    /// Returns the largest distance between a vertex of this model and of the written one, over all
    /// keys of all clips.
    #[pyo3(signature = (path, *, overwrite=false, y_up=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool, y_up: bool) -> PyResult<f32> {
        if extension(&path) != "glb" {
            return Err(bad_value("path", "a name that ends with .glb", path.display()));
        }
        let mut deviation = 0.0;
        let written = py.detach(|| {
            write_atomic(&path, policy(overwrite), |to| {
                deviation = write_model_glb(to, &self.inner, up_axis(y_up))?.largest;
                Ok(())
            })
        });
        written.map_err(of_file)?;
        Ok(deviation)
    }

    /// Bakes a clip to a file that other programs read: .npz (numpy: times, indices, positions,
    /// normals), .pc2 or .mdd (Blender, Maya, Houdini). The memory it needs does not grow with the
    /// number of frames. Arguments as of `bake`.
    ///
    /// >>> sinew3d.load("@figure").bake_to("walk.npz", "walk", fps=30)  # doctest: +SKIP
    #[pyo3(signature = (path, clip=None, fps=30.0, *, frames=None, dual_quaternion=false, progress=None,
                        overwrite=false))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn bake_to<'py>(
        &self,
        py: Python<'py>,
        path: PathBuf,
        clip: Option<&Bound<'py, PyAny>>,
        fps: f64,
        frames: Option<&Bound<'py, PyAny>>,
        dual_quaternion: bool,
        progress: Option<&Bound<'py, PyAny>>,
        overwrite: bool,
    ) -> PyResult<()> {
        let format = match extension(&path).as_str() {
            "npz" => BakeFormat::Npz,
            "pc2" => BakeFormat::Pc2,
            "mdd" => BakeFormat::Mdd,
            _ => return Err(bad_value("path", "a name that ends with .npz, .pc2 or .mdd", path.display())),
        };
        let Frames { clip, seconds } = Frames::new(&self.inner, clip, fps, frames)?;
        let attributes =
            if let BakeFormat::Npz = format { Attributes::Normals } else { Attributes::Positions };
        let method = if dual_quaternion { SkinMethod::DualQuaternion } else { SkinMethod::Linear };
        let options = PoserOptions { attributes, method };
        let mut poser = Poser::new(&self.inner, self.rest_geometry(py)?, clip, options);
        let mut interrupted = Ok(());
        let progress = progress.map(|progress| progress.clone().unbind());
        let total = seconds.len();
        let mut look = |frame: usize| {
            if frame.is_multiple_of(FRAMES_AT_ONCE) || frame == total {
                interrupted = Python::attach(|py| {
                    py.check_signals()?;
                    match &progress {
                        Some(progress) => progress.call1(py, (frame.min(total), total)).map(|_| ()),
                        None => Ok(()),
                    }
                });
            }
            match interrupted {
                Ok(()) => Ok(()),
                Err(_) => Err(FileError::Write {
                    file: PathBuf::new(),
                    source: std::io::ErrorKind::Interrupted.into(),
                }),
            }
        };
        let written = py.detach(|| {
            write_atomic(&path, policy(overwrite), |to| {
                write_frames(to, format, &mut poser, &seconds, &mut look)
            })
        });
        interrupted?;
        written.map_err(of_file)
    }
}

#[derive(Clone, Copy)]
enum BakeFormat {
    Npz,
    Pc2,
    Mdd,
}

fn write_frames(
    to: &mut AtomicFile,
    format: BakeFormat,
    poser: &mut Poser,
    seconds: &[f64],
    look: &mut dyn FnMut(usize) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let points = poser.baked.positions().len();
    match format {
        BakeFormat::Npz => {
            let mut npz = NpzWriter::new(to, &poser.baked, seconds)?;
            // All frames are posed twice: an array is written before the next.
            for (frame, &time) in seconds.iter().enumerate() {
                look(frame / 2)?;
                poser.pose(time, Attributes::Positions)?;
                npz.write_frame(poser.baked.positions())?;
            }
            for (frame, &time) in seconds.iter().enumerate() {
                look((seconds.len() + frame) / 2)?;
                poser.pose(time, Attributes::Normals)?;
                npz.write_frame(poser.baked.normals())?;
            }
            npz.finish()?;
        }
        BakeFormat::Pc2 => {
            let mut pc2 = Pc2Writer::new(to, points, seconds.len(), 0.0, 1.0)?;
            for (frame, &time) in seconds.iter().enumerate() {
                look(frame)?;
                poser.pose(time, Attributes::Positions)?;
                pc2.write_frame(poser.baked.positions())?;
            }
            pc2.finish()?;
        }
        BakeFormat::Mdd => {
            let times: Vec<_> = seconds.iter().map(|&time| time as f32).collect();
            let mut mdd = MddWriter::new(to, points, &times)?;
            for (frame, &time) in seconds.iter().enumerate() {
                look(frame)?;
                poser.pose(time, Attributes::Positions)?;
                mdd.write_frame(poser.baked.positions())?;
            }
            mdd.finish()?;
        }
    }
    look(seconds.len())
}

#[pymethods]
impl Instance {
    /// Writes the posed geometry: .obj (with .mtl and pictures), .ply (with pictures) or .glb.
    /// Raises FileExistsError unless `overwrite`.
    #[pyo3(signature = (path, *, overwrite=false, y_up=false))]
    fn save(&mut self, py: Python<'_>, path: PathBuf, overwrite: bool, y_up: bool) -> PyResult<()> {
        let extension = extension(&path);
        if !["obj", "ply", "glb"].contains(&&*extension) {
            return Err(bad_value("path", "a name that ends with .obj, .ply or .glb", path.display()));
        }
        let (baked, policy) = (self.bake(py)?, policy(overwrite));
        let written = py.detach(|| match &*extension {
            "obj" => save_obj(&path, baked, policy),
            "ply" => save_ply(&path, baked, policy),
            _ => write_atomic(&path, policy, |to| write_posed_glb(to, baked, up_axis(y_up))),
        });
        written.map_err(of_file)
    }
}
