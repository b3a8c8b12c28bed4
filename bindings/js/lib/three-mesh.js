// What sinew keeps for a three.js mesh: its vertices, and the pose of its skeleton.

import { core } from "./core.js";
import { SkinnedMesh } from "./skinned-mesh.js";
import { EXTRA_JOINTS, meshSource, sourceVersions } from "./three-source.js";

/** The mesh of each geometry that the meshes which draw it are cloned from. */
const prototypes = new WeakMap();

const same = (a, b) => a.length === b.length && a.every((element, i) => element === b[i]);

function prototypeOf(geometry, bones) {
    const versions = sourceVersions(geometry, bones);
    const known = prototypes.get(geometry);
    if (known !== undefined && same(known.versions, versions)) return known;
    const mesh = new SkinnedMesh(meshSource(geometry, bones));
    // Builds the BVH and the bounds, which all clones share.
    mesh.castNumbers(0, 0, 0, 0, 0, 1, Infinity, 0);
    const built = { mesh, versions };
    prototypes.set(geometry, built);
    return built;
}

export class PosedMesh {
    #versions = [];
    #weights = new Float32Array();
    #geometry;
    #matrices = 0;
    #held = { handle: 0, kind: 0, blocks: [] };
    #module = core();
    /** The pose in which vertices were skinned last, and with normals. */
    #skinned = { pose: -1, options: "" };
    #bounds = { pose: -1, box: null };

    constructor(mesh) {
        if (mesh?.isSkinnedMesh !== true) throw new TypeError("mesh: expected a SkinnedMesh of three.js");
        if (mesh.skeleton === undefined) throw new TypeError("mesh: expected a skeleton, found none: bind the mesh first");
        this.mesh = mesh;
        /** Counts changes of the pose. */
        this.pose = 0;
        this.sinew = null;
        this.#module.own(this, this.#held);
        this.update();
    }

    /** Takes over the geometry and the pose of the skeleton as they are now. */
    update() {
        this.#updateSource();
        const { f64, exports } = this.#module;
        const { skeleton, bindMatrix, bindMatrixInverse } = this.mesh;
        const { bones, boneInverses } = skeleton;
        const count = bones.length;
        let at = this.#matrices / 8;
        for (let i = 0; i < count; i++, at += 16) copy(f64, at, bones[i].matrixWorld.elements);
        for (let i = 0; i < count; i++, at += 16) copy(f64, at, boneInverses[i].elements);
        copy(f64, at, bindMatrix.elements);
        copy(f64, at + 16, bindMatrixInverse.elements);
        const [worlds, inverses, binds] = this.#addresses(count);
        const palette = binds + 256;
        if (exports.sinew_palette(count, worlds, inverses, binds, palette) === 1) {
            this.sinew.setPaletteAt(palette);
            this.pose++;
        }
        this.#updateMorphWeights();
    }

