//! Evaluates the vertices of a scene in `f64`, directly by the glTF 2.0 specification.

use sinew_testkit::clips::{self, KeyInterpolation};

use super::random_scene::{ChannelKeys, LocalTransform, Scene};

/// In columns.
pub(crate) type Matrix = [[f64; 4]; 4];

/// A pose, and the length of the shortest rotation before normalization, which tells how well
/// conditioned the pose is.
struct Pose {
    local: Vec<Matrix>,
    weights: Vec<Vec<f64>>,
    shortest: f64,
}

/// The positions of each primitive of each node in the scene, in the order of nodes. `None` if a
/// rotation is so short before normalization that rounding decides its direction.
pub(crate) fn positions(scene: &Scene, clip: Option<(usize, f32)>) -> Option<Vec<Vec<[f64; 3]>>> {
    let pose = pose(scene, clip);
    if pose.shortest < 0.2 {
        return None;
    }
    let world: Vec<_> = (0..scene.nodes.len()).map(|node| world(scene, &pose.local, node)).collect();
    let mut all = Vec::new();
    for (index, node) in scene.nodes.iter().enumerate().filter(|(index, _)| is_shown(scene, *index)) {
        let Some(mesh) = node.mesh else { continue };
        for primitive in &scene.meshes[mesh].primitives {
            let palette: Vec<_> = match node.skin {
                Some(skin) => palette(scene, skin, &world),
                None => vec![world[index]],
            };
            let vertex = |vertex: usize| {
                let mut at = primitive.positions[vertex].map(f64::from);
                for (target, weight) in primitive.targets.iter().zip(&pose.weights[index]) {
                    for axis in 0..3 {
                        at[axis] += weight * f64::from(target[vertex][axis]);
                    }
                }
                if node.skin.is_none() {
                    return moved(&palette[0], at);
                }
                let mut sum = [0.0; 3];
                for (joints, weights) in &primitive.influences {
                    for (&joint, &weight) in joints[vertex].iter().zip(&weights[vertex]) {
                        let there = moved(&palette[usize::from(joint)], at);
                        for axis in 0..3 {
                            sum[axis] += f64::from(weight) * there[axis];
                        }
                    }
                }
                sum
            };
            all.push((0..primitive.positions.len()).map(vertex).collect());
        }
    }
    Some(all)
}

fn pose(scene: &Scene, clip: Option<(usize, f32)>) -> Pose {
    let mut parts = Vec::new();
    let mut weights = Vec::new();
    for node in &scene.nodes {
        let mesh = node.mesh.map(|mesh| &scene.meshes[mesh]);
        let given = node.weights.as_ref().or(mesh.and_then(|mesh| mesh.weights.as_ref()));
        let none = vec![0.0; mesh.map_or(0, |mesh| mesh.targets)];
        weights.push(given.unwrap_or(&none).iter().copied().map(f64::from).collect::<Vec<_>>());
        parts.push(match node.transform {
            LocalTransform::Trs { translation, rotation, scale } => {
                Ok((translation.map(f64::from), rotation.map(f64::from), scale.map(f64::from)))
            }
            LocalTransform::Matrix(elements) => Err(elements.map(f64::from)),
        });
    }
    let mut shortest = 1.0_f64;
    for channel in clip.iter().flat_map(|(clip, _)| &scene.clips[*clip]) {
        let seconds = clip.map_or(0.0, |(_, seconds)| seconds);
        let (times, between) = (&channel.times, channel.between);
        match (&channel.keys, &mut parts[channel.node]) {
            (ChannelKeys::Rotation(values), Ok((_, rotation, _))) => {
                let (found, length) = clips::rotation(times, values, between, seconds);
                *rotation = found;
                shortest = shortest.min(length);
            }
            (ChannelKeys::Translation(values), Ok((translation, _, _))) => {
                *translation = clips::vector(times, values, between, seconds);
            }
            (ChannelKeys::Scale(values), Ok((_, _, scale))) => {
                *scale = clips::vector(times, values, between, seconds);
            }
            (ChannelKeys::Weights(values), _) => {
                weights[channel.node] = sampled_weights(times, values, between, seconds);
            }
            _ => panic!("a matrix that is moved"),
        }
    }
    let local = parts.into_iter().map(|parts| match parts {
        Ok((translation, rotation, scale)) => matrix(translation, rotation, scale),
        Err(elements) => std::array::from_fn(|column| std::array::from_fn(|row| elements[column * 4 + row])),
    });
    Pose { local: local.collect(), weights, shortest }
}

fn sampled_weights(times: &[f32], values: &[f32], between: KeyInterpolation, seconds: f32) -> Vec<f64> {
    let count = values.len() / times.len() / between.width();
    let weight = |target: usize| {
        let own: Vec<_> = values[target..].iter().step_by(count).map(|&value| [value]).collect();
        clips::vector(times, &own, between, seconds)[0]
    };
    (0..count).map(weight).collect()
}

fn is_shown(scene: &Scene, mut node: usize) -> bool {
    while let Some(parent) = scene.nodes[node].parent {
        node = parent;
    }
    scene.roots.contains(&node)
}

fn world(scene: &Scene, local: &[Matrix], node: usize) -> Matrix {
    match scene.nodes[node].parent {
        Some(parent) => times(&world(scene, local, parent), &local[node]),
        None => local[node],
    }
}

fn palette(scene: &Scene, skin: usize, world: &[Matrix]) -> Vec<Matrix> {
    let skin = &scene.skins[skin];
    let matrix = |(slot, &joint): (usize, &usize)| match &skin.inverse_binds {
        Some(binds) => {
            let bind = binds[slot].map(f64::from);
            times(&world[joint], &std::array::from_fn(|c| std::array::from_fn(|r| bind[c * 4 + r])))
        }
        None => world[joint],
    };
    skin.joints.iter().enumerate().map(matrix).collect()
}

pub(crate) fn matrix(translation: [f64; 3], rotation: [f64; 4], scale: [f64; 3]) -> Matrix {
    let [x, y, z, w] = rotation;
    let axes = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let column = |i: usize| [axes[i][0] * scale[i], axes[i][1] * scale[i], axes[i][2] * scale[i], 0.0];
    [column(0), column(1), column(2), [translation[0], translation[1], translation[2], 1.0]]
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * b[column][k]).sum()))
}

fn moved(matrix: &Matrix, at: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| (0..3).map(|k| matrix[k][row] * at[k]).sum::<f64>() + matrix[3][row])
}
