//! An instance: playbacks, a pose and its vertices as arrays.

use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sinew::animation::Repeat;
use sinew::model::{ClipSampler, ModelError};
use sinew::skinning::{SkinMethod, Target, VertexLayout, VertexWriter};
use sinew::{Aabb, InstanceOptions, JointId, Matrix};
use sinew_io::BakedModel;

use crate::arrays::{Dim, Floats, array, output, writable};
use crate::errors::{bad_value, of_file, refused};
use crate::lookup::{clip_index, joint_id, optional_clip};
use crate::model::Model;
use crate::output_array::OutputArray;
use crate::skeleton::copy_4x4;

/// A model in motion: plays clips, and shows its vertices, joints and bounds as numpy arrays.
///
/// Arrays are read-only views of sinew's memory. One that you hold never changes and outlives the
/// instance; memory is used again only when you dropped it. Use an instance from one thread at a
/// time.
///
/// >>> fox = sinew3d.load("@figure").instance()
/// >>> fox.play("walk", speed=1.2)
/// >>> fox.step(1 / 60)
/// >>> fox.positions.dtype
/// dtype('float32')
/// >>> fox.joint_matrices.shape[1:]
/// (4, 4)
#[pyclass(module = "sinew3d")]
pub(crate) struct Instance {
    pub(crate) model: Py<Model>,
    pub(crate) inner: sinew::Instance,
    sampler: ClipSampler,
    /// Incremented by whatever changes the pose.
    version: u64,
    positions: OutputArray,
    normals: OutputArray,
    joint_matrices: OutputArray,
    /// For normals and files, built on first use.
    baked: Option<BakedModel>,
}

impl Instance {
    pub(crate) fn new(model: Bound<'_, Model>, dual_quaternion: bool) -> PyResult<Self> {
        let of = model.get();
        let method = if dual_quaternion { SkinMethod::DualQuaternion } else { SkinMethod::Linear };
        let options =
            InstanceOptions::default().with_normals(of.inner.normal_transform()).with_skin_method(method);
        let vertices = of.vertex_count();
        Ok(Self {
            inner: of.inner.instance_with(&options),
            sampler: ClipSampler::default(),
            version: 0,
            positions: OutputArray::new(&[vertices, 3]),
            normals: OutputArray::new(&[vertices, 3]),
            joint_matrices: OutputArray::new(&[of.inner.skeleton().len(), 4, 4]),
            baked: None,
            model: model.unbind(),
        })
    }

    /// Called after whatever changes the pose.
    fn posed(&mut self) {
        self.version += 1;
    }

    /// The posed geometry.
    pub(crate) fn bake(&mut self, py: Python<'_>) -> PyResult<&BakedModel> {
        let Self { model, inner, baked, .. } = self;
        let mut updated = match baked.take() {
            Some(baked) => baked,
            None => model.get().rest_geometry(py)?.clone(),
        };
        let updated = py.detach(|| updated.update(inner).map(|()| updated));
        Ok(baked.insert(updated.map_err(of_file)?))
    }
}

/// Skins the positions of all mesh instances, one after another, in the order of the file.
pub(crate) fn skin_positions(instance: &mut sinew::Instance, mut to: &mut [f32]) -> Result<(), ModelError> {
    let layout = VertexLayout::packed(1);
    for mesh_instance in 0..instance.model().mesh_instances().len() {
        let vertices = instance.model().primitive(mesh_instance).mesh.len();
        let (own, rest) = to.split_at_mut(3 * vertices);
        to = rest;
        let writer = VertexWriter::new(&layout, [own], vertices).expect("three floats for each vertex");
        instance.skin_into(mesh_instance, Target::vertices(writer))?;
    }
    Ok(())
}

