/* Plays a clip and skins into a vertex buffer of the program's own.
 *
 *     cc play_and_skin.c $(pkg-config --cflags --libs sinew) -lm -o play_and_skin
 *     ./play_and_skin [model.glb] */
#include "arm.h"

typedef struct {
  float position[3], normal[3], texture[2];
} Vertex;

int main(int argc, char **argv) {
  SinewModel model = open_model(argc, argv);
  SinewInstance instance;
  SinewPlaySettings play = SINEW_PLAY_SETTINGS_INIT;
  SinewMeshInstanceInfo info = SINEW_MESH_INSTANCE_INFO_INIT;
  TRY(sinew_instance_new(model, NULL, &instance));
  play.speed = 1.2f;
  TRY(sinew_instance_play(instance, 0, &play));
  TRY(sinew_model_mesh_instance(model, 0, &info));

  /*
   * Offsets and sizes are in bytes. Texture coordinates are not named, so they are never touched.
   */
  SinewLayout layout = {sizeof(Vertex), {1, 0, 0, 0}, {1, 0, 12, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, 0, 0};
  Vertex *vertices = calloc(info.vertices, sizeof(Vertex));
  SinewBuffer buffer = {vertices, info.vertices * sizeof(Vertex)};
  if (vertices == NULL) return 1;
  if (info.attributes < 2) layout.normal.format = 0;

  for (int frame = 0; frame <= 60; frame++) {
    SinewBounds bounds;
    TRY(sinew_instance_step(instance, 1.0f / 60.0f));
    TRY(sinew_instance_skin_into(instance, 0, &layout, &buffer, 1, &bounds));
    if (frame % 20 == 0) {
      const float *last = vertices[info.vertices - 1].position;
      printf("frame %2d: the last vertex is at (%+.3f, %+.3f, %+.3f), the top at %.3f\n", frame, last[0], last[1],
             last[2], bounds.max[1]);
    }
  }
  free(vertices);
  TRY(sinew_instance_destroy(instance));
  TRY(sinew_model_destroy(model));
  return 0;
}
