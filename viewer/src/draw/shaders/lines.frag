// The interpolated color of a line.

in vec4 own_color;

out vec4 pixel;

void main() {
    pixel = own_color;
}
