// The floor: one square.

in vec3 position;

uniform mat4 clip_from_world;

out vec3 world_position;

void main() {
    world_position = position;
    gl_Position = clip_from_world * vec4(position, 1.0);
}
