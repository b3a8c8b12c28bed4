// Three pages; sinew3d needs no configuration.
export default { build: { rollupOptions: { input: ["index.html", "bench.html", "worker.html"] } } };
