//! Poses and clips as files that other programs read.

use std::io::Write;
use std::path::Path;

use sinew::model::ClipSampler;
use sinew::{Instance, Model};
use sinew_io::{
    BakedModel, MddWriter, OverwritePolicy, Pc2Writer, TextureFiles, UpAxisConversion, save_obj, save_ply,
    write_atomic, write_model_glb, write_npz, write_obj, write_ply, write_posed_glb,
};

use crate::model::check_index;
use crate::objects::{INSTANCES, model};
use crate::records::{NONE, flag};
use crate::{Code, Error, Handle};

/// The most frames of a baked clip.
const MAX_FRAMES: f64 = 1e6;
/// Rounding in the file may place the last key frame this far before its frame, in frames.
const ROUNDING: f64 = 1e-4;

/// What a baked file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BakeFormat {
    /// A posed mesh as OBJ.
    Obj,
    /// A posed mesh as PLY.
    Ply,
    /// A posed mesh as GLB.
    Glb,
    /// The positions of a clip's frames as PC2.
    Pc2,
    /// The positions of a clip's frames as MDD.
    Mdd,
    /// Positions and normals of a clip's frames for NumPy.
    Npz,
}

impl BakeFormat {
    /// The format of a file name's extension.
    ///
    /// # Errors
    ///
    /// If there is none, or it is of no format.
    pub fn from_path(path: &str) -> Result<Self, Error> {
        let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or("");
        match extension.to_ascii_lowercase().as_str() {
            "obj" => Ok(Self::Obj),
            "ply" => Ok(Self::Ply),
            "glb" => Ok(Self::Glb),
            "pc2" => Ok(Self::Pc2),
            "mdd" => Ok(Self::Mdd),
            "npz" => Ok(Self::Npz),
            _ => Err(Error::invalid(
                "extension of a baked file",
                "obj, ply, glb, pc2, mdd or npz",
                format_args!("{extension:?}"),
            )),
        }
    }
}

/// Writes the current pose of an instance to a file: OBJ, PLY or GLB by its extension. With
/// `overwrite` 1, an existing file is replaced. Files are written atomically.
///
/// # Errors
///
/// If the handle is not of an instance, the format is of clips, or the file cannot be written.
#[inline(never)]
pub fn bake_pose(instance: Handle, path: &str, overwrite: u32) -> Result<(), Error> {
    let format = BakeFormat::from_path(path)?;
    let policy = overwrite_policy(overwrite)?;
    let baked = baked_pose(instance)?;
    match format {
        BakeFormat::Obj => return Ok(save_obj(path, &baked, policy)?),
        BakeFormat::Ply => return Ok(save_ply(path, &baked, policy)?),
        _ => {}
    }
    check_pose_format(format)?;
    Ok(write_atomic(path, policy, |to| write_pose(to, &baked, format))?)
}

/// The current pose of an instance as the bytes of a file.
///
/// # Errors
///
/// If the handle is not of an instance, or the format is of clips.
pub fn bake_pose_bytes(instance: Handle, format: BakeFormat) -> Result<Vec<u8>, Error> {
    check_pose_format(format)?;
    let baked = baked_pose(instance)?;
    let mut bytes = Vec::new();
    write_pose(&mut bytes, &baked, format)?;
    Ok(bytes)
}

/// Writes the frames of a clip of a model to a file: PC2, MDD or NPZ by its extension. The rest
/// pose is the clip `NONE`. With `overwrite` 1, an existing file is replaced.
///
/// # Errors
///
/// If the handle is not of a model, there is no such clip, the format is of poses, the number of
/// frames per second is not above zero or gives more than a million frames, or the file cannot be
/// written.
#[inline(never)]
pub fn bake_clip(of: Handle, clip: u32, rate: f64, path: &str, overwrite: u32) -> Result<(), Error> {
    let format = BakeFormat::from_path(path)?;
    let policy = overwrite_policy(overwrite)?;
    let mut baking = ClipBaking::new(model(of)?, clip, rate)?;
    check_clip_format(format)?;
    Ok(write_atomic(path, policy, |to| baking.write(to, format))?)
}

/// The frames of a clip of a model as the bytes of a file.
///
/// # Errors
///
/// As [`bake_clip`].
pub fn bake_clip_bytes(of: Handle, clip: u32, rate: f64, format: BakeFormat) -> Result<Vec<u8>, Error> {
    check_clip_format(format)?;
    let mut bytes = Vec::new();
    ClipBaking::new(model(of)?, clip, rate)?.write(&mut bytes, format)?;
    Ok(bytes)
}

/// Writes a whole model to a GLB file: skeleton, skins, meshes and clips.
///
/// # Errors
///
/// If the handle is not of a model, or the file cannot be written.
#[inline(never)]
pub fn save_glb(of: Handle, path: &str, overwrite: u32) -> Result<(), Error> {
    let (model, policy) = (model(of)?, overwrite_policy(overwrite)?);
    Ok(write_atomic(path, policy, |to| write_model_glb(to, &model, UpAxisConversion::None).map(|_| ()))?)
}

