// Files that the user chose or dropped, as the bytes of one model.

/**
 * The bytes of a model and its clips: one file, a glTF document with its buffers and pictures, or an MD5
 * mesh with its clips. A document names its files; their contents replace the names.
 */
export async function readFiles(list) {
    const files = [...list];
    const ends = (file, ending) => file.name.toLowerCase().endsWith(ending);
    const document = files.find((file) => ends(file, ".gltf"));
    if (document) return { bytes: await embed(document, files), clips: {} };
    const clips = {};
    for (const file of files.filter((file) => ends(file, ".md5anim"))) {
        clips[file.name.slice(0, -".md5anim".length)] = await file.arrayBuffer();
    }
    const parts = [".md5anim", ".bin", ".png", ".jpg", ".jpeg", ".webp", ".tga"];
    const model = files.find((file) => !parts.some((ending) => ends(file, ending))) ?? files[0];
    return { bytes: await model.arrayBuffer(), clips };
}

async function embed(document, files) {
    const bytes = await document.arrayBuffer();
    let json;
    try {
        json = JSON.parse(new TextDecoder().decode(bytes));
    } catch {
        return bytes; // The importer says what is wrong with it.
    }
    const last = (path) => decode(path).split(/[/\\]/).pop();
    const entries = (list) => (Array.isArray(list) ? list : []);
    for (const entry of [...entries(json?.buffers), ...entries(json?.images)]) {
        if (typeof entry?.uri !== "string" || entry.uri.startsWith("data:")) continue;
        const file = files.find(({ name }) => name === last(entry.uri));
        if (file) entry.uri = await dataUri(file);
    }
    return new TextEncoder().encode(JSON.stringify(json));
}

/** A URI without its percent signs; as it is if they are wrong, which the importer then says. */
function decode(uri) {
    try {
        return decodeURIComponent(uri);
    } catch {
        return uri;
    }
}

function dataUri(file) {
    return new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => {
            const base64 = reader.result.slice(reader.result.indexOf(",") + 1);
            resolve(`data:${file.type || "application/octet-stream"};base64,${base64}`);
        };
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(file);
    });
}
