import type { Bounds, Hit, InitOptions, Numbers, RayOptions, SkinnedVertices, SkinOptions, Vector } from "./index.js";

export { FileError } from "./index.js";

/** Loads the importers' module. `loadModel` does this too. */
export function initImporters(options?: InitOptions): Promise<void>;

/** As `onMemoryGrowth` of "sinew3d", for the memory of this module. */
export function onMemoryGrowth(listener: () => void): () => void;

/** Options of `loadModel`. */
export interface LoadOptions {
    /** The contents of `.md5anim` files by the names that their clips get. */
    clips?: Record<string, Uint8Array | ArrayBuffer>;
    /** Whether what would be repaired is an error. */
    strict?: boolean;
    /** Whether missing tangents are generated. */
    generateTangents?: boolean;
    /** Whether results have the same bits on every machine. */
    reproducible?: boolean;
}

/** Loads a model from the bytes of a file: GLB, glTF with embedded buffers, MD5 mesh or BVH. */
export function loadModel(bytes: Uint8Array | ArrayBuffer, options?: LoadOptions): Promise<Model>;

export interface Joint {
    name: string;
    /** The index of the parent. */
    parent: number | null;
}

export interface Clip {
    name: string;
    /** The times of the first and the last key frame in seconds. */
    start: number;
    end: number;
}

export interface MeshInfo {
    name: string;
    skin: number;
    vertices: number;
    triangles: number;
    hasNormals: boolean;
    hasTangents: boolean;
    /** Its morph weights among those of a pose. */
    firstMorphWeight: number;
    morphWeights: number;
    textureCoordinateSets: number;
    /** Linear red, green, blue and alpha of the material. */
    baseColor: [number, number, number, number];
    /** What the base color is multiplied with: an image, and a set of texture coordinates. */
    baseTexture: { image: number; set: number } | null;
    /** Whether vertices have colors, which are multiplied too. */
    hasColors: boolean;
    /** What alpha means: nothing, a cut below `alphaCutoff`, or how much is covered. */
    alphaMode: "opaque" | "mask" | "blend";
    alphaCutoff: number;
}

/** A model: skeleton, meshes and clips. */
export class Model {
    /** `loadModel` also loads the module. */
    constructor(bytes: Uint8Array | ArrayBuffer, options?: LoadOptions);
    readonly joints: readonly Joint[];
    readonly clips: readonly Clip[];
    readonly meshes: readonly MeshInfo[];
    /** The number of joints of each skin. */
    readonly skins: readonly number[];
    /** What was repaired. */
    readonly warnings: readonly string[];
    readonly morphWeightCount: number;
    readonly upAxis: "y" | "z";
    /** The index of the clip with a name; an index is returned as it is. */
    clipIndex(clip: string | number): number;
    /** Creates an instance, at rest. */
    instance(options?: InstanceOptions): Instance;
    /** The corners of each triangle of a mesh. */
    triangles(mesh: number): Uint32Array;
    /** Two numbers per vertex of a mesh, in the order of `triangles` and `skin`. */
    textureCoordinates(mesh: number, set?: number): Float32Array;
    /** Four numbers per vertex of a mesh: linear red, green, blue and alpha. White if it has no colors. */
    colors(mesh: number): Float32Array;
    /** The bytes of an image file, PNG or JPEG; empty if the image is in a file of its own. */
    image(image: number): Uint8Array;
    /** The frames of a clip, or of the rest pose, as the bytes of a file. */
    bakeClip(format: "pc2" | "mdd" | "npz", options?: { clip?: string | number; framesPerSecond?: number }): Uint8Array;
    /** The whole model as the bytes of a GLB file. */
    toGlb(): Uint8Array;
    /** Frees the memory. Instances stay valid. */
    dispose(): void;
}

/** How an instance is skinned; see `MeshSource` of "sinew3d". */
export interface InstanceOptions {
    unitDirections?: boolean;
    cofactorNormals?: boolean;
    dualQuaternions?: boolean;
}

export interface PlayOptions {
    /**
     * Whether other clips stop, fade out while this one fades in, are blended with it, are added to, or stop
     * while what is left of their motion decays, so that no joint jumps.
     */
    mode?: "replace" | "crossFade" | "blend" | "add" | "inertialize";
    /** The time of a cross-fade, or of the decay. */
    fadeSeconds?: number;
    /** Times the clip's own speed; may be negative. */
    speed?: number;
    /** The weight in blends. */
    weight?: number;
    /** Whether the clip loops; by default it does. */
    loop?: boolean;
    /** The time at which it starts. */
    seconds?: number;
}

export interface Playback {
    /** The index of the clip. */
    clip: number;
    seconds: number;
    /** The weight times the level of its fade. */
    weight: number;
    /** Whether it stopped at its end. */
    isFinished: boolean;
}

/** A model with its own pose, playbacks and vertices. */
export class Instance {
    private constructor();
    readonly model: Model;
    readonly playbackCount: number;
    /** Plays a clip. Returns the index of the playback. */
    play(clip: string | number, options?: PlayOptions): number;
    /** Lets the model's springs, such as the hair of an avatar, swing in each step from now on. */
    addSprings(): void;
    /** Stops all clips. */
    stop(): void;
    playback(index?: number): Playback;
    setSpeed(speed: number, playback?: number): void;
    setWeight(weight: number, playback?: number): void;
    seek(seconds: number, playback?: number): void;
    /** Fades a playback out. It is then removed. */
    fadeOut(seconds: number, playback?: number): void;
    /** Advances the animation. */
    step(seconds: number): void;
    /** Poses the instance at a time of a clip, without playing it. The next step overwrites it. */
    sample(clip: string | number, seconds: number): void;
    /**
     * Ten numbers for each joint: rotation (x, y, z, w), translation, scale; relative to its
     * parent.
     */
    pose(): Float32Array;
    /** Sets transforms of joints, from a first joint on. The next step overwrites them. */
    setPose(transforms: Numbers, firstJoint?: number): void;
    /** Sets morph weights, from a first one on. The next step overwrites them. */
    setMorphWeights(weights: Numbers, first?: number): void;
    /** The palette of a skin: 16 numbers for each of its joints, four columns. */
    palette(skin?: number): Float32Array;
    /** From joints to model space: 12 numbers for each joint, three rows of four. */
    matrices(): Float32Array;
    /** A box that holds all vertices, computed from joints alone; `null` without vertices. */
    bounds(): Bounds | null;
    /** Skins a mesh, in the module's memory. */
    skin(mesh?: number, options?: SkinOptions): SkinnedVertices;
    /** The nearest hit of a ray in model space. */
    cast(origin: Vector, direction: Vector, options?: RayOptions): Hit | null;
    /** The nearest hit of each of many rays: six numbers each, origin and direction. */
    castMany(rays: Numbers, options?: RayOptions): (Hit | null)[];
    /** The current pose as the bytes of a file. */
    bake(format: "obj" | "ply" | "glb"): Uint8Array;
    /** Frees the memory. Otherwise this happens some time after the object is garbage. */
    dispose(): void;
}
