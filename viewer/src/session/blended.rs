//! The order in which blended surfaces are drawn: the farthest first, triangle by triangle.

use sinew::model::AlphaMode;

use crate::draw::{BlendedSurface, Frame, Order, Surface, SurfaceInput};
use crate::scene::Subject;

/// Every blended surface of every copy, sorted by the distance of its center; within each, the
/// triangles are sorted too, unless the GPU skins it: then no positions are known here.
pub(super) fn blended_surfaces(
    subject: &Subject,
    surfaces: &[Surface],
    frame: &Frame,
) -> Vec<BlendedSurface> {
    let is_blended = |surface: &Surface| surface.alpha_mode == AlphaMode::Blend;
    let indices = (0..surfaces.len()).filter(|&index| is_blended(&surfaces[index]));
    let pairs = indices.flat_map(|index| (0..frame.copies.len()).map(move |copy| (index, copy)));
    let mut all: Vec<(f32, BlendedSurface)> = pairs
        .map(|(surface, copy)| sort_triangles(subject, &surfaces[surface], frame, (surface, copy)))
        .collect();
    all.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    all.into_iter().map(|(_, surface)| surface).collect()
}

/// A surface of a copy with its triangles sorted, and their mean distance along the view.
fn sort_triangles(
    subject: &Subject,
    drawn: &Surface,
    frame: &Frame,
    (surface, copy): (usize, usize),
) -> (f32, BlendedSurface) {
    let offset = frame.copies[copy].offset;
    let [_, _, back] = frame.camera.axes();
    let eye = frame.camera.eye();
    let distance = |point: [f32; 3]| {
        let point = subject.to_scene(point);
        (0..3).map(|i| (eye[i] - offset[i] - point[i]) * back[i]).sum::<f32>()
    };
    let SurfaceInput::Skinned { order, floats } = &frame.surfaces[surface] else {
        return (distance([0.0; 3]), BlendedSurface { surface, copy, triangles: Vec::new() });
    };
    let layout = if *order == Order::Run { &drawn.run } else { &drawn.source };
    let (vertices, len) = (floats.as_chunks::<6>().0, layout.colors.len());
    let own = vertices.get(copy * len..(copy + 1) * len).unwrap_or_default();
    let distances: Vec<f32> = own.iter().map(|&[x, y, z, ..]| distance([x, y, z])).collect();
    let of_corner = |&vertex: &u32| distances.get(vertex as usize).copied().unwrap_or_default();
    let of_triangle = |triangle: &[u32; 3]| triangle.iter().map(of_corner).sum::<f32>() / 3.0;
    let mut sorted: Vec<(f32, [u32; 3])> =
        layout.triangles.iter().map(|triangle| (of_triangle(triangle), *triangle)).collect();
    sorted.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mean = sorted.iter().map(|(distance, _)| distance).sum::<f32>() / sorted.len().max(1) as f32;
    let triangles = sorted.into_iter().map(|(_, triangle)| triangle).collect();
    (mean, BlendedSurface { surface, copy, triangles })
}
