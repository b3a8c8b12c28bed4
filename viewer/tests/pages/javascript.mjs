// The plain JavaScript example in headless Chromium: node viewer/tests/pages/javascript.mjs

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { open, saveScreenshot, stableScreenshot } from "./browser.mjs";

const files = join(dirname(fileURLToPath(import.meta.url)), "../../javascript/tests");
/** The part of the page to the right of the panel. */
const SCENE = { x: 340, y: 0, width: 940, height: 800 };
let page, errors, close;

before(async () => ({ page, errors, close } = await open("javascript/")));
after(() => close());

const number = async (id) => Number((await page.locator(id).textContent()).replaceAll(/[^0-9.]/g, ""));
const frames = () => page.evaluate(() => window.sinewPage.frames);
const until = (frames) => page.waitForFunction((frames) => window.sinewPage.frames > frames, frames);
const pause = (paused) => page.evaluate((paused) => (window.sinewPage.paused = paused), paused);

test("the figure walks and the statistics are shown", async () => {
    await until(5);
    const first = await page.screenshot({ clip: SCENE });
    await until((await frames()) + 5);
    assert.ok(!first.equals(await page.screenshot({ clip: SCENE })));
    await page.waitForFunction(() => document.getElementById("time").textContent.endsWith("ms"));
    assert.ok((await number("#vertices")) > 4000 && (await number("#rate")) > 0);
    await saveScreenshot(page, "javascript.png");
});

test("a click opens another figure", async () => {
    await pause(true);
    const before = await stableScreenshot(page, SCENE);
    await page.getByRole("button", { name: "cylinder" }).click();
    assert.equal(await number("#joints"), 30);
    assert.ok(!before.equals(await stableScreenshot(page, SCENE)));
});

test("a click plays another motion", async () => {
    await page.getByRole("button", { name: "5 000" }).click();
    const before = await stableScreenshot(page, SCENE);
    await pause(false);
    await page.getByRole("button", { name: "wave" }).click();
    await until((await frames()) + 10);
    await pause(true);
    assert.ok(!before.equals(await stableScreenshot(page, SCENE)));
});

test("dragging turns the camera and the wheel zooms", async () => {
    const before = await stableScreenshot(page, SCENE);
    await page.mouse.move(900, 400);
    await page.mouse.down();
    await page.mouse.move(1000, 420, { steps: 4 });
    await page.mouse.up();
    const turned = await stableScreenshot(page, SCENE);
    assert.ok(!before.equals(turned));
    await page.mouse.wheel(0, -400);
    await until((await frames()) + 2);
    assert.ok(!turned.equals(await stableScreenshot(page, SCENE)));
});

test("an invalid file shows an error and the figure stays", async () => {
    const vertices = await number("#vertices");
    await page.locator("#file").setInputFiles({ name: "a.glb", mimeType: "", buffer: Buffer.from("no model") });
    await page.getByRole("alert").filter({ hasText: "expected a file of the format" }).waitFor();
    assert.equal(await number("#vertices"), vertices);
    await until((await frames()) + 2);
});

test("a chosen file is opened", async () => {
    await page.locator("#file").setInputFiles(join(files, "bar.gltf"));
    await page.waitForFunction(() => document.getElementById("joints").textContent === "3");
    assert.equal(await page.locator("#error").textContent(), "");
});

test("the page logged no errors", () => assert.deepEqual(errors, []));

test("a browser without WebGL2 shows an error", async () => {
    const without = await open("javascript/", { init: () => (HTMLCanvasElement.prototype.getContext = () => null) });
    await without.page.getByRole("alert").filter({ hasText: "WebGL2" }).waitFor();
    await without.close();
});
