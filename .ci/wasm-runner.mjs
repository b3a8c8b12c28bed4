// Runs a test program built for wasm32-unknown-unknown: node wasm-runner.mjs program.wasm
//
// The test harness is the program's `main`. It cannot print; a failing test traps, and the trap's
// stack names the test. With SINEW_WASM_CONTROL=file, the program runs once more with wrong
// multiplications in the simd128 backend, and its name is added to the file if a test fails.
// Installs nothing; needs Node 16 or later.

import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const DETECTED = 101;
const VARIANT = "simd128_backend";
const [CUSTOM_SECTION, CODE_SECTION] = [0, 10];
const FUNCTION_NAMES = 1;
const [MUL, ADD] = [Buffer.from([0xfd, 0xe6, 0x01]), Buffer.from([0xfd, 0xe4, 0x01])];
const [path, ...more] = process.argv.slice(2);
const control = process.env.SINEW_WASM_CONTROL;

if (more.includes("--wrong")) {
    process.exit(run(withWrongMultiplication(readFileSync(path)), () => {}) === 0 ? 0 : DETECTED);
}
const code = run(readFileSync(path), console.error);
if (code === 0 && control) {
    // A separate process, since the wrong program may never end.
    const script = fileURLToPath(import.meta.url);
    const { status } = spawnSync(process.execPath, [script, path, "--wrong"], { timeout: 20_000 });
    if (status === DETECTED) appendFileSync(control, `${basename(path)}\n`);
}
console.log(code === 0 ? "passed" : "FAILED");
process.exit(code);

/** Runs `main` and returns its result, or 1 for a trap. */
function run(bytes, print) {
    Error.stackTraceLimit = 100;
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
    try {
        return exports.main(0, 0);
    } catch (trap) {
        print(`${trap.message}, in:`);
        for (const name of stackOf(trap)) print(`    ${name}`);
        return 1;
    }
}

/** The functions of sinew's crates on the trap's stack, innermost first. */
function stackOf(trap) {
    const symbols = [...trap.stack.matchAll(/\.wasm\.(\S+) \(wasm:/g)].map(([, symbol]) => pathOf(symbol));
    return symbols.filter((name) => name.includes("::") && !/^(core|alloc|__rustc)::|\b(std|test)::/.test(name));
}

/** The identifiers in a mangled symbol. Each is preceded by its length. */
function pathOf(symbol) {
    const names = [];
    const rest = symbol.replace(/Cs[0-9A-Za-z]*_(?=\d)/g, "C");
    const number = /[1-9]\d*/g;
    for (let length; (length = number.exec(rest)); ) {
        const start = number.lastIndex + (rest[number.lastIndex] === "_" ? 1 : 0);
        names.push(rest.slice(start, start + Number(length[0])));
        number.lastIndex = start + Number(length[0]);
    }
    return symbol.startsWith("_R") ? names.join("::") : symbol;
}

/**
 * Replaces each f32x4.mul by f32x4.add in the kernels of the simd128 backend. A test program has no
 * imports, so function indices start with its own functions.
 */
function withWrongMultiplication(bytes) {
    const code = sections(bytes, 8).find(({ id }) => id === CODE_SECTION).body;
    const wrong = variants(bytes);
    let [count, at] = leb128(code, 0);
    for (let index = 0; index < count; index++) {
        const [size, start] = leb128(code, at);
        const body = code.subarray(start, start + size);
        at = start + size;
        if (!wrong.has(index)) continue;
        for (let i = body.indexOf(MUL); i >= 0; i = body.indexOf(MUL, i)) ADD.copy(body, i);
    }
    return bytes;
}

/** The indices of the functions that are variants of the backend. */
function variants(bytes) {
    const found = new Set();
    for (const { id, body } of sections(bytes, 8)) {
        if (id !== CUSTOM_SECTION || body.toString("latin1", 0, 5) !== "\x04name") continue;
        const names = sections(body, 5).find(({ id }) => id === FUNCTION_NAMES).body;
        let [count, at] = leb128(names, 0);
        while (count-- > 0) {
            const [index, afterIndex] = leb128(names, at);
            const [length, start] = leb128(names, afterIndex);
            at = start + length;
            if (names.toString("latin1", start, at).includes(VARIANT)) found.add(index);
        }
    }
    return found;
}

/** Parts that start with an id and a size: sections of a module, or subsections of its names. */
function sections(bytes, at) {
    const found = [];
    while (at < bytes.length) {
        const [size, start] = leb128(bytes, at + 1);
        found.push({ id: bytes[at], body: bytes.subarray(start, start + size) });
        at = start + size;
    }
    return found;
}

/** Decodes an unsigned LEB128 number. Returns it and the offset after it. */
function leb128(bytes, at) {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++];
        value += (byte & 0x7f) * 2 ** shift;
        if (byte < 0x80) return [value, at];
    }
}
