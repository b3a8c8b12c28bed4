//! A frame allocates nothing after setup.

use sinew::animation::Factor;
use sinew::mesh::Attributes;
use sinew::skinning::{
    Blending, DirectionLength, DualQuaternionPalette, DualQuaternionWeights, NormalTransform, Skinned,
    Target, VertexOrder,
};
use sinew::{Aabb, Error, JointId, Matrix, Mesh, Palette, Pose, Skeleton, Skin, SkinOptions};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::fast_runtime;
use crate::support::guarded_output::{GuardedOutput, OutputKind};
use crate::support::joints::first_joints;
use crate::support::random_rigs::{random_pose, random_scaled_pose, random_tree};
use crate::support::test_meshes::{JOINTS, TestMesh};
use crate::support::vertex_cloud::VertexCloud;

/// All memory of one character.
struct Character {
    skeleton: Skeleton,
    skin: Skin,
    ends: [Pose; 2],
    factors: Vec<f32>,
    pose: Pose,
    matrices: Vec<Matrix>,
    palette: Palette,
    mesh: Mesh,
    skinned: Skinned,
    positions: Vec<[f32; 3]>,
}

impl Character {
    fn new(ends: fn(&Skeleton, u64) -> Pose) -> Self {
        let skeleton = random_tree(131);
        let skin = Skin::new(&skeleton, &first_joints(131)).expect("joints of the skeleton");
        let mesh = VertexCloud::new(500, 8, 131, &mut Random::new(1)).mesh(&skin);
        Self {
            ends: [ends(&skeleton, 1), ends(&skeleton, 2)],
            factors: vec![0.5; 131],
            pose: Pose::new(&skeleton),
            matrices: skeleton.identity_matrices(),
            palette: Palette::new(&skin),
            skinned: Skinned::new(&mesh, Attributes::Tangents).expect("tangents"),
            positions: vec![[0.0; 3]; mesh.len()],
            mesh,
            skeleton,
            skin,
        }
    }

    /// Makes every call of a frame.
    fn frame(&mut self) -> Result<(), Error> {
        let Self {
            skeleton,
            skin,
            ends: [from, to],
            factors,
            pose,
            matrices,
            palette,
            mesh,
            skinned,
            positions,
        } = self;
        pose.nlerp(from, to, Factor::All(0.5))?;
        pose.slerp(from, to, Factor::Each(factors))?;
        pose.set_translation(JointId::new(7), [1.0, 2.0, 3.0]);
        pose.set_transform(JointId::new(9), &from.transform(JointId::new(9)));

        let head = skeleton.joint("joint 60")?;
        skeleton.to_model(pose, ..head, matrices)?;
        matrices[3].rows[0][3] += 1.0;
        skeleton.to_model(pose, head.., matrices)?;
        skeleton.attach(head, &Matrix::IDENTITY, matrices)?;
        palette.update(matrices, skin)?;
        mesh.skin(palette, &SkinOptions::default().with_directions(DirectionLength::Unit), skinned)?;
        skinned.positions(mesh, positions)?;

        skeleton.to_local(JointId::new(70).., matrices)?;
        skeleton.to_local_rigid(..JointId::new(70), matrices)?;
        pose.set_from_local(.., matrices)?;
        pose.set_from_local_rigid(..JointId::new(10), matrices)?;
        Ok(pose.copy_from(skeleton.rest())?)
    }
}

fn count_allocations(mut character: Character, frame: fn(&mut Character) -> Result<(), Error>) -> u64 {
    let counted = allocation_counter::measure(|| {
        for _ in 0..3 {
            frame(&mut character).expect("lengths that fit");
        }
    });
    counted.count_total
}

#[test]
fn the_allocation_counter_counts() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1_u8; 100])));
    assert_eq!(counted.count_total, 1);
}

#[test]
fn a_frame_without_scale_allocates_nothing() {
    assert_eq!(count_allocations(Character::new(random_pose), Character::frame), 0);
}

