//! A head with a ponytail that swings: the motion turns the head, springs move the hair.

use sinew::animation::{ColliderShape, Spring, SpringCollider, SpringJoint, SpringSource};
use sinew::{Bone, JointId, Pose, Skeleton, Transform};

use crate::math::{
    Vec3, add_scaled, cross, length, mul, normalize, rotation_x, rotation_y, scale, sin_cos_turns, sin_turns,
};
use crate::motion::check_joint_count;
use crate::{MeshArrays, Motion, Scene};

/// The period of the motion in seconds.
pub const SHAKE_SECONDS: f32 = 2.0;

/// Bones of the hair.
const BONES: usize = 8;
const JOINTS: usize = 3 + BONES;
/// The first joint of the hair.
const HAIR: usize = 2;

const HEAD_CENTER: Vec3 = [0.0, 0.22, 0.0];
const HEAD_RADIUS: f64 = 0.13;
/// Where the hair begins, and its bones at rest.
const HAIR_START: Vec3 = [0.0, 0.27, -0.125];
const HAIR_STEP: Vec3 = [0.0, -0.036, -0.030];
const HAIR_RADIUS: f64 = 0.034;
const NECK_RADIUS: f64 = 0.05;

const SKIN: [f32; 4] = [0.72, 0.45, 0.34, 1.0];
const DARK: [f32; 4] = [0.16, 0.07, 0.04, 1.0];

/// A head on a neck with a ponytail of eight bones, about 40 cm high.
///
/// # Errors
///
/// When `SINEW_ISA` is invalid; see [`Skeleton::new`].
pub fn ponytail() -> Result<Scene, sinew::Error> {
    let at = |translation: Vec3| Transform {
        translation: translation.map(|element| element as f32),
        ..Transform::IDENTITY
    };
    let mut bones = vec![
        Bone::new("neck", None, Transform::IDENTITY),
        Bone::new("head", Some(0), at([0.0, 0.1, 0.0])),
        Bone::new("hair 1", Some(1), at(add_scaled(HAIR_START, [0.0, 0.1, 0.0], -1.0))),
    ];
    for bone in 1..=BONES {
        let name = if bone == BONES { "hair tip".to_owned() } else { format!("hair {}", bone + 1) };
        bones.push(Bone::new(&name, Some(HAIR + bone - 1), at(HAIR_STEP)));
    }
    let skeleton = Skeleton::new(&bones)?;
    let mut mesh = MeshArrays::default();
    push_neck(&mut mesh);
    push_head(&mut mesh);
    push_hair(&mut mesh);
    mesh.push_tangents();
    let skin_joints = skeleton.joints().collect();
    Ok(Scene { skin_joints, skeleton, mesh, motions: vec![Motion::Shake], springs: springs() })
}

/// The springs of the hair, which collides with head and neck.
fn springs() -> SpringSource {
    let head_center = [0.0, (HEAD_CENTER[1] - 0.1) as f32, 0.0];
    let head = ColliderShape::Sphere { offset: head_center, radius: HEAD_RADIUS as f32, inside: false };
    let neck = ColliderShape::Capsule {
        offset: [0.0, -0.1, 0.0],
        tail: [0.0, 0.1, 0.0],
        radius: NECK_RADIUS as f32,
        inside: false,
    };
    let numbers = SpringJoint {
        hit_radius: 0.02,
        stiffness: 0.25,
        gravity_power: 0.35,
        drag_force: 0.2,
        ..SpringJoint::default()
    };
    let joints: Vec<JointId> = (HAIR..JOINTS).map(JointId::new).collect();
    SpringSource {
        colliders: vec![
            SpringCollider { joint: JointId::new(1), shape: head },
            SpringCollider { joint: JointId::new(0), shape: neck },
        ],
        collider_groups: vec![vec![0, 1]],
        springs: vec![Spring::new(&joints, numbers).with_collider_groups(&[0])],
        ..SpringSource::default()
    }
}

/// Rings of vertices, each with a color and joints.
struct Rings<'a> {
    sides: usize,
    /// For each ring: center, radius, and how much its normals lean along the axis.
    rings: &'a [(Vec3, f64, f64)],
    /// The direction from the first ring to the last, and two perpendicular to it.
    axes: [Vec3; 3],
    color: &'a dyn Fn(Vec3) -> [f32; 4],
    influences: &'a dyn Fn(usize) -> Vec<(u32, f64)>,
}

