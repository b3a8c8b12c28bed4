import type { Bone, BufferGeometry, Intersection, Object3D, SkinnedMesh } from "three";

export { init, onMemoryGrowth } from "./index.js";
export type { InitOptions } from "./index.js";

/** What a ray cast against an accelerated mesh adds to three.js' intersection. */
export interface JointIntersection extends Intersection<SkinnedMesh> {
    /**
     * The bone with the largest weight at the point; `null` where weights sum to less than a half.
     */
    joint: Bone | null;
    /** Its index in the skeleton; -1 for none. */
    jointIndex: number;
}

declare module "three" {
    interface Raycaster {
        /** Whether accelerated meshes report only the nearest intersection, which is faster. */
        firstHitOnly?: boolean;
    }
    interface Intersection {
        /** The bone with the largest weight at the point, of meshes that sinew3d accelerates. */
        joint?: Bone | null;
        /** Its index in the skeleton. */
        jointIndex?: number;
    }
}

/**
 * Gives a mesh exact and fast `raycast`, `computeBoundingBox`, `computeBoundingSphere` and
 * `getVertexPosition`, from its skeleton and morph targets as they are at each call. Await `init()`
 * first. Returns the mesh.
 *
 * Changed attributes of the geometry are noticed by their `needsUpdate`.
 */
export function accelerate<T extends SkinnedMesh>(mesh: T): T;

/** Accelerates all skinned meshes below an object. Those that sinew refuses keep their methods. */
export function accelerateScene(root: Object3D): {
    accelerated: SkinnedMesh[];
    skipped: { mesh: SkinnedMesh; error: Error }[];
};

/** Gives a mesh its own methods back and frees what was kept for it. */
export function restore(mesh: SkinnedMesh): void;

/** Skins an accelerated mesh and refits its BVH now, before many rays in one pose. */
export function refit(mesh: SkinnedMesh): void;

/**
 * The mesh in its current pose as a geometry without skin and morph targets, in the mesh's own
 * space, for path tracers and exporters. Pass the geometry of the last call to reuse its memory.
 */
export function skinGeometry(mesh: SkinnedMesh, target?: BufferGeometry): BufferGeometry;
