//! Reads a checked document into a scene: borrows or decodes its accessors, and repairs nothing.

mod animations;
mod dropped;
mod instancing;
mod materials;
mod meshes;
mod nodes;
mod primitives;
mod skins;

use sinew::model::UpAxis;

use super::container::MAGIC;
use super::document::Document;
use super::source::GltfSource;
use crate::error::BoxedError;
use crate::scene::Graph;
use crate::{Error, ImportContext, Importer, RawScene, Report};

/// glTF 2.0: JSON, or a GLB.
pub(crate) struct GltfImporter;

impl Importer for GltfImporter {
    fn name(&self) -> &'static str {
        "glTF"
    }

    fn detect(&self, bytes: &[u8]) -> bool {
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
        bytes.starts_with(MAGIC) || text.starts_with(b"{")
    }

    fn read<'a>(&self, bytes: &'a [u8], context: &mut ImportContext<'_>) -> Result<RawScene<'a>, Error> {
        let ImportContext { report, budget, folder, .. } = context;
        let source = GltfSource::parse(bytes, budget, report)?;
        let document = Document::open(&source, *folder, budget, report)?;
        let scene = read_scene(&document, report);
        // Warnings about accessors are reported also when the document is refused. The error comes
        // before an error that a warning is in a strict import.
        let reported = document.take_warnings(report);
        Ok(scene.and_then(|scene| reported.map(|()| scene))?)
    }
}

fn read_scene<'b>(document: &Document<'_, 'b>, report: &mut Report) -> Result<RawScene<'b>, BoxedError> {
    let mut scene = RawScene { up: UpAxis::Y, ..RawScene::default() };
    scene.nodes = nodes::nodes(&document.root, report)?;
    scene.roots = nodes::roots(&document.root, &scene.nodes, report)?;
    scene.meshes = meshes::outlines(document)?;
    instancing::add_instances(document, &mut scene, report)?;
    let graph = Graph::new(&scene)?;
    scene.skins = skins::skins(document)?;
    scene.materials = materials::materials(document, report)?;
    scene.images = materials::images(document, report)?;
    meshes::decode(document, (&graph, &scene.nodes), &mut scene.meshes, report)?;
    scene.animations = animations::animations(document, report)?;
    scene.metadata = dropped::metadata(document)?;
    scene.dropped = dropped::dropped(&document.root);
    #[cfg(feature = "vrm")]
    {
        scene.vrm = crate::vrm::read(&document.root, &mut scene.dropped, report)?;
    }
    Ok(scene)
}
