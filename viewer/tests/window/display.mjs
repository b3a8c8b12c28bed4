// A virtual display with a window manager and the viewer on it. Reads the viewer's state, and
// clicks its controls with the display's mouse and keyboard.
//
// Needs Xvfb, openbox, xdotool and ImageMagick: `.ci/setup viewer`. SINEW_VIEWER names the program.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const VIEWER = process.env.SINEW_VIEWER
    ?? join(dirname(fileURLToPath(import.meta.url)), "../../target/debug/sinew-viewer");
/** Milliseconds to wait. Software rendering draws few frames per second, and the machine may be busy. */
const TIMEOUT = Number(process.env.SINEW_PATIENCE ?? 60_000);

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

    xdotool(...options) {
        const { status, stdout, stderr } = spawnSync("xdotool", options, { env: this.environment, encoding: "utf8" });
        if (status !== 0) throw new Error(`xdotool ${options.join(" ")}: ${stderr}`);
        return stdout.trim();
    }
}

export class Window {
    /** Starts the viewer and waits for its first frames. */
    static async open(display, ...options) {
        const window = new Window(display, options);
        await window.until((state) => state.frame > 2, "a frame");
        await window.focus();
        return window;
    }

    constructor(display, options) {
        this.display = display;
        this.program = spawn(VIEWER, ["--log-state", ...options], { env: display.environment, stdio: ["ignore", "pipe", "pipe"] });
        this.ended = new Promise((resolve) => this.program.once("exit", (code, signal) => resolve(code ?? signal)));
        this.stderr = "";
        this.program.stderr.on("data", (text) => (this.stderr += text));
        /** The last state, and the number of states received. */
        this.state = {};
        this.stateCount = 0;
        /** Every control that was enabled at some time. */
        this.seen = new Set();
        this.clicked = new Set();
        this.waiting = new Set();
        createInterface({ input: this.program.stdout }).on("line", (line) => {
            this.state = JSON.parse(line);
            this.stateCount++;
            for (const [name, control] of Object.entries(this.state.controls)) if (control[4]) this.seen.add(name);
            for (const wake of this.waiting) wake();
        });
    }

    /** Waits for a state that satisfies a condition, and returns it. */
    until(holds, what) {
        return new Promise((resolve, reject) => {
            const done = (settle) => {
                clearTimeout(timer);
                this.waiting.delete(check);
                settle();
            };
            const check = () => this.stateCount > 0 && holds(this.state) && done(() => resolve(this.state));
            const timer = setTimeout(() => {
                const { controls, ...rest } = this.state;
                done(() => reject(new Error(`no ${what}; the state is ${JSON.stringify(rest)} ${this.stderr}`)));
            }, TIMEOUT);
            this.waiting.add(check);
            this.ended.then((code) => done(() => reject(new Error(`ended with ${code}: ${this.stderr}`))));
            check();
        });
    }

    /** Waits for a number of further frames. */
    frames(count) {
        const { frame } = this.state;
        // A reopened window counts its frames from zero.
        return this.until((state) => state.frame >= frame + count || state.frame < frame, `${count} more frames`);
    }

    /** Finds the window on the display and gives it the keyboard focus. */
    async focus() {
        for (let i = 0; i < 100; i++) {
            try {
                this.id = this.display.xdotool("search", "--onlyvisible", "--name", "^sinew$").split("\n").pop();
                this.display.xdotool("windowactivate", "--sync", this.id);
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
        this.display.xdotool("mousemove", "--window", this.id, String(Math.round(x * scale)), String(Math.round(y * scale)));
    }

    /** A point of a control, given in fractions of its width and height. */
    pointOf(name, across = 0.5, down = 0.5) {
        const control = this.state.controls[name];
        if (!control) throw new Error(`no control ${name}; there are ${Object.keys(this.state.controls).join(" ")}`);
        const [x, y, width, height] = control;
        return [x + across * width, y + down * height];
    }

    /** Moves the mouse to a control once its rectangle is stable: an opening window may grow first. */
    async moveTo(name, across, down) {
        this.clicked.add(name);
        const where = () => JSON.stringify(this.state.controls[name]);
        for (let last; ; ) {
            await this.until((state) => name in state.controls, `control ${name}`);
            if (where() === last) break;
            last = where();
            await this.frames(1);
        }
        this.hover(...this.pointOf(name, across, down));
        await this.frames(1);
    }

    /** Clicks a control and waits for its effect on the state. */
    async click(name, holds, across, down) {
        await this.moveTo(name, across, down);
        this.display.xdotool("click", "1");
        await this.until(holds, `effect of ${name}`);
        // The checksum is of the previous frame.
        return this.frames(2);
    }

    /** Sets a slider to a fraction of its length. The button must stay pressed for a frame. */
    async slide(name, holds, across) {
        await this.moveTo(name, across);
        this.display.xdotool("mousedown", "1");
        await this.frames(2);
        this.display.xdotool("mouseup", "1");
        await this.until(holds, `effect of ${name}`);
        return this.frames(2);
    }

    /** Runs an action and waits until the picture has changed. */
    async see(what, act) {
        const before = this.state.picture;
        await act();
        await this.until((state) => state.picture !== before, `other picture after ${what}`);
    }

    /** Clicks a control that also changes the picture. */
    clickAndSee(name, holds, across, down) {
        return this.see(name, () => this.click(name, holds, across, down));
    }

    async key(key, holds) {
        this.display.xdotool("key", key);
        await this.until(holds, `effect of ${key}`);
    }

    /** A hash of the scene on the display, including the labels over it. */
    pixels() {
        const [x, y, width, height] = this.state.controls.view.map((side) => side * this.state.scale);
        const crop = `${width}x${height}+${x}+${y}`;
        const { status, stdout } = spawnSync("import", ["-silent", "-window", this.id, "-crop", crop, "-depth", "8", "rgb:-"],
            { env: this.display.environment, maxBuffer: 1 << 26 });
        if (status !== 0 || stdout.length !== 3 * width * height) throw new Error("no screenshot of the display");
        return createHash("sha256").update(stdout).digest("hex");
    }

    /**
     * Closes the window like the window manager does, and returns the exit code. A busy machine may
     * lose a key press, so it is repeated.
     */
    async close() {
        for (let i = 0; i < 10; i++) {
            try {
                this.display.xdotool("windowactivate", "--sync", this.id);
                this.display.xdotool("key", "alt+F4");
            } catch {
                // The window is closed.
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
