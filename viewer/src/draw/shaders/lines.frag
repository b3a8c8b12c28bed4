// The colour that the ends have.

in vec4 own_colour;

out vec4 pixel;

void main() {
    pixel = own_colour;
}
