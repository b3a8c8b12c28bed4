//! An orbit camera with an infinite far plane.

use std::f32::consts::{FRAC_PI_2, PI};

/// A matrix as OpenGL stores it: four columns.
pub type Mat4 = [[f32; 4]; 4];

/// Tangent of half the vertical field of view.
const TAN_HALF_FOV: f32 = 0.36;
/// A picture narrower than this aspect ratio keeps its horizontal field of view and gets a larger
/// vertical one.
const MIN_ASPECT: f32 = 1.3;
/// Distance of the near plane, relative to the distance of the target.
const NEAR: f32 = 0.01;

/// A camera that orbits a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitCamera {
    /// The point the camera looks at.
    pub target: [f32; 3],
    /// Radians to the right; 0 looks from the front.
    pub yaw: f32,
    /// Radians upwards.
    pub pitch: f32,
    /// Distance from the target.
    pub distance: f32,
}

impl Default for OrbitCamera {
    fn default() -> Self {
        Self { target: [0.0; 3], yaw: 0.55, pitch: 0.32, distance: 10.0 }
    }
}

impl OrbitCamera {
    /// A camera far enough away to see a sphere around the target.
    #[must_use]
    pub fn framing(target: [f32; 3], radius: f32) -> Self {
        Self { target, distance: 0.84 * radius / TAN_HALF_FOV, ..Self::default() }
    }

    /// Turns the camera around the target. The pitch stops short of the pole.
    pub fn orbit(&mut self, right: f32, up: f32) {
        self.yaw = (self.yaw + right + PI).rem_euclid(2.0 * PI) - PI;
        self.pitch = (self.pitch + up).clamp(-0.1, FRAC_PI_2 - 0.02);
    }

    /// Multiplies the distance by a factor.
    pub fn zoom(&mut self, factor: f32) {
        self.distance = (self.distance * factor).clamp(1e-3, 1e6);
    }

    /// Moves the target in the picture plane, in units of the picture's height.
    pub fn pan(&mut self, right: f32, up: f32) {
        let [x, y, _] = self.axes();
        let scale = 2.0 * TAN_HALF_FOV * self.distance;
        self.target = [0, 1, 2].map(|i| self.target[i] + scale * (right * x[i] + up * y[i]));
    }

    /// Unit vectors to the right, upwards, and towards the camera.
    #[must_use]
    pub fn axes(&self) -> [[f32; 3]; 3] {
        let ((sy, cy), (sp, cp)) = (self.yaw.sin_cos(), self.pitch.sin_cos());
        [[cy, 0.0, -sy], [-sy * sp, cp, -cy * sp], [sy * cp, sp, cy * cp]]
    }

    /// Position of the camera.
    #[must_use]
    pub fn eye(&self) -> [f32; 3] {
        let [_, _, back] = self.axes();
        [0, 1, 2].map(|i| self.target[i] + self.distance * back[i])
    }

    /// The view-projection matrix for a picture of this aspect ratio (width / height).
    #[must_use]
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        let (axes, eye) = (self.axes(), self.eye());
        let along = |i: usize| -(0..3).map(|k| axes[i][k] * eye[k]).sum::<f32>();
        let view = |row: usize, column: usize| match (row, column) {
            (3, 3) => 1.0,
            (3, _) => 0.0,
            (_, 3) => along(row),
            _ => axes[row][column],
        };
        let near = NEAR * self.distance;
        // Slightly less than 1, the value for an infinite far plane: rounding must not clip the far
        // end of a shadow volume.
        let far = 1.0 - 1.0 / 4_194_304.0;
        let [across, upwards] = tan_half_fovs(aspect);
        let rows = [
            [1.0 / across, 0.0, 0.0, 0.0],
            [0.0, 1.0 / upwards, 0.0, 0.0],
            [0.0, 0.0, -far, -2.0 * near],
            [0.0, 0.0, -1.0, 0.0],
        ];
        [0, 1, 2, 3]
            .map(|column| [0, 1, 2, 3].map(|row| (0..4).map(|k| rows[row][k] * view(k, column)).sum::<f32>()))
    }

    /// The ray through a point of the picture, given from -1 to 1 to the right and upwards: origin
    /// and direction.
    #[must_use]
    pub fn ray(&self, aspect: f32, [x, y]: [f32; 2]) -> ([f32; 3], [f32; 3]) {
        let [right, up, back] = self.axes();
        let [across, upwards] = tan_half_fovs(aspect);
        let direction = [0, 1, 2].map(|i| across * x * right[i] + upwards * y * up[i] - back[i]);
        (self.eye(), direction)
    }
}

/// Tangents of half the horizontal and vertical fields of view.
fn tan_half_fovs(aspect: f32) -> [f32; 2] {
    let upwards = TAN_HALF_FOV * (MIN_ASPECT / aspect.max(1e-3)).max(1.0);
    [upwards * aspect.max(1e-3), upwards]
}

/// Projects a point to the picture, from -1 to 1 to the right and upwards; `None` behind the
/// camera.
#[must_use]
pub fn project_point(clip_from_world: &Mat4, point: [f32; 3]) -> Option<[f32; 2]> {
    let [x, y, z] = point;
    let at = |row: usize| {
        let column = |i: usize| clip_from_world[i][row];
        column(0) * x + column(1) * y + column(2) * z + column(3)
    };
    let w = at(3);
    (w > 0.0).then(|| [at(0) / w, at(1) / w])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_projects_to_the_point_it_was_cast_through() {
        let camera = OrbitCamera { target: [1.0, 2.0, -3.0], yaw: 0.7, pitch: 0.4, distance: 5.0 };
        let matrix = camera.clip_from_world(1.5);
        for position in [[0.0, 0.0], [0.5, -0.25], [-0.9, 0.8]] {
            let (eye, direction) = camera.ray(1.5, position);
            let point = [0, 1, 2].map(|i| eye[i] + 3.0 * direction[i]);
            let found = project_point(&matrix, point).expect("before the camera");
            assert!(
                (found[0] - position[0]).abs() < 1e-4 && (found[1] - position[1]).abs() < 1e-4,
                "{found:?}"
            );
        }
        let [_, _, back] = camera.axes();
        let behind = [0, 1, 2].map(|i| camera.eye()[i] + back[i]);
        assert_eq!(project_point(&matrix, behind), None);
    }

    #[test]
    fn the_target_stays_in_the_center_of_the_picture() {
        let mut camera = OrbitCamera::framing([3.0, 1.0, 2.0], 2.0);
        for _ in 0..50 {
            camera.orbit(0.3, 0.1);
            let [x, y] =
                project_point(&camera.clip_from_world(2.0), camera.target).expect("before the camera");
            assert!(x.abs() < 1e-4 && y.abs() < 1e-4);
        }
    }
}
