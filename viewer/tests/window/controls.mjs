// Clicks every control of the viewer in a real window and checks its effect: node
// viewer/tests/window/controls.mjs
//
// The scene is small and paused, so the picture changes only when a control changes it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Display, Window } from "./display.mjs";

let display, window;

before(async () => {
    display = await Display.open();
    window = await Window.open(display, "@cylinders", "--copies", "1", "--pause", "--at", "0.7", "--samples", "0");
});
after(() => {
    window.kill();
    display.close();
});

const names = (prefix) => Object.keys(window.state.controls).filter((name) => name.startsWith(prefix));
const usable = (prefix) => names(prefix).filter((name) => window.state.controls[name][4]);
/** Whether a control is an entry of the open list of joints. */
const inList = (name) => name.startsWith("joint:") && !["joint:next", "joint:previous"].includes(name);
const afterColon = (name) => name.slice(name.indexOf(":") + 1);

test("methods", async () => {
    assert.ok(usable("method:").length >= 8);
    for (const name of usable("method:")) await window.click(name, (state) => state.method === afterColon(name));
});

test("a method that has run is in the table", async () => {
    const tried = window.state.figure_15.length;
    await window.frames(8);
    assert.ok(window.state.figure_15.length >= tried && window.state.figure_15.length > 0);
});

test("instruction sets", async () => {
    await window.click("method:sinew", (state) => state.method === "sinew");
    for (const name of usable("isa:")) await window.click(name, (state) => state.isa === afterColon(name));
});

test("weights", async () => {
    await window.clickAndSee("weights:varying", (state) => state.weights === "varying");
    await window.frames(8);
    assert.ok(window.state.figure_15.some(({ frames_per_second }) => frames_per_second[4] > 0), "a cell for varying weights");
    for (const weights of [1, 2, 3, 4]) {
        const act = weights === 1 ? window.clickAndSee : window.click;
        await act.call(window, `weights:${weights}`, (state) => state.weights === weights);
    }
});

test("threads, and how long each waits", async () => {
    for (const mode of ["data", "task", "off"]) {
        await window.click(`threads:${mode}`, (state) => state.threads === mode);
        const { profile } = window.state;
        assert.equal(profile.length > 1, mode !== "off");
        for (const { animate, skin, wait } of profile) {
            assert.ok(Math.min(animate, skin, wait) >= 0 && Math.max(animate, skin, wait) <= 1, JSON.stringify(profile));
        }
    }
});

test("panels fold away and come back", async () => {
    for (const panel of ["controls", "times"]) {
        const [, , width] = window.state.controls.view;
        await window.click(`panel:${panel}`, (state) => !state.open[panel] && state.controls.view[2] > width);
        await window.click(`panel:${panel}`, (state) => state.open[panel] && state.controls.view[2] === width);
    }
});

test("layers", async () => {
    for (const name of names("show:")) {
        const layer = afterColon(name);
        const [shown, pixels] = [window.state.show.includes(layer), window.pixels()];
        await window.click(name, (state) => state.show.includes(layer) !== shown);
        assert.notEqual(window.pixels(), pixels, name);
        await window.click(name, (state) => state.show.includes(layer) === shown);
        assert.equal(window.pixels(), pixels, name);
    }
});

test("the joint whose weights are shown", async () => {
    await window.clickAndSee("show:weights", (state) => state.show.includes("weights"));
    await window.clickAndSee("joint:next", (state) => state.joint !== null);
    await window.clickAndSee("joint:previous", (state) => state.joint === null);
    await window.click("joint", (state) => Object.keys(state.controls).some(inList));
    const name = Object.keys(window.state.controls).find(inList);
    await window.clickAndSee(name, (state) => state.joint === afterColon(name));
    await window.click("show:weights", (state) => !state.show.includes("weights"));
});

test("motions, octaves, time and speed", async () => {
    await window.clickAndSee("motion:noise", (state) => state.motion === "noise");
    const { octaves, speed, seconds } = window.state;
    await window.see("octaves", () => window.slide("octaves", (state) => state.octaves !== octaves, 0.05));
    await window.clickAndSee("motion:sine", (state) => state.motion === "sine");
    await window.slide("speed", (state) => state.speed !== speed, 0.2);
    await window.see("time", () => window.slide("time", (state) => state.seconds !== seconds, 0.3));
    const still = window.state.seconds;
    await window.click("play", (state) => state.playing && state.seconds !== still);
    await window.click("play", (state) => !state.playing);
});

