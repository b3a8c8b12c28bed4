/* Plays, skins and casts in reproducible mode, and prints a checksum of all bits, which must be
 * that of reference.rs: checksum MODEL.glb */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew.h"

static uint64_t sum = 0xcbf29ce484222325u;

static void add(const void *data, size_t length) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < length; i++) sum = (sum ^ bytes[i]) * 0x100000001b3u;
}

static void must(SinewCode code) {
  char text[256];
  if (code == SINEW_CODE_OK) return;
  sinew_last_error(text, sizeof text);
  fprintf(stderr, "%s: %s\n", sinew_code_text(code), text);
  exit(1);
}

int main(int argc, char **argv) {
  SinewModel model;
  SinewInstance instance, level;
  SinewSkinSettings two_influences = SINEW_SKIN_SETTINGS_INIT;
  SinewModelInfo info = SINEW_MODEL_INFO_INIT;
  SinewLoadSettings load = SINEW_LOAD_SETTINGS_INIT;
  if (argc != 2) return 2;
  load.reproducible = 1;
  load.level_of_detail = two_influences.max_influences = 2;
  must(sinew_load(argv[1], strlen(argv[1]), NULL, 0, &load, &model));
  must(sinew_model_info(model, &info));
  must(sinew_instance_new(model, NULL, &instance));
  must(sinew_instance_new(model, &two_influences, &level));
  if (info.clips > 0) must(sinew_instance_play(instance, 0, NULL));
  float *palette = malloc(12 * sizeof(float) * (info.joints + 1));
  if (palette == NULL) return 1;
  for (int frame = 0; frame < 10; frame++) {
    must(sinew_instance_step(instance, 1.0f / 30.0f));
    for (uint32_t index = 0; index < info.mesh_instances; index++) {
      SinewMeshInstanceInfo mesh = SINEW_MESH_INSTANCE_INFO_INIT;
      must(sinew_model_mesh_instance(model, index, &mesh));
      for (uint32_t order = 0; order < 2; order++) {
        size_t length = 24 * (size_t)(order ? mesh.padded_vertices : mesh.vertices);
        SinewLayout layout = {24, {1, 0, 0, 0}, {mesh.attributes > 1, 0, 12, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, order, 0};
        SinewBuffer buffer = {calloc(length + 1, 1), length};
        SinewBounds bounds;
        must(sinew_instance_skin_into(instance, index, &layout, &buffer, 1, &bounds));
        add(buffer.data, length);
        add(&bounds, sizeof bounds);
        free(buffer.data);
        /* The level's runs are not in the order of their blocks. */
        length /= 2;
        SinewLayout packed = {12, {1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, order, 0};
        SinewBuffer positions = {calloc(length + 1, 1), length};
        must(sinew_instance_skin_into(level, index, &packed, &positions, 1, NULL));
        add(positions.data, length);
        free(positions.data);
      }
    }
    SinewBounds bounds;
    SinewRay rays[16];
    SinewHit hits[16];
    must(sinew_instance_bounds(instance, &bounds));
    for (int i = 0; i < 16; i++) {
      SinewRay ray = {{0, 0, bounds.max[2] + 1.0f}, {0.0f, 0.0f, -1.0f}, INFINITY, 0};
      for (int axis = 0; axis < 2; axis++) {
        ray.origin[axis] = bounds.min[axis] + (bounds.max[axis] - bounds.min[axis]) * ((float)i / 16.0f);
      }
      rays[i] = ray;
    }
    must(sinew_instance_cast(instance, rays, sizeof rays[0], hits, sizeof hits[0], 16));
    for (int i = 0; i < 16; i++) {
      if (!hits[i].is_hit) continue;
      add(&hits[i].triangle, 4);
      add(&hits[i].joint, 4);
      add(&hits[i].distance, 4);
    }
    for (uint32_t skin = 0; skin < info.skins; skin++) {
      /* A skin has at most as many joints as its palette writes; the rest keeps a mark. */
      float mark = -12345.0f;
      for (uint32_t i = 0; i < 12 * info.joints; i++) palette[i] = mark;
      must(sinew_instance_palette(instance, skin, 0, palette, 12 * (size_t)info.joints));
      for (uint32_t i = 0; i < 12 * info.joints && palette[i] != mark; i++) add(&palette[i], 4);
    }
  }
  printf("%016llx\n", (unsigned long long)sum);
  free(palette);
  must(sinew_instance_destroy(level));
  must(sinew_instance_destroy(instance));
  must(sinew_model_destroy(model));
  return 0;
}
