//! Morph targets: what they make of a mesh, and what is refused.

use crate::cloud;

use crate::cloud::Cloud;
use sinew::kernels::BLOCK;
use sinew::{Attributes, Deltas, Error, Mesh, MeshSource, MorphSource, Morphed, SkinOptions, Skinned};
use sinew_testkit::backends::every_backend;
use sinew_testkit::random::Random;

const JOINTS: usize = 12;
const NAMES: [&str; 4] = ["smile", "blink", "", "smile"];
const WEIGHTS: [f32; 4] = [0.75, -0.5, 0.0, 1.5];

/// Dense deltas of positions, normals and tangents; most are zero.
#[derive(Clone)]
struct Target([Vec<[f32; 3]>; 3]);

impl Target {
    fn new(vertices: usize, target: usize, random: &mut Random) -> Self {
        Self([0, 1, 2].map(|vector| {
            // The first moves every position, the second nothing but positions.
            let once_in = [1, 30, 7, 200][target] * (1 + vector);
            let still = target == 1 && vector > 0;
            let mut delta = || {
                if still || !random.once_in(once_in) { [0.0; 3] } else { random.vector(0.5) }
            };
            (0..vertices).map(|_| delta()).collect()
        }))
    }

    fn all(vertices: usize, random: &mut Random) -> Vec<Self> {
        (0..NAMES.len()).map(|target| Self::new(vertices, target, random)).collect()
    }

    fn dense<'a>(&'a self, name: &'a str) -> MorphSource<'a> {
        let [positions, normals, tangents] = self.0.each_ref().map(|deltas| Deltas::Dense(deltas));
        MorphSource { name, positions, normals, tangents }
    }
}

fn dense(targets: &[Target]) -> Vec<MorphSource<'_>> {
    targets.iter().zip(NAMES).map(|(target, name)| target.dense(name)).collect()
}

fn clouds() -> impl Iterator<Item = (Cloud, Vec<Target>)> {
    let mut random = Random::new(90);
    [0, 1, 7, 8, 9, 64, 500].into_iter().map(move |vertices| {
        let cloud = Cloud::new(vertices, 8, JOINTS, &mut random);
        (cloud, Target::all(vertices, &mut random))
    })
}