impl Rings<'_> {
    fn push(&self, mesh: &mut MeshArrays) {
        let first = mesh.positions.len() as u32;
        let [along, side, front] = self.axes;
        for (ring, &(center, radius, lean)) in self.rings.iter().enumerate() {
            for index in 0..=self.sides {
                let (sine, cosine) = sin_cos_turns((index % self.sides) as f64 / self.sides as f64);
                let around = add_scaled(scale(side, sine), front, cosine);
                let position = add_scaled(center, around, radius);
                let normal = normalize(add_scaled(scale(around, 1.0 - lean.abs()), along, lean));
                mesh.positions.push(position.map(|element| element as f32));
                mesh.normals.push(normal.map(|element| element as f32));
                let v = ring as f64 / (self.rings.len() - 1) as f64;
                let uv = [index as f64 / self.sides as f64, v];
                mesh.texture_coordinates.push(uv.map(|element| element as f32));
                mesh.colors.push((self.color)(position));
                mesh.push_influences(&mut (self.influences)(ring));
            }
        }
        let row = self.sides as u32 + 1;
        for ring in 0..self.rings.len() as u32 - 1 {
            for index in 0..self.sides as u32 {
                let (a, b) = (first + ring * row + index, first + ring * row + index + 1);
                mesh.triangles.extend([[a, b, b + row], [a, b + row, a + row]]);
            }
        }
    }
}

const UPRIGHT: [Vec3; 3] = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];

fn push_neck(mesh: &mut MeshArrays) {
    let rings: Vec<_> =
        (0..=4).map(|ring| ([0.0, 0.04 * f64::from(ring) - 0.04, 0.0], NECK_RADIUS, 0.0)).collect();
    let influences = |ring: usize| {
        let upper = ring as f64 / 4.0;
        vec![(0, 1.0 - upper), (1, upper)]
    };
    Rings { sides: 24, rings: &rings, axes: UPRIGHT, color: &|_| SKIN, influences: &influences }.push(mesh);
}

fn push_head(mesh: &mut MeshArrays) {
    const RINGS: usize = 20;
    let ring = |ring: usize| {
        let (sine, cosine) = sin_cos_turns(0.5 * ring as f64 / RINGS as f64);
        let center = [0.0, HEAD_CENTER[1] - HEAD_RADIUS * cosine, 0.0];
        (center, HEAD_RADIUS * sine, lean(sine, cosine))
    };
    let rings: Vec<_> = (0..=RINGS).map(ring).collect();
    // Hair on top and behind, a face in front.
    let color = |position: Vec3| {
        let hair = position[2] < 0.02 || position[1] > HEAD_CENTER[1] + 0.06;
        let eye = (position[0].abs() - 0.05).abs() < 0.012
            && (position[1] - HEAD_CENTER[1] - 0.02).abs() < 0.012
            && position[2] > 0.0;
        if hair || eye { DARK } else { SKIN }
    };
    let influences = |_: usize| vec![(1, 1.0)];
    Rings { sides: 40, rings: &rings, axes: UPRIGHT, color: &color, influences: &influences }.push(mesh);
}

/// How much the normal of a sphere leans along its axis: such that `(1 - lean, lean)` has its
/// direction.
fn lean(sine: f64, cosine: f64) -> f64 {
    -cosine / (sine + cosine.abs())
}

fn push_hair(mesh: &mut MeshArrays) {
    const RINGS: usize = 4 * BONES;
    let along = normalize(HAIR_STEP);
    let side = [1.0, 0.0, 0.0];
    let ring = |ring: usize| {
        let bone = ring as f64 / 4.0;
        let share = bone / BONES as f64;
        // Narrow where it is tied, then full, then a tip.
        let profile = 0.45 + 2.2 * share * (1.0 - share);
        let radius = HAIR_RADIUS * profile * (1.0 - share * share * share);
        (add_scaled(HAIR_START, HAIR_STEP, bone), radius, if ring == RINGS { 1.0 } else { 0.0 })
    };
    let rings: Vec<_> = (0..=RINGS).map(ring).collect();
    let influences = |ring: usize| {
        // A bone moves all of the way to the next one; half of a bone around each joint blends.
        let at = (ring as f64 / 4.0 - 0.5).clamp(0.0, BONES as f64 - 1.0);
        let lower = at.floor();
        let joint = (HAIR + lower as usize) as u32;
        vec![(joint, 1.0 - (at - lower)), (joint + 1, at - lower)]
    };
    let axes = [along, side, cross(side, along)];
    debug_assert!((length(axes[2]) - 1.0).abs() < 1e-12);
    Rings { sides: 16, rings: &rings, axes, color: &|_| DARK, influences: &influences }.push(mesh);
}

/// Writes the pose of the motion at a time: the head turns left and right, and nods. The hair is at
/// rest; springs move it.
///
/// # Errors
///
/// When the skeleton or the pose does not belong to the ponytail.
pub fn shake(skeleton: &Skeleton, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
    pose.copy_from(skeleton.rest())?;
    check_joint_count("joints of the ponytail", JOINTS, pose)?;
    let turns = f64::from(seconds) / f64::from(SHAKE_SECONDS);
    let turn = rotation_y(55.0 * sin_turns(turns));
    let nod = rotation_x(8.0 * sin_turns(2.0 * turns));
    pose.set_rotation(JointId::new(1), mul(turn, nod).map(|element| element as f32));
    Ok(())
}
