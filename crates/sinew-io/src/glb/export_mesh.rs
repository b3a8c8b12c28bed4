//! A mesh in the form that glTF can store: one position per vertex, weights that sum to one, unit
//! normals and tangents.

use sinew::mesh::{Attributes, Deltas, InfluenceData, MorphData, MorphSource};
use sinew::model::Primitive;
use sinew::{Error as ModelError, Mesh, MeshSource, Skin};

use super::buffer::View;
use super::document::Document;
use super::schema::{self, Attributes as Accessors};
use crate::bake::{clamp_color, finite_or_zero, unit_or_up};
use crate::error::BoxedError as Error;

/// The arrays of a mesh, in source order.
#[derive(Debug)]
pub(super) struct ExportMesh {
    positions: Vec<[f32; 3]>,
    normals: Option<Vec<[f32; 3]>>,
    tangents: Option<Vec<[f32; 4]>>,
    triangles: Vec<[u32; 3]>,
    influences: InfluenceData,
    morphs: Vec<MorphData>,
}

impl ExportMesh {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let mut influences = mesh.influences();
        let sums = normalize_weights(&mut influences);
        let mut positions = mesh.rest(Attributes::Positions).unwrap_or_default();
        let mut morphs: Vec<MorphData> =
            (0..mesh.morph_count()).map(|target| mesh.morph_deltas(target)).collect();
        // In joint space, positions are sums that contain the weights already.
        if !mesh.has_joint_space_influences() {
            scale(&mut positions, &sums);
            morphs.iter_mut().for_each(|morph| scale(&mut morph.positions, &sums));
        }
        let normals = mesh.rest(Attributes::Normals);
        let normals = normals.map(|all| all.iter().map(|normal| unit_or_up(normal.map(f64::from))).collect());
        let vertex = |slot: u32| mesh.inverse_remap()[slot as usize];
        let triangles = mesh.triangles().iter().map(|triangle| triangle.map(vertex)).collect();
        Self { positions, normals, tangents: tangents(mesh), triangles, influences, morphs }
    }

    /// The mesh that an importer gets from the file.
    pub(super) fn mesh<'a>(&'a self, skin: &Skin) -> Result<Mesh, ModelError> {
        let deltas = |morph: &'a MorphData| Deltas::Dense(&morph.positions);
        let source = |morph| MorphSource { positions: deltas(morph), ..MorphSource::default() };
        let morphs: Vec<_> = self.morphs.iter().map(source).collect();
        let source =
            MeshSource { morphs: &morphs, ..MeshSource::new(&self.positions, self.influences.influences()) };
        Ok(Mesh::new(&source, skin)?)
    }

    /// Writes the primitive without its material. Influences are written only if `skinned`.
    pub(super) fn primitive(
        &self,
        source: &Primitive,
        skinned: bool,
        document: &mut Document,
    ) -> Result<schema::Primitive, Error> {
        let buffer = &mut document.buffer;
        let mut attributes = Accessors::default();
        attributes.add("POSITION", buffer.positions(&self.positions));
        if let Some(normals) = &self.normals {
            attributes.add("NORMAL", buffer.vectors(normals, View::Vertices));
        }
        if let Some(tangents) = &self.tangents {
            attributes.add("TANGENT", buffer.vectors(tangents, View::Vertices));
        }
        for (written, set) in texture_coordinate_sets(source).into_iter().enumerate() {
            let set: Vec<_> =
                source.texture_coordinates[set].iter().map(|&pair| finite_or_zero(pair)).collect();
            let set = buffer.vectors(&set, View::Vertices);
            attributes.add(format!("TEXCOORD_{written}"), set);
        }
        for (written, set) in source.colors.iter().filter(|set| !set.is_empty()).enumerate() {
            let set: Vec<_> = set.iter().map(|&color| clamp_color(color)).collect();
            let set = buffer.vectors(&set, View::Vertices);
            attributes.add(format!("COLOR_{written}"), set);
        }
        if skinned {
            self.add_influences(&mut attributes, document)?;
        }
        let mut primitive = schema::Primitive { attributes, ..schema::Primitive::default() };
        primitive.set_triangles(&self.triangles, self.positions.len(), document);
        primitive.targets = self.targets(document);
        Ok(primitive)
    }

    /// Writes sets of four influences, strongest first: as many as the vertex with most influences
    /// needs.
    fn add_influences(&self, attributes: &mut Accessors, document: &mut Document) -> Result<(), Error> {
        let InfluenceData { counts, joints, weights } = &self.influences;
        let most = counts.iter().copied().max().unwrap_or(0) as usize;
        // One vertex with very many influences would make the file as large as if all had them.
        let bytes = (most.div_ceil(4) as u64).saturating_mul(counts.len() as u64).saturating_mul(24);
        if bytes > u64::from(u32::MAX) {
            let found = format!("{most} at a vertex, of {} vertices", counts.len());
            return Err(Error::invalid("influences of a primitive", "few enough for a file of 4 GiB", found));
        }
        for set in 0..most.div_ceil(4) {
            let (mut set_joints, mut set_weights) =
                (vec![[0_u16; 4]; counts.len()], vec![[0.0; 4]; counts.len()]);
            let mut first = 0;
            for (vertex, &count) in counts.iter().enumerate() {
                let own = first + (4 * set).min(count as usize)..first + (4 * set + 4).min(count as usize);
                for (slot, i) in own.enumerate() {
                    set_joints[vertex][slot] = u16::try_from(joints[i]).map_err(|_| {
                        Error::invalid(
                            "joints of a skin",
                            format!("below {}", u16::MAX),
                            joints[i].to_string(),
                        )
                    })?;
                    set_weights[vertex][slot] = weights[i];
                }
                first += count as usize;
            }
            let joints = document.buffer.joints(&set_joints);
            let weights = document.buffer.vectors(&set_weights, View::Vertices);
            attributes.add(format!("JOINTS_{set}"), joints);
            attributes.add(format!("WEIGHTS_{set}"), weights);
        }
        Ok(())
    }

    /// Writes the morph targets. All targets get the attributes that any of them has, as many
    /// importers require.
    fn targets(&self, document: &mut Document) -> Vec<Accessors> {
        let any_normals = self.morphs.iter().any(|morph| morph.normals.is_some());
        let any_tangents = self.morphs.iter().any(|morph| morph.tangents.is_some());
        let nothing = vec![[0.0; 3]; self.positions.len()];
        let mut target = |morph: &MorphData| {
            let buffer = &mut document.buffer;
            let mut target = Accessors::default();
            target.add("POSITION", buffer.positions(&morph.positions));
            if any_normals {
                let deltas = morph.normals.as_ref().unwrap_or(&nothing);
                target.add("NORMAL", buffer.vectors(deltas, View::Vertices));
            }
            if any_tangents {
                let deltas = morph.tangents.as_ref().unwrap_or(&nothing);
                target.add("TANGENT", buffer.vectors(deltas, View::Vertices));
            }
            target
        };
        self.morphs.iter().map(&mut target).collect()
    }
}

