//! Forward kinematics of body models in `f64`, and its derivatives.
//!
//! A joint's local transform is a rotation about its rest position. `A` is what skinning needs: the
//! transform from the rest pose to the posed body, `x -> R x + t`.

/// A 3 x 3 matrix, row by row.
pub(super) type Mat3 = [[f64; 3]; 3];
pub(super) type Vec3 = [f64; 3];

/// The rotations of one pose, as Python gives them.
#[derive(Clone, Copy)]
pub(super) enum Rotations<'a> {
    /// Axis times angle, one vector per joint.
    Vectors(&'a [f32]),
    /// Nine numbers per joint, row by row.
    Matrices(&'a [f32]),
}

impl Rotations<'_> {
    /// The rotation of a joint.
    pub(super) fn matrix(&self, joint: usize) -> Mat3 {
        match self {
            Self::Vectors(values) => rodrigues(std::array::from_fn(|i| f64::from(values[3 * joint + i]))),
            Self::Matrices(values) => {
                std::array::from_fn(|r| std::array::from_fn(|c| f64::from(values[9 * joint + 3 * r + c])))
            }
        }
    }
}

/// The skeleton of a body at rest.
#[derive(Clone, Copy)]
pub(super) struct RestSkeleton<'a> {
    pub(super) parents: &'a [Option<usize>],
    pub(super) rest: &'a [[f32; 3]],
}

/// The posed joints.
#[derive(Clone, Default)]
pub(super) struct PosedJoints {
    /// Local rotations.
    pub(super) local: Vec<Mat3>,
    /// Rotations in model space.
    pub(super) rotations: Vec<Mat3>,
    /// Positions in model space.
    pub(super) positions: Vec<Vec3>,
}

impl RestSkeleton<'_> {
    pub(super) fn position(&self, joint: usize) -> Vec3 {
        self.rest[joint].map(f64::from)
    }

    /// A joint's position relative to its parent's.
    fn offset(&self, joint: usize) -> Vec3 {
        let from = self.parents[joint].map_or([0.0; 3], |parent| self.position(parent));
        let to = self.position(joint);
        std::array::from_fn(|i| to[i] - from[i])
    }

    /// Poses all joints.
    pub(super) fn pose(&self, rotations: Rotations<'_>, to: &mut PosedJoints) {
        to.local.clear();
        to.rotations.clear();
        to.positions.clear();
        for (joint, &parent) in self.parents.iter().enumerate() {
            let (local, offset) = (rotations.matrix(joint), self.offset(joint));
            let (rotation, position) = match parent {
                Some(parent) => {
                    let (rotation, position) = (&to.rotations[parent], to.positions[parent]);
                    let moved = transform(rotation, offset);
                    (multiply(rotation, &local), std::array::from_fn(|i| position[i] + moved[i]))
                }
                None => (local, offset),
            };
            to.local.push(local);
            to.rotations.push(rotation);
            to.positions.push(position);
        }
    }

    /// The transform of a joint from the rest pose: rotation and translation.
    pub(super) fn skinning_transform(&self, posed: &PosedJoints, joint: usize) -> (Mat3, Vec3) {
        let rotation = posed.rotations[joint];
        let moved = transform(&rotation, self.position(joint));
        (rotation, std::array::from_fn(|i| posed.positions[joint][i] - moved[i]))
    }

    /// From the derivatives by the skinning transforms, those by local rotations and rest
    /// positions.
    pub(super) fn pose_backward(
        &self,
        posed: &PosedJoints,
        by_transforms: &[(Mat3, Vec3)],
    ) -> (Vec<Mat3>, Vec<Vec3>) {
        let joints = self.parents.len();
        // By the rotations and positions in model space; by offsets from the parent.
        let mut by_rotation = vec![[[0.0; 3]; 3]; joints];
        let mut by_position = vec![[0.0; 3]; joints];
        let mut by_rest = vec![[0.0; 3]; joints];
        let mut by_local = vec![[[0.0; 3]; 3]; joints];
        for joint in 0..joints {
            // t = position - R rest.
            let (by_matrix, by_t) = by_transforms[joint];
            let rest = self.position(joint);
            for r in 0..3 {
                by_position[joint][r] += by_t[r];
                for c in 0..3 {
                    by_rotation[joint][r][c] += by_matrix[r][c] - by_t[r] * rest[c];
                    by_rest[joint][c] -= posed.rotations[joint][r][c] * by_t[r];
                }
            }
        }
        for joint in (0..joints).rev() {
            let Some(parent) = self.parents[joint] else {
                by_local[joint] = by_rotation[joint];
                add(&mut by_rest[joint], by_position[joint]);
                continue;
            };
            // R = Rp L; position = position_p + Rp offset.
            let (up, offset) = (posed.rotations[parent], self.offset(joint));
            by_local[joint] = multiply(&transpose(&up), &by_rotation[joint]);
            let to_parent = multiply(&by_rotation[joint], &transpose(&posed.local[joint]));
            let at = by_position[joint];
            for r in 0..3 {
                for c in 0..3 {
                    by_rotation[parent][r][c] += to_parent[r][c] + at[r] * offset[c];
                }
            }
            add(&mut by_position[parent], at);
            let by_offset = transform(&transpose(&up), at);
            add(&mut by_rest[joint], by_offset);
            add(&mut by_rest[parent], by_offset.map(|x| -x));
        }
        (by_local, by_rest)
    }
}

