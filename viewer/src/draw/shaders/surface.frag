// Surface lighting: a key light, an ambient gradient from ground to sky, and a rim light.

in vec3 world_normal;
in vec3 world_position;
in vec4 own_color;
in vec2 at;

uniform vec3 eye;
uniform vec3 to_key_light;
// 1 in the key light, 0 in its shadow.
uniform float key;
uniform vec4 tint;
// 1 if the surface has a texture. The sampler converts sRGB to linear.
uniform float textured;
uniform sampler2D picture;
// What alpha means: 0 nothing, 1 the point is drawn if it is not below the cutoff, 2 how much the
// point covers what is behind it.
uniform int alpha_mode;
uniform float cutoff;
// 1 shades in few tones.
uniform float toon;
// 1 outputs the tint without lighting.
uniform float flat_tint;

out vec4 pixel;

vec3 unit(vec3 v) {
    float size = length(v);
    return size > 0.0 ? v / size : vec3(0.0, 1.0, 0.0);
}

void main() {
    // Before any return: derivatives are undefined where a neighboring pixel has returned.
    vec4 painted = texture(picture, at);
    vec3 across = cross(dFdx(world_position), dFdy(world_position));
    if (flat_tint > 0.5) {
        pixel = tint;
        return;
    }
    float alpha = own_color.a * mix(1.0, painted.a, textured);
    if (alpha_mode == 1 && alpha < cutoff) {
        discard;
    }
    vec3 towards_eye = unit(eye - world_position);
    vec3 face = unit(across);
    face = dot(face, towards_eye) < 0.0 ? -face : face;
    vec3 normal = dot(world_normal, world_normal) > 0.0 ? unit(world_normal) : face;
    // A back face is lit like a front face.
    normal = dot(normal, face) < -0.2 ? -normal : normal;

    vec3 base = own_color.rgb * tint.rgb * mix(vec3(1.0), painted.rgb, textured);
    // The key light fades out slightly before triangles face away from it and enter their own
    // shadow.
    float along = min(dot(normal, to_key_light), dot(face, to_key_light) + 0.08);
    // In shadow, light that only grazes the surface stays: it is dim there, and the edges of shadows
    // would be cut into ticks by triangles that barely face the light.
    float grazing = 1.0 - smoothstep(0.2, 0.55, along);
    float lit = mix(grazing, 1.0, key) * max(0.0, (along - 0.1) / 0.9);
    float up = 0.5 + 0.5 * normal.y;
    vec3 sky = mix(vec3(0.13, 0.11, 0.10), vec3(0.30, 0.35, 0.43), up);
    float facing = max(0.0, dot(normal, towards_eye));
    float rim = pow(1.0 - facing, 3.0);
    vec3 light = base * (sky + vec3(1.12, 1.02, 0.88) * lit);
    vec3 half_way = unit(to_key_light + towards_eye);
    float shine = pow(max(0.0, dot(normal, half_way)), 48.0) * lit;
    light += 0.22 * shine + rim * vec3(0.10, 0.13, 0.18) * (0.4 + 0.6 * up);
    if (toon > 0.5) {
        float tone = key * (along > 0.5 ? 1.0 : along > 0.1 ? 0.5 : 0.0);
        light = base * (vec3(0.30, 0.32, 0.36) + vec3(1.0, 0.94, 0.84) * tone);
    }
    float covered = alpha_mode == 2 ? clamp(alpha, 0.0, 1.0) : 1.0;
    pixel = vec4(pow(clamp(light, 0.0, 1.0), vec3(1.0 / 2.2)), covered);
}
