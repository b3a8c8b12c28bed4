// Instantiates the modules, which are embedded in JavaScript: no bundler needs configuration for
// them.

import { decodeLzma } from "./lzma.js";
import { Module } from "./module.js";

/** A module with one instruction of simd128. */
const SIMD_MODULE = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
];

/** Whether this machine runs simd128. */
export const hasSimd = () => WebAssembly.validate(new Uint8Array(SIMD_MODULE));

/** Bytes from base64. */
function decode(text) {
    if (typeof Uint8Array.fromBase64 === "function") return Uint8Array.fromBase64(text);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

/**
 * Instantiates a module: embedded ones are functions that import the form with simd128 or without.
 */
export async function instantiate(simd, scalar, options) {
    if (options === null || typeof options !== "object") throw new TypeError("options: expected an object");
    const { module, simd: wanted = hasSimd() } = options;
    if (typeof wanted !== "boolean") throw new TypeError("simd: expected true or false");
    if (module instanceof WebAssembly.Module) return new Module(await WebAssembly.instantiate(module, {}));
    if (module !== undefined) throw new TypeError("module: expected a WebAssembly.Module");
    const { lzma, length } = await (wanted ? simd() : scalar());
    const { instance } = await WebAssembly.instantiate(decodeLzma(decode(lzma), length), {});
    return new Module(instance);
}
