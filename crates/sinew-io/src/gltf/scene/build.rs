//! The whole model, one step after the other.

use sinew::{Bone, Model, ModelSource, Rotations, Skeleton, Transform, Up};

use super::graph::Graph;
use super::{animations, materials, morphs, nodes, parts, skins};
use crate::gltf::document::Document;
use crate::{Error, Options, Report};

/// What a node takes beside its JSON: a bone, a name, a place in every list.
const BYTES_OF_NODE: u64 = 256;

/// The model of a document. Every node becomes a joint, so whatever moves anything is in the skeleton.
pub(crate) fn build(document: &Document<'_>, options: &Options, report: &mut Report) -> Result<Model, Error> {
    document.spend(document.root.nodes.len() as u64 * BYTES_OF_NODE, "nodes")?;
    let graph = Graph::new(&document.root, report)?;
    let weights = morphs::layout(document, report)?;
    let mut bones = nodes::bones(&document.root, &graph, report)?;
    if bones.is_empty() {
        bones.push(Bone::new("root", None, Transform::IDENTITY));
    }
    let skeleton = Skeleton::with_rotations(&bones, Rotations::AsStored)
        .and_then(|skeleton| Ok(skeleton.with_kernels(options.kernels()?)))
        .and_then(|skeleton| skeleton.with_morph_weights(&weights.at_rest))
        .map_err(|error| Error::model("nodes", error))?;
    let mut source = ModelSource { up: Up::Y, ..ModelSource::new(skeleton) };
    source.skins = skins::skins(document, &graph, &source.skeleton, report)?;
    (source.materials, source.images) = materials::looks(document, report)?;
    parts::add(document, &graph, &weights, &mut source, report)?;
    source.clips = animations::clips(document, options, &graph, &weights, &source.skeleton, report)?;
    Model::new(source).map_err(|error| Error::model("", error))
}
