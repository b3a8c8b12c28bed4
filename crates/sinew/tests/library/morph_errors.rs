//! Every fault of a morph target is refused, with a message that names the target and the vertex.

use crate::cloud;

use crate::cloud::Cloud;
use sinew::{Deltas, Influences, Mesh, MeshSource, MorphSource, Morphed};
use sinew_testkit::random::Random;

/// Three vertices on a skin of two joints.
const POSITIONS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
const NORMALS: [[f32; 3]; 3] = [[0.0, 0.0, 1.0]; 3];
const TANGENTS: [[f32; 4]; 3] = [[1.0, 0.0, 0.0, -1.0]; 3];
const LISTED: Influences<'_> =
    Influences::Listed { counts: &[1, 2, 1], joints: &[0, 0, 1, 1], weights: &[1.0, 0.5, 0.5, 1.0] };
const SOUND: MeshSource<'_> = MeshSource {
    normals: Some(&NORMALS),
    tangents: Some(&TANGENTS),
    morphs: &[DENSE, SPARSE],
    ..MeshSource::new(&POSITIONS, LISTED)
};
const DENSE: MorphSource<'_> = {
    let deltas = Deltas::Dense(&POSITIONS);
    MorphSource { name: "smile", positions: deltas, normals: deltas, tangents: deltas }
};
const SPARSE: MorphSource<'_> = {
    let deltas = Deltas::Sparse { vertices: &[2, 0], deltas: &[[1.0; 3]; 2] };
    MorphSource { name: "", positions: deltas, normals: deltas, tangents: deltas }
};

fn sound() -> Mesh {
    Mesh::new(&SOUND, &cloud::skin(2)).expect("a sound mesh")
}

fn refused(source: &MeshSource<'_>) -> String {
    Mesh::new(source, &cloud::skin(2)).expect_err("a fault").to_string()
}

/// The messages for a second target with these deltas, once for each vector that it may move.
fn refused_deltas(deltas: Deltas<'_>) -> [String; 3] {
    [
        MorphSource { positions: deltas, ..DENSE },
        MorphSource { normals: deltas, ..DENSE },
        MorphSource { tangents: deltas, ..DENSE },
    ]
    .map(|morph| refused(&MeshSource { morphs: &[SPARSE, morph], ..SOUND }))
}

/// The message for each vector, with `*` for what it is called.
fn expected(pattern: &str) -> [String; 3] {
    ["position", "normal", "tangent"].map(|what| pattern.replace('*', what))
}

#[test]
fn another_number_of_deltas_is_refused() {
    for (found, deltas) in [(0, &[][..]), (2, &POSITIONS[..2]), (4, &[[0.0; 3]; 4][..])] {
        let pattern = format!("morph target 1 \"smile\": expected 3 deltas of *s, found {found}");
        assert_eq!(refused_deltas(Deltas::Dense(deltas)), expected(&pattern));
    }
    for (vertices, deltas) in [(&[][..], 1), (&[0, 1][..], 3), (&[0, 1, 2][..], 0)] {
        let pattern =
            format!("morph target 1 \"smile\": expected {} deltas of *s, found {deltas}", vertices.len());
        let sparse = Deltas::Sparse { vertices, deltas: &POSITIONS[..deltas] };
        assert_eq!(refused_deltas(sparse), expected(&pattern));
    }
}

#[test]
fn a_vertex_that_is_not_there_is_refused() {
    for vertex in [3, u32::MAX] {
        let sparse = Deltas::Sparse { vertices: &[0, vertex, 1], deltas: &POSITIONS };
        let pattern =
            format!("morph target 1 \"smile\": expected *s of vertices below 3, found vertex {vertex}");
        assert_eq!(refused_deltas(sparse), expected(&pattern));
    }
    let morph = MorphSource {
        name: "",
        positions: Deltas::Sparse { vertices: &[0], deltas: &[[0.0; 3]] },
        ..MorphSource::default()
    };
    let nothing = Cloud::default();
    let found = refused(&MeshSource { morphs: &[morph], ..nothing.source() });
    assert_eq!(found, "morph target 0: expected positions of vertices below 0, found vertex 0");
}

