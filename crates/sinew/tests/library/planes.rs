//! Planes and facing bits of meshes: lights, culling and errors.

use sinew::geometry::{Facing, GeometryError, Light, Plane, PlaneNormals, Planes, PositionView, Triangles};
use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew::{
    Bone, Influences, JointId, Matrix, Mesh, MeshSource, Palette, Skeleton, Skin, SkinOptions, Transform,
};
use sinew_testkit::random::Random;

use crate::support::backends::fast_runtime;
use crate::support::triangle_meshes::TriangleMesh;

/// The vertices and triangles of a cube from 0 to 1.
fn cube() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let TriangleMesh { points, triangles, .. } = TriangleMesh::shared_vertex_cube();
    (points, triangles)
}

fn front_triangles(planes: &Planes, light: Light) -> Vec<usize> {
    let mut facing = Facing::new(planes.len());
    planes.facing(light, &mut facing).expect("a bit for every plane");
    assert_eq!(facing.count(), facing.front_triangles().count());
    facing.front_triangles().collect()
}

#[test]
fn a_skinned_cube_faces_the_light_with_the_expected_sides() {
    let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)]).unwrap();
    let skin = Skin::new(&skeleton, &[JointId::new(0)]).unwrap();
    let (corners, triangles) = cube();
    let influences = Influences::Variable { counts: &[1; 8], joints: &[0; 8], weights: &[1.0; 8] };
    let source = MeshSource { triangles: &triangles, ..MeshSource::new(&corners, influences) };
    let mesh = Mesh::new(&source, &skin).unwrap();
    let (mut palette, mut skinned) =
        (Palette::new(&skin), Skinned::new(&mesh, Attributes::Positions).unwrap());
    let mut moved = Matrix::IDENTITY;
    moved.rows[0][3] = 10.0;
    palette.update(&[moved], &skin).unwrap();
    mesh.skin(&palette, &SkinOptions::default(), &mut skinned).unwrap();

    let list = mesh.triangle_list();
    let mut planes = Planes::new(&list, mesh.runtime());
    for normals in [PlaneNormals::Unit, PlaneNormals::TwiceArea] {
        planes.derive(skinned.position_view(), &list, normals).unwrap();
        assert_eq!(front_triangles(&planes, Light::Point([10.5, 0.5, 0.5])), [0; 0], "inside");
        assert_eq!(front_triangles(&planes, Light::Point([10.5, 9.0, 0.5])), [6, 7], "above");
        assert_eq!(front_triangles(&planes, Light::Point([0.5, 0.5, 0.5])), [8, 9], "where the cube was");
        assert_eq!(front_triangles(&planes, Light::Direction([0.0, 0.0, -3.0])), [0, 1]);
        assert_eq!(front_triangles(&planes, Light::Direction([1.0, 1.0, 1.0])), [2, 3, 6, 7, 10, 11]);
        assert_eq!(front_triangles(&planes, Light::Direction([0.0; 3])), [0; 0]);
        assert_eq!(front_triangles(&planes, Light::Point([f32::NAN, 0.0, 0.0])), [0; 0]);
        assert_eq!(front_triangles(&planes, Light::Direction([0.0, f32::INFINITY, 0.0])), [0; 0]);
        // A light on a corner is in the planes of three sides, and behind the others.
        assert_eq!(front_triangles(&planes, Light::Point([11.0, 1.0, 1.0])), [0; 0], "on a vertex");
    }
}

#[test]
fn every_position_layout_gives_the_same_planes() {
    let random = &mut Random::new(7);
    let packed: Vec<[f32; 3]> = (0..50).map(|_| random.vector(1.0)).collect();
    let padded: Vec<[f32; 4]> = packed.iter().map(|&[x, y, z]| [x, y, z, f32::NAN]).collect();
    let mut blocks = vec![sinew::mesh::VectorBlock::default(); 14];
    for (vertex, &point) in packed.iter().enumerate() {
        blocks[vertex / 8 * 2].set_vector(vertex % 8, point);
    }
    let triangles: Vec<[u32; 3]> = (0..100).map(|_| [0; 3].map(|_| random.below(50) as u32)).collect();
    let list = Triangles::from(triangles);
    let mut planes = Planes::new(&list, fast_runtime());
    planes.derive(PositionView::Packed(&packed), &list, PlaneNormals::Unit).unwrap();
    let expected = planes.planes().to_vec();
    for points in [PositionView::Padded(&padded), PositionView::Blocks { blocks: &blocks, vectors: 2 }] {
        planes.derive(points, &list, PlaneNormals::Unit).unwrap();
        assert_eq!(planes.planes(), expected);
    }
}

#[test]
fn culling_keeps_front_faces_in_order() {
    let (corners, triangles) = cube();
    let list = Triangles::from(triangles.clone());
    let mut planes = Planes::new(&list, fast_runtime());
    planes.derive(PositionView::Packed(&corners), &list, PlaneNormals::TwiceArea).unwrap();
    let (mut facing, mut kept) = (Facing::new(12), vec![[9; 3]; 3]);
    for light in [Light::Point([0.5, 3.0, 0.5]), Light::Direction([1.0, -2.0, 3.0]), Light::Point([0.5; 3])] {
        planes.facing(light, &mut facing).unwrap();
        facing.cull(&list, &mut kept).unwrap();
        let expected: Vec<_> = (0..12).filter(|&t| facing.is_front(t)).map(|t| triangles[t]).collect();
        assert_eq!(kept, expected);
    }
}

