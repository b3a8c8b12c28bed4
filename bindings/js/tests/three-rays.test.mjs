// Rays against accelerated meshes: the hits of brute force in doubles, and of three.js itself.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { basename } from "node:path";

import { accelerate, init, restore } from "sinew3d/three";
import * as THREE from "three";

import { distanceToEdges, distanceToTriangle, nearestHit, randomRay, sizeOf, worldTriangles } from "./brute-force.mjs";
import { loadGlb, modelFiles, place, randomNumbers, randomPose, skinnedMeshes, tube } from "./models.mjs";

/** Distances and points may differ by this part of a mesh's size. */
const TOLERANCE = 1e-5;
const RAYS = Number(process.env.SINEW_RAYS ?? 100_000);
const THREE_RAYS = Number(process.env.SINEW_THREE_RAYS ?? 200);
const simd = process.env.SINEW_SCALAR !== "1";

before(() => init({ simd }));

function cast(mesh, ray) {
    const raycaster = new THREE.Raycaster(ray.origin, ray.direction);
    raycaster.firstHitOnly = true;
    const first = raycaster.intersectObject(mesh, false);
    raycaster.firstHitOnly = false;
    const all = raycaster.intersectObject(mesh, false);
    assert.equal(all[0]?.faceIndex, first[0]?.faceIndex, "the nearest of all hits is the nearest hit");
    return all[0];
}

/**
 * Compares a hit with that of brute force. Returns whether only an edge within the tolerance
 * explains them.
 */
function compare(triangles, size, ray, found, expected, name) {
    const tolerance = TOLERANCE * size;
    if (found === undefined && expected === null) return false;
    if (found?.faceIndex === expected?.triangle || Math.abs(found?.distance - expected?.distance) <= tolerance) {
        assert.ok(Math.abs(found.distance - expected.distance) <= 10 * tolerance, `${name}: distance`);
        return false;
    }
    if (expected !== null && (found === undefined || found.distance > expected.distance)) {
        const point = ray.at(expected.distance, new THREE.Vector3());
        assert.ok(distanceToEdges(triangles, expected.triangle, point) <= tolerance, `${name}: missed ${expected.triangle}`);
    } else {
        assert.ok(distanceToTriangle(triangles, found.faceIndex, found.point) <= tolerance, `${name}: not on ${found.faceIndex}`);
        assert.ok(ray.distanceToPoint(found.point) <= tolerance, `${name}: not on the ray`);
        assert.ok(distanceToEdges(triangles, found.faceIndex, found.point) <= tolerance, `${name}: inside ${found.faceIndex}`);
    }
    return true;
}

/** Casts rays at a mesh in its pose. */
function check(mesh, rays, random, name) {
    const triangles = worldTriangles(mesh);
    if (triangles.length === 0) return { hits: 0, edges: 0 };
    const extent = sizeOf(triangles);
    let [hits, edges] = [0, 0];
    for (let i = 0; i < rays; i++) {
        const ray = randomRay(triangles, extent, random);
        const found = cast(mesh, ray);
        const expected = nearestHit(triangles, ray);
        hits += expected === null ? 0 : 1;
        edges += compare(triangles, extent.size, ray, found, expected, name) ? 1 : 0;
    }
    return { hits, edges };
}

/** As `check`, against three.js' own `raycast`. */
function checkThree(mesh, rays, random, name) {
    const triangles = worldTriangles(mesh);
    if (triangles.length === 0) return;
    const extent = sizeOf(triangles);
    for (let i = 0; i < rays; i++) {
        const ray = randomRay(triangles, extent, random);
        const found = cast(mesh, ray);
        const raycaster = new THREE.Raycaster(ray.origin, ray.direction);
        const theirs = [];
        mesh.boundingSphere = mesh.boundingBox = null;
        THREE.SkinnedMesh.prototype.raycast.call(mesh, raycaster, theirs);
        theirs.sort((a, b) => a.distance - b.distance);
        const expected = theirs[0] && { distance: theirs[0].distance, triangle: theirs[0].faceIndex };
        const isEdge = compare(triangles, extent.size, ray, found, expected ?? null, name);
        if (isEdge || expected === undefined || found.faceIndex !== expected.triangle) continue;
        const [ours, other] = [found, theirs[0]];
        assert.deepEqual(Object.keys(other).filter((key) => !(key in ours)), []);
        assert.deepEqual([ours.face.a, ours.face.b, ours.face.c], [other.face.a, other.face.b, other.face.c]);
        assert.ok(ours.point.distanceTo(other.point) <= 10 * TOLERANCE * extent.size);
        assert.ok(ours.face.normal.dot(other.face.normal) > 0.999 || other.face.normal.length() === 0, `${name}: normal`);
        assert.equal(ours.object, mesh);
        assert.equal(ours.joint, mesh.skeleton.bones[ours.jointIndex]);
    }
}

const GENERATED = {
    tube: () => tube(),
    "tube without indices": () => tube({ indexed: false, seed: 2 }),
    "tube with morph targets": () => tube({ morphs: 3, seed: 3 }),
    "tube with absolute morph targets": () => tube({ morphs: 2, relative: false, seed: 4 }),
    "detached tube": () => {
        const mesh = tube({ seed: 5 });
        mesh.bindMode = THREE.DetachedBindMode;
        return mesh;
    },
    "weights that do not sum to one": () => {
        const mesh = tube({ seed: 6 });
        const { skinWeight } = mesh.geometry.attributes;
        for (let i = 0; i < skinWeight.count; i += 3) skinWeight.setX(i, skinWeight.getX(i) * (i % 2 ? 0.5 : 1.4));
        return mesh;
    },
};

for (const [name, make] of Object.entries(GENERATED)) {
    test(`${name}: rays`, () => {
        const random = randomNumbers(7);
        const mesh = accelerate(make());
        let [hits, edges] = [0, 0];
        for (let pose = 0; pose < 3; pose++) {
            randomPose(mesh, random);
            place(mesh, random, pose === 2 ? 1000 : 5);
            const found = check(mesh, RAYS / 100, random, name);
            hits += found.hits;
            edges += found.edges;
            checkThree(mesh, THREE_RAYS / 10, random, name);
        }
        assert.ok(hits > RAYS / 500 && edges <= 3, `${hits} hits, ${edges} at edges`);
        restore(mesh);
    });
}

test("models of files: rays", async () => {
    const files = modelFiles();
    let [cast, hits, edges] = [0, 0, 0];
    for (const file of files) {
        const random = randomNumbers(file.length);
        const gltf = await loadGlb(file);
        const { meshes, pose } = skinnedMeshes(gltf);
        for (const mesh of meshes) {
            accelerate(mesh);
            mesh.material.side = THREE.DoubleSide;
        }
        const poses = 3;
        const rays = Math.ceil(RAYS / (files.length * poses * Math.max(meshes.length, 1)));
        for (let i = 0; i < poses; i++) {
            place(gltf.scene, random);
            pose(0.1 + 0.3 * i);
            for (const mesh of meshes) {
                const found = check(mesh, rays, random, basename(file));
                cast += rays;
                hits += found.hits;
                edges += found.edges;
                checkThree(mesh, Math.ceil(THREE_RAYS / poses / meshes.length), random, basename(file));
            }
        }
        meshes.forEach(restore);
    }
    console.log(`${cast} rays on ${files.length} files: ${hits} hits, ${edges} decided by an edge`);
    assert.ok(edges <= 1e-4 * cast);
});
