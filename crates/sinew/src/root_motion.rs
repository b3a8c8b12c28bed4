//! Root motion: how a clip moves its root, taken out of the pose and handed over.

use crate::quaternion::{IDENTITY, Quaternion, conjugate, multiply, narrow, rotate, twist, unit, wide};
use crate::vector::{self, Vector, add, sub};
use crate::{Error, Pose, Transform};

/// A move and a turn.
///
/// A program keeps where the character stands, `world_from_model`. Each frame's motion is applied before it:
/// `world_from_model * motion`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f32; 4],
    /// Along the axes of the root's parent, which for a root without one is model space.
    pub translation: [f32; 3],
}

/// Which parts of a root's transform are motion. The others stay in the pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootParts {
    /// Whether it is the translation along x.
    pub x: bool,
    /// Whether it is the translation along y.
    pub y: bool,
    /// Whether it is the translation along z.
    pub z: bool,
    /// What of the rotation it is.
    pub rotation: RootRotation,
}

/// What of a root's rotation is motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RootRotation {
    /// None of it.
    Stays,
    /// The part about an axis, in the space of the root's parent: its heading, where the axis is up.
    About([f32; 3]),
    /// All of it.
    All,
}

/// A root at the start and at the end of its clip, and which parts of it are motion.
///
/// Scale is never motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMotion {
    /// The root's transform at the start of the clip. It stays there once motion is taken out.
    pub start: Transform,
    /// The root's transform at the end of the clip, from where it goes on at the start.
    pub end: Transform,
    /// Which parts are motion.
    pub parts: RootParts,
}

impl Motion {
    /// The motion that goes nowhere.
    pub const IDENTITY: Self = Self { rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0; 3] };

    /// This motion and then another, as `self * next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Rigid::of(self.rotation, self.translation).then(&Rigid::of(next.rotation, next.translation)).motion()
    }

    /// The motion that leads back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Rigid::of(self.rotation, self.translation).inverse().motion()
    }

    /// Where a root stands after the motion: `self * root`.
    #[must_use]
    pub fn apply(&self, root: &Transform) -> Transform {
        let moved = Rigid::of(self.rotation, self.translation)
            .then(&Rigid::of(root.rotation, root.translation))
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
    /// Everything.
    pub const ALL: Self = Self { x: true, y: true, z: true, rotation: RootRotation::All };

    /// Where +Y is up, the way over the ground: x, z and the heading. Height and lean stay in the pose.
    pub const GROUND: Self =
        Self { x: true, y: false, z: true, rotation: RootRotation::About([0.0, 1.0, 0.0]) };
}

impl RootMotion {
    /// How a root moved from `from` to `to`, having passed `wraps` times from the end of the clip to the start; negative
    /// where it passed from start to end, playing in reverse.
    ///
    /// Motions of frames that follow each other, one [`then`](Motion::then) the other, are the motion from first to last.
    ///
    /// ```
    /// use sinew::{RootMotion, RootParts, Transform};
    ///
    /// // A clip that walks a metre along z.
    /// let at = |z| Transform { translation: [0.0, 0.9, z], ..Transform::IDENTITY };
    /// let walk = RootMotion { start: at(0.0), end: at(1.0), parts: RootParts::GROUND };
    /// assert_eq!(walk.between(&at(0.25), &at(0.75), 0).translation, [0.0, 0.0, 0.5]);
    /// assert_eq!(walk.between(&at(0.75), &at(0.25), 1).translation, [0.0, 0.0, 0.5]);
    /// assert_eq!(walk.between(&at(0.25), &at(0.75), -1).translation, [0.0, 0.0, -0.5]);
    /// ```
    #[must_use]
    pub fn between(&self, from: &Transform, to: &Transform, wraps: i32) -> Motion {
        let loops = self.moved(&self.end).power(wraps);
        self.moved(from).inverse().then(&loops).then(&self.moved(to)).motion()
    }

