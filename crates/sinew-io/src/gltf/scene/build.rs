//! Builds a model from a document, step by step.

use sinew::model::{ModelSource, UpAxis};
use sinew::skeleton::RotationPolicy;
use sinew::{Bone, Model, Skeleton, Transform};

use super::graph::Graph;
use super::{animations, materials, mesh_instances, morphs, nodes, skins};
use crate::gltf::document::Document;
use crate::{Error, ImportOptions, Report};

/// Bytes of a node in addition to its JSON: a bone, a name, an entry in each list.
const NODE_BYTES: u64 = 256;

/// Builds the model of a document. Every node becomes a joint, so the skeleton has everything that
/// moves.
pub(crate) fn build(
    document: &Document<'_>,
    options: &ImportOptions,
    report: &mut Report,
) -> Result<Model, Error> {
    document.spend(document.root.nodes.len() as u64 * NODE_BYTES, "nodes")?;
    let graph = Graph::new(&document.root, report)?;
    let weights = morphs::layout(document, report)?;
    let mut bones = nodes::bones(&document.root, &graph, report)?;
    if bones.is_empty() {
        bones.push(Bone::new("root", None, Transform::IDENTITY));
    }
    let runtime = options.runtime().map_err(|error| Error::model("nodes", error))?;
    let skeleton = Skeleton::with_rotation_policy(&bones, RotationPolicy::AsStored)
        .and_then(|skeleton| skeleton.with_runtime(runtime).with_morph_weights(&weights.at_rest))
        .map_err(|error| Error::model("nodes", error))?;
    let mut source = ModelSource { up: UpAxis::Y, ..ModelSource::new(skeleton) };
    source.skins = skins::skins(document, &graph, &source.skeleton, report)?;
    (source.materials, source.images) = materials::materials_and_images(document, report)?;
    mesh_instances::add(document, &graph, &weights, &mut source, report)?;
    source.clips = animations::clips(document, options, &graph, &weights, &source.skeleton, report)?;
    Model::new(source).map_err(|error| Error::model("", error))
}
