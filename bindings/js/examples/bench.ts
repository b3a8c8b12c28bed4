// The table of bench/measure.mjs in a browser, for a file of the user's.

import { init } from "sinew3d/three";
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

import { measure, table } from "../bench/measure.mjs";

const file = document.getElementById("file") as HTMLInputElement;
const output = document.getElementById("table") as HTMLPreElement;

async function run(bytes: ArrayBuffer) {
    await init();
    const { scene, animations } = await new GLTFLoader().parseAsync(bytes, "");
    const mixer = new THREE.AnimationMixer(scene);
    const clip = animations[0];
    if (clip) mixer.clipAction(clip).play();
    const pose = (fraction: number) => {
        mixer.setTime(fraction * (clip?.duration ?? 0));
        scene.updateMatrixWorld(true);
    };
    const meshes: THREE.SkinnedMesh[] = [];
    scene.traverse((object) => object instanceof THREE.SkinnedMesh && meshes.push(object));
    if (meshes[0] === undefined) throw new Error("the file has no skinned mesh");
    output.textContent = table(measure(meshes[0], pose, { rounds: 3, scale: 0.5 }));
}

file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    if (chosen) chosen.arrayBuffer().then(run).catch((error: unknown) => (output.textContent = String(error)));
});
