// The arrays that skinning writes, in the memory of a module.

/** Numbers per vertex of each attribute. */
const ATTRIBUTES = [
    ["positions", 3],
    ["normals", 3],
    ["tangents", 4],
];

export class SkinOutput {
    #module;
    #blocks;
    #vertices;
    #addresses = {};
    #cached = {};

    /** `blocks` is the list of memory that the owner frees. */
    constructor(module, vertices, blocks) {
        this.#module = module;
        this.#vertices = vertices;
        this.#blocks = blocks;
    }

    /** The addresses of the attributes that are wanted, 0 for the others. */
    addresses(wanted) {
        return ATTRIBUTES.map(([name, size]) => {
            if (!wanted.includes(name)) return 0;
            if (this.#addresses[name] === undefined) {
                const bytes = 4 * size * this.#vertices;
                this.#addresses[name] = this.#module.allocate(bytes);
                this.#blocks.push([this.#addresses[name], bytes]);
            }
            return this.#addresses[name];
        });
    }

    /** A view of an attribute in the memory as it is now. */
    view(name) {
        const address = this.#addresses[name];
        if (address === undefined) return undefined;
        const { buffer } = this.#module.f32;
        if (this.#cached[name]?.buffer !== buffer) {
            const [, size] = ATTRIBUTES.find(([found]) => found === name);
            this.#cached[name] = new Float32Array(buffer, address, size * this.#vertices);
        }
        return this.#cached[name];
    }

    get positions() {
        return this.view("positions");
    }

    get normals() {
        return this.view("normals");
    }

    get tangents() {
        return this.view("tangents");
    }
}

/** The attributes to skin. */
export function wantedAttributes({ normals = false, tangents = false } = {}) {
    return ["positions", ...(normals || tangents ? ["normals"] : []), ...(tangents ? ["tangents"] : [])];
}
