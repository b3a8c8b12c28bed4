// The example pages, built by Vite, in headless Chromium.
//
// SINEW_PAGES names the folder of the built pages, SINEW_CHROMIUM the browser.

import assert from "node:assert/strict";
import { createReadStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";

import playwright from "playwright-core";

const { chromium } = playwright;
const folder = process.env.SINEW_PAGES;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const OPTIONS = ["--no-sandbox", "--use-angle=gl-egl", "--ignore-gpu-blocklist", "--disable-background-networking"];
let server, browser, page, profile;
const errors = [];

before(async () => {
    server = createServer((request, response) => {
        const file = join(folder, normalize(new URL(request.url, "http://x").pathname));
        const found = existsSync(file) && extname(file) !== "";
        response.writeHead(found ? 200 : 404, {
            "content-type": TYPES[extname(file)] ?? "application/octet-stream",
            // A page that is isolated has a clock with steps of 5 us instead of 100.
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-embedder-policy": "require-corp",
        });
        if (found) createReadStream(file).pipe(response);
        else response.end();
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    profile = mkdtempSync(join(tmpdir(), "sinew3d-"));
    browser = await chromium.launchPersistentContext(profile, {
        executablePath: process.env.SINEW_CHROMIUM ?? "/usr/bin/chromium",
        headless: true,
        args: OPTIONS,
        viewport: { width: 900, height: 600 },
    });
    page = await browser.newPage();
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
});

after(async () => {
    await browser.close();
    server.close();
    rmSync(profile, { recursive: true, force: true });
});

const open = (name) => page.goto(`http://127.0.0.1:${server.address().port}/${name}`);
const state = () => page.evaluate(() => ({ ...window.sinewPage }));
const frames = async (count) => {
    const { frames: now } = await state();
    await page.waitForFunction((until) => window.sinewPage.frames >= until, now + count, { timeout: 60_000 });
};

test("hovering picks the figure and the joint under the pointer", async () => {
    await open("index.html");
    await page.waitForFunction(() => window.sinewPage?.frames > 1, undefined, { timeout: 60_000 });
    await page.evaluate(() => (window.sinewPage.paused = true));
    // The front row hides nothing of itself.
    for (const [figure, bone] of [[15, "head"], [17, "chest"], [19, "head"]]) {
        const { x, y } = await page.evaluate(([figure, bone]) => window.sinewPage.screenOf(figure, bone), [figure, bone]);
        await page.mouse.move(x, y - 4);
        await frames(2);
        const { figure: found, joint } = await state();
        assert.equal(found, figure);
        assert.ok(joint.length > 0);
        assert.equal(await page.locator("#joint").textContent(), joint);
    }
    await page.mouse.move(2, 598);
    await frames(2);
    assert.equal((await state()).figure, -1);
});

test("times with and without are shown", async () => {
    const { x, y } = await page.evaluate(() => window.sinewPage.screenOf(17, "chest"));
    await page.mouse.move(x, y);
    await frames(3);
    const picked = await state();
    await page.locator("#sinew").uncheck();
    await page.mouse.move(x, y);
    await frames(2);
    assert.equal((await state()).figure, picked.figure, "three.js picks the same figure");
    const time = async (id) => Number((await page.locator(id).textContent()).replace(" ms", ""));
    const [fast, slow] = [await time("#with"), await time("#without")];
    console.log(`picking among twenty figures: ${fast} ms with sinew3d, ${slow} ms without`);
    assert.ok(fast >= 0 && slow > 0);
    if (process.env.SINEW_PICTURES) await page.screenshot({ path: join(process.env.SINEW_PICTURES, "characters.png") });
    await page.locator("#sinew").check();
    await page.mouse.move(x, y);
    await frames(2);
    assert.equal((await state()).figure, picked.figure);
});

test("a worker casts rays", async () => {
    await open("worker.html");
    await page.waitForFunction(() => document.getElementById("hit").textContent !== "", undefined, { timeout: 60_000 });
    const distance = Number(await page.locator("#hit").textContent());
    assert.ok(Math.abs(distance - 2) < 1e-6, String(distance));
});

test("the benchmark's table", async () => {
    const model = join(process.env.SINEW_DATA ?? "", "khronos-sample-assets/CesiumMan/glTF-Binary/CesiumMan.glb");
    if (!existsSync(model)) return console.log("skipped: models (SINEW_DATA is not set)");
    await open("bench.html");
    await page.locator("#file").setInputFiles(model);
    await page.waitForFunction(() => document.getElementById("table").textContent !== "", undefined, { timeout: 120_000 });
    const table = await page.locator("#table").textContent();
    console.log(table);
    assert.match(table, /a ray in a new pose/);
});

test("the pages logged no errors", () => assert.deepEqual(errors, []));
