//! Skins an instance.

use sinew_kernels::{Aabb, DirectionLength, Matrix, NormalTransform};

use super::Instance;
use crate::mesh::{Attributes, Mesh, Morphed, VertexOrder};
use crate::model::{InstanceOptions, Model, ModelError, Palettes};
use crate::skinning::{Blending, Palette, SkinOptions, Skinned, Target};

/// The skinning data of an instance.
#[derive(Clone, Debug)]
pub(super) struct Skinning {
    pub(super) state: SkinState,
    /// The vertices of each mesh instance.
    skinned: Vec<Skinned>,
    /// The version of the skin state that each was skinned with; 0 if never.
    skinned_versions: Vec<u64>,
}

/// The palettes and morphed vertices that skinning reads.
#[derive(Clone, Debug)]
pub(super) struct SkinState {
    pub(super) palettes: Palettes,
    /// Whether joints have moved since the last update.
    pub(super) stale: bool,
    /// Incremented by each update.
    pub(super) version: u64,
    /// The morphed vertices of each mesh instance in each [order](order_index); `None` if its
    /// primitive has no morph targets. Those in source order are allocated by the first use.
    morphed: Vec<[Option<MorphedVertices>; 2]>,
    directions: DirectionLength,
    normals: NormalTransform,
    max_influences: usize,
}

/// Morphed vertices, and the version of the skin state that they were morphed for; 0 if never.
#[derive(Clone, Debug)]
struct MorphedVertices {
    morphed: Morphed,
    version: u64,
}

impl MorphedVertices {
    fn new(mesh: &Mesh, order: VertexOrder) -> Self {
        Self { morphed: Morphed::in_order(mesh, order), version: 0 }
    }
}

/// The index of an order in arrays.
fn order_index(order: VertexOrder) -> usize {
    match order {
        VertexOrder::Run => 0,
        VertexOrder::Source => 1,
    }
}

impl Skinning {
    pub(super) fn new(model: &Model, options: &InstanceOptions) -> Self {
        let meshes =
            || (0..model.mesh_instances().len()).map(|mesh_instance| &model.primitive(mesh_instance).mesh);
        let len = model.mesh_instances().len();
        let state = SkinState {
            palettes: Palettes::new(model, options.skin_method),
            stale: true,
            version: 0,
            morphed: meshes()
                .map(|mesh| {
                    let has_morphs = mesh.morph_count() > 0;
                    [has_morphs.then(|| MorphedVertices::new(mesh, VertexOrder::Run)), None]
                })
                .collect(),
            directions: options.directions,
            normals: options.normals,
            max_influences: options.max_influences,
        };
        let skinned = |mesh: &Mesh| {
            let attributes = options.attributes.min(Attributes::stored_in(mesh));
            Skinned::new(mesh, attributes).expect("only attributes that the mesh has are requested")
        };
        Self { state, skinned: meshes().map(skinned).collect(), skinned_versions: vec![0; len] }
    }

    /// The vertices of a mesh instance, if they are skinned in the pose of the skin state.
    pub(super) fn skinned(&self, mesh_instance: usize) -> Option<&Skinned> {
        let is_current = self.skinned_versions[mesh_instance] == self.state.version;
        is_current.then(|| &self.skinned[mesh_instance])
    }
}

impl SkinState {
    fn update(&mut self, model: &Model, model_from_joint: &[Matrix]) {
        if self.stale {
            self.palettes.update(model, model_from_joint);
            self.stale = false;
            self.version += 1;
        }
    }

    /// The index of the order in which vertices are morphed for an output in some order. Dual
    /// quaternions are blended in run order.
    fn morph_order(&self, order: VertexOrder) -> usize {
        let blends_runs = !self.palettes.dual_quaternions.is_empty();
        order_index(if blends_runs { VertexOrder::Run } else { order })
    }

