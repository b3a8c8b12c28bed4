// Invalid files, in a real window: the message is shown, a click dismisses it, and the viewer keeps
// working.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Display, Window } from "./display.mjs";

let display, folder;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), "sinew-"));
    display = await Display.open();
});
after(() => {
    display.close();
    rmSync(folder, { recursive: true });
});

for (const [what, bytes, message] of [
    ["no model at all", "no model", /expected a file of the format glTF, MD5 or BVH, found "no model"/],
    ["a document that ends early", '{"asset": {"version": "2.0"', /expected a comma or the end of an object, found the end of the text/],
]) {
    test(`${what} shows an error that a click dismisses`, async () => {
        const file = join(folder, "bad.glb");
        writeFileSync(file, bytes);
        const window = await Window.open(display, file, "--copies", "1", "--pause", "--samples", "0");
        assert.match(window.state.error, message);
        assert.ok(window.state.error.includes(file));
        assert.equal(window.stderr, `sinew-viewer: ${window.state.error}\n`, "scripts read it there");
        await window.click("error:dismiss", (state) => state.error === null);
        await window.click("method:plain", (state) => state.method === "plain");
        assert.equal(await window.close(), 0, window.stderr);
    });
}
