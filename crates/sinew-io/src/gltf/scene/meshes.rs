//! A primitive as a surface.

use sinew::{Mesh, MeshSource, Skin, Surface};

use super::directions::{mend_normals, mend_tangents};
use super::influences::Sets;
use super::morphs::Targets;
use super::tally::replace_unusable;
use super::triangles::triangles;
use crate::gltf::document::{Document, Use};
use crate::gltf::schema::mesh::{Primitive, Semantic};
use crate::{Error, Report, Tangents};

/// What a mesh takes for a vertex beside what is decoded, at the least.
const BYTES_OF_VERTEX: u64 = 32;

/// What a surface takes beside its vertices, and what making it takes for each joint of the skin. The latter is given
/// back, but many primitives times many joints take time.
const BYTES_OF_SURFACE: u64 = 1024;
const BYTES_OF_JOINT: u64 = 8;

/// What making tangents takes for each triangle, and gives back.
const BYTES_OF_TANGENTS: u64 = 540;

/// Sets of one attribute past this many are left out: their numbers may be anything.
const SETS: u32 = 64;

/// What moves a primitive.
#[derive(Clone, Copy)]
pub(super) enum Hung<'a> {
    /// Its own joints and weights, on this skin.
    OnSkin(&'a Skin),
    /// The only joint of this skin.
    OnNode(&'a Skin),
}

/// Which primitive of which mesh.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Which {
    pub(super) mesh: usize,
    pub(super) primitive: usize,
}

/// The surface of a primitive that has positions. Normals that are not there are not made.
pub(super) fn surface(
    document: &Document<'_>,
    which: Which,
    hung: Hung<'_>,
    target_names: &[String],
    report: &mut Report,
) -> Result<Surface, Error> {
    let Which { mesh: mesh_index, primitive: primitive_index } = which;
    let mesh = &document.root.meshes[mesh_index];
    let primitive = &mesh.primitives[primitive_index];
    let place = format!("meshes[{mesh_index}].primitives[{primitive_index}]");
    let reader = Reader { document, primitive, place: &place };
    let (Hung::OnSkin(skin) | Hung::OnNode(skin)) = hung;
    document.spend(BYTES_OF_SURFACE + skin.len() as u64 * BYTES_OF_JOINT, &place)?;
    let positions = reader.attribute::<3>(Semantic::Positions, Use::Position, None)?;
    let mut positions = positions.unwrap_or_default();
    let vertices = positions.len();
    document.spend(vertices as u64 * BYTES_OF_VERTEX, &place)?;
    let broken = replace_unusable(&mut positions, 0.0);
    let at = format!("{place}.attributes.POSITION");
    broken.note(report, &at, "the positions with numbers that are not finite", "these became zero")?;
    let (normals, mut tangents) = reader.directions(vertices, report)?;
    let triangles = triangles(document, primitive, vertices, &place, report)?;
    let texture_coordinates = reader.texture_coordinates(vertices, report)?;
    if let (None, Some(normals), Tangents::Made) = (&tangents, &normals, document.tangents) {
        let set = texture_coordinates.get(reader.normal_set()).filter(|set| !set.is_empty());
        tangents = set.map(|set| reader.made_tangents(&positions, normals, set, &triangles)).transpose()?;
    }
    let sets = match hung {
        Hung::OnSkin(skin) => Sets::new(document, primitive, (vertices, skin.len()), &place, report)?,
        Hung::OnNode(_) => Sets::on_one_joint(vertices),
    };
    let there = [true, normals.is_some(), tangents.is_some()];
    let targets = Targets::new(document, primitive, (vertices, there), &place, report)?;
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
    document.spend(names as u64, &place)?;
    Ok(Surface {
        name,
        mesh: Mesh::new(&source, skin).map_err(|error| Error::model(&place, error))?,
        texture_coordinates,
        colours: reader.colours(vertices, report)?,
        material: primitive.material.map(|material| material.value()),
    })
}

/// Reads the attributes of a primitive.
struct Reader<'a, 'd> {
    document: &'a Document<'d>,
    primitive: &'a Primitive,
    place: &'a str,
}

impl Reader<'_, '_> {
    fn accessor(&self, semantic: &Semantic) -> Option<usize> {
        self.primitive.attributes.get(semantic).map(|index| index.value())
    }

