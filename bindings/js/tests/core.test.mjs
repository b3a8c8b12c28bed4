// The module behind meshes: results, errors, memory.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { SkinnedMesh, hasSimd, init, onMemoryGrowth } from "sinew3d";

import { randomNumbers } from "./models.mjs";

before(() => init({ simd: process.env.SINEW_SCALAR !== "1" }));

const TRIANGLE = {
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
    normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
    skinIndices: [0, 0, 1],
    skinWeights: [1, 1, 1],
    joints: 2,
};
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const moved = (x, y, z) => [...IDENTITY.slice(0, 12), x, y, z, 1];

test("calls before init are errors", async () => {
    const { core } = await import(`${new URL("../node_modules/sinew3d/lib/core.js", import.meta.url)}?fresh`);
    assert.throws(() => core(), /call `await init\(\)` first/);
});

test("a palette moves vertices, bounds and hits", () => {
    const mesh = new SkinnedMesh(TRIANGLE);
    assert.deepEqual([mesh.vertexCount, mesh.jointCount, mesh.triangleCount, mesh.morphTargetCount], [3, 2, 1, 0]);
    mesh.setPalette([...IDENTITY, ...moved(0, 2, 5)]);
    assert.deepEqual([...mesh.skin().positions], [0, 0, 0, 1, 0, 0, 0, 3, 5]);
    assert.deepEqual(mesh.exactBounds(), { min: [0, 0, 0], max: [1, 3, 5] });
    const { min, max } = mesh.bounds();
    assert.ok(min.every((low) => low <= 1e-4) && max[1] >= 3 && max[2] >= 5);
    mesh.setPalette([...IDENTITY, ...IDENTITY]);
    const hit = mesh.cast([0.1, 0.2, 4], { x: 0, y: 0, z: -2 });
    assert.ok(Math.abs(hit.distance - 4) < 1e-6 && hit.side === "front" && hit.triangle === 0 && hit.joint === 0);
    assert.equal(mesh.cast([0.1, 0.2, -4], [0, 0, 1], { faces: "front" }), null);
    assert.equal(mesh.cast([0.1, 0.2, -4], [0, 0, 1]).side, "back");
    assert.equal(mesh.cast([0.1, 0.2, 4], [0, 0, -1], { maxDistance: 3 }), null);
    assert.equal(mesh.castAll([0.1, 0.2, 4], [0, 0, -1]).length, 1);
    const [first, second] = mesh.castMany([0.1, 0.2, 4, 0, 0, -1, 5, 5, 5, 0, 0, 1]);
    assert.ok(first.distance === hit.distance && second === null);
    assert.ok(Math.abs(mesh.closestPoint([0, 0, 2]).distance - 2) < 1e-6);
    assert.equal(mesh.closestPoint([0, 0, 2], 1), null);
    assert.equal(mesh.contains([0, 0, 1]), false);
    mesh.dispose();
});

test("a ray from far away keeps its precision", () => {
    const mesh = new SkinnedMesh(TRIANGLE);
    const hit = mesh.cast([0.25, 0.25, 1e9], [0, 0, -1]);
    assert.ok(Math.abs(hit.point[0] - 0.25) < 1e-6 && Math.abs(hit.distance - 1e9) < 1e-3);
    mesh.dispose();
});

test("morph targets, normals and copies", () => {
    const mesh = new SkinnedMesh({ ...TRIANGLE, morphTargets: [{ positions: [0, 0, 1, 0, 0, 1, 0, 0, 1] }], unitDirections: true });
    mesh.setMorphWeights([0.5]);
    const positions = new Float32Array(9);
    const normals = new Float32Array(9);
    mesh.skinInto({ positions, normals });
    assert.deepEqual([positions[2], positions[5], positions[8], normals[2]], [0.5, 0.5, 0.5, 1]);
    const clone = mesh.clone();
    mesh.setMorphWeights([0]);
    assert.equal(clone.skin().positions[2], 0.5);
    assert.equal(mesh.skin().positions[2], 0);
    mesh.dispose();
    assert.equal(clone.cast([0.1, 0.1, 2], [0, 0, -1]).point[2], 0.5);
    clone.dispose();
});

