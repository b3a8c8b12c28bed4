//! Invalid morph targets are rejected with a message that names the target and the vertex.

use sinew::mesh::{Deltas, MorphSource, Morphed};
use sinew::{Influences, Mesh, MeshSource};
use sinew_testkit::random::Random;

use crate::support::three_vertices::{POSITIONS, THREE_VERTICES};
use crate::support::vertex_cloud::{VertexCloud, identity_skin};

const VALID: MeshSource<'_> = MeshSource { morphs: &[DENSE, SPARSE], ..THREE_VERTICES };
const DENSE: MorphSource<'_> = {
    let deltas = Deltas::Dense(&POSITIONS);
    MorphSource { name: "smile", positions: deltas, normals: deltas, tangents: deltas }
};
const SPARSE: MorphSource<'_> = {
    let deltas = Deltas::Sparse { vertices: &[2, 0], deltas: &[[1.0; 3]; 2] };
    MorphSource { name: "", positions: deltas, normals: deltas, tangents: deltas }
};

fn valid_mesh() -> Mesh {
    Mesh::new(&VALID, &identity_skin(2)).expect("a valid mesh")
}

fn build_error(source: &MeshSource<'_>) -> String {
    Mesh::new(source, &identity_skin(2)).expect_err("a fault").to_string()
}

/// The error messages for a second target with these deltas for positions, normals or tangents.
fn deltas_errors(deltas: Deltas<'_>) -> [String; 3] {
    [
        MorphSource { positions: deltas, ..DENSE },
        MorphSource { normals: deltas, ..DENSE },
        MorphSource { tangents: deltas, ..DENSE },
    ]
    .map(|morph| build_error(&MeshSource { morphs: &[SPARSE, morph], ..VALID }))
}

/// The message for each attribute, whose name replaces `*`.
fn messages_for_each_attribute(pattern: &str) -> [String; 3] {
    ["position", "normal", "tangent"].map(|what| pattern.replace('*', what))
}

#[test]
fn a_wrong_number_of_deltas_is_rejected() {
    for (found, deltas) in [(0, &[][..]), (2, &POSITIONS[..2]), (4, &[[0.0; 3]; 4][..])] {
        let pattern = format!("morph target 1 \"smile\": expected 3 deltas of *s, found {found}");
        assert_eq!(deltas_errors(Deltas::Dense(deltas)), messages_for_each_attribute(&pattern));
    }
    for (vertices, deltas) in [(&[][..], 1), (&[0, 1][..], 3), (&[0, 1, 2][..], 0)] {
        let pattern =
            format!("morph target 1 \"smile\": expected {} deltas of *s, found {deltas}", vertices.len());
        let sparse = Deltas::Sparse { vertices, deltas: &POSITIONS[..deltas] };
        assert_eq!(deltas_errors(sparse), messages_for_each_attribute(&pattern));
    }
}

#[test]
fn a_delta_for_a_vertex_out_of_range_is_rejected() {
    for vertex in [3, u32::MAX] {
        let sparse = Deltas::Sparse { vertices: &[0, vertex, 1], deltas: &POSITIONS };
        let pattern =
            format!("morph target 1 \"smile\": expected *s of vertices below 3, found vertex {vertex}");
        assert_eq!(deltas_errors(sparse), messages_for_each_attribute(&pattern));
    }
    let morph = MorphSource {
        name: "",
        positions: Deltas::Sparse { vertices: &[0], deltas: &[[0.0; 3]] },
        ..MorphSource::default()
    };
    let nothing = VertexCloud::default();
    let found = build_error(&MeshSource { morphs: &[morph], ..nothing.source() });
    assert_eq!(found, "morph target 0: expected positions of vertices below 0, found vertex 0");
}

#[test]
fn a_repeated_vertex_is_rejected() {
    let sparse = Deltas::Sparse { vertices: &[2, 0, 2], deltas: &POSITIONS };
    let pattern = "morph target 1 \"smile\": expected *s of each vertex once, found vertex 2 twice";
    assert_eq!(deltas_errors(sparse), messages_for_each_attribute(pattern));
}

