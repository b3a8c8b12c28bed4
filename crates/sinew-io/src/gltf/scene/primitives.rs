//! Builds a primitive of the model from a primitive of the document.

use sinew::model::Primitive;
use sinew::{Mesh, MeshSource, Skin};

use super::directions::{repair_normals, repair_tangents};
use super::influences::InfluenceSets;
use super::morphs::Targets;
use super::triangles::triangles;
use super::warning_count::replace_unusable;
use crate::gltf::document::{AccessorUse, Document};
use crate::gltf::schema::mesh::{Primitive as Source, Semantic};
use crate::{Error, Report, Tangents};

/// Bytes of a mesh per vertex, in addition to the decoded attributes, at least.
const VERTEX_BYTES: u64 = 32;

/// Bytes of a primitive in addition to its vertices, and temporary bytes per joint of the skin. The
/// latter bound the time: many primitives times many joints.
const PRIMITIVE_BYTES: u64 = 1024;
const JOINT_BYTES: u64 = 8;

/// Temporary bytes per triangle for generating tangents.
const TANGENT_BYTES: u64 = 540;

/// The limit of set numbers. Files may have any number.
const MAX_SETS: u32 = 64;

/// What moves a primitive.
#[derive(Clone, Copy)]
pub(super) enum SkinBinding<'a> {
    /// Its own joints and weights, with this skin.
    Skinned(&'a Skin),
    /// The only joint of this skin.
    Rigid(&'a Skin),
}

/// The indices of a mesh and of one of its primitives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PrimitiveId {
    pub(super) mesh: usize,
    pub(super) primitive: usize,
}

/// Builds a primitive that has positions. Missing normals stay missing.
pub(super) fn build_primitive(
    document: &Document<'_>,
    id: PrimitiveId,
    binding: SkinBinding<'_>,
    target_names: &[String],
    report: &mut Report,
) -> Result<Primitive, Error> {
    let PrimitiveId { mesh: mesh_index, primitive: primitive_index } = id;
    let mesh = &document.root.meshes[mesh_index];
    let primitive = &mesh.primitives[primitive_index];
    let location = format!("meshes[{mesh_index}].primitives[{primitive_index}]");
    let reader = AttributeReader { document, primitive, location: &location };
    let (SkinBinding::Skinned(skin) | SkinBinding::Rigid(skin)) = binding;
    document.spend(PRIMITIVE_BYTES + skin.len() as u64 * JOINT_BYTES, &location)?;
    let positions = reader.attribute::<3>(Semantic::Positions, AccessorUse::Position, None)?;
    let mut positions = positions.unwrap_or_default();
    let vertices = positions.len();
    document.spend(vertices as u64 * VERTEX_BYTES, &location)?;
    let unusable = replace_unusable(&mut positions, 0.0);
    let position_location = format!("{location}.attributes.POSITION");
    unusable.warn(
        report,
        &position_location,
        "the positions with numbers that are not finite",
        "these became zero",
    )?;
    let (normals, mut tangents) = reader.directions(vertices, report)?;
    let triangles = triangles(document, primitive, vertices, &location, report)?;
    let texture_coordinates = reader.texture_coordinates(vertices, report)?;
    if let (None, Some(normals), Tangents::Generate) = (&tangents, &normals, document.tangents) {
        let set = texture_coordinates.get(reader.normal_set()).filter(|set| !set.is_empty());
        tangents =
            set.map(|set| reader.generate_tangents(&positions, normals, set, &triangles)).transpose()?;
    }
    let sets = match binding {
        SkinBinding::Skinned(skin) => {
            InfluenceSets::new(document, primitive, (vertices, skin.len()), &location, report)?
        }
        SkinBinding::Rigid(_) => InfluenceSets::rigid(vertices),
    };
    let present = [true, normals.is_some(), tangents.is_some()];
    let targets = Targets::new(document, primitive, (vertices, present), &location, report)?;
    let source = MeshSource {
        normals: normals.as_deref(),
        tangents: tangents.as_deref(),
        triangles: &triangles,
        levels: &document.levels,
        morphs: &targets.sources(target_names),
        ..MeshSource::new(&positions, sets.influences())
    };
    let name = mesh.name.clone().unwrap_or_default();
    let names = target_names.iter().map(String::len).sum::<usize>() + name.len();
    document.spend(names as u64, &location)?;
    Ok(Primitive {
        name,
        mesh: Mesh::new(&source, skin).map_err(|error| Error::model(&location, error))?,
        texture_coordinates,
        colors: reader.colors(vertices, report)?,
        material: primitive.material.map(|material| material.value()),
    })
}

/// Reads the attributes of a primitive.
struct AttributeReader<'a, 'd> {
    document: &'a Document<'d>,
    primitive: &'a Source,
    location: &'a str,
}

impl AttributeReader<'_, '_> {
    fn accessor(&self, semantic: &Semantic) -> Option<usize> {
        self.primitive.attributes.get(semantic).map(|index| index.value())
    }

