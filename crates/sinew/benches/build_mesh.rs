//! Building meshes: checks, influences, the layout and the base vectors, without bounds or a BVH.
//!
//! `cargo bench -p sinew --bench build_mesh`, with part of a mesh's name to run only some. A line
//! for each mesh: milliseconds and nanoseconds per vertex, the median over the rounds, and the
//! minimum.

use std::env;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::Instant;

use sinew::mesh::{Influences, LayoutReport, Weights};
use sinew::{Bone, JointId, Mesh, MeshSource, Skeleton, Skin, Transform};
use sinew_testkit::random::Random;

/// The least number of rounds and seconds for each mesh.
const FULL: (usize, f64) = (15, 0.5);

/// The arrays of a mesh source.
#[derive(Default)]
struct MeshArrays {
    joints_of_skin: usize,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
    counts: Vec<u32>,
    joints: Vec<u32>,
    weights: Vec<f32>,
    triangles: Vec<[u32; 3]>,
    weight_mode: Weights,
}

/// How to make a mesh of a number of vertices.
type MakeMesh = fn(usize) -> MeshArrays;

const MESHES: [(&str, usize, MakeMesh); 8] = [
    ("random sets of 4 of 64 joints", 20_000, |vertices| MeshArrays::random(vertices, 4, 4, 64)),
    ("random sets of 1 to 8 of 300 joints", 20_000, |vertices| MeshArrays::random(vertices, 1, 8, 300)),
    ("random sets of 4, kept as stored", 20_000, |vertices| MeshArrays {
        weight_mode: Weights::AsStored,
        ..MeshArrays::random(vertices, 4, 4, 64)
    }),
    ("a small character", 3_273, |vertices| MeshArrays::adjacent_sets(vertices, 90, 19)),
    ("a large character", 30_000, |vertices| MeshArrays::adjacent_sets(vertices, 600, 64)),
    ("many characters", 1_000_000, |vertices| MeshArrays::adjacent_sets(3_273, 90, 19).tiled(vertices)),
    ("many sets", 1_000_000, |vertices| MeshArrays::adjacent_sets(vertices, 20_000, 300)),
    ("random sets of 4 of 64 joints", 1_000_000, |vertices| MeshArrays::random(vertices, 4, 4, 64)),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    // `cargo bench` passes `--bench`; `cargo test` only checks that the program runs.
    let measure = arguments.iter().any(|argument| argument == "--bench");
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    for (name, vertices, make) in MESHES.into_iter().filter(|(name, ..)| name.contains(&wanted)) {
        let arrays = make(if measure { vertices } else { 100 });
        let (seconds, least, report) = arrays.time(if measure { FULL } else { (1, 0.0) })?;
        let vertices = arrays.positions.len();
        print_line(&format!(
            "{name:<38} {vertices:8} vertices {:9.3} ms {:8.1} ns each (least {:8.1}); {:?}, {} runs",
            1e3 * seconds,
            1e9 * seconds / vertices as f64,
            1e9 * least / vertices as f64,
            report.grouping,
            report.runs
        ));
    }
    Ok(())
}

impl MeshArrays {
    /// Vertices with joint sets of their own.
    fn random(vertices: usize, least: usize, most: usize, joints_of_skin: usize) -> Self {
        let mut random = Random::new(1);
        let mut arrays = Self { joints_of_skin, ..Self::default() };
        for _ in 0..vertices {
            let set = random_set(&mut random, least, most, joints_of_skin);
            arrays.push_vertex(&set, &mut random);
        }
        arrays.fill()
    }

