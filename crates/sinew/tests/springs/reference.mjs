// Simulates three rigs with the spring bones of @pixiv/three-vrm-springbone and prints rigs,
// motions and positions as JSON, for the test `springs_reference`.
//
//     node reference.mjs FRAMES_BETWEEN_OUTPUTS > reference.json
//
// Each rig is simulated twice. `measured` is three-vrm as it is: it measures the length of a bone
// from where its head is in this step to where its end was after the last one. `constant` updates
// the end first, so that bones keep their length, as VRMC_springBone 1.0 defines it.

import * as THREE from 'three';
import {
  VRMSpringBoneCollider,
  VRMSpringBoneColliderShapeCapsule,
  VRMSpringBoneColliderShapePlane,
  VRMSpringBoneColliderShapeSphere,
  VRMSpringBoneJoint,
  VRMSpringBoneManager,
} from '@pixiv/three-vrm-springbone';

const FRAMES = 600;
const SECONDS = 1 / 60;
const every = Number(process.argv[2] ?? 1);

// A bone: its parent, translation, and optionally rotation and uniform scale.
const bone = (parent, translation, rotation = [0, 0, 0, 1], scale = 1) => ({ parent, translation, rotation, scale });

// A chain of bones below a parent; returns the indices of all of them.
function chain(bones, parent, offset, step, count) {
  const joints = [];
  for (let i = 0; i < count; i++) {
    bones.push(bone(i === 0 ? parent : bones.length - 1, i === 0 ? offset : step));
    joints.push(bones.length - 1);
  }
  return joints;
}

const joint = (joint, numbers) => ({ joint, hitRadius: 0, stiffness: 1, gravityPower: 0, gravityDir: [0, -1, 0], dragForce: 0.4, ...numbers });

// A ponytail of six joints on a head that nods and turns, with numbers that change along the chain.
function ponytail() {
  const bones = [bone(-1, [0, 1.4, 0]), bone(0, [0, 0.2, 0.02])];
  const joints = chain(bones, 1, [0, 0.1, -0.1], [0, -0.02, -0.06], 7);
  const springs = [{
    joints: joints.map((j, i) => joint(j, { hitRadius: 0.02, stiffness: 1.2 - 0.1 * i, gravityPower: 0.4, dragForce: 0.3 + 0.05 * i })),
    groups: [0],
    center: -1,
  }];
  return {
    name: 'ponytail', bones, springs,
    motions: [
      { joint: 1, kind: 'rotate', axis: [0, 1, 0], amplitude: 0.9, frequency: 0.7 },
      { joint: 0, kind: 'translate', axis: [0, 1, 0], amplitude: 0.05, frequency: 1.9 },
    ],
    colliders: [
      { joint: 1, shape: 'sphere', offset: [0, 0.06, 0.01], radius: 0.11, inside: false },
      { joint: 0, shape: 'capsule', offset: [-0.15, 0, 0], tail: [0.15, 0, 0], radius: 0.06, inside: false },
    ],
    groups: [[0, 1]],
  };
}

// A skirt of eight chains around two legs that walk; capsules on the legs, a plane, and a sphere
// that keeps inside.
function skirt() {
  const bones = [bone(-1, [0, 1, 0]), bone(0, [0.09, -0.02, 0]), bone(0, [-0.09, -0.02, 0])];
  const springs = [];
  for (let i = 0; i < 8; i++) {
    const angle = (i / 8) * 2 * Math.PI;
    const [x, z] = [Math.cos(angle), Math.sin(angle)];
    const joints = chain(bones, 0, [0.14 * x, 0.02, 0.14 * z], [0.03 * x, -0.12, 0.03 * z], 4);
    springs.push({
      joints: joints.map((j) => joint(j, { hitRadius: 0.03, stiffness: 0.6, gravityPower: 0.25, gravityDir: [0.1, -1, 0.05], dragForce: 0.5 })),
      groups: i % 2 === 0 ? [0, 1] : [0],
      center: -1,
    });
  }
  const leg = (joint) => ({ joint, shape: 'capsule', offset: [0, -0.05, 0], tail: [0, -0.45, 0], radius: 0.08, inside: false });
  return {
    name: 'skirt', bones, springs,
    motions: [
      { joint: 1, kind: 'rotate', axis: [1, 0, 0], amplitude: 0.6, frequency: 0.9 },
      { joint: 2, kind: 'rotate', axis: [1, 0, 0], amplitude: -0.6, frequency: 0.9 },
      { joint: 0, kind: 'translate', axis: [0, 0, 1], amplitude: 0.4, frequency: 0.3 },
    ],
    colliders: [
      leg(1), leg(2),
      { joint: 0, shape: 'plane', offset: [0, -0.3, 0], normal: [0, 1, 0.1] },
      { joint: 0, shape: 'sphere', offset: [0, -0.1, 0], radius: 0.42, inside: true },
    ],
    groups: [[0, 1], [2, 3]],
  };
}

