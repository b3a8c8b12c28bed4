//! Affine transforms and quaternions of eight characters side by side.

use sinew_kernels::Matrix;

use super::lanes::{F32x8, Mask8, Vec3x8};

/// An affine transform in each lane: the columns of its linear part, and its translation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Affine8 {
    pub(crate) columns: [Vec3x8; 3],
    pub(crate) translation: Vec3x8,
}

impl Affine8 {
    pub(crate) fn set_lane(&mut self, lane: usize, matrix: &Matrix) {
        let column = |c: usize| matrix.rows.map(|row| row[c]);
        for (c, own) in self.columns.iter_mut().enumerate() {
            own.set_lane(lane, column(c));
        }
        self.translation.set_lane(lane, column(3));
    }

    #[inline(always)]
    pub(crate) fn vector(&self, v: Vec3x8) -> Vec3x8 {
        let [x, y, z] = self.columns;
        x.scaled(v.x) + y.scaled(v.y) + z.scaled(v.z)
    }

    #[inline(always)]
    pub(crate) fn point(&self, p: Vec3x8) -> Vec3x8 {
        self.vector(p) + self.translation
    }

    #[inline(always)]
    pub(crate) fn times(&self, other: &Self) -> Self {
        Self {
            columns: other.columns.map(|column| self.vector(column)),
            translation: self.point(other.translation),
        }
    }

    /// The rows of the adjugate of the linear part: its inverse times its determinant, which comes
    /// with it.
    #[inline(always)]
    pub(crate) fn adjugate(&self) -> ([Vec3x8; 3], F32x8) {
        let [x, y, z] = self.columns;
        let rows = [y.cross(z), z.cross(x), x.cross(y)];
        (rows, x.dot(rows[0]))
    }

    /// The inverse. Not finite where there is none.
    pub(crate) fn inverse(&self) -> Self {
        let ([x, y, z], determinant) = self.adjugate();
        let factor = F32x8::splat(1.0) / determinant;
        let columns = [
            Vec3x8 { x: x.x, y: y.x, z: z.x }.scaled(factor),
            Vec3x8 { x: x.y, y: y.y, z: z.y }.scaled(factor),
            Vec3x8 { x: x.z, y: y.z, z: z.z }.scaled(factor),
        ];
        let linear = Self { columns, translation: Vec3x8::default() };
        Self { translation: -linear.vector(self.translation), ..linear }
    }
}

/// A quaternion in each lane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quat8 {
    pub(crate) vector: Vec3x8,
    pub(crate) w: F32x8,
}

impl Quat8 {
    /// The same quaternion in all lanes.
    #[inline(always)]
    pub(crate) fn splat([x, y, z, w]: [f32; 4]) -> Self {
        Self { vector: Vec3x8::splat([x, y, z]), w: F32x8::splat(w) }
    }

    pub(crate) fn lane(&self, lane: usize) -> [f32; 4] {
        let [x, y, z] = self.vector.lane(lane);
        [x, y, z, self.w.0[lane]]
    }

    /// The shortest rotation from one unit vector to another; about `perpendicular` where they are
    /// opposite. The identity where `to` is zero.
    #[inline(always)]
    pub(crate) fn rotation_arc(from: Vec3x8, to: Vec3x8, perpendicular: Vec3x8) -> Self {
        let w = F32x8::splat(1.0) + from.dot(to);
        let opposite = w.less_than(F32x8::splat(1e-6));
        let vector = perpendicular.where_or(opposite, from.cross(to));
        let w = F32x8::splat(0.0).where_or(opposite, w);
        let factor = (vector.dot(vector) + w * w).sqrt().reciprocal_or_zero();
        Self { vector: vector.scaled(factor), w: w * factor }
    }

    #[inline(always)]
    pub(crate) fn times(self, other: Self) -> Self {
        let (u, v) = (self.vector, other.vector);
        Self { vector: v.scaled(self.w) + u.scaled(other.w) + u.cross(v), w: self.w * other.w - u.dot(v) }
    }

    /// Rotates a vector by a unit quaternion.
    #[inline(always)]
    pub(crate) fn rotate(self, v: Vec3x8) -> Vec3x8 {
        let cross = self.vector.cross(v);
        let twice = cross + cross;
        v + twice.scaled(self.w) + self.vector.cross(twice)
    }

    /// Rotates a vector by the inverse of a unit quaternion.
    #[inline(always)]
    pub(crate) fn rotate_back(self, v: Vec3x8) -> Vec3x8 {
        Self { vector: -self.vector, w: self.w }.rotate(v)
    }

    /// The columns of the rotation matrix.
    #[inline(always)]
    pub(crate) fn columns(self) -> [Vec3x8; 3] {
        let (Vec3x8 { x, y, z }, w, one) = (self.vector, self.w, F32x8::splat(1.0));
        let (x2, y2, z2) = (x + x, y + y, z + z);
        [
            Vec3x8 { x: one - (y * y2 + z * z2), y: x * y2 + w * z2, z: x * z2 - w * y2 },
            Vec3x8 { x: x * y2 - w * z2, y: one - (x * x2 + z * z2), z: y * z2 + w * x2 },
            Vec3x8 { x: x * z2 + w * y2, y: y * z2 - w * x2, z: one - (x * x2 + y * y2) },
        ]
    }

    /// This quaternion where the mask is set, the other one elsewhere.
    #[inline(always)]
    pub(crate) fn where_or(self, mask: Mask8, other: Self) -> Self {
        Self { vector: self.vector.where_or(mask, other.vector), w: self.w.where_or(mask, other.w) }
    }
}
