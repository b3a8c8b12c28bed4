// What is counted is in the stencil.

out vec4 pixel;

void main() {
    pixel = vec4(0.0);
}
