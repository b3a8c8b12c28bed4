// The three.js adapter, besides rays: bounds, positions, geometries, materials, changes.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { accelerate, accelerateScene, init, refit, restore, skinGeometry } from "sinew3d/three";
import * as THREE from "three";

import { place, randomNumbers, randomPose, tube } from "./models.mjs";

before(() => init({ simd: process.env.SINEW_SCALAR !== "1" }));

const { prototype } = THREE.SkinnedMesh;
const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a} and ${b}`);

function checkPositions(mesh, what) {
    const [ours, theirs] = [new THREE.Vector3(), new THREE.Vector3()];
    for (let i = 0; i < mesh.geometry.attributes.position.count; i += 5) {
        mesh.getVertexPosition(i, ours);
        prototype.getVertexPosition.call(mesh, i, theirs);
        assert.ok(ours.distanceTo(theirs) < 1e-5 * 8, `${what}: vertex ${i}`);
    }
}

function checkBounds(mesh, what) {
    mesh.computeBoundingBox();
    const ours = mesh.boundingBox.clone();
    prototype.computeBoundingBox.call(mesh);
    for (const side of ["min", "max"]) {
        for (const axis of ["x", "y", "z"]) near(ours[side][axis], mesh.boundingBox[side][axis], 1e-4, `${what}: box`);
    }
    mesh.computeBoundingSphere();
    const { center, radius } = mesh.boundingSphere;
    const vertex = new THREE.Vector3();
    let farthest = 0;
    for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
        prototype.getVertexPosition.call(mesh, i, vertex);
        farthest = Math.max(farthest, vertex.distanceTo(center));
    }
    near(farthest, radius, 1e-4, `${what}: sphere`);
}

for (const options of [{}, { indexed: false }, { morphs: 2 }, { morphs: 2, relative: false }]) {
    test(`positions and bounds of a tube, ${JSON.stringify(options)}`, () => {
        const random = randomNumbers(3);
        const mesh = accelerate(tube(options));
        for (const bindMode of [THREE.AttachedBindMode, THREE.DetachedBindMode]) {
            mesh.bindMode = bindMode;
            randomPose(mesh, random);
            place(mesh, random);
            checkPositions(mesh, bindMode);
            checkBounds(mesh, bindMode);
        }
        restore(mesh);
    });
}

test("a single bone that moves is noticed by the vertices that it moves", () => {
    const mesh = accelerate(tube());
    mesh.updateMatrixWorld(true);
    checkPositions(mesh, "before");
    mesh.skeleton.bones[5].rotation.x = 1;
    mesh.updateMatrixWorld(true);
    checkPositions(mesh, "after");
    restore(mesh);
});

test("a skinned geometry", () => {
    const random = randomNumbers(5);
    const mesh = tube({ morphs: 1 });
    randomPose(mesh, random);
    place(mesh, random);
    const check = (geometry) => {
        const [ours, theirs] = [new THREE.Vector3(), new THREE.Vector3()];
        for (let i = 0; i < geometry.attributes.position.count; i += 7) {
            ours.fromBufferAttribute(geometry.attributes.position, i);
            prototype.getVertexPosition.call(mesh, i, theirs);
            assert.ok(ours.distanceTo(theirs) < 1e-4);
            near(ours.fromBufferAttribute(geometry.attributes.normal, i).length(), 1, 1e-5, "normal");
        }
    };
    const geometry = skinGeometry(mesh);
    check(geometry);
    assert.equal(geometry.index, mesh.geometry.index);
    assert.equal(geometry.attributes.uv, mesh.geometry.attributes.uv);
    assert.equal(geometry.attributes.skinIndex, undefined);
    assert.ok(geometry.boundingBox.containsPoint(geometry.boundingSphere.center));
    accelerate(mesh);
    const { array } = geometry.attributes.position;
    randomPose(mesh, random);
    mesh.updateMatrixWorld(true);
    check(skinGeometry(mesh, geometry));
    assert.equal(geometry.attributes.position.array, array, "memory is reused");
    const plain = new THREE.Mesh(geometry, mesh.material);
    plain.applyMatrix4(mesh.matrixWorld);
    plain.updateMatrixWorld();
    restore(mesh);
});

test("sides, groups, draw ranges, near and far as in three.js", () => {
    const random = randomNumbers(9);
    const geometry = tube().geometry;
    const compare = (mesh, change) => {
        for (let i = 0; i < 60; i++) {
            const origin = new THREE.Vector3(random() - 0.5, 8 * random(), random() - 0.5);
            if (i % 2) origin.multiplyScalar(5);
            const direction = new THREE.Vector3(random() - 0.5, 0.2 * (random() - 0.5), random() - 0.5).normalize();
            const raycaster = new THREE.Raycaster(origin, direction);
            change(raycaster);
            const [ours, theirs] = [[], []];
            mesh.raycast(raycaster, ours);
            mesh.boundingSphere = mesh.boundingBox = null;
            prototype.raycast.call(mesh, raycaster, theirs);
            const key = ({ faceIndex, face }) => `${faceIndex} ${face.materialIndex}`;
            assert.deepEqual(ours.map(key).sort(), theirs.map(key).sort());
        }
    };
    const make = (material) => {
        const mesh = tube();
        mesh.geometry = geometry.clone();
        mesh.material = material;
        randomPose(mesh, random, 0.2);
        mesh.updateMatrixWorld(true);
        return accelerate(mesh);
    };
    for (const side of [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide]) {
        const mesh = make(new THREE.MeshBasicMaterial({ side }));
        compare(mesh, () => {});
        compare(mesh, (raycaster) => Object.assign(raycaster, { near: 1, far: 3 }));
        mesh.geometry.setDrawRange(300, 600);
        compare(mesh, () => {});
        mesh.geometry.setDrawRange(301, 600);
        compare(mesh, () => {});
    }
    const mesh = make([new THREE.MeshBasicMaterial(), new THREE.MeshBasicMaterial({ side: THREE.BackSide })]);
    mesh.geometry.clearGroups();
    mesh.geometry.addGroup(0, 1200, 0);
    mesh.geometry.addGroup(900, 1200, 1);
    compare(mesh, () => {});
});

test("changed attributes, geometries and skeletons are noticed", () => {
    const mesh = accelerate(tube());
    mesh.updateMatrixWorld(true);
    checkBounds(mesh, "at first");
    const { position } = mesh.geometry.attributes;
    checkPositions(mesh, "at first");
    position.setXYZ(10, 9, 9, 9);
    position.needsUpdate = true;
    checkPositions(mesh, "moved vertex");
    checkBounds(mesh, "moved vertex");
    mesh.geometry = tube({ rings: 10, seed: 2 }).geometry;
    checkBounds(mesh, "another geometry");
    const other = tube({ bones: 9 });
    mesh.bind(other.skeleton, mesh.bindMatrix);
    other.updateMatrixWorld(true);
    checkBounds(mesh, "another skeleton");
    restore(mesh);
});

test("scenes: what cannot be accelerated is left as it is", () => {
    const scene = new THREE.Scene();
    const [good, bad] = [tube(), tube({ seed: 2 })];
    bad.geometry.attributes.skinWeight.setX(3, NaN);
    scene.add(good, bad, new THREE.Mesh(new THREE.BoxGeometry()));
    const { accelerated, skipped } = accelerateScene(scene);
    assert.deepEqual(accelerated, [good]);
    assert.equal(skipped[0].mesh, bad);
    assert.ok(skipped[0].error instanceof RangeError && /vertex 3/.test(skipped[0].error.message), skipped[0].error.message);
    assert.equal(bad.raycast, prototype.raycast);
    assert.equal(accelerate(good), good);
    restore(good);
    assert.equal(good.raycast, prototype.raycast);
    assert.ok(!Object.hasOwn(good, "raycast"));
    assert.throws(() => accelerateScene({}), TypeError);
    assert.throws(() => accelerate(new THREE.Mesh()), { name: "TypeError", message: /SkinnedMesh/ });
    assert.throws(() => refit(good), TypeError);
    const bare = new THREE.SkinnedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial());
    assert.throws(() => accelerate(bare), TypeError);
    bare.bind(new THREE.Skeleton([new THREE.Bone()]));
    assert.throws(() => accelerate(bare), { name: "TypeError", message: /skinIndex/ });
});

test("twenty meshes of one geometry share its data", () => {
    const [first, random] = [tube({ rings: 200 }), randomNumbers(4)];
    const meshes = Array.from({ length: 20 }, () => {
        const mesh = tube({ rings: 1 });
        mesh.geometry = first.geometry;
        randomPose(mesh, random);
        mesh.updateMatrixWorld(true);
        return accelerate(mesh);
    });
    meshes.forEach((mesh) => checkBounds(mesh, "shared"));
    meshes.forEach(restore);
});

test("nothing that is not finite traps", () => {
    const mesh = accelerate(tube({ morphs: 1 }));
    for (const bad of [NaN, Infinity, 1e300]) {
        mesh.skeleton.bones[2].matrixWorld.elements[13] = bad;
        mesh.raycast(new THREE.Raycaster(new THREE.Vector3(0, 3, 9), new THREE.Vector3(0, 0, -1)), []);
        mesh.computeBoundingBox();
        mesh.computeBoundingSphere();
        refit(mesh);
    }
    mesh.morphTargetInfluences[0] = NaN;
    assert.throws(() => mesh.computeBoundingBox(), { name: "RangeError", message: /morph weight: expected a finite number/ });
    mesh.scale.setScalar(0);
    mesh.morphTargetInfluences[0] = 0;
    mesh.updateMatrixWorld(true);
    mesh.raycast(new THREE.Raycaster(new THREE.Vector3(0, 3, 9), new THREE.Vector3(0, 0, -1)), []);
});
