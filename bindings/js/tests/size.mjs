// Prints the gzipped bytes of what a page with the three.js adapter loads besides three.js, bundled
// by Vite, and fails if they are more than a limit: node size.mjs limit

import { gzipSync } from "node:zlib";

import { build } from "vite";

const limit = Number(process.argv[2]);
const entry = "virtual:entry";
const { output } = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, rollupOptions: { input: entry, external: ["three"], preserveEntrySignatures: "strict" } },
    plugins: [
        {
            name: "entry",
            resolveId: (id) => (id === entry ? id : null),
            load: (id) => (id === entry ? 'export * from "sinew3d/three";' : null),
        },
    ],
});
// The form without simd128 is loaded instead of the other one.
const loaded = output.filter(({ fileName, code }) => code !== undefined && !fileName.includes("scalar"));
const bytes = loaded.map(({ fileName, code }) => [fileName, gzipSync(code, { level: 9 }).length]);
const total = bytes.reduce((sum, [, size]) => sum + size, 0);
for (const [fileName, size] of bytes) console.log(`${String(size).padStart(8)}  ${fileName}`);
console.log(`${String(total).padStart(8)}  gzipped for the three.js adapter, of at most ${limit}`);
if (!(total <= limit)) process.exitCode = 1;
