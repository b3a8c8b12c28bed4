//! How far an instance reaches, by its joints alone.

use super::Instance;
use crate::bounds::about;
use crate::{Bounds, BoundsOptions, Error, Mesh, Palette, Sphere};

impl Instance {
    /// A box along the axes that holds all vertices where the joints are now, without skinning them: see [`Mesh::bounds`].
    /// From minus to plus infinity where the pose has what is not a number.
    ///
    /// The smallest box, after skinning, is [`SkinnedModel::bounds`](crate::SkinnedModel::bounds).
    pub fn bounds(&mut self) -> Bounds {
        let mut all = Bounds::EMPTY;
        self.each_part(|mesh, palette, options| {
            all = all.union(&fitting(mesh.bounds(palette, options)));
        });
        all
    }

    /// A sphere that holds all vertices where the joints are now, about the middle of the box, without skinning them.
    pub fn sphere(&mut self) -> Sphere {
        let bounds = self.bounds();
        let mut all = about(&bounds);
        self.each_part(|mesh, palette, options| {
            all.radius = all.radius.max(fitting(mesh.radius(all.centre, palette, options)));
        });
        all
    }

    fn each_part(&mut self, mut act: impl FnMut(&Mesh, &Palette, &BoundsOptions<'_>)) {
        self.refresh();
        let moved = &mut self.skinning.moved;
        moved.update(self.model.skins(), &self.model_from_joint);
        for (index, part) in self.model.parts().iter().enumerate() {
            let (palette, skin) = moved.of_part(&self.model, index);
            let morph_weights = &self.posed.pose.morph_weights()[part.morph_weights.clone()];
            let options = BoundsOptions { blending: skin.blending, morph_weights };
            act(&self.model.surface(index).mesh, palette, &options);
        }
    }
}

fn fitting<T>(result: Result<T, Error>) -> T {
    result.expect("palettes were made for the parts")
}
