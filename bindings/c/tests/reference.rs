//! What `checksum.c` does, with the Rust library: both print the same checksum.
//!
//!     c_reference write PATH        writes a generated model as GLB
//!     c_reference checksum PATH     plays, skins and casts, and prints a checksum

#![expect(clippy::print_stdout, reason = "it prints the checksum")]

use std::error::Error;

use sinew::mesh::Attributes;
use sinew::model::InstanceOptions;
use sinew::skinning::{Target, VertexAttribute, VertexFormat, VertexLayout, VertexOrder, VertexWriter};
use sinew::{Aabb, FloatMode, Ray};
use sinew_io::{ImportOptions, OverwritePolicy, UpAxisConversion, write_atomic, write_model_glb};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    match &arguments[..] {
        [_, action, path] if action == "write" => {
            let model = sinew_figures::scene("@figure:3000")?.model()?;
            write_atomic(path, OverwritePolicy::Replace, |to| {
                write_model_glb(to, &model, UpAxisConversion::None).map(|_| ())
            })?;
        }
        [_, action, path] if action == "checksum" => println!("{:016x}", checksum(path)?),
        _ => return Err("usage: c_reference write|checksum PATH".into()),
    }
    Ok(())
}

/// FNV-1a over bytes.
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

fn checksum(path: &str) -> Result<u64, Box<dyn Error>> {
    let options = ImportOptions::default().float_mode(FloatMode::Reproducible).levels(vec![2]);
    let model = sinew_io::load_with(path, &options)?.model;
    let mut instance = model.instance();
    let mut level = model.instance_with(&InstanceOptions::default().with_max_influences(2));
    if !model.clips().is_empty() {
        instance.start(0);
    }
    let mut sum = Checksum(0xcbf2_9ce4_8422_2325);
    for _ in 0..10 {
        instance.step(1.0 / 30.0);
        for index in 0..model.mesh_instances().len() {
            let mesh = &model.primitive(index).mesh;
            for order in [VertexOrder::Source, VertexOrder::Run] {
                let mut layout =
                    VertexLayout::interleaved(24).with(VertexAttribute::Position, VertexFormat::Float32x3, 0);
                if Attributes::stored_in(mesh) >= Attributes::Normals {
                    layout = layout.with(VertexAttribute::Normal, VertexFormat::Float32x3, 12);
                }
                let mut buffer = vec![0_u32; 6 * mesh.len_in(order)];
                let mut bounds = Aabb::EMPTY;
                let writer = VertexWriter::new(&layout, [&mut buffer], mesh.len_in(order))?;
                let target = Target::vertices(writer).in_order(order).with_bounds(&mut bounds);
                instance.skin_into(index, target)?;
                buffer.iter().for_each(|word| sum.add(&word.to_le_bytes()));
                bounds.min.iter().chain(&bounds.max).for_each(|number| sum.add(&number.to_le_bytes()));
                // The level's runs are not in the order of their blocks.
                let packed =
                    VertexLayout::interleaved(12).with(VertexAttribute::Position, VertexFormat::Float32x3, 0);
                let mut positions = vec![0_u32; 3 * mesh.len_in(order)];
                let writer = VertexWriter::new(&packed, [&mut positions], mesh.len_in(order))?;
                level.skin_into(index, Target::vertices(writer).in_order(order))?;
                positions.iter().for_each(|word| sum.add(&word.to_le_bytes()));
            }
        }
        let Aabb { min, max } = instance.bounds();
        for i in 0..16 {
            let at = |axis: usize| min[axis] + (max[axis] - min[axis]) * (i as f32 / 16.0);
            let ray = Ray::new([at(0), at(1), max[2] + 1.0], [0.0, 0.0, -1.0]);
            if let Some(hit) = instance.cast(&ray) {
                sum.add(&(hit.triangle as u32).to_le_bytes());
                sum.add(&(hit.joint.index() as u32).to_le_bytes());
                sum.add(&hit.distance.to_le_bytes());
            }
        }
        for palette in instance.palettes() {
            for matrix in palette.matrices() {
                matrix.rows.as_flattened().iter().for_each(|number| sum.add(&number.to_le_bytes()));
            }
        }
    }
    Ok(sum.0)
}
