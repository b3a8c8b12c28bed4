//! Root motion: extracting the movement of a clip's root from the pose.

use crate::animation::AnimationError;
use crate::math::quaternion::{
    IDENTITY, Quaternion, conjugate, multiply, normalize_or_identity, rotate, to_f32, to_unit_f64,
    twist_about,
};
use crate::math::vector::{self, Vector};
use crate::skeleton::{JointId, Pose, Transform, check_joint};

/// A rotation and a translation.
///
/// A program keeps the character's transform `world_from_model` and multiplies it by each frame's
/// motion: `world_from_model * motion`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f32; 4],
    /// Meters in the space of the root's parent, which is model space for a root joint.
    pub translation: [f32; 3],
}

/// Which parts of a root's transform are motion. The other parts stay in the pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootParts {
    /// Whether translation along x is motion.
    pub x: bool,
    /// Whether translation along y is motion.
    pub y: bool,
    /// Whether translation along z is motion.
    pub z: bool,
    /// Which part of the rotation is motion.
    pub rotation: RootRotation,
}

/// Which part of a root's rotation is motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RootRotation {
    /// The rotation stays in the pose.
    None,
    /// The twist about an axis in the space of the root's parent. About the up axis this is the
    /// heading.
    About([f32; 3]),
    /// The whole rotation is motion.
    All,
}

/// The parameters of root motion for one clip. Scale is never motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMotion {
    /// The root's transform at the start of the clip. The extracted parts stay at these values.
    pub start: Transform,
    /// The root's transform at the end of the clip, from which playback continues at the start.
    pub end: Transform,
    /// Which parts are motion.
    pub parts: RootParts,
}

impl Motion {
    /// The motion that changes nothing.
    pub const IDENTITY: Self = Self { rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0; 3] };

    /// This motion followed by another: `self * next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Rigid::new(self.rotation, self.translation)
            .then(&Rigid::new(next.rotation, next.translation))
            .motion()
    }

    /// The inverse motion.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Rigid::new(self.rotation, self.translation).inverse().motion()
    }

    /// The root's transform after the motion: `self * root`.
    #[must_use]
    pub fn apply(&self, root: &Transform) -> Transform {
        let moved = Rigid::new(self.rotation, self.translation)
            .then(&Rigid::new(root.rotation, root.translation))
            .motion();
        Transform { rotation: moved.rotation, translation: moved.translation, scale: root.scale }
    }
}

impl Default for Motion {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl RootParts {
    /// Every part is motion.
    pub const ALL: Self = Self { x: true, y: true, z: true, rotation: RootRotation::All };

    /// Motion over the ground where +Y is up: x, z and the heading. Height and lean stay in the
    /// pose.
    pub const GROUND: Self =
        Self { x: true, y: false, z: true, rotation: RootRotation::About([0.0, 1.0, 0.0]) };
}

impl RootMotion {
    /// The motion of a root from `from` to `to` while playback looped `wraps` times: positive past
    /// the end of the clip, negative past the start.
    ///
    /// Composing the motions of consecutive frames with [`then`](Motion::then) gives the motion
    /// from the first frame to the last.
    ///
    /// ```
    /// use sinew::Transform;
    /// use sinew::animation::{RootMotion, RootParts};
    ///
    /// // A clip that walks a meter along z.
    /// let at = |z| Transform { translation: [0.0, 0.9, z], ..Transform::IDENTITY };
    /// let walk = RootMotion { start: at(0.0), end: at(1.0), parts: RootParts::GROUND };
    /// assert_eq!(walk.between(&at(0.25), &at(0.75), 0).translation, [0.0, 0.0, 0.5]);
    /// assert_eq!(walk.between(&at(0.75), &at(0.25), 1).translation, [0.0, 0.0, 0.5]);
    /// assert_eq!(walk.between(&at(0.25), &at(0.75), -1).translation, [0.0, 0.0, -0.5]);
    /// ```
    #[must_use]
    pub fn between(&self, from: &Transform, to: &Transform, wraps: i32) -> Motion {
        let loops = self.motion_from_start(&self.end).power(wraps);
        self.motion_from_start(from).inverse().then(&loops).then(&self.motion_from_start(to)).motion()
    }