/// A whole model as the bytes of a GLB file.
///
/// # Errors
///
/// If the handle is not of a model.
pub fn glb_bytes(of: Handle) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    write_model_glb(&mut bytes, &model(of)?, UpAxisConversion::None)?;
    Ok(bytes)
}

fn overwrite_policy(overwrite: u32) -> Result<OverwritePolicy, Error> {
    Ok(match flag("overwrite", overwrite)? {
        true => OverwritePolicy::Replace,
        false => OverwritePolicy::Refuse,
    })
}

fn baked_pose(instance: Handle) -> Result<BakedModel, Error> {
    INSTANCES.write(instance, |object| {
        let mut baked = BakedModel::new(object.instance.model())?;
        baked.update(&mut object.instance)?;
        Ok(baked)
    })
}

fn check_pose_format(format: BakeFormat) -> Result<(), Error> {
    match format {
        BakeFormat::Obj | BakeFormat::Ply | BakeFormat::Glb => Ok(()),
        _ => Err(Error::new(Code::InvalidValue, "format of a pose: expected obj, ply or glb")),
    }
}

fn check_clip_format(format: BakeFormat) -> Result<(), Error> {
    match format {
        BakeFormat::Pc2 | BakeFormat::Mdd | BakeFormat::Npz => Ok(()),
        _ => Err(Error::new(Code::InvalidValue, "format of a clip: expected pc2, mdd or npz")),
    }
}

fn write_pose(to: impl Write, baked: &BakedModel, format: BakeFormat) -> Result<(), sinew_io::Error> {
    match format {
        BakeFormat::Ply => write_ply(to, baked, &TextureFiles::default()),
        BakeFormat::Glb => write_posed_glb(to, baked, UpAxisConversion::None),
        _ => write_obj(to, baked, None),
    }
}

/// A clip while it is baked.
struct ClipBaking {
    instance: Instance,
    sampler: ClipSampler,
    baked: BakedModel,
    first: f64,
    rate: f64,
    frames: usize,
}

impl ClipBaking {
    fn new(model: Model, clip: u32, rate: f64) -> Result<Self, Error> {
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(Error::invalid("frames per second", "more than zero", rate));
        }
        let clip = match clip {
            NONE => None,
            clip => Some(check_index("clip", model.clips().len(), clip)?),
        };
        let (first, last) = clip.map_or((0.0, 0.0), |clip| {
            let clip = &model.clips()[clip];
            (f64::from(clip.start()), f64::from(clip.end()))
        });
        let steps = ((last - first) * rate + ROUNDING).floor();
        if steps >= MAX_FRAMES {
            let message = format!("frames of a clip: expected at most {MAX_FRAMES}, found {steps}");
            return Err(Error::new(Code::Limit, message));
        }
        Ok(Self {
            sampler: ClipSampler::new(&model, clip)?,
            baked: BakedModel::new(&model)?,
            instance: model.instance(),
            first,
            rate,
            frames: steps as usize + 1,
        })
    }

    fn seconds(&self, frame: usize) -> f64 {
        self.first + frame as f64 / self.rate
    }

    fn pose(&mut self, frame: usize) -> Result<(), sinew_io::Error> {
        let seconds = self.seconds(frame) as f32;
        let Self { instance, sampler, baked, .. } = self;
        instance.sample_clip(sampler, seconds).map_err(|error| model_error(error.into()))?;
        baked.update(instance)
    }

    fn write(&mut self, to: impl Write, format: BakeFormat) -> Result<(), sinew_io::Error> {
        let points = self.baked.positions().len();
        match format {
            BakeFormat::Pc2 => {
                let (start, step) = (self.first as f32, (1.0 / self.rate) as f32);
                let mut writer = Pc2Writer::new(to, points, self.frames, start, step)?;
                for frame in 0..self.frames {
                    self.pose(frame)?;
                    writer.write_frame(self.baked.positions())?;
                }
                writer.finish().map(|_| ())
            }
            BakeFormat::Mdd => {
                let seconds: Vec<f32> = (0..self.frames).map(|frame| self.seconds(frame) as f32).collect();
                let mut writer = MddWriter::new(to, points, &seconds)?;
                for frame in 0..self.frames {
                    self.pose(frame)?;
                    writer.write_frame(self.baked.positions())?;
                }
                writer.finish().map(|_| ())
            }
            _ => {
                let seconds: Vec<f64> = (0..self.frames).map(|frame| self.seconds(frame)).collect();
                let Self { instance, sampler, baked, .. } = self;
                write_npz(to, baked, &seconds, |frame, baked| {
                    let sampled = instance.sample_clip(sampler, seconds[frame] as f32);
                    sampled.map_err(|error| model_error(error.into()))?;
                    baked.update(instance)
                })
            }
        }
    }
}

fn model_error(source: sinew::Error) -> sinew_io::Error {
    sinew_io::Error::invalid("pose of the clip", "a pose of the model", source.to_string())
}
