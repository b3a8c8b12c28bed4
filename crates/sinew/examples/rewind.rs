//! Lag compensation: a shot is tested against the pose that the shooter saw, 0.1 s ago.
//!
//! Run with `cargo run --release -p sinew --example rewind`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use sinew::animation::{Interpolation, Keys, Track};
use sinew::model::{History, MeshInstance, ModelSource, Primitive};
use sinew::{Bone, Clip, Error, Influences, Mesh, MeshSource, Model, Ray, Skeleton, Skin, Transform};

/// A square target, one meter wide, that moves along x at 12 m/s.
fn target() -> Result<Model, Error> {
    let skeleton = Skeleton::new(&[Bone::new("target", None, Transform::IDENTITY)])?;
    let joint = skeleton.joint("target")?;
    let skin = Skin::new(&skeleton, &[joint])?;
    let corners = [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [0.5, 1.0, 0.0], [-0.5, 1.0, 0.0]];
    let influences = Influences::Variable { counts: &[1; 4], joints: &[0; 4], weights: &[1.0; 4] };
    let source = MeshSource { triangles: &[[0, 1, 2], [0, 2, 3]], ..MeshSource::new(&corners, influences) };
    let primitive = Primitive::new("square", Mesh::new(&source, &skin)?);
    let keys = Keys::Translations { joint, values: &[[0.0; 3], [120.0, 0.0, 0.0]] };
    let track = Track { times: &[0.0, 10.0], keys, interpolation: Interpolation::Linear };
    let source = ModelSource {
        clips: vec![Clip::new("run", &skeleton, &[track])?],
        skins: vec![skin],
        primitives: vec![primitive],
        mesh_instances: vec![MeshInstance::new("target", joint)],
        ..ModelSource::new(skeleton)
    };
    Ok(Model::new(source)?)
}

fn main() -> Result<(), Error> {
    let model = target()?;
    let mut runner = model.instance();
    runner.play("run")?;
    // Once: one second of history, and an instance for past poses of any runner of this model.
    let mut history = History::new(model.skeleton(), 60);
    let mut past = model.instance();

    let mut now = 0.0;
    for _ in 0..120 {
        runner.step(1.0 / 60.0);
        now += 1.0 / 60.0;
        history.record(now, runner.pose())?;
    }
    println!("now the target is at {:?}", runner.bounds());

    // The shooter saw the target at its past position and aimed at its center.
    let seen = now - 0.1;
    history.pose_at(seen, past.pose_mut())?;
    println!("the shooter saw it at {:?}", past.bounds());
    let ray = Ray::new([22.8, 0.5, 10.0], [0.0, 0.0, -1.0]);
    match past.cast(&ray) {
        Some(hit) => println!("a hit at {:?}, of joint {}", hit.point, model.skeleton().name(hit.joint)),
        None => println!("a miss"),
    }
    println!("where it is now the same shot {}", if runner.cast(&ray).is_some() { "hits" } else { "misses" });
    Ok(())
}
