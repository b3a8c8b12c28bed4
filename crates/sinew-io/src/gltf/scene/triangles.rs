//! The triangles of a primitive of any mode.

use crate::gltf::document::Document;
use crate::gltf::schema::mesh::{Mode, Primitive};
use crate::{Error, Report};

/// The triangles of a primitive, in the winding order of the document; none for points and lines.
pub(super) fn triangles(
    document: &Document<'_>,
    primitive: &Primitive,
    vertices: usize,
    location: &str,
    report: &mut Report,
) -> Result<Vec<[u32; 3]>, Error> {
    let mode = primitive.mode.known();
    let corners = corners(document, primitive, vertices, location)?;
    match mode {
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => Ok(Vec::new()),
        Mode::Triangles => {
            let (triangles, rest) = corners.as_chunks::<3>();
            if !rest.is_empty() {
                let found = format!("{} corners, which is no multiple of 3", corners.len());
                report.warn(location, found, "the last ones were ignored")?;
            }
            Ok(triangles.to_vec())
        }
        Mode::TriangleStrip | Mode::TriangleFan => {
            // A corner of 4 bytes gives a triangle of 12 bytes.
            document.spend(corners.len() as u64 * 8, location)?;
            Ok(if mode == Mode::TriangleStrip { strip(&corners) } else { fan(&corners) })
        }
    }
}

/// The vertex of each corner, checked: the indices, or all vertices in order.
fn corners(
    document: &Document<'_>,
    primitive: &Primitive,
    vertices: usize,
    location: &str,
) -> Result<Vec<u32>, Error> {
    let Some(accessor) = primitive.indices else {
        document.spend(vertices as u64 * 4, location)?;
        return Ok((0..vertices).map(|vertex| vertex as u32).collect());
    };
    let location = format!("{location}.indices");
    let indices = document.indices(accessor.value(), &location)?;
    match indices.iter().position(|&vertex| vertex as usize >= vertices) {
        Some(corner) => Err(Error::invalid(
            location,
            format!("vertices below {vertices}"),
            format!("{} at corner {corner}", indices[corner]),
        )),
        None => Ok(indices),
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
