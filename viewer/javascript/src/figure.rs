//! A figure: an animated model, with arrays that a program can draw from.

use sinew::mesh::Attributes;
use sinew::model::{Primitive, UpAxis};

use sinew::skinning::{Target, VertexAttribute, VertexFormat, VertexLayout, VertexOrder, VertexWriter};
use sinew::{Aabb, Clip, FloatMode, Instance, InstanceOptions, Model, Runtime};

/// Floats per vertex: position, normal, texture coordinates.
pub(crate) const FLOATS_PER_VERTEX: usize = 8;
/// Maximum vertices of a figure. A small file may use one large primitive many times.
const MAX_VERTICES: usize = 1 << 22;
/// Color of surfaces that define none.
const DEFAULT_COLOR: [f32; 4] = [0.56, 0.36, 0.26, 1.0];

pub(crate) struct Figure {
    instance: Instance,
    vertices: Vec<f32>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
    bounds: [f32; 6],
}

impl Figure {
    /// Opens a file's bytes or the name of a built-in scene, and plays the first clip.
    pub(crate) fn open(bytes: &[u8], float_mode: FloatMode) -> Result<Self, String> {
        let model = if bytes.starts_with(b"@") {
            load_scene(bytes, float_mode)
        } else {
            load_file(bytes, float_mode)
        }?;
        let vertices: usize =
            (0..model.mesh_instances().len()).map(|part| model.primitive(part).mesh.padded_len()).sum();
        if vertices > MAX_VERTICES {
            return Err(format!("expected at most {MAX_VERTICES} vertices, found {vertices}"));
        }
        let options = InstanceOptions::default().with_attributes(Attributes::Positions);
        let mut figure = Self {
            instance: model.instance_with(&options),
            vertices: Vec::with_capacity(FLOATS_PER_VERTEX * vertices),
            colors: Vec::with_capacity(vertices),
            indices: Vec::new(),
            bounds: bounds_array(&model.rest_bounds()),
        };
        for part in 0..model.mesh_instances().len() {
            figure.add_surface(&model, model.primitive(part))?;
        }
        if !model.clips().is_empty() {
            figure.play(0, 0.0)?;
        }
        figure.step(0.0)?;
        Ok(figure)
    }

    /// Appends the static data of a part: texture coordinates, colors, triangles.
    fn add_surface(&mut self, model: &Model, surface: &Primitive) -> Result<(), String> {
        let mesh = &surface.mesh;
        let start = self.colors.len() as u32;
        let coordinates = surface.texture_coordinates.first().filter(|set| !set.is_empty());
        let own = surface.colors.first().filter(|set| !set.is_empty());
        let uses_default = own.is_none() && surface.material.is_none_or(|material| is_white(model, material));
        let factor = match surface.material {
            Some(material) if !uses_default => model.materials()[material].base_color,
            _ if uses_default => DEFAULT_COLOR,
            _ => [1.0; 4],
        };
        for vertex in mesh.inverse_remap() {
            let vertex = *vertex as usize;
            let [u, v] = coordinates.map_or([0.0; 2], |set| set[vertex]);
            let own = own.map_or([1.0; 4], |set| set[vertex]);
            self.vertices.extend([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, u, v]);
            self.colors.push(std::array::from_fn(|i| factor[i] * own[i]));
        }
        let indices = mesh.triangles().as_flattened();
        self.indices.try_reserve(indices.len()).map_err(|_| "not enough memory for triangles".to_owned())?;
        self.indices.extend(indices.iter().map(|index| start + index));
        Ok(())
    }

    pub(crate) fn play(&mut self, clip: u32, fade_seconds: f32) -> Result<(), String> {
        self.clip(clip)?;
        for playing in self.instance.playbacks_mut() {
            playing.fade_out(fade_seconds);
        }
        self.instance.start(clip as usize).fade_in(fade_seconds);
        Ok(())
    }

    pub(crate) fn step(&mut self, seconds: f32) -> Result<(), String> {
        self.instance.step(seconds);
        let mut rest = &mut self.vertices[..];
        for part in 0..self.instance.model().mesh_instances().len() {
            let mesh = &self.instance.model().primitive(part).mesh;
            let vertices = mesh.padded_len();
            let (floats, others) = rest.split_at_mut(FLOATS_PER_VERTEX * vertices);
            rest = others;
            let mut layout = VertexLayout::interleaved(4 * FLOATS_PER_VERTEX).with(
                VertexAttribute::Position,
                VertexFormat::Float32x3,
                0,
            );
            if Attributes::stored_in(mesh) >= Attributes::Normals {
                layout = layout.with(VertexAttribute::Normal, VertexFormat::Float32x3, 12);
            }
            let writer = VertexWriter::new(&layout, [floats], vertices).map_err(|error| error.to_string())?;
            let target = Target::vertices(writer).in_order(VertexOrder::Run);
            self.instance.skin_into(part, target).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    pub(crate) fn clip(&self, clip: u32) -> Result<&Clip, String> {
        let clips = self.model().clips();
        clips
            .get(clip as usize)
            .ok_or_else(|| format!("clip: expected an index below {}, found {clip}", clips.len()))
    }

    pub(crate) fn model(&self) -> &Model {
        self.instance.model()
    }

    pub(crate) fn vertices(&self) -> &[f32] {
        &self.vertices
    }

    pub(crate) fn colors(&self) -> &[[f32; 4]] {
        &self.colors
    }

    pub(crate) fn indices(&self) -> &[u32] {
        &self.indices
    }

    pub(crate) fn bounds(&self) -> &[f32; 6] {
        &self.bounds
    }

    /// The axis that points up.
    pub(crate) fn up(&self) -> usize {
        match self.model().up_axis() {
            UpAxis::Y => 1,
            UpAxis::Z => 2,
        }
    }
}

fn load_scene(name: &[u8], float_mode: FloatMode) -> Result<Model, String> {
    let mut scene =
        sinew_figures::scene(&String::from_utf8_lossy(name)).map_err(|error| error.to_string())?;
    let runtime = Runtime::new(float_mode).map_err(|error| error.to_string())?;
    scene.skeleton = scene.skeleton.with_runtime(runtime);
    scene.model().map_err(|error| error.to_string())
}

fn load_file(bytes: &[u8], float_mode: FloatMode) -> Result<Model, String> {
    let options = sinew_io::ImportOptions::default().float_mode(float_mode);
    Ok(sinew_io::load_bytes(bytes, &options).map_err(|error| error.to_string())?.model)
}

/// Whether a material has no color of its own. Textures are not decoded here.
fn is_white(model: &Model, material: usize) -> bool {
    model.materials()[material].base_color[..3] == [1.0; 3]
}

fn bounds_array(bounds: &Aabb) -> [f32; 6] {
    let ([a, b, c], [d, e, f]) = (bounds.min, bounds.max);
    [a, b, c, d, e, f]
}
