//! Skinning into every layout and order, at once and in windows, gives the same bits and writes
//! nothing else.

use sinew::mesh::Attributes;
use sinew::skinning::{
    Blending, DirectionLength, DualQuaternionPalette, NormalTransform, Skinned, Target, VertexLayout,
    VertexOrder, VertexWriter,
};
use sinew::{Aabb, Mesh, MeshSource, Palette, Runtime, SkinOptions};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::runtime;
use crate::support::guarded_output::{GuardedOutput, OutputKind};
use crate::support::test_meshes::{JOINTS, TestMesh, cloud_with_repeated_joints, skin_vectors};
use crate::support::vec3_f64::length;

const VERTICES: usize = if EMULATED { 50 } else { 330 };
const ATTRIBUTES: [Attributes; 4] =
    [Attributes::Positions, Attributes::Normals, Attributes::Tangents, Attributes::Bitangents];

/// Meshes of every layout, with stored bitangents, with more than four influences, empty, and of
/// one vertex.
fn test_meshes_of_every_kind(runtime: Runtime, random: &mut Random) -> Vec<TestMesh> {
    let mut test_meshes: Vec<TestMesh> = TestMesh::every_layout(runtime, VERTICES, random).into();
    test_meshes.push(
        TestMesh::shared_joints(runtime, VERTICES, random).with_bitangents("stored bitangents", random),
    );
    let in_joint_space = TestMesh::joint_space(runtime, 20, random);
    test_meshes.push(in_joint_space.with_bitangents("stored bitangents in joint space", random));
    test_meshes.push(mesh_of_many_influences(runtime, random));
    for vertices in [0, 1] {
        for mut test_mesh in TestMesh::every_layout(runtime, vertices, random) {
            (test_mesh.name, test_mesh.grouping) = ("none or one", None);
            test_meshes.push(test_mesh);
        }
    }
    test_meshes
}

/// A mesh with runs of more than four joints.
fn mesh_of_many_influences(runtime: Runtime, random: &mut Random) -> TestMesh {
    let mut many = TestMesh::shared_joints(runtime, 0, random);
    (many.name, many.cloud) = ("many influences", cloud_with_repeated_joints(VERTICES, 7, random));
    many
}

fn every_options() -> [SkinOptions<'static>; 2] {
    let plain = SkinOptions::default();
    [plain, plain.with_directions(DirectionLength::Unit).with_normals(NormalTransform::Cofactor)]
}

/// A mesh, a palette, and the skinned vertices that every layout must contain.
struct Case<'a> {
    context: String,
    test_mesh: &'a TestMesh,
    mesh: &'a Mesh,
    palette: &'a Palette,
    options: SkinOptions<'a>,
    expected: Skinned,
    /// Each vector of each vertex in source order.
    expected_in_source_order: Vec<Vec<[f32; 3]>>,
}

impl<'a> Case<'a> {
    fn new(
        test_mesh: &'a TestMesh,
        mesh: &'a Mesh,
        palette: &'a Palette,
        options: SkinOptions<'a>,
        attributes: Attributes,
    ) -> Self {
        let mut expected = Skinned::new(mesh, attributes).expect("all attributes");
        mesh.skin(palette, &options, &mut expected).expect("matching sizes");
        let mut in_source_order = vec![vec![[f32::NAN; 3]; mesh.len()]; attributes.vectors()];
        let layout = VertexLayout::packed(attributes.vectors());
        let writer = VertexWriter::new(&layout, &mut in_source_order, mesh.len()).expect("sound buffers");
        mesh.skin_into(palette, &options, Target::vertices(writer)).expect("matching sizes");
        let context = format!("{}, {attributes:?}, {:?}", test_mesh.name, options.directions);
        let expected_in_source_order = in_source_order;
        Self { context, test_mesh, mesh, palette, options, expected, expected_in_source_order }
    }

    /// The number of blocks in an order.
    fn blocks(&self, order: VertexOrder) -> usize {
        if order == VertexOrder::Source { self.mesh.len().div_ceil(8) } else { self.mesh.blocks() }
    }

