//! How well the triangles of a model reuse vertices.

use std::io::Write;

use sinew::geometry::Locality;
use sinew::skinning::VertexOrder;
use sinew::{Mesh, Model};

use super::text::print_table;
use crate::CliError;
use crate::json::{Value, json};
use crate::text::count;

/// The bytes of a vertex: position, normal and texture coordinates.
const VERTEX_BYTES: usize = 32;

/// The measures of one primitive.
pub(super) struct PrimitiveLocality {
    primitive: usize,
    triangles: usize,
    /// Vertices in source order and in run order; for each, triangles as in the file and as drawn.
    by_order: [[Locality; 2]; 2],
}

/// Measures the primitives that mesh instances show, each once.
pub(super) fn measure(model: &Model) -> Vec<PrimitiveLocality> {
    let mut shown: Vec<(usize, &Mesh)> = model
        .mesh_instances()
        .iter()
        .enumerate()
        .map(|(index, instance)| (instance.primitive, &model.primitive(index).mesh))
        .collect();
    shown.sort_by_key(|&(primitive, _)| primitive);
    shown.dedup_by_key(|&mut (primitive, _)| primitive);
    let measured = |(primitive, mesh): (usize, &Mesh)| {
        let measure = |order: VertexOrder, triangles: &[[u32; 3]]| {
            Locality::measure(triangles, mesh.len_in(order), VERTEX_BYTES)
                .expect("the triangles of a mesh index its vertices")
        };
        let by_order = [VertexOrder::Source, VertexOrder::Run].map(|order| {
            [measure(order, &mesh.triangles_in(order)), measure(order, &mesh.draw_triangles(order))]
        });
        PrimitiveLocality { primitive, triangles: mesh.triangles().len(), by_order }
    };
    shown.into_iter().map(measured).collect()
}

pub(super) fn to_json(primitives: &[PrimitiveLocality]) -> Value {
    let primitive = |locality: &PrimitiveLocality| {
        let [source, run] = &locality.by_order;
        json!({
            "primitive": locality.primitive,
            "triangles": locality.triangles,
            "acmr": source[0].acmr,
            "acmr_drawn": source[1].acmr,
            "source_overfetch": source[0].overfetch,
            "source_overfetch_drawn": source[1].overfetch,
            "run_overfetch": run[0].overfetch,
            "run_overfetch_drawn": run[1].overfetch,
        })
    };
    Value::Array(primitives.iter().map(primitive).collect())
}

pub(super) fn print(out: &mut impl Write, primitives: &[PrimitiveLocality]) -> Result<(), CliError> {
    let mut rows = vec![
        ["primitive", "triangles", "acmr", "drawn", "source overfetch", "drawn", "run overfetch", "drawn"]
            .map(str::to_owned),
    ];
    for locality in primitives {
        let [source, run] = &locality.by_order;
        let [a, b, c, d, e, f] = [
            source[0].acmr,
            source[1].acmr,
            source[0].overfetch,
            source[1].overfetch,
            run[0].overfetch,
            run[1].overfetch,
        ]
        .map(|ratio| format!("{ratio:.3}"));
        rows.push([locality.primitive.to_string(), locality.triangles.to_string(), a, b, c, d, e, f]);
    }
    writeln!(out, "locality        of {}", count(primitives.len(), "primitive"))?;
    print_table(out, &rows)
}
