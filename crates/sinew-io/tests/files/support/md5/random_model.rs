//! Random MD5 models and clips, as text and as positions in `f64`, computed with matrices. Nothing
//! is shared with the importer.

use std::fmt::Write as _;

/// The rows of a rotation with a translation.
type Affine = [[f64; 4]; 3];

/// A model and a clip, with the numbers of their text.
pub(crate) struct RandomModel {
    pub(crate) joints: Vec<Joint>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) frame_rate: f64,
    /// For each frame, the six components of every joint. Components that are not animated have the
    /// value of the first frame.
    pub(crate) frames: Vec<Vec<[f64; 6]>>,
    /// For each joint, which of the six components are animated.
    flags: Vec<u32>,
}

pub(crate) struct Joint {
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    /// In model space.
    bind: [f64; 6],
}

pub(crate) struct Mesh {
    pub(crate) vertices: Vec<Vertex>,
    triangles: Vec<[usize; 3]>,
    weights: Vec<Weight>,
}

pub(crate) struct Vertex {
    pub(crate) uv: [f64; 2],
    first: usize,
    count: usize,
}

struct Weight {
    joint: usize,
    weight: f64,
    vector: [f64; 3],
}

/// A pose of the model.
pub(crate) enum Frame {
    /// The bind pose.
    Bind,
    /// A frame, or a time between two frames.
    At(f64),
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// From -1 to 1, with the six digits of the text.
    fn number(&mut self) -> f64 {
        (self.below(2_000_001) as f64 - 1_000_000.0) / 1_000_000.0
    }

    /// A random transform: a position, and a rotation without its w.
    fn transform(&mut self) -> [f64; 6] {
        let p = [0, 1, 2].map(|_| self.number());
        loop {
            let q = [0, 1, 2].map(|_| self.number());
            // Near one, six digits determine w badly.
            if q.iter().map(|element| element * element).sum::<f64>() < 0.98 {
                return [p[0], p[1], p[2], q[0], q[1], q[2]];
            }
        }
    }
}

