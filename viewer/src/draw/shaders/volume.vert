// A shadow volume: its far end has w = 0, and lies where the projection has its far plane, at infinity.

in vec4 place;

uniform mat4 clip_from_world;
uniform mat4 world_from_model;
uniform vec4 copy;

void main() {
    vec4 world = world_from_model * place;
    gl_Position = clip_from_world * (world + world.w * vec4(copy.xyz, 0.0));
}
