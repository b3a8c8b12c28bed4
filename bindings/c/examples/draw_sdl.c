/* Draws a waving model with SDL 2: skins straight into the vertices that SDL draws from, and lights
 * up the joint under the cursor.
 *
 *     cc draw_sdl.c $(pkg-config --cflags --libs sinew sdl2) -lm -o draw_sdl
 *     ./draw_sdl [model.glb]             Escape ends it
 *     ./draw_sdl --frames 60 --out a.bmp draws 60 frames and writes the last one */
#include <SDL.h>

#include "arm.h"

enum { WIDTH = 640, HEIGHT = 480 };

/* What sinew writes. SDL's own vertices have two coordinates, so they are filled from these. */
typedef struct {
  float position[3], normal[3];
} Vertex;

typedef struct {
  uint32_t corners[3];
  float depth;
} Face;

static int nearer_last(const void *a, const void *b) {
  float x = ((const Face *)a)->depth, y = ((const Face *)b)->depth;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  int frames = -1;
  const char *out = NULL, *path = NULL;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--frames") == 0 && i + 1 < argc) frames = atoi(argv[++i]);
    else if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) out = argv[++i];
    else path = argv[i];
  }
  char *model_argv[2] = {argv[0], (char *)path};
  SinewModel model = open_model(path ? 2 : 1, model_argv);
  SinewInstance instance;
  SinewMeshInstanceInfo info = SINEW_MESH_INSTANCE_INFO_INIT;
  SinewBounds rest;
  TRY(sinew_instance_new(model, NULL, &instance));
  TRY(sinew_instance_play(instance, 0, NULL));
  TRY(sinew_model_mesh_instance(model, 0, &info));
  TRY(sinew_model_rest_bounds(model, &rest));
  Vertex *vertices = calloc(info.vertices, sizeof(Vertex));
  uint32_t *triangles = calloc(3 * (size_t)info.triangles, sizeof(uint32_t));
  Face *faces = calloc(info.triangles, sizeof(Face));
  SDL_Vertex *drawn = calloc(3 * (size_t)info.triangles, sizeof(SDL_Vertex));
  if (!vertices || !triangles || !faces || !drawn) return 1;
  TRY(sinew_model_triangles(model, 0, 0, triangles, 3 * (size_t)info.triangles));
  SinewLayout layout = {sizeof(Vertex), {1, 0, 0, 0}, {1, 0, 12, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, 0, 0};
  SinewBuffer buffer = {vertices, info.vertices * sizeof(Vertex)};

  SDL_Window *window;
  SDL_Renderer *renderer;
  if (SDL_Init(SDL_INIT_VIDEO) != 0 || SDL_CreateWindowAndRenderer(WIDTH, HEIGHT, 0, &window, &renderer) != 0) {
    fprintf(stderr, "SDL: %s\n", SDL_GetError());
    return 1;
  }
  SDL_SetWindowTitle(window, "sinew");
  float size = fmaxf(rest.max[0] - rest.min[0], rest.max[1] - rest.min[1]);
  float scale = 0.8f * HEIGHT / size, middle = 0.5f * (rest.min[1] + rest.max[1]);
  int running = 1;
  for (int frame = 0; running && frame != frames; frame++) {
    SDL_Event event;
    while (SDL_PollEvent(&event)) {
      if (event.type == SDL_QUIT || (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE)) running = 0;
    }
    TRY(sinew_instance_step(instance, 1.0f / 60.0f));
    TRY(sinew_instance_skin_into(instance, 0, &layout, &buffer, 1, NULL));
    int x, y;
    SDL_GetMouseState(&x, &y);
    SinewRay ray = {{((float)x - WIDTH / 2) / scale, middle - ((float)y - HEIGHT / 2) / scale, rest.max[2] + 10.0f * size},
                    {0.0f, 0.0f, -1.0f}, INFINITY, 0};
    SinewHit hit;
    TRY(sinew_instance_cast(instance, &ray, sizeof ray, &hit, sizeof hit, 1));
    /* SDL has no depth buffer: the farthest triangles are drawn first. */
    for (uint32_t i = 0; i < info.triangles; i++) {
      memcpy(faces[i].corners, &triangles[3 * i], sizeof faces[i].corners);
      faces[i].depth = 0.0f;
      for (int c = 0; c < 3; c++) faces[i].depth += vertices[faces[i].corners[c]].position[2];
    }
    qsort(faces, info.triangles, sizeof(Face), nearer_last);
    int count = 0;
    for (uint32_t i = 0; i < info.triangles; i++) {
      for (int c = 0; c < 3; c++) {
        const Vertex *from = &vertices[faces[i].corners[c]];
        float light = 0.25f + 0.75f * fmaxf(0.0f, 0.5f * from->normal[0] + 0.3f * from->normal[1] + 0.8f * from->normal[2]);
        float far_from_hit = 1.0f;
        if (hit.is_hit) {
          float dx = from->position[0] - hit.point[0], dy = from->position[1] - hit.point[1], dz = from->position[2] - hit.point[2];
          far_from_hit = fminf(1.0f, 4.0f * sqrtf(dx * dx + dy * dy + dz * dz) / size);
        }
        SDL_Vertex *to = &drawn[count++];
        to->position.x = WIDTH / 2 + scale * from->position[0];
        to->position.y = HEIGHT / 2 - scale * (from->position[1] - middle);
        to->color.r = (Uint8)(fminf(255.0f, light * 235.0f));
        to->color.g = (Uint8)(fminf(255.0f, light * 150.0f * far_from_hit));
        to->color.b = (Uint8)(fminf(255.0f, light * 90.0f * far_from_hit));
        to->color.a = 255;
        to->tex_coord.x = to->tex_coord.y = 0.0f;
      }
    }
    SDL_SetRenderDrawColor(renderer, 24, 26, 32, 255);
    SDL_RenderClear(renderer);
    SDL_RenderGeometry(renderer, NULL, drawn, count, NULL, 0);
    if (out && frame == frames - 1) {
      SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_ARGB8888);
      SDL_RenderReadPixels(renderer, NULL, surface->format->format, surface->pixels, surface->pitch);
      SDL_SaveBMP(surface, out);
      SDL_FreeSurface(surface);
    }
    SDL_RenderPresent(renderer);
    if (frames < 0) SDL_Delay(16);
  }
  SDL_DestroyRenderer(renderer);
  SDL_DestroyWindow(window);
  SDL_Quit();
  free(drawn), free(faces), free(triangles), free(vertices);
  TRY(sinew_instance_destroy(instance));
  TRY(sinew_model_destroy(model));
  return 0;
}
