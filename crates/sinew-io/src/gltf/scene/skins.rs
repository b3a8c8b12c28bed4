//! The skins of a document.

use sinew::{Matrix, Skeleton, Skin};

use super::graph::Graph;
use super::tally::{Tally, usable};
use crate::gltf::document::{Document, Use};
use crate::gltf::schema::Skin as Source;
use crate::{Error, Report};

/// What a joint of a skin takes: its number and its matrix, each twice while the skin is made.
const BYTES_OF_JOINT: u64 = 128;

/// All skins, used or not, in the document's order.
pub(super) fn skins(
    document: &Document<'_>,
    graph: &Graph,
    skeleton: &Skeleton,
    report: &mut Report,
) -> Result<Vec<Skin>, Error> {
    let shown = shown(document, graph);
    let mut skins = Vec::with_capacity(document.root.skins.len());
    // Which skin had a node last, so that one in a skin twice is seen.
    let mut seen = vec![usize::MAX; document.root.nodes.len()];
    for (index, source) in document.root.skins.iter().enumerate() {
        let place = format!("skins[{index}]");
        if source.joints.is_empty() {
            return Err(Error::fault(format!("{place}.joints"), "one joint or more", "none"));
        }
        document.spend(source.joints.len() as u64 * BYTES_OF_JOINT, &place)?;
        check_joints(source, index, graph, &mut seen, &place, report)?;
        if shown[index] {
            check_scene(source, graph, &place, report)?;
        }
        let joints: Vec<_> = source.joints.iter().map(|node| graph.joint(node.value())).collect();
        let inverse_binds = inverse_binds(document, source, &place, report)?;
        let skin = Skin::with_inverse_binds(skeleton, &joints, &inverse_binds);
        skins.push(skin.map_err(|error| Error::model(&place, error))?);
    }
    Ok(skins)
}

/// Whether something in the scene hangs on each skin.
fn shown(document: &Document<'_>, graph: &Graph) -> Vec<bool> {
    let mut shown = vec![false; document.root.skins.len()];
    for (node, found) in document.root.nodes.iter().enumerate() {
        if let Some(skin) = found.skin.filter(|_| graph.is_in_scene(node)) {
            shown[skin.value()] = true;
        }
    }
    shown
}

fn check_joints(
    source: &Source,
    index: usize,
    graph: &Graph,
    seen: &mut [usize],
    place: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let mut twice = Tally::default();
    let mut elsewhere = Tally::default();
    for (slot, node) in source.joints.iter().map(|node| node.value()).enumerate() {
        if seen[node] == index {
            twice.add(slot);
        }
        seen[node] = index;
        if source.skeleton.is_some_and(|above| !graph.hangs_on(node, above.value())) {
            elsewhere.add(slot);
        }
    }
    let place = format!("{place}.joints");
    twice.note(report, &place, "the joints that the skin has already", "each place stays one of its own")?;
    elsewhere.note(
        report,
        &place,
        "the joints that are not below the skin's skeleton",
        "that changes nothing",
    )
}

fn check_scene(source: &Source, graph: &Graph, place: &str, report: &mut Report) -> Result<(), Error> {
    let mut outside = Tally::default();
    for (slot, node) in source.joints.iter().enumerate() {
        if !graph.is_in_scene(node.value()) {
            outside.add(slot);
        }
    }
    outside.note(
        report,
        &format!("{place}.joints"),
        "the joints that are not in the scene",
        "they move the mesh all the same",
    )
}

fn inverse_binds(
    document: &Document<'_>,
    source: &Source,
    place: &str,
    report: &mut Report,
) -> Result<Vec<Matrix>, Error> {
    let joints = source.joints.len();
    let Some(accessor) = source.inverse_bind_matrices else { return Ok(vec![Matrix::IDENTITY; joints]) };
    let place = format!("{place}.inverseBindMatrices");
    let mut found = document.floats::<16>(accessor.value(), Use::Matrices, &place)?;
    if found.len() < joints {
        return Err(Error::fault(place, format!("{joints} matrices"), found.len().to_string()));
    }
    if found.len() > joints {
        let line = format!("{} matrices for {joints} joints", found.len());
        report.note(&place, line, "those at the end were left out")?;
        found.truncate(joints);
    }
    matrices(&found, &place, report)
}

fn matrices(found: &[[f32; 16]], place: &str, report: &mut Report) -> Result<Vec<Matrix>, Error> {
    let (mut not_finite, mut projective, mut singular) = Default::default();
    let mut matrices = Vec::with_capacity(found.len());
    for (slot, columns) in found.iter().enumerate() {
        if !columns.iter().all(|&element| usable(element)) {
            Tally::add(&mut not_finite, slot);
            matrices.push(Matrix::IDENTITY);
            continue;
        }
        if [columns[3], columns[7], columns[11], columns[15]] != [0.0, 0.0, 0.0, 1.0] {
            Tally::add(&mut projective, slot);
        }
        if is_singular(columns) {
            Tally::add(&mut singular, slot);
        }
        matrices
            .push(Matrix { rows: [0, 1, 2].map(|row| [0, 1, 2, 3].map(|column| columns[column * 4 + row])) });
    }
    not_finite.note(
        report,
        place,
        "the matrices with numbers that are not finite",
        "they became the identity",
    )?;
    projective.note(report, place, "the matrices with another last row than 0 0 0 1", "it was left out")?;
    singular.note(report, place, "the matrices that flatten the mesh", "they stay as they are")?;
    Ok(matrices)
}

/// Whether there is no inverse, up to the rounding of `f32`.
fn is_singular(columns: &[f32; 16]) -> bool {
    let [a, b, c] = [0, 4, 8].map(|first| [0, 1, 2].map(|row| f64::from(columns[first + row])));
    let determinant = a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
    let length = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    determinant.abs() <= 1e-7 * length(a) * length(b) * length(c)
}
