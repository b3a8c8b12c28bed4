// Casts a ray in a worker.

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
worker.addEventListener("message", ({ data }) => {
    document.getElementById("hit")!.textContent = JSON.stringify(data);
});
