// Runs a test program that was built for wasm32-unknown-unknown: node wasm-runner.mjs program.wasm
//
// The test harness is the program's `main`. It can print nothing there; a failing test traps, and the trap's stack
// names it. With SINEW_WASM_CONTROL=file the program runs once more with wrong multiplications, and is added to the
// file when it notices. Installs nothing; needs Node 16 or later.

import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const NOTICED = 101;
const CODE_SECTION = 10;
const [path, ...more] = process.argv.slice(2);
const control = process.env.SINEW_WASM_CONTROL;

if (more.includes("--wrong")) {
    process.exit(run(withWrongMultiplication(readFileSync(path)), () => {}) === 0 ? 0 : NOTICED);
}
const code = run(readFileSync(path), console.error);
if (code === 0 && control) {
    // A process of its own, since a wrong program may never end.
    const script = fileURLToPath(import.meta.url);
    const { status } = spawnSync(process.execPath, [script, path, "--wrong"], { timeout: 60_000 });
    if (status === NOTICED) appendFileSync(control, `${basename(path)}\n`);
}
console.log(code === 0 ? "passed" : "FAILED");
process.exit(code);

/** What `main` returns, or 1 for a trap. */
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

/** The functions of our own crates on the trap's stack, the innermost first. */
function stackOf(trap) {
    const symbols = [...trap.stack.matchAll(/\.wasm\.(\S+) \(wasm:/g)].map(([, symbol]) => pathOf(symbol));
    return symbols.filter((name) => name.includes("::") && !/^(core|std|test|alloc|__rustc)::/.test(name));
}

/** The identifiers of a mangled symbol, each of which is preceded by its length. */
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

/** The module with f32x4.add in place of each f32x4.mul. */
function withWrongMultiplication(bytes) {
    let at = 8;
    while (at < bytes.length) {
        const section = bytes[at];
        const [size, start] = leb128(bytes, at + 1);
        if (section === CODE_SECTION) {
            const MUL = Buffer.from([0xfd, 0xe6, 0x01]);
            const code = bytes.subarray(start, start + size);
            for (let i = code.indexOf(MUL); i >= 0; i = code.indexOf(MUL, i + 1)) code[i + 1] = 0xe4;
        }
        at = start + size;
    }
    return bytes;
}

/** An unsigned number, and where it ends. */
function leb128(bytes, at) {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++];
        value += (byte & 0x7f) * 2 ** shift;
        if (byte < 0x80) return [value, at];
    }
}