fn mesh(cloud: &Cloud, morphs: &[MorphSource<'_>]) -> Mesh {
    Mesh::new(&MeshSource { morphs, ..cloud.source() }, &cloud::skin(JOINTS)).expect("a sound mesh")
}

fn morphed(mesh: &Mesh, weights: &[f32]) -> Morphed {
    let mut morphed = Morphed::new(mesh);
    mesh.morph(weights, &mut morphed).expect("what fits");
    morphed
}

/// The vectors of each vertex in the source's order.
fn by_vertex(mesh: &Mesh, morphed: &Morphed) -> Vec<Vec<[f32; 3]>> {
    let vectors = morphed.vectors();
    let vertex = |&place: &u32| {
        let place = place as usize;
        (0..vectors).map(|v| morphed.blocks()[place / BLOCK * vectors + v].vector(place % BLOCK)).collect()
    };
    mesh.place_of_vertex().iter().map(vertex).collect()
}

fn bits(morphed: &Morphed) -> Vec<u32> {
    let rows = morphed.blocks().iter().flat_map(|block| block.rows.as_flattened());
    rows.map(|component| component.to_bits()).collect()
}

#[test]
fn vertices_are_where_a_plain_loop_takes_them_on_every_isa() {
    for (cloud, targets) in clouds() {
        let base = |vertex: usize| {
            let [x, y, z, _] = cloud.tangents[vertex];
            [cloud.positions[vertex], cloud.normals[vertex], [x, y, z]]
        };
        every_backend(|run| {
            let source = MeshSource { morphs: &dense(&targets), ..cloud.source() };
            let mesh = Mesh::new(&source, &cloud::skin_on(run.kernels, JOINTS)).unwrap();
            for (vertex, found) in by_vertex(&mesh, &morphed(&mesh, &WEIGHTS)).iter().enumerate() {
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
fn sparse_targets_equal_dense_ones() {
    for (cloud, targets) in clouds() {
        // In falling order, with some zeros among them.
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
        let (dense, sparse) = (mesh(&cloud, &dense(&targets)), mesh(&cloud, &sparse));
        assert_eq!(dense.morph_bytes(), sparse.morph_bytes());
        assert_eq!(bits(&morphed(&dense, &WEIGHTS)), bits(&morphed(&sparse, &WEIGHTS)));
    }
}

#[test]
fn without_weight_the_mesh_stays_bit_for_bit() {
    for (cloud, targets) in clouds() {
        let mesh = mesh(&cloud, &dense(&targets));
        let mut moved = morphed(&mesh, &WEIGHTS);
        mesh.morph(&[0.0, -0.0, 0.0, 0.0], &mut moved).unwrap();
        assert_eq!(bits(&moved), bits(&Morphed::new(&mesh)));
        let vertices = by_vertex(&mesh, &moved);
        let positions: Vec<_> = vertices.iter().map(|vertex| vertex[0]).collect();
        assert_eq!(positions, cloud.positions);
    }
}

#[test]
fn reordering_vertices_reorders_what_is_moved() {
    let mut random = Random::new(91);
    for (cloud, targets) in clouds() {
        let vertices = cloud.positions.len();
        let mut order: Vec<usize> = (0..vertices).collect();
        for vertex in (1..vertices).rev() {
            order.swap(vertex, random.below(vertex + 1));
        }
        let reordered = |deltas: &Vec<[f32; 3]>| order.iter().map(|&vertex| deltas[vertex]).collect();
        let turned: Vec<_> =
            targets.iter().map(|target| Target(target.0.each_ref().map(reordered))).collect();
        let one = mesh(&cloud, &dense(&targets));
        let two = mesh(&cloud.reordered(&order), &dense(&turned));
        let (one, two) =
            (by_vertex(&one, &morphed(&one, &WEIGHTS)), by_vertex(&two, &morphed(&two, &WEIGHTS)));
        for (found, &vertex) in two.iter().zip(&order) {
            assert_eq!(*found, one[vertex]);
        }
    }
}

#[test]
fn pads_are_moved_with_their_vertex() {
    for (cloud, targets) in clouds() {
        let mesh = mesh(&cloud, &dense(&targets));
        let morphed = morphed(&mesh, &WEIGHTS);
        let of = |place: usize, v: usize| morphed.blocks()[place / BLOCK * 3 + v].vector(place % BLOCK);
        for (place, &vertex) in mesh.vertex_of_place().iter().enumerate() {
            let own = mesh.place_of_vertex()[vertex as usize] as usize;
            for v in 0..3 {
                assert_eq!(of(place, v), of(own, v), "place {place} of vertex {vertex}");
            }
        }
    }
}

#[test]
fn targets_keep_their_names_and_order() {
    for (cloud, targets) in clouds() {
        let mesh = mesh(&cloud, &dense(&targets));
        assert_eq!(mesh.morph_count(), NAMES.len());
        assert!(mesh.morph_names().eq(NAMES));
    }
    let mesh = Cloud::default().mesh(&cloud::skin(JOINTS));
    assert_eq!((mesh.morph_count(), mesh.morph_bytes(), mesh.morph_names().len()), (0, 0, 0));
    mesh.morph(&[], &mut Morphed::new(&mesh)).unwrap();
}

#[test]
fn only_blocks_that_move_take_memory() {
    let cloud = Cloud::new(500, 8, JOINTS, &mut Random::new(92));
    let bytes = |morph: MorphSource<'_>| mesh(&cloud, &[morph]).morph_bytes();
    let nothing = bytes(MorphSource::default());
    let zeros = [[0.0, -0.0, 0.0]; 500];
    let still = Deltas::Dense(&zeros);
    assert_eq!(bytes(MorphSource { positions: still, normals: still, ..MorphSource::default() }), nothing);

    let one = Deltas::Sparse { vertices: &[77], deltas: &[[1.0, 0.0, 0.0]] };
    let block = size_of::<sinew::VectorBlock>();
    let moved = |morph| bytes(morph) - nothing - 4;
    assert_eq!(moved(MorphSource { positions: one, normals: still, ..MorphSource::default() }), block);
    // Tangents come after normals, which are not moved here.
    assert_eq!(moved(MorphSource { tangents: one, ..MorphSource::default() }), 3 * block);

    let plain = cloud.mesh(&cloud::skin(JOINTS));
    assert_eq!(
        mesh(&cloud, &[MorphSource { positions: one, ..MorphSource::default() }]).bytes(),
        plain.bytes()
    );
}

#[test]
fn bitangents_stay() {
    let cloud = Cloud::new(20, 2, JOINTS, &mut Random::new(93));
    let bitangents: Vec<[f32; 3]> = cloud.normals.iter().map(|[x, y, z]| [*z, *x, *y]).collect();
    let targets = Target::all(20, &mut Random::new(94));
    let morphs = dense(&targets);
    let source = MeshSource { bitangents: Some(&bitangents), morphs: &morphs, ..cloud.source() };
    let four = Mesh::new(&source, &cloud::skin(JOINTS)).unwrap();
    let three = mesh(&cloud, &morphs);
    let with = by_vertex(&four, &morphed(&four, &WEIGHTS));
    let without = by_vertex(&three, &morphed(&three, &WEIGHTS));
    for (vertex, (with, without)) in with.iter().zip(&without).enumerate() {
        assert_eq!(with[..3], without[..]);
        assert_eq!(with[3], bitangents[vertex]);
    }
}

#[test]
fn morphing_allocates_nothing() {
    let cloud = Cloud::new(500, 8, JOINTS, &mut Random::new(95));
    let targets = Target::all(500, &mut Random::new(96));
    let mesh = mesh(&cloud, &dense(&targets));
    let mut morphed = Morphed::new(&mesh);
    let counted = allocation_counter::measure(|| {
        for weights in [WEIGHTS, [0.0; 4], [1.0; 4]] {
            mesh.morph(&weights, &mut morphed).expect("what fits");
        }
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn skinning_moves_what_morphing_made() {
    every_backend(|run| {
        let mut random = Random::new(91);
        let cloud = Cloud::new(100, 4, JOINTS, &mut random);
        let targets = Target::all(100, &mut random);
        let skin = cloud::skin_on(run.kernels, JOINTS);
        let morphs = dense(&targets);
        let mesh = Mesh::new(&MeshSource { morphs: &morphs, ..cloud.source() }, &skin).expect("a sound mesh");
        let morphed = morphed(&mesh, &WEIGHTS);
        let palette = cloud::palette(&skin, &cloud::rigid(JOINTS, &mut random));
        let mut found = Skinned::new(&mesh, Attributes::Tangents).expect("tangents");
        let options = SkinOptions { morphed: Some(&morphed), ..SkinOptions::default() };
        mesh.skin(&palette, &options, &mut found).expect("what fits");

        // The same vertices as a mesh of their own.
        let mut made = cloud.clone();
        for (vertex, vectors) in by_vertex(&mesh, &morphed).into_iter().enumerate() {
            made.positions[vertex] = vectors[0];
            made.normals[vertex] = vectors[1];
            made.tangents[vertex][..3].copy_from_slice(&vectors[2]);
        }
        let made = made.mesh(&skin);
        let mut expected = Skinned::new(&made, Attributes::Tangents).expect("tangents");
        made.skin(&palette, &SkinOptions::default(), &mut expected).expect("what fits");
        assert_eq!(found.blocks(), expected.blocks(), "{run}");

        // The morphed vertices of another mesh do not fit.
        let other = Cloud::new(9, 4, JOINTS, &mut random).mesh(&skin);
        let mut skinned = Skinned::new(&other, Attributes::Positions).expect("positions");
        assert!(matches!(other.skin(&palette, &options, &mut skinned), Err(Error::Length { .. })));
    });
}