    /// The AABB of the expected positions.
    fn bounds(&self, order: VertexOrder) -> Aabb {
        if order == VertexOrder::Source {
            return Aabb::from_points(&self.expected_in_source_order[0]);
        }
        let mut positions = vec![[f32::NAN; 3]; self.mesh.len()];
        self.expected.positions(self.mesh, &mut positions).expect("positions");
        Aabb::from_points(&positions)
    }

    /// What a vector of a slot, or of a vertex in source order, must be.
    fn expected(&self, order: VertexOrder, at: usize, vector: usize) -> [f32; 3] {
        if order == VertexOrder::Source {
            return self.expected_in_source_order[vector][at];
        }
        self.expected.blocks()[at / 8 * self.expected.attributes().vectors() + vector].vector(at % 8)
    }

    /// Skins windows into one kind of memory, and asserts the bits of skinning at once.
    fn check(
        &self,
        kind: OutputKind,
        order: VertexOrder,
        windows: &[std::ops::Range<usize>],
        with_bounds: bool,
    ) {
        // Formatted only on failure: there are many thousands of checks.
        let context = || format!("{}, {kind:?}, {order:?}, {windows:?}", self.context);
        let attributes = self.expected.attributes();
        let vertices = if order == VertexOrder::Source { self.mesh.len() } else { self.mesh.padded_len() };
        let mut output = GuardedOutput::new(kind, attributes.vectors(), vertices);
        let mut united = Aabb::EMPTY;
        for window in windows {
            let mut bounds = Aabb::EMPTY;
            let target = Target {
                order,
                bounds: with_bounds.then_some(&mut bounds),
                window: Some(window.clone()),
                ..Target::new(attributes, output.output(Some(window.clone())))
            };
            self.mesh
                .skin_into(self.palette, &self.options, target)
                .unwrap_or_else(|e| panic!("{}: {e}", context()));
            united = united.union(&bounds);
        }
        output.assert_guards_intact();
        let bounds = if with_bounds { self.bounds(order) } else { Aabb::EMPTY };
        assert_eq!(united, bounds, "{}", context());
        self.compare(&output, order, context);
    }

    fn compare(&self, output: &GuardedOutput, order: VertexOrder, context: impl Fn() -> String) {
        let vectors = self.expected.attributes().vectors();
        for (slot, &vertex) in self.mesh.inverse_remap().iter().enumerate() {
            let at = if order == VertexOrder::Source { vertex as usize } else { slot };
            for vector in 0..vectors {
                let expected = self.expected(order, at, vector);
                assert!(expected.iter().all(|component| component.is_finite()), "{}: slot {slot}", context());
                let found = output.vector(at, vector);
                let same = found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(
                    same,
                    "{}: vector {vector} of {at}: expected {expected:?}, found {found:?}",
                    context()
                );
                if let Some(&sign) = found.get(3) {
                    assert_eq!(
                        sign,
                        self.test_mesh.cloud.tangents[vertex as usize][3],
                        "{}: sign of {at}",
                        context()
                    );
                }
            }
        }
    }
}

