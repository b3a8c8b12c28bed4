//! A figure: a model that moves, with arrays that a program can draw from.

use sinew::{
    Aabb, Attributes, Clip, FloatMode, Instance, InstanceOptions, Model, Surface, Target, Up, VertexLayout,
    backend,
};

/// Floats of a vertex: position, normal, texture coordinates.
pub(crate) const FLOATS: usize = 8;
/// The most vertices of a figure. A small file may ask for one large surface many times over.
const MOST_VERTICES: usize = 1 << 22;
/// The colour of a surface that says nothing of its own.
const CLAY: [f32; 4] = [0.56, 0.36, 0.26, 1.0];

pub(crate) struct Figure {
    instance: Instance,
    vertices: Vec<f32>,
    colours: Vec<[f32; 4]>,
    indices: Vec<u32>,
    bounds: [f32; 6],
}

impl Figure {
    /// From a file's bytes, or the name of a scene. It plays its first clip.
    pub(crate) fn open(bytes: &[u8], float_mode: FloatMode) -> Result<Self, String> {
        let model =
            if bytes.starts_with(b"@") { by_name(bytes, float_mode) } else { from_file(bytes, float_mode) }?;
        let vertices: usize =
            (0..model.parts().len()).map(|part| model.surface(part).mesh.padded_len()).sum();
        if vertices > MOST_VERTICES {
            return Err(format!("expected at most {MOST_VERTICES} vertices, found {vertices}"));
        }
        let options = InstanceOptions { attributes: Attributes::Positions, ..InstanceOptions::default() };
        let mut figure = Self {
            instance: model.instance_with(&options),
            vertices: Vec::with_capacity(FLOATS * vertices),
            colours: Vec::with_capacity(vertices),
            indices: Vec::new(),
            bounds: six(&model.rest_bounds()),
        };
        for part in 0..model.parts().len() {
            figure.push(&model, model.surface(part))?;
        }
        if !model.clips().is_empty() {
            figure.play(0, 0.0)?;
        }
        figure.step(0.0)?;
        Ok(figure)
    }

    /// What no frame changes of a part: texture coordinates, colours, triangles.
    fn push(&mut self, model: &Model, surface: &Surface) -> Result<(), String> {
        let mesh = &surface.mesh;
        let start = self.colours.len() as u32;
        let coordinates = surface.texture_coordinates.first().filter(|set| !set.is_empty());
        let own = surface.colours.first().filter(|set| !set.is_empty());
        let plain = own.is_none() && surface.material.is_none_or(|material| is_white(model, material));
        let factor = match surface.material {
            Some(material) if !plain => model.materials()[material].base_colour,
            _ if plain => CLAY,
            _ => [1.0; 4],
        };
        for vertex in mesh.vertex_of_place() {
            let vertex = *vertex as usize;
            let [u, v] = coordinates.map_or([0.0; 2], |set| set[vertex]);
            let own = own.map_or([1.0; 4], |set| set[vertex]);
            self.vertices.extend([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, u, v]);
            self.colours.push(std::array::from_fn(|i| factor[i] * own[i]));
        }
        let indices = mesh.triangles().as_flattened();
        self.indices.try_reserve(indices.len()).map_err(|_| "memory is short for triangles".to_owned())?;
        self.indices.extend(indices.iter().map(|index| start + index));
        Ok(())
    }

    pub(crate) fn play(&mut self, clip: u32, fade_seconds: f32) -> Result<(), String> {
        self.clip(clip)?;
        for playing in self.instance.playing() {
            playing.fade_out(fade_seconds);
        }
        self.instance.start(clip as usize).fade_in(fade_seconds);
        Ok(())
    }

    pub(crate) fn step(&mut self, seconds: f32) -> Result<(), String> {
        self.instance.step(seconds);
        let mut rest = &mut self.vertices[..];
        for part in 0..self.instance.model().parts().len() {
            let mesh = &self.instance.model().surface(part).mesh;
            let attributes = Attributes::of(mesh).min(Attributes::Normals);
            let (floats, others) = rest.split_at_mut(FLOATS * mesh.padded_len());
            rest = others;
            let form = VertexLayout::Interleaved { floats, stride: FLOATS, offsets: [0, 3, 0, 0] };
            let skinned = self.instance.skin_into(part, Target::new(attributes, form));
            skinned.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    pub(crate) fn clip(&self, clip: u32) -> Result<&Clip, String> {
        let clips = self.model().clips();
        clips.get(clip as usize).ok_or_else(|| format!("clip {clip} of {}", clips.len()))
    }

    pub(crate) fn model(&self) -> &Model {
        self.instance.model()
    }

    pub(crate) fn vertices(&self) -> &[f32] {
        &self.vertices
    }

    pub(crate) fn colours(&self) -> &[[f32; 4]] {
        &self.colours
    }

    pub(crate) fn indices(&self) -> &[u32] {
        &self.indices
    }

    pub(crate) fn bounds(&self) -> &[f32; 6] {
        &self.bounds
    }

    /// Which axis points up.
    pub(crate) fn up(&self) -> usize {
        match self.model().up() {
            Up::Y => 1,
            Up::Z => 2,
        }
    }
}

fn by_name(name: &[u8], float_mode: FloatMode) -> Result<Model, String> {
    let mut scene =
        sinew_figures::scene(&String::from_utf8_lossy(name)).map_err(|error| error.to_string())?;
    let row = backend::default().map_err(|error| error.to_string())?;
    scene.skeleton = scene.skeleton.with_kernels(row.kernels(float_mode));
    scene.model().map_err(|error| error.to_string())
}

fn from_file(bytes: &[u8], float_mode: FloatMode) -> Result<Model, String> {
    let options = sinew_io::Options { float_mode, ..sinew_io::Options::default() };
    Ok(sinew_io::read_bytes(bytes, &options).map_err(|error| error.to_string())?.model)
}

/// A material that says nothing: pictures are not decoded here.
fn is_white(model: &Model, material: usize) -> bool {
    model.materials()[material].base_colour[..3] == [1.0; 3]
}

fn six(bounds: &Aabb) -> [f32; 6] {
    let ([a, b, c], [d, e, f]) = (bounds.min, bounds.max);
    [a, b, c, d, e, f]
}