// Two tails under a root that runs and turns, scaled by two; one swings relative to the hips.
function tail() {
  const half = Math.sqrt(0.5);
  const bones = [bone(-1, [0, 0, 0], [0, 0, 0, 1], 2), bone(0, [0, 0.4, 0], [0, half, 0, half]), bone(1, [0, 0.05, -0.1])];
  const one = chain(bones, 2, [0, 0, -0.05], [0.01, 0.015, -0.07], 9);
  const other = chain(bones, 2, [0.05, 0, -0.05], [0, 0.015, -0.07], 9);
  const spring = (joints, center) => ({
    joints: joints.map((j) => joint(j, { stiffness: 1.6, gravityPower: 0.5, dragForce: 0.35 })),
    groups: [], center,
  });
  return {
    name: 'tail', bones, springs: [spring(one, -1), spring(other, 1)],
    motions: [
      { joint: 0, kind: 'translate', axis: [1, 0, 0], amplitude: 1.5, frequency: 0.25 },
      { joint: 0, kind: 'rotate', axis: [0, 1, 0], amplitude: 1.2, frequency: 0.4 },
      { joint: 2, kind: 'rotate', axis: [0, 0, 1], amplitude: 0.5, frequency: 1.1 },
    ],
    colliders: [], groups: [],
  };
}

const vector = (v) => new THREE.Vector3(...v);

function shape(collider) {
  const { offset, tail, normal, radius, inside } = collider;
  switch (collider.shape) {
    case 'sphere': return new VRMSpringBoneColliderShapeSphere({ offset: vector(offset), radius, inside });
    case 'capsule': return new VRMSpringBoneColliderShapeCapsule({ offset: vector(offset), tail: vector(tail), radius, inside });
    case 'plane': return new VRMSpringBoneColliderShapePlane({ offset: vector(offset), normal: vector(normal) });
  }
}

function move(rig, nodes, seconds) {
  rig.bones.forEach(({ translation, rotation }, i) => {
    if (rig.motions.some((motion) => motion.joint === i)) {
      nodes[i].position.set(...translation);
      nodes[i].quaternion.set(...rotation);
    }
  });
  for (const { joint, kind, axis, amplitude, frequency } of rig.motions) {
    const value = amplitude * Math.sin(2 * Math.PI * frequency * seconds);
    if (kind === 'translate') {
      nodes[joint].position.addScaledVector(vector(axis), value);
    } else {
      nodes[joint].quaternion.multiply(new THREE.Quaternion().setFromAxisAngle(vector(axis), value));
    }
  }
}

// A joint whose bone keeps its length.
class ConstantJoint extends VRMSpringBoneJoint {
  update(delta) {
    this.child.updateMatrix();
    this.child.updateWorldMatrix(false, false);
    super.update(delta);
  }
}

// The positions of all joints in each frame.
function simulate(rig, Joint) {
  const nodes = rig.bones.map(({ translation, rotation, scale }) => {
    const node = new THREE.Object3D();
    node.position.set(...translation);
    node.quaternion.set(...rotation);
    node.scale.setScalar(scale);
    return node;
  });
  const scene = new THREE.Scene();
  rig.bones.forEach(({ parent }, i) => (parent < 0 ? scene : nodes[parent]).add(nodes[i]));
  const colliders = rig.colliders.map((collider) => {
    const object = new VRMSpringBoneCollider(shape(collider));
    nodes[collider.joint].add(object);
    return object;
  });
  const groups = rig.groups.map((group) => ({ colliders: group.map((i) => colliders[i]) }));
  const manager = new VRMSpringBoneManager();
  for (const spring of rig.springs) {
    for (let i = 0; i + 1 < spring.joints.length; i++) {
      const { joint, gravityDir, ...numbers } = spring.joints[i];
      const settings = { ...numbers, gravityDir: vector(gravityDir) };
      const child = nodes[spring.joints[i + 1].joint];
      const bone = new Joint(nodes[joint], child, settings, spring.groups.map((g) => groups[g]));
      if (spring.center >= 0) bone.center = nodes[spring.center];
      manager.addJoint(bone);
    }
  }
  move(rig, nodes, 0);
  scene.updateMatrixWorld(true);
  manager.setInitState();
  scene.updateMatrixWorld(true); // Tips of chains, which the manager leaves where they were.
  const frames = [];
  for (let frame = 1; frame <= FRAMES; frame++) {
    move(rig, nodes, frame * SECONDS);
    manager.update(SECONDS);
    scene.updateMatrixWorld(); // As drawing does.
    if (frame % every === 0) {
      frames.push(nodes.map((node) => [12, 13, 14].map((i) => Number(node.matrixWorld.elements[i].toPrecision(8)))));
    }
  }
  return frames;
}

const rigs = [ponytail(), skirt(), tail()].map((rig) => {
  const measured = simulate(rig, VRMSpringBoneJoint);
  const constant = simulate(rig, ConstantJoint);
  const frames = measured.map((positions, i) => ({ frame: (i + 1) * every, constant: constant[i], measured: positions }));
  return { ...rig, frames };
});
console.log(JSON.stringify({ rigs }));
