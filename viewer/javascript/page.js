// The page: opens and plays figures, moves the camera, and shows the numbers of each frame.

import { Renderer, decodePictures } from "./draw.js";
import { readFiles } from "./files.js";
import { initImporters, loadModel } from "./sinew3d/importers.js";

const byId = (id) => document.getElementById(id);
/** The camera: yaw and pitch in radians, and its distance in sizes of the figure. */
const eye = { around: 0.6, above: 0.22, away: 1.7 };
/** State that tests read. */
export const state = { frames: 0, instance: null, paused: false, textures: 0, eye };
window.sinewPage = state;

/** The number of the latest call of `open`: an earlier one that ends later shows nothing. */
let latest = 0;
let renderer;
try {
    renderer = new Renderer(byId("canvas"));
    await initImporters({ simd: true });
    listen();
    await open("figure.glb");
} catch (error) {
    const simd = error instanceof WebAssembly.CompileError ? "This page needs a browser with WebAssembly SIMD. " : "";
    showMessage(simd + error.message);
}

/** Opens a file of this folder, or files of the user. On failure, the current figure stays. */
async function open(source) {
    const own = ++latest;
    showMessage("");
    let instance;
    try {
        const { bytes, clips } = typeof source === "string" ? await fetchFile(source) : await readFiles(source);
        const model = await loadModel(bytes, { clips });
        instance = model.instance({ unitDirections: true });
        if (model.clips.length > 0) instance.play(0);
        instance.step(0);
        const { pictures, notes } = await decodePictures(model, renderer.pictureLimit);
        try {
            if (own !== latest) return close(instance);
            renderer.upload(instance, pictures);
        } finally {
            pictures.forEach((picture) => picture?.close());
        }
        state.textures = renderer.textures.length;
        if (state.instance) close(state.instance);
        else requestAnimationFrame(frame);
        state.instance = instance;
        show(instance, source);
        showMessage(notes.join("; "));
    } catch (error) {
        if (instance && instance !== state.instance) close(instance);
        if (own === latest) showMessage(error.message);
    }
}

function close(instance) {
    instance.dispose();
    instance.model.dispose();
}

async function fetchFile(name) {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    return { bytes: await response.arrayBuffer(), clips: {} };
}

function show(instance, source) {
    const { model } = instance;
    const vertices = model.meshes.reduce((sum, mesh) => sum + mesh.vertices, 0);
    byId("vertices").textContent = vertices.toLocaleString("en").replaceAll(",", " ");
    byId("joints").textContent = model.joints.length;
    for (const button of byId("figures").querySelectorAll("button")) {
        button.classList.toggle("on", button.dataset.name === source);
    }
    const buttons = model.clips.map(({ name }, clip) => {
        const button = document.createElement("button");
        button.textContent = name || `clip ${clip}`;
        button.classList.toggle("on", clip === 0);
        button.onclick = () => {
            instance.play(clip, { mode: "crossFade", fadeSeconds: 0.3 });
            buttons.forEach((other) => other.classList.toggle("on", other === button));
        };
        return button;
    });
    byId("clips").replaceChildren(...(buttons.length > 0 ? buttons : ["none"]));
    byId("search").hidden = buttons.length <= 8;
    byId("search").value = "";
    byId("search").oninput = ({ target }) => {
        const wanted = target.value.toLowerCase();
        for (const button of buttons) button.hidden = !button.textContent.toLowerCase().includes(wanted);
    };
}

let [last, shown, since, spent] = [performance.now(), performance.now(), 0, 0];
function frame(now) {
    requestAnimationFrame(frame);
    const seconds = Math.min((now - last) / 1000, 0.1);
    last = now;
    const { instance } = state;
    const start = performance.now();
    instance.step(state.paused ? 0 : seconds);
    const skinned = instance.model.meshes.map(({ hasNormals }, mesh) => instance.skin(mesh, { normals: hasNormals }));
    spent += performance.now() - start;
    renderer.draw(skinned, eye);
    state.frames++;
    since++;
    if (now - shown > 500) {
        byId("time").textContent = `${(spent / since).toFixed(2)} ms`;
        byId("rate").textContent = Math.round((1000 * since) / (now - shown));
        [shown, since, spent] = [now, 0, 0];
    }
}

function listen() {
    const canvas = byId("canvas");
    const fingers = new Map();
    canvas.onpointerdown = (event) => {
        canvas.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, [event.clientX, event.clientY]);
    };
    canvas.onpointerup = canvas.onpointercancel = (event) => fingers.delete(event.pointerId);
    canvas.onpointermove = (event) => {
        const before = fingers.get(event.pointerId);
        if (!before) return;
        const spread = () => Math.hypot(...[0, 1].map((i) => [...fingers.values()].reduce((sum, at) => at[i] - sum, 0)));
        const apart = spread();
        fingers.set(event.pointerId, [event.clientX, event.clientY]);
        if (fingers.size === 2) return zoom(apart / Math.max(spread(), 1));
        eye.around -= (event.clientX - before[0]) * 0.008;
        eye.above = Math.max(-0.1, Math.min(1.4, eye.above + (event.clientY - before[1]) * 0.006));
    };
    const zoom = (factor) => (eye.away = Math.max(0.6, Math.min(8, eye.away * factor)));
    canvas.onwheel = (event) => {
        event.preventDefault();
        zoom(Math.exp(event.deltaY * 0.001));
    };
    for (const button of byId("figures").querySelectorAll("button")) {
        button.onclick = () => open(button.dataset.name);
    }
    byId("file").onchange = async ({ target }) => {
        if (target.files.length > 0) await open([...target.files]);
        target.value = "";
    };
    const fold = (folded) => {
        byId("panel").classList.toggle("folded", folded);
        byId("fold").textContent = folded ? "+" : "–";
        byId("fold").ariaExpanded = String(!folded);
    };
    byId("fold").onclick = () => fold(!byId("panel").classList.contains("folded"));
    // On a phone the panel would cover the figure.
    fold(matchMedia("(max-width: 600px)").matches);
    window.ondragover = (event) => event.preventDefault();
    window.ondrop = (event) => {
        event.preventDefault();
        if (event.dataTransfer.files.length > 0) open([...event.dataTransfer.files]);
    };
}

function showMessage(text) {
    byId("error").textContent = text;
}
