//! The gradient of linear blend skinning: plain loops in `f64`.
//!
//! A posed vertex is `y = T x`, `T = sum of w A` over its joints. With `g` the derivative of a loss
//! by `y`: by `x` it is `T^T g`, by `w` it is `g . A x`, by `A` it is `w g x^T`. Chunks of vertices
//! go to threads, and their sums are added in order, so results do not depend on the number of
//! threads.

use std::sync::{Mutex, PoisonError};

use pyo3::PyErr;
use pyo3::prelude::*;

use super::forward::{Batch, Body};
use super::kinematics::{Mat3, PosedJoints, Rotations, Vec3, add, rodrigues_backward, transform, transpose};
use crate::interrupts::{Schedule, run, thread_count};

/// Vertices of one item of work.
const CHUNK: usize = 512;
/// Work below this many vertices is done by the calling thread.
const BRIEF: usize = 20_000;

/// The gradient by everything that a pose is made of.
pub(super) struct Gradient {
    /// By vertices: three numbers each, summed over the batch.
    pub(super) vertices: Vec<f32>,
    /// By weights, in the layout they were given in, summed over the batch.
    pub(super) weights: Vec<f32>,
    /// By rotations, in the layout they were given in.
    pub(super) poses: Vec<f32>,
    /// By rest positions of joints, for each pose.
    pub(super) rest: Vec<f32>,
    /// By offsets of vertices, for each pose.
    pub(super) offsets: Vec<f32>,
    /// By translations.
    pub(super) translations: Vec<f32>,
}

/// The skinning transforms of each joint of each pose.
struct Transforms {
    all: Vec<(Mat3, Vec3)>,
    posed: Vec<PosedJoints>,
}

/// A chunk of vertices, and its parts of the results.
struct Chunk<'a> {
    first: usize,
    vertices: &'a mut [f32],
    weights: &'a mut [f32],
    offsets: Vec<&'a mut [f32]>,
}

/// Sums of a chunk: by each transform.
type Sums = Vec<(Mat3, Vec3)>;

impl Body {
    /// The gradient, from that by the posed vertices: (batch, vertices, 3).
    pub(super) fn gradient(
        &self,
        py: Python<'_>,
        batch: &Batch<'_>,
        by_output: &[f32],
        threads: Option<usize>,
    ) -> PyResult<Gradient> {
        let (vertices, joints) = (self.vertices.len(), self.parents.len());
        let transforms = py.detach(|| self.transforms(batch));
        let weight_count = self.influences.shape.iter().product();
        let mut by_vertices = vec![0.0_f32; 3 * vertices];
        let mut by_weights = vec![0.0_f32; weight_count];
        let offset_count = if batch.offsets.is_some() { 3 * vertices * batch.len } else { 0 };
        let mut by_offsets = vec![0.0_f32; offset_count];

        let starts = self.row_starts();
        let chunks = self.chunks(&starts, &mut by_vertices, &mut by_weights, &mut by_offsets);
        let chunk_count = chunks.len();
        let sums: Vec<Mutex<Sums>> = (0..chunk_count).map(|_| Mutex::default()).collect();
        let queue = Mutex::new(chunks.into_iter().enumerate());
        let schedule = Schedule {
            threads: thread_count(threads, chunk_count)?,
            total: chunk_count,
            progress: None,
            brief: vertices * batch.len < BRIEF,
        };
        run(
            py,
            &schedule,
            |error: PyErr| error,
            |monitor| {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((index, chunk)) = next else { return Ok(()) };
                    let sum = self.chunk_gradient(batch, &transforms, &starts, by_output, chunk);
                    *sums[index].lock().unwrap_or_else(PoisonError::into_inner) = sum;
                    if !monitor.advance() {
                        return Ok(());
                    }
                }
            },
        )?;

