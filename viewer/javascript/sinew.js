// sinew in JavaScript: a thin layer over the functions of sinew.h.
//
//     const sinew = await Sinew.load("sinew.wasm");
//     const figure = sinew.open("@figure");
//     figure.step(1 / 60);
//     draw(figure.vertices, figure.indices);
//
// Arrays are views into the module's memory: nothing is copied. Views become invalid when the
// memory grows, so get an array again each time it is used.

export const FLOATS_PER_VERTEX = 8;

export class Sinew {
    /** Loads the module from a URL or from its bytes. */
    static async load(source) {
        if (typeof source !== "string") return new Sinew((await WebAssembly.instantiate(source, {})).instance);
        const response = await fetch(source);
        if (!response.ok) throw new Error(`${source}: ${response.status} ${response.statusText}`);
        return new Sinew((await WebAssembly.instantiateStreaming(response, {})).instance);
    }

    constructor(instance) {
        this.module = instance.exports;
    }

    /** Opens a file's bytes, or a name such as "@figure:20000". Throws an error if that fails. */
    open(file, { reproducible = false } = {}) {
        const bytes = typeof file === "string" ? new TextEncoder().encode(file) : new Uint8Array(file);
        const inbox = this.module.sinew_inbox(bytes.length) >>> 0;
        if (inbox === 0) throw new Error(this.text());
        new Uint8Array(this.module.memory.buffer).set(bytes, inbox);
        const number = this.module.sinew_open(reproducible ? 1 : 0);
        if (number === 0) throw new Error(this.text());
        return new Figure(this, number);
    }

    /** The last message or text of the module. */
    text() {
        const [start, length] = [this.module.sinew_text() >>> 0, this.module.sinew_text_len()];
        return new TextDecoder().decode(new Uint8Array(this.module.memory.buffer, start, length));
    }

    /** Throws the module's message if the result is a failure. */
    check(result) {
        if (result < 0) throw new Error(this.text());
        return result;
    }
}

export class Figure {
    constructor(sinew, number) {
        const { module } = sinew;
        Object.assign(this, { sinew, module, number });
        this.vertexCount = sinew.check(module.sinew_vertices_len(number));
        this.indexCount = sinew.check(module.sinew_indices_len(number));
        this.jointCount = sinew.check(module.sinew_joints_len(number));
        this.up = sinew.check(module.sinew_up(number));
        this.clips = Array.from({ length: sinew.check(module.sinew_clips_len(number)) }, (_, clip) => {
            sinew.check(module.sinew_clip_name(number, clip));
            return { name: sinew.text(), seconds: sinew.check(module.sinew_clip_seconds(number, clip)) };
        });
    }

    /** Eight floats per vertex: position, normal, texture coordinates. */
    get vertices() {
        return this.view(Float32Array, this.module.sinew_vertices(this.number), FLOATS_PER_VERTEX * this.vertexCount);
    }

    /** Four floats per vertex: linear red, green, blue and alpha. */
    get colors() {
        return this.view(Float32Array, this.module.sinew_colors(this.number), 4 * this.vertexCount);
    }

    /** Three vertex indices per triangle. */
    get indices() {
        return this.view(Uint32Array, this.module.sinew_indices(this.number), this.indexCount);
    }

    /** Bounds at rest: minimum x, y and z, then maximum. */
    get bounds() {
        return this.view(Float32Array, this.module.sinew_bounds(this.number), 6);
    }

    /** Plays a clip from its start, repeating, while the previous clip fades out. */
    play(clip, fadeSeconds = 0.3) {
        this.sinew.check(this.module.sinew_play(this.number, clip, fadeSeconds));
    }

    /** Advances the animation and skins all vertices. */
    step(seconds) {
        this.sinew.check(this.module.sinew_step(this.number, seconds));
    }

    close() {
        this.sinew.check(this.module.sinew_close(this.number));
    }

    view(ArrayType, start, length) {
        if (start === 0) throw new Error(this.sinew.text());
        return new ArrayType(this.module.memory.buffer, start >>> 0, length);
    }
}
