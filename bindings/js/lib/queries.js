// Rays and hits in the memory of a module.

import { checkChoice, checkNumber, checkObject, checkVector } from "./arguments.js";

/** The bytes of a ray and of a hit, as in the Rust crate `sinew-js`. */
export const RAY_BYTES = 64;
export const HIT_BYTES = 64;
const FACES = ["both", "front"];

/** Writes a ray. */
export function writeRay(module, address, ox, oy, oz, dx, dy, dz, maxDistance, faces) {
    const { f64, u32 } = module;
    const at = address / 8;
    f64[at] = ox;
    f64[at + 1] = oy;
    f64[at + 2] = oz;
    f64[at + 3] = dx;
    f64[at + 4] = dy;
    f64[at + 5] = dz;
    f64[at + 6] = maxDistance;
    u32[address / 4 + 14] = faces;
}

/** The options of rays. */
export function rayOptions(options) {
    const { maxDistance = Infinity, faces = "both" } = checkObject("options of a ray", options);
    return { maxDistance: checkNumber("maxDistance", maxDistance), faces: checkChoice("faces", faces, FACES) };
}

/** Writes a ray of the caller. */
export function writeCallersRay(module, address, origin, direction, options) {
    const { maxDistance, faces } = rayOptions(options);
    const [ox, oy, oz] = checkVector("origin", origin);
    const [dx, dy, dz] = checkVector("direction", direction);
    writeRay(module, address, ox, oy, oz, dx, dy, dz, maxDistance, faces);
}

/** Reads a hit; null if there is none. */
export function readHit(module, address) {
    const { f64, f32, u32 } = module;
    const at = address / 4;
    if (u32[at + 15] === 0) return null;
    return {
        distance: f64[address / 8],
        point: [f32[at + 2], f32[at + 3], f32[at + 4]],
        normal: [f32[at + 5], f32[at + 6], f32[at + 7]],
        barycentrics: [f32[at + 8], f32[at + 9], f32[at + 10]],
        triangle: u32[at + 11],
        joint: u32[at + 12],
        side: u32[at + 13] === 1 ? "back" : "front",
        mesh: u32[at + 14],
    };
}

/** Casts rays, six numbers each, with a function that casts those in memory. */
export function castMany(module, rays, options, cast) {
    const { maxDistance, faces } = rayOptions(options);
    const count = rays.length / 6;
    if (!Number.isInteger(count)) throw new RangeError(`rays: expected six numbers each, found ${rays.length}`);
    return module.withArrays(({ reserve }) => {
        const at = reserve(RAY_BYTES * count);
        const hits = reserve(HIT_BYTES * count);
        for (let i = 0; i < count; i++) {
            const ray = rays.slice(6 * i, 6 * i + 6);
            writeRay(module, at + RAY_BYTES * i, ray[0], ray[1], ray[2], ray[3], ray[4], ray[5], maxDistance, faces);
        }
        module.check(cast(count, at, hits));
        return Array.from({ length: count }, (_, i) => readHit(module, hits + HIT_BYTES * i));
    });
}

/** Reads a box; null if it is empty. */
export function readBounds({ f32 }, address) {
    const at = address / 4;
    if (!(f32[at] <= f32[at + 3])) return null;
    return { min: [f32[at], f32[at + 1], f32[at + 2]], max: [f32[at + 3], f32[at + 4], f32[at + 5]] };
}
