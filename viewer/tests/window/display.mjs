// A display in memory with a window manager, and the viewer on it: its state is read, its controls are clicked with a
// mouse and keys of the display.
//
// Needs Xvfb, openbox, xdotool and ImageMagick: `.ci/setup viewer`. SINEW_VIEWER names the program.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const VIEWER = process.env.SINEW_VIEWER
    ?? join(dirname(fileURLToPath(import.meta.url)), "../../target/debug/sinew-viewer");
/** Software draws a few frames a second, and the machine may have other work. */
const PATIENCE = Number(process.env.SINEW_PATIENCE ?? 60_000);

export class Display {
    static async open() {
        const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1920x1200x24", "+extension", "GLX", "-nolisten", "tcp"],
            { stdio: ["ignore", "pipe", "ignore"] });
        const number = await new Promise((resolve, reject) => {
            server.once("error", reject);
            server.once("exit", () => reject(new Error("Xvfb ended")));
            server.stdout.once("data", (line) => resolve(String(line).trim()));
        });
        return new Display(server, number);
    }

    constructor(server, number) {
        this.server = server;
        this.environment = { ...process.env, DISPLAY: `:${number}`, LIBGL_ALWAYS_SOFTWARE: "1" };
        delete this.environment.WAYLAND_DISPLAY;
        this.manager = spawn("openbox", [], { env: this.environment, stdio: "ignore" });
    }

    close() {
        this.manager.kill();
        this.server.kill();
    }

    hand(...words) {
        const { status, stdout, stderr } = spawnSync("xdotool", words, { env: this.environment, encoding: "utf8" });
        if (status !== 0) throw new Error(`xdotool ${words.join(" ")}: ${stderr}`);
        return stdout.trim();
    }
}

export class Window {
    /** Starts the viewer and waits for its first frames. */
    static async open(display, ...words) {
        const window = new Window(display, words);
        await window.until((state) => state.frame > 2, "a frame");
        await window.found();
        return window;
    }

    constructor(display, words) {
        this.display = display;
        this.program = spawn(VIEWER, ["--log-state", ...words], { env: display.environment, stdio: ["ignore", "pipe", "pipe"] });
        this.ended = new Promise((resolve) => this.program.once("exit", (code, signal) => resolve(code ?? signal)));
        this.said = "";
        this.program.stderr.on("data", (text) => (this.said += text));
        /** The last state, and how many there were. */
        this.state = {};
        this.told = 0;
        /** Every control that was there. */
        this.seen = new Set();
        this.clicked = new Set();
        this.waiting = new Set();
        createInterface({ input: this.program.stdout }).on("line", (line) => {
            this.state = JSON.parse(line);
            this.told++;
            for (const [name, control] of Object.entries(this.state.controls)) if (control[4]) this.seen.add(name);
            for (const wake of this.waiting) wake();
        });
    }

    /** Waits for a state that is as it should be, and gives it. */
    until(holds, what) {
        return new Promise((resolve, reject) => {
            const done = (answer) => {
                clearTimeout(timer);
                this.waiting.delete(look);
                answer();
            };
            const look = () => this.told > 0 && holds(this.state) && done(() => resolve(this.state));
            const timer = setTimeout(() => {
                const { controls, ...rest } = this.state;
                done(() => reject(new Error(`no ${what}; the state is ${JSON.stringify(rest)} ${this.said}`)));
            }, PATIENCE);
            this.waiting.add(look);
            this.ended.then((code) => done(() => reject(new Error(`ended with ${code}: ${this.said}`))));
            look();
        });
    }

    /** Waits until so many more frames were drawn. */
    frames(count) {
        const { frame } = this.state;
        // A window that takes the place of another counts anew.
        return this.until((state) => state.frame >= frame + count || state.frame < frame, `${count} more frames`);
    }

    /** Finds the window of the display, and gives it the keys. */
    async found() {
        for (let i = 0; i < 100; i++) {
            try {
                this.id = this.display.hand("search", "--onlyvisible", "--name", "^sinew$").split("\n").pop();
                this.display.hand("windowactivate", "--sync", this.id);
                break;
            } catch {
                await new Promise((later) => setTimeout(later, 100));
            }
        }
        this.hover(this.state.size[0] / 2, 5);
        await this.frames(2);
    }

    hover(x, y) {
        const { scale } = this.state;
        this.display.hand("mousemove", "--window", this.id, String(Math.round(x * scale)), String(Math.round(y * scale)));
    }

    /** A point of a control: shares of its width and height. */
    place(name, across = 0.5, down = 0.5) {
        const control = this.state.controls[name];
        if (!control) throw new Error(`no control ${name}; there are ${Object.keys(this.state.controls).join(" ")}`);
        const [x, y, width, height] = control;
        return [x + across * width, y + down * height];
    }

    /** Brings the mouse to a control, once that stays where it is: what opens may grow for a frame. */
    async reach(name, across, down) {
        this.clicked.add(name);
        const where = () => JSON.stringify(this.state.controls[name]);
        for (let last; ; ) {
            await this.until((state) => name in state.controls, `control ${name}`);
            if (where() === last) break;
            last = where();
            await this.frames(1);
        }
        this.hover(...this.place(name, across, down));
        await this.frames(1);
    }

    /** Clicks a control, and waits until the state is as it should be. */
    async click(name, holds, across, down) {
        await this.reach(name, across, down);
        this.display.hand("click", "1");
        await this.until(holds, `effect of ${name}`);
        // Pictures are of the frame before.
        return this.frames(2);
    }

    /** Puts a slider to a share of its length: it wants the button held for a frame. */
    async slide(name, holds, across) {
        await this.reach(name, across);
        this.display.hand("mousedown", "1");
        await this.frames(2);
        this.display.hand("mouseup", "1");
        await this.until(holds, `effect of ${name}`);
        return this.frames(2);
    }

    /** Does something after which the picture must have changed. */
    async see(what, act) {
        const before = this.state.picture;
        await act();
        await this.until((state) => state.picture !== before, `other picture after ${what}`);
    }

    /** Clicks a control that changes the picture too. */
    clickAndSee(name, holds, across, down) {
        return this.see(name, () => this.click(name, holds, across, down));
    }

    async key(key, holds) {
        this.display.hand("key", key);
        await this.until(holds, `effect of ${key}`);
    }

    /** A sum of what the display shows of the scene, names over it included. */
    pixels() {
        const [x, y, width, height] = this.state.controls.view.map((side) => side * this.state.scale);
        const crop = `${width}x${height}+${x}+${y}`;
        const { status, stdout } = spawnSync("import", ["-silent", "-window", this.id, "-crop", crop, "-depth", "8", "rgb:-"],
            { env: this.display.environment, maxBuffer: 1 << 26 });
        if (status !== 0 || stdout.length !== 3 * width * height) throw new Error("no picture of the display");
        return createHash("sha256").update(stdout).digest("hex");
    }

    /** Closes the window as its manager does, and gives the exit code. On a busy machine a key may be lost, so it is sent again. */
    async close() {
        for (let i = 0; i < 10; i++) {
            try {
                this.display.hand("windowactivate", "--sync", this.id);
                this.display.hand("key", "alt+F4");
            } catch {
                // The window is gone.
                return this.ended;
            }
            const code = await Promise.race([this.ended, new Promise((later) => setTimeout(later, 3000, "open"))]);
            if (code !== "open") return code;
        }
        this.kill();
        throw new Error("the window stays open");
    }

    kill() {
        this.program.kill();
    }
}
