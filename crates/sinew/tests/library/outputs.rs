//! Skinned vertices in every form and order, whole and in windows: the same bits everywhere, and nothing beside them.

use crate::cloud;
use crate::subjects;

use crate::memory::{Kind, Memory};
use crate::subjects::{JOINTS, Subject};
use sinew::{
    Aabb, Attributes, Blending, DirectionLength, DualPalette, Kernels, Mesh, MeshSource, NormalTransform,
    Order, Palette, SkinOptions, Skinned, Target,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;

const VERTICES: usize = if EMULATED { 50 } else { 330 };
const EVERY_ATTRIBUTES: [Attributes; 4] =
    [Attributes::Positions, Attributes::Normals, Attributes::Tangents, Attributes::Bitangents];

/// Every layout, stored bitangents, more than four influences, no vertices and one.
fn every_subject(kernels: &'static Kernels, random: &mut Random) -> Vec<Subject> {
    let mut subjects: Vec<Subject> = Subject::every(kernels, VERTICES, random).into();
    subjects.push(Subject::grouped(kernels, VERTICES, random).with_bitangents("stored bitangents", random));
    let in_joint_space = Subject::joint_space(kernels, 20, random);
    subjects.push(in_joint_space.with_bitangents("stored bitangents in joint space", random));
    subjects.push(many_influences(kernels, random));
    for vertices in [0, 1] {
        for mut subject in Subject::every(kernels, vertices, random) {
            (subject.name, subject.form) = ("none or one", None);
            subjects.push(subject);
        }
    }
    subjects
}

/// Runs of more than four joints.
fn many_influences(kernels: &'static Kernels, random: &mut Random) -> Subject {
    let mut many = Subject::grouped(kernels, 0, random);
    (many.name, many.cloud) = ("many influences", subjects::cloud_of(VERTICES, 7, random));
    many
}

fn every_options() -> [SkinOptions<'static>; 2] {
    let plain = SkinOptions::default();
    [plain, SkinOptions { directions: DirectionLength::Unit, normals: NormalTransform::Cofactor, ..plain }]
}

/// A mesh and where a palette takes it: what every form must hold.
struct Case<'a> {
    what: String,
    subject: &'a Subject,
    mesh: &'a Mesh,
    palette: &'a Palette,
    options: SkinOptions<'a>,
    expected: Skinned,
    bounds: Aabb,
}

impl<'a> Case<'a> {
    fn new(
        subject: &'a Subject,
        mesh: &'a Mesh,
        palette: &'a Palette,
        options: SkinOptions<'a>,
        attributes: Attributes,
    ) -> Self {
        let mut expected = Skinned::new(mesh, attributes).expect("all attributes");
        mesh.skin(palette, &options, &mut expected).expect("what fits");
        let mut positions = vec![[f32::NAN; 3]; mesh.len()];
        expected.positions(mesh, &mut positions).expect("positions");
        let bounds = Aabb::from_points(&positions);
        let what = format!("{}, {attributes:?}, {:?}", subject.name, options.directions);
        Self { what, subject, mesh, palette, options, expected, bounds }
    }

    /// Skins the windows into memory of the kind, and demands the bits of the whole.
    fn check(&self, kind: Kind, order: Order, windows: &[std::ops::Range<usize>], with_bounds: bool) {
        // Not before it is needed: there are many thousands of checks.
        let what = || format!("{}, {kind:?}, {order:?}, {windows:?}", self.what);
        let attributes = self.expected.attributes();
        let vertices = if order == Order::Source { self.mesh.len() } else { self.mesh.padded_len() };
        let mut memory = Memory::new(kind, attributes.vectors(), vertices);
        let mut united = Aabb::EMPTY;
        for window in windows {
            let mut bounds = Aabb::EMPTY;
            let part = (order == Order::Run).then(|| window.clone());
            let target = Target {
                order,
                bounds: with_bounds.then_some(&mut bounds),
                window: Some(window.clone()),
                ..Target::new(attributes, memory.form(part))
            };
            self.mesh
                .skin_into(self.palette, &self.options, target)
                .unwrap_or_else(|e| panic!("{}: {e}", what()));
            united = united.union(&bounds);
        }
        memory.check();
        assert_eq!(united, if with_bounds { self.bounds } else { Aabb::EMPTY }, "{}", what());
        self.compare(&memory, order, what);
    }

