// The module behind meshes that the caller poses.

import { instantiate } from "./load-wasm.js";

let loading;
let loaded;

/** Loads the module. Later calls return the same promise. */
export function init(options = {}) {
    loading ??= instantiate(
        () => import("./wasm/core-simd.js"),
        () => import("./wasm/core-scalar.js"),
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

/** The module, once it is loaded. */
export function core() {
    if (loaded === undefined) throw new Error("sinew3d is not loaded: call `await init()` first");
    return loaded;
}

/** Calls a function each time that the module's memory has grown. */
export const onMemoryGrowth = (listener) => core().onMemoryGrowth(listener);