#[pymethods]
impl Instance {
    /// The model.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<Model> {
        self.model.clone_ref(py)
    }

    /// Plays a clip from its start, and stops all others.
    ///
    /// Args:
    ///     clip: its name, or its index.
    ///     speed: a factor; negative plays in reverse.
    ///     loop: go on at the other end, or stop there.
    ///     weight: of the clip in a blend.
    ///     at: the time in the clip to begin at, in seconds.
    #[pyo3(signature = (clip, *, speed=1.0, r#loop=true, weight=1.0, at=None))]
    fn play(
        &mut self,
        clip: &Bound<'_, PyAny>,
        speed: f32,
        r#loop: bool,
        weight: f32,
        at: Option<f64>,
    ) -> PyResult<()> {
        let clip = clip_index(self.inner.model(), clip)?;
        check_playback(speed, weight, at)?;
        self.inner.stop();
        self.start(clip, speed, r#loop, weight, at);
        Ok(())
    }

    /// Plays a clip in addition to the others, blended by weight. Arguments as of `play`.
    #[pyo3(signature = (clip, *, speed=1.0, r#loop=true, weight=1.0, at=None))]
    fn blend(
        &mut self,
        clip: &Bound<'_, PyAny>,
        speed: f32,
        r#loop: bool,
        weight: f32,
        at: Option<f64>,
    ) -> PyResult<()> {
        let clip = clip_index(self.inner.model(), clip)?;
        check_playback(speed, weight, at)?;
        self.start(clip, speed, r#loop, weight, at);
        Ok(())
    }

    /// Plays a clip from its start while all others fade out over this time.
    fn fade_to(&mut self, clip: &Bound<'_, PyAny>, seconds: f32) -> PyResult<()> {
        let clip = clip_index(self.inner.model(), clip)?;
        if !(seconds.is_finite() && seconds >= 0.0) {
            return Err(bad_value("seconds", "a finite number of zero or more", seconds));
        }
        for playback in self.inner.playbacks_mut() {
            playback.fade_out(seconds);
        }
        self.inner.start(clip).fade_in(seconds);
        Ok(())
    }

    /// Plays a clip from its start in place of all others. What is left of their motion decays over
    /// this time, so that no joint jumps, neither in position nor in speed.
    fn inertialize_to(&mut self, clip: &Bound<'_, PyAny>, seconds: f32) -> PyResult<()> {
        let clip = clip_index(self.inner.model(), clip)?;
        if !(seconds.is_finite() && seconds >= 0.0) {
            return Err(bad_value("seconds", "a finite number of zero or more", seconds));
        }
        self.inner.animator_mut().inertialize(seconds).map_err(refused)?;
        self.inner.start(clip);
        Ok(())
    }

    /// Lets the model's springs swing in each step from now on: the hair, skirts and tails of a VRM
    /// avatar. They swing in world space: set `world` if the character moves.
    ///
    /// >>> head = sinew3d.load("@ponytail").instance()
    /// >>> head.add_springs()
    /// >>> head.play("shake")
    /// >>> head.step(1 / 60)
    ///
    /// Args:
    ///     teleport_distance: a move by more than this in a step, in meters, resets them.
    #[pyo3(signature = (*, teleport_distance=f32::INFINITY))]
    fn add_springs(&mut self, teleport_distance: f32) -> PyResult<()> {
        let Some(springs) = self.inner.model().springs().cloned() else {
            return Err(PyValueError::new_err("expected a model with springs, found none in it"));
        };
        let springs = springs.with_teleport_distance(teleport_distance);
        self.inner.modifiers_mut().push(springs).map_err(refused)?;
        Ok(())
    }

    /// Makes springs forget their motion, as after a jump to another place.
    fn reset_springs(&mut self) {
        self.inner.modifiers_mut().reset();
    }

    /// The matrix from model space to world space, (4, 4) of float32, for springs. Vertices and rays
    /// stay in model space. May be set.
    #[getter]
    fn world<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let mut numbers = [0.0; 16];
        numbers[..12].copy_from_slice(self.inner.world().rows.as_flattened());
        numbers[15] = 1.0;
        array(py, numbers.to_vec(), &[4, 4])
    }

    #[setter]
    fn set_world(&mut self, world: &Bound<'_, PyAny>) -> PyResult<()> {
        let world = Floats::with_shape(world, &[Dim::Is(4), Dim::Is(4)], "world")?;
        let numbers = world.values()?;
        if numbers[12..] != [0.0, 0.0, 0.0, 1.0] {
            return Err(PyValueError::new_err("world: expected (0, 0, 0, 1) as the last row"));
        }
        let row = |row: usize| std::array::from_fn(|column| numbers[4 * row + column]);
        self.inner.set_world(Matrix { rows: [row(0), row(1), row(2)] });
        Ok(())
    }

    /// The events of clips that fired in the last step: (clip, event, seconds in the clip) of each,
    /// in the order in which they fired.
    #[getter]
    fn events(&self) -> Vec<(String, String, f32)> {
        let clips = self.inner.model().clips();
        let fired = self.inner.events();
        fired.map(|it| (clips[it.clip].name().to_owned(), it.event.name.clone(), it.event.seconds)).collect()
    }

    /// Stops all clips. The next step gives the rest pose.
    fn stop(&mut self) {
        self.inner.stop();
    }

    /// What is played, in the order in which it was started.
    #[getter]
    fn playbacks(&mut self) -> Vec<Playback> {
        let model = self.inner.model().clone();
        let playback = |playback: &mut sinew::animation::Playback| Playback {
            clip: model.clips()[playback.clip()].name().to_owned(),
            seconds: playback.seconds(),
            weight: playback.effective_weight(),
            finished: playback.is_finished(),
        };
        self.inner.playbacks_mut().iter_mut().map(playback).collect()
    }

    /// Advances the animation by this time, and poses the joints. It may be negative.
    fn step(&mut self, py: Python<'_>, seconds: f32) -> PyResult<()> {
        if !seconds.is_finite() {
            return Err(bad_value("seconds", "a finite number", seconds));
        }
        let inner = &mut self.inner;
        py.detach(|| inner.step(seconds));
        self.posed();
        Ok(())
    }

    /// Poses the instance at a time of a clip, in seconds, without blending and without a clock;
    /// None for the rest pose. Times outside the clip show its first or last key.
    #[pyo3(signature = (clip=None, seconds=0.0))]
    fn pose_at(&mut self, clip: Option<&Bound<'_, PyAny>>, seconds: f32) -> PyResult<()> {
        let model = self.inner.model().clone();
        if !seconds.is_finite() {
            return Err(bad_value("seconds", "a finite number", seconds));
        }
        self.sampler.set_clip(&model, optional_clip(&model, clip)?).map_err(refused)?;
        self.inner.sample_clip(&mut self.sampler, seconds).map_err(refused)?;
        self.posed();
        Ok(())
    }

    /// Sets a joint's transform relative to its parent. What is None stays. The next step or
    /// pose_at overwrites it.
    ///
    /// Args:
    ///     joint: its name, or its index.
    ///     rotation: a quaternion (x, y, z, w), which is normalized.
    #[pyo3(signature = (joint, *, rotation=None, translation=None, scale=None))]
    fn set_joint(
        &mut self,
        joint: &Bound<'_, PyAny>,
        rotation: Option<[f32; 4]>,
        translation: Option<[f32; 3]>,
        scale: Option<[f32; 3]>,
    ) -> PyResult<()> {
        let joint = joint_id(self.inner.model().skeleton(), joint)?;
        let rotation = rotation.map(unit_rotation).transpose()?;
        for (what, vector) in [("translation", translation), ("scale", scale)] {
            if vector.is_some_and(|vector| !vector.iter().all(|x| x.is_finite())) {
                return Err(PyValueError::new_err(format!("{what}: expected finite numbers")));
            }
        }
        let mut joint = self.inner.joint_mut(joint);
        let mut transform = joint.transform();
        transform.rotation = rotation.unwrap_or(transform.rotation);
        transform.translation = translation.unwrap_or(transform.translation);
        transform.scale = scale.unwrap_or(transform.scale);
        joint.set_transform(&transform);
        self.posed();
        Ok(())
    }

    /// The joints relative to their parents: rotations (n, 4) as quaternions (x, y, z, w),
    /// translations (n, 3) and scales (n, 3), as copies.
    #[getter]
    fn local_pose<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyArrayDyn<f32>>; 3]> {
        let pose = self.inner.pose();
        let joints = pose.len();
        let each = || (0..joints).map(JointId::new);
        let rotations: Vec<f32> = each().flat_map(|joint| pose.rotation(joint)).collect();
        let translations: Vec<f32> = each().flat_map(|joint| pose.translation(joint)).collect();
        let scales: Vec<f32> = each().flat_map(|joint| pose.scale(joint)).collect();
        Ok([
            array(py, rotations, &[joints, 4])?,
            array(py, translations, &[joints, 3])?,
            array(py, scales, &[joints, 3])?,
        ])
    }

    /// The weights of all morph targets, (weights,) of float32. May be set.
    #[getter]
    fn morph_weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let weights = self.inner.pose().morph_weights();
        array(py, weights.to_vec(), &[weights.len()])
    }

    #[setter]
    fn set_morph_weights(&mut self, weights: &Bound<'_, PyAny>) -> PyResult<()> {
        let len = self.inner.pose().morph_weights().len();
        let weights = Floats::with_shape(weights, &[Dim::Is(len)], "morph_weights")?;
        self.inner.pose_mut().morph_weights_mut().copy_from_slice(weights.values()?);
        self.posed();
        Ok(())
    }

    /// The position of each vertex in model space, (vertices, 3) of float32: skinned when it is
    /// first asked for in a pose.
    #[getter]
    fn positions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Self { inner, positions, version, .. } = self;
        positions.view(py, *version, |to| {
            let to = to.as_slice_mut()?;
            py.detach(|| skin_positions(inner, to)).map_err(refused)
        })
    }

    /// Skins the positions into your array, or into a new one that is yours.
    ///
    /// >>> import numpy
    /// >>> figure = sinew3d.load("@figure").instance()
    /// >>> frames = numpy.empty((10, len(figure.positions), 3), "float32")
    /// >>> for frame in frames:
    /// ...     figure.step(1 / 30)
    /// ...     _ = figure.skin(out=frame)
    #[pyo3(signature = (*, out=None))]
    fn skin<'py>(
        &mut self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let out = output(py, out, &[self.model.get().vertex_count(), 3])?;
        let (mut to, inner) = (writable(&out)?, &mut self.inner);
        let slice = to.as_slice_mut()?;
        py.detach(|| skin_positions(inner, slice)).map_err(refused)?;
        drop(to);
        Ok(out)
    }

    /// The unit normal of each vertex, (vertices, 3) of float32. Where the file has none, they are
    /// computed from the triangles.
    #[getter]
    fn normals<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let version = self.version;
        let mut normals = std::mem::replace(&mut self.normals, OutputArray::new(&[0]));
        let view = normals.view(py, version, |to| {
            let baked = self.bake(py)?;
            to.as_slice_mut()?.copy_from_slice(baked.normals().as_flattened());
            Ok(())
        });
        self.normals = normals;
        view
    }

    /// The triangles: see `Model.triangles`.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u32>>> {
        self.model.get().triangles(py)
    }

    /// The texture coordinates: see `Model.uv`.
    #[getter]
    fn uv<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArrayDyn<f32>>>> {
        self.model.get().uv(py)
    }

    /// The matrix of each joint in model space, (joints, 4, 4) of float32, for column vectors:
    /// `matrix @ [x, y, z, 1]`.
    #[getter]
    fn joint_matrices<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Self { inner, joint_matrices, version, .. } = self;
        joint_matrices.view(py, *version, |to| {
            copy_4x4(inner.model_matrices(), to.as_slice_mut()?);
            Ok(())
        })
    }

    /// The matrices that skin a mesh, (skin joints, 4, 4) of float32: joint matrix times inverse
    /// bind.
    #[pyo3(signature = (mesh=0))]
    fn palette<'py>(&mut self, py: Python<'py>, mesh: i64) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let meshes = self.inner.model().mesh_instances().len();
        let mesh = crate::lookup::python_index("mesh", mesh, meshes)?;
        let skin = self.inner.model().mesh_instances()[mesh].skin;
        crate::skeleton::matrices_4x4(py, self.inner.palettes()[skin].matrices())
    }

    /// A box around all vertices, ((x, y, z) lowest, highest) as (2, 3) of float32: computed from
    /// joints alone, without skinning, so a little too large. See `exact_bounds`.
    #[getter]
    fn bounds<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let bounds = self.inner.bounds();
        array(py, [bounds.min, bounds.max].concat(), &[2, 3])
    }

    /// The smallest box around all vertices, (2, 3) of float32: of `positions`, which it skins.
    #[getter]
    fn exact_bounds<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let positions = self.positions(py)?.cast_into::<PyArrayDyn<f32>>()?.readonly();
        let bounds = Aabb::from_points(positions.as_slice()?.as_chunks().0);
        array(py, [bounds.min, bounds.max].concat(), &[2, 3])
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("an instance cannot be pickled; pickle its model and make another"))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let model = self.model.bind(py).repr()?;
        Ok(format!("<sinew3d.Instance of {model}>"))
    }
}