test("more hits than fit into the memory of one call", () => {
    const layers = 200;
    const positions = Array.from({ length: layers }, (_, z) => [0, 0, z, 1, 0, z, 0, 1, z]).flat();
    const zeros = new Uint8Array(3 * layers);
    const mesh = new SkinnedMesh({ positions, skinIndices: zeros, skinWeights: new Float32Array(3 * layers).fill(1), joints: 1 });
    const hits = mesh.castAll([0.2, 0.2, -1], [0, 0, 1]);
    assert.deepEqual(hits.map(({ triangle }) => triangle), Array.from({ length: layers }, (_, i) => i));
    mesh.dispose();
});

test("bad arguments are TypeErrors and RangeErrors with the library's words", () => {
    const mesh = new SkinnedMesh(TRIANGLE);
    const cases = [
        [() => new SkinnedMesh(), TypeError, /mesh: expected an object/],
        [() => new SkinnedMesh({ ...TRIANGLE, positions: "a" }), TypeError, /positions: expected an array of numbers/],
        [() => new SkinnedMesh({ ...TRIANGLE, positions: [1, 2] }), RangeError, /positions: expected three numbers each/],
        [() => new SkinnedMesh({ ...TRIANGLE, positions: [0, 0, 0, 1, 0, 0, 0, NaN, 0] }), RangeError, /vertex 2/],
        [() => new SkinnedMesh({ ...TRIANGLE, skinIndices: [0, 0, 2] }), RangeError, /joint/],
        [() => new SkinnedMesh({ ...TRIANGLE, skinIndices: [0, 0, -1] }), RangeError, /skinIndices\[2\]/],
        [() => new SkinnedMesh({ ...TRIANGLE, skinWeights: [1, 1, -1] }), RangeError, /weight/],
        [() => new SkinnedMesh({ ...TRIANGLE, skinWeights: [1, 1, 0] }), RangeError, /weight/],
        [() => new SkinnedMesh({ ...TRIANGLE, indices: [0, 1, 3] }), RangeError, /triangle/],
        [() => new SkinnedMesh({ ...TRIANGLE, indices: [0, 1] }), RangeError, /three for each triangle/],
        [() => new SkinnedMesh({ ...TRIANGLE, joints: 0 }), RangeError, /joints of a skinned mesh: expected 1 to 65536/],
        [() => new SkinnedMesh({ ...TRIANGLE, joints: 1e9 }), RangeError, /expected 1 to 65536/],
        [() => new SkinnedMesh({ ...TRIANGLE, morphTargets: [{ positions: [1] }] }), RangeError, /morphTargets\[0\]/],
        [() => new SkinnedMesh({ ...TRIANGLE, normals: undefined, tangents: new Float32Array(12) }), RangeError, /normals/],
        [() => mesh.setPalette([1]), RangeError, /palette: expected 32 numbers, found 1/],
        [() => mesh.setPalette("a"), TypeError, /palette/],
        [() => mesh.setMorphWeights([1]), RangeError, /morph weights: expected 0 numbers/],
        [() => mesh.cast([0, 0], [0, 0, 1]), TypeError, /origin: expected three numbers/],
        [() => mesh.cast([0, 0, 0], "up"), TypeError, /direction/],
        [() => mesh.cast([0, 0, 0], [0, 0, 1], { faces: "back" }), RangeError, /faces: expected both, front/],
        [() => mesh.castMany([1, 2, 3]), RangeError, /rays: expected six numbers each/],
        [() => mesh.skin({ tangents: true }), RangeError, /tangent/],
        [() => mesh.skinInto({ positions: new Float32Array(3) }), RangeError, /positions: expected 9/],
        [() => mesh.skinInto({ positions: [] }), TypeError, /Float32Array/],
    ];
    for (const [call, type, words] of cases) {
        assert.throws(call, (error) => error instanceof type && words.test(error.message) || assert.fail(`${call}: ${error}`));
    }
    // Rays that cannot hit anything are no errors.
    for (const bad of [NaN, Infinity, 1e300]) {
        assert.equal(mesh.cast([bad, 0, 0], [0, 0, 1]), null);
        assert.equal(mesh.cast([0, 0, 0], [bad, bad, 0]), null);
    }
    assert.equal(mesh.cast([0, 0, 0], [0, 0, 0]), null);
    mesh.dispose();
});

test("a disposed mesh refuses everything", () => {
    const mesh = new SkinnedMesh(TRIANGLE);
    mesh.dispose();
    mesh.dispose();
    assert.ok(mesh.disposed);
    const calls = [() => mesh.skin(), () => mesh.bounds(), () => mesh.cast([0, 0, 0], [0, 0, 1]), () => mesh.clone(), () => mesh.refit()];
    for (const call of calls) assert.throws(call, { name: "TypeError", message: /disposed/ });
});

