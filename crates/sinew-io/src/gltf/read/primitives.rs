//! Reads the attributes of a primitive.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::BoxedError as Error;
use crate::gltf::document::{AccessorUse, Document};
use crate::gltf::schema::Index;
use crate::gltf::schema::mesh::{Mode, Primitive, Semantic};
use crate::{InfluenceSet, RawInfluences, RawMorphTarget, RawPrimitive, Report, Topology};

/// The limit of set numbers. Files may have any number.
const MAX_SETS: u32 = 64;

/// Decodes a primitive that has positions; its joints and weights only if a node has a skin for
/// them.
pub(super) fn primitive<'b>(
    document: &Document<'_, 'b>,
    source: &Primitive,
    skinned: bool,
    location: &str,
    report: &mut Report,
) -> Result<RawPrimitive<'b>, Error> {
    let mut reader = AttributeReader { document, source, location, vertices: None };
    let positions = reader.attribute::<3>(Semantic::Positions, AccessorUse::Position)?.unwrap_or_default();
    reader.vertices = Some(positions.len());
    let normals = reader.attribute::<3>(Semantic::Normals, AccessorUse::Normal)?;
    let tangents = match normals {
        Some(_) => reader.attribute::<4>(Semantic::Tangents, AccessorUse::Tangent)?,
        None => None,
    };
    let corners = match source.indices {
        Some(accessor) => Some(document.indices(accessor.value(), &format_args!("{location}.indices"))?),
        None => None,
    };
    Ok(RawPrimitive {
        name: String::new(),
        location: location.to_owned(),
        normals,
        tangents,
        corners,
        topology: match source.mode.known() {
            Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => Topology::None,
            Mode::Triangles => Topology::Triangles,
            Mode::TriangleStrip => Topology::TriangleStrip,
            Mode::TriangleFan => Topology::TriangleFan,
        },
        texture_coordinates: reader.texture_coordinates(report)?,
        influences: match reader.accessor(&Semantic::Joints(0)) {
            Some(_) if skinned => reader.influences()?,
            Some(_) => RawInfluences::Sets(Vec::new()),
            None => RawInfluences::None,
        },
        targets: reader.targets()?,
        colors: reader.colors(report)?,
        material: source.material.map(|material| material.value()),
        tangent_set: reader.normal_set(),
        positions,
    })
}

struct AttributeReader<'a, 'd, 'b> {
    document: &'a Document<'d, 'b>,
    source: &'a Primitive,
    location: &'a str,
    /// The number of positions, once they are read.
    vertices: Option<usize>,
}

impl<'b> AttributeReader<'_, '_, 'b> {
    fn accessor(&self, semantic: &Semantic) -> Option<usize> {
        self.source.attributes.get(semantic).map(|index| index.value())
    }