impl Instance {
    fn start(&mut self, clip: usize, speed: f32, looped: bool, weight: f32, at: Option<f64>) {
        let playback = self.inner.start(clip);
        playback.set_speed(speed).set_weight(weight);
        playback.set_repeat(if looped { Repeat::Loop } else { Repeat::Clamp });
        if let Some(seconds) = at {
            playback.seek(seconds);
        }
    }
}

fn check_playback(speed: f32, weight: f32, at: Option<f64>) -> PyResult<()> {
    if !speed.is_finite() {
        return Err(bad_value("speed", "a finite number", speed));
    }
    if !(weight.is_finite() && weight >= 0.0) {
        return Err(bad_value("weight", "a finite number of zero or more", weight));
    }
    match at {
        Some(at) if !at.is_finite() => Err(bad_value("at", "a finite number", at)),
        _ => Ok(()),
    }
}

/// A quaternion of length one.
fn unit_rotation(rotation: [f32; 4]) -> PyResult<[f32; 4]> {
    let length = rotation.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    if !(length.is_finite() && length > 0.0) {
        return Err(PyValueError::new_err("rotation: expected finite numbers that are not all zero"));
    }
    Ok(rotation.map(|x| (f64::from(x) / length) as f32))
}

/// A clip that an instance plays, as it is now.
#[pyclass(frozen, module = "sinew3d")]
pub(crate) struct Playback {
    /// The clip's name.
    #[pyo3(get)]
    clip: String,
    /// The time in the clip.
    #[pyo3(get)]
    seconds: f64,
    /// The weight, including a fade.
    #[pyo3(get)]
    weight: f32,
    /// Whether it has stopped at the end of a clip that is not looped.
    #[pyo3(get)]
    finished: bool,
}

#[pymethods]
impl Playback {
    fn __repr__(&self) -> String {
        format!("<sinew3d.Playback of {:?} at {} s, weight {}>", self.clip, self.seconds, self.weight)
    }
}
