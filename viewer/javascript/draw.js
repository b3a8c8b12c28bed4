// Draws a figure with WebGL2: uploads its vertices from the module's memory and adds a flat shadow.

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
layout(location = 3) in vec2 coordinates;
uniform mat4 view;      // View-projection matrix; world space has y up.
uniform mat3 upright;   // From model space to y up.
uniform vec4 flatten;   // Slope of the light in x and z, height of the ground, and 1 to project onto it.
out vec3 world_position;
out vec3 direction;
out vec4 tint;
out vec2 at;
void main() {
    at = coordinates;
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
in vec2 at;
uniform sampler2D picture;
uniform float cutoff;   // Below zero, alpha means nothing.
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
    vec4 base = tint * texture(picture, at);
    if (base.a < cutoff) discard;
    vec3 lit = base.rgb * (mix(vec3(0.07, 0.06, 0.07), vec3(0.16, 0.20, 0.26), sky) + vec3(1.05, 0.96, 0.82) * key)
        + vec3(0.10, 0.13, 0.18) * rim;
    pixel = vec4(pow(lit / (lit + 1.0) * 1.5, vec3(1.0 / 2.2)), cutoff < 0.0 ? 1.0 : base.a);
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

/** Of a mesh without a color. Its alpha is the material's. */
const DEFAULT_COLOR = [0.42, 0.52, 0.62];
const LIGHT = unit([-0.5, 0.85, 0.6]);

export class Renderer {
    constructor(canvas) {
        const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
        if (!gl) throw new Error("This page needs a browser with WebGL2.");
        Object.assign(this, { canvas, gl, parts: [], textures: [] });
        /** Largest width and height of a picture. */
        this.pictureLimit = gl.getParameter(gl.MAX_TEXTURE_SIZE);
        this.white = this.texture();
        this.figure = program(gl, VERTEX, FIGURE);
        this.shadow = program(gl, VERTEX, SHADOW);
        this.ground = program(gl, GROUND_VERTEX, GROUND);
        gl.enable(gl.DEPTH_TEST);
        gl.clearColor(0.125, 0.141, 0.169, 1);
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
    }

    /**
     * Creates buffers and textures for an instance. `pictures` has one for each mesh, or `undefined`:
     * see `decodePictures`. If it throws, the current figure stays.
     */
    upload(instance, pictures) {
        const { gl } = this;
        const { model } = instance;
        const next = { parts: [], textures: [] };
        try {
            // Meshes with the same picture share its texture.
            const uploaded = new Map();
            for (const picture of new Set(pictures.filter(Boolean))) {
                next.textures.push(this.texture(picture));
                uploaded.set(picture, next.textures.at(-1));
            }
            model.meshes.forEach((mesh, index) => {
                const part = this.emptyPart(mesh, uploaded.get(pictures[index]) ?? this.white);
                next.parts.push(part);
                this.fill(part, model, index, Boolean(pictures[index]));
            });
            next.frame = frameOf(model.upAxis, instance.bounds());
            if (gl.getError() === gl.OUT_OF_MEMORY) throw new Error("the figure does not fit into the memory of the GPU");
        } catch (error) {
            this.delete(next);
            throw error;
        }
        this.delete(this);
        Object.assign(this, next);
    }

    /** Deletes what `upload` has created. */
    delete({ parts, textures }) {
        const { gl } = this;
        for (const { array, buffers } of parts) {
            buffers.forEach((buffer) => gl.deleteBuffer(buffer));
            gl.deleteVertexArray(array);
        }
        textures.forEach((texture) => gl.deleteTexture(texture));
    }

    /** What draws a mesh; its buffers are empty. */
    emptyPart(mesh, texture) {
        const { gl } = this;
        const blended = mesh.alphaMode === "blend";
        const cutoff = blended ? 0 : mesh.alphaMode === "mask" ? mesh.alphaCutoff : -1;
        const buffers = [0, 1, 2, 3, 4].map(() => gl.createBuffer());
        return { array: gl.createVertexArray(), buffers, texture, indices: 3 * mesh.triangles, cutoff, blended };
    }

    /** Fills the buffers of a mesh: positions and normals are written each frame. */
    fill({ array, buffers }, model, index, hasPicture) {
        const { gl } = this;
        const mesh = model.meshes[index];
        gl.bindVertexArray(array);
        const attribute = (location, size, numbers, usage) => {
            gl.bindBuffer(gl.ARRAY_BUFFER, buffers[location]);
            gl.bufferData(gl.ARRAY_BUFFER, numbers, usage);
            gl.enableVertexAttribArray(location);
            gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
        };
        attribute(0, 3, 12 * mesh.vertices, gl.STREAM_DRAW);
        if (mesh.hasNormals) attribute(1, 3, 12 * mesh.vertices, gl.STREAM_DRAW);
        const colors = model.colors(index);
        const plain = !mesh.hasColors && !hasPicture && mesh.baseColor.slice(0, 3).every((n) => n === 1);
        const factor = plain ? [...DEFAULT_COLOR, mesh.baseColor[3]] : mesh.baseColor;
        for (let i = 0; i < colors.length; i++) colors[i] *= factor[i & 3];
        attribute(2, 4, colors, gl.STATIC_DRAW);
        if (hasPicture) attribute(3, 2, model.textureCoordinates(index, mesh.baseTexture.set), gl.STATIC_DRAW);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[4]);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, model.triangles(index), gl.STATIC_DRAW);
    }

    /** A texture of a picture; without one, a white texel. */
    texture(picture) {
        const { gl } = this;
        const texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, texture);
        if (picture) {
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, picture);
        } else {
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4).fill(255));
        }
        gl.generateMipmap(gl.TEXTURE_2D);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
        return texture;
    }

    /** Draws skinned vertices, those of each mesh. */
    draw(skinned, eye) {
        const { gl, canvas, frame } = this;
        const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((n) => Math.round(n * devicePixelRatio));
        if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
        gl.viewport(0, 0, width, height);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);

        // A page that is higher than wide shows the whole figure too.
        const away = eye.away * frame.size * Math.max(1, (0.8 * height) / width);
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

        this.parts.forEach(({ buffers }, mesh) => {
            const { positions, normals } = skinned[mesh];
            for (const [buffer, numbers] of [[buffers[0], positions], [buffers[1], normals]]) {
                if (!numbers) continue;
                gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
                gl.bufferSubData(gl.ARRAY_BUFFER, 0, numbers);
            }
        });
        const opaque = this.parts.filter((part) => !part.blended);
        if (position[1] > frame.ground) this.meshes(this.shadow, opaque, view, position, 1);
        gl.enable(gl.DEPTH_TEST);
        this.meshes(this.figure, opaque, view, position, 0);
        // What is transparent comes last and hides nothing. Its triangles are not sorted.
        gl.enable(gl.BLEND);
        gl.depthMask(false);
        this.meshes(this.figure, this.parts.filter((part) => part.blended), view, position, 0);
        gl.depthMask(true);
        gl.disable(gl.BLEND);
    }

    meshes({ program, uniform }, parts, view, eye, flatten) {
        const { gl, frame } = this;
        gl.useProgram(program);
        gl.uniformMatrix4fv(uniform("view"), false, view);
        gl.uniformMatrix3fv(uniform("upright"), false, frame.upright);
        gl.uniform4f(uniform("flatten"), LIGHT[0] / LIGHT[1], LIGHT[2] / LIGHT[1], frame.ground, flatten);
        gl.uniform3fv(uniform("eye"), eye);
        gl.uniform3fv(uniform("light"), LIGHT);
        for (const { array, texture, indices, cutoff } of parts) {
            gl.uniform1f(uniform("cutoff"), cutoff);
            gl.bindVertexArray(array);
            gl.bindTexture(gl.TEXTURE_2D, texture);
            gl.drawElements(gl.TRIANGLES, indices, gl.UNSIGNED_INT, 0);
        }
    }
}

