// The viewer's page in headless Chromium: node viewer/tests/pages/viewer.mjs
//
// The scene is small and paused, so the picture changes only when a click changes it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { drop, open, saveScreenshot, viewerState } from "./browser.mjs";
import { BAR } from "./models.mjs";

const SCENE = "?model=@cylinders&copies=1&pause=on&at=0.7&samples=0&log-state=on";
let page, errors, close, state, until;

before(async () => {
    ({ page, errors, close } = await open(SCENE));
    ({ state, until } = viewerState(page));
});
after(() => close());

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

test("the page starts, and frames are counted", async () => {
    const first = await until((now) => now.frame > 1, "frame");
    const later = await frames(5);
    assert.ok(later.frame > first.frame);
    assert.ok(await page.locator("#message").isHidden());
    assert.equal(later.isa, "simd128");
});

test("a bar shows how much is loaded", async () => {
    // The module arrives in two halves, the second when the first has been seen.
    const loading = await open("?model=@figure:500&pause=on", {
        init: () => {
            const real = window.fetch;
            window.fetch = async (url, ...options) => {
                const response = await real(url, ...options);
                if (!String(url).endsWith(".wasm")) return response;
                const bytes = new Uint8Array(await response.arrayBuffer());
                const middle = bytes.length >> 1;
                const stream = new ReadableStream({
                    async start(controller) {
                        controller.enqueue(bytes.subarray(0, middle));
                        while (!window.goOn) await new Promise((later) => setTimeout(later, 20));
                        controller.enqueue(bytes.subarray(middle));
                        controller.close();
                    },
                });
                return new Response(stream, { headers: { "Content-Length": bytes.length, "Content-Type": "application/wasm" } });
            };
        },
    });
    await loading.page.waitForFunction(() => Math.abs(document.getElementById("bar").value - 0.5) < 0.01);
    assert.match(await loading.page.locator("#message-text").textContent(), /Loading the viewer: [0-9.]+ MB/);
    await saveScreenshot(loading.page, "viewer-loading.png");
    await loading.page.evaluate(() => (window.goOn = true));
    await loading.page.locator("#message").waitFor({ state: "hidden" });
    await loading.close();
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
    await drop(page, ["bad.glb", Buffer.from("no model")]);
    const { error } = await until((now) => now.error !== null, "message");
    assert.match(error, /bad\.glb.*expected a file of the format/);
    await click("error:dismiss", (now) => now.error === null);
    await drop(page, ["bar.gltf", readFileSync(BAR)]);
    await until((now) => now.subject.includes("bar"), "dropped model");
});

test("the page logged no errors", () => assert.deepEqual(errors, []));

test("without options, a figure walks, and the time of skinning is measured", async () => {
    const shown = await open("");
    const { until } = viewerState(shown.page);
    const { subject, clip, playing, controls } = await until((now) => now.frame > 3 && now.milliseconds.skin > 0, "frame");
    assert.deepEqual([subject, clip, playing], ["@figure", "walk", true]);
    assert.ok("scene:cylinders" in controls);
    await saveScreenshot(shown.page, "viewer.png");
    await shown.close();
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
