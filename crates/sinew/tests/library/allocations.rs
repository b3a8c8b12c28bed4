//! After set-up a frame takes no memory.

use crate::cloud;
use crate::rigs;

use crate::cloud::Cloud;
use crate::memory::{Kind, Memory};
use crate::subjects::{JOINTS, Subject};
use sinew::{
    Aabb, Attributes, Blending, DirectionLength, DualPalette, DualShares, Error, Factor, FloatMode, Matrix,
    Mesh, NormalTransform, Order, Palette, Pose, Skeleton, Skin, SkinOptions, Skinned, Target, backend,
};
use sinew_testkit::random::Random;

/// Everything one character owns.
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
        let skeleton = rigs::bush(131);
        let skin = Skin::new(&skeleton, &(0..131).collect::<Vec<_>>()).expect("joints of the skeleton");
        let mesh = Cloud::new(500, 8, 131, &mut Random::new(1)).mesh(&skin);
        Self {
            ends: [ends(&skeleton, 1), ends(&skeleton, 2)],
            factors: vec![0.5; 131],
            pose: Pose::new(&skeleton),
            matrices: skeleton.model_matrices(),
            palette: Palette::new(&skin),
            skinned: Skinned::new(&mesh, Attributes::Tangents).expect("tangents"),
            positions: vec![[0.0; 3]; mesh.len()],
            mesh,
            skeleton,
            skin,
        }
    }

    /// Every call that a frame may make.
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
        pose.joints_mut()[7].translation = [1.0, 2.0, 3.0];
        pose.set_transform(9, &from.transform(9));

        let head = skeleton.joint("joint 60")?;
        skeleton.to_model(pose, ..head, matrices)?;
        matrices[3].rows[0][3] += 1.0;
        skeleton.to_model(pose, head.., matrices)?;
        skeleton.attach(head, &Matrix::IDENTITY, matrices)?;
        palette.update(matrices, skin)?;
        mesh.skin(
            palette,
            &SkinOptions { directions: DirectionLength::Unit, ..SkinOptions::default() },
            skinned,
        )?;
        skinned.positions(mesh, positions)?;

        skeleton.to_local(70.., matrices)?;
        skeleton.to_local_rigid(..70, matrices)?;
        pose.set_from_local(.., matrices)?;
        pose.set_from_local_rigid(..10, matrices)?;
        pose.copy_from(skeleton.rest())
    }
}

fn allocations(mut character: Character, frame: fn(&mut Character) -> Result<(), Error>) -> u64 {
    let counted = allocation_counter::measure(|| {
        for _ in 0..3 {
            frame(&mut character).expect("lengths that fit");
        }
    });
    counted.count_total
}

#[test]
fn the_counter_counts() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1_u8; 100])));
    assert_eq!(counted.count_total, 1);
}

#[test]
fn a_frame_without_scale_allocates_nothing() {
    assert_eq!(allocations(Character::new(rigs::pose), Character::frame), 0);
}

#[test]
fn a_frame_with_scale_allocates_nothing() {
    assert_eq!(allocations(Character::new(rigs::scaled_pose), Character::frame), 0);
}

#[test]
fn turning_scales_on_and_off_allocates_nothing() {
    let turns = |character: &mut Character| {
        character.pose.scales_mut()[5].factors = [2.0; 3];
        character.frame()?;
        character.pose.clear_scales();
        character.frame()
    };
    assert_eq!(allocations(Character::new(rigs::pose), turns), 0);
}

/// Skins into every form, in both orders, whole and in part, with and without bounds.
fn skin_into_all(mesh: &Mesh, palette: &Palette, options: &SkinOptions<'_>) -> u64 {
    let mut counted = 0;
    for attributes in
        [Attributes::Positions, Attributes::Normals, Attributes::Tangents, Attributes::Bitangents]
    {
        for kind in Kind::every(attributes.vectors()) {
            for order in [Order::Run, Order::Source] {
                if !kind.allows(order) {
                    continue;
                }
                let vertices = if order == Order::Source { mesh.len() } else { mesh.padded_len() };
                let mut memory = Memory::new(kind, attributes.vectors(), vertices);
                let mut bounds = Aabb::EMPTY;
                let skinning = allocation_counter::measure(|| {
                    for window in [0..mesh.blocks(), 1..2] {
                        let part = (order == Order::Run).then(|| window.clone());
                        for bounds in [None, Some(&mut bounds)] {
                            let form = memory.form(part.clone());
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
fn skinning_into_any_form_allocates_nothing() {
    let kernels = backend::default().unwrap().kernels(FloatMode::Fast);
    let mut random = Random::new(2);
    for subject in Subject::every(kernels, 300, &mut random) {
        let mesh = subject.mesh(&[1, 2]);
        let palette = subject.palette(&cloud::rigid(JOINTS, &mut random));
        let plain = SkinOptions::default();
        let every_options = [
            plain,
            SkinOptions { max_influences: 2, ..plain },
            SkinOptions { directions: DirectionLength::Unit, normals: NormalTransform::Cofactor, ..plain },
        ];
        for options in every_options {
            assert_eq!(skin_into_all(&mesh, &palette, &options), 0, "{}: {options:?}", subject.name);
        }
    }
}

#[test]
fn dual_quaternions_allocate_nothing() {
    let kernels = backend::default().unwrap().kernels(FloatMode::Fast);
    let mut random = Random::new(3);
    for subject in Subject::every(kernels, 300, &mut random) {
        if subject.vectors.is_some() {
            continue;
        }
        let mesh = subject.mesh(&[]);
        let shares = DualShares::new(&mesh, &[0.5; 300]).unwrap();
        let mut duals = DualPalette::new(&subject.skin);
        for matrices in
            [cloud::rigid(JOINTS, &mut random), sinew_testkit::rigs::sheared_matrices(JOINTS, &mut random)]
        {
            let palette = subject.palette(&matrices);
            let update = allocation_counter::measure(|| duals.update(&palette).expect("the skin's palette"));
            assert_eq!(update.count_total, 0);
            for blending in [Blending::Duals(&duals), Blending::Mixed(&duals, &shares)] {
                let options = SkinOptions { blending, ..SkinOptions::default() };
                assert_eq!(skin_into_all(&mesh, &palette, &options), 0, "{}", subject.name);
            }
        }
    }
}
