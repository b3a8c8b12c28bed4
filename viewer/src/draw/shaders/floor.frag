// The floor: a disc with grid lines that fades into the background.

in vec3 world_position;

uniform vec3 center;
uniform float radius;
// Distance between grid lines.
uniform float step_size;
uniform float key;
uniform vec3 lit;
uniform vec3 shaded;
uniform vec3 rule;
uniform vec3 background_low;
uniform vec3 background_high;
uniform float height;

out vec4 pixel;

void main() {
    vec2 away = world_position.xz - center.xz;
    vec2 cell = world_position.xz / step_size;
    vec2 width = max(fwidth(cell), vec2(1e-5));
    vec2 near = abs(fract(cell - 0.5) - 0.5) / width;
    // Lines closer together than a pixel fade to their mean.
    float ruled = (1.0 - clamp(min(near.x, near.y), 0.0, 1.0)) * clamp(1.2 - max(width.x, width.y), 0.0, 1.0);
    vec3 own = mix(mix(shaded, lit, key), rule * mix(0.55, 1.0, key), 0.55 * ruled);
    float left = 1.0 - smoothstep(0.35, 1.0, length(away) / radius);
    vec3 behind = mix(background_low, background_high, clamp(gl_FragCoord.y / height, 0.0, 1.0));
    pixel = vec4(mix(behind, own, left), 1.0);
}