/**
 * The decoded picture of each mesh, `undefined` without one, and what to say about those that are
 * missing, or wider or higher than `limit`. The caller closes them.
 */
export async function decodePictures(model, limit) {
    const notes = new Set();
    const decoded = new Map();
    const decode = async (image) => {
        const bytes = model.image(image);
        if (bytes.length === 0) return void notes.add(`picture ${image} is not among the files`);
        // Colors stay as they are stored: the texture is sRGB.
        const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
        const failed = () => void notes.add(`picture ${image} cannot be decoded`);
        const picture = await createImageBitmap(new Blob([bytes]), options).catch(failed);
        if (!picture || Math.max(picture.width, picture.height) <= limit) return picture;
        notes.add(`picture ${image} has ${picture.width} x ${picture.height} pixels, and this browser draws ${limit} x ${limit}`);
        return void picture.close();
    };
    const pictures = await Promise.all(model.meshes.map(({ baseTexture, textureCoordinateSets }) => {
        if (!baseTexture || baseTexture.set >= textureCoordinateSets) return undefined;
        const { image } = baseTexture;
        if (!decoded.has(image)) decoded.set(image, decode(image));
        return decoded.get(image);
    }));
    return { pictures, notes: [...notes] };
}

/** How the figure stands: rotation to y up, center, size and height of the ground. */
function frameOf(upAxis, bounds) {
    const isZ = upAxis === "z";
    const upright = isZ ? [1, 0, 0, 0, 0, -1, 0, 1, 0] : [1, 0, 0, 0, 1, 0, 0, 0, 1];
    if (!bounds) return { upright, center: [0, 0, 0], size: 1, ground: 0 };
    const [a, b] = [bounds.min, bounds.max].map((p) => (isZ ? [p[0], p[2], -p[1]] : p));
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
