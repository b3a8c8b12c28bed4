/* A tail that swings after a body that runs, reaches for a point, and changes its motion without a
 * jump; and what fires on the way.
 *
 *     cc swing.c $(pkg-config --cflags --libs sinew) -lm -o swing && ./swing */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sinew.h"

static void must(SinewCode code) {
  char text[256];
  if (code == SINEW_CODE_OK) return;
  sinew_last_error(text, sizeof text);
  fprintf(stderr, "%s: %s\n", sinew_code_text(code), text);
  exit(1);
}

/* A body with a tail of four bones, two clips, and an event in the first. */
static SinewModel make_tail(void) {
  static const float times[] = {0.0f, 0.5f, 1.0f};
  static const float aside[] = {0, 1, 0, 0.5f, 1, 0, 0, 1, 0}, up[] = {0, 1, 0, 0, 1.5f, 0, 0, 1, 0};
  SinewBone bones[6];
  SinewSpringJoint joints[5];
  SinewBuilder builder;
  SinewModel model;
  for (uint32_t i = 0; i < 6; i++) {
    SinewBone bone = {{"", 0}, i ? i - 1 : SINEW_NONE, SINEW_TRANSFORM_INIT};
    bone.rest.translation[i ? 2 : 1] = i ? -0.25f : 1.0f;
    bones[i] = bone;
  }
  must(sinew_builder_new(bones, 6, NULL, 0, 1, &builder));
  SinewTrack track = {1, 0, 0, 1, {times, 3}, {aside, 9}};
  must(sinew_builder_add_clip(builder, SINEW_TEXT("aside"), &track, 1, NULL));
  track.values.data = up;
  must(sinew_builder_add_clip(builder, SINEW_TEXT("up"), &track, 1, NULL));
  SinewClipEvent event = {{"half", 4}, 0.5f};
  must(sinew_builder_set_events(builder, 0, &event, 1));
  for (uint32_t i = 0; i < 5; i++) {
    SinewSpringJoint joint = SINEW_SPRING_JOINT_INIT;
    joint.joint = i + 1, joint.gravity_power = 0.5f;
    joints[i] = joint;
  }
  must(sinew_builder_add_spring(builder, joints, 5, NULL, 0, SINEW_NONE));
  must(sinew_builder_finish(builder, &model));
  return model;
}

/* A frame: two meters a second along z. */
static void run(SinewInstance instance, int frame) {
  float world[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, (float)frame / 30.0f};
  must(sinew_instance_set_world(instance, world, 12));
  must(sinew_instance_step(instance, 1.0f / 60.0f));
}

static void print_tip(SinewInstance instance, const char *what) {
  float matrices[6 * 12];
  must(sinew_instance_matrices(instance, matrices, 72));
  printf("%s: the tip is at (%.3f, %.3f, %.3f)\n", what, matrices[63], matrices[67], matrices[71]);
}

int main(void) {
  SinewModel model = make_tail();
  SinewInstance instance;
  uint64_t springs, chain;
  must(sinew_instance_new(model, NULL, &instance));
  must(sinew_instance_play(instance, 0, NULL));
  must(sinew_instance_push_springs(instance, INFINITY, &springs));
  for (int frame = 1; frame <= 45; frame++) {
    SinewEvent fired[4];
    size_t count;
    run(instance, frame);
    must(sinew_instance_events(instance, fired, 4, &count));
    for (size_t i = 0; i < count && i < 4; i++) {
      char name[16];
      must(sinew_model_event_name(model, fired[i].clip, fired[i].event, name, sizeof name, NULL));
      printf("frame %d: %s\n", frame, name);
    }
  }
  print_tip(instance, "swinging");

  /* To the other clip: what is left of the motion decays over half a second. */
  SinewPlaySettings smooth = SINEW_PLAY_SETTINGS_INIT;
  smooth.mode = 4, smooth.fade_seconds = 0.5f;
  must(sinew_instance_play(instance, 1, &smooth));
  run(instance, 46);
  print_tip(instance, "a frame later");

  /* The tail reaches for a point instead. */
  uint32_t joints[5] = {1, 2, 3, 4, 5}, reach;
  float distance;
  SinewChainSettings target = SINEW_CHAIN_SETTINGS_INIT;
  target.target[0] = 0.5f, target.target[1] = 1.25f;
  must(sinew_instance_remove_modifier(instance, springs));
  must(sinew_instance_push_chain(instance, joints, 5, NULL, 0, &target, &chain));
  must(sinew_instance_step(instance, 1.0f / 60.0f));
  must(sinew_instance_chain_reach(instance, chain, &reach, &distance));
  print_tip(instance, reach == 0 ? "reached" : "as close as it can");
  must(sinew_instance_destroy(instance));
  must(sinew_model_destroy(model));
  return 0;
}
