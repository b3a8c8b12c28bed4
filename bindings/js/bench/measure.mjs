// Times sinew3d beside three.js and three-mesh-bvh on one skinned mesh, in Node and in browsers.

import { accelerate, refit, restore } from "sinew3d/three";
import * as THREE from "three";
import { MeshBVH, StaticGeometryGenerator } from "three-mesh-bvh";

/**
 * The mean time of a call in microseconds. `prepare` runs before each call and is not timed. A
 * mean, since the clocks of browsers have steps that are longer than a call.
 */
function single(calls, prepare, call) {
    let sum = 0;
    for (let i = 0; i < calls; i++) {
        prepare(i);
        const start = performance.now();
        call(i);
        sum += performance.now() - start;
    }
    return (1000 * sum) / calls;
}

/** The mean time of many calls that need no preparation between them. */
function repeated(calls, prepare, call) {
    prepare(0);
    for (let i = 0; i < calls / 4; i++) call(i);
    const start = performance.now();
    for (let i = 0; i < calls; i++) call(i);
    return (1000 * (performance.now() - start)) / calls;
}

/** The best of some alternating rounds of each of two functions. */
function alternate(rounds, ...measures) {
    const best = measures.map(() => Infinity);
    for (let round = 0; round < rounds; round++) {
        measures.forEach((measure, i) => (best[i] = Math.min(best[i], measure())));
    }
    return best;
}

/** Rows of a table: what, sinew's microseconds, the other's, and which the other is. */
export function measure(mesh, pose, { rounds = 5, scale = 1 } = {}) {
    mesh.material = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
    pose(0);
    mesh.computeBoundingBox();
    const box = mesh.boundingBox.clone().applyMatrix4(mesh.matrixWorld);
    mesh.boundingBox = null;
    const center = box.getCenter(new THREE.Vector3());
    const origin = center.clone().add(new THREE.Vector3(0.02, 0.03, 3 * box.getSize(new THREE.Vector3()).length()));
    const raycaster = new THREE.Raycaster(origin, center.clone().sub(origin).normalize());
    raycaster.firstHitOnly = true;
    const prototype = THREE.SkinnedMesh.prototype;

    const generator = new StaticGeometryGenerator(mesh);
    generator.attributes = ["position"];
    const geometry = generator.generate();
    const bvh = new MeshBVH(geometry);
    const refitBvh = () => {
        generator.generate(geometry);
        bvh.refit();
    };
    accelerate(mesh);
    // Poses in turn, so that every call finds another one.
    const next = (i) => {
        pose(((i * 7) % 50) / 50);
        // As a renderer does; the generator looks at what this writes to see whether bones moved.
        mesh.skeleton.update();
    };
    const many = (calls) => Math.max(4, Math.round(calls * scale));
    const row = (what, other, [sinew, theirs]) => ({ what, other, sinew, theirs, ratio: theirs / sinew });
    const cast = () => mesh.raycast(raycaster, []);
    const castAll = () => {
        raycaster.firstHitOnly = false;
        mesh.raycast(raycaster, []);
        raycaster.firstHitOnly = true;
    };
    const castThree = () => {
        mesh.boundingSphere ??= new THREE.Sphere(center, Infinity);
        prototype.raycast.call(mesh, raycaster, []);
    };
    const threeCold = () => single(many(20), next, castThree);
    const rows = [
        row("a ray in a new pose", "SkinnedMesh.raycast", alternate(rounds, () => single(many(200), next, cast), threeCold)),
        row("all hits of a ray in a new pose", "SkinnedMesh.raycast", alternate(rounds, () => single(many(200), next, castAll), threeCold)),
        row(
            "skin and refit",
            "StaticGeometryGenerator and MeshBVH.refit",
            alternate(rounds, () => single(many(200), next, () => refit(mesh)), () => single(many(50), next, refitBvh)),
        ),
        row(
            "a further ray in the pose",
            "MeshBVH.raycastFirst",
            alternate(
                rounds,
                () => repeated(many(2000), (i) => (next(i), refit(mesh)), cast),
                () => repeated(many(2000), refitBvh, () => bvh.raycastFirst(raycaster.ray, THREE.DoubleSide)),
            ),
        ),
        row(
            "computeBoundingBox",
            "SkinnedMesh.computeBoundingBox",
            alternate(
                rounds,
                () => single(many(200), next, () => mesh.computeBoundingBox()),
                () => single(many(20), next, () => prototype.computeBoundingBox.call(mesh)),
            ),
        ),
    ];
    restore(mesh);
    return rows;
}

/** The table as text. */
export function table(rows) {
    const line = ({ what, other, sinew, theirs, ratio }) =>
        `${what.padEnd(34)}${sinew.toFixed(2).padStart(10)} us${theirs.toFixed(1).padStart(10)} us  ${ratio.toFixed(1).padStart(7)} x  ${other}`;
    return [`${"".padEnd(34)}${"sinew3d".padStart(13)}${"other".padStart(13)}`, ...rows.map(line)].join("\n");
}
