/* Picks with a ray: which joint is under the cursor. A modifier of the program's own, and one that
 * aims, change the pose before.
 *
 *     cc pick.c $(pkg-config --cflags --libs sinew) -lm -o pick
 *     ./pick [model.glb] */
#include "arm.h"

/* Bends the last joint, more and more. */
static void bend(void *user, const SinewPoseEdit *edit) {
  float *angle = user;
  SinewTransform *last = &edit->joints[edit->joint_count - 1];
  *angle += edit->seconds;
  last->rotation[0] = sinf(0.5f * *angle), last->rotation[1] = last->rotation[2] = 0.0f;
  last->rotation[3] = cosf(0.5f * *angle);
}

int main(int argc, char **argv) {
  SinewModel model = open_model(argc, argv);
  SinewInstance instance;
  SinewBounds bounds;
  SinewAimSettings aim = SINEW_AIM_SETTINGS_INIT;
  float angle = 0.0f;
  uint64_t modifier;
  TRY(sinew_instance_new(model, NULL, &instance));
  TRY(sinew_instance_play(instance, 0, NULL));
  TRY(sinew_instance_push_callback(instance, bend, &angle, NULL, &modifier));
  aim.forward[1] = 1.0f, aim.forward[2] = 0.0f;
  aim.target[0] = 1.0f, aim.target[1] = 9.0f;
  aim.weight = 0.5f;
  TRY(sinew_instance_push_aim(instance, &aim, &modifier));

  for (int frame = 0; frame < 4; frame++) {
    SinewRay rays[5];
    SinewHit hits[5];
    TRY(sinew_instance_step(instance, 0.25f));
    TRY(sinew_instance_bounds(instance, &bounds));
    /* A column of rays along -z through the middle, all in one call. */
    for (int i = 0; i < 5; i++) {
      float y = bounds.min[1] + (0.1f + 0.2f * (float)i) * (bounds.max[1] - bounds.min[1]);
      SinewRay ray = {{0.5f * (bounds.min[0] + bounds.max[0]), y, bounds.max[2] + 1.0f}, {0.0f, 0.0f, -1.0f}, INFINITY, 0};
      rays[i] = ray;
    }
    TRY(sinew_instance_cast(instance, rays, sizeof rays[0], hits, sizeof hits[0], 5));
    printf("after %.2f s:", 0.25 * (frame + 1));
    for (int i = 0; i < 5; i++) {
      char name[64] = "nothing";
      if (hits[i].is_hit) TRY(sinew_model_joint_name(model, hits[i].joint, name, sizeof name, NULL));
      printf(" %s", name);
    }
    printf("\n");
  }
  TRY(sinew_instance_destroy(instance));
  TRY(sinew_model_destroy(model));
  return 0;
}