/// The rotation by a vector's length about its direction.
pub(super) fn rodrigues(v: Vec3) -> Mat3 {
    let Coefficients { a, b, .. } = Coefficients::new(v);
    let (k, kk) = cross_matrices(v);
    std::array::from_fn(|r| std::array::from_fn(|c| f64::from(u8::from(r == c)) + a * k[r][c] + b * kk[r][c]))
}

/// From the derivative by a rotation matrix, that by its rotation vector.
pub(super) fn rodrigues_backward(v: Vec3, by_matrix: &Mat3) -> Vec3 {
    let Coefficients { a, b, da, db } = Coefficients::new(v);
    let (k, kk) = cross_matrices(v);
    std::array::from_fn(|axis| {
        let mut unit = [0.0; 3];
        unit[axis] = 1.0;
        let (dk, _) = cross_matrices(unit);
        let (left, right) = (multiply(&dk, &k), multiply(&k, &dk));
        let mut sum = 0.0;
        for r in 0..3 {
            for c in 0..3 {
                let derivative =
                    a * dk[r][c] + b * (left[r][c] + right[r][c]) + v[axis] * (da * k[r][c] + db * kk[r][c]);
                sum += by_matrix[r][c] * derivative;
            }
        }
        sum
    })
}

/// sin x / x and (1 - cos x) / x^2 of a vector's length x, and their derivatives by x over x.
struct Coefficients {
    a: f64,
    b: f64,
    da: f64,
    db: f64,
}

impl Coefficients {
    fn new(v: Vec3) -> Self {
        let square = v.iter().map(|x| x * x).sum::<f64>();
        // Below this, the next term of each series is less than rounding.
        if square < 1e-4 {
            let s = square;
            return Self {
                a: 1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0)),
                b: 0.5 - s / 24.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0)),
                da: -1.0 / 3.0 + s / 30.0 * (1.0 - s / 28.0),
                db: -1.0 / 12.0 + s / 180.0 * (1.0 - s / 37.333_333_333_333_336),
            };
        }
        let x = square.sqrt();
        let (sine, cosine) = x.sin_cos();
        let (a, b) = (sine / x, (1.0 - cosine) / square);
        Self { a, b, da: (cosine - a) / square, db: (a - 2.0 * b) / square }
    }
}

/// The matrix of the cross product with a vector, and its square.
fn cross_matrices([x, y, z]: Vec3) -> (Mat3, Mat3) {
    let k = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
    (k, multiply(&k, &k))
}

pub(super) fn multiply(a: &Mat3, b: &Mat3) -> Mat3 {
    std::array::from_fn(|r| {
        std::array::from_fn(|c| a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c])
    })
}

pub(super) fn transpose(m: &Mat3) -> Mat3 {
    std::array::from_fn(|r| std::array::from_fn(|c| m[c][r]))
}

pub(super) fn transform(m: &Mat3, v: Vec3) -> Vec3 {
    std::array::from_fn(|r| m[r][0] * v[0] + m[r][1] * v[1] + m[r][2] * v[2])
}

pub(super) fn add(to: &mut Vec3, v: Vec3) {
    for (to, v) in to.iter_mut().zip(v) {
        *to += v;
    }
}