    /// The root's transform with its motion since the start of the clip removed.
    #[must_use]
    pub fn residual(&self, root: &Transform) -> Transform {
        let remaining = self
            .motion_from_start(root)
            .inverse()
            .then(&Rigid::new(root.rotation, root.translation))
            .motion();
        let mut out = Transform { rotation: remaining.rotation, translation: remaining.translation, ..*root };
        // Extracted parts get exactly the bits of the start transform.
        for (axis, extracted) in [self.parts.x, self.parts.y, self.parts.z].into_iter().enumerate() {
            if extracted {
                out.translation[axis] = self.start.translation[axis];
            }
        }
        match self.parts.rotation {
            RootRotation::None => out.rotation = root.rotation,
            RootRotation::All => out.rotation = self.start.rotation,
            RootRotation::About(_) => {}
        }
        out
    }

    /// Removes the motion from the root of a pose.
    ///
    /// # Errors
    ///
    /// When the joint does not exist.
    pub fn extract_from(&self, pose: &mut Pose, root: JointId) -> Result<(), AnimationError> {
        check_joint(root, pose.len())?;
        let residual = self.residual(&pose.transform(root));
        pose.set_transform(root, &residual);
        Ok(())
    }

    /// The motion from the start of the clip to a root transform. Removing it from `root` gives the
    /// start's values in all parts that are motion.
    fn motion_from_start(&self, root: &Transform) -> Rigid {
        let (now, start) = (to_unit_f64(root.rotation), to_unit_f64(self.start.rotation));
        let rotation_from_start = normalize_or_identity(multiply(now, conjugate(start)));
        let rotation = match self.parts.rotation {
            RootRotation::None => IDENTITY,
            RootRotation::About(axis) => vector::try_normalize(vector::to_f64(axis))
                .map_or(IDENTITY, |axis| twist_about(rotation_from_start, axis)),
            RootRotation::All => rotation_from_start,
        };
        let mut remaining = root.translation;
        for (axis, extracted) in [self.parts.x, self.parts.y, self.parts.z].into_iter().enumerate() {
            if extracted {
                remaining[axis] = self.start.translation[axis];
            }
        }
        let translation = vector::to_f64(root.translation) - rotate(rotation, vector::to_f64(remaining));
        Rigid { rotation, translation }
    }
}

/// A composition of motions in `f64`, so that thousands of steps do not accumulate rounding errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMotionAccumulator {
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f64; 4],
    /// In the space that the first motion started in.
    pub translation: [f64; 3],
}

impl RootMotionAccumulator {
    /// No motion.
    pub const START: Self = Self { rotation: IDENTITY, translation: [0.0; 3] };

    /// Appends a motion.
    pub fn advance(&mut self, motion: &Motion) {
        let so_far = Rigid {
            rotation: normalize_or_identity(self.rotation),
            translation: Vector::from_array(self.translation),
        };
        let Rigid { rotation, translation } = so_far.then(&Rigid::new(motion.rotation, motion.translation));
        *self = Self { rotation, translation: translation.to_array() };
    }

    /// The composition as one motion.
    #[must_use]
    pub fn motion(&self) -> Motion {
        Rigid {
            rotation: normalize_or_identity(self.rotation),
            translation: Vector::from_array(self.translation),
        }
        .motion()
    }
}

impl Default for RootMotionAccumulator {
    fn default() -> Self {
        Self::START
    }
}

/// A motion in `f64`, before rounding.
#[derive(Clone, Copy)]
struct Rigid {
    rotation: Quaternion,
    translation: Vector,
}

impl Rigid {
    const IDENTITY: Self = Self { rotation: IDENTITY, translation: Vector::ZERO };

    fn new(rotation: [f32; 4], translation: [f32; 3]) -> Self {
        Self { rotation: to_unit_f64(rotation), translation: vector::to_f64(translation) }
    }

    fn then(&self, next: &Self) -> Self {
        let translation = self.translation + rotate(self.rotation, next.translation);
        Self { rotation: normalize_or_identity(multiply(self.rotation, next.rotation)), translation }
    }

    fn inverse(&self) -> Self {
        let rotation = conjugate(self.rotation);
        Self { rotation, translation: rotate(rotation, -self.translation) }
    }

    /// The motion repeated `times` times, by repeated squaring: the cost is logarithmic.
    fn power(&self, times: i32) -> Self {
        let mut square = if times < 0 { self.inverse() } else { *self };
        let (mut product, mut left) = (Self::IDENTITY, times.unsigned_abs());
        while left > 0 {
            if left & 1 == 1 {
                product = product.then(&square);
            }
            square = square.then(&square);
            left >>= 1;
        }
        product
    }

    fn motion(&self) -> Motion {
        Motion { rotation: to_f32(self.rotation), translation: vector::to_f32(self.translation) }
    }
}
