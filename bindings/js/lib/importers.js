// Models from the bytes of files: a second module, loaded on demand.

import { checkChoice, checkIndex, checkNumber, checkObject } from "./arguments.js";
import { Instance } from "./instance.js";
import { instantiate } from "./load-wasm.js";
import { KIND } from "./module.js";

export { FileError } from "./errors.js";
export { Instance };

const REST_POSE = 0xffffffff;
const CLIP_FORMATS = ["pc2", "mdd", "npz"];

let loading;
let loaded;

/** Loads the module. Later calls return the same promise. */
export function initImporters(options = {}) {
    loading ??= instantiate(
        () => import("./wasm/importers-simd.js"),
        () => import("./wasm/importers-scalar.js"),
        options,
    ).then(
        (module) => void (loaded = module),
        (error) => {
            loading = undefined;
            throw error;
        },
    );
    return loading;
}

function importers() {
    if (loaded === undefined) throw new Error("the importers are not loaded: call `await initImporters()` first");
    return loaded;
}

/** Calls a function each time that the memory of this module has grown. */
export const onMemoryGrowth = (listener) => importers().onMemoryGrowth(listener);

/** Loads a model from the bytes of a file. Loads the module first if needed. */
export async function loadModel(bytes, options = {}) {
    await initImporters();
    return new Model(bytes, options);
}

function toBytes(what, value) {
    if (value instanceof Uint8Array) return value;
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    throw new TypeError(`${what}: expected the bytes of a file as a Uint8Array or an ArrayBuffer`);
}

export class Model {
    #module;
    #held;

    constructor(bytes, options = {}) {
        const module = (this.#module = importers());
        const { clips = {}, strict = false, generateTangents = false, reproducible = false } =
            checkObject("options", options);
        const files = [["", toBytes("file", bytes)]];
        for (const [name, clip] of Object.entries(checkObject("clips", clips))) files.push([name, toBytes(name, clip)]);
        const flags = [strict, generateTangents, reproducible].map((flag) => (flag ? 1 : 0));
        const handle = module.withArrays(({ bytes: copy, reserve }) => {
            const records = reserve(16 * files.length);
            for (const [i, [name, content]] of files.entries()) {
                const text = new TextEncoder().encode(name);
                const record = [copy(text), text.length, copy(content), content.length];
                module.u32.set(record, records / 4 + 4 * i);
            }
            return module.create((to) => module.exports.sinew_load(records, files.length, ...flags, to));
        });
        this.#held = { handle, kind: KIND.model, blocks: [] };
        module.own(this, this.#held);
        module.check(module.exports.sinew_model_describe(handle));
        const { joints, clips: found, meshes, warnings, skins, morphWeights, upAxis } = JSON.parse(module.outputText());
        this.joints = joints;
        this.clips = found;
        this.meshes = meshes.map(({ attributes, ...mesh }) => {
            return { ...mesh, hasNormals: attributes >= 2, hasTangents: attributes >= 3 };
        });
        this.warnings = warnings;
        this.skins = skins;
        this.morphWeightCount = morphWeights;
        this.upAxis = upAxis;
    }

    get #handle() {
        if (this.#held.handle === 0) throw new TypeError("model: expected one that exists, found a disposed one");
        return this.#held.handle;
    }

    /** The index of a clip: of its name, or the index itself. */
    clipIndex(clip) {
        if (typeof clip !== "string") return checkIndex("clip", clip);
        const found = this.clips.filter(({ name }) => name === clip).length;
        if (found === 1) return this.clips.findIndex(({ name }) => name === clip);
        const reason = found === 0 ? "found none with that name" : `found ${found} with that name`;
        throw new RangeError(`clip ${JSON.stringify(clip)}: expected one clip, ${reason}`);
    }

    /** Creates an instance, at rest. */
    instance(options = {}) {
        return new Instance(this.#module, this, this.#handle, checkObject("options", options));
    }

    /** The corners of each triangle of a mesh. */
    triangles(mesh) {
        const handle = this.#handle;
        const length = 3 * (this.meshes[checkIndex("mesh", mesh)]?.triangles ?? 0);
        const module = this.#module;
        return module.withArrays(({ reserve }) => {
            const to = reserve(4 * length);
            module.check(module.exports.sinew_model_triangles(handle, mesh, to, length));
            return module.u32.slice(to / 4, to / 4 + length);
        });
    }

    /** Two numbers per vertex of a mesh. */
    textureCoordinates(mesh, set = 0) {
        return this.#floats("sinew_model_texture_coordinates", 2, mesh, checkIndex("set", set));
    }

    /** Four numbers per vertex of a mesh: linear red, green, blue and alpha. White if it has no colors. */
    colors(mesh) {
        return this.#floats("sinew_model_colors", 4, mesh);
    }

    /** Reads some numbers per vertex. */
    #floats(name, each, mesh, ...numbers) {
        const handle = this.#handle;
        const length = each * (this.meshes[checkIndex("mesh", mesh)]?.vertices ?? 0);
        const module = this.#module;
        return module.withArrays(({ reserve }) => {
            const to = reserve(4 * length);
            module.check(module.exports[name](handle, mesh, ...numbers, to, length));
            return module.f32.slice(to / 4, to / 4 + length);
        });
    }

    /** The bytes of an image file, PNG or JPEG; empty if the image is in a file of its own. */
    image(image) {
        this.#module.check(this.#module.exports.sinew_model_image(this.#handle, checkIndex("image", image)));
        return this.#module.outputBytes();
    }

    /** The frames of a clip as the bytes of a file: "pc2", "mdd" or "npz". */
    bakeClip(format, { clip, framesPerSecond = 30 } = {}) {
        const number = checkChoice("format", format, CLIP_FORMATS) + 3;
        const index = clip === undefined ? REST_POSE : this.clipIndex(clip);
        const rate = checkNumber("framesPerSecond", framesPerSecond);
        const module = this.#module;
        module.check(module.exports.sinew_bake_clip(this.#handle, index, rate, number));
        return module.outputBytes();
    }

    /** The whole model as the bytes of a GLB file. */
    toGlb() {
        this.#module.check(this.#module.exports.sinew_model_glb(this.#handle));
        return this.#module.outputBytes();
    }

    /** Frees the memory. Instances stay valid. */
    dispose() {
        if (this.#held.handle !== 0) this.#module.dispose(this.#held);
    }
}

if (Symbol.dispose) Model.prototype[Symbol.dispose] = Model.prototype.dispose;