    fn compare(&self, memory: &Memory, order: Order, what: impl Fn() -> String) {
        let vectors = self.expected.attributes().vectors();
        for (place, &vertex) in self.mesh.vertex_of_place().iter().enumerate() {
            let at = if order == Order::Source { vertex as usize } else { place };
            for vector in 0..vectors {
                let expected = self.expected.blocks()[place / 8 * vectors + vector].vector(place % 8);
                assert!(expected.iter().all(|component| component.is_finite()), "{}: place {place}", what());
                let found = memory.vector(at, vector);
                let same = found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same, "{}: vector {vector} of {at}: expected {expected:?}, found {found:?}", what());
                if let Some(&sign) = found.get(3) {
                    assert_eq!(
                        sign,
                        self.subject.cloud.tangents[vertex as usize][3],
                        "{}: sign of {at}",
                        what()
                    );
                }
            }
        }
    }
}

/// Calls the test for every subject, attributes and options.
fn every_case(kernels: &'static Kernels, seed: u64, mut test: impl FnMut(&Case<'_>)) {
    let mut random = Random::new(seed);
    for subject in every_subject(kernels, &mut random) {
        let mesh = subject.mesh(&[]);
        let palette = subject.palette(&cloud::rigid(JOINTS, &mut random));
        for options in every_options() {
            for attributes in EVERY_ATTRIBUTES {
                test(&Case::new(&subject, &mesh, &palette, options, attributes));
            }
        }
    }
}

/// The blocks cut at random, in any order.
fn cut(blocks: usize, random: &mut Random) -> Vec<std::ops::Range<usize>> {
    let mut ends: Vec<usize> = (0..4).map(|_| random.below(blocks + 1)).chain([0, blocks]).collect();
    ends.sort_unstable();
    let mut windows: Vec<_> = ends.windows(2).map(|ends| ends[0]..ends[1]).collect();
    for i in (1..windows.len()).rev() {
        windows.swap(i, random.below(i + 1));
    }
    windows
}

#[test]
fn every_form_and_order_holds_the_same_bits() {
    every_backend(|run| {
        every_case(run.kernels, 200, |case| {
            let all = 0..case.mesh.blocks();
            let whole = std::slice::from_ref(&all);
            for kind in Kind::every(case.expected.attributes().vectors()) {
                for order in [Order::Run, Order::Source] {
                    if kind.allows(order) {
                        case.check(kind, order, whole, false);
                        case.check(kind, order, whole, true);
                    }
                }
            }
        });
    });
}

#[test]
fn no_result_depends_on_how_blocks_are_divided() {
    every_backend(|run| {
        let mut random = Random::new(201);
        every_case(run.kernels, 202, |case| {
            for kind in Kind::every(case.expected.attributes().vectors()) {
                for order in [Order::Run, Order::Source] {
                    if kind.allows(order) {
                        for with_bounds in [false, true] {
                            case.check(kind, order, &cut(case.mesh.blocks(), &mut random), with_bounds);
                        }
                    }
                }
            }
        });
    });
}

#[test]
fn every_single_block_can_be_skinned_alone() {
    every_backend(|run| {
        let mut random = Random::new(203);
        for subject in Subject::every(run.kernels, VERTICES / 2, &mut random) {
            let mesh = subject.mesh(&[]);
            let palette = subject.palette(&cloud::rigid(JOINTS, &mut random));
            let case = Case::new(&subject, &mesh, &palette, SkinOptions::default(), Attributes::Tangents);
            let windows: Vec<_> = (0..mesh.blocks()).rev().map(|block| block..block + 1).collect();
            for kind in Kind::every(3) {
                case.check(kind, Order::Run, &windows, false);
            }
        }
    });
}

