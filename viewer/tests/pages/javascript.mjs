// The plain JavaScript example in headless Chromium: node viewer/tests/pages/javascript.mjs

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { PHONE, open, saveScreenshot, stableScreenshot } from "./browser.mjs";
import { BAR, RED_PNG, barWithPicture, readBar } from "./models.mjs";

/** The part of the page to the right of the panel and its shadow. */
const SCENE = { x: 400, y: 0, width: 880, height: 800 };
let page, errors, close;

before(async () => ({ page, errors, close } = await open("javascript/")));
after(() => close());

const number = async (id) => Number((await page.locator(id).textContent()).replaceAll(/[^0-9.]/g, ""));
const frames = () => page.evaluate(() => window.sinewPage.frames);
const until = (frames) => page.waitForFunction((frames) => window.sinewPage.frames > frames, frames);
/** Opens another figure, and waits until it is drawn. */
async function opened(action) {
    const before = await page.evaluateHandle(() => window.sinewPage.instance);
    await action();
    await page.waitForFunction((before) => window.sinewPage.instance !== before, before);
    await until((await frames()) + 3);
}
/** Chooses a glTF and files beside it. */
const choose = (model, ...others) =>
    page.locator("#file").setInputFiles([file("bar.gltf", Buffer.from(JSON.stringify(model))), ...others]);
const show = (...files) => opened(() => choose(...files));
const file = (name, buffer) => ({ name, mimeType: "", buffer });
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
    await page.getByRole("button", { name: "twist" }).click();
    await page.waitForFunction(() => Number(document.getElementById("vertices").textContent.replaceAll(" ", "")) < 3000);
    assert.ok(!before.equals(await stableScreenshot(page, SCENE)));
});

test("a click plays another motion", async () => {
    await page.getByRole("button", { name: "5 000" }).click();
    await page.getByRole("button", { name: "wave" }).waitFor();
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

test("a chosen file is opened, whatever pictures are chosen with it", async () => {
    await page.locator("#file").setInputFiles(BAR);
    await page.waitForFunction(() => document.getElementById("joints").textContent === "3");
    assert.equal(await page.locator("#error").textContent(), "");
    const md5 = 'MD5Version 10 numJoints 1 numMeshes 1 joints { "a" -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { shader "skin" numverts 3 '
        + "vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1 numtris 1 tri 0 0 1 2 numweights 3 "
        + "weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0 ) weight 2 0 1 ( 0 0 1 ) }";
    await page.locator("#file").setInputFiles([
        { name: "skin.png", mimeType: "image/png", buffer: RED_PNG }, { name: "a.md5mesh", mimeType: "", buffer: Buffer.from(md5) },
    ]);
    await page.waitForFunction(() => document.getElementById("vertices").textContent === "3");
    assert.equal(await page.locator("#error").textContent(), "");
});

test("a glTF is opened with its buffer and its picture, which is drawn", async () => {
    const model = readBar();
    const bytes = Buffer.from(model.buffers[0].uri.split(",")[1], "base64");
    const vertices = model.accessors[model.meshes[0].primitives[0].attributes.POSITION].count;
    const coordinates = Buffer.from(new Float32Array(2 * vertices).fill(0.5).buffer);
    model.bufferViews.push({ buffer: 1, byteLength: coordinates.length });
    model.accessors.push({ bufferView: model.bufferViews.length - 1, componentType: 5126, count: vertices, type: "VEC2" });
    model.meshes[0].primitives[0].attributes.TEXCOORD_0 = model.accessors.length - 1;
    model.buffers = [{ byteLength: bytes.length, uri: "bar.bin" }, { byteLength: coordinates.length, uri: "uv.bin" }];
    model.images = [{ uri: "red.png" }];
    model.textures = [{ source: 0 }];
    model.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
    await page.locator("#file").setInputFiles([
        file("bar.bin", bytes), file("uv.bin", coordinates), { ...file("red.png", RED_PNG), mimeType: "image/png" },
        file("red.gltf", Buffer.from(JSON.stringify(model))),
    ]);
    await page.waitForFunction(() => window.sinewPage.textures === 1);
    assert.equal(await page.locator("#error").textContent(), "");
    await until((await frames()) + 2);
    await saveScreenshot(page, "javascript-texture.png");
    const red = await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => {
        const gl = document.getElementById("canvas").getContext("webgl2");
        const pixel = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
        gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        let count = 0;
        for (let i = 0; i < pixel.length; i += 4) if (pixel[i] > 90 && pixel[i + 1] < 60 && pixel[i + 2] < 60) count++;
        resolve(count);
    })));
    assert.ok(red > 1000, `${red} red pixels`);
});

test("of an opaque material alpha is not drawn, a mask cuts, and what is transparent is blended", async () => {
    const model = readBar();
    const drawn = async (material) => {
        await show({ ...model, materials: [material] });
        return stableScreenshot(page, SCENE);
    };
    const white = (alpha, alphaMode) => drawn({ alphaMode, pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, alpha] } });
    const clear = { pbrMetallicRoughness: { baseColorFactor: [0.9, 0.1, 0.1, 0.4] } };
    const opaque = await drawn({ pbrMetallicRoughness: { baseColorFactor: [0.9, 0.1, 0.1, 1] } });
    assert.ok((await drawn(clear)).equals(opaque), "opaque");
    const cut = await drawn({ ...clear, alphaMode: "MASK" });
    assert.ok(!cut.equals(opaque), "cut");
    const blended = await drawn({ ...clear, alphaMode: "BLEND" });
    assert.ok(!blended.equals(opaque) && !blended.equals(cut), "blended");
    // What a mask leaves is opaque, whatever its alpha.
    const left = { alphaMode: "MASK", pbrMetallicRoughness: { baseColorFactor: [0.9, 0.1, 0.1, 0.7] } };
    assert.ok((await drawn(left)).equals(opaque), "left by the mask");
    // White without a picture is drawn in the default color, with the alpha of the material.
    const [faint, full] = [await white(0.2, "BLEND"), await white(1, "BLEND")];
    assert.ok(!faint.equals(full), "faint");
    assert.ok((await white(0.2, "OPAQUE")).equals(await white(1, "OPAQUE")), "opaque white");
});