    /// Morphs the vertices of a mesh instance, unless that is done for this version.
    fn morph(&mut self, model: &Model, mesh_instance: usize, order: VertexOrder, morph_weights: &[f32]) {
        let mesh = &model.primitive(mesh_instance).mesh;
        if mesh.morph_count() == 0 {
            return;
        }
        let index = self.morph_order(order);
        let vertices = &mut self.morphed[mesh_instance][index];
        let vertices = vertices.get_or_insert_with(|| MorphedVertices::new(mesh, order));
        if std::mem::replace(&mut vertices.version, self.version) != self.version {
            let weights = &morph_weights[model.mesh_instances()[mesh_instance].morph_weights.clone()];
            // With a weight that is not finite, the shape stays the same.
            let _ = mesh.morph(weights, &mut vertices.morphed);
        }
    }

    /// The palette and the options that skin a mesh instance.
    pub(super) fn skin_inputs(
        &self,
        model: &Model,
        mesh_instance: usize,
        order: VertexOrder,
    ) -> (&Palette, SkinOptions<'_>) {
        let skin = model.mesh_instances()[mesh_instance].skin;
        let mesh = &model.primitive(mesh_instance).mesh;
        let options = SkinOptions {
            directions: self.directions,
            normals: self.normals,
            blending: Blending::Linear,
            morphed: self.morphed[mesh_instance][self.morph_order(order)].as_ref().map(|own| &own.morphed),
            max_influences: self.max_influences,
        };
        (&self.palettes.linear[skin], options.adapted_to(mesh, self.palettes.dual_quaternions.get(skin)))
    }
}

/// The skinned vertices of all mesh instances, as of the last skinning.
#[derive(Clone, Copy, Debug)]
pub struct SkinnedModel<'a> {
    model: &'a Model,
    mesh_instances: &'a [Skinned],
}

impl Instance {
    /// Skins all vertices in the current pose. Does nothing if they are.
    pub fn skin(&mut self) -> SkinnedModel<'_> {
        for mesh_instance in 0..self.model.mesh_instances().len() {
            self.skin_mesh_instance(mesh_instance);
        }
        SkinnedModel { model: &self.model, mesh_instances: &self.skinning.skinned }
    }

    fn skin_mesh_instance(&mut self, mesh_instance: usize) {
        self.prepare(mesh_instance, VertexOrder::Run);
        let Self { model, skinning: Skinning { state, skinned, skinned_versions }, .. } = self;
        if std::mem::replace(&mut skinned_versions[mesh_instance], state.version) == state.version {
            return;
        }
        let (palette, options) = state.skin_inputs(model, mesh_instance, VertexOrder::Run);
        let mesh = &model.primitive(mesh_instance).mesh;
        mesh.skin(palette, &options, &mut skinned[mesh_instance])
            .expect("buffers were built for the mesh instance");
    }

    /// Skins the vertices of one mesh instance in the current pose into any vertex layout. See
    /// [`Target`]. The first call in source order allocates, unless [`Mesh::prepare_source_order`]
    /// did before; with morph targets, it also allocates morphed vertices in that order.
    ///
    /// # Errors
    ///
    /// If there is no such mesh instance, or as [`Mesh::skin_into`].
    pub fn skin_into(&mut self, mesh_instance: usize, target: Target<'_>) -> Result<(), ModelError> {
        self.model.check_mesh_instance(mesh_instance)?;
        // Dual quaternions are blended in run order, and scattered from there.
        let order = match self.skinning.state.palettes.dual_quaternions.is_empty() {
            true => target.order,
            false => VertexOrder::Run,
        };
        self.prepare(mesh_instance, order);
        let (palette, options) = self.skinning.state.skin_inputs(&self.model, mesh_instance, order);
        Ok(self.model.primitive(mesh_instance).mesh.skin_into(palette, &options, target)?)
    }

    /// The palettes of all skins in the current pose, in the order of [`Model::skins`]: for
    /// programs that skin on a GPU.
    pub fn palettes(&mut self) -> &[Palette] {
        self.update_palettes();
        &self.skinning.state.palettes.linear
    }

    /// Updates the palettes to the current pose.
    pub(super) fn update_palettes(&mut self) {
        self.refresh();
        self.skinning.state.update(&self.model, self.matrices.as_slice());
    }

    /// Updates the palettes, and the morphed vertices of a mesh instance in an order.
    pub(super) fn prepare(&mut self, mesh_instance: usize, order: VertexOrder) {
        self.update_palettes();
        let state = &mut self.skinning.state;
        state.morph(&self.model, mesh_instance, order, self.posed.pose.morph_weights());
    }
}

