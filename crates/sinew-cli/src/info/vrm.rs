//! The VRM data of a model, as text and as JSON.

use std::io::Write;

use sinew_io::{ColliderShape, ConstraintKind, Vrm, VrmVersion};

use crate::CliError;
use crate::json::{ToJson, Value, json};
use crate::text::{count, one_line};

pub(super) fn print(out: &mut impl Write, vrm: &Vrm) -> Result<(), CliError> {
    let title = vrm.meta_text("name").or_else(|| vrm.meta_text("title"));
    let title = title.map_or_else(String::new, |title| format!(", {}", one_line(&title)));
    writeln!(out, "VRM             {}{title}", version_name(vrm.version))?;
    let (bones, animation) = match &vrm.animation {
        Some(animation) => (&animation.humanoid, " of an animation"),
        None => (&vrm.humanoid, ""),
    };
    let names: Vec<&str> = bones.keys().map(|bone| bone.name()).collect();
    let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    writeln!(out, "  humanoid      {}{animation}{names}", count(bones.len(), "bone"))?;
    let names: Vec<String> = vrm.expressions.iter().map(|expression| one_line(&expression.name)).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    writeln!(out, "  expressions   {names}")?;
    let joints: usize = vrm.springs.iter().map(|spring| spring.joints.len()).sum();
    writeln!(
        out,
        "  springs       {} with {}, {} in {}",
        vrm.springs.len(),
        count(joints, "joint"),
        count(vrm.colliders.len(), "collider"),
        count(vrm.collider_groups.len(), "group"),
    )?;
    Ok(writeln!(out, "  constraints   {}", vrm.constraints.len())?)
}

pub(super) fn to_json(vrm: &Vrm) -> Value {
    let bones = vrm.animation.as_ref().map_or(&vrm.humanoid, |animation| &animation.humanoid);
    let humanoid = bones.iter().map(|(bone, joint)| (bone.name().to_owned(), joint.index().to_json()));
    let expressions = vrm.expressions.iter().map(|expression| {
        let binds = expression
            .binds
            .iter()
            .map(|bind| json!({ "joint": bind.joint.index(), "target": bind.target, "weight": bind.weight }));
        json!({
            "name": expression.name,
            "preset": expression.is_preset,
            "binary": expression.is_binary,
            "binds": binds.collect::<Vec<_>>(),
        })
    });
    let springs = vrm.springs.iter().map(|spring| {
        let joints = spring.joints.iter().map(|joint| joint.joint.index());
        json!({
            "name": spring.name,
            "joints": joints.collect::<Vec<_>>(),
            "collider_groups": spring.collider_groups,
            "center": spring.center.map(|center| center.index()),
        })
    });
    let colliders = vrm.colliders.iter().map(|collider| {
        let shape = match collider.shape {
            ColliderShape::Sphere { .. } => "sphere",
            ColliderShape::Capsule { .. } => "capsule",
            ColliderShape::Plane { .. } => "plane",
        };
        json!({ "joint": collider.joint.index(), "shape": shape })
    });
    let constraints = vrm.constraints.iter().map(|constraint| {
        let kind = match constraint.kind {
            ConstraintKind::Roll(_) => "roll",
            ConstraintKind::Aim(_) => "aim",
            ConstraintKind::Rotation => "rotation",
        };
        let (joint, source) = (constraint.joint.index(), constraint.source.index());
        json!({ "joint": joint, "source": source, "kind": kind, "weight": constraint.weight })
    });
    json!({
        "version": version_name(vrm.version),
        "animation": vrm.animation.is_some(),
        "humanoid": Value::Object(humanoid.collect()),
        "expressions": expressions.collect::<Vec<_>>(),
        "springs": springs.collect::<Vec<_>>(),
        "colliders": colliders.collect::<Vec<_>>(),
        "constraints": constraints.collect::<Vec<_>>(),
    })
}

fn version_name(version: VrmVersion) -> &'static str {
    match version {
        VrmVersion::V0 => "0.x",
        _ => "1.0",
    }
}
