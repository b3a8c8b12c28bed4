//! Builds a model from a scene, step by step.

use sinew::model::ModelSource;
use sinew::skeleton::RotationPolicy;
use sinew::{Bone, Model, Skeleton, Transform};

use super::animations::AnimatedScene;
use super::context::ImportContext;
use super::graph::Graph;
use super::raw_scene::RawScene;
use super::{animations, materials, mesh_instances, morphs, nodes, skins};
use crate::Error;

/// Bytes of a node in addition to what the importer keeps of it: a bone, a name, an entry in each
/// list.
const NODE_BYTES: u64 = 256;

/// Checks and repairs a scene, and builds its model. Every node becomes a joint, so the skeleton
/// has everything that moves.
pub(crate) fn build(scene: RawScene, context: &mut ImportContext<'_>) -> Result<Model, Error> {
    context.spend(scene.nodes.len() as u64 * NODE_BYTES, "nodes")?;
    let graph = Graph::new(&scene)?;
    let weights = morphs::layout(&scene, context)?;
    let mut bones = nodes::bones(&scene, &graph, context.report)?;
    if bones.is_empty() {
        bones.push(Bone::new("root", None, Transform::IDENTITY));
    }
    let runtime = context.options.runtime().map_err(|error| Error::model("nodes", error))?;
    let skeleton = Skeleton::with_rotation_policy(&bones, RotationPolicy::AsStored)
        .and_then(|skeleton| skeleton.with_runtime(runtime).with_morph_weights(&weights.at_rest))
        .map_err(|error| Error::model("nodes", error))?;
    drop(bones);
    let mut source = ModelSource { up: scene.up, ..ModelSource::new(skeleton) };
    source.skins = skins::skins(&scene, &graph, &source.skeleton, context)?;
    let RawScene { nodes, meshes, animations, materials, images, metadata, .. } = scene;
    source.metadata = metadata;
    source.materials = materials::repair(materials, images.len(), context.report)?;
    source.images = materials::load_images(images, context)?;
    mesh_instances::add(&nodes, meshes, (&graph, &weights), &mut source, context)?;
    let animated =
        AnimatedScene { nodes: &nodes, graph: &graph, weights: &weights, skeleton: &source.skeleton };
    source.clips = animations::clips(animations, &animated, context)?;
    Model::new(source).map_err(|error| Error::model("", error))
}
