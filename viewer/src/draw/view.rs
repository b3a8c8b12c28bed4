//! The camera: around a point, at a distance, without a far plane.

use std::f32::consts::{FRAC_PI_2, PI};

/// A matrix as OpenGL has it: four columns.
pub type Columns = [[f32; 4]; 4];

/// Half of what is seen from top to bottom is so much of the distance.
const SLOPE: f32 = 0.36;
/// A picture that is narrower than this shows more above and below, and no less to the sides.
const NARROW: f32 = 1.3;
/// How near things may come, as a share of the distance to the middle.
const NEAR: f32 = 0.01;

/// Where the scene is seen from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// What the camera looks at.
    pub middle: [f32; 3],
    /// In radians, to the right; from the front at 0.
    pub yaw: f32,
    /// In radians, upwards.
    pub pitch: f32,
    /// From the middle.
    pub distance: f32,
}

impl Default for View {
    fn default() -> Self {
        Self { middle: [0.0; 3], yaw: 0.55, pitch: 0.32, distance: 10.0 }
    }
}

impl View {
    /// From far enough to see a ball around the middle.
    #[must_use]
    pub fn around(middle: [f32; 3], radius: f32) -> Self {
        Self { middle, distance: 0.84 * radius / SLOPE, ..Self::default() }
    }

    /// Turns around the middle, not over the top.
    pub fn turn(&mut self, right: f32, up: f32) {
        self.yaw = (self.yaw + right + PI).rem_euclid(2.0 * PI) - PI;
        self.pitch = (self.pitch + up).clamp(-0.1, FRAC_PI_2 - 0.02);
    }

    /// Goes nearer or further, by a factor.
    pub fn zoom(&mut self, factor: f32) {
        self.distance = (self.distance * factor).clamp(1e-3, 1e6);
    }

    /// Moves the middle across the picture, in heights of it.
    pub fn shift(&mut self, right: f32, up: f32) {
        let [x, y, _] = self.axes();
        let scale = 2.0 * SLOPE * self.distance;
        self.middle = [0, 1, 2].map(|i| self.middle[i] + scale * (right * x[i] + up * y[i]));
    }

    /// To the right, upwards, and towards the camera.
    #[must_use]
    pub fn axes(&self) -> [[f32; 3]; 3] {
        let ((sy, cy), (sp, cp)) = (self.yaw.sin_cos(), self.pitch.sin_cos());
        [[cy, 0.0, -sy], [-sy * sp, cp, -cy * sp], [sy * cp, sp, cy * cp]]
    }

    /// Where the camera is.
    #[must_use]
    pub fn eye(&self) -> [f32; 3] {
        let [_, _, back] = self.axes();
        [0, 1, 2].map(|i| self.middle[i] + self.distance * back[i])
    }

    /// From the world to what is seen, for a picture of this width by height.
    #[must_use]
    pub fn clip_from_world(&self, aspect: f32) -> Columns {
        let (axes, eye) = (self.axes(), self.eye());
        let along = |i: usize| -(0..3).map(|k| axes[i][k] * eye[k]).sum::<f32>();
        let view = |row: usize, column: usize| match (row, column) {
            (3, 3) => 1.0,
            (3, _) => 0.0,
            (_, 3) => along(row),
            _ => axes[row][column],
        };
        let near = NEAR * self.distance;
        // A little less than infinitely far, so that the far end of a shadow is not clipped by rounding.
        let far = 1.0 - 1.0 / 4_194_304.0;
        let [across, upwards] = slopes(aspect);
        let rows = [
            [1.0 / across, 0.0, 0.0, 0.0],
            [0.0, 1.0 / upwards, 0.0, 0.0],
            [0.0, 0.0, -far, -2.0 * near],
            [0.0, 0.0, -1.0, 0.0],
        ];
        [0, 1, 2, 3]
            .map(|column| [0, 1, 2, 3].map(|row| (0..4).map(|k| rows[row][k] * view(k, column)).sum::<f32>()))
    }

    /// The way from the camera through a place of the picture: from -1 to 1, to the right and upwards.
    #[must_use]
    pub fn ray(&self, aspect: f32, [x, y]: [f32; 2]) -> ([f32; 3], [f32; 3]) {
        let [right, up, back] = self.axes();
        let [across, upwards] = slopes(aspect);
        let direction = [0, 1, 2].map(|i| across * x * right[i] + upwards * y * up[i] - back[i]);
        (self.eye(), direction)
    }
}

/// Half of what is seen, across and upwards, as shares of the distance.
fn slopes(aspect: f32) -> [f32; 2] {
    let upwards = SLOPE * (NARROW / aspect.max(1e-3)).max(1.0);
    [upwards * aspect.max(1e-3), upwards]
}

/// Where a point is seen: from -1 to 1, to the right and upwards; `None` behind the camera.
#[must_use]
pub fn seen(clip_from_world: &Columns, point: [f32; 3]) -> Option<[f32; 2]> {
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
    fn a_ray_goes_through_what_is_seen_at_its_place() {
        let view = View { middle: [1.0, 2.0, -3.0], yaw: 0.7, pitch: 0.4, distance: 5.0 };
        let matrix = view.clip_from_world(1.5);
        for place in [[0.0, 0.0], [0.5, -0.25], [-0.9, 0.8]] {
            let (eye, way) = view.ray(1.5, place);
            let point = [0, 1, 2].map(|i| eye[i] + 3.0 * way[i]);
            let found = seen(&matrix, point).expect("before the camera");
            assert!((found[0] - place[0]).abs() < 1e-4 && (found[1] - place[1]).abs() < 1e-4, "{found:?}");
        }
        let [_, _, back] = view.axes();
        let behind = [0, 1, 2].map(|i| view.eye()[i] + back[i]);
        assert_eq!(seen(&matrix, behind), None);
    }

    #[test]
    fn the_middle_is_in_the_middle_however_the_camera_turns() {
        let mut view = View::around([3.0, 1.0, 2.0], 2.0);
        for _ in 0..50 {
            view.turn(0.3, 0.1);
            let [x, y] = seen(&view.clip_from_world(2.0), view.middle).expect("before the camera");
            assert!(x.abs() < 1e-4 && y.abs() < 1e-4);
        }
    }
}
