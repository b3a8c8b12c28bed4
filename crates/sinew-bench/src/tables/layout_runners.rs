//! Closures that skin a rig: into blocks, or into vertex buffers of any layout and order.

use std::hint::black_box;

use sinew::mesh::{Attributes, Morphed};
use sinew::skinning::{
    Skinned, SkinningError, Target, VertexAttribute, VertexFormat, VertexLayout, VertexOrder, VertexOutput,
    VertexWriter,
};
use sinew::{Aabb, SkinOptions};

use super::mesh_arrays::Rig;
use crate::Error;

/// Skins all vertices once.
pub(super) type Runner<'a> = Box<dyn FnMut() -> Result<(), SkinningError> + 'a>;

pub(super) fn blocks<'a>(
    rig: &'a Rig,
    attributes: Attributes,
    options: SkinOptions<'a>,
) -> Result<Runner<'a>, Error> {
    let mut to = Skinned::new(&rig.mesh, attributes)?;
    Ok(Box::new(move || rig.mesh.skin(black_box(&rig.palette), &options, &mut to)))
}

/// Blocks, with exact bounds.
pub(super) fn bounded_blocks(rig: &Rig) -> Result<Runner<'_>, Error> {
    let mut to = Skinned::new(&rig.mesh, Attributes::Tangents)?.blocks().to_vec();
    Ok(Box::new(move || {
        let target = Target::new(Attributes::Tangents, VertexOutput::Blocks(&mut to));
        skin_bounded(rig, target)
    }))
}

/// Blocks with non-temporal stores.
pub(super) fn blocks_past_caches(rig: &Rig) -> Result<Runner<'_>, Error> {
    let mut to = Skinned::new(&rig.mesh, Attributes::Tangents)?.blocks().to_vec();
    Ok(Box::new(move || {
        let target = Target::new(Attributes::Tangents, VertexOutput::NonTemporalBlocks(&mut to));
        rig.mesh.skin_into(black_box(&rig.palette), &SkinOptions::default(), target)
    }))
}

/// Vertex buffers.
pub(super) fn buffers<'a>(
    rig: &'a Rig,
    layout: VertexLayout,
    order: VertexOrder,
    options: SkinOptions<'a>,
) -> Runner<'a> {
    let (len, mut to) = (rig.mesh.len_in(order), allocate(rig, &layout, order));
    Box::new(move || {
        let target = Target::vertices(VertexWriter::new(&layout, &mut to, len)?).in_order(order);
        rig.mesh.skin_into(black_box(&rig.palette), &options, target)
    })
}

/// Vertex buffers, from vertices that were morphed by nothing.
pub(super) fn morphed_buffers(rig: &Rig, layout: VertexLayout, order: VertexOrder) -> Runner<'_> {
    let (len, mut to) = (rig.mesh.len_in(order), allocate(rig, &layout, order));
    let morphed = Morphed::in_order(&rig.mesh, order);
    Box::new(move || {
        let options = SkinOptions::default().with_morphed(&morphed);
        let target = Target::vertices(VertexWriter::new(&layout, &mut to, len)?).in_order(order);
        rig.mesh.skin_into(black_box(&rig.palette), &options, target)
    })
}

/// Vertex buffers, with exact bounds.
pub(super) fn bounded_buffers(rig: &Rig, layout: VertexLayout, order: VertexOrder) -> Runner<'_> {
    let (len, mut to) = (rig.mesh.len_in(order), allocate(rig, &layout, order));
    Box::new(move || {
        let target = Target::vertices(VertexWriter::new(&layout, &mut to, len)?).in_order(order);
        skin_bounded(rig, target)
    })
}

fn allocate(rig: &Rig, layout: &VertexLayout, order: VertexOrder) -> Vec<Vec<u32>> {
    let words = |buffer| layout.buffer_len(buffer, rig.mesh.len_in(order)).div_ceil(4);
    (0..layout.buffers()).map(|buffer| vec![0; words(buffer)]).collect()
}

fn skin_bounded(rig: &Rig, target: Target<'_>) -> Result<(), SkinningError> {
    let mut bounds = Aabb::EMPTY;
    let target = target.with_bounds(&mut bounds);
    let done = rig.mesh.skin_into(black_box(&rig.palette), &SkinOptions::default(), target);
    black_box(bounds);
    done
}

/// Interleaved vertices: position, normal, tangent with sign, at these offsets.
pub(super) fn interleaved(stride: usize, formats: &[VertexFormat], offsets: &[usize]) -> VertexLayout {
    let attributes = VertexAttribute::ALL.into_iter().zip(formats.iter().zip(offsets));
    attributes.fold(VertexLayout::interleaved(stride), |layout, (attribute, (&format, &offset))| {
        layout.with(attribute, format, offset)
    })
}