    /// The elements of an attribute, which must be as many as there are vertices.
    fn attribute<const N: usize>(
        &self,
        semantic: Semantic,
        usage: AccessorUse,
        vertices: Option<usize>,
    ) -> Result<Option<Vec<[f32; N]>>, Error> {
        let Some(accessor) = self.accessor(&semantic) else { return Ok(None) };
        let location = self.location_of(&semantic);
        if let Some(vertices) = vertices {
            let found = self.document.len(accessor, &location)?;
            if found != vertices {
                let expected = format!("{vertices} elements, one for each position");
                return Err(Error::invalid(location, expected, found.to_string()));
            }
        }
        self.document.floats(accessor, usage, &location).map(Some)
    }

    fn location_of(&self, semantic: &Semantic) -> String {
        format!("{}.attributes.{}", self.location, semantic)
    }

    /// Normals and tangents. Tangents without normals are ignored.
    #[expect(clippy::type_complexity, reason = "two arrays that may be missing")]
    fn directions(
        &self,
        vertices: usize,
        report: &mut Report,
    ) -> Result<(Option<Vec<[f32; 3]>>, Option<Vec<[f32; 4]>>), Error> {
        let mut normals = self.attribute::<3>(Semantic::Normals, AccessorUse::Normal, Some(vertices))?;
        let Some(found) = &mut normals else { return Ok((None, None)) };
        repair_normals(found, &self.location_of(&Semantic::Normals), report)?;
        let mut tangents = self.attribute::<4>(Semantic::Tangents, AccessorUse::Tangent, Some(vertices))?;
        if let Some(found) = &mut tangents {
            repair_tangents(found, &self.location_of(&Semantic::Tangents), report)?;
        }
        Ok((normals, tangents))
    }

    /// The texture coordinate set of the normal map; 0 if there is no normal map.
    fn normal_set(&self) -> usize {
        let material =
            self.primitive.material.map(|material| &self.document.root.materials[material.value()]);
        material.and_then(|material| material.normal_texture.as_ref()).map_or(0, |map| map.tex_coord as usize)
    }

    fn generate_tangents(
        &self,
        positions: &[[f32; 3]],
        normals: &[[f32; 3]],
        set: &[[f32; 2]],
        triangles: &[[u32; 3]],
    ) -> Result<Vec<[f32; 4]>, Error> {
        self.document.spend(triangles.len() as u64 * TANGENT_BYTES, self.location)?;
        sinew::geometry::tangents(positions, normals, set, triangles)
            .map_err(|error| Error::model(self.location, error))
    }

    fn texture_coordinates(&self, vertices: usize, report: &mut Report) -> Result<Vec<Vec<[f32; 2]>>, Error> {
        let number = |semantic: &Semantic| match semantic {
            Semantic::TexCoords(set) => Some(*set),
            _ => None,
        };
        let read = |set| {
            let found = self.attribute::<2>(
                Semantic::TexCoords(set),
                AccessorUse::TextureCoordinate,
                Some(vertices),
            )?;
            Ok(found.unwrap_or_default())
        };
        self.sets(number, Semantic::TexCoords, read, report)
    }

    fn colors(&self, vertices: usize, report: &mut Report) -> Result<Vec<Vec<[f32; 4]>>, Error> {
        let number = |semantic: &Semantic| match semantic {
            Semantic::Colors(set) => Some(*set),
            _ => None,
        };
        self.sets(number, Semantic::Colors, |set| self.color(set, vertices), report)
    }

    /// A set of colors. Colors without alpha get an alpha of one.
    fn color(&self, set: u32, vertices: usize) -> Result<Vec<[f32; 4]>, Error> {
        let semantic = Semantic::Colors(set);
        let location = self.location_of(&semantic);
        let components = match self.accessor(&semantic) {
            Some(accessor) => self.document.components(accessor, &location)?,
            None => return Ok(Vec::new()),
        };
        if components == 3 {
            let found =
                self.attribute::<3>(semantic, AccessorUse::Color, Some(vertices))?.unwrap_or_default();
            return Ok(found.into_iter().map(|[red, green, blue]| [red, green, blue, 1.0]).collect());
        }
        Ok(self.attribute::<4>(semantic, AccessorUse::Color, Some(vertices))?.unwrap_or_default())
    }

    /// All sets of an attribute by number. Missing sets are empty.
    fn sets<const N: usize>(
        &self,
        number: impl Fn(&Semantic) -> Option<u32>,
        semantic: impl Fn(u32) -> Semantic,
        read: impl Fn(u32) -> Result<Vec<[f32; N]>, Error>,
        report: &mut Report,
    ) -> Result<Vec<Vec<[f32; N]>>, Error> {
        let mut sets = Vec::new();
        let keys = self.primitive.attributes.keys();
        for set in keys.filter_map(number) {
            let location = self.location_of(&semantic(set));
            if set >= MAX_SETS {
                report.warn(location, format!("a set number of {MAX_SETS} or more"), "it was ignored")?;
                continue;
            }
            let mut found = read(set)?;
            let unusable = replace_unusable(&mut found, 0.0);
            unusable.warn(
                report,
                &location,
                "the elements with numbers that are not finite",
                "these became zero",
            )?;
            sets.resize(sets.len().max(set as usize + 1), Vec::new());
            sets[set as usize] = found;
        }
        Ok(sets)
    }
}
