// An instance of a model: its own pose, playbacks and vertices.

import { checkChoice, checkIndex, checkNumber, checkNumbers, checkObject } from "./arguments.js";
import { KIND } from "./module.js";
import { castMany, readBounds, readHit, writeCallersRay } from "./queries.js";
import { SkinOutput, wantedAttributes } from "./skin-output.js";

const MODES = ["replace", "crossFade", "blend", "add", "inertialize"];
const POSE_FORMATS = ["obj", "ply", "glb"];
/** Numbers of a transform: rotation, translation, scale. */
const TRANSFORM = 10;

export class Instance {
    #module;
    #held;
    #outputs;

    /** Call `model.instance()` instead. */
    constructor(module, model, handleOfModel, { unitDirections, cofactorNormals, dualQuaternions }) {
        this.#module = module;
        this.model = model;
        const flags = [unitDirections, cofactorNormals, dualQuaternions].map((flag) => (flag ? 1 : 0));
        const handle = module.create((to) => module.exports.sinew_instance_new(handleOfModel, ...flags, to));
        this.#held = { handle, kind: KIND.instance, blocks: [] };
        this.#outputs = model.meshes.map(({ vertices }) => new SkinOutput(module, vertices, this.#held.blocks));
        module.own(this, this.#held);
    }

    get #handle() {
        if (this.#held.handle === 0) throw new TypeError("instance: expected one that exists, found a disposed one");
        return this.#held.handle;
    }

    #call(name, ...numbers) {
        this.#module.check(this.#module.exports[name](this.#handle, ...numbers));
    }

    /** Plays a clip. Returns the index of the playback. */
    play(clip, options = {}) {
        const { mode = "replace", fadeSeconds = 0, speed = 1, weight = 1, loop = true, seconds = 0 } =
            checkObject("options", options);
        const numbers = Object.entries({ fadeSeconds, speed, weight }).map(([name, value]) => checkNumber(name, value));
        const index = this.model.clipIndex(clip);
        const time = checkNumber("seconds", seconds);
        this.#call("sinew_play", index, checkChoice("mode", mode, MODES), ...numbers, loop ? 0 : 1, time);
        return this.playbackCount - 1;
    }

    addSprings() {
        this.#call("sinew_push_springs");
    }

    stop() {
        this.#call("sinew_stop");
    }

    get playbackCount() {
        this.#call("sinew_playback_count", this.#module.scratch);
        return this.#module.u32[this.#module.scratch / 4];
    }

    playback(index = 0) {
        this.#call("sinew_playback_info", checkIndex("playback", index), this.#module.scratch);
        const { u32, f32, f64, scratch } = this.#module;
        const at = scratch / 4;
        return { clip: u32[at + 1], seconds: f64[scratch / 8 + 1], weight: f32[at + 4], isFinished: u32[at + 5] === 1 };
    }

    setSpeed(speed, playback = 0) {
        this.#call("sinew_playback_set_speed", checkIndex("playback", playback), checkNumber("speed", speed));
    }

    setWeight(weight, playback = 0) {
        this.#call("sinew_playback_set_weight", checkIndex("playback", playback), checkNumber("weight", weight));
    }

    seek(seconds, playback = 0) {
        this.#call("sinew_playback_seek", checkIndex("playback", playback), checkNumber("seconds", seconds));
    }

    fadeOut(seconds, playback = 0) {
        this.#call("sinew_playback_fade_out", checkIndex("playback", playback), checkNumber("seconds", seconds));
    }

    /** Advances the animation. */
    step(seconds) {
        this.#call("sinew_instance_step", checkNumber("seconds", seconds));
    }

    /** Poses the instance at a time of a clip, without playing it. */
    sample(clip, seconds) {
        this.#call("sinew_instance_sample", this.model.clipIndex(clip), checkNumber("seconds", seconds));
    }

    /** The pose: ten numbers for each joint, rotation (x, y, z, w), translation, scale. */
    pose() {
        return this.#read("sinew_instance_pose", this.model.joints.length, TRANSFORM, [0]);
    }

    /** Sets transforms of joints, from a first joint on. The next step overwrites them. */
    setPose(transforms, firstJoint = 0) {
        const joints = checkNumbers("transforms", transforms).length / TRANSFORM;
        if (!Number.isInteger(joints)) throw new RangeError("transforms: expected ten numbers for each joint");
        const first = checkIndex("firstJoint", firstJoint);
        this.#module.withArrays(({ floats }) => this.#call("sinew_instance_set_pose", first, floats(transforms), joints));
    }

    setMorphWeights(weights, first = 0) {
        const length = checkNumbers("morph weights", weights).length;
        checkIndex("first", first);
        this.#module.withArrays(({ floats }) => {
            this.#call("sinew_instance_set_morph_weights", first, floats(weights), length);
        });
    }

    /** The palette of a skin: 16 numbers for each joint of the skin, four columns. */
    palette(skin = 0) {
        checkIndex("skin", skin);
        return this.#read("sinew_instance_palette", this.model.skins[skin] ?? 0, 16, [skin]);
    }

    /** The matrices from joints to model space: 12 numbers each, three rows of four. */
    matrices() {
        return this.#read("sinew_instance_matrices", 12 * this.model.joints.length, 1, []);
    }

    #read(name, length, size, numbers) {
        return this.#module.withArrays(({ reserve }) => {
            const to = reserve(4 * size * length);
            this.#call(name, ...numbers, to, name.endsWith("pose") ? length : size * length);
            return this.#module.f32.slice(to / 4, to / 4 + size * length);
        });
    }

    /** A box that holds all vertices, computed from joints alone; null if there are none. */
    bounds() {
        this.#call("sinew_instance_bounds", this.#module.scratch);
        return readBounds(this.#module, this.#module.scratch);
    }

    /** Skins a mesh. Returns accessors of the arrays, which stay valid when memory grows. */
    skin(mesh = 0, options = {}) {
        const output = this.#outputs[checkIndex("mesh", mesh)];
        const addresses = output?.addresses(wantedAttributes(checkObject("options", options))) ?? [0, 0, 0];
        this.#call("sinew_instance_skin", mesh, this.model.meshes[mesh]?.vertices ?? 0, ...addresses, 0);
        return output;
    }

    /** The nearest hit of a ray in model space, or null. */
    cast(origin, direction, options = {}) {
        const hit = this.#module.scratch + 64;
        writeCallersRay(this.#module, this.#module.scratch, origin, direction, options);
        this.#call("sinew_instance_cast", 1, this.#module.scratch, hit);
        return readHit(this.#module, hit);
    }

    /** The nearest hit of each of many rays: six numbers each, origin and direction. */
    castMany(rays, options = {}) {
        const handle = this.#handle;
        const { exports } = this.#module;
        const cast = (count, at, hits) => exports.sinew_instance_cast(handle, count, at, hits);
        return castMany(this.#module, checkNumbers("rays", rays), options, cast);
    }

    /** The current pose as the bytes of a file: "obj", "ply" or "glb". */
    bake(format) {
        this.#call("sinew_bake_pose", checkChoice("format", format, POSE_FORMATS));
        return this.#module.outputBytes();
    }

    /** Frees the memory. Otherwise this happens some time after the object is garbage. */
    dispose() {
        if (this.#held.handle === 0) return;
        this.#module.dispose(this.#held);
        this.#outputs = this.model.meshes.map(() => new SkinOutput(this.#module, 0, []));
    }
}

if (Symbol.dispose) Instance.prototype[Symbol.dispose] = Instance.prototype.dispose;
