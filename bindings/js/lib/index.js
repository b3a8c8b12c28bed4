export { init, onMemoryGrowth } from "./core.js";
export { FileError } from "./errors.js";
export { hasSimd } from "./load-wasm.js";
export { SkinnedMesh } from "./skinned-mesh.js";
