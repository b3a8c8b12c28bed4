//! Every method that this machine supports skins as `f64` does.

use sinew::kernels::reference::{self, algebra};
use sinew::skinning::{NormalTransform, VertexOrder};
use sinew::{Mesh, Palette, Skin};
use sinew_bench::methods::{Method, Scratch, SkinInput, Skinner};
use sinew_figures::Scene;

struct Posed {
    scene: Scene,
    skin: Skin,
    mesh: Mesh,
    palette: Palette,
}

fn posed(name: &str) -> Posed {
    let scene = sinew_figures::scene(name).expect("a scene");
    let skin = Skin::new(&scene.skeleton, &scene.skin_joints).expect("a skin");
    let source = sinew::MeshSource { levels: &[1, 2, 3], ..scene.mesh.source() };
    let mesh = Mesh::new(&source, &skin).expect("a mesh");
    let (mut pose, mut matrices) = (scene.skeleton.rest_pose(), scene.skeleton.identity_matrices());
    let mut palette = Palette::new(&skin);
    scene.motions[0].pose(&scene.skeleton, 0.3, &mut pose).expect("its own pose");
    scene.skeleton.to_model(&pose, .., &mut matrices).expect("its own matrices");
    palette.update(&matrices, &skin).expect("its own palette");
    Posed { scene, skin, mesh, palette }
}

impl Posed {
    /// Position and normal of each vertex, in source order.
    fn skinned(&self, method: Method, max_influences: usize) -> Vec<[f32; 6]> {
        let input = SkinInput {
            mesh: &self.mesh,
            skin: &self.skin,
            max_influences,
            normals: NormalTransform::BlendedMatrix,
        };
        let skinner = Skinner::new(&input, method).expect("a method that is present");
        let (mut output, mut scratch) = (skinner.output(), Scratch::default());
        skinner.skin(&self.palette, None, &mut scratch, &mut output);
        let mut floats = vec![0.0; 6 * output.len()];
        output.copy_to(&mut floats);
        let vertices = floats.as_chunks::<6>().0;
        match output.order() {
            VertexOrder::Source => vertices.to_vec(),
            VertexOrder::Run => self.mesh.to_source_order(vertices).expect("every place"),
        }
    }

    /// Position and normal of each vertex in `f64`, with its strongest influences. `None` where two
    /// weights tie at the cut, because either may be kept.
    fn expected(&self, max_influences: usize) -> Vec<Option<([f64; 3], [f64; 3])>> {
        let shape = &self.scene.mesh;
        let mut influences = shape.influences();
        let counts = shape.influence_counts.iter().enumerate();
        counts
            .map(|(vertex, &count)| {
                let mut own: Vec<(u32, f32)> = influences.by_ref().take(count as usize).collect();
                own.sort_by(|a, b| b.1.total_cmp(&a.1));
                let kept = &own[..own.len().min(max_influences)];
                if own.get(kept.len()).is_some_and(|next| kept[kept.len() - 1].1 - next.1 < 1e-6) {
                    return None;
                }
                let sum: f64 = kept.iter().map(|influence| f64::from(influence.1)).sum();
                let wide = |&(joint, weight): &(u32, f32)| {
                    (f64::from(weight) / sum, algebra::widen(&self.palette.matrices()[joint as usize]))
                };
                let matrix = reference::blend(&kept.iter().map(wide).collect::<Vec<_>>());
                let position = reference::skin_position(&matrix, shape.positions[vertex].map(f64::from));
                let normal = reference::skin_direction(&matrix, shape.normals[vertex].map(f64::from));
                let length = normal.iter().map(|element| element * element).sum::<f64>().sqrt();
                Some((position, normal.map(|element| element / length)))
            })
            .collect()
    }
}

fn is_near(expected: [f64; 3], found: &[f32], tolerance: f64) -> bool {
    expected.iter().zip(found).all(|(expected, &found)| (expected - f64::from(found)).abs() <= tolerance)
}

#[test]
fn every_method_matches_f64_with_any_number_of_weights() {
    for name in ["@cylinder:varying", "@figure:600"] {
        let posed = posed(name);
        for most in [1, 2, 3, usize::MAX] {
            let expected = posed.expected(most);
            assert!(expected.iter().flatten().count() > expected.len() / 2);
            for method in
                Method::supported().into_iter().filter(|method| !matches!(method, Method::DualQuaternions(_)))
            {
                let found = posed.skinned(method, most);
                assert_eq!(found.len(), expected.len());
                for (vertex, (expected, found)) in expected.iter().zip(&found).enumerate() {
                    let Some((position, normal)) = expected else { continue };
                    let context = || format!("{name}, {method:?}, {most} weights, vertex {vertex}");
                    assert!(is_near(*position, &found[..3], 1e-5), "{}", context());
                    // Davies' square roots have 12 bits; van Waveren does not renormalize.
                    let unit = !matches!(method, Method::Blended(_) | Method::Weighted(_));
                    assert!(!unit || is_near(*normal, &found[3..], 1e-3), "{}", context());
                }
            }
        }
    }
}

#[test]
fn dual_quaternions_move_rigid_vertices_alike_on_every_backend() {
    let posed = posed("@cylinder:1");
    let expected = posed.expected(1);
    for method in
        Method::supported().into_iter().filter(|method| matches!(method, Method::DualQuaternions(_)))
    {
        for (expected, found) in expected.iter().zip(posed.skinned(method, usize::MAX)) {
            let (position, _) = expected.expect("one influence each");
            assert!(is_near(position, &found[..3], 1e-5), "{method:?}");
        }
    }
}

#[test]
fn supported_methods_have_names_and_no_reason_against_them() {
    for method in Method::supported() {
        assert_eq!(method.unsupported_reason(), None);
        assert!(!method.name().is_empty() && !method.isa().is_empty());
    }
    let papers = Method::supported().iter().filter(|method| method.name().starts_with("papers")).count();
    assert_eq!(papers, if cfg!(target_arch = "x86_64") { 2 } else { 0 });
}