impl RandomModel {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let len = 2 + random.below(30);
        let joint = |(number, random): (usize, &mut Random)| Joint {
            name: format!("joint {number}"),
            parent: (number > 0 && random.below(8) > 0).then(|| random.below(number.max(1))),
            bind: random.transform(),
        };
        let joints: Vec<Joint> = (0..len).map(|number| joint((number, &mut random))).collect();
        let meshes = (0..1 + random.below(4)).map(|_| Mesh::new(len, &mut random)).collect();
        let flags: Vec<u32> = (0..len).map(|_| random.below(64) as u32).collect();
        let base: Vec<[f64; 6]> = (0..len).map(|_| random.transform()).collect();
        let frame_len = 2 + random.below(6);
        let frame = |random: &mut Random| {
            let of_joint =
                |(base, flags): (&[f64; 6], &u32)| replace_flagged(base, &random.transform(), *flags);
            base.iter().zip(&flags).map(of_joint).collect()
        };
        let frames = (0..frame_len).map(|_| frame(&mut random)).collect();
        Self { joints, meshes, frame_rate: [24.0, 30.0, 7.0][random.below(3)], frames, flags }
    }

    /// Replaces the clip by `frames` copies of its first frame, with no animated components.
    pub(crate) fn stand_still(&mut self, frames: usize) {
        self.frames = vec![self.frames[0].clone(); frames];
        self.flags.fill(0);
    }

    pub(crate) fn mesh_text(&self) -> String {
        let mut text = String::from("MD5Version 10\ncommandline \"mesh \"a b\" -c\"\n\n");
        let _ =
            writeln!(text, "numJoints {}\nnumMeshes {}\n\njoints {{", self.joints.len(), self.meshes.len());
        for Joint { name, parent, bind } in &self.joints {
            let parent = parent.map_or("-1".to_owned(), |parent| parent.to_string());
            let _ = writeln!(text, "\t\"{name}\"\t{parent} {}\t\t// {parent}", transform_text(bind));
        }
        text += "}\n";
        for (number, mesh) in self.meshes.iter().enumerate() {
            mesh.write(number, &mut text);
        }
        text
    }

    pub(crate) fn anim_text(&self) -> String {
        let mut text =
            format!("MD5Version 10\nnumFrames {}\nnumJoints {}\n", self.frames.len(), self.joints.len());
        let components: u32 = self.flags.iter().map(|flags| flags.count_ones()).sum();
        let _ =
            writeln!(text, "frameRate {}\nnumAnimatedComponents {components}\nhierarchy {{", self.frame_rate);
        let mut start = 0;
        for (Joint { name, parent, .. }, flags) in self.joints.iter().zip(&self.flags) {
            let parent = parent.map_or("-1".to_owned(), |parent| parent.to_string());
            let _ = writeln!(text, "\t\"{name}\"\t{parent} {flags} {start}");
            start += flags.count_ones();
        }
        let bounds = "( -9 -9 -9 ) ( 9 9 9 )\n".repeat(self.frames.len());
        let _ = writeln!(text, "}}\nbounds {{\n{bounds}}}\nbaseframe {{");
        for base in &self.frames[0] {
            let _ = writeln!(text, "\t{}", transform_text(base));
        }
        text += "}\n";
        for (number, frame) in self.frames.iter().enumerate() {
            let _ = writeln!(text, "frame {number} {{");
            for (transform, flags) in frame.iter().zip(&self.flags) {
                let moved = (0..6).filter(|bit| flags >> bit & 1 == 1);
                moved.for_each(|bit| text += &format!(" {:.6}", transform[bit]));
                text += "\n";
            }
            text += "}\n";
        }
        text
    }

    /// The positions of the vertices of all meshes.
    pub(crate) fn positions(&self, frame: &Frame) -> Vec<[f64; 3]> {
        let joints = match frame {
            Frame::Bind => self.joints.iter().map(|joint| affine(&joint.bind)).collect(),
            Frame::At(frame) => self.joint_transforms(*frame),
        };
        let position = |mesh: &Mesh, vertex: &Vertex| {
            let own = &mesh.weights[vertex.first..vertex.first + vertex.count];
            own.iter().fold([0.0; 3], |sum, weight| {
                let [x, y, z] = weight.vector;
                let at = joints[weight.joint].map(|row| row[0] * x + row[1] * y + row[2] * z + row[3]);
                [0, 1, 2].map(|axis| sum[axis] + weight.weight * at[axis])
            })
        };
        let of_mesh =
            |mesh: &Mesh| mesh.vertices.iter().map(|vertex| position(mesh, vertex)).collect::<Vec<_>>();
        self.meshes.iter().flat_map(of_mesh).collect()
    }

    fn joint_transforms(&self, frame: f64) -> Vec<Affine> {
        let before = (frame.floor() as usize).min(self.frames.len() - 1);
        let after = (before + 1).min(self.frames.len() - 1);
        let mut all: Vec<Affine> = Vec::new();
        for (joint, of) in self.joints.iter().enumerate() {
            let own =
                interpolate(&self.frames[before][joint], &self.frames[after][joint], frame - before as f64);
            all.push(match of.parent {
                Some(parent) => product(&all[parent], &own),
                None => own,
            });
        }
        all
    }
}

impl Mesh {
    fn new(joints: usize, random: &mut Random) -> Self {
        let mut mesh = Self { vertices: Vec::new(), triangles: Vec::new(), weights: Vec::new() };
        for vertex in 0..20 + random.below(50) {
            // The first vertex has 300 influences; some vertices fraction the range of the previous
            // one.
            let count = if vertex == 0 { 300 } else { 1 + random.below(5) };
            let first = mesh.weights.len();
            let run = match mesh.vertices.last() {
                Some(last) if vertex > 2 && random.below(4) == 0 => (last.first, last.count),
                _ => {
                    mesh.add_weights(count, joints, random);
                    (first, count)
                }
            };
            let uv = [random.number(), random.number()];
            mesh.vertices.push(Vertex { uv, first: run.0, count: run.1 });
        }
        let len = mesh.vertices.len();
        mesh.triangles = (0..2 * len).map(|_| [0, 1, 2].map(|_| random.below(len))).collect();
        mesh
    }

