// Errors of the library as JavaScript's.

/** The numbers of errors, as in the Rust crate `sinew-handles`. */
const [WRONG_KIND, STALE_HANDLE, LENGTH, OUT_OF_RANGE, NAME, INVALID_VALUE] = [5, 6, 10, 11, 12, 13];
const [INVALID_FILE, LIMIT] = [15, 18];

/** The bytes of a file are not a valid model. */
export class FileError extends Error {
    constructor(message) {
        super(message);
        this.name = "FileError";
    }
}

/** The error of a number and a text of the library. */
export function errorOf(code, text) {
    switch (code) {
        case LENGTH:
        case OUT_OF_RANGE:
        case NAME:
        case INVALID_VALUE:
        case LIMIT:
            return new RangeError(text);
        case INVALID_FILE:
            return new FileError(text);
        case WRONG_KIND:
        case STALE_HANDLE:
            return new TypeError(text);
        default:
            return new Error(text);
    }
}
