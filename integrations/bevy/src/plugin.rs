//! The plugin that follows Bevy's meshes.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_asset::{AssetEvent, AssetEventSystems};
use bevy_camera::visibility::VisibilitySystems;
use bevy_ecs::schedule::{IntoScheduleConfigs, SystemSet};
use bevy_mesh::Mesh;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_transform::TransformSystems;

use crate::FollowedMeshes;
use crate::cpu_skinned::{skin_copies, write_copies};
use crate::followed::{check_ticks, forget_changed};
use crate::tight_bounds::update_tight_bounds;

/// Follows Bevy's meshes: [`SkinnedRayCast`](crate::SkinnedRayCast),
/// [`TightBounds`](crate::TightBounds) and [`CpuSkinned`](crate::CpuSkinned) need it. It works with
/// any part of Bevy; where there are no meshes, there is nothing to hit.
#[derive(Clone, Copy, Debug, Default)]
pub struct SinewPlugin;

/// The systems of [`SinewPlugin`], in `PostUpdate`: after transforms are propagated, before Bevy
/// culls.
#[derive(Clone, Debug, Hash, PartialEq, Eq, SystemSet)]
pub enum SinewSystems {
    /// Forgets what was built of assets that have changed.
    Forget,
    /// Updates [`TightBounds`](crate::TightBounds).
    Bounds,
    /// Skins and writes the meshes of [`CpuSkinned`](crate::CpuSkinned).
    Skin,
}

impl Plugin for SinewPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<FollowedMeshes>()
            .add_observer(check_ticks)
            // Both exist already, unless there are no meshes in this app.
            .add_message::<AssetEvent<Mesh>>()
            .add_message::<AssetEvent<SkinnedMeshInverseBindposes>>()
            .configure_sets(
                PostUpdate,
                (SinewSystems::Forget, SinewSystems::Skin, SinewSystems::Bounds)
                    .chain()
                    .after(TransformSystems::Propagate)
                    .after(AssetEventSystems)
                    .after(VisibilitySystems::CalculateBounds)
                    .before(VisibilitySystems::CheckVisibility),
            )
            .add_systems(
                PostUpdate,
                (
                    forget_changed.in_set(SinewSystems::Forget),
                    (skin_copies, write_copies).chain().in_set(SinewSystems::Skin),
                    update_tight_bounds.in_set(SinewSystems::Bounds),
                ),
            );
    }
}
