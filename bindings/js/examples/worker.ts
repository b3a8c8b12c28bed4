import { SkinnedMesh, init } from "sinew3d";

async function start() {
    await init();
    const mesh = new SkinnedMesh({
        positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
        skinIndices: [0, 0, 0],
        skinWeights: [1, 1, 1],
        joints: 1,
    });
    postMessage(mesh.cast([0.25, 0.25, 2], [0, 0, -1])?.distance ?? null);
    mesh.dispose();
}

void start();
