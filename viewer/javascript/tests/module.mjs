// The module in Node: vertices match a native build bit for bit, and wrong calls return errors.
//
//     node tests/module.mjs module.wasm
//
// `calls.rs` makes the same calls natively and compares with the same list. Installs nothing.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { Sinew } from "../sinew.js";

const here = dirname(fileURLToPath(import.meta.url));
const bytes = readFileSync(process.argv[2]);
const sinew = await Sinew.load(bytes);
console.log(`module: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped`);

test("vertices match a native build bit for bit", (context) => {
    for (const line of readFileSync(join(here, "checksums.txt"), "utf8").trim().split("\n")) {
        const [expected, name] = line.split(" ");
        const file = readInput(name);
        if (file === undefined) {
            context.diagnostic(`skipped: ${name}`);
            continue;
        }
        const figure = sinew.open(file, { reproducible: true });
        stepThrough(figure);
        assert.equal(checksum(figure.vertices), expected, name);
        figure.close();
    }
});

test("fast and reproducible vertices differ only by rounding", () => {
    const figures = [false, true].map((reproducible) => sinew.open("@figure:2000", { reproducible }));
    figures.forEach(stepThrough);
    const [fast, reproducible] = figures.map((figure) => figure.vertices);
    assert.ok(fast.every((float, i) => Math.abs(float - reproducible[i]) < 1e-5));
    figures.forEach((figure) => figure.close());
});

test("arrays are valid after memory has grown", () => {
    const small = sinew.open("@twist", { reproducible: true });
    const before = checksum(small.vertices);
    const [pages, large] = [sinew.module.memory.buffer.byteLength, sinew.open("@figure:200000")];
    assert.ok(sinew.module.memory.buffer.byteLength > pages);
    assert.equal(checksum(small.vertices), before);
    large.close();
    small.close();
});

test("closing a figure frees its memory", () => {
    const round = () => sinew.open("@figure:5000").close();
    round();
    const size = sinew.module.memory.buffer.byteLength;
    for (let i = 0; i < 10; i++) round();
    assert.equal(sinew.module.memory.buffer.byteLength, size);
});

test("wrong calls return errors", () => {
    const { module } = sinew;
    const closed = sinew.open("@twist");
    closed.close();
    assert.throws(() => closed.step(0), /no figure has the number/);
    assert.throws(() => closed.vertices, /no figure has the number/);
    const figure = sinew.open("@twist");
    assert.throws(() => figure.play(7), /expected an index below 1, found 7/);
    for (const wrong of [0, -1, 2 ** 32 - 1, NaN]) {
        for (const name of Object.keys(module).filter((name) => /^sinew_(?!text|inbox|open)/.test(name))) {
            assert.ok([-1, 0].includes(module[name](wrong, wrong, wrong)), name);
        }
    }
    // A length of 4 GiB, without any data.
    assert.equal(module.sinew_inbox(2 ** 32 - 1), 0);
    assert.match(sinew.text(), /expected at most 536870912 bytes, found 4294967295/);
    assert.equal(module.sinew_open(9), 0);
    figure.step(NaN);
    figure.close();
});

test("invalid files are rejected with the position of the error", () => {
    const bar = readFileSync(join(here, "bar.gltf"));
    assert.throws(() => sinew.open(new Uint8Array()), /expected a file of the format glTF or MD5 or BVH, found nothing/);
    assert.throws(() => sinew.open("@fig"), /unknown scene "@fig"/);
    for (let length = 1; length < bar.length; length += 97) assert.throws(() => sinew.open(bar.subarray(0, length)));
    const beyond = bar.toString().replace('"joints": [0, 1]', '"joints": [0, 9]');
    assert.throws(() => sinew.open(Buffer.from(beyond)), /skins\[0\]\.joints\[1\]/);
});

/** Three steps, and a fourth in the middle of a cross-fade if there is a second clip. */
function stepThrough(figure) {
    for (let i = 0; i < 3; i++) figure.step(0.25);
    if (figure.clips.length > 1) figure.play(1, 0.5);
    figure.step(0.25);
}

function readInput(name) {
    if (name.startsWith("@")) return name;
    if (!name.startsWith("SINEW_DATA/")) return readFileSync(join(here, name));
    const path = join(process.env.SINEW_DATA ?? "", name.slice("SINEW_DATA/".length));
    return process.env.SINEW_DATA && existsSync(path) ? readFileSync(path) : undefined;
}

/** 64-bit FNV-1a over the bytes of the floats, like `sinew_testkit::checksum`. */
function checksum(floats) {
    let sum = 0xcbf29ce484222325n;
    for (const byte of new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength)) {
        sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
    }
    return sum.toString(16).padStart(16, "0");
}
