// A shadow volume. Its far end has w = 0 and projects onto the infinite far plane.

in vec4 homogeneous_position;

uniform mat4 clip_from_world;
uniform mat4 world_from_model;
uniform vec4 copy;

void main() {
    vec4 world = world_from_model * homogeneous_position;
    gl_Position = clip_from_world * (world + world.w * vec4(copy.xyz, 0.0));
}