#[test]
fn a_vertex_that_is_named_twice_is_refused() {
    let sparse = Deltas::Sparse { vertices: &[2, 0, 2], deltas: &POSITIONS };
    let pattern = "morph target 1 \"smile\": expected *s of each vertex once, found vertex 2 twice";
    assert_eq!(refused_deltas(sparse), expected(pattern));
}

#[test]
fn a_delta_that_is_not_finite_is_refused_with_its_vertex() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for axis in 0..3 {
            let mut deltas = POSITIONS;
            deltas[1][axis] = bad;
            let pattern = "morph target 1 \"smile\": delta of the * of vertex 1: \
                           expected finite numbers, found others";
            assert_eq!(refused_deltas(Deltas::Dense(&deltas)), expected(pattern));
            let pattern = pattern.replace("vertex 1", "vertex 2");
            let sparse = Deltas::Sparse { vertices: &[0, 2], deltas: &deltas[..2] };
            assert_eq!(refused_deltas(sparse), expected(&pattern));
        }
    }
}

#[test]
fn deltas_of_what_the_mesh_does_not_have_are_refused() {
    let found = refused(&MeshSource { tangents: None, ..SOUND });
    assert_eq!(found, "morph target 0 \"smile\": expected tangents of the mesh to move, found none");
    let found = refused(&MeshSource { normals: None, tangents: None, ..SOUND });
    assert_eq!(found, "morph target 0 \"smile\": expected normals of the mesh to move, found none");
    let positions = MorphSource { normals: Deltas::None, tangents: Deltas::None, ..DENSE };
    let source = MeshSource { normals: None, tangents: None, morphs: &[positions], ..SOUND };
    assert!(Mesh::new(&source, &cloud::skin(2)).is_ok());
}

#[test]
fn targets_beside_joint_space_are_refused() {
    let influences = Influences::JointSpace {
        counts: &[1, 2, 1],
        joints: &[0, 0, 1, 1],
        weights: &[1.0, 0.5, 0.5, 1.0],
        vectors: &[[0.0; 3]; 4],
    };
    let source = MeshSource { positions: &[], influences, ..SOUND };
    let expected = "morph targets: expected none beside influences in joint space, found 2";
    assert_eq!(refused(&source), expected);
    assert!(Mesh::new(&MeshSource { morphs: &[], ..source }, &cloud::skin(2)).is_ok());
}

#[test]
fn another_number_of_weights_is_refused() {
    let mesh = sound();
    let mut morphed = Morphed::new(&mesh);
    for weights in [&[][..], &[1.0], &[1.0; 3]] {
        let found = mesh.morph(weights, &mut morphed).unwrap_err().to_string();
        assert_eq!(found, format!("weights of morph targets: expected 2, found {}", weights.len()));
    }
}

#[test]
fn a_weight_that_is_not_finite_is_refused() {
    let mesh = sound();
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
fn memory_of_a_mesh_of_another_size_is_refused() {
    let (mesh, skin) = (sound(), cloud::skin(2));
    let refused = |other: &Mesh| {
        let found = mesh.morph(&[1.0, 1.0], &mut Morphed::new(other)).unwrap_err();
        found.to_string()
    };
    let other = Cloud::new(40, 2, 2, &mut Random::new(1)).mesh(&skin);
    assert_eq!(refused(&other), "morphed vertices: expected 3, found 40");
    let other = Mesh::new(&MeshSource { tangents: None, morphs: &[], ..SOUND }, &skin).unwrap();
    assert_eq!(refused(&other), "morphed vectors of a vertex: expected 3, found 2");
    // As many vertices, in fewer places.
    let influences = Influences::Listed { counts: &[1; 3], joints: &[0; 3], weights: &[1.0; 3] };
    let other = Mesh::new(&MeshSource { influences, ..SOUND }, &skin).unwrap();
    assert_eq!(refused(&other), "morphed blocks: expected 6, found 3");
}
