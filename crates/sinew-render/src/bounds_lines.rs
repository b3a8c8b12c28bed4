//! Lines along the bounds of each joint's vertices, and of the whole model.

use sinew::bounds::BoundsOptions;
use sinew::{Aabb, Model, Palette};

use crate::camera::CameraView;
use crate::posed_model::BUILT_FOR_MODEL;
use crate::posed_model::PosedModel;

/// Computes the bounds of joints, with reusable memory.
pub(crate) struct BoundsLines {
    palettes: Vec<Palette>,
    joint_aabbs: Vec<Aabb>,
}

impl BoundsLines {
    pub(crate) fn new(model: &Model) -> Self {
        Self { palettes: model.skins().iter().map(Palette::new).collect(), joint_aabbs: Vec::new() }
    }

    /// Adds the edges of the bounds of all joints, under linear blend skinning.
    pub(crate) fn add_joints(
        &mut self,
        posed: &mut PosedModel,
        camera: &CameraView,
        lines: &mut Vec<[[f32; 4]; 2]>,
    ) {
        let model = posed.baked().model().clone();
        self.for_each_joint(posed, |bounds| add_edges(bounds, &model, camera, lines));
    }

    /// Adds the edges of the smallest box around all vertices.
    pub(crate) fn add_model(&self, posed: &PosedModel, camera: &CameraView, lines: &mut Vec<[[f32; 4]; 2]>) {
        add_edges(&Aabb::from_points(posed.baked().positions()), posed.baked().model(), camera, lines);
    }

    /// The corners of the bounds of all joints and of the box around all vertices, in model space.
    pub(crate) fn corners(&mut self, posed: &mut PosedModel) -> Vec<[f32; 3]> {
        let mut corners = Vec::new();
        self.for_each_joint(posed, |bounds| {
            if !bounds.is_empty() {
                corners.extend((0..8).map(|bits| corner(bounds, bits)));
            }
        });
        let around = Aabb::from_points(posed.baked().positions());
        if !around.is_empty() {
            corners.extend((0..8).map(|bits| corner(&around, bits)));
        }
        corners
    }

    /// Calls a function with the bounds of each joint, under linear blend skinning.
    fn for_each_joint(&mut self, posed: &mut PosedModel, mut call: impl FnMut(&Aabb)) {
        let model = posed.baked().model().clone();
        let model_from_joint = posed.instance.model_matrices();
        for (palette, skin) in self.palettes.iter_mut().zip(model.skins()) {
            palette.update(model_from_joint, skin).expect(BUILT_FOR_MODEL);
        }
        for (index, instance) in model.mesh_instances().iter().enumerate() {
            let weights = &posed.instance.pose().morph_weights()[instance.morph_weights.clone()];
            let options = BoundsOptions::default().with_morph_weights(weights);
            self.joint_aabbs.clear();
            self.joint_aabbs.resize(model.skins()[instance.skin].len(), Aabb::EMPTY);
            let palette = &self.palettes[instance.skin];
            // With a NaN morph weight there are no bounds.
            if model.joint_bounds(index).joint_aabbs(palette, &options, &mut self.joint_aabbs).is_ok() {
                self.joint_aabbs.iter().for_each(&mut call);
            }
        }
    }
}

fn add_edges(bounds: &Aabb, model: &Model, camera: &CameraView, lines: &mut Vec<[[f32; 4]; 2]>) {
    if !bounds.is_empty() {
        lines.extend(
            edges(bounds).map(|ends| {
                ends.map(|end| camera.view.transform_point(model.up_axis().y_up_from_model(end)))
            }),
        );
    }
}

/// A corner of a box. The bits select the upper side along each axis.
fn corner(bounds: &Aabb, bits: usize) -> [f32; 3] {
    [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { bounds.max[axis] } else { bounds.min[axis] })
}

/// The twelve edges of a box.
fn edges(bounds: &Aabb) -> [[[f32; 3]; 2]; 12] {
    std::array::from_fn(|edge| {
        let axis = edge / 4;
        // Bits 0 and 1 of the edge's number select the sides along the other two axes.
        let low = (edge & 1) << ((axis + 1) % 3) | (edge >> 1 & 1) << ((axis + 2) % 3);
        [corner(bounds, low), corner(bounds, low | 1 << axis)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_twelve_edges_and_three_at_each_corner() {
        let edges = edges(&Aabb { min: [0.0; 3], max: [1.0, 2.0, 3.0] });
        let mut ends: Vec<[f32; 3]> = edges.into_iter().flatten().collect();
        assert!(edges.iter().all(|[a, b]| (0..3).filter(|&axis| a[axis] != b[axis]).count() == 1));
        ends.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
        assert!(ends.chunks(3).all(|three| three[0] == three[2]));
        ends.dedup();
        assert_eq!(ends.len(), 8);
    }
}
