//! A model: checked once, so that all of its elements fit together.

use std::sync::{Arc, OnceLock};

use super::{Image, Material, MeshInstance, Metadata, Primitive, UpAxis};
use crate::animation::{Clip, ClipSet, SpringBones, SpringSource};
use crate::bounds::JointBounds;
use crate::length::check_len;
use crate::model::ModelError;
use crate::query::{LazyBvh, LazyTopology};
use crate::skeleton::{NameError, Skeleton, Skin};
use crate::skinning::Blending;

/// The elements of a model, unchecked. [`Model::new`] checks them.
#[derive(Clone, Debug)]
pub struct ModelSource {
    /// All joints, including those of nodes that only carry a mesh instance.
    pub skeleton: Skeleton,
    /// Skins of that skeleton.
    pub skins: Vec<Skin>,
    /// Geometry, referenced by mesh instances.
    pub primitives: Vec<Primitive>,
    /// Instances of primitives, in the order in which they are drawn and written.
    pub mesh_instances: Vec<MeshInstance>,
    /// Clips of that skeleton.
    pub clips: Vec<Clip>,
    /// Chains of joints that swing.
    pub springs: SpringSource,
    /// Materials, referenced by primitives.
    pub materials: Vec<Material>,
    /// Images, referenced by materials.
    pub images: Vec<Image>,
    /// The up axis of model space.
    pub up: UpAxis,
    /// What the file says about itself.
    pub metadata: Metadata,
}

impl ModelSource {
    /// A model with only a skeleton.
    #[must_use]
    pub fn new(skeleton: Skeleton) -> Self {
        Self {
            skeleton,
            skins: Vec::new(),
            primitives: Vec::new(),
            mesh_instances: Vec::new(),
            clips: Vec::new(),
            springs: SpringSource::default(),
            materials: Vec::new(),
            images: Vec::new(),
            up: UpAxis::default(),
            metadata: Metadata::default(),
        }
    }
}

/// A skeleton with its skins, primitives and clips. Cloning is cheap: clones share the data.
#[derive(Clone, Debug)]
pub struct Model {
    clips: ClipSet,
    data: Arc<ModelData>,
}

/// Everything except the skeleton and the clips.
#[derive(Debug)]
struct ModelData {
    skins: Vec<Skin>,
    primitives: Vec<Primitive>,
    mesh_instances: Vec<MeshInstance>,
    springs: Option<SpringBones>,
    materials: Vec<Material>,
    images: Vec<Image>,
    up: UpAxis,
    metadata: Metadata,
    /// One per primitive.
    lazy_data: Vec<LazyData>,
}

/// Data of a primitive's mesh that is built on first use.
#[derive(Debug, Default)]
struct LazyData {
    joint_bounds: OnceLock<Arc<JointBounds>>,
    lazy_topology: OnceLock<Arc<LazyTopology>>,
}

impl Model {
    /// Checks that all elements fit together. Copies no data.
    ///
    /// # Errors
    ///
    /// The first error found, with its index: a skin or clip of another skeleton; a mesh instance
    /// that refers to a missing joint, primitive or skin, whose skin has another size than its
    /// primitive's, or whose number of morph weights is not that of its primitive's morph targets;
    /// texture coordinates or colors without one element per vertex; a missing material or image;
    /// springs that [`SpringBones::new`] rejects.
    pub fn new(source: ModelSource) -> Result<Self, ModelError> {
        let joints = source.skeleton.len();
        for skin in &source.skins {
            check_len("joints of a skin's skeleton", joints, skin.skeleton_len())?;
        }
        for (index, primitive) in source.primitives.iter().enumerate() {
            check_primitive(&source, index, primitive)?;
        }
        for (index, mesh_instance) in source.mesh_instances.iter().enumerate() {
            check_mesh_instance(&source, index, mesh_instance)?;
        }
        for (index, material) in source.materials.iter().enumerate() {
            for texture in material.textures().into_iter().flatten() {
                check_index(("material", index), "image", texture.image, source.images.len())?;
            }
        }
        let springs = SpringBones::new(&source.skeleton, &source.springs)?;
        let springs = Some(springs).filter(|springs| springs.bone_count() > 0);
        let ModelSource { skeleton, clips, .. } = source;
        let ModelSource { skins, primitives, mesh_instances, materials, images, up, metadata, .. } = source;
        let clips = ClipSet::new(skeleton, clips)?;
        let lazy_data = primitives.iter().map(|_| LazyData::default()).collect();
        let data = ModelData {
            skins,
            primitives,
            mesh_instances,
            springs,
            materials,
            images,
            up,
            metadata,
            lazy_data,
        };
        Ok(Self { clips, data: Arc::new(data) })
    }