    /// An attribute, one element for each of so many vertices.
    fn attribute<const N: usize>(
        &self,
        semantic: Semantic,
        of: Use,
        vertices: Option<usize>,
    ) -> Result<Option<Vec<[f32; N]>>, Error> {
        let Some(accessor) = self.accessor(&semantic) else { return Ok(None) };
        let place = self.place_of(&semantic);
        if let Some(vertices) = vertices {
            let found = self.document.len(accessor, &place)?;
            if found != vertices {
                let expected = format!("{vertices} elements, one for each position");
                return Err(Error::fault(place, expected, found.to_string()));
            }
        }
        self.document.floats(accessor, of, &place).map(Some)
    }

    fn place_of(&self, semantic: &Semantic) -> String {
        format!("{}.attributes.{}", self.place, semantic)
    }

    /// Normals and tangents; tangents without normals mean nothing, and are left out.
    #[expect(clippy::type_complexity, reason = "two arrays that may be missing")]
    fn directions(
        &self,
        vertices: usize,
        report: &mut Report,
    ) -> Result<(Option<Vec<[f32; 3]>>, Option<Vec<[f32; 4]>>), Error> {
        let mut normals = self.attribute::<3>(Semantic::Normals, Use::Normal, Some(vertices))?;
        let Some(found) = &mut normals else { return Ok((None, None)) };
        mend_normals(found, &self.place_of(&Semantic::Normals), report)?;
        let mut tangents = self.attribute::<4>(Semantic::Tangents, Use::Tangent, Some(vertices))?;
        if let Some(found) = &mut tangents {
            mend_tangents(found, &self.place_of(&Semantic::Tangents), report)?;
        }
        Ok((normals, tangents))
    }

    /// The set of texture coordinates of the normal map; the first where there is none.
    fn normal_set(&self) -> usize {
        let material =
            self.primitive.material.map(|material| &self.document.root.materials[material.value()]);
        material.and_then(|material| material.normal_texture.as_ref()).map_or(0, |map| map.tex_coord as usize)
    }

    fn made_tangents(
        &self,
        positions: &[[f32; 3]],
        normals: &[[f32; 3]],
        set: &[[f32; 2]],
        triangles: &[[u32; 3]],
    ) -> Result<Vec<[f32; 4]>, Error> {
        self.document.spend(triangles.len() as u64 * BYTES_OF_TANGENTS, self.place)?;
        sinew::tangents(positions, normals, set, triangles).map_err(|error| Error::model(self.place, error))
    }

    fn texture_coordinates(&self, vertices: usize, report: &mut Report) -> Result<Vec<Vec<[f32; 2]>>, Error> {
        let number = |semantic: &Semantic| match semantic {
            Semantic::TexCoords(set) => Some(*set),
            _ => None,
        };
        let read = |set| {
            let found =
                self.attribute::<2>(Semantic::TexCoords(set), Use::TextureCoordinate, Some(vertices))?;
            Ok(found.unwrap_or_default())
        };
        self.sets(number, Semantic::TexCoords, read, report)
    }

    fn colours(&self, vertices: usize, report: &mut Report) -> Result<Vec<Vec<[f32; 4]>>, Error> {
        let number = |semantic: &Semantic| match semantic {
            Semantic::Colors(set) => Some(*set),
            _ => None,
        };
        self.sets(number, Semantic::Colors, |set| self.colour(set, vertices), report)
    }

    /// Colours without alpha get one.
    fn colour(&self, set: u32, vertices: usize) -> Result<Vec<[f32; 4]>, Error> {
        let semantic = Semantic::Colors(set);
        let place = self.place_of(&semantic);
        let components = match self.accessor(&semantic) {
            Some(accessor) => self.document.components(accessor, &place)?,
            None => return Ok(Vec::new()),
        };
        if components == 3 {
            let found = self.attribute::<3>(semantic, Use::Colour, Some(vertices))?.unwrap_or_default();
            return Ok(found.into_iter().map(|[red, green, blue]| [red, green, blue, 1.0]).collect());
        }
        Ok(self.attribute::<4>(semantic, Use::Colour, Some(vertices))?.unwrap_or_default())
    }

    /// All sets of an attribute, each at its number; those that the file leaves out are empty.
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
            let place = self.place_of(&semantic(set));
            if set >= SETS {
                report.note(place, format!("a set past number {SETS}"), "it was left out")?;
                continue;
            }
            let mut found = read(set)?;
            let broken = replace_unusable(&mut found, 0.0);
            broken.note(
                report,
                &place,
                "the elements with numbers that are not finite",
                "these became zero",
            )?;
            sets.resize(sets.len().max(set as usize + 1), Vec::new());
            sets[set as usize] = found;
        }
        Ok(sets)
    }
}
