// The page: opens and plays figures, moves the camera, and shows the numbers of each frame.

import { Renderer } from "./draw.js";
import { Sinew } from "./sinew.js";

const byId = (id) => document.getElementById(id);
/** The camera: yaw and pitch in radians, and its distance in sizes of the figure. */
const eye = { around: 0.6, above: 0.22, away: 1.7 };
/** State that tests read. */
export const state = { frames: 0, figure: null, paused: false };
window.sinewPage = state;

let renderer, sinew;
try {
    renderer = new Renderer(byId("canvas"));
    sinew = await Sinew.load("sinew.wasm");
    open("@figure");
    listen();
    requestAnimationFrame(frame);
} catch (error) {
    const simd = error instanceof WebAssembly.CompileError ? "This page needs a browser with WebAssembly SIMD. " : "";
    showMessage(simd + error.message);
}

/** Opens a name or a file's bytes. On failure, the current figure stays. */
function open(file) {
    showMessage("");
    try {
        const figure = sinew.open(file);
        state.figure?.close();
        state.figure = figure;
        renderer.upload(figure);
        show(figure, file);
    } catch (error) {
        showMessage(error.message);
    }
}

function show(figure, file) {
    byId("vertices").textContent = figure.vertexCount.toLocaleString("en").replaceAll(",", " ");
    byId("joints").textContent = figure.jointCount;
    for (const button of byId("figures").querySelectorAll("button")) {
        button.classList.toggle("on", button.dataset.name === file);
    }
    const buttons = figure.clips.map(({ name }, clip) => {
        const button = document.createElement("button");
        button.textContent = name || `clip ${clip}`;
        button.classList.toggle("on", clip === 0);
        button.onclick = () => {
            figure.play(clip);
            buttons.forEach((other) => other.classList.toggle("on", other === button));
        };
        return button;
    });
    byId("clips").replaceChildren(...(buttons.length > 0 ? buttons : ["none"]));
}

let [last, shown, since, spent] = [performance.now(), performance.now(), 0, 0];
function frame(now) {
    requestAnimationFrame(frame);
    const seconds = Math.min((now - last) / 1000, 0.1);
    last = now;
    const start = performance.now();
    state.figure.step(state.paused ? 0 : seconds);
    spent += performance.now() - start;
    renderer.draw(state.figure, eye);
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
    canvas.onpointerdown = (event) => canvas.setPointerCapture(event.pointerId);
    canvas.onpointermove = (event) => {
        if (event.buttons === 0) return;
        eye.around -= event.movementX * 0.008;
        eye.above = Math.max(-0.1, Math.min(1.4, eye.above + event.movementY * 0.006));
    };
    canvas.onwheel = (event) => {
        event.preventDefault();
        eye.away = Math.max(0.6, Math.min(8, eye.away * Math.exp(event.deltaY * 0.001)));
    };
    for (const button of byId("figures").querySelectorAll("button")) {
        button.onclick = () => open(button.dataset.name);
    }
    byId("file").onchange = async ({ target }) => {
        const [file] = target.files;
        if (file) open(await file.arrayBuffer());
        target.value = "";
    };
    window.ondragover = (event) => event.preventDefault();
    window.ondrop = async (event) => {
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        if (file) open(await file.arrayBuffer());
    };
}

function showMessage(text) {
    byId("error").textContent = text;
}
