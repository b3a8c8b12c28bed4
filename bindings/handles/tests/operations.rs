//! The operations over handles give the library's own results, and refuse everything else.

#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use sinew::animation::{Interpolation, Keys, Track};
use sinew::{Bone, Influences, JointId, MeshSource, Transform};
use sinew_handles::records::{
    Attribute, Bounds, Hit, Layout, PlaySettings, Ray, SkinSettings, Transform as TransformRecord,
};
use sinew_handles::*;

/// A door of two triangles that turns about its hinge.
fn door() -> Handle {
    let builder = builder_new(&[Bone::new("hinge", None, Transform::IDENTITY)], 1, &[]).unwrap();
    let skin = builder_add_skin(builder, &[0], None).unwrap();
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 0.0]];
    let influences = Influences::Variable { counts: &[1; 4], joints: &[0; 4], weights: &[1.0; 4] };
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let source = MeshSource { triangles: &triangles, ..MeshSource::new(&positions, influences) };
    let mesh = builder_add_mesh(builder, skin, "door", &source).unwrap();
    builder_add_mesh_instance(builder, "door", 0, mesh, skin, 0).unwrap();
    let values = [[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]];
    let keys = Keys::Rotations { joint: JointId::new(0), values: &values };
    let track = Track { times: &[0.0, 2.0], keys, interpolation: Interpolation::Linear };
    builder_add_clip(builder, "open", &[track]).unwrap();
    builder_finish(builder).unwrap()
}

fn packed() -> Layout {
    Layout { stride: 12, position: Attribute { format: 1, ..Attribute::default() }, ..Layout::default() }
}

fn positions(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|number| f32::from_le_bytes(number.try_into().unwrap())).collect()
}

fn ray(origin: [f32; 3], direction: [f32; 3]) -> Ray {
    Ray { origin, direction, max_distance: f32::INFINITY, faces: 0 }
}

fn cast_one(
    cast: impl FnOnce(usize, &mut dyn FnMut(usize) -> Ray, &mut dyn FnMut(usize, Hit)) -> Result<(), Error>,
    ray: Ray,
) -> Hit {
    let mut found = Hit::default();
    cast(1, &mut |_| ray, &mut |_, hit| found = hit).unwrap();
    found
}

fn code<T>(result: Result<T, Error>) -> Code {
    result.map_or_else(|error| error.code, |_| Code::Ok)
}

#[test]
fn a_door_opens_and_is_hit_where_it_is() {
    let model = door();
    let info = model_info(model).unwrap();
    assert_eq!((info.joints, info.mesh_instances, info.clips), (1, 1, 1));
    let instance = instance_new(model, &SkinSettings::default()).unwrap();
    destroy(model, Kind::Model).unwrap();
    play(Player::Instance(instance), 0, &PlaySettings::default()).unwrap();
    instance_step(instance, 1.0).unwrap();

    let mut buffer = vec![0_u8; 48];
    let mut bounds = Bounds { min: [0.0; 3], max: [0.0; 3] };
    instance_skin_into(instance, 0, &packed(), [&mut buffer[..]], Some(&mut bounds)).unwrap();
    let numbers = positions(&buffer);
    assert!((numbers[3]).abs() < 1e-6 && (numbers[5] + 1.0).abs() < 1e-6, "{numbers:?}");
    assert!((bounds.min[2] + 1.0).abs() < 1e-6);

    let ray = ray([5.0, 0.5, -0.75], [-1.0, 0.0, 0.0]);
    let hit = cast_one(|n, ray, hit| instance_cast(instance, n, ray, hit), ray);
    assert_eq!((hit.is_hit, hit.joint), (1, 0));
    assert!((hit.distance - 5.0).abs() < 1e-5);

    // The same palette on a mesh that the caller poses.
    let mut palette = [0.0; 16];
    instance_palette(instance, 0, 1, &mut palette).unwrap();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]];
    let influences = Influences::Variable { counts: &[1; 3], joints: &[0; 3], weights: &[1.0; 3] };
    let source = MeshSource { triangles: &[[0, 1, 2]], ..MeshSource::new(&corners, influences) };
    let mesh = skinned_mesh_new(1, &source, &SkinSettings::default(), 1).unwrap();
    skinned_mesh_set_palette(mesh, 1, &palette).unwrap();
    let again = cast_one(|n, ray, hit| skinned_mesh_cast(mesh, n, ray, hit), ray);
    assert_eq!((again.point, again.distance), (hit.point, hit.distance));
    let mut same = vec![0_u8; 36];
    skinned_mesh_skin_into(mesh, &packed(), [&mut same[..]], None).unwrap();
    assert_eq!(same, buffer[..36]);
    let near = skinned_mesh_closest_point(mesh, [0.5, 0.5, -0.75], 1.0).unwrap();
    assert!((near.distance - 0.5).abs() < 1e-5);
    assert!(!skinned_mesh_contains(mesh, [0.5, 0.5, -0.75]).unwrap());
    let bounds = skinned_mesh_bounds(mesh).unwrap();
    assert!(skinned_mesh_overlaps(mesh, &overlap_box(bounds)).unwrap());
    destroy(mesh, Kind::SkinnedMesh).unwrap();
    destroy(instance, Kind::Instance).unwrap();
}