/// Calls the test for every mesh, attributes and options.
fn every_case(runtime: Runtime, seed: u64, mut test: impl FnMut(&Case<'_>)) {
    let mut random = Random::new(seed);
    for test_mesh in test_meshes_of_every_kind(runtime, &mut random) {
        let mesh = test_mesh.mesh(&[]);
        let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
        for options in every_options() {
            for attributes in ATTRIBUTES {
                test(&Case::new(&test_mesh, &mesh, &palette, options, attributes));
            }
        }
    }
}

/// Random windows that cover all blocks, in random order.
fn random_windows(blocks: usize, random: &mut Random) -> Vec<std::ops::Range<usize>> {
    let mut ends: Vec<usize> = (0..4).map(|_| random.below(blocks + 1)).chain([0, blocks]).collect();
    ends.sort_unstable();
    let mut windows: Vec<_> = ends.windows(2).map(|ends| ends[0]..ends[1]).collect();
    for i in (1..windows.len()).rev() {
        windows.swap(i, random.below(i + 1));
    }
    windows
}

#[test]
fn every_output_layout_and_order_has_the_same_bits() {
    every_backend(|run| {
        every_case(runtime(run), 200, |case| {
            for kind in OutputKind::every_kind(case.expected.attributes().vectors()) {
                for order in [VertexOrder::Run, VertexOrder::Source] {
                    let all = 0..case.blocks(order);
                    let whole = std::slice::from_ref(&all);
                    if kind.supports(order) {
                        case.check(kind, order, whole, false);
                        case.check(kind, order, whole, true);
                    }
                }
            }
        });
    });
}

/// How much larger the rounding errors of each vector of a slot are after renormalization: a vector
/// as long as its error has no direction.
fn amplification(case: &Case<'_>, blended: &Case<'_>, slot: usize) -> [f64; 4] {
    let vectors = case.expected.attributes().vectors();
    let vector =
        |case: &Case<'_>, vector: usize| case.expected(VertexOrder::Run, slot, vector).map(f64::from);
    let mut by_length = [1.0; 4];
    if case.options.directions == DirectionLength::Unit {
        for (index, by_length) in by_length.iter_mut().enumerate().take(vectors).skip(1) {
            *by_length = 1.0_f64.max(1.0 / length(vector(blended, index)));
        }
        if vectors == 4 && case.test_mesh.bitangents.is_none() {
            let ([a, b, c], [x, y, z]) = (vector(case, 1), vector(case, 2));
            let cross = length([b * z - c * y, c * x - a * z, a * y - b * x]);
            by_length[3] = (by_length[1] + by_length[2]) * 1.0_f64.max(1.0 / cross);
        }
    }
    by_length
}

/// The two orders blend in different ways: in run order by the matrices of a run, in source order
/// each vertex by itself.
#[test]
fn source_order_differs_from_run_order_by_rounding_only() {
    every_backend(|run| {
        every_case(runtime(run), 206, |case| {
            let &Case { test_mesh, mesh, palette, options, .. } = case;
            let blended = options.with_directions(DirectionLength::AsBlended);
            let blended = Case::new(test_mesh, mesh, palette, blended, case.expected.attributes());
            for (vertex, &slot) in case.mesh.remap().iter().enumerate() {
                let amplification = amplification(case, &blended, slot as usize);
                let vectors = case.expected.attributes().vectors();
                for (vector, amplification) in amplification.into_iter().enumerate().take(vectors) {
                    let a = case.expected(VertexOrder::Run, slot as usize, vector);
                    let b = case.expected(VertexOrder::Source, vertex, vector);
                    for axis in 0..3 {
                        let scale = a.iter().fold(1.0_f32, |scale, x| scale.max(x.abs()));
                        let error = f64::from((a[axis] - b[axis]).abs() / scale);
                        assert!(
                            error < 4e-6 * amplification,
                            "{}: vector {vector} of {vertex}: {a:?} {b:?}",
                            case.context
                        );
                    }
                }
            }
        });
    });
}

#[test]
fn results_do_not_depend_on_the_split_into_windows() {
    every_backend(|run| {
        let mut random = Random::new(201);
        every_case(runtime(run), 202, |case| {
            for kind in OutputKind::every_kind(case.expected.attributes().vectors()) {
                for order in [VertexOrder::Run, VertexOrder::Source] {
                    if kind.supports(order) {
                        for with_bounds in [false, true] {
                            case.check(
                                kind,
                                order,
                                &random_windows(case.blocks(order), &mut random),
                                with_bounds,
                            );
                        }
                    }
                }
            }
        });
    });
}

#[test]
fn every_block_can_be_skinned_alone() {
    every_backend(|run| {
        let mut random = Random::new(203);
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES / 2, &mut random) {
            let mesh = test_mesh.mesh(&[]);
            let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
            let case = Case::new(&test_mesh, &mesh, &palette, SkinOptions::default(), Attributes::Tangents);
            let windows: Vec<_> = (0..mesh.blocks()).rev().map(|block| block..block + 1).collect();
            for kind in OutputKind::every_kind(3) {
                case.check(kind, VertexOrder::Run, &windows, false);
            }
        }
    });
}