test("meshes with the same picture share a texture, and pictures that cannot be drawn are said", async () => {
    await page.evaluate(() => {
        const decode = window.createImageBitmap;
        window.decoded = [];
        window.createImageBitmap = async (...source) => {
            const picture = await decode(...source);
            window.decoded.push(picture);
            return picture;
        };
    });
    const model = barWithPicture("red.png");
    model.meshes[0].primitives.push({ ...model.meshes[0].primitives[0] });
    await show(model, file("red.png", RED_PNG));
    assert.deepEqual(await page.evaluate(() => [window.sinewPage.instance.model.meshes.length, window.sinewPage.textures]), [2, 1]);
    assert.equal(await page.locator("#error").textContent(), "");

    const wide = Buffer.from(await page.evaluate(async () => {
        const gl = document.getElementById("canvas").getContext("webgl2");
        const canvas = new OffscreenCanvas(gl.getParameter(gl.MAX_TEXTURE_SIZE) + 1, 1);
        canvas.getContext("2d").fillRect(0, 0, 1, 1);
        return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
    }));
    for (const [buffer, note] of [
        [Buffer.from("no"), /^picture 0 cannot be decoded$/],
        [wide, /^picture 0 has \d+ x 1 pixels, and this browser draws (\d+) x \1$/],
    ]) {
        await show(model, file("red.png", buffer));
        assert.match(await page.locator("#error").textContent(), note);
        assert.equal(await page.evaluate(() => window.sinewPage.textures), 0);
    }
    // A closed picture has no width.
    assert.deepEqual(await page.evaluate(() => window.decoded.map(({ width }) => width)), [0, 0]);
});

test("a figure that cannot be uploaded shows an error and the current one stays", async () => {
    await opened(() => page.getByRole("button", { name: "twist" }).click());
    const before = await stableScreenshot(page, SCENE);
    const fails = async (method, message) => {
        // The own property hides the method of the prototype.
        await page.evaluate((method) => {
            const gl = document.getElementById("canvas").getContext("webgl2");
            gl[method] = (target) => {
                if (method === "getError") return gl.OUT_OF_MEMORY;
                if (target === gl.ELEMENT_ARRAY_BUFFER) throw new Error("no memory");
                WebGL2RenderingContext.prototype[method].apply(gl, [target, 16, gl.STATIC_DRAW]);
            };
        }, method);
        await choose(barWithPicture("red.png"), file("red.png", RED_PNG));
        await page.getByRole("alert").filter({ hasText: message }).waitFor();
        await page.evaluate((method) => delete document.getElementById("canvas").getContext("webgl2")[method], method);
        await until((await frames()) + 3);
        assert.ok(before.equals(await stableScreenshot(page, SCENE)), method);
    };
    await fails("bufferData", "no memory");
    await fails("getError", "does not fit into the memory of the GPU");
    await show(readBar());
    assert.ok(!before.equals(await stableScreenshot(page, SCENE)));
});

test("the page fits a phone, its panel folds, one finger turns the view and two zoom it", async () => {
    const phone = await open("javascript/", PHONE);
    await phone.page.waitForFunction(() => window.sinewPage?.frames > 3);
    const panel = () => phone.page.locator("#panel").boundingBox();
    assert.ok((await panel()).height < 120, "folded at first");
    assert.equal(await phone.page.locator("#fold").textContent(), "+");
    await saveScreenshot(phone.page, "javascript-phone.png");
    await phone.page.locator("#fold").tap();
    assert.equal(await phone.page.locator("#fold").textContent(), "–");
    const { x, y, width, height } = await panel();
    assert.ok(height > 300 && x >= 0 && x + width <= 390 && y >= 0 && y + height <= 844);
    await saveScreenshot(phone.page, "javascript-phone-panel.png");
    await phone.page.locator("#fold").tap();
    assert.ok((await panel()).height < 120);
    const eye = () => phone.page.evaluate(() => ({ ...window.sinewPage.eye }));
    const before = await eye();
    const touch = await phone.page.context().newCDPSession(phone.page);
    const fingers = (type, ...points) =>
        touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((x, id) => ({ x, y: 300, id })) });
    await fingers("touchStart", 200);
    await fingers("touchMove", 260);
    await fingers("touchEnd");
    const turned = await eye();
    assert.ok(turned.around !== before.around && turned.away === before.away);
    await fingers("touchStart", 150, 240);
    await fingers("touchMove", 100, 290);
    await fingers("touchEnd");
    const closer = await eye();
    assert.ok(closer.away < before.away && closer.around === turned.around);
    await phone.close();
});

test("the page logged no errors", () => assert.deepEqual(errors, []));

test("a browser without WebGL2 shows an error", async () => {
    const without = await open("javascript/", { init: () => (HTMLCanvasElement.prototype.getContext = () => null) });
    await without.page.getByRole("alert").filter({ hasText: "WebGL2" }).waitFor();
    await without.close();
});