#[test]
fn a_shot_at_a_past_time_hits_the_past_pose() {
    let model = door();
    let instance = instance_new(model, &SkinSettings::default()).unwrap();
    let history = history_new(model, 8).unwrap();
    play(Player::Instance(instance), 0, &PlaySettings::default()).unwrap();
    for frame in 0..4 {
        history_record(history, f64::from(frame), instance).unwrap();
        instance_step(instance, 0.5).unwrap();
    }
    assert_eq!(history_times(history).unwrap(), (4, 0.0, 3.0));
    let ray = ray([0.5, 0.5, 5.0], [0.0, 0.0, -1.0]);
    let closed = cast_one(|n, ray, hit| history_cast(history, 0.0, n, ray, hit), ray);
    let open = cast_one(|n, ray, hit| history_cast(history, 2.0, n, ray, hit), ray);
    assert_eq!((closed.is_hit, open.is_hit), (1, 0));
    history_pose(history, 0.0, instance).unwrap();
    let now = cast_one(|n, ray, hit| instance_cast(instance, n, ray, hit), ray);
    assert_eq!(now, closed);
    history_forget_after(history, 1.0).unwrap();
    assert_eq!(history_times(history).unwrap().0, 2);
    assert_eq!(code(history_record(history, f64::NAN, instance)), Code::InvalidValue);
    assert_eq!(code(history_new(model, 0)), Code::InvalidValue);
}

#[test]
fn a_crowd_has_the_bits_of_instances() {
    let model = door();
    let crowd = crowd_new(if cfg!(feature = "parallel") { 2 } else { 1 }, 0).unwrap();
    let doors = crowd_add_model(crowd, model, &SkinSettings::default()).unwrap();
    let members: Vec<u64> = (0..5).map(|_| crowd_add(crowd, doors).unwrap()).collect();
    for (index, &member) in members.iter().enumerate() {
        let settings = PlaySettings { seconds: 0.1 * index as f64, ..PlaySettings::default() };
        play(Player::Member(crowd, member), 0, &settings).unwrap();
        let mut world = matrix_numbers(&sinew::Matrix::IDENTITY);
        world[3] = 10.0 * index as f32;
        crowd_set_world(crowd, member, &world).unwrap();
    }
    crowd_step(crowd, 0.25).unwrap();
    for (index, &member) in members.iter().enumerate() {
        let instance = instance_new(model, &SkinSettings::default()).unwrap();
        let settings = PlaySettings { seconds: 0.1 * index as f64, ..PlaySettings::default() };
        play(Player::Instance(instance), 0, &settings).unwrap();
        instance_step(instance, 0.25).unwrap();
        let (mut one, mut other) = ([0.0; 12], [0.0; 12]);
        instance_palette(instance, 0, 0, &mut one).unwrap();
        crowd_palette(crowd, member, 0, 0, &mut other).unwrap();
        assert_eq!(one, other);
        let (mut one, mut other) = ([0; 48], [0; 48]);
        instance_skin_into(instance, 0, &packed(), [&mut one[..]], None).unwrap();
        crowd_skin_into(crowd, member, 0, &packed(), [&mut other[..]], None).unwrap();
        assert_eq!(one, other);
        destroy(instance, Kind::Instance).unwrap();
    }
    let ray = ray([20.2, 0.5, 5.0], [0.0, 0.0, -1.0]);
    let hit = cast_one(|n, ray, hit| crowd_cast(crowd, n, ray, hit), ray);
    assert_eq!((hit.is_hit, hit.member), (1, members[2]));
    let seen = std::sync::atomic::AtomicUsize::new(0);
    crowd_skin_each(crowd, &|member, skinned| {
        assert!(members.contains(&member) && skinned.len() == 1);
        seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    })
    .unwrap();
    assert_eq!(seen.into_inner(), 5);
    crowd_remove(crowd, members[2]).unwrap();
    assert_eq!(code(crowd_remove(crowd, members[2])), Code::StaleHandle);
    assert_eq!(code(crowd_bounds(crowd, 0)), Code::StaleHandle);
    assert_eq!(crowd_len(crowd).unwrap(), 4);
}

