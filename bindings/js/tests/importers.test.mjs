// Models from files: load, play, skin, cast, bake; hostile bytes.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { FileError, Model, initImporters, loadModel, onMemoryGrowth } from "sinew3d/importers";

import { randomNumbers } from "./models.mjs";

before(() => initImporters({ simd: process.env.SINEW_SCALAR !== "1" }));

/** A bar of two joints that bends, as glTF with an embedded buffer. */
function bar() {
    const positions = [];
    const [joints, weights, indices] = [[], [], []];
    for (let y = 0; y <= 4; y++) {
        for (const [x, z] of [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) {
            positions.push(x, y, z);
            joints.push(0, 1, 0, 0);
            weights.push(1 - y / 4, y / 4, 0, 0);
        }
        for (let side = 0; y > 0 && side < 4; side++) {
            const [a, b] = [4 * y - 4 + side, 4 * y - 4 + ((side + 1) % 4)];
            indices.push(a, a + 4, b, b, a + 4, b + 4);
        }
    }
    const half = Math.SQRT1_2;
    const arrays = [
        ["VEC3", 5126, Float32Array.from(positions), { min: [-0.5, 0, -0.5], max: [0.5, 4, 0.5] }],
        ["VEC4", 5121, Uint8Array.from(joints)],
        ["VEC4", 5126, Float32Array.from(weights)],
        ["SCALAR", 5123, Uint16Array.from(indices)],
        ["SCALAR", 5126, Float32Array.from([0, 1]), { min: [0], max: [1] }],
        ["VEC4", 5126, Float32Array.from([0, 0, 0, 1, 0, 0, half, half])],
    ];
    const sizes = { SCALAR: 1, VEC3: 3, VEC4: 4 };
    let bytes = Buffer.alloc(0);
    const [bufferViews, accessors] = [[], []];
    for (const [type, componentType, array, more] of arrays) {
        bufferViews.push({ buffer: 0, byteOffset: bytes.length, byteLength: array.byteLength });
        accessors.push({ bufferView: bufferViews.length - 1, componentType, type, count: array.length / sizes[type], ...more });
        const padding = (4 - (array.byteLength % 4)) % 4;
        bytes = Buffer.concat([bytes, Buffer.from(array.buffer), Buffer.alloc(padding)]);
    }
    const json = {
        asset: { version: "2.0" },
        scene: 0,
        scenes: [{ nodes: [0, 2] }],
        nodes: [{ name: "root", children: [1] }, { name: "tip \"2\"", translation: [0, 2, 0] }, { name: "bar", mesh: 0, skin: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 }, indices: 3 }] }],
        skins: [{ joints: [0, 1] }],
        animations: [
            { name: "bend", channels: [{ sampler: 0, target: { node: 1, path: "rotation" } }], samplers: [{ input: 4, output: 5 }] },
        ],
        accessors,
        bufferViews,
        buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString("base64")}` }],
    };
    return Buffer.from(JSON.stringify(json));
}

test("load, play, step, skin, cast, bake", async () => {
    const model = await loadModel(bar());
    assert.deepEqual(model.clips, [{ name: "bend", start: 0, end: 1 }]);
    assert.ok(model.joints.some(({ name }) => name === 'tip "2"'));
    const [mesh] = model.meshes;
    assert.deepEqual([mesh.vertices, mesh.triangles, mesh.hasNormals], [20, 32, mesh.hasNormals]);
    assert.equal(model.triangles(0).length, 96);
    const instance = model.instance();
    assert.equal(instance.play("bend", { loop: false }), 0);
    instance.step(0.5);
    assert.ok(Math.abs(instance.playback().seconds - 0.5) < 1e-6);
    const { positions } = instance.skin(0);
    assert.equal(positions.length, 60);
    const { min, max } = instance.bounds();
    for (let i = 0; i < 60; i++) assert.ok(positions[i] >= min[i % 3] && positions[i] <= max[i % 3]);
    const hit = instance.cast([0, 0.5, 9], [0, 0, -1]);
    assert.ok(Math.abs(hit.distance - 8.5) < 1e-5);
    assert.equal(model.joints[hit.joint].name, "root");
    assert.deepEqual(instance.castMany([0, 0.5, 9, 0, 0, -1, 0, 0.5, 9, 0, 0, 1])[1], null);
    assert.equal(instance.palette().length, 16 * model.skins[0]);
    assert.equal(instance.matrices().length, 12 * model.joints.length);
    const pose = instance.pose();
    instance.sample("bend", 0);
    assert.notDeepEqual(instance.pose(), pose);
    instance.setPose(pose);
    assert.deepEqual(instance.pose(), pose);
    assert.match(new TextDecoder().decode(instance.bake("obj")), /^v /m);
    assert.equal(new TextDecoder().decode(instance.bake("glb").subarray(0, 4)), "glTF");
    assert.equal(new TextDecoder().decode(model.bakeClip("pc2", { clip: "bend" }).subarray(0, 10)), "POINTCACHE");
    assert.ok(model.bakeClip("npz").length > 100);
    const again = new Model(model.toGlb());
    assert.deepEqual(again.clips[0].name, "bend");
    instance.step(3);
    assert.ok(instance.playback().isFinished);
    // The end of the clip decays to its start: nothing jumps at first.
    const end = instance.pose();
    assert.equal(instance.play("bend", { mode: "inertialize", fadeSeconds: 0.5 }), 0);
    instance.step(0.001);
    instance.pose().forEach((number, i) => assert.ok(Math.abs(number - end[i]) < 0.02));
    assert.throws(() => instance.addSprings(), { name: "RangeError", message: /springs/ });
    instance.stop();
    assert.equal(instance.playbackCount, 0);
    for (const object of [instance, model, again]) object.dispose();
    assert.throws(() => instance.step(0), { name: "TypeError", message: /disposed/ });
    assert.throws(() => model.instance(), { name: "TypeError", message: /disposed/ });
});

test("texture coordinates, colors and images of a mesh", async () => {
    const json = JSON.parse(bar());
    const coordinates = Float32Array.from({ length: 40 }, (_, i) => i / 40);
    const data = (bytes, type) => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
    json.buffers.push({ byteLength: coordinates.byteLength, uri: data(coordinates.buffer, "application/octet-stream") });
    json.bufferViews.push({ buffer: 1, byteLength: coordinates.byteLength });
    json.accessors.push({ bufferView: json.bufferViews.length - 1, componentType: 5126, type: "VEC2", count: 20 });
    const [primitive] = json.meshes[0].primitives;
    primitive.attributes.TEXCOORD_0 = json.accessors.length - 1;
    primitive.material = 0;
    json.images = [{ uri: data("picture", "image/png") }];
    json.textures = [{ source: 0 }];
    json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 }, baseColorFactor: [0.5, 1, 0.25, 1] } }];
    const model = await loadModel(Buffer.from(JSON.stringify(json)));
    const [mesh] = model.meshes;
    assert.deepEqual([mesh.textureCoordinateSets, mesh.baseColor, mesh.hasColors], [1, [0.5, 1, 0.25, 1], false]);
    assert.deepEqual(mesh.baseTexture, { image: 0, set: 0 });
    assert.deepEqual(model.textureCoordinates(0), coordinates);
    assert.deepEqual(model.colors(0), new Float32Array(80).fill(1));
    assert.equal(new TextDecoder().decode(model.image(0)), "picture");
    for (const [call, message] of [
        [() => model.textureCoordinates(0, 1), /set of texture coordinates/],
        [() => model.textureCoordinates(1), /mesh instance/],
        [() => model.colors(1), /mesh instance/],
        [() => model.image(1), /image/],
    ]) assert.throws(call, { name: "RangeError", message });
    for (const [mode, cutoff, expected] of [
        ["MASK", 0.25, ["mask", 0.25]], ["MASK", undefined, ["mask", 0.5]], ["BLEND", undefined, ["blend", 0]],
    ]) {
        Object.assign(json.materials[0], { alphaMode: mode, alphaCutoff: cutoff });
        const [{ alphaMode, alphaCutoff }] = (await loadModel(Buffer.from(JSON.stringify(json)))).meshes;
        assert.deepEqual([alphaMode, alphaCutoff], expected);
    }
    const [plain] = (await loadModel(bar())).meshes;
    assert.deepEqual([plain.textureCoordinateSets, plain.baseTexture, plain.alphaMode], [0, null, "opaque"]);
});

/** 64-bit FNV-1a over the bytes of numbers. */
function checksum(arrays) {
    let sum = 0xcbf29ce484222325n;
    for (const { buffer, byteOffset, byteLength } of arrays) {
        for (const byte of new Uint8Array(buffer, byteOffset, byteLength)) {
            sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
        }
    }
    return sum.toString(16).padStart(16, "0");
}

// `bindings/handles/tests/checksums.rs` makes the same calls and compares with the same list.
test("vertices match a native build bit for bit", async (context) => {
    const here = dirname(fileURLToPath(import.meta.url));
    for (const line of readFileSync(join(here, "checksums.txt"), "utf8").trim().split("\n")) {
        const [expected, name] = line.split(" ");
        const path = name.startsWith("SINEW_DATA/") ? name.replace("SINEW_DATA", process.env.SINEW_DATA ?? "") : join(here, name);
        if (!existsSync(path)) {
            context.diagnostic(`skipped: ${name}`);
            continue;
        }
        const model = await loadModel(readFileSync(path), { reproducible: true });
        const instance = model.instance();
        instance.play(0);
        for (let i = 0; i < 3; i++) instance.step(0.25);
        if (model.clips.length > 1) instance.play(1, { mode: "crossFade", fadeSeconds: 0.5 });
        instance.step(0.25);
        const arrays = model.meshes.flatMap(({ hasNormals }, mesh) => {
            const { positions, normals } = instance.skin(mesh, { normals: hasNormals });
            return hasNormals ? [positions.slice(), normals.slice()] : [positions.slice()];
        });
        assert.equal(checksum(arrays), expected, name);
    }
});

test("bad arguments and bad files", async () => {
    const model = await loadModel(bar());
    const instance = model.instance();
    const cases = [
        [() => new Model(), TypeError, /file: expected the bytes/],
        [() => new Model("a"), TypeError, /file/],
        [() => new Model(new Uint8Array()), FileError, /./],
        [() => new Model(Buffer.from("no model")), FileError, /expected a file of the format/],
        [() => instance.play("run"), RangeError, /clip "run": expected one clip, found none/],
        [() => instance.play(7), RangeError, /expected a clip below 1, found 7/],
        [() => instance.play(0, { mode: "x" }), RangeError, /mode/],
        [() => instance.play(0, { speed: NaN }), RangeError, /speed: expected a finite number/],
        [() => instance.step("a"), TypeError, /seconds/],
        [() => instance.step(Infinity), RangeError, /seconds: expected a finite number/],
        [() => instance.skin(3), RangeError, /mesh instance/],
        [() => instance.skin(0, { tangents: true }), RangeError, /./],
        [() => instance.palette(9), RangeError, /skin/],
        [() => instance.setPose([1]), RangeError, /ten numbers/],
        [() => instance.setPose(new Float32Array(10), 99), RangeError, /joint/],
        [() => instance.seek(0, 5), RangeError, /playback/],
        [() => instance.bake("png"), RangeError, /format: expected obj, ply, glb/],
        [() => model.bakeClip("npz", { framesPerSecond: 0 }), RangeError, /frames per second/],
        [() => model.bakeClip("npz", { clip: 0, framesPerSecond: 1e9 }), RangeError, /./],
        [() => model.triangles(5), RangeError, /mesh instance/],
    ];
    for (const [call, type, words] of cases) {
        assert.throws(call, (error) => (error instanceof type && words.test(error.message)) || assert.fail(`${call}: ${error}`));
    }
    instance.dispose();
    model.dispose();
});

test("views of another module's memory stay apart, and growth is announced", () => {
    const model = new Model(bar());
    const instance = model.instance();
    const vertices = instance.skin(0);
    const kept = vertices.positions;
    let grown = 0;
    const end = onMemoryGrowth(() => grown++);
    const more = [];
    while (kept.length > 0) more.push(Array.from({ length: 50 }, () => model.instance()));
    assert.ok(grown > 0 && vertices.positions.length === 60);
    end();
    more.flat().forEach((each) => each.dispose());
});

test("damaged files never trap", () => {
    const random = randomNumbers(21);
    const text = bar();
    let loaded = 0;
    for (let i = 0; i < 400; i++) {
        const bytes = Buffer.from(text.subarray(0, i % 3 === 0 ? Math.floor(random() * text.length) : text.length));
        for (let k = 0; k < 1 + Math.floor(4 * random()) && bytes.length > 0; k++) {
            bytes[Math.floor(random() * bytes.length)] = Math.floor(256 * random());
        }
        try {
            const model = new Model(bytes);
            const instance = model.instance();
            if (model.clips.length > 0) instance.play(0);
            instance.step(0.3);
            if (model.meshes.length > 0) instance.skin(0);
            instance.cast([0, 1, 9], [0, 0, -1]);
            loaded++;
            instance.dispose();
            model.dispose();
        } catch (error) {
            assert.ok(error instanceof FileError || error instanceof RangeError, String(error.stack));
        }
    }
    assert.ok(loaded > 0);
});

test("models of files load and play", () => {
    const data = process.env.SINEW_DATA;
    if (!data || !existsSync(data)) return console.log("skipped: models (SINEW_DATA is not set)");
    const files = ["khronos-sample-assets/CesiumMan/glTF-Binary/CesiumMan.glb", "khronos-sample-assets/Fox/glTF-Binary/Fox.glb"];
    files.push(...readdirSync(join(data, "cmu-bvh")).filter((name) => name.endsWith(".bvh")).slice(0, 2).map((name) => `cmu-bvh/${name}`));
    for (const file of files.filter((name) => existsSync(join(data, name)))) {
        const model = new Model(readFileSync(join(data, file)));
        const instance = model.instance();
        instance.play(0);
        instance.step(0.4);
        if (model.meshes.length > 0) assert.ok(instance.skin(0).positions.every(Number.isFinite));
        instance.dispose();
        model.dispose();
    }
    const hostile = join(data, "hostile");
    for (const name of existsSync(hostile) ? readdirSync(hostile) : []) {
        if (!statSync(join(hostile, name)).isFile()) continue;
        try {
            new Model(readFileSync(join(hostile, name))).dispose();
        } catch (error) {
            assert.ok(error instanceof FileError || error instanceof RangeError, `${name}: ${error.stack}`);
        }
    }
});