#[test]
fn a_frame_with_scale_allocates_nothing() {
    assert_eq!(count_allocations(Character::new(random_scaled_pose), Character::frame), 0);
}

#[test]
fn enabling_and_clearing_scales_allocates_nothing() {
    let toggle_scales = |character: &mut Character| {
        character.pose.set_scale(JointId::new(5), [2.0; 3]);
        character.frame()?;
        character.pose.clear_scales();
        character.frame()
    };
    assert_eq!(count_allocations(Character::new(random_pose), toggle_scales), 0);
}

/// Counts the allocations of skinning into every layout, in both orders, in one call and in
/// windows, with and without bounds.
fn skin_into_all(mesh: &Mesh, palette: &Palette, options: &SkinOptions<'_>) -> u64 {
    let mut counted = 0;
    for attributes in
        [Attributes::Positions, Attributes::Normals, Attributes::Tangents, Attributes::Bitangents]
    {
        for kind in OutputKind::every_kind(attributes.vectors()) {
            for order in [VertexOrder::Run, VertexOrder::Source] {
                if !kind.supports(order) {
                    continue;
                }
                let vertices = if order == VertexOrder::Source { mesh.len() } else { mesh.padded_len() };
                let mut memory = GuardedOutput::new(kind, attributes.vectors(), vertices);
                let mut bounds = Aabb::EMPTY;
                let skinning = allocation_counter::measure(|| {
                    let blocks = vertices.div_ceil(8);
                    for window in [0..blocks, 1..2] {
                        let part = Some(window.clone());
                        for bounds in [None, Some(&mut bounds)] {
                            let form = memory.output(part.clone());
                            let window = Some(window.clone());
                            let target = Target { order, bounds, window, ..Target::new(attributes, form) };
                            mesh.skin_into(palette, options, target).expect("a target that fits");
                        }
                    }
                });
                counted += skinning.count_total;
            }
        }
    }
    counted
}

#[test]
fn skinning_into_any_layout_allocates_nothing() {
    let runtime = fast_runtime();
    let mut random = Random::new(2);
    for test_mesh in TestMesh::every_layout(runtime, 300, &mut random) {
        let mesh = test_mesh.mesh(&[1, 2]);
        let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
        let plain = SkinOptions::default();
        let every_options = [
            plain,
            plain.with_max_influences(2),
            plain.with_directions(DirectionLength::Unit).with_normals(NormalTransform::Cofactor),
        ];
        for options in every_options {
            mesh.prepare_source_order(&options).expect("the levels of the mesh");
            assert_eq!(skin_into_all(&mesh, &palette, &options), 0, "{}: {options:?}", test_mesh.name);
        }
    }
}

#[test]
fn dual_quaternion_skinning_allocates_nothing() {
    let runtime = fast_runtime();
    let mut random = Random::new(3);
    for test_mesh in TestMesh::every_layout(runtime, 300, &mut random) {
        if test_mesh.joint_space_vectors.is_some() {
            continue;
        }
        let mesh = test_mesh.mesh(&[]);
        let dual_weights = DualQuaternionWeights::new(&mesh, &[0.5; 300]).unwrap();
        let mut dual_quaternions = DualQuaternionPalette::new(&test_mesh.skin);
        for matrices in
            [rigs::rigid_matrices(JOINTS, &mut random), rigs::sheared_matrices(JOINTS, &mut random)]
        {
            let palette = test_mesh.palette(&matrices);
            let update = allocation_counter::measure(|| {
                dual_quaternions.update(&palette).expect("the skin's palette")
            });
            assert_eq!(update.count_total, 0);
            for blending in [
                Blending::DualQuaternion(&dual_quaternions),
                Blending::Mixed(&dual_quaternions, &dual_weights),
            ] {
                let options = SkinOptions::default().with_blending(blending);
                assert_eq!(skin_into_all(&mesh, &palette, &options), 0, "{}", test_mesh.name);
            }
        }
    }
}
