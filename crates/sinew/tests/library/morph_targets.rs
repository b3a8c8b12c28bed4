//! Morph targets: morphed vertices against a reference in `f64`, and the memory of targets.

use sinew::kernels::BLOCK;
use sinew::mesh::{Attributes, Deltas, MeshError, MorphSource, Morphed, VertexOrder};
use sinew::skinning::{Skinned, SkinningError};
use sinew::{Mesh, MeshSource, SkinOptions};
use sinew_testkit::backends::every_backend;
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::runtime;
use crate::support::poses::block_bits;
use crate::support::vertex_cloud::{VertexCloud, build_palette, identity_skin, identity_skin_on};

const JOINTS: usize = 12;
const NAMES: [&str; 4] = ["smile", "blink", "", "smile"];
const WEIGHTS: [f32; 4] = [0.75, -0.5, 0.0, 1.5];

/// Dense deltas of positions, normals and tangents. Most are zero.
#[derive(Clone)]
struct Target([Vec<[f32; 3]>; 3]);

impl Target {
    fn new(vertices: usize, target: usize, random: &mut Random) -> Self {
        Self([0, 1, 2].map(|vector| {
            // The first target moves every position, the second one only positions.
            let once_in = [1, 30, 7, 200][target] * (1 + vector);
            let still = target == 1 && vector > 0;
            let mut delta = || {
                if still || !random.once_in(once_in) { [0.0; 3] } else { random.vector(0.5) }
            };
            (0..vertices).map(|_| delta()).collect()
        }))
    }

    fn random_set(vertices: usize, random: &mut Random) -> Vec<Self> {
        (0..NAMES.len()).map(|target| Self::new(vertices, target, random)).collect()
    }

    fn dense<'a>(&'a self, name: &'a str) -> MorphSource<'a> {
        let [positions, normals, tangents] = self.0.each_ref().map(|deltas| Deltas::Dense(deltas));
        MorphSource { name, positions, normals, tangents }
    }
}

fn dense_sources(targets: &[Target]) -> Vec<MorphSource<'_>> {
    targets.iter().zip(NAMES).map(|(target, name)| target.dense(name)).collect()
}

fn clouds_with_targets() -> impl Iterator<Item = (VertexCloud, Vec<Target>)> {
    let mut random = Random::new(90);
    [0, 1, 7, 8, 9, 64, 500].into_iter().map(move |vertices| {
        let cloud = VertexCloud::new(vertices, 8, JOINTS, &mut random);
        (cloud, Target::random_set(vertices, &mut random))
    })
}

