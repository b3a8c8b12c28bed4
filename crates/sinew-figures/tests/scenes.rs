//! Scene names, the cylinders, and a checksum of every scene.

use sinew_figures::{Error, Motion, NAMES, Scene, scene};
use sinew_testkit::checksum::Checksum;

/// A checksum of everything in a scene, and of its motions at a few times.
fn checksum(scene: &Scene) -> u64 {
    let mut sum = Checksum::new();
    let mesh = &scene.mesh;
    sum.add(mesh.positions.as_flattened());
    sum.add(mesh.normals.as_flattened());
    sum.add(mesh.tangents.as_flattened());
    sum.add(mesh.texture_coordinates.as_flattened());
    // Integers of this size are exact in f32.
    for (joint, weight) in mesh.influences() {
        sum.add(&[joint as f32, weight]);
    }
    for &count in &mesh.influence_counts {
        sum.add(&[count as f32]);
    }
    for triangle in &mesh.triangles {
        sum.add(&triangle.map(|vertex| vertex as f32));
    }
    let mut pose = scene.skeleton.rest_pose();
    for joint in pose.transforms() {
        sum.add(&joint.rotation);
        sum.add(&joint.translation);
    }
    for &motion in &scene.motions {
        for seconds in [0.0, 0.3, 1.7, -2.9, 100.1] {
            motion.pose(&scene.skeleton, seconds, &mut pose).expect("the scene's own motion");
            for joint in pose.transforms() {
                sum.add(&joint.rotation);
                sum.add(&joint.translation);
            }
        }
    }
    sum.value()
}

#[test]
fn every_target_computes_the_same_bits() {
    const EXPECTED: [(&str, u64); 8] = [
        ("@cylinder:1", 0x8AED_5FC1_CC62_F319),
        ("@cylinder:2", 0xFAAE_7CCF_F8A0_D7D7),
        ("@cylinder:3", 0x9BA8_EC12_BED0_B356),
        ("@cylinder:4", 0x531D_3A71_8DCF_39EB),
        ("@cylinder:varying", 0xBB85_7DBA_B26D_4FE3),
        ("@figure", 0x1ADD_73CF_E839_8841),
        ("@figure:50000", 0xC0AB_F240_40A5_5D23),
        ("@twist", 0x1BB1_E7F7_B9D9_E9AE),
    ];
    let found = EXPECTED.map(|(name, _)| (name, checksum(&scene(name).unwrap())));
    assert!(found == EXPECTED, "{found:#X?}");
}

#[test]
fn every_listed_name_builds_a_scene() {
    for (name, _) in NAMES {
        let name = name.replace("WEIGHTS", "2").replace("VERTICES", "2000");
        assert!(!scene(&name).unwrap().motions.is_empty());
    }
    let same = |a: &str, b: &str| assert_eq!(scene(a).unwrap().mesh, scene(b).unwrap().mesh);
    same("@cylinder", "@cylinder:4");
    same("@figure", "@figure:5000");
}

#[test]
fn an_unknown_name_is_an_error_that_lists_the_known_names() {
    for name in ["", "@", "figure", "@Figure", "@figures", "@figure 5", "cylinder:3", "@twist:2"] {
        let error = scene(name).unwrap_err();
        assert_eq!(error, Error::UnknownName { name: name.to_owned() });
        for (known, _) in NAMES {
            assert!(error.to_string().contains(known), "{error}");
        }
    }
}

#[test]
fn an_invalid_parameter_is_an_error() {
    for parameter in
        ["", "0", "-1", "+5", " 5", "5 ", "1000001", "1e5", "ten", "5000:2", "99999999999999999999999"]
    {
        let name = format!("@figure:{parameter}");
        let error = scene(&name).unwrap_err();
        assert!(error.to_string().contains("1000000"), "{error}");
        assert_eq!(error, Error::BadVertices { name });
    }
    for parameter in ["", "0", "5", "04", "vary", "1-4"] {
        let name = format!("@cylinder:{parameter}");
        let error = scene(&name).unwrap_err();
        assert!(error.to_string().contains("varying"), "{error}");
        assert_eq!(error, Error::BadWeights { name });
    }
}

#[test]
fn the_cylinder_matches_the_paper() {
    for (parameter, counts) in [("1", 1..=1), ("2", 2..=2), ("3", 3..=3), ("4", 4..=4), ("varying", 1..=4)] {
        let scene = scene(&format!("@cylinder:{parameter}")).unwrap();
        let mesh = &scene.mesh;
        assert_eq!(scene.skeleton.len(), 30);
        assert!((2000..2200).contains(&mesh.positions.len()));
        assert_eq!(scene.motions[0], Motion::Sine);
        let all: Vec<_> = mesh.influences().collect();
        let mut rest = all.as_slice();
        for count in &mesh.influence_counts {
            assert!(counts.contains(count), "{parameter}: {count}");
            let (own, others) = rest.split_at(*count as usize);
            rest = others;
            assert!((own.iter().map(|influence| influence.1).sum::<f32>() - 1.0).abs() < 1e-6);
            assert!(own.is_sorted_by(|a, b| a.1 >= b.1 && b.1 > 0.0));
        }
        for count in counts {
            assert!(mesh.influence_counts.contains(&count), "{parameter}: no vertex with {count}");
        }
    }
}

/// The enclosed volume of a mesh, which must be closed.
fn enclosed_volume(name: &str) -> f32 {
    let mesh = scene(name).expect("a known name").mesh;
    let key = |vertex: u32| mesh.positions[vertex as usize].map(f32::to_bits);
    let mut edges = std::collections::BTreeSet::new();
    let mut volume = 0.0;
    for &[a, b, c] in &mesh.triangles {
        for edge in [(a, b), (b, c), (c, a)] {
            assert!(edges.insert((key(edge.0), key(edge.1))));
        }
        let [a, b, c] = [a, b, c].map(|vertex| mesh.positions[vertex as usize]);
        let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        volume += (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0;
    }
    assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))));
    volume
}

#[test]
fn cylinders_are_closed_and_face_outward() {
    // Pi * radius^2 * height, minus what 32 or 48 flat sides cut off.
    for (name, expected) in [("@cylinder", 0.208..0.2121), ("@twist", 0.765..0.7697)] {
        let volume = enclosed_volume(name);
        assert!(expected.contains(&volume), "{name}: {volume}");
    }
}

#[test]
fn the_ponytail_swings_after_the_head() {
    let model = scene("@ponytail").unwrap().model().unwrap();
    let springs = model.springs().expect("the ponytail has springs");
    assert_eq!(springs.bone_count(), 8);
    let tip = model.skeleton().joint("hair tip").unwrap();
    let mut stiff = model.instance();
    let mut swinging = model.instance();
    swinging.modifiers_mut().push(springs.clone()).unwrap();
    let mut apart = 0.0_f32;
    for instance in [&mut stiff, &mut swinging] {
        instance.play("shake").unwrap();
    }
    for _ in 0..120 {
        stiff.step(1.0 / 60.0);
        swinging.step(1.0 / 60.0);
        let [a, b] =
            [&mut stiff, &mut swinging].map(|instance| instance.model_matrices()[tip.index()].translation());
        apart = apart.max((0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>().sqrt());
    }
    assert!(apart > 0.1, "{apart}");
    let bounds = swinging.skin().bounds();
    let all = bounds.min.iter().chain(&bounds.max);
    assert!(all.clone().all(|element| element.abs() < 1.0), "{bounds:?}");
}
