//! Builds the skins of a scene.

use sinew::{Matrix, Skeleton, Skin};

use super::context::ImportContext;
use super::graph::Graph;
use super::raw_scene::{InverseBinds, RawScene, RawSkin};
use super::warning_count::{WarningCount, usable};
use crate::Report;
use crate::error::BoxedError as Error;

/// Bytes per joint of a skin: its index and its matrix, each twice while the skin is built.
const JOINT_BYTES: u64 = 128;

/// All skins, used or not, in the order of the scene.
pub(super) fn skins(
    scene: &RawScene<'_>,
    graph: &Graph,
    skeleton: &Skeleton,
    context: &mut ImportContext<'_>,
) -> Result<Vec<Skin>, Error> {
    let used_in_scene = used_in_scene(scene, graph)?;
    let mut skins = Vec::with_capacity(scene.skins.len());
    // The last skin that listed each node, to detect repeated joints.
    let mut seen = vec![usize::MAX; scene.nodes.len()];
    for (index, source) in scene.skins.iter().enumerate() {
        let location = &source.location;
        if source.joints.is_empty() {
            return Err(Error::invalid(format!("{location}.joints"), "one joint or more", "none"));
        }
        if let Some(node) = source.joints.iter().chain(&source.skeleton).find(|&&node| node >= seen.len()) {
            let expected = format!("one of {} nodes", seen.len());
            return Err(Error::invalid(location, expected, node.to_string()));
        }
        context.spend(source.joints.len() as u64 * JOINT_BYTES, location)?;
        check_joints(source, index, graph, &mut seen, context.report)?;
        if used_in_scene[index] {
            check_scene(source, graph, context.report)?;
        }
        let joints: Vec<_> = source.joints.iter().map(|&node| graph.joint(node)).collect();
        let skin = match &source.inverse_binds {
            InverseBinds::AtRest => Skin::new(skeleton, &joints),
            InverseBinds::Identity => {
                Skin::with_inverse_binds(skeleton, &joints, &vec![Matrix::IDENTITY; joints.len()])
            }
            InverseBinds::Matrices(found) => {
                let inverse_binds = inverse_binds(found, joints.len(), location, context.report)?;
                Skin::with_inverse_binds(skeleton, &joints, &inverse_binds)
            }
        };
        skins.push(skin.map_err(|error| Error::model(location, error))?);
    }
    Ok(skins)
}

/// Whether a node in the scene uses each skin.
fn used_in_scene(scene: &RawScene<'_>, graph: &Graph) -> Result<Vec<bool>, Error> {
    let mut used_in_scene = vec![false; scene.skins.len()];
    for (node, found) in scene.nodes.iter().enumerate() {
        let Some(skin) = found.skin.filter(|_| graph.is_shown(node)) else { continue };
        match used_in_scene.get_mut(skin) {
            Some(used) => *used = true,
            None => {
                let expected = format!("one of {} skins", scene.skins.len());
                return Err(Error::invalid(format!("nodes[{node}].skin"), expected, skin.to_string()));
            }
        }
    }
    Ok(used_in_scene)
}

fn check_joints(
    source: &RawSkin,
    index: usize,
    graph: &Graph,
    seen: &mut [usize],
    report: &mut Report,
) -> Result<(), Error> {
    let mut repeated = WarningCount::default();
    let mut not_in_subtree = WarningCount::default();
    for (joint, node) in source.joints.iter().copied().enumerate() {
        if seen[node] == index {
            repeated.add(joint);
        }
        seen[node] = index;
        if source.skeleton.is_some_and(|skeleton_root| !graph.is_in_subtree(node, skeleton_root)) {
            not_in_subtree.add(joint);
        }
    }
    let location = format!("{}.joints", source.location);
    repeated.warn(
        report,
        &location,
        "the joints that the skin lists again",
        "each stays a joint of its own",
    )?;
    not_in_subtree.warn(
        report,
        &location,
        "the joints that are not below the skin's skeleton",
        "this has no effect",
    )
}

fn check_scene(source: &RawSkin, graph: &Graph, report: &mut Report) -> Result<(), Error> {
    let mut outside = WarningCount::default();
    for (joint, node) in source.joints.iter().enumerate() {
        if !graph.is_in_scene(*node) {
            outside.add(joint);
        }
    }
    outside.warn(
        report,
        format_args!("{}.joints", source.location),
        "the joints that are not in the scene",
        "they move the mesh anyway",
    )
}

fn inverse_binds(
    found: &[[f32; 16]],
    joints: usize,
    location: &str,
    report: &mut Report,
) -> Result<Vec<Matrix>, Error> {
    let location = format!("{location}.inverseBindMatrices");
    let Some(used) = found.get(..joints) else {
        return Err(Error::invalid(location, format!("{joints} matrices"), found.len().to_string()));
    };
    if found.len() > joints {
        let line = format!("{} matrices for {joints} joints", found.len());
        report.warn(&location, line, "the last ones were ignored")?;
    }
    matrices(used, &location, report)
}

fn matrices(found: &[[f32; 16]], location: &str, report: &mut Report) -> Result<Vec<Matrix>, Error> {
    let (mut not_finite, mut projective, mut singular) = Default::default();
    let mut matrices = Vec::with_capacity(found.len());
    for (joint, columns) in found.iter().enumerate() {
        if !columns.iter().all(|&element| usable(element)) {
            WarningCount::add(&mut not_finite, joint);
            matrices.push(Matrix::IDENTITY);
            continue;
        }
        if [columns[3], columns[7], columns[11], columns[15]] != [0.0, 0.0, 0.0, 1.0] {
            WarningCount::add(&mut projective, joint);
        }
        if is_singular(columns) {
            WarningCount::add(&mut singular, joint);
        }
        matrices
            .push(Matrix { rows: [0, 1, 2].map(|row| [0, 1, 2, 3].map(|column| columns[column * 4 + row])) });
    }
    not_finite.warn(
        report,
        location,
        "the matrices with numbers that are not finite",
        "they became the identity",
    )?;
    projective.warn(report, location, "the matrices whose last row is not 0 0 0 1", "the row was ignored")?;
    singular.warn(report, location, "the singular matrices", "they were kept")?;
    Ok(matrices)
}

/// Whether a matrix has no inverse, up to the rounding errors of `f32`.
fn is_singular(columns: &[f32; 16]) -> bool {
    let [a, b, c] = [0, 4, 8].map(|first| [0, 1, 2].map(|row| f64::from(columns[first + row])));
    let determinant = a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
    let length = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    determinant.abs() <= 1e-7 * length(a) * length(b) * length(c)
}