impl<'a> SkinnedModel<'a> {
    /// The number of mesh instances.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mesh_instances.len()
    }

    /// Whether there are no mesh instances.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mesh_instances.is_empty()
    }

    /// The vertices of each mesh instance, in blocks in run order.
    #[must_use]
    pub fn mesh_instances(&self) -> &'a [Skinned] {
        self.mesh_instances
    }

    /// The position of a vertex of a mesh instance, by its index in the file.
    ///
    /// # Panics
    ///
    /// If there is no such mesh instance or vertex.
    #[must_use]
    pub fn position(&self, mesh_instance: usize, vertex: usize) -> [f32; 3] {
        self.mesh_instances[mesh_instance].position(&self.model.primitive(mesh_instance).mesh, vertex)
    }

    /// The smallest AABB of all vertices.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.mesh_instances.iter().fold(Aabb::EMPTY, |all, skinned| all.union(&skinned.bounds()))
    }
}

#[cfg(test)]
mod tests {
    use sinew_kernels::{VertexLayout, VertexWriter};

    use super::*;
    use crate::mesh::{Deltas, Influences, MeshSource, MorphSource};
    use crate::model::{MeshInstance, ModelSource, Primitive};
    use crate::skeleton::{Bone, JointId, Skeleton, Skin, Transform};
    use crate::skinning::SkinMethod;

    /// Three runs of two vertices, so that run order has more blocks than source order.
    #[test]
    fn morphed_dual_quaternions_are_skinned_in_source_order() {
        let bones = [Bone::new("", None, Transform::IDENTITY), Bone::new("", Some(0), Transform::IDENTITY)];
        let skeleton = Skeleton::new(&bones).unwrap().with_morph_weights(&[0.0]).unwrap();
        let joints = [0, 1].map(JointId::new);
        let skin = Skin::new(&skeleton, &joints).unwrap();
        let positions: Vec<[f32; 3]> = (0..6).map(|i| [i as f32, 1.0, 0.5 * i as f32]).collect();
        let weights = [[1.0, 0.0], [1.0, 0.0], [0.5, 0.5], [0.5, 0.5], [0.0, 1.0], [0.0, 1.0]];
        let influences = Influences::Variable {
            counts: &[2; 6],
            joints: &[0, 1].repeat(6),
            weights: weights.as_flattened(),
        };
        let morph = MorphSource { positions: Deltas::Dense(&positions), ..MorphSource::default() };
        let source = MeshSource { morphs: &[morph], ..MeshSource::new(&positions, influences) };
        let mesh = Mesh::new(&source, &skin).unwrap();
        let model = Model::new(ModelSource {
            skins: vec![skin],
            primitives: vec![Primitive::new("", mesh)],
            mesh_instances: vec![MeshInstance { morph_weights: 0..1, ..MeshInstance::new("", joints[0]) }],
            ..ModelSource::new(skeleton)
        })
        .unwrap();
        for method in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
            let mut instance = model.instance_with(&InstanceOptions::default().with_skin_method(method));
            instance.joint_mut(joints[1]).rotate([0.0, 0.6, 0.0, 0.8]);
            instance.pose_mut().morph_weights_mut()[0] = 0.5;
            let mut found = vec![[0.0_f32; 3]; 6];
            let writer = VertexWriter::new(&VertexLayout::packed(1), [&mut found], 6).unwrap();
            instance.skin_into(0, Target::vertices(writer)).unwrap();
            let skinned = instance.skin();
            for (vertex, found) in found.iter().enumerate() {
                let expected = skinned.position(0, vertex);
                for axis in 0..3 {
                    assert!((found[axis] - expected[axis]).abs() < 1e-5, "{method:?}: vertex {vertex}");
                }
            }
        }
    }
}