    fn add_weights(&mut self, count: usize, joints: usize, random: &mut Random) {
        let fraction = 1_000_000 / count;
        for index in 0..count {
            let millionths = if index == 0 { 1_000_000 - (count - 1) * fraction } else { fraction };
            let vector = [0, 1, 2].map(|_| random.number());
            self.weights.push(Weight {
                joint: random.below(joints),
                weight: millionths as f64 / 1e6,
                vector,
            });
        }
    }

    fn write(&self, number: usize, text: &mut String) {
        *text += "\nmesh {\n";
        if number.is_multiple_of(2) {
            let _ = writeln!(text, "\t// meshes: part {number}");
        }
        let _ = writeln!(text, "\tshader \"shader {}\"\n\n\tnumverts {}", number % 2, self.vertices.len());
        for (i, Vertex { uv: [u, v], first, count }) in self.vertices.iter().enumerate() {
            let _ = writeln!(text, "\tvert {i} ( {u:.6} {v:.6} ) {first} {count}");
        }
        let _ = writeln!(text, "\n\tnumtris {}", self.triangles.len());
        for (i, [a, b, c]) in self.triangles.iter().enumerate() {
            let _ = writeln!(text, "\ttri {i} {a} {b} {c}");
        }
        let _ = writeln!(text, "\n\tnumweights {}", self.weights.len());
        for (i, Weight { joint, weight, vector: [x, y, z] }) in self.weights.iter().enumerate() {
            let _ = writeln!(text, "\tweight {i} {joint} {weight:.6} ( {x:.6} {y:.6} {z:.6} )");
        }
        *text += "}\n";
    }
}

fn transform_text([x, y, z, qx, qy, qz]: &[f64; 6]) -> String {
    format!("( {x:.6} {y:.6} {z:.6} ) ( {qx:.6} {qy:.6} {qz:.6} )")
}

/// The base with the flagged components replaced.
fn replace_flagged(base: &[f64; 6], moved: &[f64; 6], flags: u32) -> [f64; 6] {
    // Keeps the whole base if the mixed rotation would be too long.
    let flagged: [f64; 6] =
        std::array::from_fn(|bit| if flags >> bit & 1 == 1 { moved[bit] } else { base[bit] });
    let squared: f64 = flagged[3..].iter().map(|element| element * element).sum();
    if squared < 0.98 { flagged } else { *base }
}

/// The rotation of the file: the conjugate of the quaternion with w above zero.
fn rotation(transform: &[f64; 6]) -> [f64; 4] {
    let &[.., x, y, z] = transform;
    [-x, -y, -z, (1.0 - x * x - y * y - z * z).max(0.0).sqrt()]
}

fn affine(transform: &[f64; 6]) -> Affine {
    affine_from_rotation(rotation(transform), [transform[0], transform[1], transform[2]])
}

fn affine_from_rotation([x, y, z, w]: [f64; 4], t: [f64; 3]) -> Affine {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y), t[0]],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x), t[1]],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y), t[2]],
    ]
}

/// Interpolates the position linearly and the rotation along the shorter arc.
fn interpolate(a: &[f64; 6], b: &[f64; 6], fraction: f64) -> Affine {
    let t = [0, 1, 2].map(|axis| a[axis] + fraction * (b[axis] - a[axis]));
    let (p, q) = (rotation(a), rotation(b));
    let cosine: f64 = (0..4).map(|i| p[i] * q[i]).sum();
    let sign = if cosine < 0.0 { -1.0 } else { 1.0 };
    let angle = (cosine * sign).min(1.0).acos();
    if angle < 1e-7 {
        return affine_from_rotation(p, t);
    }
    let shares =
        [((1.0 - fraction) * angle).sin() / angle.sin(), sign * (fraction * angle).sin() / angle.sin()];
    affine_from_rotation([0, 1, 2, 3].map(|i| shares[0] * p[i] + shares[1] * q[i]), t)
}

fn product(a: &Affine, b: &Affine) -> Affine {
    a.map(|row| {
        let element = |c: usize| row[0] * b[0][c] + row[1] * b[1][c] + row[2] * b[2][c];
        [element(0), element(1), element(2), element(3) + row[3]]
    })
}
