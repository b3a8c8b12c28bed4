// Models and pictures that the tests of both pages open.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A skinned bar: glTF with its buffer embedded. */
export const BAR = join(dirname(fileURLToPath(import.meta.url)), "../../../bindings/js/tests/bar.gltf");
/** A red pixel. */
export const RED_PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC", "base64");

/** The document of the bar. */
export const readBar = () => JSON.parse(readFileSync(BAR, "utf8"));

/** The document of the bar with a picture beside it; every texture coordinate is zero. */
export function barWithPicture(uri) {
    const model = readBar();
    model.meshes[0].primitives[0].attributes.TEXCOORD_0 = model.accessors.length;
    model.accessors.push({ componentType: 5126, count: model.accessors[0].count, type: "VEC2" });
    model.images = [{ uri }];
    model.textures = [{ source: 0 }];
    model.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
    return model;
}
