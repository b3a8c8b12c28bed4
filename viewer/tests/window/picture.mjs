// The README's picture of the viewer: its scene is what the window shows today.
//
//     node viewer/tests/window/picture.mjs                  compares
//     SINEW_UPDATE=1 node viewer/tests/window/picture.mjs   takes it again; the machine should be idle,
//                                                           since the picture also shows times

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Display, Window } from "./display.mjs";

const picture = join(dirname(fileURLToPath(import.meta.url)), "../../../docs/pictures/viewer.png");
const OPTIONS = ["@figure", "--pause", "--at", "0", "--samples", "4", "--show", "surface,shadow", "--size", "1280x800"];
/** How far a color may be from the picture's, of 255. */
const TOLERANCE = 2;

function magick(...options) {
    const { status, stdout, stderr } = spawnSync("convert", options, { encoding: "utf8" });
    if (status !== 0) throw new Error(`convert ${options.join(" ")}: ${stderr}`);
    return stdout.trim();
}

test("the README's picture shows the scene as it is drawn", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sinew-viewer-"));
    const display = await Display.open();
    const window = await Window.open(display, ...OPTIONS);
    try {
        // Times are means over the last frames.
        await window.frames(process.env.SINEW_UPDATE ? 60 : 3);
        const taken = process.env.SINEW_UPDATE ? picture : join(folder, "viewer.png");
        const shot = spawnSync("import", ["-silent", "-window", window.id, "-strip", "-depth", "8", `PNG24:${taken}`], { env: display.environment });
        assert.equal(shot.status, 0, String(shot.stderr));
        assert.equal(magick(picture, "-format", "%wx%h", "info:"), "1280x800");
        const [x, y, width, height] = window.state.controls.view.map((side) => Math.round(side * window.state.scale));
        // A pixel away from the panels: their edges are theirs.
        const crop = `${width - 2}x${height - 2}+${x + 1}+${y + 1}`;
        const difference = magick(picture, taken, "-compose", "difference", "-composite", "-crop", crop, "-format", "%[fx:255*maxima]", "info:");
        assert.ok(Number(difference) <= TOLERANCE, `a color differs by ${difference}`);
    } finally {
        window.kill();
        display.close();
        rmSync(folder, { recursive: true });
    }
});
