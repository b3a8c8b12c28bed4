// Draws a figure with WebGL2: uploads its vertices from the module's memory and adds a flat shadow.

import { FLOATS_PER_VERTEX } from "./sinew.js";

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
uniform mat4 view;      // View-projection matrix; world space has y up.
uniform mat3 upright;   // From model space to y up.
uniform vec4 flatten;   // Slope of the light in x and z, height of the ground, and 1 to project onto it.
out vec3 world_position;
out vec3 direction;
out vec4 tint;
void main() {
    world_position = upright * position;
    if (flatten.w > 0.0) {
        float height = world_position.y - flatten.z;
        world_position = vec3(world_position.x - height * flatten.x, flatten.z, world_position.z - height * flatten.y);
    }
    direction = upright * normal;
    tint = color;
    gl_Position = view * vec4(world_position, 1.0);
}`;

const FIGURE = `#version 300 es
precision highp float;
in vec3 world_position;
in vec3 direction;
in vec4 tint;
uniform vec3 eye;
uniform vec3 light;
out vec4 pixel;
void main() {
    vec3 flat_normal = normalize(cross(dFdx(world_position), dFdy(world_position)));
    vec3 to_eye = normalize(eye - world_position);
    vec3 n = dot(direction, direction) > 1e-8 ? normalize(direction) : flat_normal;
    if (dot(n, to_eye) < 0.0 && dot(flat_normal, direction) <= 0.0) n = -n;
    float key = max(dot(n, light), 0.0);
    float sky = 0.5 + 0.5 * n.y;
    float rim = pow(1.0 - max(dot(n, to_eye), 0.0), 3.0) * sky;
    vec3 lit = tint.rgb * (mix(vec3(0.07, 0.06, 0.07), vec3(0.16, 0.20, 0.26), sky) + vec3(1.05, 0.96, 0.82) * key)
        + vec3(0.10, 0.13, 0.18) * rim;
    pixel = vec4(pow(lit / (lit + 1.0) * 1.5, vec3(1.0 / 2.2)), 1.0);
}`;

const SHADOW = `#version 300 es
precision highp float;
out vec4 pixel;
void main() { pixel = vec4(0.075, 0.084, 0.102, 1.0); }`;

const GROUND_VERTEX = `#version 300 es
uniform mat4 view;
uniform vec4 ground;    // Center and half size.
out vec2 ground_position;
void main() {
    ground_position = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    gl_Position = view * vec4(ground.x + ground_position.x * ground.w, ground.y, ground.z + ground_position.y * ground.w, 1.0);
}`;

const GROUND = `#version 300 es
precision highp float;
in vec2 ground_position;
out vec4 pixel;
const vec3 BACKGROUND = vec3(0.125, 0.141, 0.169);
void main() {
    vec2 cell = fract(ground_position * 12.0) - 0.5;
    vec2 width = fwidth(ground_position * 12.0);
    vec2 line = smoothstep(0.5 - width * 1.5, vec2(0.5), abs(cell));
    float fade = smoothstep(1.0, 0.1, length(ground_position));
    pixel = vec4(mix(BACKGROUND, vec3(0.20, 0.22, 0.26) + 0.07 * max(line.x, line.y), fade), 1.0);
}`;

const LIGHT = unit([-0.5, 0.85, 0.6]);

export class Renderer {
    constructor(canvas) {
        const gl = canvas.getContext("webgl2", { antialias: true });
        if (!gl) throw new Error("This page needs a browser with WebGL2.");
        Object.assign(this, { canvas, gl });
        this.figure = program(gl, VERTEX, FIGURE);
        this.shadow = program(gl, VERTEX, SHADOW);
        this.ground = program(gl, GROUND_VERTEX, GROUND);
        gl.enable(gl.DEPTH_TEST);
        gl.clearColor(0.125, 0.141, 0.169, 1);
    }

    /** Creates buffers for a figure and uploads its static data. */
    upload(figure) {
        const { gl } = this;
        for (const buffer of this.buffers ?? []) gl.deleteBuffer(buffer);
        gl.deleteVertexArray(this.array ?? null);
        this.array = gl.createVertexArray();
        gl.bindVertexArray(this.array);
        const [vertices, colors, indices] = (this.buffers = [0, 1, 2].map(() => gl.createBuffer()));
        gl.bindBuffer(gl.ARRAY_BUFFER, colors);
        gl.bufferData(gl.ARRAY_BUFFER, figure.colors, gl.STATIC_DRAW);
        attribute(gl, 2, 4, 0, 0);
        gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
        gl.bufferData(gl.ARRAY_BUFFER, figure.vertices, gl.STREAM_DRAW);
        attribute(gl, 0, 3, 4 * FLOATS_PER_VERTEX, 0);
        attribute(gl, 1, 3, 4 * FLOATS_PER_VERTEX, 12);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, figure.indices, gl.STATIC_DRAW);
        this.frame = restFrame(figure);
    }

    /** Draws the figure in its current pose. */
    draw(figure, eye) {
        const { gl, canvas, frame } = this;
        const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((n) => Math.round(n * devicePixelRatio));
        if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
        gl.viewport(0, 0, width, height);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);

        const away = eye.away * frame.size;
        const flat = Math.cos(eye.above) * away;
        const position = add(frame.center, [
            Math.sin(eye.around) * flat, Math.sin(eye.above) * away, Math.cos(eye.around) * flat,
        ]);
        const view = multiply(perspective(0.7, width / height, away * 0.02, away + 40 * frame.size), lookAt(position, frame.center));

        gl.disable(gl.DEPTH_TEST);
        gl.useProgram(this.ground.program);
        gl.uniformMatrix4fv(this.ground.uniform("view"), false, view);
        gl.uniform4f(this.ground.uniform("ground"), frame.center[0], frame.ground, frame.center[2], 4 * frame.size);
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);

        gl.bindVertexArray(this.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[0]);
        gl.bufferSubData(gl.ARRAY_BUFFER, 0, figure.vertices);
        if (position[1] > frame.ground) this.mesh(this.shadow, figure, view, position, 1);
        gl.enable(gl.DEPTH_TEST);
        this.mesh(this.figure, figure, view, position, 0);
    }

    mesh({ program, uniform }, figure, view, eye, flatten) {
        const { gl, frame } = this;
        gl.useProgram(program);
        gl.uniformMatrix4fv(uniform("view"), false, view);
        gl.uniformMatrix3fv(uniform("upright"), false, frame.upright);
        gl.uniform4f(uniform("flatten"), LIGHT[0] / LIGHT[1], LIGHT[2] / LIGHT[1], frame.ground, flatten);
        gl.uniform3fv(uniform("eye"), eye);
        gl.uniform3fv(uniform("light"), LIGHT);
        gl.drawElements(gl.TRIANGLES, figure.indexCount, gl.UNSIGNED_INT, 0);
    }
}

/** Placement of a figure at rest: rotation to y up, center, size and height of the ground. */
function restFrame(figure) {
    const upright = figure.up === 2 ? [1, 0, 0, 0, 0, -1, 0, 1, 0] : [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const bounds = Array.from(figure.bounds);
    const [a, b] = [bounds.slice(0, 3), bounds.slice(3)].map((p) => (figure.up === 2 ? [p[0], p[2], -p[1]] : p));
    if (!bounds.every(Number.isFinite)) return { upright, center: [0, 0, 0], size: 1, ground: 0 };
    const size = Math.hypot(...a.map((low, axis) => b[axis] - low)) || 1;
    return { upright, center: a.map((low, axis) => (low + b[axis]) / 2), size, ground: Math.min(a[1], b[1]) };
}

function program(gl, vertex, fragment) {
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, source);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
        const logs = gl.getAttachedShaders(program).map((shader) => gl.getShaderInfoLog(shader));
        throw new Error([gl.getProgramInfoLog(program), ...logs].join("\n"));
    }
    const locations = new Map();
    const uniform = (name) => {
        if (!locations.has(name)) locations.set(name, gl.getUniformLocation(program, name));
        return locations.get(name);
    };
    return { program, uniform };
}

function attribute(gl, location, size, stride, offset) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, stride, offset);
}

// Matrices are column-major, as in WebGL.

function perspective(angle, aspect, near, far) {
    const f = 1 / Math.tan(angle / 2);
    return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

function lookAt(from, to) {
    const z = unit(from.map((n, axis) => n - to[axis]));
    const x = unit(cross([0, 1, 0], z));
    const y = cross(z, x);
    const translation = [x, y, z].map((axis) => -(axis[0] * from[0] + axis[1] * from[1] + axis[2] * from[2]));
    return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, ...translation, 1];
}

function multiply(a, b) {
    return b.map((_, i) => [0, 1, 2, 3].reduce((sum, k) => sum + a[(i & 3) + 4 * k] * b[(i & 12) + k], 0));
}

function add(a, b) {
    return a.map((n, axis) => n + b[axis]);
}

function cross(a, b) {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(v) {
    const length = Math.hypot(...v);
    return v.map((n) => n / length);
}