        let mut by_transforms = vec![([[0.0; 3]; 3], [0.0; 3]); joints * batch.len];
        for sum in sums {
            let sum = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
            for ((matrix, vector), (by_matrix, by_vector)) in by_transforms.iter_mut().zip(sum) {
                for (row, by_row) in matrix.iter_mut().zip(by_matrix) {
                    add(row, by_row);
                }
                add(vector, by_vector);
            }
        }
        let (poses, rest, translations) = self.by_pose(batch, &transforms, &by_transforms);
        Ok(Gradient {
            vertices: by_vertices,
            weights: by_weights,
            poses,
            rest,
            offsets: by_offsets,
            translations,
        })
    }

    fn transforms(&self, batch: &Batch<'_>) -> Transforms {
        let joints = self.parents.len();
        let mut transforms = Transforms { all: Vec::with_capacity(joints * batch.len), posed: Vec::new() };
        for pose in 0..batch.len {
            let skeleton = self.skeleton(batch.rest_of(pose, joints));
            let mut posed = PosedJoints::default();
            skeleton.pose(batch.pose(pose, joints), &mut posed);
            transforms.all.extend((0..joints).map(|joint| skeleton.skinning_transform(&posed, joint)));
            transforms.posed.push(posed);
        }
        transforms
    }

    /// The first influence of each vertex, and the end.
    fn row_starts(&self) -> Vec<usize> {
        let mut starts = vec![0];
        let mut end = 0;
        for &count in &self.influences.counts {
            end += count as usize;
            starts.push(end);
        }
        starts
    }

    fn chunks<'a>(
        &self,
        starts: &[usize],
        vertices: &'a mut [f32],
        mut weights: &'a mut [f32],
        offsets: &'a mut [f32],
    ) -> Vec<Chunk<'a>> {
        let per_pose = 3 * self.vertices.len();
        let mut by_pose: Vec<_> =
            if per_pose == 0 { Vec::new() } else { offsets.chunks_exact_mut(per_pose).collect() };
        let joints = self.parents.len();
        let mut chunks = Vec::new();
        for (index, vertices) in vertices.chunks_mut(3 * CHUNK).enumerate() {
            let (first, len) = (index * CHUNK, vertices.len() / 3);
            let own = if self.influences.dense { joints * len } else { starts[first + len] - starts[first] };
            let (own, rest) = weights.split_at_mut(own);
            weights = rest;
            let mut take = |of_pose: &mut &'a mut [f32]| {
                let (own, rest) = std::mem::take(of_pose).split_at_mut(3 * len);
                *of_pose = rest;
                own
            };
            let offsets = by_pose.iter_mut().map(&mut take).collect();
            chunks.push(Chunk { first, vertices, weights: own, offsets });
        }
        chunks
    }

    fn chunk_gradient(
        &self,
        batch: &Batch<'_>,
        transforms: &Transforms,
        starts: &[usize],
        by_output: &[f32],
        mut chunk: Chunk<'_>,
    ) -> Sums {
        let (vertices, joints) = (self.vertices.len(), self.parents.len());
        let mut sums = vec![([[0.0; 3]; 3], [0.0; 3]); joints * batch.len];
        for local in 0..chunk.vertices.len() / 3 {
            let vertex = chunk.first + local;
            let row = starts[vertex]..starts[vertex + 1];
            let mut by_vertex = [0.0; 3];
            let mut by_weights = vec![0.0_f64; if self.influences.dense { joints } else { row.len() }];
            for pose in 0..batch.len {
                let at = 3 * (pose * vertices + vertex);
                let g: Vec3 = std::array::from_fn(|i| f64::from(by_output[at + i]));
                let moved = batch.translation_of(pose);
                let offset = batch.offsets_of(pose, vertices).map_or([0.0; 3], |all| all[vertex]);
                let x: Vec3 =
                    std::array::from_fn(|i| f64::from(self.vertices[vertex][i]) + f64::from(offset[i]));
                let of_pose = &transforms.all[joints * pose..joints * (pose + 1)];
                let by_weight = |joint: usize| {
                    let (matrix, vector) = &of_pose[joint];
                    let posed = transform(matrix, x);
                    (0..3).map(|i| g[i] * (posed[i] + vector[i] + moved[i])).sum::<f64>()
                };
                let mut by_x = [0.0; 3];
                for (index, influence) in row.clone().enumerate() {
                    let joint = self.influences.joints[influence] as usize;
                    let weight = f64::from(self.influences.weights[influence]);
                    let back = transform(&transpose(&of_pose[joint].0), g);
                    add(&mut by_x, back.map(|value| weight * value));
                    let (matrix, vector) = &mut sums[joints * pose + joint];
                    for r in 0..3 {
                        vector[r] += weight * g[r];
                        for c in 0..3 {
                            matrix[r][c] += weight * g[r] * x[c];
                        }
                    }
                    if !self.influences.dense {
                        by_weights[index] += by_weight(joint);
                    }
                }
                if self.influences.dense {
                    for (joint, sum) in by_weights.iter_mut().enumerate() {
                        *sum += by_weight(joint);
                    }
                }
                add(&mut by_vertex, by_x);
                if let Some(offsets) = chunk.offsets.get_mut(pose) {
                    offsets[3 * local..3 * local + 3].copy_from_slice(&by_x.map(|value| value as f32));
                }
            }
            chunk.vertices[3 * local..3 * local + 3].copy_from_slice(&by_vertex.map(|value| value as f32));
            let first = if self.influences.dense { joints * local } else { row.start - starts[chunk.first] };
            for (to, sum) in chunk.weights[first..].iter_mut().zip(by_weights) {
                *to = sum as f32;
            }
        }
        sums
    }

    /// By rotations, rest positions and translations.
    fn by_pose(
        &self,
        batch: &Batch<'_>,
        transforms: &Transforms,
        by_transforms: &[(Mat3, Vec3)],
    ) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
        let joints = self.parents.len();
        let (mut poses, mut rest, mut translations) = (Vec::new(), Vec::new(), Vec::new());
        for pose in 0..batch.len {
            let skeleton = self.skeleton(batch.rest_of(pose, joints));
            let own = &by_transforms[joints * pose..joints * (pose + 1)];
            let (by_local, by_rest) = skeleton.pose_backward(&transforms.posed[pose], own);
            match batch.pose(pose, joints) {
                Rotations::Matrices(_) => {
                    poses.extend(by_local.iter().flatten().flatten().map(|&value| value as f32));
                }
                Rotations::Vectors(vectors) => {
                    for (joint, by_matrix) in by_local.iter().enumerate() {
                        let v = std::array::from_fn(|i| f64::from(vectors[3 * joint + i]));
                        poses.extend(rodrigues_backward(v, by_matrix).map(|value| value as f32));
                    }
                }
            }
            rest.extend(by_rest.iter().flatten().map(|&value| value as f32));
            let mut by_translation = [0.0; 3];
            own.iter().for_each(|(_, by_vector)| add(&mut by_translation, *by_vector));
            translations.extend(by_translation.map(|value| value as f32));
        }
        (poses, rest, translations)
    }
}