#[test]
fn non_finite_deltas_are_rejected_with_their_vertex() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for axis in 0..3 {
            let mut deltas = POSITIONS;
            deltas[1][axis] = bad;
            let pattern = "morph target 1 \"smile\": delta of the * of vertex 1: \
                           expected finite numbers, found others";
            assert_eq!(deltas_errors(Deltas::Dense(&deltas)), messages_for_each_attribute(pattern));
            let pattern = pattern.replace("vertex 1", "vertex 2");
            let sparse = Deltas::Sparse { vertices: &[0, 2], deltas: &deltas[..2] };
            assert_eq!(deltas_errors(sparse), messages_for_each_attribute(&pattern));
        }
    }
}

#[test]
fn deltas_of_missing_attributes_are_rejected() {
    let found = build_error(&MeshSource { tangents: None, ..VALID });
    assert_eq!(found, "morph target 0 \"smile\": expected tangents of the mesh to move, found none");
    let found = build_error(&MeshSource { normals: None, tangents: None, ..VALID });
    assert_eq!(found, "morph target 0 \"smile\": expected normals of the mesh to move, found none");
    let positions = MorphSource { normals: Deltas::None, tangents: Deltas::None, ..DENSE };
    let source = MeshSource { normals: None, tangents: None, morphs: &[positions], ..VALID };
    assert!(Mesh::new(&source, &identity_skin(2)).is_ok());
}

#[test]
fn morph_targets_with_joint_space_influences_are_rejected() {
    let influences = Influences::JointSpace {
        counts: &[1, 2, 1],
        joints: &[0, 0, 1, 1],
        weights: &[1.0, 0.5, 0.5, 1.0],
        vectors: &[[0.0; 3]; 4],
    };
    let source = MeshSource { positions: &[], influences, ..VALID };
    let expected = "morph targets: expected none with influences in joint space, found 2";
    assert_eq!(build_error(&source), expected);
    assert!(Mesh::new(&MeshSource { morphs: &[], ..source }, &identity_skin(2)).is_ok());
}

#[test]
fn a_wrong_number_of_weights_is_rejected() {
    let mesh = valid_mesh();
    let mut morphed = Morphed::new(&mesh);
    for weights in [&[][..], &[1.0], &[1.0; 3]] {
        let found = mesh.morph(weights, &mut morphed).unwrap_err().to_string();
        assert_eq!(found, format!("weights of morph targets: expected 2, found {}", weights.len()));
    }
}

#[test]
fn non_finite_weights_are_rejected() {
    let mesh = valid_mesh();
    let mut morphed = Morphed::new(&mesh);
    let before = morphed.blocks().to_vec();
    for (bad, spelled) in [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf")] {
        let found = mesh.morph(&[bad, 1.0], &mut morphed).unwrap_err().to_string();
        assert_eq!(
            found,
            format!("weight of morph target 0 \"smile\": expected a finite number, found {spelled}")
        );
        let found = mesh.morph(&[1.0, bad], &mut morphed).unwrap_err().to_string();
        assert_eq!(found, format!("weight of morph target 1: expected a finite number, found {spelled}"));
    }
    assert_eq!(morphed.blocks(), before);
}

#[test]
fn memory_of_a_mesh_of_another_size_is_rejected() {
    let (mesh, skin) = (valid_mesh(), identity_skin(2));
    let rejection = |other: &Mesh| {
        let found = mesh.morph(&[1.0, 1.0], &mut Morphed::new(other)).unwrap_err();
        found.to_string()
    };
    let other = VertexCloud::new(40, 2, 2, &mut Random::new(1)).mesh(&skin);
    assert_eq!(rejection(&other), "morphed vertices: expected 3, found 40");
    let other = Mesh::new(&MeshSource { tangents: None, morphs: &[], ..VALID }, &skin).unwrap();
    assert_eq!(rejection(&other), "morphed vectors of a vertex: expected 3, found 2");
    // As many vertices, but fewer slots: two runs, and one.
    let by_joint = |joints: &[u32; 34]| {
        let influences = Influences::Variable { counts: &[1; 34], joints, weights: &[1.0; 34] };
        Mesh::new(&MeshSource::new(&[[0.0; 3]; 34], influences), &skin).unwrap()
    };
    let mesh = by_joint(&std::array::from_fn(|vertex| vertex as u32 % 2));
    let found = mesh.morph(&[], &mut Morphed::new(&by_joint(&[0; 34]))).unwrap_err();
    assert_eq!(found.to_string(), "morphed blocks: expected 6, found 5");
}