    /// The elements of an attribute, which must be as many as there are vertices.
    fn attribute<const N: usize>(
        &self,
        semantic: Semantic,
        usage: AccessorUse,
    ) -> Result<Option<Cow<'b, [[f32; N]]>>, Error> {
        let Some(accessor) = self.accessor(&semantic) else { return Ok(None) };
        let location = self.location_of(&semantic);
        self.check_len(accessor, "position", &location)?;
        self.document.floats(accessor, usage, &location).map(Some)
    }

    fn check_len(&self, accessor: usize, element: &str, location: &str) -> Result<(), Error> {
        let found = self.document.len(accessor, &location)?;
        match self.vertices {
            Some(vertices) if found != vertices => {
                let expected = format!("{vertices} elements, one for each {element}");
                Err(Error::invalid(location, expected, found.to_string()))
            }
            _ => Ok(()),
        }
    }

    fn location_of(&self, semantic: &Semantic) -> String {
        format!("{}.attributes.{}", self.location, semantic)
    }

    /// The texture coordinate set of the normal map; 0 if there is no normal map.
    fn normal_set(&self) -> usize {
        let material = self.source.material.map(|material| &self.document.root.materials[material.value()]);
        material.and_then(|material| material.normal_texture.as_ref()).map_or(0, |map| map.tex_coord)
    }

    fn texture_coordinates(&self, report: &mut Report) -> Result<Vec<Cow<'b, [[f32; 2]]>>, Error> {
        let number = |semantic: &Semantic| match semantic {
            Semantic::TexCoords(set) => Some(*set),
            _ => None,
        };
        let read = |set| {
            let found = self.attribute::<2>(Semantic::TexCoords(set), AccessorUse::TextureCoordinate)?;
            Ok(found.unwrap_or_default())
        };
        self.sets(number, Semantic::TexCoords, read, report)
    }

    fn colors(&self, report: &mut Report) -> Result<Vec<Cow<'b, [[f32; 4]]>>, Error> {
        let number = |semantic: &Semantic| match semantic {
            Semantic::Colors(set) => Some(*set),
            _ => None,
        };
        self.sets(number, Semantic::Colors, |set| self.color(set), report)
    }

    /// A set of colors. Colors without alpha get an alpha of one.
    fn color(&self, set: u32) -> Result<Cow<'b, [[f32; 4]]>, Error> {
        let semantic = Semantic::Colors(set);
        let location = self.location_of(&semantic);
        let components = match self.accessor(&semantic) {
            Some(accessor) => self.document.components(accessor, &location)?,
            None => return Ok(Cow::default()),
        };
        if components == 3 {
            let found = self.attribute::<3>(semantic, AccessorUse::Color)?.unwrap_or_default();
            return Ok(found.iter().map(|&[red, green, blue]| [red, green, blue, 1.0]).collect());
        }
        Ok(self.attribute::<4>(semantic, AccessorUse::Color)?.unwrap_or_default())
    }

    /// All sets of an attribute by number. Missing sets are empty.
    fn sets<T: Clone>(
        &self,
        number: impl Fn(&Semantic) -> Option<u32>,
        semantic: impl Fn(u32) -> Semantic,
        read: impl Fn(u32) -> Result<Cow<'b, [T]>, Error>,
        report: &mut Report,
    ) -> Result<Vec<Cow<'b, [T]>>, Error> {
        let mut sets = Vec::new();
        for set in self.source.attributes.keys().filter_map(number) {
            if set >= MAX_SETS {
                let location = self.location_of(&semantic(set));
                report.warn(location, format!("a set number of {MAX_SETS} or more"), "it was ignored")?;
                continue;
            }
            let found = read(set)?;
            sets.resize_with(sets.len().max(set as usize + 1), Cow::default);
            sets[set as usize] = found;
        }
        Ok(sets)
    }

    fn influences(&self) -> Result<RawInfluences<'b>, Error> {
        let count = self.influence_set_count()?;
        let mut sets = Vec::with_capacity(count);
        for set in 0..count as u32 {
            let (joints, weights) = (Semantic::Joints(set), Semantic::Weights(set));
            let joints_at = self.location_of(&joints);
            let Some(accessor) = self.accessor(&joints) else {
                return Err(Error::invalid(joints_at, "an accessor", "none"));
            };
            self.check_len(accessor, "vertex", &joints_at)?;
            let joints = self.document.joints(accessor, &joints_at)?;
            let weights_at = self.location_of(&weights);
            let weights = self.attribute::<4>(weights, AccessorUse::Weights)?;
            let weights = weights.ok_or_else(|| Error::invalid(weights_at, "an accessor", "none"))?;
            sets.push(InfluenceSet { joints, weights });
        }
        Ok(if sets.is_empty() { RawInfluences::None } else { RawInfluences::Sets(sets) })
    }

    /// The number of sets of joints and weights. Sets count from zero.
    fn influence_set_count(&self) -> Result<usize, Error> {
        let location = format!("{}.attributes", self.location);
        let mut sets = [0, 0];
        for semantic in self.source.attributes.keys() {
            // Keys are sorted, so the sets of each attribute come in ascending order.
            let (kind, set) = match semantic {
                Semantic::Joints(set) => (0, *set),
                Semantic::Weights(set) => (1, *set),
                _ => continue,
            };
            if set != sets[kind] {
                let name = ["JOINTS", "WEIGHTS"][kind];
                return Err(Error::invalid(
                    location,
                    format!("{name}_{}", sets[kind]),
                    format!("{name}_{set}"),
                ));
            }
            sets[kind] += 1;
        }
        match sets {
            [joints, weights] if joints == weights => Ok(joints as usize),
            [joints, weights] => Err(Error::invalid(
                location,
                "as many sets of joints as of weights",
                format!("{joints} of joints and {weights} of weights"),
            )),
        }
    }

    /// The morph targets. Accessors that they share are decoded once.
    fn targets(&self) -> Result<Vec<RawMorphTarget<'b>>, Error> {
        let mut arrays = BTreeMap::new();
        let mut targets = Vec::new();
        for (index, target) in self.source.targets.iter().enumerate() {
            let location = format!("{}.targets[{index}]", self.location);
            let mut decode = |accessor: Option<Index>| match accessor {
                Some(accessor) => self.deltas(accessor.value(), &mut arrays, &location).map(Some),
                None => Ok(None),
            };
            targets.push(RawMorphTarget {
                positions: decode(target.positions)?,
                normals: decode(target.normals)?,
                tangents: decode(target.tangents)?,
            });
        }
        Ok(targets)
    }

    fn deltas(
        &self,
        accessor: usize,
        arrays: &mut BTreeMap<usize, Arc<Cow<'b, [[f32; 3]]>>>,
        location: &str,
    ) -> Result<Arc<Cow<'b, [[f32; 3]]>>, Error> {
        if let Some(found) = arrays.get(&accessor) {
            // The mesh copies the deltas for each target.
            self.document.spend(size_of_val(&found[..]) as u64, location)?;
            return Ok(Arc::clone(found));
        }
        self.check_len(accessor, "vertex", location)?;
        let deltas = Arc::new(self.document.floats::<3>(accessor, AccessorUse::MorphDelta, &location)?);
        arrays.insert(accessor, Arc::clone(&deltas));
        Ok(deltas)
    }
}