    /// Vertices with the same joint set follow each other, as modeling programs write them.
    fn adjacent_sets(vertices: usize, sets: usize, joints_of_skin: usize) -> Self {
        let mut random = Random::new(2);
        let mut arrays = Self { joints_of_skin, ..Self::default() };
        // The joints of a set are neighbors in the skeleton.
        let sets: Vec<Vec<u32>> = (0..sets)
            .map(|_| {
                let first = random.below(joints_of_skin);
                let near = random_set(&mut random, 1, 4, 8);
                near.into_iter().map(|joint| (joint + first as u32) % joints_of_skin as u32).collect()
            })
            .collect();
        while arrays.counts.len() < vertices {
            let set = &sets[random.below(sets.len())];
            for _ in 0..1 + random.below(12) {
                if arrays.counts.len() < vertices {
                    arrays.push_vertex(set, &mut random);
                }
            }
        }
        arrays.fill()
    }

    /// Copies of the mesh, side by side.
    fn tiled(self, vertices: usize) -> Self {
        let mut tiled = Self { joints_of_skin: self.joints_of_skin, ..Self::default() };
        while tiled.counts.len() < vertices {
            tiled.counts.extend(&self.counts);
            tiled.joints.extend(&self.joints);
            tiled.weights.extend(&self.weights);
        }
        tiled.counts.truncate(vertices);
        let influences = tiled.counts.iter().sum::<u32>() as usize;
        tiled.joints.truncate(influences);
        tiled.weights.truncate(influences);
        tiled.fill()
    }

    fn push_vertex(&mut self, joints: &[u32], random: &mut Random) {
        self.counts.push(joints.len() as u32);
        self.joints.extend(joints);
        self.weights.extend(joints.iter().map(|_| random.between(0.1, 1.0)));
    }

    /// Adds what depends on the number of vertices alone.
    fn fill(mut self) -> Self {
        let (vertices, mut random) = (self.counts.len(), Random::new(3));
        self.positions = (0..vertices).map(|_| random.vector(2.0)).collect();
        self.normals = (0..vertices).map(|_| random.vector(1.0)).collect();
        let tangent = |_| {
            let [x, y, z] = random.vector(1.0);
            [x, y, z, 1.0]
        };
        self.tangents = (0..vertices).map(tangent).collect();
        let wrapped = |vertex: usize| (vertex % vertices) as u32;
        self.triangles = (0..vertices).map(|v| [wrapped(v), wrapped(v + 1), wrapped(v + 7)]).collect();
        self
    }

    /// Builds the mesh and returns the median and the minimum of the seconds.
    fn time(&self, (rounds, time): (usize, f64)) -> Result<(f64, f64, LayoutReport), sinew::Error> {
        let bones = vec![Bone::new("", None, Transform::IDENTITY); self.joints_of_skin];
        let skeleton = Skeleton::new(&bones)?;
        let joints: Vec<JointId> = (0..self.joints_of_skin).map(JointId::new).collect();
        let skin = Skin::new(&skeleton, &joints)?;
        let influences =
            Influences::Variable { counts: &self.counts, joints: &self.joints, weights: &self.weights };
        let source = MeshSource {
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
            triangles: &self.triangles,
            weights: self.weight_mode,
            ..MeshSource::new(&self.positions, influences)
        };
        let mut seconds = Vec::new();
        let report = Mesh::new(&source, &skin)?.layout();
        let started = Instant::now();
        while seconds.len() < rounds || started.elapsed().as_secs_f64() < time {
            let start = Instant::now();
            let mesh = Mesh::new(black_box(&source), &skin)?;
            seconds.push(start.elapsed().as_secs_f64());
            black_box(mesh);
        }
        seconds.sort_by(f64::total_cmp);
        Ok((seconds[seconds.len() / 2], seconds[0], report))
    }
}

/// Different joints in no order.
fn random_set(random: &mut Random, least: usize, most: usize, joints_of_skin: usize) -> Vec<u32> {
    let count = least + random.below(most - least + 1);
    let mut set: Vec<u32> = Vec::with_capacity(count);
    while set.len() < count {
        let joint = random.below(joints_of_skin) as u32;
        if !set.contains(&joint) {
            set.push(joint);
        }
    }
    set
}

fn print_line(line: &str) {
    // A closed output cannot be reported anywhere.
    let _ = writeln!(stdout(), "{line}");
}
