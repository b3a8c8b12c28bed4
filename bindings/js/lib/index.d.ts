/** Three numbers: an array, or anything with `x`, `y` and `z`, such as three.js' `Vector3`. */
export type Vector = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };

/** Numbers to read: a typed array or an array. */
export type Numbers = readonly number[] | Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array | Int16Array | Int32Array;

/** Where the WebAssembly comes from. By default it is embedded in the package. */
export interface InitOptions {
    /** Whether to use simd128; by default if this machine has it. */
    simd?: boolean;
    /** A compiled module, in place of the embedded one. */
    module?: WebAssembly.Module;
}

/**
 * Loads the WebAssembly module. Await it once, before anything else; later calls return the same
 * promise.
 */
export function init(options?: InitOptions): Promise<void>;

/**
 * Calls a function each time that the module's memory has grown: arrays over that memory which you
 * kept have a length of 0 from then on. Returns a function that ends this.
 */
export function onMemoryGrowth(listener: () => void): () => void;

/** Whether this machine runs WebAssembly with simd128. */
export function hasSimd(): boolean;

/** The bytes of a file are not a valid model. */
export class FileError extends Error {}

/** An axis-aligned box. */
export interface Bounds {
    min: [number, number, number];
    max: [number, number, number];
}

/** Options of ray casts. */
export interface RayOptions {
    /** The largest distance of a hit. */
    maxDistance?: number;
    /** Whether triangles are also hit from behind; by default they are. */
    faces?: "both" | "front";
}

/** Where a ray meets the surface. */
export interface Hit {
    /** From the ray's origin. */
    distance: number;
    point: [number, number, number];
    /** The unit normal of the triangle's front. */
    normal: [number, number, number];
    /** The weights of the triangle's corners at the point. */
    barycentrics: [number, number, number];
    /** The index of the triangle. */
    triangle: number;
    /** The joint with the largest weight at the point. */
    joint: number;
    /** The side of the triangle that was hit. */
    side: "front" | "back";
    /** The mesh of a model; 0 for a `SkinnedMesh`. */
    mesh: number;
}

/**
 * Skinned vertices in the module's memory, in the order of the source. Each access returns an array
 * over the memory as it is then: read it from here again rather than keep it. `undefined` before
 * the attribute was skinned.
 */
export interface SkinnedVertices {
    /** Three numbers per vertex. */
    readonly positions: Float32Array | undefined;
    /** Three numbers per vertex. */
    readonly normals: Float32Array | undefined;
    /** Four numbers per vertex; the last is the sign of the bitangent. */
    readonly tangents: Float32Array | undefined;
}

/** Which attributes are skinned besides positions. Tangents need normals. */
export interface SkinOptions {
    normals?: boolean;
    tangents?: boolean;
}

/** The differences that a morph target adds at a weight of one: three numbers per vertex. */
export interface MorphTarget {
    positions?: Numbers;
    normals?: Numbers;
    tangents?: Numbers;
}

/** The arrays of a mesh. They are copied. */
export interface MeshSource {
    /** Three numbers per vertex. */
    positions: Numbers;
    /** Three numbers per vertex. */
    normals?: Numbers;
    /** Four numbers per vertex. Needs normals. */
    tangents?: Numbers;
    /** The joints that move each vertex: any number, the same for all vertices. */
    skinIndices: Numbers;
    /** Their weights. */
    skinWeights: Numbers;
    /** The corners of each triangle; by default the vertices in order. */
    indices?: Numbers;
    /** The number of joints. */
    joints: number;
    morphTargets?: readonly MorphTarget[];
    /** Whether the weights of a vertex are divided by their sum; by default they are. */
    normalizeWeights?: boolean;
    /** Whether skinned normals and tangents are renormalized. */
    unitDirections?: boolean;
    /** Whether normals are transformed by cofactors, for nonuniform scale. */
    cofactorNormals?: boolean;
    /** Whether dual quaternions are blended instead of matrices. */
    dualQuaternions?: boolean;
    /** Whether results have the same bits on every machine. */
    reproducible?: boolean;
}

/** A mesh that you pose by a palette: one matrix per joint. */
export class SkinnedMesh {
    constructor(source: MeshSource);
    readonly vertexCount: number;
    readonly jointCount: number;
    readonly triangleCount: number;
    readonly morphTargetCount: number;
    readonly disposed: boolean;
    /** The vertices that were skinned last. */
    readonly vertices: SkinnedVertices;
    /** Another mesh in the same pose, with a pose of its own from then on. It shares the data. */
    clone(): SkinnedMesh;
    /**
     * Poses the mesh: for each joint the matrix from the mesh at rest to the posed mesh, as four
     * columns.
     */
    setPalette(matrices: Numbers): void;
    setMorphWeights(weights: Numbers): void;
    /** Skins all vertices, in the module's memory. */
    skin(options?: SkinOptions): SkinnedVertices;
    /** Skins all vertices into arrays of your own. */
    skinInto(to: { positions?: Float32Array; normals?: Float32Array; tangents?: Float32Array }): void;
    /** A box that holds all vertices, computed from joints alone; `null` without vertices. */
    bounds(): Bounds | null;
    /** The smallest box of all vertices, which are skinned for it; `null` without vertices. */
    exactBounds(): Bounds | null;
    /**
     * A sphere about the center of that box through the farthest vertex; `null` without vertices.
     */
    exactSphere(): { center: [number, number, number]; radius: number } | null;
    /** The largest distance of the vertices that were skinned last from a point. */
    farthest(point: Vector): number;
    /** Skins everything and refits the BVH now. Otherwise rays skin only what they come near. */
    refit(): void;
    /** The nearest hit of a ray. */
    cast(origin: Vector, direction: Vector, options?: RayOptions): Hit | null;
    /** All hits of a ray, the nearest first. */
    castAll(origin: Vector, direction: Vector, options?: RayOptions): Hit[];
    /** The nearest hit of each of many rays: six numbers each, origin and direction. */
    castMany(rays: Numbers, options?: RayOptions): (Hit | null)[];
    /** The nearest point of the surface. */
    closestPoint(point: Vector, maxDistance?: number): Hit | null;
    /** Whether a point is inside the surface. */
    contains(point: Vector): boolean;
    /** Frees the memory. Otherwise this happens some time after the object is garbage. */
    dispose(): void;
}
