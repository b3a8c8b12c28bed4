// An instantiated module: its memory, its errors and the objects that live in it.

import { errorOf } from "./errors.js";

/** The kinds of objects, as in the Rust crate `sinew-handles`. */
export const KIND = { model: 1, instance: 3, skinnedMesh: 7 };

/** Bytes for arguments and results of one call. */
const SCRATCH = 8192;

export class Module {
    #listeners = new Set();
    #objects = new FinalizationRegistry(({ handle, kind, blocks }) => this.#release(handle, kind, blocks));
    #buffer;

    constructor(instance) {
        this.exports = instance.exports;
        this.memory = instance.exports.memory;
        this.#views();
        /** The address of memory for the arguments and results of one call. */
        this.scratch = this.allocate(SCRATCH);
    }

    #views() {
        this.#buffer = this.memory.buffer;
        this.u8 = new Uint8Array(this.#buffer);
        this.u32 = new Uint32Array(this.#buffer);
        this.f32 = new Float32Array(this.#buffer);
        this.f64 = new Float64Array(this.#buffer);
    }

    /**
     * Renews the views if memory has grown, and tells the listeners. Call it after every export.
     */
    refresh() {
        if (this.memory.buffer === this.#buffer) return;
        this.#views();
        for (const listener of [...this.#listeners]) listener();
    }

    /** Calls a function each time that memory has grown. Returns a function that ends this. */
    onMemoryGrowth(listener) {
        if (typeof listener !== "function") throw new TypeError("listener: expected a function");
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
    }

    /** Throws the error of a number that an export returned. */
    check(code) {
        this.refresh();
        if (code !== 0) throw this.#error(code);
    }

    #error(code) {
        this.exports.sinew_error_text();
        const text = this.outputText();
        return errorOf(code, text);
    }

    /** A copy of the last text or file. */
    outputBytes() {
        this.refresh();
        const start = this.exports.sinew_output();
        const bytes = this.u8.slice(start, start + this.exports.sinew_output_len());
        this.exports.sinew_clear_output();
        return bytes;
    }

    outputText() {
        return new TextDecoder().decode(this.outputBytes());
    }

    /** Allocates zeroed memory. */
    allocate(bytes) {
        const address = bytes < 0x7fff0000 ? this.exports.sinew_alloc(bytes) >>> 0 : 0;
        this.refresh();
        if (address === 0) throw new RangeError(`memory: expected at most what WebAssembly has left, found ${bytes} bytes`);
        return address;
    }

    free(address, bytes) {
        this.exports.sinew_free(address, bytes);
    }

    /**
     * Calls a function with an object that copies arrays into memory, and frees them afterwards.
     */
    withArrays(act) {
        const blocks = [];
        const reserve = (bytes) => {
            const address = this.allocate(bytes);
            blocks.push([address, bytes]);
            return address;
        };
        const copy = (array, view) => {
            const address = reserve(4 * array.length);
            this[view].set(array, address / 4);
            return address;
        };
        const arrays = {
            reserve,
            floats: (array) => (array ? copy(array, "f32") : 0),
            indices: (array) => (array ? copy(array, "u32") : 0),
            bytes: (array) => {
                const address = reserve(array.length);
                this.u8.set(array, address);
                return address;
            },
        };
        try {
            return act(arrays);
        } finally {
            for (const [address, bytes] of blocks) this.free(address, bytes);
        }
    }

    /**
     * Calls an export that creates an object, with the address of its handle as the last argument.
     */
    create(create) {
        this.check(create(this.scratch));
        return this.f64[this.scratch / 8];
    }

    /** Destroys an object and its memory when `owner` is no longer reachable. */
    own(owner, held) {
        this.#objects.register(owner, held, held);
    }

    /** Destroys an object and its memory now. */
    dispose(held) {
        this.#objects.unregister(held);
        this.#release(held.handle, held.kind, held.blocks);
        held.blocks.length = 0;
        held.handle = 0;
    }

    #release(handle, kind, blocks) {
        if (handle !== 0) this.exports.sinew_destroy(handle, kind);
        for (const [address, bytes] of blocks) this.free(address, bytes);
    }
}
