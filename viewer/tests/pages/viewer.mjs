// The viewer's page in headless Chromium: node viewer/tests/pages/viewer.mjs
//
// The scene is small and paused, so the picture changes only when a click changes it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { open, saveScreenshot } from "./browser.mjs";

const bar = join(dirname(fileURLToPath(import.meta.url)), "../../javascript/tests/bar.gltf");
const SCENE = "?model=@cylinders&copies=1&pause=on&at=0.7&samples=0&log-state=on";
let page, errors, close;

before(async () => ({ page, errors, close } = await open(SCENE)));
after(() => close());

const state = () => page.evaluate(() => JSON.parse(window.sinewViewerState?.() || "{}"));

/** Waits for a state that satisfies a condition, and returns it. */
async function until(holds, what) {
    for (const end = Date.now() + 90_000; ; await page.waitForTimeout(50)) {
        const now = await state();
        if (now.controls && holds(now)) return now;
        if (Date.now() > end) throw new Error(`no ${what}; the state is ${JSON.stringify({ ...now, controls: 0 })}`);
    }
}

async function frames(count) {
    const { frame = 0 } = await state();
    return until((now) => now.frame >= frame + count, `${count} more frames`);
}

async function click(name, holds, across = 0.5) {
    const { controls } = await until(({ controls }) => name in controls, `control ${name}`);
    const [x, y, width, height, enabled] = controls[name];
    assert.ok(enabled, `${name} is disabled`);
    await page.mouse.click(x + across * width, y + height / 2);
    await until(holds, `effect of ${name}`);
    return frames(2);
}

async function clickAndSee(name, holds, across) {
    const { picture } = await state();
    await click(name, holds, across);
    await until((now) => now.picture !== picture, `other picture after ${name}`);
}

/** Drops a file on the canvas. */
function drop(name, bytes) {
    return page.evaluate(([name, bytes]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
        for (const kind of ["dragover", "drop"]) {
            document.getElementById("canvas").dispatchEvent(
                new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
        }
    }, [name, [...bytes]]);
}

test("the page starts, and frames are counted", async () => {
    const first = await until((now) => now.frame > 1, "frame");
    const later = await frames(5);
    assert.ok(later.frame > first.frame);
    assert.ok(await page.locator("#message").isHidden());
    assert.equal(later.isa, "simd128");
});

test("clicks change method, picture and scene", async () => {
    await click("method:plain", (now) => now.method === "plain");
    await click("method:sinew", (now) => now.method === "sinew");
    await click("method:gpu", (now) => now.method === "gpu");
    await click("method:sinew", (now) => now.method === "sinew");
    await clickAndSee("weights:1", (now) => now.weights === 1);
    await clickAndSee("show:wireframe", (now) => now.show.includes("wireframe"));
    await clickAndSee("motion:noise", (now) => now.motion === "noise");
    await clickAndSee("scene:figure", (now) => now.subject.includes("figure"));
    await click("play", (now) => now.playing);
    const { seconds } = await state();
    await until((now) => now.seconds > seconds, "time that passes");
    await click("view", (now) => now.hit !== null);
});

test("what a browser cannot do is disabled, and hovering says why", async () => {
    const { controls } = await state();
    for (const [name, why] of [
        ["threads:data", /one thread/],
        ["threads:task", /one thread/],
        ["method:papers-sse2", /wasm32/],
        ["isa:avx2", /./],
    ]) {
        const [x, y, width, height, enabled] = controls[name];
        assert.equal(enabled, false, name);
        await page.mouse.move(x + width / 2, y + height / 2);
        await until(({ disabled_reason }) => why.test(disabled_reason ?? ""), `reason of ${name}`);
    }
    assert.equal(controls["isa:simd128"][4], true);
});

test("a dropped invalid file shows an error, and a dropped model is shown", async () => {
    await drop("bad.glb", Buffer.from("no model"));
    const { error } = await until((now) => now.error !== null, "message");
    assert.match(error, /bad\.glb.*expected a file of the format/);
    await click("error:dismiss", (now) => now.error === null);
    await drop("bar.gltf", readFileSync(bar));
    await until((now) => now.subject.includes("bar"), "dropped model");
});

test("the page logged no errors", () => assert.deepEqual(errors, []));

test("screenshots", { skip: !process.env.SINEW_PICTURES }, async () => {
    for (const [query, name] of [["", "viewer.png"], ["?model=@cylinders", "viewer-cylinders.png"]]) {
        const shown = await open(query);
        await shown.page.waitForFunction(() => JSON.parse(window.sinewViewerState?.() || "{}").frame > 20);
        await saveScreenshot(shown.page, name);
        await shown.close();
    }
});

for (const [what, init] of [
    ["WebGL2", () => (HTMLCanvasElement.prototype.getContext = () => null)],
    ["WebAssembly SIMD", () => (WebAssembly.validate = () => false)],
]) {
    test(`a browser without ${what} shows an error`, async () => {
        const without = await open("", { init });
        await without.page.locator("#message-text").filter({ hasText: `needs ${what},` }).waitFor();
        await without.close();
    });
}
