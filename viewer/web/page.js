// Starts the viewer in its canvas, or says why it cannot.

const message = document.getElementById("message");
const words = document.getElementById("words");

/** A module whose one function makes a vector: it is valid only where there is SIMD. */
const VECTOR = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 17, 11,
]);

/** What this browser lacks, or nothing. */
function lacking() {
    if (typeof WebAssembly !== "object") return "WebAssembly";
    if (!WebAssembly.validate(VECTOR)) return "WebAssembly SIMD";
    if (!document.createElement("canvas").getContext("webgl2")) return "WebGL2";
    return "";
}

try {
    const lack = lacking();
    if (lack) throw new Error(`The viewer needs ${lack}, which this browser does not have or has switched off.`);
    const viewer = await import("./sinew_viewer.js");
    await viewer.default();
    await viewer.startSinewViewer(document.getElementById("canvas"), location.search);
    window.sinewViewerState = viewer.sinewViewerState;
    message.hidden = true;
} catch (error) {
    words.textContent = error?.message ?? String(error);
}
