//! Rays against an instance where it is now.

use super::Instance;
use super::skin::Moved;
use crate::{LazyCast, LazyTree, Model, Ray, Side, TriangleHit};

/// Where a ray hits an instance, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Which of the model's parts.
    pub part: usize,
    /// The joint of the skeleton that has most weight at the point; see [`Mesh::joint_at`](crate::Mesh::joint_at).
    pub joint: usize,
    /// Which of the triangles of the part's surface.
    pub triangle: usize,
    /// How much each of its corners has of the point: from 0 to 1, in sum 1 but for rounding.
    pub barycentrics: [f32; 3],
    /// The point, on the triangle.
    pub point: [f32; 3],
    /// At right angles to the triangle, of length one, out of its front; whichever side is hit. Zero where a triangle without
    /// area is hit.
    pub normal: [f32; 3],
    /// From the ray's origin, in the units of the model.
    pub distance: f32,
    /// Which side of the triangle.
    pub side: Side,
}

/// What casting rays needs beside skinning.
#[derive(Clone, Debug)]
pub(super) struct Casting {
    /// Of each part.
    trees: Vec<LazyTree>,
    /// That of the palettes which the trees follow.
    version: u64,
}

/// A tree for each part of a model.
pub(crate) fn trees(model: &Model) -> Vec<LazyTree> {
    (0..model.parts().len()).map(|part| LazyTree::new(&model.surface(part).mesh)).collect()
}

impl Hit {
    pub(crate) fn new(model: &Model, part: usize, hit: &TriangleHit) -> Self {
        let &TriangleHit { triangle, barycentrics, point, normal, distance, side } = hit;
        let slot = model.surface(part).mesh.joint_at(triangle, barycentrics);
        let skin = &model.skins()[model.parts()[part].skin];
        let joint = skin.joints()[slot] as usize;
        Self { part, joint, triangle, barycentrics, point, normal, distance, side }
    }
}

impl Instance {
    /// The nearest point where a ray in model space hits the instance as it is posed now; `None` where it hits nothing. Of
    /// hits at the same distance that of the first part, and there of the first triangle.
    ///
    /// Only what is near the ray is skinned; what one ray has skinned the next finds ready, until the pose changes. With many
    /// rays, dual quaternions or morph weights the whole instance is skinned once: see [`LazyTree`].
    ///
    /// The first call takes memory, and builds a tree of boxes for each surface that has none yet; later ones allocate nothing. A
    /// ray with a number that is not finite, or without a direction, hits nothing; nor are triangles hit that have such a corner.
    /// One that is seen edge-on or has no area is hit only where rounding says so.
    pub fn cast(&mut self, ray: &Ray) -> Option<Hit> {
        let since = self.prepare_cast();
        let Self { model, skinning, casting, .. } = self;
        let mut ray = *ray;
        let mut nearest: Option<(usize, TriangleHit)> = None;
        for (part, tree) in casting.iter_mut().flat_map(|casting| &mut casting.trees).enumerate() {
            let mut frame = since.frame(tree, model, &skinning.moved, part);
            let Some(hit) = frame.closest_hit(&ray) else { continue };
            if nearest.as_ref().is_none_or(|(_, other)| hit.distance < other.distance) {
                ray.max_distance = hit.distance;
                nearest = Some((part, hit));
            }
        }
        nearest.map(|(part, hit)| Hit::new(&self.model, part, &hit))
    }

    /// Palettes and morphed shapes where they are now, and memory for trees.
    fn prepare_cast(&mut self) -> Since {
        self.update_palettes();
        let Self { model, posed, skinning, casting, .. } = self;
        let casting = casting.get_or_insert_with(|| Casting { trees: trees(model), version: 0 });
        if casting.version == skinning.moved.version {
            return Since::Same;
        }
        casting.version = skinning.moved.version;
        for part in 0..model.parts().len() {
            skinning.moved.morph(model, part, posed.pose.morph_weights());
        }
        Since::Moved
    }
}

/// Whether the instance has moved since the last ray.
#[derive(Clone, Copy)]
enum Since {
    Moved,
    Same,
}

impl Since {
    fn frame<'a>(
        self,
        tree: &'a mut LazyTree,
        model: &'a Model,
        moved: &'a Moved,
        part: usize,
    ) -> LazyCast<'a> {
        let (palette, options) = moved.of_part(model, part);
        let mesh = &model.surface(part).mesh;
        let frame = match self {
            Self::Moved => tree.begin(mesh, palette, &options),
            Self::Same => tree.resume(mesh, palette, &options),
        };
        frame.expect("tree and palette were made for the part")
    }
}
