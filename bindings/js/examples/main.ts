// Twenty walking characters. The one under the pointer is picked by its exact skin, each frame.

import { accelerateScene, init, restore } from "sinew3d/three";
import * as THREE from "three";

import { makeFigure, walk } from "./figure";

/** What the tests read. */
declare global {
    interface Window {
        sinewPage: {
            frames: number;
            joint: string;
            figure: number;
            paused: boolean;
            screenOf(figure: number, bone: string): { x: number; y: number };
        };
    }
}

async function start() {
    await init();
    const renderer = new THREE.WebGLRenderer({ antialias: true });
    document.body.append(renderer.domElement);
    const scene = new THREE.Scene();
    scene.background = new THREE.Color("#15181d");
    const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 100);
    camera.position.set(0, 4.5, 11);
    camera.lookAt(0, 0.6, 0);
    scene.add(new THREE.HemisphereLight("#ffffff", "#334455", 2.5));
    const marker = new THREE.Mesh(new THREE.SphereGeometry(0.07), new THREE.MeshBasicMaterial({ color: "#ffd24a", depthTest: false }));
    // After the figures, so that it is seen through them.
    marker.renderOrder = 1;
    marker.visible = false;
    scene.add(marker);

    const figures = Array.from({ length: 20 }, (_, i) => {
        const figure = makeFigure(new THREE.Color().setHSL(i / 20, 0.5, 0.55));
        figure.position.set(1.6 * ((i % 5) - 2), 0, 1.8 * (Math.floor(i / 5) - 2));
        figure.rotation.y = i;
        scene.add(figure);
        return figure;
    });
    accelerateScene(scene);

    const text = (id: string, value: string) => (document.getElementById(id)!.textContent = value);
    const checkbox = document.getElementById("sinew") as HTMLInputElement;
    checkbox.addEventListener("change", () => {
        if (checkbox.checked) accelerateScene(scene);
        else figures.forEach(restore);
    });
    const pointer = new THREE.Vector2(2, 2);
    addEventListener("pointermove", ({ clientX, clientY }) => {
        pointer.set((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight);
    });
    function resize() {
        renderer.setSize(innerWidth, innerHeight);
        camera.aspect = innerWidth / innerHeight;
        // A narrow window sees as many figures, with a wider angle.
        camera.fov = camera.aspect < 1.2 ? (2 * Math.atan(0.437 / camera.aspect) * 180) / Math.PI : 40;
        camera.updateProjectionMatrix();
    }
    addEventListener("resize", resize);
    resize();

    const raycaster = new THREE.Raycaster();
    raycaster.firstHitOnly = true;
    function pick() {
        raycaster.setFromCamera(pointer, camera);
        const start = performance.now();
        const hit = raycaster.intersectObjects<THREE.SkinnedMesh>(figures, false)[0];
        const milliseconds = performance.now() - start;
        text(checkbox.checked ? "with" : "without", `${milliseconds.toFixed(2)} ms`);
        marker.visible = hit?.joint != null;
        hit?.joint?.getWorldPosition(marker.position);
        window.sinewPage.joint = hit?.joint?.name ?? "";
        window.sinewPage.figure = hit ? figures.indexOf(hit.object) : -1;
        text("joint", hit?.joint?.name ?? "-");
        for (const figure of figures) {
            const material = figure.material as THREE.MeshStandardMaterial;
            material.emissive.set(figure === hit?.object ? "#222222" : "#000000");
        }
    }

    window.sinewPage = {
        frames: 0,
        joint: "",
        figure: -1,
        paused: false,
        screenOf(figure, bone) {
            const at = figures[figure]!.skeleton.getBoneByName(bone)!.getWorldPosition(new THREE.Vector3()).project(camera);
            return { x: ((at.x + 1) / 2) * innerWidth, y: ((1 - at.y) / 2) * innerHeight };
        },
    };
    let seconds = 0;
    renderer.setAnimationLoop(() => {
        if (!window.sinewPage.paused) seconds += 1 / 60;
        const start = performance.now();
        figures.forEach((figure, i) => walk(figure, seconds + 0.37 * i));
        scene.updateMatrixWorld();
        pick();
        renderer.render(scene, camera);
        text(checkbox.checked ? "frame-with" : "frame-without", `${(performance.now() - start).toFixed(2)} ms`);
        window.sinewPage.frames++;
    });
}

void start();