    /// All joints, including those of nodes that only carry a mesh instance.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        self.clips.skeleton()
    }

    /// The skins of the skeleton.
    #[must_use]
    pub fn skins(&self) -> &[Skin] {
        &self.data.skins
    }

    /// The geometry. [`mesh_instances`](Self::mesh_instances) refer to it.
    #[must_use]
    pub fn primitives(&self) -> &[Primitive] {
        &self.data.primitives
    }

    /// The instances of primitives, in the order in which they are drawn and written.
    #[must_use]
    pub fn mesh_instances(&self) -> &[MeshInstance] {
        &self.data.mesh_instances
    }

    /// The primitive of a mesh instance.
    ///
    /// # Panics
    ///
    /// If there is no such mesh instance.
    #[must_use]
    pub fn primitive(&self, mesh_instance: usize) -> &Primitive {
        &self.data.primitives[self.data.mesh_instances[mesh_instance].primitive]
    }

    /// The clips.
    #[must_use]
    pub fn clips(&self) -> &[Clip] {
        self.clips.clips()
    }

    /// The index of the clip with this name.
    ///
    /// # Errors
    ///
    /// If no clip has the name (the error lists the nearest ones), or several have it.
    pub fn clip(&self, name: &str) -> Result<usize, NameError> {
        self.clips.find(name)
    }

    /// The chains of joints that swing; `None` if there are none. An instance swings them once a
    /// clone is pushed on its modifiers:
    /// `instance.modifiers_mut().push(springs.clone())`.
    #[must_use]
    pub fn springs(&self) -> Option<&SpringBones> {
        self.data.springs.as_ref()
    }

    /// The skeleton and the clips.
    #[must_use]
    pub fn clip_set(&self) -> &ClipSet {
        &self.clips
    }

    /// Checks that there is such a mesh instance.
    pub(crate) fn check_mesh_instance(&self, mesh_instance: usize) -> Result<(), ModelError> {
        let len = self.mesh_instances().len();
        if mesh_instance < len {
            Ok(())
        } else {
            Err(ModelError::MeshInstanceOutOfRange { mesh_instance, len })
        }
    }

    /// Joint bounds of a mesh instance, which give an AABB from joints alone. Built on first use.
    ///
    /// # Panics
    ///
    /// If there is no such mesh instance.
    #[must_use]
    pub fn joint_bounds(&self, mesh_instance: usize) -> &JointBounds {
        let primitive = self.mesh_instances()[mesh_instance].primitive;
        let bounds = self.linear_bounds(primitive);
        bounds.prepare_dual_quaternions(&self.data.primitives[primitive].mesh);
        bounds
    }

    /// Joint bounds of a mesh instance for one way of blending.
    pub(crate) fn joint_bounds_for(&self, mesh_instance: usize, blending: Blending<'_>) -> &JointBounds {
        match blending {
            Blending::Linear => self.linear_bounds(self.mesh_instances()[mesh_instance].primitive),
            Blending::DualQuaternion(_) | Blending::Mixed(..) => self.joint_bounds(mesh_instance),
        }
    }

    /// A lazy BVH of a mesh instance at rest, for ray casts. The topology that all of its BVHs
    /// share is built on first use.
    ///
    /// # Panics
    ///
    /// If there is no such mesh instance.
    #[must_use]
    pub fn lazy_bvh(&self, mesh_instance: usize) -> LazyBvh {
        let primitive = self.mesh_instances()[mesh_instance].primitive;
        let mesh = &self.data.primitives[primitive].mesh;
        let build = || Arc::new(LazyTopology::build(mesh, Arc::clone(self.linear_bounds(primitive))));
        let topology = self.data.lazy_data[primitive].lazy_topology.get_or_init(build);
        LazyBvh::with_topology(mesh, Arc::clone(topology))
    }

    /// Joint bounds of a primitive, complete for linear blending.
    fn linear_bounds(&self, primitive: usize) -> &Arc<JointBounds> {
        let build = || Arc::new(JointBounds::build_linear(&self.data.primitives[primitive].mesh));
        self.data.lazy_data[primitive].joint_bounds.get_or_init(build)
    }

    /// The materials.
    #[must_use]
    pub fn materials(&self) -> &[Material] {
        &self.data.materials
    }

    /// The images of the materials.
    #[must_use]
    pub fn images(&self) -> &[Image] {
        &self.data.images
    }

    /// What the file says about itself.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.data.metadata
    }

    /// The up axis of model space.
    #[must_use]
    pub fn up_axis(&self) -> UpAxis {
        self.data.up
    }
}

fn check_primitive(source: &ModelSource, index: usize, primitive: &Primitive) -> Result<(), ModelError> {
    let vertices = primitive.mesh.len();
    for set in primitive.texture_coordinates.iter().filter(|set| !set.is_empty()) {
        check_len("texture coordinates of a primitive", vertices, set.len())?;
    }
    for set in primitive.colors.iter().filter(|set| !set.is_empty()) {
        check_len("colors of a primitive", vertices, set.len())?;
    }
    match primitive.material {
        Some(material) => check_index(("primitive", index), "material", material, source.materials.len()),
        None => Ok(()),
    }
}

fn check_mesh_instance(
    source: &ModelSource,
    index: usize,
    mesh_instance: &MeshInstance,
) -> Result<(), ModelError> {
    let owner = ("mesh instance", index);
    check_index(owner, "joint", mesh_instance.joint.index(), source.skeleton.len())?;
    check_index(owner, "primitive", mesh_instance.primitive, source.primitives.len())?;
    check_index(owner, "skin", mesh_instance.skin, source.skins.len())?;
    let mesh = &source.primitives[mesh_instance.primitive].mesh;
    check_len("joints of a mesh instance's skin", mesh.skin_len(), source.skins[mesh_instance.skin].len())?;
    let (weights, all) = (&mesh_instance.morph_weights, source.skeleton.rest().morph_weights().len());
    if weights.end > all || weights.start > weights.end {
        return Err(ModelError::NotInModel {
            of: owner.0,
            index,
            what: "morph weight",
            found: weights.end,
            len: all,
        });
    }
    Ok(check_len("morph weights of a mesh instance", mesh.morph_count(), weights.len())?)
}

fn check_index(
    (of, index): (&'static str, usize),
    what: &'static str,
    found: usize,
    len: usize,
) -> Result<(), ModelError> {
    if found < len { Ok(()) } else { Err(ModelError::NotInModel { of, index, what, found, len }) }
}
