// A walking figure of boxes about bones, so that the example needs no file.

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

/** Name, parent, offset from the parent, and the size of the box that hangs on the bone. */
const BONES: [string, number, [number, number, number], [number, number, number]][] = [
    ["hips", -1, [0, 1, 0], [0.36, 0.2, 0.22]],
    ["spine", 0, [0, 0.12, 0], [0.34, 0.3, 0.2]],
    ["chest", 1, [0, 0.3, 0], [0.42, 0.3, 0.24]],
    ["head", 2, [0, 0.34, 0], [0.2, 0.28, 0.22]],
    ["left arm", 2, [0.26, 0.22, 0], [0.1, -0.32, 0.1]],
    ["left forearm", 4, [0, -0.32, 0], [0.09, -0.3, 0.09]],
    ["right arm", 2, [-0.26, 0.22, 0], [0.1, -0.32, 0.1]],
    ["right forearm", 6, [0, -0.32, 0], [0.09, -0.3, 0.09]],
    ["left thigh", 0, [0.1, -0.05, 0], [0.15, -0.45, 0.15]],
    ["left shin", 8, [0, -0.45, 0], [0.12, -0.45, 0.12]],
    ["right thigh", 0, [-0.1, -0.05, 0], [0.15, -0.45, 0.15]],
    ["right shin", 10, [0, -0.45, 0], [0.12, -0.45, 0.12]],
];
const SEGMENTS = 8;

function boxOf(bone: number, at: THREE.Vector3): THREE.BufferGeometry {
    const [, parent, , [width, height, depth]] = BONES[bone]!;
    const geometry = new THREE.CapsuleGeometry(0.5, 0.6, SEGMENTS, 2 * SEGMENTS, SEGMENTS);
    geometry.scale(width, Math.abs(height) / 1.4, depth);
    geometry.translate(0, height / 2, 0);
    const { position } = geometry.attributes;
    const [joints, weights] = [new Uint16Array(4 * position!.count), new Float32Array(4 * position!.count)];
    for (let i = 0; i < position!.count; i++) {
        // Near its joint, the skin follows the parent too.
        const along = Math.abs(position!.getY(i)) / Math.abs(height);
        const own = parent < 0 ? 1 : Math.min(1, 0.5 + 2 * along);
        joints.set([bone, Math.max(parent, 0)], 4 * i);
        weights.set([own, 1 - own], 4 * i);
    }
    geometry.setAttribute("skinIndex", new THREE.BufferAttribute(joints, 4));
    geometry.setAttribute("skinWeight", new THREE.BufferAttribute(weights, 4));
    return geometry.translate(at.x, at.y, at.z);
}

let shared: THREE.BufferGeometry | undefined;

/** The geometry, which all figures share. */
function figureGeometry(): THREE.BufferGeometry {
    if (shared === undefined) {
        const places: THREE.Vector3[] = [];
        const boxes = BONES.map(([, parent, offset], bone) => {
            const place = new THREE.Vector3(...offset).add(places[parent] ?? new THREE.Vector3());
            places.push(place);
            return boxOf(bone, place);
        });
        shared = mergeGeometries(boxes);
    }
    return shared;
}

/** A figure with a skeleton of its own. */
export function makeFigure(color: THREE.ColorRepresentation): THREE.SkinnedMesh {
    const bones = BONES.map(([name]) => Object.assign(new THREE.Bone(), { name }));
    const mesh = new THREE.SkinnedMesh(figureGeometry(), new THREE.MeshStandardMaterial({ color }));
    BONES.forEach(([, parent, offset], bone) => {
        bones[bone]!.position.set(...offset);
        (bones[parent] ?? mesh).add(bones[bone]!);
    });
    mesh.bind(new THREE.Skeleton(bones));
    mesh.frustumCulled = false;
    return mesh;
}

/** Poses a figure in its walk. */
export function walk(mesh: THREE.SkinnedMesh, seconds: number): void {
    const swing = Math.sin(4 * seconds);
    const turn = (name: string, x: number, z = 0) => mesh.skeleton.getBoneByName(name)?.rotation.set(x, 0, z);
    turn("left thigh", 0.6 * swing);
    turn("right thigh", -0.6 * swing);
    turn("left shin", 0.5 - 0.5 * Math.sin(4 * seconds + 1));
    turn("right shin", 0.5 + 0.5 * Math.sin(4 * seconds + 1));
    turn("left arm", -0.5 * swing, 0.15);
    turn("right arm", 0.5 * swing, -0.15);
    turn("left forearm", -0.4);
    turn("right forearm", -0.4);
    turn("spine", 0.05, 0.05 * swing);
    turn("head", 0, 0.1 * Math.sin(seconds));
}