    #addresses(bones) {
        const worlds = this.#matrices;
        return [worlds, worlds + 128 * bones, worlds + 256 * bones];
    }

    #updateSource() {
        const { geometry, skeleton } = this.mesh;
        const bones = skeleton.bones.length;
        if (this.#geometry === geometry && this.#isUnchanged(geometry, bones)) return;
        const { mesh, versions } = prototypeOf(geometry, bones);
        const clone = mesh.clone();
        this.sinew?.dispose();
        this.sinew = clone;
        this.#versions = versions;
        this.#geometry = geometry;
        this.#weights = new Float32Array(clone.morphTargetCount);
        for (const [address, bytes] of this.#held.blocks.splice(0)) this.#module.free(address, bytes);
        const bytes = 256 * bones + 256 + 64 * (bones + EXTRA_JOINTS);
        this.#matrices = this.#module.allocate(bytes);
        this.#held.blocks.push([this.#matrices, bytes]);
        this.pose++;
    }

    #isUnchanged(geometry, bones) {
        const versions = this.#versions;
        const { attributes, morphAttributes, index } = geometry;
        if (versions[0] !== bones || versions[1] !== geometry.morphTargetsRelative) return false;
        let at = 2;
        const unchanged = (attribute) => {
            const version = attribute?.data?.version ?? attribute?.version;
            return versions[at++] === attribute && versions[at++] === version;
        };
        const { position, normal, tangent, skinIndex, skinWeight } = attributes;
        return (
            unchanged(index) &&
            unchanged(position) &&
            unchanged(normal) &&
            unchanged(tangent) &&
            unchanged(skinIndex) &&
            unchanged(skinWeight) &&
            (morphAttributes.position ?? []).every(unchanged) &&
            (morphAttributes.normal ?? []).every(unchanged) &&
            at === versions.length
        );
    }

    #updateMorphWeights() {
        const weights = this.#weights;
        const found = this.mesh.morphTargetInfluences;
        let changed = false;
        for (let i = 0; i < weights.length; i++) {
            const weight = Math.fround(found?.[i] ?? 0);
            changed ||= weight !== weights[i];
            weights[i] = weight;
        }
        if (!changed) return;
        try {
            this.sinew.setMorphWeights(weights);
        } catch (error) {
            // The next update tries again.
            weights.fill(0);
            this.sinew.setMorphWeights(weights);
            throw error;
        } finally {
            this.pose++;
        }
    }

    /** Skins in the current pose, unless that is done. */
    skin(options) {
        const wanted = `${options.normals === true} ${options.tangents === true}`;
        if (this.#skinned.pose !== this.pose || this.#skinned.options !== wanted) {
            this.sinew.skin(options);
            this.#skinned = { pose: this.pose, options: wanted };
        }
        return this.sinew.vertices;
    }

    /** The positions in the current pose. */
    positions() {
        return this.#skinned.pose === this.pose ? this.sinew.vertices.positions : this.skin({}).positions;
    }

    /** The smallest box in the current pose; null if there are no vertices. */
    box() {
        if (this.#bounds.pose !== this.pose) {
            this.#bounds = { pose: this.pose, box: this.sinew.exactBounds() };
        }
        return this.#bounds.box;
    }

    /**
     * A sphere about the center of the box through the farthest vertex; of radius -1 if there are
     * no vertices.
     */
    sphere() {
        const box = this.box();
        if (box === null) return { center: [0, 0, 0], radius: -1 };
        this.positions();
        const center = box.min.map((low, i) => (low + box.max[i]) / 2);
        return { center, radius: this.sinew.farthest(center) };
    }

    /** Whether what moves a vertex is as at the last update. */
    isCurrentAt(vertex) {
        const { skeleton, bindMatrix, bindMatrixInverse, geometry, morphTargetInfluences } = this.mesh;
        const { bones, boneInverses } = skeleton;
        if (geometry !== this.#geometry || !this.#isUnchanged(geometry, bones.length)) return false;
        const { f64 } = this.#module;
        const [worlds, inverses, binds] = this.#addresses(bones.length).map((address) => address / 8);
        if (!equals(f64, binds, bindMatrix.elements) || !equals(f64, binds + 16, bindMatrixInverse.elements)) return false;
        const { skinIndex, skinWeight } = geometry.attributes;
        for (let k = 0; k < 4; k++) {
            if (skinWeight.getComponent(vertex, k) === 0) continue;
            const bone = skinIndex.getComponent(vertex, k);
            if (!equals(f64, worlds + 16 * bone, bones[bone].matrixWorld.elements)) return false;
            if (!equals(f64, inverses + 16 * bone, boneInverses[bone].elements)) return false;
        }
        for (let i = 0; i < this.#weights.length; i++) {
            if (Math.fround(morphTargetInfluences?.[i] ?? 0) !== this.#weights[i]) return false;
        }
        return true;
    }

    dispose() {
        this.sinew.dispose();
        this.#module.dispose(this.#held);
    }
}

function copy(to, at, from) {
    for (let i = 0; i < 16; i++) to[at + i] = from[i];
}

function equals(numbers, at, elements) {
    for (let i = 0; i < 16; i++) if (numbers[at + i] !== elements[i]) return false;
    return true;
}
