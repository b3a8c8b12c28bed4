//! Reads VRM 1.0 and VRM animations.

use std::collections::BTreeMap;

use sinew::JointId;

use super::human_bone::HumanBone;
use super::read::{VrmReader, index_below, meta, number_or, vector_or};
use super::vrm::{
    ColliderShape, ConstraintAxis, ConstraintKind, ExpressionOverride, FirstPerson, MorphBind, Vrm,
    VrmAnimation, VrmCollider, VrmColliderGroup, VrmConstraint, VrmExpression, VrmExpressionJoint, VrmSpring,
    VrmSpringJoint,
};
use crate::error::BoxedError as Error;
use crate::json::{Field, Value};

/// The bones of a humanoid, by name.
type Humanoid = BTreeMap<HumanBone, JointId>;

impl VrmReader<'_, '_> {
    /// Reads `VRMC_vrm`.
    pub(super) fn avatar_1(&mut self, value: Value<'_>, vrm: &mut Vrm) -> Result<(), Error> {
        let [meta_field, humanoid, first_person, look_at, expressions] =
            value.fields(&["meta", "humanoid", "firstPerson", "lookAt", "expressions"])?;
        if let Some(found) = meta_field.some() {
            vrm.meta = meta(found, "thumbnailImage")?;
            let [thumbnail] = found.fields(&["thumbnailImage"])?;
            self.drop_field(thumbnail, "the VRM thumbnail");
        }
        vrm.humanoid = self.humanoid(humanoid)?;
        if let Some(first_person) = first_person.some() {
            let [annotations] = first_person.fields(&["meshAnnotations"])?;
            vrm.first_person = annotations.some_array(|annotation| self.annotation(annotation))?;
        }
        look_at.check_object()?;
        vrm.look_at = look_at.some().map_or_else(String::new, |look_at| look_at.text().to_owned());
        let Some(expressions) = expressions.some() else { return Ok(()) };
        let [presets, custom] = expressions.fields(&["preset", "custom"])?;
        for (group, is_preset) in [(presets, true), (custom, false)] {
            let Some(group) = group.some() else { continue };
            for (name, expression) in group.entries()? {
                let named = VrmExpression { name: name.string()?, is_preset, ..VrmExpression::default() };
                let expression = self.expression(expression, named)?;
                vrm.expressions.push(expression);
            }
        }
        Ok(())
    }

    fn humanoid(&self, field: Field<'_>) -> Result<Humanoid, Error> {
        let mut humanoid = Humanoid::new();
        let Some(value) = field.some() else { return Ok(humanoid) };
        let [bones] = value.fields(&["humanBones"])?;
        let Some(bones) = bones.some() else { return Ok(humanoid) };
        for (name, bone) in bones.entries()? {
            // Bones of later versions are ignored, as fields of later versions are.
            let Some(known) = HumanBone::from_name(&name.str()?) else { continue };
            let [node] = bone.fields(&["node"])?;
            if humanoid.insert(known, self.node(node.required()?)?).is_some() {
                return Err(name.error("each bone once"));
            }
        }
        Ok(humanoid)
    }

    fn annotation(&self, value: Value<'_>) -> Result<(JointId, FirstPerson), Error> {
        let [node, kind] = value.fields(&["node", "type"])?;
        let kind = match kind.some() {
            None => FirstPerson::Auto,
            Some(kind) => match &*kind.str()? {
                "auto" => FirstPerson::Auto,
                "both" => FirstPerson::Both,
                "thirdPersonOnly" => FirstPerson::ThirdPersonOnly,
                "firstPersonOnly" => FirstPerson::FirstPersonOnly,
                _ => return Err(kind.error("auto, both, thirdPersonOnly or firstPersonOnly")),
            },
        };
        Ok((self.node(node.required()?)?, kind))
    }

    fn expression(&mut self, value: Value<'_>, named: VrmExpression) -> Result<VrmExpression, Error> {
        let [binds, colors, transforms, binary, blink, look_at, mouth] = value.fields(&[
            "morphTargetBinds",
            "materialColorBinds",
            "textureTransformBinds",
            "isBinary",
            "overrideBlink",
            "overrideLookAt",
            "overrideMouth",
        ])?;
        self.drop_field(colors, "materials of VRM expressions");
        self.drop_field(transforms, "materials of VRM expressions");
        let all = binds.some_array(|bind| self.morph_bind(bind))?;
        let mut kept = Vec::with_capacity(all.len());
        for bind in all {
            if bind.target < self.targets(bind.joint.index()) {
                kept.push(bind);
            } else {
                self.no_target.add(self.binds);
            }
            self.binds += 1;
        }
        Ok(VrmExpression {
            binds: kept,
            is_binary: binary.some().map_or(Ok(false), Value::bool)?,
            override_blink: expression_override(blink)?,
            override_look_at: expression_override(look_at)?,
            override_mouth: expression_override(mouth)?,
            ..named
        })
    }

