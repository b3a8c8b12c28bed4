// Opens a page of viewer/target/pages in headless Chromium and collects its errors.
//
// SINEW_PLAYWRIGHT names the folder of playwright-core, SINEW_CHROMIUM the program.

import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const pages = join(dirname(fileURLToPath(import.meta.url)), "../../target/pages");
const CONTENT_TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const DESK = { viewport: { width: 1280, height: 800 } };
/** Options of `open` for a phone. */
export const PHONE = { device: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } };
// Chromium on the system's Mesa is ten times as fast as its own software renderer.
const OPTIONS = ["--no-sandbox", "--use-angle=gl-egl", "--ignore-gpu-blocklist", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--no-default-browser-check"];

/** Opens a path. `errors` collects what the page logs as an error or fails to load. */
export async function open(path, { init, device = DESK } = {}) {
    const { chromium } = createRequire(import.meta.url)(process.env.SINEW_PLAYWRIGHT ?? "playwright-core");
    const server = createServer(respond).listen(0, "127.0.0.1");
    await new Promise((listening) => server.once("listening", listening));
    const executablePath = process.env.SINEW_CHROMIUM ?? "/usr/bin/chromium";
    const browser = await chromium.launch({ executablePath, args: OPTIONS });
    const page = await browser.newPage(device);
    page.setDefaultTimeout(60_000);
    const errors = [];
    page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("requestfailed", (request) => errors.push(`${request.url()}: ${request.failure().errorText}`));
    if (init) await page.addInitScript(init);
    await page.goto(`http://127.0.0.1:${server.address().port}/${path}`);
    const close = async () => {
        await browser.close();
        server.close();
    };
    return { page, errors, close };
}

function respond(request, response) {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const file = join(pages, path.endsWith("/") ? `${path}index.html` : path);
    // The same headers as viewer/web/server.py.
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    response.setHeader("Content-Type", CONTENT_TYPES[extname(file)] ?? "application/octet-stream");
    createReadStream(file).on("error", () => response.writeHead(404).end()).pipe(response);
}

/** Reads the viewer's state, and waits for one that satisfies a condition. */
export function viewerState(page) {
    const state = () => page.evaluate(() => JSON.parse(window.sinewViewerState?.() || "{}"));
    const until = async (holds, what) => {
        for (const end = Date.now() + 90_000; ; await page.waitForTimeout(50)) {
            const now = await state();
            if (now.controls && holds(now)) return now;
            if (Date.now() > end) throw new Error(`no ${what}; the state is ${JSON.stringify({ ...now, controls: 0 })}`);
        }
    };
    return { state, until };
}

/** Drops files on the canvas, each given as its name and its bytes. */
export function drop(page, ...files) {
    return page.evaluate((files) => {
        const dataTransfer = new DataTransfer();
        for (const [name, bytes] of files) dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
        for (const kind of ["dragover", "drop"]) {
            document.getElementById("canvas").dispatchEvent(
                new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
        }
    }, files.map(([name, bytes]) => [name, [...bytes]]));
}

/** Waits until two consecutive screenshots are equal, and returns the last. */
export async function stableScreenshot(page, clip) {
    let last = await page.screenshot({ clip });
    for (let i = 0; i < 50; i++) {
        const next = await page.screenshot({ clip });
        if (next.equals(last)) return next;
        last = next;
    }
    throw new Error("the picture keeps changing");
}

/** Saves a screenshot if SINEW_PICTURES names a folder for them. */
export async function saveScreenshot(page, name) {
    if (process.env.SINEW_PICTURES) await page.screenshot({ path: join(process.env.SINEW_PICTURES, name) });
}