#[test]
fn poses_are_read_and_set() {
    let model = door();
    let instance = instance_new(model, &SkinSettings::default()).unwrap();
    let moved = TransformRecord { translation: [1.0, 2.0, 3.0], ..TransformRecord::IDENTITY };
    instance_set_pose(instance, 0, &[moved]).unwrap();
    let mut found = [TransformRecord::IDENTITY];
    instance_pose(instance, 0, &mut found).unwrap();
    assert_eq!(found, [moved]);
    let mut matrix = [0.0; 12];
    instance_matrices(instance, &mut matrix).unwrap();
    assert_eq!([matrix[3], matrix[7], matrix[11]], [1.0, 2.0, 3.0]);
    assert_eq!(code(instance_set_pose(instance, 1, &[moved])), Code::OutOfRange);
    assert_eq!(code(instance_set_pose(instance, u32::MAX, &[moved])), Code::OutOfRange);
    let nan = TransformRecord { translation: [f32::NAN; 3], ..moved };
    assert_eq!(code(instance_set_pose(instance, 0, &[nan])), Code::InvalidValue);
    assert_eq!(code(instance_matrices(instance, &mut matrix[..11])), Code::Length);
}

#[test]
fn faults_are_errors_with_codes_and_words() {
    let model = door();
    let instance = instance_new(model, &SkinSettings::default()).unwrap();
    let player = Player::Instance(instance);
    assert_eq!(code(play(player, 7, &PlaySettings::default())), Code::OutOfRange);
    let bad = PlaySettings { speed: f32::NAN, ..PlaySettings::default() };
    assert_eq!(code(play(player, 0, &bad)), Code::InvalidValue);
    let bad = PlaySettings { mode: 9, ..PlaySettings::default() };
    assert_eq!(code(play(player, 0, &bad)), Code::InvalidValue);
    let blend = PlaySettings { mode: 2, ..PlaySettings::default() };
    let codes: Vec<Code> = (0..100).map(|_| code(play(player, 0, &blend))).collect();
    assert_eq!((codes[0], codes[99]), (Code::Ok, Code::Limit));
    assert_eq!(code(model_info(instance)), Code::WrongKind);
    assert_eq!(code(instance_step(instance, f32::INFINITY)), Code::InvalidValue);
    assert_eq!(code(model_find_joint(model, "knee")), Code::Name);
    assert_eq!(code(instance_skin_into(instance, 0, &packed(), [&mut [0_u8; 47][..]], None)), Code::Length);
    assert_eq!(code(instance_skin_into(instance, 1, &packed(), [], None)), Code::OutOfRange);
    let mut bad = packed();
    bad.position.format = 99;
    assert_eq!(code(instance_skin_into(instance, 0, &bad, [], None)), Code::InvalidValue);
    let mut normals = packed();
    normals.stride = 24;
    normals.normal = Attribute { format: 1, offset: 12, ..Attribute::default() };
    let mut buffer = [0_u8; 96];
    assert!(instance_skin_into(instance, 0, &normals, [&mut buffer[..]], None).is_err());
    destroy(instance, Kind::Instance).unwrap();
    let error = instance_step(instance, 1.0).unwrap_err();
    assert_eq!(error.code, Code::StaleHandle);
    error.remember();
    with_last_error(|text| assert!(text.contains("an instance"), "{text}"));
    assert_eq!(code(destroy(model, Kind::Crowd)), Code::WrongKind);
    assert_eq!(
        code(skinned_mesh_new(0, &MeshSource::new(&[], no_influences()), &SkinSettings::default(), 0)),
        Code::InvalidValue
    );
}

