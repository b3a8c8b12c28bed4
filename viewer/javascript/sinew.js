// sinew in JavaScript: a thin layer over the functions of sinew.h.
//
//     const sinew = await Sinew.load("sinew.wasm");
//     const figure = sinew.open("@figure");
//     figure.step(1 / 60);
//     draw(figure.vertices, figure.indices);
//
// Arrays are views into the module's memory: nothing is copied. Memory that grows makes new views, so ask for an array each
// time it is used.

export const FLOATS = 8;

export class Sinew {
    /** From an address, or from the module's bytes. */
    static async load(source) {
        if (typeof source !== "string") return new Sinew((await WebAssembly.instantiate(source, {})).instance);
        const answer = await fetch(source);
        if (!answer.ok) throw new Error(`${source}: ${answer.status} ${answer.statusText}`);
        return new Sinew((await WebAssembly.instantiateStreaming(answer, {})).instance);
    }

    constructor(instance) {
        this.module = instance.exports;
    }

    /** A figure of a file's bytes, or of a name such as "@figure:20000". Throws what is wrong with it. */
    open(file, { reproducible = false } = {}) {
        const bytes = typeof file === "string" ? new TextEncoder().encode(file) : new Uint8Array(file);
        const inbox = this.module.sinew_inbox(bytes.length) >>> 0;
        if (inbox === 0) throw new Error(this.text());
        new Uint8Array(this.module.memory.buffer).set(bytes, inbox);
        const number = this.module.sinew_open(reproducible ? 1 : 0);
        if (number === 0) throw new Error(this.text());
        return new Figure(this, number);
    }

    /** What the module said last. */
    text() {
        const [start, length] = [this.module.sinew_text() >>> 0, this.module.sinew_text_len()];
        return new TextDecoder().decode(new Uint8Array(this.module.memory.buffer, start, length));
    }

    /** An answer that is not a failure. */
    checked(answer) {
        if (answer < 0) throw new Error(this.text());
        return answer;
    }
}

export class Figure {
    constructor(sinew, number) {
        const { module } = sinew;
        Object.assign(this, { sinew, module, number });
        this.vertexCount = sinew.checked(module.sinew_vertices_len(number));
        this.indexCount = sinew.checked(module.sinew_indices_len(number));
        this.jointCount = sinew.checked(module.sinew_joints_len(number));
        this.up = sinew.checked(module.sinew_up(number));
        this.clips = Array.from({ length: sinew.checked(module.sinew_clips_len(number)) }, (_, clip) => {
            sinew.checked(module.sinew_clip_name(number, clip));
            return { name: sinew.text(), seconds: sinew.checked(module.sinew_clip_seconds(number, clip)) };
        });
    }

    /** Eight floats for each vertex: position, normal, texture coordinates. */
    get vertices() {
        return this.view(Float32Array, this.module.sinew_vertices(this.number), FLOATS * this.vertexCount);
    }

    /** Four floats for each vertex: red, green, blue and alpha, linear. */
    get colours() {
        return this.view(Float32Array, this.module.sinew_colours(this.number), 4 * this.vertexCount);
    }

    /** Three vertices for each triangle. */
    get indices() {
        return this.view(Uint32Array, this.module.sinew_indices(this.number), this.indexCount);
    }

    /** The lowest corner at rest, then the highest. */
    get bounds() {
        return this.view(Float32Array, this.module.sinew_bounds(this.number), 6);
    }

    /** Plays a clip over and over, while what was played fades out. */
    play(clip, fadeSeconds = 0.3) {
        this.sinew.checked(this.module.sinew_play(this.number, clip, fadeSeconds));
    }

    /** Goes on by so many seconds, and skins. */
    step(seconds) {
        this.sinew.checked(this.module.sinew_step(this.number, seconds));
    }

    close() {
        this.sinew.checked(this.module.sinew_close(this.number));
    }

    view(Kind, start, length) {
        if (start === 0) throw new Error(this.sinew.text());
        return new Kind(this.module.memory.buffer, start >>> 0, length);
    }
}
