// Checks of what a caller passes, before it enters the module.

const INTEGERS = [Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array, Int8Array, Int16Array, Int32Array];

function nameOf(value) {
    if (value === null) return "null";
    if (typeof value === "object") return value.constructor?.name ?? "an object";
    return typeof value;
}

/** An array or a typed array of numbers. */
export function checkNumbers(what, value) {
    const isTyped = ArrayBuffer.isView(value) && !(value instanceof DataView) && typeof value[0] !== "bigint";
    if (!isTyped && !Array.isArray(value)) {
        throw new TypeError(`${what}: expected an array of numbers, found ${nameOf(value)}`);
    }
    if (isTyped && value.buffer.byteLength === 0 && value.byteLength === 0 && value.buffer.detached) {
        throw new TypeError(`${what}: expected an array of numbers, found one whose memory was detached`);
    }
    return value;
}

/** As `checkNumbers`, of a length. */
export function checkLength(what, value, length) {
    if (checkNumbers(what, value).length !== length) {
        throw new RangeError(`${what}: expected ${length} numbers, found ${value.length}`);
    }
    return value;
}

/** As `checkNumbers`, with only whole numbers from 0 on. */
export function checkIndices(what, value) {
    checkNumbers(what, value);
    if (INTEGERS.some((type) => value instanceof type && type.name.startsWith("Uint"))) return value;
    for (let i = 0; i < value.length; i++) {
        if (!(Number.isInteger(value[i]) && value[i] >= 0 && value[i] <= 0xffffffff)) {
            throw new RangeError(`${what}[${i}]: expected an index, found ${String(value[i])}`);
        }
    }
    return value;
}

/** A number; NaN and infinity are left to the library. */
export function checkNumber(what, value) {
    if (typeof value !== "number") throw new TypeError(`${what}: expected a number, found ${nameOf(value)}`);
    return value;
}

/** A whole number from 0 on. */
export function checkIndex(what, value) {
    if (!(Number.isInteger(checkNumber(what, value)) && value >= 0 && value < 0xffffffff)) {
        throw new RangeError(`${what}: expected an index, found ${value}`);
    }
    return value;
}

/** Three numbers: an array, or an object with x, y and z. */
export function checkVector(what, value) {
    if (value !== null && typeof value === "object") {
        const vector = "x" in value ? [value.x, value.y, value.z] : value;
        if (vector.length >= 3 && [0, 1, 2].every((i) => typeof vector[i] === "number")) return vector;
    }
    throw new TypeError(`${what}: expected three numbers, found ${nameOf(value)}`);
}

/** One of some names; returns its index. */
export function checkChoice(what, value, choices) {
    const index = choices.indexOf(value);
    if (index < 0) throw new RangeError(`${what}: expected ${choices.join(", ")}, found ${String(value)}`);
    return index;
}

/** An object with options. */
export function checkObject(what, value) {
    if (value === null || typeof value !== "object") {
        throw new TypeError(`${what}: expected an object, found ${nameOf(value)}`);
    }
    return value;
}
