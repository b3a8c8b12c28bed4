// Prints the table of measure.mjs in Node: node bench/node.mjs [model.glb]
//
// Without a file, CesiumMan below SINEW_DATA, or else a generated tube of as many triangles. With
// --check, fails if a ratio is below what the package promises.

import { join } from "node:path";
import { existsSync } from "node:fs";

import { init } from "sinew3d/three";

import { loadGlb, randomNumbers, randomPose, skinnedMeshes, tube } from "../tests/models.mjs";
import { measure, table } from "./measure.mjs";

/** The ratios that are promised, by row. */
const PROMISED = { "a ray in a new pose": 100, "skin and refit": 4, computeBoundingBox: 40 };

const isCheck = process.argv.includes("--check");
const [file = join(process.env.SINEW_DATA ?? "", "khronos-sample-assets/CesiumMan/glTF-Binary/CesiumMan.glb")] = process.argv
    .slice(2)
    .filter((argument) => argument !== "--check");
await init({ simd: process.env.SINEW_SCALAR !== "1" });

let mesh, pose;
if (existsSync(file)) {
    const found = skinnedMeshes(await loadGlb(file));
    [mesh] = found.meshes;
    ({ pose } = found);
} else {
    mesh = tube({ bones: 19, rings: 145, sides: 16 });
    pose = (fraction) => {
        randomPose(mesh, randomNumbers(1 + Math.round(1000 * fraction)), 0.1);
        mesh.updateMatrixWorld(true);
    };
}
const { index, attributes } = mesh.geometry;
console.log(`${existsSync(file) ? file.split("/").at(-1) : "a tube"}: ${attributes.position.count} vertices, ${index.count / 3} triangles`);
const rows = measure(mesh, pose, isCheck ? { rounds: 3, scale: 0.5 } : {});
console.log(table(rows));
for (const { what, ratio } of rows) {
    if (isCheck && ratio < (PROMISED[what] ?? 0)) {
        console.error(`${what}: expected at least ${PROMISED[what]} times, found ${ratio.toFixed(1)}`);
        process.exitCode = 1;
    }
}
