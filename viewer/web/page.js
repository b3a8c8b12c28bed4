// Starts the viewer in its canvas, or shows why it cannot.

const message = document.getElementById("message");
const messageText = document.getElementById("message-text");
const bar = document.getElementById("bar");

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

/**
 * Fetches the module and moves the bar as its bytes arrive. A server that compresses does not say how
 * many there will be: then the bar only shows that something happens.
 */
async function fetchModule(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    const compressed = response.headers.get("Content-Encoding");
    const total = compressed ? 0 : Number(response.headers.get("Content-Length"));
    const reader = response.body.getReader();
    let loaded = 0;
    const stream = new ReadableStream({
        async pull(controller) {
            const { done, value } = await reader.read();
            if (done) return controller.close();
            loaded += value.length;
            if (total > 0) bar.value = loaded / total;
            messageText.textContent = `Loading the viewer: ${(loaded / 1e6).toFixed(1)} MB`;
            controller.enqueue(value);
        },
    });
    // Compiled while it arrives.
    return new Response(stream, { headers: { "Content-Type": "application/wasm" } });
}

try {
    const missing = missingFeature();
    if (missing) throw new Error(`The viewer needs ${missing}, which this browser lacks or has disabled.`);
    const viewer = await import("./sinew_viewer.js");
    await viewer.default({ module_or_path: fetchModule("sinew_viewer_bg.wasm") });
    await viewer.startSinewViewer(document.getElementById("canvas"), location.search);
    window.sinewViewerState = viewer.sinewViewerState;
    message.hidden = true;
} catch (error) {
    bar.hidden = true;
    messageText.textContent = error?.message ?? String(error);
}
