//! Bakes: the vertices of many frames at once, on all cores.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sinew::mesh::Attributes;
use sinew::model::ClipSampler;
use sinew::skinning::SkinMethod;
use sinew::{InstanceOptions, Model as Shared};
use sinew_io::{BakedModel, Error, FrameTimes};

use crate::arrays::{array, output, writable};
use crate::errors::{bad_value, of_file};
use crate::interrupts::{Schedule, run, thread_count};
use crate::lookup::optional_clip;
use crate::model::Model;

/// Work below this many vertices is done by the calling thread.
const BRIEF: usize = 200_000;
/// The most frames of one bake, so that an endless iterator is an error.
const MAX_FRAMES: usize = 10_000_000;

/// The frames to bake: times of a clip.
pub(crate) struct Frames {
    pub(crate) clip: Option<usize>,
    pub(crate) seconds: Vec<f64>,
}

impl Frames {
    /// All frames of a clip at a rate, or those with the given numbers.
    pub(crate) fn new(
        model: &Shared,
        clip: Option<&Bound<'_, PyAny>>,
        fps: f64,
        frames: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let clip = optional_clip(model, clip)?;
        let times = FrameTimes::of_clip(clip.map(|clip| &model.clips()[clip]), fps).map_err(of_file)?;
        let seconds = match frames {
            None => (0..times.len()).map(|frame| times.seconds(frame)).collect(),
            Some(frames) => {
                let mut seconds = Vec::new();
                for frame in frames.try_iter()? {
                    let frame = frame?;
                    if seconds.len() == MAX_FRAMES {
                        return Err(bad_value("frames", format!("at most {MAX_FRAMES}"), "more"));
                    }
                    let number = frame.extract::<i64>().map_err(|_| {
                        PyTypeError::new_err(format!("frames: expected whole numbers, found {frame}"))
                    })?;
                    match usize::try_from(number) {
                        Ok(number) if number < times.len() => seconds.push(times.seconds(number)),
                        _ => {
                            let expected = format!("numbers from 0 to {}", times.len() - 1);
                            return Err(bad_value("frames", expected, number));
                        }
                    }
                }
                seconds
            }
        };
        Ok(Self { clip, seconds })
    }
}

/// Poses a model for each frame.
pub(crate) struct Poser {
    instance: sinew::Instance,
    sampler: ClipSampler,
    pub(crate) baked: BakedModel,
}

impl Poser {
    pub(crate) fn new(model: &Shared, rest: &BakedModel, clip: Option<usize>, options: PoserOptions) -> Self {
        let instance_options = InstanceOptions::default()
            .with_attributes(options.attributes)
            .with_normals(model.normal_transform())
            .with_skin_method(options.method);
        Self {
            instance: model.instance_with(&instance_options),
            sampler: ClipSampler::new(model, clip).expect("the clip was found in the model"),
            baked: rest.clone(),
        }
    }

    pub(crate) fn pose(&mut self, seconds: f64, attributes: Attributes) -> Result<(), Error> {
        self.instance
            .sample_clip(&mut self.sampler, seconds as f32)
            .expect("the sampler was made for the model");
        match attributes {
            Attributes::Positions => self.baked.update_positions(&mut self.instance),
            _ => self.baked.update(&mut self.instance),
        }
    }
}

/// What is skinned, and how.
#[derive(Clone, Copy)]
pub(crate) struct PoserOptions {
    pub(crate) attributes: Attributes,
    pub(crate) method: SkinMethod,
}

#[pymethods]
impl Model {
    /// Bakes a clip: the positions of every vertex in every frame.
    ///
    /// The result depends on the arguments alone, not on threads or on earlier calls, so frames may
    /// be divided among processes and machines: a model is pickled by its path.
    ///
    /// Args:
    ///     clip: its name or index; None for the rest pose.
    ///     fps: frames per second, from the first key of the clip to the last.
    ///     frames: the numbers of the frames to bake, such as range(100, 200); all by default.
    ///     normals: bake unit normals, too.
    ///     dual_quaternion: blend dual quaternions instead of matrices.
    ///     threads: one per core by default.
    ///     progress: called as progress(done, total) now and then.
    ///     out: an array (frames, vertices, 3) of float32 for the positions.
    ///
    /// Returns:
    ///     Bake(positions, normals, seconds): (frames, vertices, 3) of float32, the same or None,
    ///     and the time of each frame in the clip.
    ///
    /// >>> model = sinew3d.load("@figure")
    /// >>> bake = model.bake("walk", fps=30)
    /// >>> bake.positions.shape == (len(bake.seconds), model.vertex_count, 3)
    /// True
    #[pyo3(signature = (clip=None, fps=30.0, *, frames=None, normals=false, dual_quaternion=false,
                        threads=None, progress=None, out=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn bake<'py>(
        &self,
        py: Python<'py>,
        clip: Option<&Bound<'py, PyAny>>,
        fps: f64,
        frames: Option<&Bound<'py, PyAny>>,
        normals: bool,
        dual_quaternion: bool,
        threads: Option<usize>,
        progress: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Frames { clip, seconds } = Frames::new(&self.inner, clip, fps, frames)?;
        let shape = [seconds.len(), self.vertex_count(), 3];
        let positions = output(py, out, &shape)?;
        let normals = normals.then(|| output(py, None, &shape)).transpose()?;
        let attributes = if normals.is_some() { Attributes::Normals } else { Attributes::Positions };
        let method = if dual_quaternion { SkinMethod::DualQuaternion } else { SkinMethod::Linear };
        let (model, rest) = (&self.inner, self.rest_geometry(py)?);
        {
            let mut positions = writable(&positions)?;
            let mut normals = normals.as_ref().map(writable).transpose()?;
            let frame_len = 3 * shape[1];
            let positions = frames_of(positions.as_slice_mut()?, frame_len, seconds.len());
            let normals = match &mut normals {
                Some(normals) => frames_of(normals.as_slice_mut()?, frame_len, seconds.len()),
                None => frames_of(&mut [], 0, seconds.len()),
            };
            let queue = Mutex::new(seconds.iter().zip(positions.into_iter().zip(normals)));
            let schedule = Schedule {
                threads: thread_count(threads, seconds.len())?,
                total: seconds.len(),
                progress,
                brief: shape[0] * shape[1] < BRIEF,
            };
            run(py, &schedule, of_file, |monitor| {
                let mut poser = Poser::new(model, rest, clip, PoserOptions { attributes, method });
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((&seconds, (positions, normals))) = next else { return Ok(()) };
                    poser.pose(seconds, attributes)?;
                    positions.copy_from_slice(poser.baked.positions().as_flattened());
                    if !normals.is_empty() {
                        normals.copy_from_slice(poser.baked.normals().as_flattened());
                    }
                    if !monitor.advance() {
                        return Ok(());
                    }
                }
            })?;
        }
        let frames = seconds.len();
        let results = py.import("sinew3d._results")?;
        results.getattr("Bake")?.call1((positions, normals, array(py, seconds, &[frames])?))
    }
}

/// The part of an array for each frame; empty parts of an array without vertices.
fn frames_of(values: &mut [f32], frame_len: usize, frames: usize) -> Vec<&mut [f32]> {
    if frame_len == 0 {
        return (0..frames).map(|_| Default::default()).collect();
    }
    values.chunks_exact_mut(frame_len).collect()
}
