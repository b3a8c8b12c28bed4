//! A backend for Bevy's picking, with exact hits on animated meshes.

use bevy_app::{App, Plugin, PreUpdate};
use bevy_camera::Camera;
use bevy_camera::visibility::RenderLayers;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::query::Has;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Local, Query, Res};
use bevy_picking::backend::ray::RayMap;
use bevy_picking::backend::{HitData, PointerHits};
use bevy_picking::{Pickable, PickingSystems};
use sinew::query::Faces;

use crate::{CastVisibility, MeshKinds, RayCastSettings, SinewPlugin, SkinnedHit, SkinnedRayCast};

/// Adds the picking backend, and [`SinewPlugin`] if it is missing.
///
/// Use it instead of Bevy's `MeshPickingPlugin`, which picks skinned meshes where they were
/// modeled. Each hit carries a [`SkinnedHit`], with the joint, the triangle and the barycentric
/// coordinates:
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_picking::events::{Click, Pointer};
/// use bevy_sinew::SkinnedHit;
///
/// fn on_click(click: On<Pointer<Click>>) {
///     if let Some(hit) = click.hit.extra_as::<SkinnedHit>() {
///         println!("joint {:?}, triangle {}", hit.joint, hit.triangle);
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SinewPickingPlugin;

impl Plugin for SinewPickingPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<SinewPlugin>() {
            app.add_plugins(SinewPlugin);
        }
        app.init_resource::<SinewPickingSettings>();
        app.add_systems(PreUpdate, pick.in_set(PickingSystems::Backend));
    }
}

/// The settings of the picking backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Resource)]
#[non_exhaustive]
pub struct SinewPickingSettings {
    /// Whether only cameras with [`SinewPickingCamera`] and entities with [`Pickable`] take part.
    pub require_markers: bool,
    /// The visibility that an entity must have.
    pub visibility: CastVisibility,
    /// The kinds of meshes that are picked. With [`MeshKinds::Animated`], another backend can pick
    /// the rest, if it leaves these alone.
    pub meshes: MeshKinds,
    /// The sides of triangles that are picked.
    pub faces: Faces,
}

impl Default for SinewPickingSettings {
    /// All meshes that are in view, from both sides, without markers.
    fn default() -> Self {
        Self {
            require_markers: false,
            visibility: CastVisibility::VisibleInView,
            meshes: MeshKinds::All,
            faces: Faces::Both,
        }
    }
}

/// Marks a camera that picks, if [`SinewPickingSettings::require_markers`] is set.
#[derive(Clone, Copy, Component, Debug, Default)]
pub struct SinewPickingCamera;

/// Casts the rays of all pointers and reports their hits.
fn pick(
    settings: Res<SinewPickingSettings>,
    rays: Option<Res<RayMap>>,
    cameras: Query<(&Camera, Has<SinewPickingCamera>, Option<&RenderLayers>)>,
    entities: Query<(Option<&Pickable>, Option<&RenderLayers>)>,
    mut ray_cast: SkinnedRayCast,
    mut hits: Local<Vec<SkinnedHit>>,
    mut output: MessageWriter<PointerHits>,
) {
    let Some(rays) = rays else { return };
    for (&id, &ray) in rays.iter() {
        let Ok((camera, is_marked, camera_layers)) = cameras.get(id.camera) else { continue };
        if settings.require_markers && !is_marked {
            continue;
        }
        let default_layers = RenderLayers::default();
        let camera_layers = camera_layers.unwrap_or(&default_layers);
        let filter = |entity: Entity| {
            let (pickable, layers) = entities.get(entity).unwrap_or((None, None));
            let is_pickable = pickable.map_or(!settings.require_markers, |pickable| pickable.is_hoverable);
            is_pickable && camera_layers.intersects(layers.unwrap_or(&default_layers))
        };
        let cast_settings = RayCastSettings::default()
            .with_visibility(settings.visibility)
            .with_meshes(settings.meshes)
            .with_faces(settings.faces)
            .with_filter(&filter);
        ray_cast.cast_all(ray, &cast_settings, &mut hits);
        if !hits.is_empty() {
            let picks = hits.iter().map(|&hit| {
                let (point, normal) = (Some(hit.point), Some(hit.normal));
                (hit.entity, HitData::new_with_extra(id.camera, hit.distance, point, normal, hit))
            });
            output.write(PointerHits::new(id.pointer, picks.collect(), camera.order as f32));
        }
    }
}
