//! Builds a model from a scene, step by step.

use sinew::model::ModelSource;
use sinew::skeleton::RotationPolicy;
use sinew::{Bone, Model, Skeleton, Transform};

use super::animations::AnimatedScene;
use super::context::ImportContext;
use super::graph::Graph;
use super::raw_scene::RawScene;
use super::{animations, materials, mesh_instances, morphs, nodes, skins};
use crate::error::BoxedError as Error;

/// Bytes of a node in addition to what the importer keeps of it: a bone, a name, an entry in each
/// list.
const NODE_BYTES: u64 = 256;

/// What a scene becomes.
pub(crate) struct BuiltScene {
    pub(crate) model: Model,
    #[cfg(feature = "vrm")]
    pub(crate) vrm: Option<crate::Vrm>,
}

/// Checks and repairs a scene, and builds its model. Every node becomes a joint, so the skeleton
/// has everything that moves.
pub(crate) fn build(mut scene: RawScene<'_>, context: &mut ImportContext<'_>) -> Result<BuiltScene, Error> {
    context.spend(scene.nodes.len() as u64 * NODE_BYTES, "nodes")?;
    let graph = Graph::new(&scene)?;
    #[cfg(feature = "vrm")]
    let vrm = vrm_of_joints(&mut scene, &graph)?;
    let joint_extras = std::mem::take(&mut scene.metadata.joint_extras).into_iter();
    for (node, extras) in joint_extras.filter(|(node, _)| *node < scene.nodes.len()) {
        scene.metadata.joint_extras.insert(graph.joint(node).index(), extras);
    }
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
    #[cfg(feature = "vrm")]
    if let Some(vrm) = &vrm {
        source.springs = vrm.spring_source(&source.skeleton);
    }
    source.skins = skins::skins(&scene, &graph, &source.skeleton, context)?;
    let RawScene { nodes, meshes, animations, materials, images, metadata, .. } = scene;
    source.metadata = metadata;
    source.materials = materials::repair(materials, images.len(), context.report)?;
    source.images = materials::load_images(images, context)?;
    mesh_instances::add(&nodes, meshes, (&graph, &weights), &mut source, context)?;
    let animated =
        AnimatedScene { nodes: &nodes, graph: &graph, weights: &weights, skeleton: &source.skeleton };
    source.clips = animations::clips(animations, &animated, context)?;
    let model = Model::new(source).map_err(|error| Error::model("", error))?;
    Ok(BuiltScene {
        model,
        #[cfg(feature = "vrm")]
        vrm,
    })
}

/// The VRM data of a scene, with joints instead of nodes.
#[cfg(feature = "vrm")]
fn vrm_of_joints(scene: &mut RawScene<'_>, graph: &Graph) -> Result<Option<crate::Vrm>, Error> {
    let nodes = scene.nodes.len();
    let Some(vrm) = scene.vrm.take() else { return Ok(None) };
    let joint = |node: sinew::JointId| (node.index() < nodes).then(|| graph.joint(node.index()));
    match vrm.with_joints(&joint) {
        Some(vrm) => Ok(Some(vrm)),
        None => Err(Error::invalid("the VRM data", format!("{nodes} nodes"), "an index of another node")),
    }
}