    /// The root without its motion since the start of the clip.
    #[must_use]
    pub fn without(&self, root: &Transform) -> Transform {
        let remaining = self.moved(root).inverse().then(&Rigid::of(root.rotation, root.translation)).motion();
        let mut out = Transform { rotation: remaining.rotation, translation: remaining.translation, ..*root };
        // What is put back is where it was, to the bit.
        for (axis, taken) in [self.parts.x, self.parts.y, self.parts.z].into_iter().enumerate() {
            if taken {
                out.translation[axis] = self.start.translation[axis];
            }
        }
        match self.parts.rotation {
            RootRotation::Stays => out.rotation = root.rotation,
            RootRotation::All => out.rotation = self.start.rotation,
            RootRotation::About(_) => {}
        }
        out
    }

    /// Takes the motion out of a pose: its root keeps what stays.
    ///
    /// # Errors
    ///
    /// When there is no such joint.
    pub fn take_out(&self, pose: &mut Pose, root: usize) -> Result<(), Error> {
        if root >= pose.len() {
            return Err(Error::JointOutOfRange { joint: root, len: pose.len() });
        }
        let without = self.without(&pose.transform(root));
        pose.set_transform(root, &without);
        Ok(())
    }

    /// The motion from the start of the clip to where a root is: what is left, once it is undone, has the parts of the start.
    fn moved(&self, root: &Transform) -> Rigid {
        let (now, start) = (wide(root.rotation), wide(self.start.rotation));
        let turned = unit(multiply(now, conjugate(start)));
        let rotation = match self.parts.rotation {
            RootRotation::Stays => IDENTITY,
            RootRotation::About(axis) => {
                vector::unit(vector::wide(axis)).map_or(IDENTITY, |axis| twist(turned, axis))
            }
            RootRotation::All => turned,
        };
        let mut stays = root.translation;
        for (axis, taken) in [self.parts.x, self.parts.y, self.parts.z].into_iter().enumerate() {
            if taken {
                stays[axis] = self.start.translation[axis];
            }
        }
        let translation = sub(vector::wide(root.translation), rotate(rotation, vector::wide(stays)));
        Rigid { rotation, translation }
    }
}

/// Motions one after the other, in `f64`: after thousands of steps it still is where the sum of them is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Travel {
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f64; 4],
    /// Along the axes that the first motion began in.
    pub translation: [f64; 3],
}

impl Travel {
    /// Where travel begins.
    pub const START: Self = Self { rotation: IDENTITY, translation: [0.0; 3] };

    /// Goes on by a motion.
    pub fn advance(&mut self, motion: &Motion) {
        let so_far = Rigid { rotation: unit(self.rotation), translation: self.translation };
        let Rigid { rotation, translation } = so_far.then(&Rigid::of(motion.rotation, motion.translation));
        *self = Self { rotation, translation };
    }

    /// All of it as one motion.
    #[must_use]
    pub fn motion(&self) -> Motion {
        Rigid { rotation: unit(self.rotation), translation: self.translation }.motion()
    }
}

impl Default for Travel {
    fn default() -> Self {
        Self::START
    }
}

/// A motion on the way, before it is rounded.
#[derive(Clone, Copy)]
struct Rigid {
    rotation: Quaternion,
    translation: Vector,
}

impl Rigid {
    const IDENTITY: Self = Self { rotation: IDENTITY, translation: [0.0; 3] };

    fn of(rotation: [f32; 4], translation: [f32; 3]) -> Self {
        Self { rotation: wide(rotation), translation: vector::wide(translation) }
    }

    fn then(&self, next: &Self) -> Self {
        let translation = add(self.translation, rotate(self.rotation, next.translation));
        Self { rotation: unit(multiply(self.rotation, next.rotation)), translation }
    }

    fn inverse(&self) -> Self {
        let rotation = conjugate(self.rotation);
        Self { rotation, translation: rotate(rotation, self.translation.map(|element| -element)) }
    }

    /// This motion so many times, by squaring, so that a large number takes no longer than a small one.
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
        Motion { rotation: narrow(self.rotation), translation: vector::narrow(self.translation) }
    }
}
