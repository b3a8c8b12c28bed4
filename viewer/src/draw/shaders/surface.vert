// Vertices skinned on the CPU, or skinned here if SKINNED is defined.

in vec3 position;
in vec3 normal;
in vec4 color;
in vec2 coordinates;

uniform mat4 clip_from_world;
uniform mat4 world_from_model;
// Offset of the copy, and its row in the palette texture.
uniform vec4 copy;
// Depth bias towards the camera, so that lines are drawn over the surface they lie on.
uniform float depth_bias;

out vec3 world_normal;
out vec3 world_position;
out vec4 own_color;
out vec2 at;

#ifdef SKINNED
in uvec4 joints;
in vec4 weights;

// Three texels per joint, the rows of its matrix. One row of the texture per copy.
uniform highp sampler2D palette;

vec4 blended_row(int row) {
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        sum += weights[i] * texelFetch(palette, ivec2(3 * int(joints[i]) + row, int(copy.w)), 0);
    }
    return sum;
}
#endif

void main() {
    vec3 place = position;
    vec3 outward = normal;
#ifdef SKINNED
    vec4 x = blended_row(0);
    vec4 y = blended_row(1);
    vec4 z = blended_row(2);
    place = vec3(dot(x, vec4(position, 1.0)), dot(y, vec4(position, 1.0)), dot(z, vec4(position, 1.0)));
    outward = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
    float size = length(outward);
    outward = size > 0.0 ? outward / size : outward;
#endif
    vec4 world = world_from_model * vec4(place, 1.0) + vec4(copy.xyz, 0.0);
    world_position = world.xyz;
    world_normal = mat3(world_from_model) * outward;
    own_color = color;
    at = coordinates;
    gl_Position = clip_from_world * world;
    gl_Position.z -= depth_bias * gl_Position.w;
}
