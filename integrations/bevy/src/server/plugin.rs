//! The plugin of servers.

use bevy_app::{App, FixedFirst, FixedLast, FixedUpdate, Plugin};
use bevy_asset::{AssetApp, AssetServer, Assets};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{IntoScheduleConfigs, SystemSet};
use bevy_ecs::system::ResMut;

use super::animator::{insert_animators, step_animators};
use super::history::record_histories;
use super::{ModelAsset, ModelLoader};

/// Animates models at the fixed timestep and records their histories.
#[derive(Clone, Copy, Debug, Default)]
pub struct ServerPlugin;

/// The number of fixed timesteps since the start, counted in `FixedFirst`: 1 in the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Resource)]
pub struct ServerTick(pub u64);

/// The systems of [`ServerPlugin`]. Move entities before `Record`; edit joints between the two.
#[derive(Clone, Debug, Hash, PartialEq, Eq, SystemSet)]
pub enum ServerSystems {
    /// Inserts and steps animators, in `FixedUpdate`.
    Step,
    /// Records poses and transforms, in `FixedLast`.
    Record,
}

impl Plugin for ServerPlugin {
    fn build(&self, app: &mut App) {
        if app.world().contains_resource::<AssetServer>() {
            app.init_asset::<ModelAsset>().init_asset_loader::<ModelLoader>();
        } else {
            app.init_resource::<Assets<ModelAsset>>();
        }
        app.init_resource::<ServerTick>()
            .add_systems(FixedFirst, advance_tick)
            .add_systems(FixedUpdate, (insert_animators, step_animators).chain().in_set(ServerSystems::Step))
            .add_systems(FixedLast, record_histories.in_set(ServerSystems::Record));
    }
}

fn advance_tick(mut tick: ResMut<ServerTick>) {
    tick.0 += 1;
}
