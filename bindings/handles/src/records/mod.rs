//! Plain records that cross the border by value: C's structs, and views of JavaScript's memory.
//! They hold numbers only, so that any bytes are a valid record, and every function checks them.

mod feet;
mod geometry;
mod info;
mod layout;
mod modifiers;
mod settings;
mod springs;

pub use feet::{FeetSettings, GroundHit, Leg};
pub use geometry::{Bounds, Hit, Matrix3x4, NONE, Ray, Sphere, Transform};
pub use info::{ClipInfo, MeshInstanceInfo, ModelInfo, PlaybackInfo};
pub use layout::{Attribute, Layout};
pub use modifiers::{AimSettings, AttachmentSettings, OverrideSettings, ReachSettings, TurnSettings};
pub use settings::{PlaySettings, RootMotionSettings, SkinSettings};
pub(crate) use settings::{flag, float_mode, repeat};
pub use springs::{ChainSettings, ColliderSettings, Event, SpringJoint};
