//! Every method of this machine takes every vertex where `f64` takes it.

use sinew::kernels::reference::{self, algebra};
use sinew::{Mesh, NormalTransform, Order, Palette, Skin};
use sinew_figures::Scene;
use sinew_figures::methods::{Method, Scratch, Skinner, Subject};

struct Posed {
    scene: Scene,
    skin: Skin,
    mesh: Mesh,
    palette: Palette,
}

fn posed(name: &str) -> Posed {
    let scene = sinew_figures::scene(name).expect("a scene");
    let skin = Skin::new(&scene.skeleton, &scene.skin_joints).expect("a skin");
    let source = sinew::MeshSource { levels: &[1, 2, 3], ..scene.shape.source() };
    let mesh = Mesh::new(&source, &skin).expect("a mesh");
    let (mut pose, mut matrices) = (scene.skeleton.rest_pose(), scene.skeleton.model_matrices());
    let mut palette = Palette::new(&skin);
    scene.motions[0].pose(&scene.skeleton, 0.3, &mut pose).expect("its own pose");
    scene.skeleton.to_model(&pose, .., &mut matrices).expect("its own matrices");
    palette.update(&matrices, &skin).expect("its own palette");
    Posed { scene, skin, mesh, palette }
}

impl Posed {
    /// Six floats for each vertex of the source.
    fn skinned(&self, method: Method, max_influences: usize) -> Vec<[f32; 6]> {
        let subject = Subject {
            mesh: &self.mesh,
            skin: &self.skin,
            max_influences,
            normals: NormalTransform::BlendedMatrix,
        };
        let skinner = Skinner::new(&subject, method).expect("a method that is present");
        let (mut output, mut scratch) = (skinner.output(), Scratch::default());
        skinner.skin(&self.palette, None, &mut scratch, &mut output);
        let mut floats = vec![0.0; 6 * output.len()];
        output.put(&mut floats);
        let vertices = floats.as_chunks::<6>().0;
        match output.order() {
            Order::Source => vertices.to_vec(),
            Order::Run => self.mesh.to_source_order(vertices).expect("every place"),
        }
    }

    /// Position and normal of each vertex in `f64`, with its strongest influences; `None` where others are as strong as the
    /// last of them, and either may be kept.
    fn expected(&self, max_influences: usize) -> Vec<Option<([f64; 3], [f64; 3])>> {
        let shape = &self.scene.shape;
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
            for method in Method::present().into_iter().filter(|method| !matches!(method, Method::Duals(_))) {
                let found = posed.skinned(method, most);
                assert_eq!(found.len(), expected.len());
                for (vertex, (expected, found)) in expected.iter().zip(&found).enumerate() {
                    let Some((position, normal)) = expected else { continue };
                    let told = || format!("{name}, {method:?}, {most} weights, vertex {vertex}");
                    assert!(is_near(*position, &found[..3], 1e-5), "{}", told());
                    // The paper's roots have 12 bits; van Waveren leaves lengths as they are blended.
                    let unit = !matches!(method, Method::Blended(_) | Method::Weighted(_));
                    assert!(!unit || is_near(*normal, &found[3..], 1e-3), "{}", told());
                }
            }
        }
    }
}

#[test]
fn dual_quaternions_move_whole_joints_alike_on_every_backend() {
    let posed = posed("@cylinder:1");
    let expected = posed.expected(1);
    for method in Method::present().into_iter().filter(|method| matches!(method, Method::Duals(_))) {
        for (expected, found) in expected.iter().zip(posed.skinned(method, usize::MAX)) {
            let (position, _) = expected.expect("one influence each");
            assert!(is_near(position, &found[..3], 1e-5), "{method:?}");
        }
    }
}

#[test]
fn what_this_machine_lacks_is_told() {
    for method in Method::present() {
        assert_eq!(method.absence(), None);
        assert!(!method.name().is_empty() && !method.isa().is_empty());
    }
    let papers = Method::present().iter().filter(|method| method.name().starts_with("papers")).count();
    assert_eq!(papers, if cfg!(target_arch = "x86_64") { 2 } else { 0 });
}