/// The indices of the sets of texture coordinates that exist. glTF numbers them without gaps.
pub(super) fn texture_coordinate_sets(source: &Primitive) -> Vec<usize> {
    let sets = &source.texture_coordinates;
    (0..sets.len()).filter(|&set| !sets[set].is_empty()).collect()
}

/// Normalizes the weights of every vertex, and returns their sums.
fn normalize_weights(influences: &mut InfluenceData) -> Vec<f64> {
    let mut rest = &mut influences.weights[..];
    let mut sums = Vec::with_capacity(influences.counts.len());
    for &count in &influences.counts {
        let (own, behind) = rest.split_at_mut(count as usize);
        rest = behind;
        let sum: f64 = own.iter().map(|&weight| f64::from(weight)).sum();
        for weight in own {
            *weight = (f64::from(*weight) / sum) as f32;
        }
        sums.push(sum);
    }
    sums
}

/// Compensates weights that did not sum to one. Differences by rounding are ignored.
fn scale(vectors: &mut [[f32; 3]], sums: &[f64]) {
    for (vector, &sum) in vectors.iter_mut().zip(sums) {
        if (sum - 1.0).abs() > 1e-6 {
            *vector = vector.map(|x| (f64::from(x) * sum) as f32);
        }
    }
}

/// Unit tangents with their signs.
fn tangents(mesh: &Mesh) -> Option<Vec<[f32; 4]>> {
    let tangents = mesh.rest(Attributes::Tangents)?;
    let signs = mesh.to_source_order(&mesh.tangent_signs()).ok()?;
    let tangent = |(tangent, sign): (&[f32; 3], f32)| {
        let [x, y, z] = match *tangent {
            [0.0, 0.0, 0.0] => [1.0, 0.0, 0.0],
            tangent => unit_or_up(tangent.map(f64::from)),
        };
        [x, y, z, if sign < 0.0 { -1.0 } else { 1.0 }]
    };
    Some(tangents.iter().zip(signs).map(tangent).collect())
}
