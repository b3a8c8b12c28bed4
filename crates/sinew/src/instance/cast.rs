//! Rays against an instance where it is now.

use super::Instance;
use crate::{Attributes, Ray, Side, Skinned, Tree, TriangleHit};

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
    /// At right angles to the triangle, of length one, out of its front; whichever side is hit.
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
    parts: Vec<CastPart>,
    /// That of the palettes which the parts were skinned with.
    version: u64,
}

#[derive(Clone, Debug)]
struct CastPart {
    tree: Tree,
    skinned: Skinned,
}

impl Instance {
    /// The nearest point where a ray in model space hits the instance as it is posed now; `None` where it hits nothing. Of
    /// hits at the same distance that of the first part, and there of the first triangle.
    ///
    /// The first call takes memory, and builds a tree of boxes for each part; later ones allocate nothing. A ray with a number
    /// that is not finite, or without a direction, hits nothing; nor are triangles hit that have such a corner, or are seen
    /// edge-on.
    pub fn cast(&mut self, ray: &Ray) -> Option<Hit> {
        self.prepare_cast();
        let mut ray = *ray;
        let mut nearest: Option<(usize, TriangleHit)> = None;
        for (part, own) in self.casting.iter().flat_map(|casting| &casting.parts).enumerate() {
            let Some(hit) = own.tree.closest_hit(&ray) else { continue };
            if nearest.as_ref().is_none_or(|(_, other)| hit.distance < other.distance) {
                ray.max_distance = hit.distance;
                nearest = Some((part, hit));
            }
        }
        nearest.map(|(part, hit)| self.hit(part, &hit))
    }

    /// Trees where the joints are now.
    fn prepare_cast(&mut self) {
        self.update_palettes();
        let Self { model, posed, skinning, casting, .. } = self;
        let casting = casting.get_or_insert_with(|| {
            let part = |part: usize| {
                let mesh = &model.surface(part).mesh;
                let skinned = Skinned::new(mesh, Attributes::Positions).expect("every mesh has positions");
                CastPart { tree: Tree::new(mesh), skinned }
            };
            Casting { parts: (0..model.parts().len()).map(part).collect(), version: 0 }
        });
        if casting.version == skinning.moved.version {
            return;
        }
        casting.version = skinning.moved.version;
        for (part, CastPart { tree, skinned }) in casting.parts.iter_mut().enumerate() {
            skinning.moved.morph(model, part, posed.pose.morph_weights());
            let (palette, options) = skinning.moved.of_part(model, part);
            model.surface(part).mesh.skin(palette, &options, skinned).expect("memory was made for the part");
            tree.refit(skinned.points()).expect("the tree was made for the part");
        }
    }

    fn hit(&self, part: usize, hit: &TriangleHit) -> Hit {
        let &TriangleHit { triangle, barycentrics, point, normal, distance, side } = hit;
        let slot = self.model.surface(part).mesh.joint_at(triangle, barycentrics);
        let skin = &self.model.skins()[self.model.parts()[part].skin];
        let joint = skin.joints()[slot] as usize;
        Hit { part, joint, triangle, barycentrics, point, normal, distance, side }
    }
}
