// Lines with a colour at each end.

in vec3 position;
in vec4 colour;

uniform mat4 clip_from_world;
uniform float pull;

out vec4 own_colour;

void main() {
    own_colour = colour;
    gl_Position = clip_from_world * vec4(position, 1.0);
    gl_Position.z -= pull * gl_Position.w;
}
