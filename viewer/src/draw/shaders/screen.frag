// The resolved picture, or the background gradient.

in vec2 at;

uniform sampler2D picture;
uniform float gradient;
uniform vec3 background_low;
uniform vec3 background_high;

out vec4 pixel;

void main() {
    vec4 shown = texture(picture, at);
    pixel = gradient > 0.5 ? vec4(mix(background_low, background_high, at.y), 1.0) : vec4(shown.rgb, 1.0);
}