fn no_influences() -> Influences<'static> {
    Influences::Variable { counts: &[], joints: &[], weights: &[] }
}

#[cfg(feature = "io")]
#[test]
fn files_are_written_and_read_again() {
    let folder = std::env::temp_dir().join(format!("sinew-handles-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let model = door();
    save_glb(model, &path("door.glb"), 0).unwrap();
    assert_eq!(code(save_glb(model, &path("door.glb"), 0)), Code::FileExists);
    let loaded = load(&path("door.glb"), &[], &LoadSettings::default()).unwrap();
    assert_eq!(model_info(loaded).unwrap().clips, 1);
    assert_eq!(model_find_clip(loaded, "open").unwrap(), 0);
    let bytes = glb_bytes(model).unwrap();
    assert_eq!(bytes, std::fs::read(path("door.glb")).unwrap());
    load_bytes(&bytes, &[], &LoadSettings::default()).unwrap();
    assert_eq!(code(load_bytes(b"nonsense", &[], &LoadSettings::default())), Code::InvalidFile);
    assert_eq!(code(load(&path("missing.glb"), &[], &LoadSettings::default())), Code::Io);

    let instance = instance_new(loaded, &SkinSettings::default()).unwrap();
    instance_sample(instance, 0, 1.0).unwrap();
    for name in ["pose.obj", "pose.ply", "pose.glb"] {
        bake_pose(instance, &path(name), 0).unwrap();
        assert_eq!(code(bake_pose(instance, &path(name), 0)), Code::FileExists);
        bake_pose(instance, &path(name), 1).unwrap();
        let format = BakeFormat::from_path(name).unwrap();
        assert_eq!(bake_pose_bytes(instance, format).unwrap(), std::fs::read(path(name)).unwrap());
    }
    for name in ["clip.pc2", "clip.mdd", "clip.npz"] {
        bake_clip(loaded, 0, 10.0, &path(name), 0).unwrap();
        let format = BakeFormat::from_path(name).unwrap();
        assert_eq!(bake_clip_bytes(loaded, 0, 10.0, format).unwrap(), std::fs::read(path(name)).unwrap());
    }
    assert_eq!(std::fs::metadata(path("clip.pc2")).unwrap().len(), 32 + 21 * 4 * 12);
    bake_clip(loaded, records::NONE, 10.0, &path("rest.pc2"), 0).unwrap();
    assert_eq!(code(bake_clip(loaded, 0, 0.0, &path("a.pc2"), 0)), Code::InvalidValue);
    assert_eq!(code(bake_clip(loaded, 0, 1e30, &path("a.pc2"), 0)), Code::Limit);
    assert_eq!(code(bake_pose(instance, &path("a.pc2"), 0)), Code::InvalidValue);
    assert_eq!(code(bake_pose(instance, &path("a"), 0)), Code::InvalidValue);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn modifiers_change_every_step() {
    let model = door();
    let instance = instance_new(model, &SkinSettings::default()).unwrap();
    let player = Player::Instance(instance);
    let lift = PoseCallback::new(|edit| {
        assert_eq!((edit.joints.len(), edit.model_from_joint.len()), (1, 1));
        edit.joints[0].translation[1] += edit.seconds;
    });
    let lift = modifier_push(player, Modifier::Callback(lift)).unwrap();
    let mut matrix = [0.0; 12];
    instance_step(instance, 0.5).unwrap();
    instance_matrices(instance, &mut matrix).unwrap();
    assert_eq!(matrix[7], 0.5);
    modifier_set_weight(player, lift, 0.5).unwrap();
    instance_step(instance, 0.5).unwrap();
    instance_matrices(instance, &mut matrix).unwrap();
    assert_eq!(matrix[7], 0.25);
    modifier_set_enabled(player, lift, 0).unwrap();
    let set = records::OverrideSettings {
        has_translation: 1,
        transform: TransformRecord { translation: [3.0, 0.0, 0.0], ..TransformRecord::IDENTITY },
        ..records::OverrideSettings::default()
    };
    let moved = modifier_push(player, Modifier::Override(set)).unwrap();
    instance_step(instance, 0.5).unwrap();
    instance_matrices(instance, &mut matrix).unwrap();
    assert_eq!([matrix[3], matrix[7]], [3.0, 0.0]);
    // A function whose result is not finite changes nothing.
    let spoil = PoseCallback::new(|edit| edit.joints[0].translation[1] = f32::NAN);
    modifier_replace(player, moved, Modifier::Callback(spoil)).unwrap();
    instance_step(instance, 0.5).unwrap();
    instance_matrices(instance, &mut matrix).unwrap();
    assert_eq!([matrix[3], matrix[7]], [0.0, 0.0]);
    // A function that calls back finds the instance in use.
    let inside = PoseCallback::new(move |_| assert_eq!(code(instance_step(instance, 0.0)), Code::Busy));
    modifier_replace(player, moved, Modifier::Callback(inside)).unwrap();
    instance_step(instance, 0.5).unwrap();
    modifier_remove(player, moved).unwrap();
    assert_eq!(code(modifier_remove(player, moved)), Code::StaleHandle);
    assert_eq!(code(modifier_remove(player, 0)), Code::StaleHandle);
    let beyond = records::AimSettings { joint: 7, ..records::AimSettings::default() };
    assert_eq!(code(modifier_push(player, Modifier::Aim(beyond))), Code::OutOfRange);
    modifiers_reset(player).unwrap();
}

#[test]
fn morphed_dual_quaternions_are_skinned_in_either_order() {
    let positions: Vec<[f32; 3]> = (0..6).map(|i| [i as f32, 1.0, 0.5 * i as f32]).collect();
    let weights = [[1.0, 0.0], [1.0, 0.0], [0.5, 0.5], [0.5, 0.5], [0.0, 1.0], [0.0, 1.0]];
    let influences =
        Influences::Variable { counts: &[2; 6], joints: &[0, 1].repeat(6), weights: weights.as_flattened() };
    let morph = sinew::mesh::MorphSource {
        positions: sinew::mesh::Deltas::Dense(&positions),
        ..sinew::mesh::MorphSource::default()
    };
    let source = MeshSource { morphs: &[morph], ..MeshSource::new(&positions, influences) };
    for dual_quaternions in [0, 1] {
        let settings = SkinSettings { dual_quaternions, ..SkinSettings::default() };
        let mesh = skinned_mesh_new(2, &source, &settings, 1).unwrap();
        skinned_mesh_set_morph_weights(mesh, &[0.5]).unwrap();
        let mut buffer = [0_u8; 72];
        skinned_mesh_skin_into(mesh, &packed(), [&mut buffer[..]], None).unwrap();
        let expected: Vec<f32> = positions.as_flattened().iter().map(|x| 1.5 * x).collect();
        assert_eq!(crate::positions(&buffer), expected);
        let mut run = vec![0_u8; 12 * skinned_mesh_counts(mesh, 1).unwrap().0 as usize];
        skinned_mesh_skin_into(mesh, &Layout { order: 1, ..packed() }, [&mut run[..]], None).unwrap();
    }
}
