//! The triangles of a primitive of any topology.

use std::borrow::Cow;

use super::context::ImportContext;
use super::raw_scene::{RawPrimitive, Topology};
use crate::error::BoxedError as Error;

/// Checks the corners of a primitive and makes them triples, whatever its topology; none for points
/// and lines.
pub(super) fn triangulate(
    primitive: &mut RawPrimitive<'_>,
    context: &mut ImportContext<'_>,
) -> Result<(), Error> {
    let mut corners = take_corners(primitive, context)?;
    let location = &primitive.location;
    match primitive.topology {
        Topology::None => corners = Cow::default(),
        Topology::Triangles => {
            let rest = corners.len() % 3;
            if rest > 0 {
                let found = format!("{} corners, which is no multiple of 3", corners.len());
                context.report.warn(location, found, "the last ones were ignored")?;
                let len = corners.len() - rest;
                match &mut corners {
                    Cow::Borrowed(found) => *found = &found[..len],
                    Cow::Owned(own) => own.truncate(len),
                }
            }
        }
        Topology::TriangleStrip | Topology::TriangleFan => {
            // A corner of 4 bytes gives a triangle of 12 bytes.
            context.spend(corners.len() as u64 * 8, location)?;
            let is_strip = primitive.topology == Topology::TriangleStrip;
            let triangles = if is_strip { strip(&corners) } else { fan(&corners) };
            corners = triangles.into_flattened().into();
        }
    }
    primitive.corners = Some(corners);
    primitive.topology = Topology::Triangles;
    Ok(())
}

/// The corners, checked: those of the file, or all vertices in order.
fn take_corners<'a>(
    primitive: &mut RawPrimitive<'a>,
    context: &ImportContext<'_>,
) -> Result<Cow<'a, [u32]>, Error> {
    let vertices = primitive.vertex_count();
    let location = &primitive.location;
    match primitive.corners.take() {
        Some(corners) => check_corners(corners, vertices, location),
        None if primitive.topology == Topology::None => Ok(Cow::default()),
        None => {
            context.spend(vertices as u64 * 4, location)?;
            Ok((0..vertices).map(|vertex| vertex as u32).collect())
        }
    }
}

fn check_corners<'a>(
    corners: Cow<'a, [u32]>,
    vertices: usize,
    location: &str,
) -> Result<Cow<'a, [u32]>, Error> {
    // Without an exit, this loop compiles to SIMD instructions.
    if corners.iter().fold(true, |sound, &vertex| sound & ((vertex as usize) < vertices)) {
        return Ok(corners);
    }
    match corners.iter().position(|&vertex| vertex as usize >= vertices) {
        Some(corner) => Err(Error::invalid(
            format!("{location}.indices"),
            format!("vertices below {vertices}"),
            format!("{} at corner {corner}", corners[corner]),
        )),
        None => Ok(corners),
    }
}

/// Every second triangle is reversed. Degenerate triangles, which connect strips, are dropped.
fn strip(corners: &[u32]) -> Vec<[u32; 3]> {
    let windows = corners.windows(3).map(|corners| [corners[0], corners[1], corners[2]]).enumerate();
    let triangle = |(index, [a, b, c]): (usize, [u32; 3])| if index % 2 == 0 { [a, b, c] } else { [a, c, b] };
    windows.map(triangle).filter(|[a, b, c]| a != b && b != c && c != a).collect()
}

fn fan(corners: &[u32]) -> Vec<[u32; 3]> {
    let Some((&hub, rim)) = corners.split_first() else { return Vec::new() };
    rim.windows(2).map(|edge| [edge[0], edge[1], hub]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strip_triangles_keep_their_winding() {
        assert_eq!(strip(&[0, 1, 2, 3, 4]), [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
        assert_eq!(strip(&[0, 1, 2, 2, 3, 3, 4, 5]), [[0, 1, 2], [3, 5, 4]]);
        assert!(strip(&[0, 1]).is_empty());
    }

    #[test]
    fn fan_triangles_share_the_first_vertex() {
        assert_eq!(fan(&[7, 1, 2, 3]), [[1, 2, 7], [2, 3, 7]]);
        assert!(fan(&[7, 1]).is_empty() && fan(&[]).is_empty());
    }
}
