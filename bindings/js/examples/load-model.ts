// Loads a model in Node, plays it, casts a ray and writes the pose: node load-model.js model.glb

import { readFileSync, writeFileSync } from "node:fs";

import { loadModel } from "sinew3d/importers";

async function main([file = ""]: string[]) {
    const model = await loadModel(readFileSync(file));
    console.log(`${model.joints.length} joints, clips: ${model.clips.map(({ name }) => name).join(", ")}`);
    const instance = model.instance();
    if (model.clips.length > 0) instance.play(0);
    instance.step(0.25);
    const bounds = instance.bounds();
    if (bounds !== null) {
        const center = bounds.min.map((low, i) => (low + (bounds.max[i] ?? low)) / 2);
        const hit = instance.cast([center[0]!, center[1]!, bounds.max[2] + 1], [0, 0, -1]);
        if (hit !== null) console.log(`hit ${model.joints[hit.joint]?.name} at ${hit.point.join(", ")}`);
        writeFileSync("pose.obj", instance.bake("obj"));
    }
    instance.dispose();
    model.dispose();
}

void main(process.argv.slice(2));
