// Lines with a color at each end.

in vec3 position;
in vec4 color;

uniform mat4 clip_from_world;
uniform float depth_bias;
// In units of half the picture.
uniform vec3 shift;

out vec4 own_color;

void main() {
    own_color = color;
    gl_Position = clip_from_world * vec4(position, 1.0);
    gl_Position.xy += shift.xy * gl_Position.w;
    gl_Position.z -= depth_bias * gl_Position.w;
}