#[test]
fn dual_quaternions_and_levels_go_into_every_form() {
    every_backend(|run| {
        let mut random = Random::new(204);
        let many = many_influences(run.kernels, &mut random);
        for subject in Subject::every(run.kernels, VERTICES, &mut random).into_iter().chain([many]) {
            let mesh = subject.mesh(&[2]);
            let palette = subject.palette(&cloud::rigid(JOINTS, &mut random));
            let mut duals = DualPalette::new(&subject.skin);
            duals.update(&palette).unwrap();
            let level = SkinOptions { max_influences: 2, ..SkinOptions::default() };
            let mut every_options = vec![level];
            if subject.vectors.is_none() {
                every_options
                    .push(SkinOptions { blending: Blending::Duals(&duals), ..SkinOptions::default() });
            }
            for options in every_options {
                for attributes in [Attributes::Normals, Attributes::Bitangents] {
                    let case = Case::new(&subject, &mesh, &palette, options, attributes);
                    let windows = cut(mesh.blocks(), &mut random);
                    for kind in Kind::every(attributes.vectors()) {
                        case.check(kind, Order::Run, &windows, true);
                        case.check(kind, Order::Run, &windows, false);
                    }
                    case.check(Kind::Packed, Order::Source, &windows, true);
                }
            }
        }
    });
}

#[test]
fn bitangents_are_those_stored_or_made_of_normal_tangent_and_sign() {
    every_backend(|run| {
        every_case(run.kernels, 205, |case| {
            if case.expected.attributes() != Attributes::Bitangents {
                return;
            }
            let Case { what, subject, mesh, .. } = case;
            let mut all = [0; 3].map(|_| vec![[f32::NAN; 3]; mesh.len()]);
            let [normals, tangents, bitangents] = &mut all;
            case.expected.normals(mesh, normals).unwrap();
            case.expected.tangents(mesh, tangents).unwrap();
            case.expected.bitangents(mesh, bitangents).unwrap();
            let stored = subject.bitangents.as_ref();
            for vertex in (0..mesh.len()).filter(|_| stored.is_none()) {
                let ([a, b, c], [x, y, z]) =
                    (normals[vertex].map(f64::from), tangents[vertex].map(f64::from));
                let sign = f64::from(subject.cloud.tangents[vertex][3]);
                let mut expected = [b * z - c * y, c * x - a * z, a * y - b * x].map(|e| sign * e);
                let length = subjects::length(expected);
                if case.options.directions == DirectionLength::Unit {
                    expected = expected.map(|component| component / length);
                }
                for (found, expected) in bitangents[vertex].iter().zip(expected) {
                    let allowed = 1e-6_f64.max(1e-6 / length);
                    let apart = (f64::from(*found) - expected).abs();
                    assert!(apart <= allowed, "{run}: {what}: vertex {vertex}: {found} {expected}");
                }
            }
            // What is stored turns like a tangent: put there, it must become the same bits.
            if let Some(stored) = stored {
                let mut as_tangents = subject.cloud.clone();
                as_tangents.tangents = stored.iter().map(|&[x, y, z]| [x, y, z, 1.0]).collect();
                let (influences, triangles) = (subject.source().influences, &[][..]);
                let positions = subject.source().positions;
                let source = MeshSource { positions, influences, triangles, ..as_tangents.source() };
                let source = MeshSource { weights: subject.weights, ..source };
                let other = Mesh::new(&source, &subject.skin).unwrap();
                let [_, _, expected] = subjects::moved(&other, case.palette, &case.options);
                assert_eq!(*bitangents, expected, "{run}: {what}");
            }
        });
    });
}
