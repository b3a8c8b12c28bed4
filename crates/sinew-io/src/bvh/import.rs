//! Reads a BVH file into a scene.

use sinew::model::UpAxis;

use super::hierarchy::{self, BvhJoint};
use super::motion::Motion;
use super::sticks::sticks;
use super::tokens::Tokens;
use crate::{Error, ImportContext, Importer, InverseBinds, RawNode, RawScene, RawSkin, RawTransform};

/// Biovision BVH.
pub(crate) struct BvhImporter;

impl Importer for BvhImporter {
    fn name(&self) -> &'static str {
        "BVH"
    }

    fn detect(&self, bytes: &[u8]) -> bool {
        Tokens::new(&bytes[..bytes.len().min(64)]).take("HIERARCHY")
    }

    fn read<'a>(&self, bytes: &'a [u8], context: &mut ImportContext<'_>) -> Result<RawScene<'a>, Error> {
        let mut tokens = Tokens::new(bytes);
        let (joints, channels) = hierarchy::read(&mut tokens, &context.budget)?;
        let motion = Motion::read(&mut tokens, channels, context)?;
        let mut scene = RawScene { up: UpAxis::Y, ..RawScene::default() };
        if let Some(motion) = motion {
            scene.animations.push(motion.animation(&joints, context)?);
        }
        scene.nodes = joints.iter().map(node).collect();
        if let Some(mesh) = sticks(&joints, &context.budget)? {
            scene.meshes.push(mesh);
            scene.skins.push(RawSkin {
                location: "the sticks".to_owned(),
                joints: (0..joints.len()).collect(),
                inverse_binds: InverseBinds::AtRest,
                skeleton: None,
            });
            (scene.nodes[0].mesh, scene.nodes[0].skin) = (Some(0), Some(0));
        }
        Ok(scene)
    }
}

fn node(joint: &BvhJoint) -> RawNode {
    let transform = RawTransform::Trs {
        translation: joint.offset.map(|component| component as f32),
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
    };
    RawNode { name: joint.name.clone(), parent: joint.parent, transform, ..RawNode::default() }
}
