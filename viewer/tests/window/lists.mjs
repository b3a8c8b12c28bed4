// Names that are many and long, in a real window: the list of clips scrolls and can be searched.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Display, Window } from "./display.mjs";

const CLIPS = 76;
const bar = join(dirname(fileURLToPath(import.meta.url)), "../../../bindings/js/tests/bar.gltf");
let display, window, folder, edge;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), "sinew-"));
    const model = JSON.parse(readFileSync(bar, "utf8"));
    const [clip] = model.animations;
    model.animations = Array.from({ length: CLIPS }, (_, i) => ({ ...clip, name: `Motion_${i}_of_the_bar_with_a_long_name` }));
    const file = join(folder, "many.gltf");
    writeFileSync(file, JSON.stringify(model));
    display = await Display.open();
    window = await Window.open(display, file, "--pause", "--samples", "0");
    // Before anything scrolls.
    const [left, , width] = window.state.controls["search:clip"];
    edge = left + width + 12;
});
after(() => {
    window.kill();
    display.close();
    rmSync(folder, { recursive: true });
});

const shown = (prefix) => Object.keys(window.state.controls).filter((name) => name.startsWith(prefix));

test("a search finds a clip, and a click plays it", async () => {
    await window.click("search:clip", (state) => "search:clip" in state.controls);
    display.xdotool("type", "--delay", "40", "LONG 75");
    const name = "clip:Motion_75_of_the_bar_with_a_long_name";
    await window.until(() => shown("clip:").length === 1 && name in window.state.controls, "one clip");
    await window.click(name, (state) => state.clip === name.slice(5));
    assert.equal(window.state.error, null);
});

test("the list shows some of the clips, and the wheel scrolls to others", async () => {
    const first = shown("second:");
    assert.ok(first.length > 1 && first.length < 20, `${first.length} clips`);
    await window.moveTo(first[1]);
    for (let i = 0; i < 20; i++) display.xdotool("click", "5");
    await window.until((state) => !(first[0] in state.controls) && shown("second:").length > 1, "other clips");
});

test("no name reaches beyond the panel", () => {
    for (const name of [...shown("clip:"), ...shown("second:")]) {
        const [x, , own] = window.state.controls[name];
        assert.ok(x >= 0 && x + own <= edge, `${name}: ${x} + ${own}`);
    }
});