    fn morph_bind(&self, value: Value<'_>) -> Result<MorphBind, Error> {
        let [node, index, weight] = value.fields(&["node", "index", "weight"])?;
        let target = usize::try_from(index.required()?.u64()?).unwrap_or(usize::MAX);
        Ok(MorphBind { joint: self.node(node.required()?)?, target, weight: number_or(weight, 1.0)? })
    }

    /// Reads `VRMC_springBone`.
    pub(super) fn springs_1(&self, value: Value<'_>, vrm: &mut Vrm) -> Result<(), Error> {
        let [colliders, groups, springs] = value.fields(&["colliders", "colliderGroups", "springs"])?;
        vrm.colliders = colliders.some_array(|collider| self.collider(collider))?;
        let colliders = vrm.colliders.len();
        vrm.collider_groups = groups.some_array(|group| {
            let [name, own] = group.fields(&["name", "colliders"])?;
            let own = own.some_array(|collider| index_below(collider, colliders, "colliders"))?;
            Ok(VrmColliderGroup { name: name.string()?, colliders: own })
        })?;
        let groups = vrm.collider_groups.len();
        vrm.springs = springs.some_array(|spring| {
            let [name, joints, own, center] =
                spring.fields(&["name", "joints", "colliderGroups", "center"])?;
            Ok(VrmSpring {
                name: name.string()?,
                joints: joints.some_array(|joint| self.spring_joint(joint))?,
                collider_groups: own.some_array(|group| index_below(group, groups, "collider groups"))?,
                center: center.some().map(|node| self.node(node)).transpose()?,
            })
        })?;
        Ok(())
    }

    fn spring_joint(&self, value: Value<'_>) -> Result<VrmSpringJoint, Error> {
        let [node, hit_radius, stiffness, gravity_power, gravity_direction, drag] =
            value.fields(&["node", "hitRadius", "stiffness", "gravityPower", "gravityDir", "dragForce"])?;
        Ok(VrmSpringJoint {
            joint: self.node(node.required()?)?,
            hit_radius: number_or(hit_radius, 0.0)?,
            stiffness: number_or(stiffness, 1.0)?,
            gravity_power: number_or(gravity_power, 0.0)?,
            gravity_direction: vector_or(gravity_direction, [0.0, -1.0, 0.0])?,
            drag: number_or(drag, 0.5)?,
        })
    }

    fn collider(&self, value: Value<'_>) -> Result<VrmCollider, Error> {
        let [node, shape, extensions] = value.fields(&["node", "shape", "extensions"])?;
        extensions.check_object()?;
        // The extension replaces the shape, which is there for programs that do not know it.
        let extended =
            extensions.some().and_then(|found| found.get("VRMC_springBone_extended_collider")?.get("shape"));
        let shape = match extended {
            Some(extended) => extended,
            None => shape.required()?,
        };
        Ok(VrmCollider { joint: self.node(node.required()?)?, shape: collider_shape(shape)? })
    }

    /// Reads `VRMC_node_constraint`; `None` if it has no constraint.
    pub(super) fn constraint(
        &self,
        joint: JointId,
        value: Value<'_>,
    ) -> Result<Option<VrmConstraint>, Error> {
        let [constraint] = value.fields(&["constraint"])?;
        let Some(constraint) = constraint.some() else { return Ok(None) };
        let [roll, aim, rotation] = constraint.fields(&["roll", "aim", "rotation"])?;
        let (value, kind) = match (roll.some(), aim.some(), rotation.some()) {
            (Some(roll), None, None) => (roll, ConstraintKind::Roll(roll_axis(roll)?)),
            (None, Some(aim), None) => (aim, ConstraintKind::Aim(aim_axis(aim)?)),
            (None, None, Some(rotation)) => (rotation, ConstraintKind::Rotation),
            (None, None, None) => return Ok(None),
            _ => return Err(constraint.error("one of roll, aim and rotation")),
        };
        let [source, weight] = value.fields(&["source", "weight"])?;
        let source = self.node(source.required()?)?;
        if source == joint {
            return Err(value.error("a source other than the node itself"));
        }
        Ok(Some(VrmConstraint { joint, source, kind, weight: number_or(weight, 1.0)?.clamp(0.0, 1.0) }))
    }

