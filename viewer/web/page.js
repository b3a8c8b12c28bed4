// Starts the viewer in its canvas, or shows why it cannot.

const message = document.getElementById("message");
const messageText = document.getElementById("message-text");

/** A module whose only function returns a vector: valid only if SIMD is supported. */
const VECTOR = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 17, 11,
]);

/** The feature that this browser lacks, or an empty string. */
function missingFeature() {
    if (typeof WebAssembly !== "object") return "WebAssembly";
    if (!WebAssembly.validate(VECTOR)) return "WebAssembly SIMD";
    if (!document.createElement("canvas").getContext("webgl2")) return "WebGL2";
    return "";
}

try {
    const missing = missingFeature();
    if (missing) throw new Error(`The viewer needs ${missing}, which this browser lacks or has disabled.`);
    const viewer = await import("./sinew_viewer.js");
    await viewer.default({ module_or_path: "sinew_viewer_bg.wasm" });
    await viewer.startSinewViewer(document.getElementById("canvas"), location.search);
    window.sinewViewerState = viewer.sinewViewerState;
    message.hidden = true;
} catch (error) {
    messageText.textContent = error?.message ?? String(error);
}