#[test]
fn planes_and_culling_allocate_nothing() {
    let (corners, triangles) = cube();
    let mut blocks = [sinew::mesh::VectorBlock::default(); 1];
    for (lane, &corner) in corners.iter().enumerate() {
        blocks[0].set_vector(lane, corner);
    }
    let list = Triangles::narrowest(&triangles);
    let (mut planes, mut facing, mut kept) =
        (Planes::new(&list, fast_runtime()), Facing::new(12), Vec::new());
    let mut frame = |light| {
        planes.derive(PositionView::Blocks { blocks: &blocks, vectors: 1 }, &list, PlaneNormals::Unit)?;
        planes.derive(PositionView::Packed(&corners), &list, PlaneNormals::TwiceArea)?;
        planes.facing(light, &mut facing)?;
        facing.cull(&list, &mut kept)
    };
    frame(Light::Point([0.5; 3])).unwrap();
    let counted = allocation_counter::measure(|| {
        frame(Light::Point([5.0; 3])).expect("as before");
        frame(Light::Direction([1.0, 0.0, 0.0])).expect("as before");
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn non_finite_vertices_remove_their_triangles() {
    let (mut corners, triangles) = cube();
    let list = Triangles::from(triangles.clone());
    let mut planes = Planes::new(&list, fast_runtime());
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        corners[7] = [bad, 1.0, 1.0];
        planes.derive(PositionView::Packed(&corners), &list, PlaneNormals::Unit).unwrap();
        for (plane, triangle) in planes.planes().iter().zip(&triangles) {
            assert_eq!(*plane == Plane::NONE, triangle.contains(&7), "{plane:?}");
        }
        let away = front_triangles(&planes, Light::Point([9.0, 9.0, 9.0]));
        assert!(away.iter().all(|&triangle| !triangles[triangle].contains(&7)));
    }
}

#[test]
fn an_empty_mesh_has_no_planes() {
    let list = Triangles::narrowest(&[]);
    assert_eq!((list.len(), list.required_vertices()), (0, 0));
    let mut planes = Planes::new(&list, fast_runtime());
    planes.derive(PositionView::Packed(&[]), &list, PlaneNormals::Unit).unwrap();
    planes.derive(PositionView::Blocks { blocks: &[], vectors: 3 }, &list, PlaneNormals::Unit).unwrap();
    assert!(planes.is_empty());
    let mut kept = vec![[1; 3]];
    let mut facing = Facing::new(0);
    planes.facing(Light::Point([0.0; 3]), &mut facing).unwrap();
    facing.cull(&list, &mut kept).unwrap();
    assert!(facing.is_empty() && kept.is_empty());
}

#[test]
fn wrong_lengths_are_rejected() {
    let (corners, triangles) = cube();
    let list = Triangles::from(triangles);
    let mut planes = Planes::new(&list, fast_runtime());
    let error = planes.derive(PositionView::Packed(&corners[..7]), &list, PlaneNormals::Unit).unwrap_err();
    assert_eq!(error, GeometryError::TooFewPositions { expected: 8, found: 7 });
    assert_eq!(error.to_string(), "positions: expected at least 8, which the triangles require, found 7");
    let one = Triangles::from(vec![[0_u32, 1, 2]]);
    let error = planes.derive(PositionView::Packed(&corners), &one, PlaneNormals::Unit).unwrap_err();
    assert_eq!(error.to_string(), "triangles: expected 12, found 1");
    let error = planes.facing(Light::Point([0.0; 3]), &mut Facing::new(13)).unwrap_err();
    assert_eq!(error.to_string(), "facing bits: expected 12, found 13");
    let error = Facing::new(12).cull(&one, &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "triangles: expected 12, found 1");
}

#[test]
fn indices_up_to_the_limits_of_their_types_work() {
    let narrow = Triangles::narrowest(&[[0, 1, 65535]]);
    assert_eq!(narrow, Triangles::from(vec![[0_u16, 1, 65535]]));
    assert_eq!(narrow.required_vertices(), 1 << 16);
    let wide = Triangles::narrowest(&[[0, 1, 65536]]);
    assert_eq!(wide, Triangles::from(vec![[0_u32, 1, 65536]]));
    let mut planes = Planes::new(&narrow, fast_runtime());
    let mut points = vec![[0.0; 4]; 65536];
    (points[1], points[65535]) = ([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]);
    planes.derive(PositionView::Padded(&points), &narrow, PlaneNormals::TwiceArea).unwrap();
    assert_eq!(planes.planes(), [Plane { normal: [0.0, 0.0, 1.0], distance: -0.0 }]);
    // Indices out of range do not cause an allocation.
    let most = Triangles::from(vec![[0, 1, u32::MAX]]);
    assert!(most.required_vertices() >= u32::MAX as usize);
    let mut planes = Planes::new(&Triangles::from(vec![[0_u32; 3]]), fast_runtime());
    let error = planes.derive(PositionView::Padded(&points), &most, PlaneNormals::Unit).unwrap_err();
    assert!(matches!(error, GeometryError::TooFewPositions { found: 65536, .. }), "{error}");
}