/** A mesh that takes some megabytes. */
function large(vertices = 200_000) {
    const zeros = new Uint8Array(vertices);
    const weights = new Float32Array(vertices).fill(1);
    return new SkinnedMesh({ positions: new Float32Array(3 * vertices), skinIndices: zeros, skinWeights: weights, joints: 1, indices: [] });
}

test("growing memory is announced, and accessors stay valid", () => {
    const mesh = new SkinnedMesh(TRIANGLE);
    const vertices = mesh.skin();
    const kept = vertices.positions;
    let grown = 0;
    const end = onMemoryGrowth(() => {
        grown++;
        assert.equal(kept.length, 0, "the old view is dead when the listener is called");
        assert.equal(vertices.positions.length, 9, "and the accessor has another one");
    });
    const more = [];
    while (kept.length > 0) more.push(large());
    assert.ok(grown >= 1);
    assert.deepEqual([...vertices.positions], TRIANGLE.positions);
    end();
    more.forEach((each) => each.dispose());
    assert.throws(() => onMemoryGrowth(1), TypeError);
    mesh.dispose();
});

test("dispose frees the memory", () => {
    let bytes = 0;
    const end = onMemoryGrowth(() => bytes++);
    for (let i = 0; i < 5; i++) large().dispose();
    bytes = 0;
    for (let i = 0; i < 40; i++) large().dispose();
    assert.equal(bytes, 0, "memory did not grow");
    end();
});

test("garbage collection frees the memory", { skip: !globalThis.gc && "needs --expose-gc" }, async () => {
    let growths = 0;
    const end = onMemoryGrowth(() => growths++);
    for (let i = 0; i < 60; i++) {
        large();
        globalThis.gc();
        await sleep(5);
    }
    // 60 meshes of more than 10 MB would have grown the memory far more often.
    assert.ok(growths < 30, `${growths} growths`);
    end();
});

test("random arguments never trap", () => {
    const random = randomNumbers(11);
    const odd = [0, 1, -1, NaN, Infinity, -Infinity, 1e38, 1e-40, 1e300, 4294967295, 0.5];
    const pick = () => odd[Math.floor(random() * odd.length)];
    const list = (length) => Array.from({ length }, () => (random() < 0.8 ? random() : pick()));
    let built = 0;
    for (let i = 0; i < 3000; i++) {
        const vertices = Math.floor(random() * 12);
        const joints = 1 + Math.floor(random() * 3);
        const indices = Array.from({ length: 3 * Math.floor(random() * 8) }, () => Math.floor(random() * (vertices + 0.1)));
        const source = {
            positions: list(3 * vertices),
            normals: random() < 0.5 ? list(3 * vertices) : undefined,
            skinIndices: Array.from({ length: 2 * vertices }, () => Math.floor(random() * (joints + 0.05))),
            skinWeights: Array.from({ length: 2 * vertices }, () => (random() < 0.99 ? random() : pick())),
            indices,
            joints,
            morphTargets: random() < 0.3 ? [{ positions: list(3 * vertices) }] : [],
            normalizeWeights: random() < 0.5,
            dualQuaternions: random() < 0.3,
            reproducible: random() < 0.3,
        };
        try {
            const mesh = new SkinnedMesh(source);
            built++;
            const steps = [
                () => mesh.setPalette(list(16 * joints)),
                () => mesh.setMorphWeights(list(mesh.morphTargetCount)),
                () => mesh.cast(list(3), list(3)),
                () => mesh.castAll(list(3), list(3)),
                () => mesh.closestPoint(list(3), pick()),
                () => mesh.contains(list(3)),
                () => mesh.exactSphere(),
                () => mesh.bounds(),
                () => mesh.refit(),
                () => mesh.skin({ normals: random() < 0.5 }),
                () => mesh.clone().dispose(),
            ];
            for (let k = 0; k < 12; k++) {
                try {
                    steps[Math.floor(random() * steps.length)]();
                } catch (error) {
                    assert.ok(error instanceof RangeError || error instanceof TypeError, String(error.stack));
                }
            }
            mesh.dispose();
        } catch (error) {
            assert.ok(error instanceof RangeError || error instanceof TypeError, String(error.stack));
        }
    }
    assert.ok(built > 300, `${built} meshes were built`);
});

test("this machine's form was chosen", () => assert.equal(typeof hasSimd(), "boolean"));
