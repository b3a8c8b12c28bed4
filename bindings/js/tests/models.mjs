// Meshes for the tests: generated ones, and those of files if SINEW_DATA names a folder with them.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

/** Random numbers from 0 to 1, the same in each run. */
export function randomNumbers(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x9e3779b9) >>> 0;
        let z = state;
        z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
        z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
        return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
    };
}

/** A tube of rings about a chain of bones, with morph targets on request. */
export function tube({ bones = 8, rings = 40, sides = 16, morphs = 0, relative = true, seed = 1, indexed = true } = {}) {
    const random = randomNumbers(seed);
    let geometry = new THREE.CylinderGeometry(0.3, 0.2, bones, sides, rings);
    geometry.translate(0, bones / 2, 0);
    if (!indexed) geometry = geometry.toNonIndexed();
    const { position } = geometry.attributes;
    const [indices, weights] = [new Uint16Array(4 * position.count), new Float32Array(4 * position.count)];
    for (let i = 0; i < position.count; i++) {
        const along = Math.min(Math.max(position.getY(i), 0), bones - 1e-3);
        const bone = Math.floor(along);
        indices.set([bone, Math.min(bone + 1, bones - 1), Math.floor(random() * bones), 0], 4 * i);
        const far = i % 7 === 0 ? 0.05 : 0;
        const next = (along - bone) * (1 - far);
        weights.set([1 - far - next, next, far, 0], 4 * i);
    }
    geometry.setAttribute("skinIndex", new THREE.BufferAttribute(indices, 4));
    geometry.setAttribute("skinWeight", new THREE.BufferAttribute(weights, 4));
    const targets = Array.from({ length: morphs }, () => {
        const from = relative ? new Float32Array(position.array.length) : Float32Array.from(position.array);
        return new THREE.BufferAttribute(from.map((number) => number + 0.2 * (random() - 0.5)), 3);
    });
    if (morphs > 0) geometry.morphAttributes.position = targets;
    geometry.morphTargetsRelative = relative;
    const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
    const chain = Array.from({ length: bones }, () => new THREE.Bone());
    chain.forEach((bone, i) => (i > 0 ? (chain[i - 1].add(bone), (bone.position.y = 1)) : mesh.add(bone)));
    mesh.bind(new THREE.Skeleton(chain));
    return mesh;
}

/** Turns every bone by up to an angle and sets random morph weights. */
export function randomPose(mesh, random, angle = 0.5) {
    for (const bone of mesh.skeleton.bones) {
        bone.rotation.set(angle * (random() - 0.5), angle * (random() - 0.5), angle * (random() - 0.5));
    }
    mesh.morphTargetInfluences?.forEach((_, i, weights) => (weights[i] = random()));
}

/** Places an object somewhere, turned and scaled. */
export function place(object, random, distance = 5) {
    object.position.set(distance * (random() - 0.5), distance * (random() - 0.5), distance * (random() - 0.5));
    object.rotation.set(6 * random(), 6 * random(), 6 * random());
    object.scale.setScalar(0.5 + random());
    object.updateMatrixWorld(true);
}

/** The files of skinned models below SINEW_DATA. */
export function modelFiles() {
    const data = process.env.SINEW_DATA;
    if (!data || !existsSync(data)) {
        console.log("skipped: models (SINEW_DATA is not set)");
        return [];
    }
    const samples = ["CesiumMan", "Fox", "RiggedFigure", "RiggedSimple"];
    const files = samples.map((name) => join(data, "khronos-sample-assets", name, "glTF-Binary", `${name}.glb`));
    files.push(join(data, "kaykit-adventurers/Knight.glb"));
    const rigs = join(data, "rigs");
    files.push(...readdirSync(rigs).filter((name) => name.endsWith(".glb")).map((name) => join(rigs, name)));
    return files.filter((file) => existsSync(file));
}

/** Loads a GLB file without its textures, which Node cannot decode. */
export async function loadGlb(file) {
    globalThis.self ??= globalThis;
    const bytes = readFileSync(file);
    const length = bytes.readUInt32LE(12);
    const json = JSON.parse(bytes.toString("utf8", 20, 20 + length));
    for (const key of ["images", "textures", "samplers", "materials"]) delete json[key];
    for (const { primitives } of json.meshes ?? []) for (const primitive of primitives) delete primitive.material;
    const text = Buffer.from(JSON.stringify(json));
    const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
    const glb = Buffer.concat([bytes.subarray(0, 20), padded, bytes.subarray(20 + length)]);
    glb.writeUInt32LE(glb.length, 8);
    glb.writeUInt32LE(padded.length, 12);
    return new GLTFLoader().parseAsync(glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length), "");
}

/** The skinned meshes of a loaded file, and a function that poses them at a fraction of a clip. */
export function skinnedMeshes({ scene, animations }) {
    const meshes = [];
    scene.traverse((object) => object.isSkinnedMesh && meshes.push(object));
    const mixer = new THREE.AnimationMixer(scene);
    const pose = (fraction) => {
        if (animations.length > 0) {
            mixer.stopAllAction();
            mixer.clipAction(animations[0]).play();
            mixer.setTime(fraction * animations[0].duration);
        }
        scene.updateMatrixWorld(true);
    };
    return { meshes, pose };
}
