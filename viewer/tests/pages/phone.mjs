// The viewer's page on a phone: 390 x 844, touched and not clicked: node viewer/tests/pages/phone.mjs

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { PHONE, drop, open, saveScreenshot, viewerState } from "./browser.mjs";
import { RED_PNG, barWithPicture } from "./models.mjs";

let page, errors, close, state, until, touch;

before(async () => {
    ({ page, errors, close } = await open("?pause=on&at=0.3&samples=0&log-state=on&utm_source=mail&weights=9", PHONE));
    ({ state, until } = viewerState(page));
    touch = await page.context().newCDPSession(page);
});
after(() => close());

const center = ([x, y, width, height]) => [x + width / 2, y + height / 2];
const fingers = (kind, ...points) =>
    touch.send("Input.dispatchTouchEvent", { type: kind, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });

async function tap(name, holds) {
    const { controls } = await until(({ controls }) => name in controls, `control ${name}`);
    await page.touchscreen.tap(...center(controls[name]));
    return until(holds, `effect of ${name}`);
}

/** Moves fingers in steps, a frame after each. */
async function move(...paths) {
    const at = (share) => paths.map(([from, to]) => from.map((n, axis) => n + share * (to[axis] - n)));
    await fingers("touchStart", ...at(0));
    for (const share of [0.25, 0.5, 0.75, 1]) {
        await page.waitForTimeout(120);
        await fingers("touchMove", ...at(share));
    }
    await page.waitForTimeout(120);
    await fingers("touchEnd");
}

test("options that are not understood leave the page alive, with a message", async () => {
    const { error, subject, controls } = await until((now) => now.frame > 2, "frame");
    assert.match(error, /utm_source: no such option; weights: expected 1, 2, 3, 4 or varying/);
    assert.equal(subject, "@figure");
    assert.ok(await page.locator("#message").isHidden());
    const [x, , width] = controls["error:dismiss"];
    assert.ok(x >= 0 && x + width <= 390);
    await tap("error:dismiss", (now) => now.error === null);
});

test("the scene has the page, and panels open one at a time", async () => {
    const { open, controls } = await state();
    assert.deepEqual([open.controls, open.times], [false, false]);
    assert.ok(controls.view[3] > 600, "the scene is high");
    await saveScreenshot(page, "phone.png");
    await tap("panel:controls", (now) => now.open.controls && "method:sinew" in now.controls);
    await saveScreenshot(page, "phone-controls.png");
    await tap("panel:times", (now) => now.open.times && !now.open.controls);
    await saveScreenshot(page, "phone-times.png");
    await tap("panel:times", (now) => !now.open.times && !now.open.controls);
});

test("no control reaches beyond the page", async () => {
    await tap("panel:controls", (now) => now.open.controls && "method:sinew" in now.controls);
    const { controls } = await state();
    for (const [name, [x, , width]] of Object.entries(controls)) {
        assert.ok(x >= 0 && x + width <= 391, `${name}: ${x} + ${width}`);
    }
    await tap("panel:controls", (now) => !now.open.controls);
});

test("one finger turns the view, two zoom it, and a tap picks", async () => {
    const { view, controls } = await state();
    const [x, y] = center(controls.view);
    await move([[x, y], [x + 90, y + 20]]);
    const turned = await until((now) => now.view.yaw !== view.yaw, "turned view");
    assert.equal(turned.view.distance, view.distance);
    await move([[x - 30, y], [x - 120, y]], [[x + 30, y], [x + 120, y]]);
    await until((now) => now.view.distance < 0.9 * view.distance, "closer view");
    await tap("reset-view", (now) => now.view.distance === view.distance);
    await page.touchscreen.tap(x, y);
    await until((now) => now.hit?.joint !== undefined, "hit");
});

test("a glTF dropped with its buffer and its picture is shown", async () => {
    const model = barWithPicture("red.png");
    const [, base64] = model.buffers[0].uri.split(",");
    model.buffers[0].uri = "the%20bar.bin";
    const document = ["bar.gltf", Buffer.from(JSON.stringify(model))];
    const buffer = ["the bar.bin", Buffer.from(base64, "base64")];
    await drop(page, document);
    const { error } = await until((now) => now.error !== null, "message about the missing buffer");
    assert.match(error, /the%20bar\.bin|the bar\.bin/);
    await tap("error:dismiss", (now) => now.error === null);

    await drop(page, buffer, document);
    const without = await until((now) => now.subject === "bar.gltf" && now.error !== null, "model without its picture");
    assert.match(without.error, /drawn without pictures/);
    const { frame } = await tap("error:dismiss", (now) => now.error === null);
    const { picture } = await until((now) => now.frame > frame + 3, "frames");
    await drop(page, buffer, ["red.png", RED_PNG], document);
    const shown = await until((now) => now.subject === "bar.gltf" && now.picture !== picture, "model with its picture");
    assert.equal(shown.error, null);
    await saveScreenshot(page, "phone-dropped.png");
});

test("the page logged no errors", () => assert.deepEqual(errors, []));