fn build_mesh(cloud: &VertexCloud, morphs: &[MorphSource<'_>]) -> Mesh {
    Mesh::new(&MeshSource { morphs, ..cloud.source() }, &identity_skin(JOINTS)).expect("a valid mesh")
}

fn morph_mesh(mesh: &Mesh, weights: &[f32]) -> Morphed {
    let mut morphed = Morphed::new(mesh);
    mesh.morph(weights, &mut morphed).expect("matching sizes");
    morphed
}

/// The vectors of each vertex, in source order.
fn vectors_by_vertex(mesh: &Mesh, morphed: &Morphed) -> Vec<Vec<[f32; 3]>> {
    let vectors = morphed.vectors();
    let vertex = |&slot: &u32| {
        let slot = slot as usize;
        (0..vectors).map(|v| morphed.blocks()[slot / BLOCK * vectors + v].vector(slot % BLOCK)).collect()
    };
    mesh.remap().iter().map(vertex).collect()
}

#[test]
fn morphed_vertices_match_the_f64_reference_on_every_backend() {
    for (cloud, targets) in clouds_with_targets() {
        let base = |vertex: usize| {
            let [x, y, z, _] = cloud.tangents[vertex];
            [cloud.positions[vertex], cloud.normals[vertex], [x, y, z]]
        };
        every_backend(|run| {
            let source = MeshSource { morphs: &dense_sources(&targets), ..cloud.source() };
            let mesh = Mesh::new(&source, &identity_skin_on(runtime(run), JOINTS)).unwrap();
            for (vertex, found) in vectors_by_vertex(&mesh, &morph_mesh(&mesh, &WEIGHTS)).iter().enumerate() {
                for (vector, found) in found.iter().enumerate() {
                    for (axis, found) in found.iter().enumerate() {
                        let mut expected = f64::from(base(vertex)[vector][axis]);
                        for (target, weight) in targets.iter().zip(WEIGHTS) {
                            expected += f64::from(weight) * f64::from(target.0[vector][vertex][axis]);
                        }
                        let error = (expected - f64::from(*found)).abs();
                        assert!(error < 1e-6, "{run}: vertex {vertex}: expected {expected}, found {found}");
                    }
                }
            }
        });
    }
}

#[test]
fn sparse_targets_equal_dense_targets() {
    for (cloud, targets) in clouds_with_targets() {
        // In descending order, with some zeros.
        let listed = |deltas: &Vec<[f32; 3]>| -> (Vec<u32>, Vec<[f32; 3]>) {
            let every = deltas.iter().enumerate().rev();
            let kept = every.filter(|(vertex, delta)| **delta != [0.0; 3] || vertex % 5 == 0);
            kept.map(|(vertex, delta)| (vertex as u32, *delta)).unzip()
        };
        let lists: Vec<_> = targets.iter().map(|target| target.0.each_ref().map(listed)).collect();
        let mut sparse = Vec::new();
        for (lists, name) in lists.iter().zip(NAMES) {
            let [positions, normals, tangents] =
                lists.each_ref().map(|(vertices, deltas)| Deltas::Sparse { vertices, deltas });
            sparse.push(MorphSource { name, positions, normals, tangents });
        }
        let (dense, sparse) = (build_mesh(&cloud, &dense_sources(&targets)), build_mesh(&cloud, &sparse));
        assert_eq!(dense.morph_bytes(), sparse.morph_bytes());
        assert_eq!(
            block_bits(morph_mesh(&dense, &WEIGHTS).blocks()),
            block_bits(morph_mesh(&sparse, &WEIGHTS).blocks())
        );
    }
}

#[test]
fn zero_weights_keep_the_mesh_bit_for_bit() {
    for (cloud, targets) in clouds_with_targets() {
        let mesh = build_mesh(&cloud, &dense_sources(&targets));
        let mut moved = morph_mesh(&mesh, &WEIGHTS);
        mesh.morph(&[0.0, -0.0, 0.0, 0.0], &mut moved).unwrap();
        assert_eq!(block_bits(moved.blocks()), block_bits(Morphed::new(&mesh).blocks()));
        let vertices = vectors_by_vertex(&mesh, &moved);
        let positions: Vec<_> = vertices.iter().map(|vertex| vertex[0]).collect();
        assert_eq!(positions, cloud.positions);
    }
}

#[test]
fn permuting_the_vertices_permutes_the_morphed_vertices() {
    let mut random = Random::new(91);
    for (cloud, targets) in clouds_with_targets() {
        let vertices = cloud.positions.len();
        let mut order: Vec<usize> = (0..vertices).collect();
        for vertex in (1..vertices).rev() {
            order.swap(vertex, random.below(vertex + 1));
        }
        let reordered = |deltas: &Vec<[f32; 3]>| order.iter().map(|&vertex| deltas[vertex]).collect();
        let permuted: Vec<_> =
            targets.iter().map(|target| Target(target.0.each_ref().map(reordered))).collect();
        let one = build_mesh(&cloud, &dense_sources(&targets));
        let two = build_mesh(&cloud.reordered(&order), &dense_sources(&permuted));
        let (one, two) = (
            vectors_by_vertex(&one, &morph_mesh(&one, &WEIGHTS)),
            vectors_by_vertex(&two, &morph_mesh(&two, &WEIGHTS)),
        );
        for (found, &vertex) in two.iter().zip(&order) {
            assert_eq!(*found, one[vertex]);
        }
    }
}

#[test]
fn padding_is_morphed_with_its_vertex() {
    for (cloud, targets) in clouds_with_targets() {
        let mesh = build_mesh(&cloud, &dense_sources(&targets));
        let morphed = morph_mesh(&mesh, &WEIGHTS);
        let vector_at = |slot: usize, v: usize| morphed.blocks()[slot / BLOCK * 3 + v].vector(slot % BLOCK);
        for (slot, &vertex) in mesh.inverse_remap().iter().enumerate() {
            let own = mesh.remap()[vertex as usize] as usize;
            for v in 0..3 {
                assert_eq!(vector_at(slot, v), vector_at(own, v), "slot {slot} of vertex {vertex}");
            }
        }
    }
}

#[test]
fn targets_keep_their_names_and_order() {
    for (cloud, targets) in clouds_with_targets() {
        let mesh = build_mesh(&cloud, &dense_sources(&targets));
        assert_eq!(mesh.morph_count(), NAMES.len());
        assert!(mesh.morph_names().eq(NAMES));
    }
    let mesh = VertexCloud::default().mesh(&identity_skin(JOINTS));
    assert_eq!((mesh.morph_count(), mesh.morph_bytes(), mesh.morph_names().len()), (0, 0, 0));
    mesh.morph(&[], &mut Morphed::new(&mesh)).unwrap();
}

#[test]
fn only_blocks_with_deltas_take_memory() {
    let cloud = VertexCloud::new(500, 8, JOINTS, &mut Random::new(92));
    let bytes = |morph: MorphSource<'_>| build_mesh(&cloud, &[morph]).morph_bytes();
    let nothing = bytes(MorphSource::default());
    let zeros = [[0.0, -0.0, 0.0]; 500];
    let still = Deltas::Dense(&zeros);
    assert_eq!(bytes(MorphSource { positions: still, normals: still, ..MorphSource::default() }), nothing);

    let one = Deltas::Sparse { vertices: &[77], deltas: &[[1.0, 0.0, 0.0]] };
    let block = size_of::<sinew::mesh::VectorBlock>();
    let moved = |morph| bytes(morph) - nothing - 4;
    assert_eq!(moved(MorphSource { positions: one, normals: still, ..MorphSource::default() }), block);
    // Normals, which come before tangents, are stored although they are not moved.
    assert_eq!(moved(MorphSource { tangents: one, ..MorphSource::default() }), 3 * block);

    let plain = cloud.mesh(&identity_skin(JOINTS));
    assert_eq!(
        build_mesh(&cloud, &[MorphSource { positions: one, ..MorphSource::default() }]).bytes(),
        plain.bytes()
    );
}

#[test]
fn bitangents_are_not_morphed() {
    let cloud = VertexCloud::new(20, 2, JOINTS, &mut Random::new(93));
    let bitangents: Vec<[f32; 3]> = cloud.normals.iter().map(|[x, y, z]| [*z, *x, *y]).collect();
    let targets = Target::random_set(20, &mut Random::new(94));
    let morphs = dense_sources(&targets);
    let source = MeshSource { bitangents: Some(&bitangents), morphs: &morphs, ..cloud.source() };
    let four = Mesh::new(&source, &identity_skin(JOINTS)).unwrap();
    let three = build_mesh(&cloud, &morphs);
    let with = vectors_by_vertex(&four, &morph_mesh(&four, &WEIGHTS));
    let without = vectors_by_vertex(&three, &morph_mesh(&three, &WEIGHTS));
    for (vertex, (with, without)) in with.iter().zip(&without).enumerate() {
        assert_eq!(with[..3], without[..]);
        assert_eq!(with[3], bitangents[vertex]);
    }
}

#[test]
fn morphing_allocates_nothing() {
    let cloud = VertexCloud::new(500, 8, JOINTS, &mut Random::new(95));
    let targets = Target::random_set(500, &mut Random::new(96));
    let mesh = build_mesh(&cloud, &dense_sources(&targets));
    let mut morphed = Morphed::new(&mesh);
    let counted = allocation_counter::measure(|| {
        for weights in [WEIGHTS, [0.0; 4], [1.0; 4]] {
            mesh.morph(&weights, &mut morphed).expect("matching sizes");
        }
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn skinning_transforms_the_morphed_vertices() {
    every_backend(|run| {
        let mut random = Random::new(91);
        let cloud = VertexCloud::new(100, 4, JOINTS, &mut random);
        let targets = Target::random_set(100, &mut random);
        let skin = identity_skin_on(runtime(run), JOINTS);
        let morphs = dense_sources(&targets);
        let mesh = Mesh::new(&MeshSource { morphs: &morphs, ..cloud.source() }, &skin).expect("a valid mesh");
        let morphed = morph_mesh(&mesh, &WEIGHTS);
        let palette = build_palette(&skin, &rigs::rigid_matrices(JOINTS, &mut random));
        let mut found = Skinned::new(&mesh, Attributes::Tangents).expect("tangents");
        let options = SkinOptions::default().with_morphed(&morphed);
        mesh.skin(&palette, &options, &mut found).expect("matching sizes");

        // The morphed vertices as a mesh of their own.
        let mut baked = cloud.clone();
        for (vertex, vectors) in vectors_by_vertex(&mesh, &morphed).into_iter().enumerate() {
            baked.positions[vertex] = vectors[0];
            baked.normals[vertex] = vectors[1];
            baked.tangents[vertex][..3].copy_from_slice(&vectors[2]);
        }
        let baked = baked.mesh(&skin);
        let mut expected = Skinned::new(&baked, Attributes::Tangents).expect("tangents");
        baked.skin(&palette, &SkinOptions::default(), &mut expected).expect("matching sizes");
        assert_eq!(found.blocks(), expected.blocks(), "{run}");

        // The morphed vertices of another mesh are rejected.
        let other = VertexCloud::new(9, 4, JOINTS, &mut random).mesh(&skin);
        let mut skinned = Skinned::new(&other, Attributes::Positions).expect("positions");
        let error = other.skin(&palette, &options, &mut skinned);
        assert!(matches!(error, Err(SkinningError::Mesh(MeshError::Length(_)))));
    });
}

#[test]
fn replaced_positions_equal_those_of_a_mesh_that_has_them() {
    let mut random = Random::new(91);
    for vertices in [0, 1, 7, 8, 9, 64, 500] {
        let cloud = VertexCloud::new(vertices, 8, JOINTS, &mut random);
        let positions: Vec<_> = (0..vertices).map(|_| random.vector(2.0)).collect();
        let mesh = build_mesh(&cloud, &[]);
        let source = MeshSource { positions: &positions, ..cloud.source() };
        let other = Mesh::new(&source, &identity_skin(JOINTS)).expect("a valid mesh");
        for order in [VertexOrder::Run, VertexOrder::Source] {
            let mut morphed = Morphed::in_order(&mesh, order);
            mesh.replace_positions(&positions, &mut morphed).expect("matching sizes");
            let expected = Morphed::in_order(&other, order);
            assert_eq!(block_bits(morphed.blocks()), block_bits(expected.blocks()), "{vertices} {order:?}");
        }
    }
}

#[test]
fn replaced_positions_of_the_wrong_number_or_not_finite_are_rejected() {
    let cloud = VertexCloud::new(9, 2, JOINTS, &mut Random::new(92));
    let mesh = build_mesh(&cloud, &[]);
    let mut morphed = Morphed::in_order(&mesh, VertexOrder::Source);
    let before = morphed.clone();
    let mut reject = |positions: &[[f32; 3]]| {
        mesh.replace_positions(positions, &mut morphed).expect_err("bad positions").to_string()
    };
    assert_eq!(reject(&[[0.0; 3]; 8]), "positions: expected 9, found 8");
    let mut positions = [[0.0; 3]; 9];
    positions[4][1] = f32::NAN;
    assert!(reject(&positions).contains("vertex 4"));
    assert_eq!(morphed.blocks(), before.blocks());
}
