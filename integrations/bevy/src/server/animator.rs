//! Animated models as components.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

use bevy_asset::{Assets, Handle};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::query::{Changed, Or, Without};
use bevy_ecs::system::{Commands, Query, Res};
use bevy_time::Time;
use bevy_transform::components::Transform;
use sinew::animation::AnimationError;
use sinew::mesh::Attributes;
use sinew::{Instance, InstanceOptions};

use super::ModelAsset;

/// An entity that is animated as a model. It gets an [`Animator`] in the first tick after the model
/// is loaded, and a new one when the handle changes.
#[derive(Clone, Component, Debug)]
#[require(Transform)]
pub struct AnimatedModel {
    /// The model.
    pub model: Handle<ModelAsset>,
    /// The clip that plays from the start, looping; `None` for the rest pose.
    pub clip: Option<String>,
}

impl AnimatedModel {
    /// A model at rest.
    #[must_use]
    pub fn new(model: Handle<ModelAsset>) -> Self {
        Self { model, clip: None }
    }

    /// Plays a clip from the start, looping.
    #[must_use]
    pub fn playing(mut self, clip: impl Into<String>) -> Self {
        self.clip = Some(clip.into());
        self
    }
}

/// The animation of an entity: an [`Instance`] of its model, which plays, fades and blends clips.
/// [`ServerPlugin`](super::ServerPlugin) steps it once per tick.
#[derive(Component, Debug)]
pub struct Animator {
    /// Tells it from all others, of the same model too.
    id: u64,
    instance: Instance,
    clip_error: Option<AnimationError>,
}

impl Animator {
    /// An animator of a model, at rest.
    #[must_use]
    pub fn new(model: &ModelAsset) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Rays need no other attributes.
        let options = InstanceOptions::default().with_attributes(Attributes::Positions);
        let instance = model.model.instance_with(&options);
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), instance, clip_error: None }
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Why the clip of the [`AnimatedModel`] does not play.
    #[must_use]
    pub fn clip_error(&self) -> Option<&AnimationError> {
        self.clip_error.as_ref()
    }
}

impl Deref for Animator {
    type Target = Instance;

    fn deref(&self) -> &Instance {
        &self.instance
    }
}

impl DerefMut for Animator {
    fn deref_mut(&mut self) -> &mut Instance {
        &mut self.instance
    }
}

/// Gives entities their animators once their models are loaded.
pub(super) fn insert_animators(
    models: Res<Assets<ModelAsset>>,
    entities: Query<(Entity, &AnimatedModel), Or<(Changed<AnimatedModel>, Without<Animator>)>>,
    mut commands: Commands,
) {
    for (entity, animated) in &entities {
        let Some(model) = models.get(&animated.model) else {
            // It was another model's.
            commands.entity(entity).try_remove::<Animator>();
            continue;
        };
        let mut animator = Animator::new(model);
        if let Some(clip) = &animated.clip {
            animator.clip_error = animator.instance.play(clip).err();
        }
        commands.entity(entity).try_insert(animator);
    }
}

/// Advances all animators by a tick.
pub(super) fn step_animators(time: Res<Time>, mut animators: Query<&mut Animator>) {
    for mut animator in &mut animators {
        animator.step(time.delta_secs());
    }
}
