/* A generated model for the examples: an arm of four joints that waves. It is built from arrays, as
 * a program with a format of its own would. */
#ifndef ARM_H
#define ARM_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew.h"

enum { ARM_JOINTS = 4, ARM_RINGS = 33, ARM_SIDES = 24, ARM_VERTICES = ARM_RINGS * ARM_SIDES, ARM_KEYS = 5 };

/* Ends the program with the library's words if a call failed. */
#define TRY(call) try_call(call, #call)

static inline void try_call(SinewCode code, const char *what) {
  char text[512];
  if (code == SINEW_CODE_OK) return;
  sinew_last_error(text, sizeof text);
  fprintf(stderr, "%s: %s (%s)\n", what, text, sinew_code_text(code));
  exit(1);
}

/* A tube along y, four meters long, whose rings follow the two nearest joints. */
static inline SinewModel make_arm(int reproducible) {
  static float positions[3 * ARM_VERTICES], normals[3 * ARM_VERTICES], weights[4 * ARM_VERTICES];
  static uint16_t joints[4 * ARM_VERTICES];
  static uint32_t triangles[6 * ARM_SIDES * (ARM_RINGS - 1)];
  static const char *const names[ARM_JOINTS] = {"shoulder", "elbow", "wrist", "hand"};
  size_t corner = 0;
  for (int ring = 0; ring < ARM_RINGS; ring++) {
    float y = 4.0f * (float)ring / (ARM_RINGS - 1);
    float along = fminf(fmaxf(y - 0.5f, 0.0f), (float)(ARM_JOINTS - 1));
    int joint = (int)fminf(along, (float)(ARM_JOINTS - 2));
    for (int side = 0; side < ARM_SIDES; side++) {
      int v = ring * ARM_SIDES + side, next = ring * ARM_SIDES + (side + 1) % ARM_SIDES;
      float angle = 6.2831853f * (float)side / ARM_SIDES, radius = 0.4f - 0.05f * y;
      float normal[3] = {cosf(angle), 0.0f, -sinf(angle)};
      float position[3] = {radius * normal[0], y, radius * normal[2]};
      memcpy(&positions[3 * v], position, sizeof position);
      memcpy(&normals[3 * v], normal, sizeof normal);
      joints[4 * v] = (uint16_t)joint, joints[4 * v + 1] = (uint16_t)(joint + 1);
      weights[4 * v + 1] = along - (float)joint, weights[4 * v] = 1.0f - weights[4 * v + 1];
      if (ring + 1 < ARM_RINGS) {
        uint32_t quad[6] = {(uint32_t)v, (uint32_t)next, (uint32_t)(v + ARM_SIDES),
                            (uint32_t)(v + ARM_SIDES), (uint32_t)next, (uint32_t)(next + ARM_SIDES)};
        memcpy(&triangles[corner], quad, sizeof quad);
        corner += 6;
      }
    }
  }

  SinewBone bones[ARM_JOINTS];
  uint32_t skin_joints[ARM_JOINTS], skin, mesh;
  for (uint32_t joint = 0; joint < ARM_JOINTS; joint++) {
    SinewBone bone = {{names[joint], strlen(names[joint])}, joint == 0 ? SINEW_NONE : joint - 1, SINEW_TRANSFORM_INIT};
    bone.rest.translation[1] = joint == 0 ? 0.0f : 1.0f;
    bones[joint] = bone;
    skin_joints[joint] = joint;
  }
  SinewBuilder builder;
  TRY(sinew_builder_new(bones, ARM_JOINTS, NULL, 0, (uint32_t)reproducible, &builder));
  TRY(sinew_builder_add_skin(builder, skin_joints, ARM_JOINTS, NULL, 0, &skin));
  SinewMesh source = SINEW_MESH_INIT;
  source.influences_per_vertex = 4;
  source.positions.data = positions, source.positions.length = 3 * ARM_VERTICES;
  source.normals.data = normals, source.normals.length = 3 * ARM_VERTICES;
  source.joints16.data = joints, source.joints16.length = 4 * ARM_VERTICES;
  source.weights.data = weights, source.weights.length = 4 * ARM_VERTICES;
  source.triangles.data = triangles, source.triangles.length = corner;
  TRY(sinew_builder_add_mesh(builder, skin, SINEW_TEXT("arm"), &source, &mesh));
  TRY(sinew_builder_add_mesh_instance(builder, SINEW_TEXT("arm"), 0, mesh, skin, 0, NULL));

  /* Two seconds: every joint but the first turns about z, back and forth. */
  static const float times[ARM_KEYS] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f};
  static const float turns[4 * ARM_KEYS] = {0, 0, 0, 1, 0, 0, .28f, .96f, 0, 0, 0, 1, 0, 0, -.28f, .96f, 0, 0, 0, 1};
  SinewTrack tracks[ARM_JOINTS - 1];
  for (uint32_t joint = 1; joint < ARM_JOINTS; joint++) {
    SinewTrack track = {0, joint, 0, 1, {times, ARM_KEYS}, {turns, 4 * ARM_KEYS}};
    tracks[joint - 1] = track;
  }
  TRY(sinew_builder_add_clip(builder, SINEW_TEXT("wave"), tracks, ARM_JOINTS - 1, NULL));
  SinewModel model;
  TRY(sinew_builder_finish(builder, &model));
  return model;
}

/* The model of a file, or the generated one. */
static inline SinewModel open_model(int argc, char **argv) {
  SinewModel model;
  if (argc < 2) return make_arm(0);
  TRY(sinew_load(argv[1], strlen(argv[1]), NULL, 0, NULL, &model));
  return model;
}

#endif