#[test]
fn dual_quaternion_and_lod_skinning_write_every_layout() {
    every_backend(|run| {
        let mut random = Random::new(204);
        let many = mesh_of_many_influences(runtime(run), &mut random);
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut random).into_iter().chain([many])
        {
            let mesh = test_mesh.mesh(&[2]);
            let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
            let mut dual_quaternions = DualQuaternionPalette::new(&test_mesh.skin);
            dual_quaternions.update(&palette).unwrap();
            let level = SkinOptions::default().with_max_influences(2);
            let mut every_options = vec![level];
            if test_mesh.joint_space_vectors.is_none() {
                every_options
                    .push(SkinOptions::default().with_blending(Blending::DualQuaternion(&dual_quaternions)));
            }
            for options in every_options {
                for attributes in [Attributes::Normals, Attributes::Bitangents] {
                    let case = Case::new(&test_mesh, &mesh, &palette, options, attributes);
                    let windows = random_windows(mesh.blocks(), &mut random);
                    for kind in OutputKind::every_kind(attributes.vectors()) {
                        case.check(kind, VertexOrder::Run, &windows, true);
                        case.check(kind, VertexOrder::Run, &windows, false);
                    }
                    let windows = random_windows(case.blocks(VertexOrder::Source), &mut random);
                    case.check(OutputKind::Packed, VertexOrder::Source, &windows, true);
                }
            }
        }
    });
}

#[test]
fn bitangents_are_stored_or_derived_from_normal_tangent_and_sign() {
    every_backend(|run| {
        every_case(runtime(run), 205, |case| {
            if case.expected.attributes() != Attributes::Bitangents {
                return;
            }
            let Case { context, test_mesh, mesh, .. } = case;
            let mut all = [0; 3].map(|_| vec![[f32::NAN; 3]; mesh.len()]);
            let [normals, tangents, bitangents] = &mut all;
            case.expected.normals(mesh, normals).unwrap();
            case.expected.tangents(mesh, tangents).unwrap();
            case.expected.bitangents(mesh, bitangents).unwrap();
            let stored = test_mesh.bitangents.as_ref();
            for vertex in (0..mesh.len()).filter(|_| stored.is_none()) {
                let ([a, b, c], [x, y, z]) =
                    (normals[vertex].map(f64::from), tangents[vertex].map(f64::from));
                let sign = f64::from(test_mesh.cloud.tangents[vertex][3]);
                let mut expected = [b * z - c * y, c * x - a * z, a * y - b * x].map(|e| sign * e);
                let length = length(expected);
                if case.options.directions == DirectionLength::Unit {
                    expected = expected.map(|component| component / length);
                }
                for (found, expected) in bitangents[vertex].iter().zip(expected) {
                    let allowed = 1e-6_f64.max(1e-6 / length);
                    let difference = (f64::from(*found) - expected).abs();
                    assert!(difference <= allowed, "{run}: {context}: vertex {vertex}: {found} {expected}");
                }
            }
            // Stored bitangents are skinned like tangents: as tangents they must give the same
            // bits.
            if let Some(stored) = stored {
                let mut as_tangents = test_mesh.cloud.clone();
                as_tangents.tangents = stored.iter().map(|&[x, y, z]| [x, y, z, 1.0]).collect();
                let (influences, triangles) = (test_mesh.source().influences, &[][..]);
                let positions = test_mesh.source().positions;
                let source = MeshSource { positions, influences, triangles, ..as_tangents.source() };
                let source = MeshSource { weights: test_mesh.weights, ..source };
                let other = Mesh::new(&source, &test_mesh.skin).unwrap();
                let [_, _, expected] = skin_vectors(&other, case.palette, &case.options);
                assert_eq!(*bitangents, expected, "{run}: {context}");
            }
        });
    });
}