test("copies", async () => {
    await window.see("copies", () => window.slide("copies", (state) => state.copies > 1, 0.15));
    await window.slide("copies", (state) => state.copies === 1, 0.01);
});

test("bright theme, and drawing off", async () => {
    await window.clickAndSee("bright", (state) => state.bright);
    await window.click("bright", (state) => !state.bright);
    await window.click("drawing-off", (state) => !state.drawing);
    await window.click("drawing-off", (state) => state.drawing);
});

test("scenes and clips", async () => {
    const { subject } = window.state;
    await window.clickAndSee("scene:twist", (state) => state.subject !== subject);
    await window.click("second:twist", (state) => state.second === "twist");
    await window.click("clip:twist", (state) => state.clip === "twist");
    await window.clickAndSee("scene:figure", (state) => state.subject.includes("figure"));
    const [first, second] = usable("clip:").map(afterColon);
    await window.click(`clip:${first}`, (state) => state.clip === first);
    await window.clickAndSee(`clip:${second}`, (state) => state.clip === second);
    await window.click(`second:${second}`, (state) => state.second === second);
    await window.click(`second:${first}`, (state) => state.second === first);
    await window.see("blend", () => window.slide("blend", (state) => state.blend > 0.1, 0.3));
    assert.equal(window.state.error, null);
});

test("a click on the mesh hits it, and a click beside it hits nothing", async () => {
    await window.click("view", (state) => state.hit?.joint !== undefined);
    await window.click("view", (state) => state.hit === null, 0.03, 0.03);
    await window.click("scene:cylinders", (state) => state.subject === "@cylinders");
    await window.slide("copies", (state) => state.copies === 1, 0.01);
});

test("mouse and keys move the camera, and a click resets it", async () => {
    const { view } = window.state;
    await window.moveTo("view", 0.5, 0.6);
    display.xdotool("mousedown", "1");
    await window.frames(1);
    for (const across of [0.55, 0.6, 0.65]) {
        window.hover(...window.pointOf("view", across, 0.55));
        await window.frames(1);
    }
    display.xdotool("mouseup", "1");
    await window.until((state) => state.view.yaw !== view.yaw && state.view.pitch !== view.pitch, "turn");
    for (const [key, value] of [["Left", "yaw"], ["Right", "yaw"], ["Up", "pitch"], ["Prior", "distance"], ["Next", "distance"]]) {
        const before = window.state.view[value];
        await window.key(key, (state) => state.view[value] !== before);
    }
    const { distance } = window.state.view;
    display.xdotool("click", "4");
    await window.until((state) => state.view.distance < distance, "wheel");
    await window.click("reset-view", (state) => state.view.yaw === view.yaw && state.view.distance === view.distance);
    await window.key("Left", (state) => state.view.yaw !== view.yaw);
    await window.key("Home", (state) => state.view.yaw === view.yaw);
    await window.key("space", (state) => state.playing);
    await window.key("space", (state) => !state.playing);
});

test("help opens and closes", async () => {
    await window.key("F1", (state) => state.open.help);
    await window.click("help:close", (state) => !state.open.help);
    await window.click("help", (state) => state.open.help);
    await window.click("help", (state) => !state.open.help);
});

test("the window's size, full screen, antialiasing and vsync", async () => {
    await window.key("F2", (state) => state.open.window);
    await window.click("window:close", (state) => !state.open.window);
    await window.click("window", (state) => state.open.window);
    for (const name of usable("window:size:").slice(0, 3)) {
        const [width, height] = name.split(":")[2].split("x").map(Number);
        await window.click(name, ({ size }) => size[0] === width && size[1] === height);
    }
    await window.click("window:fullscreen", (state) => state.fullscreen && state.size[0] > 1800);
    await window.click("window:fullscreen", (state) => !state.fullscreen && state.size[0] < 1800);
    await window.click("window:smooth", (state) => state.samples === 4);
    await window.click("window:smooth", (state) => state.samples === 0);
    const { vsync } = window.state;
    await window.click("window:vsync", (state) => state.vsync !== vsync && state.frame > 2);
    await window.focus();
});

test("every control was clicked", () => {
    // One of many joints, and sizes that may not fit the display.
    const excused = (name) => inList(name) || name.startsWith("window:size:");
    const missed = [...window.seen].filter((name) => !window.clicked.has(name) && !excused(name));
    assert.deepEqual(missed, []);
});

test("the window closes with exit code 0", async () => {
    assert.equal(await window.close(), 0, window.stderr);
    assert.equal(window.stderr, "");
});