    /// Reads `VRMC_vrm_animation`.
    pub(super) fn animation(&self, value: Value<'_>) -> Result<VrmAnimation, Error> {
        let [humanoid, expressions, look_at] = value.fields(&["humanoid", "expressions", "lookAt"])?;
        let mut animation = VrmAnimation { humanoid: self.humanoid(humanoid)?, ..VrmAnimation::default() };
        if let Some(expressions) = expressions.some() {
            let [presets, custom] = expressions.fields(&["preset", "custom"])?;
            for (group, is_preset) in [(presets, true), (custom, false)] {
                let Some(group) = group.some() else { continue };
                for (name, expression) in group.entries()? {
                    let [node] = expression.fields(&["node"])?;
                    let joint = self.node(node.required()?)?;
                    let expression = VrmExpressionJoint { name: name.string()?, is_preset, joint };
                    animation.expressions.push(expression);
                }
            }
        }
        if let Some(look_at) = look_at.some() {
            let [node] = look_at.fields(&["node"])?;
            animation.look_at = node.some().map(|node| self.node(node)).transpose()?;
        }
        Ok(animation)
    }
}

fn expression_override(field: Field<'_>) -> Result<ExpressionOverride, Error> {
    let Some(value) = field.some() else { return Ok(ExpressionOverride::None) };
    match &*value.str()? {
        "none" => Ok(ExpressionOverride::None),
        "block" => Ok(ExpressionOverride::Block),
        "blend" => Ok(ExpressionOverride::Blend),
        _ => Err(value.error("none, block or blend")),
    }
}

fn collider_shape(value: Value<'_>) -> Result<ColliderShape, Error> {
    let [sphere, capsule, plane] = value.fields(&["sphere", "capsule", "plane"])?;
    let found = sphere.some().or(capsule.some()).or(plane.some());
    let Some(found) = found else { return Err(value.error("a sphere, a capsule or a plane")) };
    let [offset, radius, tail, inside, normal] =
        found.fields(&["offset", "radius", "tail", "inside", "normal"])?;
    let offset = vector_or(offset, [0.0; 3])?;
    let radius = number_or(radius, 0.0)?;
    let inside = inside.some().map_or(Ok(false), Value::bool)?;
    Ok(if sphere.some().is_some() {
        ColliderShape::Sphere { offset, radius, inside }
    } else if capsule.some().is_some() {
        ColliderShape::Capsule { offset, tail: vector_or(tail, [0.0; 3])?, radius, inside }
    } else {
        ColliderShape::Plane { offset, normal: vector_or(normal, [0.0, 0.0, 1.0])? }
    })
}

fn roll_axis(value: Value<'_>) -> Result<ConstraintAxis, Error> {
    let [axis] = value.fields(&["rollAxis"])?;
    let axis = axis.required()?;
    match &*axis.str()? {
        "X" => Ok(ConstraintAxis::PositiveX),
        "Y" => Ok(ConstraintAxis::PositiveY),
        "Z" => Ok(ConstraintAxis::PositiveZ),
        _ => Err(axis.error("X, Y or Z")),
    }
}

fn aim_axis(value: Value<'_>) -> Result<ConstraintAxis, Error> {
    let [axis] = value.fields(&["aimAxis"])?;
    let axis = axis.required()?;
    let found = axis.str()?;
    let named = ConstraintAxis::AIM_NAMES.iter().find(|(_, name)| *name == found);
    named.map(|(axis, _)| *axis).ok_or_else(|| axis.error("PositiveX to NegativeZ"))
}

impl ConstraintAxis {
    /// The names of aim axes in files.
    pub(super) const AIM_NAMES: [(Self, &'static str); 6] = [
        (Self::PositiveX, "PositiveX"),
        (Self::NegativeX, "NegativeX"),
        (Self::PositiveY, "PositiveY"),
        (Self::NegativeY, "NegativeY"),
        (Self::PositiveZ, "PositiveZ"),
        (Self::NegativeZ, "NegativeZ"),
    ];
}
