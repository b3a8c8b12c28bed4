// A mesh that the caller poses by a palette of matrices.

import { checkIndex, checkIndices, checkLength, checkNumber, checkNumbers, checkObject, checkVector } from "./arguments.js";
import { core } from "./core.js";
import { KIND } from "./module.js";
import { HIT_BYTES, castMany, readBounds, readHit, writeCallersRay, writeRay } from "./queries.js";
import { SkinOutput, wantedAttributes } from "./skin-output.js";

/** Hits of one ray that fit into memory that is allocated once. */
const MANY_HITS = 64;

export class SkinnedMesh {
    #module;
    #held;
    #output;
    #joints;
    #vertices;
    #triangles;
    #morphTargets;

    constructor(source) {
        this.#module = core();
        const { vertices, joints, triangles, morphTargets, handle } =
            source instanceof SkinnedMesh ? source.#copy() : build(this.#module, source);
        this.#vertices = vertices;
        this.#joints = joints;
        this.#triangles = triangles;
        this.#morphTargets = morphTargets;
        this.#held = { handle, kind: KIND.skinnedMesh, blocks: [] };
        this.#output = new SkinOutput(this.#module, vertices, this.#held.blocks);
        this.#module.own(this, this.#held);
    }

    #copy() {
        const module = this.#module;
        const handle = module.create((to) => module.exports.sinew_mesh_clone(this.#handle, to));
        const [vertices, joints, triangles] = [this.#vertices, this.#joints, this.#triangles];
        return { vertices, joints, triangles, morphTargets: this.#morphTargets, handle };
    }

    /** Another mesh in the same pose, which shares the data. */
    clone() {
        return new SkinnedMesh(this);
    }

    get #handle() {
        if (this.#held.handle === 0) throw new TypeError("skinned mesh: expected one that exists, found a disposed one");
        return this.#held.handle;
    }

    get vertexCount() {
        return this.#vertices;
    }

    get jointCount() {
        return this.#joints;
    }

    get triangleCount() {
        return this.#triangles;
    }

    get morphTargetCount() {
        return this.#morphTargets;
    }

    get disposed() {
        return this.#held.handle === 0;
    }

    /** Poses the mesh: 16 numbers for each joint, four columns. */
    setPalette(matrices) {
        const handle = this.#handle;
        checkLength("palette", matrices, 16 * this.#joints);
        const module = this.#module;
        module.withArrays(({ floats }) => {
            module.check(module.exports.sinew_mesh_set_palette(handle, floats(matrices), matrices.length));
        });
    }

    /** Poses the mesh by a palette that is in the module's memory. */
    setPaletteAt(address) {
        const module = this.#module;
        module.check(module.exports.sinew_mesh_set_palette(this.#handle, address, 16 * this.#joints));
    }

    setMorphWeights(weights) {
        const handle = this.#handle;
        checkLength("morph weights", weights, this.#morphTargets);
        const module = this.#module;
        module.withArrays(({ floats }) => {
            module.check(module.exports.sinew_mesh_set_morph_weights(handle, floats(weights), weights.length));
        });
    }

    /** Skins all vertices. Returns accessors of the arrays, which stay valid when memory grows. */
    skin(options = {}) {
        const handle = this.#handle;
        const addresses = this.#output.addresses(wantedAttributes(checkObject("options", options)));
        this.#module.check(this.#module.exports.sinew_mesh_skin(handle, this.#vertices, ...addresses, 0));
        return this.#output;
    }

    /** Skins into arrays of the caller. */
    skinInto({ positions, normals, tangents }) {
        const sizes = { positions: 3, normals: 3, tangents: 4 };
        const wanted = Object.entries({ positions, normals, tangents }).filter(([, array]) => array !== undefined);
        for (const [name, array] of wanted) {
            if (!(array instanceof Float32Array)) throw new TypeError(`${name}: expected a Float32Array`);
            checkLength(name, array, sizes[name] * this.#vertices);
        }
        this.skin({ normals: normals !== undefined, tangents: tangents !== undefined });
        for (const [name, array] of wanted) array.set(this.#output.view(name));
    }

    /** The last skinned vertices. */
    get vertices() {
        return this.#output;
    }

    /**
     * A box that holds all vertices, computed from joints alone; null for a mesh without vertices.
     */
    bounds() {
        const module = this.#module;
        module.check(module.exports.sinew_mesh_bounds(this.#handle, module.scratch));
        return readBounds(module, module.scratch);
    }

    /** The smallest box of all vertices, which are skinned for it. */
    exactBounds() {
        const module = this.#module;
        module.check(module.exports.sinew_mesh_exact_bounds(this.#handle, module.scratch));
        return readBounds(module, module.scratch);
    }

    /** A sphere about the center of the smallest box, through the farthest vertex. */
    exactSphere() {
        const box = this.exactBounds();
        if (box === null) return null;
        this.skin();
        const center = box.min.map((low, i) => (low + box.max[i]) / 2);
        return { center, radius: this.farthest(center) };
    }

    /** The largest distance of the last skinned positions from a point. */
    farthest(point) {
        const [address] = this.#output.addresses(["positions"]);
        return this.#module.exports.sinew_farthest(address, this.#vertices, ...checkVector("point", point));
    }

    /** Skins the whole mesh and refits its BVH, before many rays in one pose. */
    refit() {
        this.#module.check(this.#module.exports.sinew_mesh_refit(this.#handle));
    }

    /** The nearest hit of a ray, or null. */
    cast(origin, direction, options = {}) {
        const module = this.#module;
        const hit = module.scratch + 64;
        writeCallersRay(module, module.scratch, origin, direction, options);
        module.check(module.exports.sinew_mesh_cast(this.#handle, 1, module.scratch, hit));
        return readHit(module, hit);
    }

    /** As `cast`, without checks or options: for callers that have done them. */
    castNumbers(ox, oy, oz, dx, dy, dz, maxDistance, faces) {
        const module = this.#module;
        const hit = module.scratch + 64;
        writeRay(module, module.scratch, ox, oy, oz, dx, dy, dz, maxDistance, faces);
        module.check(module.exports.sinew_mesh_cast(this.#handle, 1, module.scratch, hit));
        return readHit(module, hit);
    }

    /** All hits of a ray, the nearest first. */
    castAll(origin, direction, options = {}) {
        writeCallersRay(this.#module, this.#module.scratch, origin, direction, options);
        return this.#castAll();
    }

    castAllNumbers(ox, oy, oz, dx, dy, dz, maxDistance, faces) {
        writeRay(this.#module, this.#module.scratch, ox, oy, oz, dx, dy, dz, maxDistance, faces);
        return this.#castAll();
    }

    #castAll() {
        const module = this.#module;
        const [ray, found] = [module.scratch, module.scratch + 64];
        const cast = (capacity, hits) => {
            module.check(module.exports.sinew_mesh_cast_all(this.#handle, ray, capacity, hits, found));
            return module.u32[found / 4];
        };
        const read = (count, hits) => Array.from({ length: count }, (_, i) => readHit(module, hits + HIT_BYTES * i));
        const few = module.scratch + 128;
        const count = cast(MANY_HITS, few);
        if (count <= MANY_HITS) return read(count, few);
        return module.withArrays(({ reserve }) => {
            const all = reserve(HIT_BYTES * count);
            return read(cast(count, all), all);
        });
    }

    /** The nearest hit of each of many rays: six numbers each, origin and direction. */
    castMany(rays, options = {}) {
        const handle = this.#handle;
        checkNumbers("rays", rays);
        const { exports } = this.#module;
        return castMany(this.#module, rays, options, (count, at, hits) => exports.sinew_mesh_cast(handle, count, at, hits));
    }

    /** The nearest point of the surface within a distance, or null. */
    closestPoint(point, maxDistance = Infinity) {
        const module = this.#module;
        module.f64.set(checkVector("point", point).slice(0, 3), module.scratch / 8);
        const hit = module.scratch + 64;
        const distance = checkNumber("maxDistance", maxDistance);
        module.check(module.exports.sinew_mesh_closest_point(this.#handle, module.scratch, distance, hit));
        return readHit(module, hit);
    }

    /** Whether a point is inside the surface. */
    contains(point) {
        const module = this.#module;
        module.f64.set(checkVector("point", point).slice(0, 3), module.scratch / 8);
        const inside = module.scratch + 64;
        module.check(module.exports.sinew_mesh_contains(this.#handle, module.scratch, inside));
        return module.u32[inside / 4] === 1;
    }

    /** Frees the memory. Otherwise this happens some time after the object is garbage. */
    dispose() {
        if (this.#held.handle !== 0) this.#module.dispose(this.#held);
        this.#output = new SkinOutput(this.#module, 0, []);
    }
}

if (Symbol.dispose) SkinnedMesh.prototype[Symbol.dispose] = SkinnedMesh.prototype.dispose;

/** Copies the arrays of a mesh into memory and creates it. */
function build(module, source) {
    const { positions, normals, tangents, skinIndices, skinWeights, indices, joints, morphTargets = [] } =
        checkObject("mesh", source);
    const flags = ["normalizeWeights", "unitDirections", "cofactorNormals", "dualQuaternions", "reproducible"];
    const defaults = { normalizeWeights: true };
    const set = flags.map((name) => Number(source[name] ?? defaults[name] ?? false) && 1);
    const count = checkNumbers("positions", positions).length / 3;
    if (!Number.isInteger(count)) throw new RangeError(`positions: expected three numbers each, found ${positions.length}`);
    if (normals !== undefined) checkLength("normals", normals, 3 * count);
    if (tangents !== undefined) checkLength("tangents", tangents, 4 * count);
    checkIndex("joints", joints);
    checkIndices("skinIndices", skinIndices);
    checkLength("skinWeights", skinWeights, skinIndices.length);
    const influences = count === 0 ? 0 : skinIndices.length / count;
    if (!Number.isInteger(influences)) {
        throw new RangeError(`skinIndices: expected as many for each of ${count} vertices, found ${skinIndices.length}`);
    }
    if (indices !== undefined) checkIndices("indices", indices);
    const triangles = (indices?.length ?? count) / 3;
    if (!Number.isInteger(triangles)) throw new RangeError("indices: expected three for each triangle");
    if (!Array.isArray(morphTargets)) throw new TypeError("morphTargets: expected an array");
    for (const [i, target] of morphTargets.entries()) {
        checkObject(`morphTargets[${i}]`, target);
        for (const name of ["positions", "normals", "tangents"]) {
            if (target[name] !== undefined) checkLength(`morphTargets[${i}].${name}`, target[name], 3 * count);
        }
    }
    const handle = module.withArrays(({ floats, indices: integers, reserve }) => {
        const addresses = [floats(positions), floats(normals), floats(tangents), integers(skinIndices), floats(skinWeights)];
        addresses.push(integers(indices ?? Uint32Array.from({ length: 3 * triangles }, (_, i) => i)));
        const deltas = morphTargets.map((target) => [target.positions, target.normals, target.tangents].map(floats));
        addresses.push(integers(deltas.flat()));
        const record = reserve(4 * 17);
        const counts = [joints, count, triangles, influences, morphTargets.length];
        module.u32.set([...counts, ...set, ...addresses], record / 4);
        return module.create((to) => module.exports.sinew_mesh_new(record, to));
    });
    return { handle, vertices: count, joints, triangles, morphTargets: morphTargets.length };
}
