/* A server judges a shot against the pose that the shooter saw, a tenth of a second ago.
 *
 *     cc server_rewind.c $(pkg-config --cflags --libs sinew) -lm -o server_rewind
 *     ./server_rewind */
#include "arm.h"

int main(void) {
  SinewModel model = make_arm(1);
  SinewInstance instance;
  SinewHistory history;
  TRY(sinew_instance_new(model, NULL, &instance));
  TRY(sinew_history_new(model, 64, &history));
  TRY(sinew_instance_play(instance, 0, NULL));

  for (int frame = 0; frame < 60; frame++) {
    double now = frame / 60.0, seen = now - 0.1;
    TRY(sinew_instance_step(instance, 1.0f / 60.0f));
    TRY(sinew_history_record(history, now, instance));
    if (frame % 12 != 11) continue;
    /* The shooter aims at where the hand was. */
    SinewInstance past;
    float matrices[12 * ARM_JOINTS];
    TRY(sinew_instance_new(model, NULL, &past));
    TRY(sinew_history_pose(history, seen, past));
    TRY(sinew_instance_matrices(past, matrices, 12 * ARM_JOINTS));
    const float *hand = &matrices[12 * (ARM_JOINTS - 1)];
    SinewRay shot = {{hand[3], hand[7], 10.0f}, {0.0f, 0.0f, -1.0f}, INFINITY, 0};
    SinewHit then, today;
    TRY(sinew_history_cast(history, seen, &shot, sizeof shot, &then, sizeof then, 1));
    TRY(sinew_instance_cast(instance, &shot, sizeof shot, &today, sizeof today, 1));
    printf("shot at %.2f s: %s where the shooter saw it, %s where it is now\n", now, then.is_hit ? "a hit" : "a miss",
           today.is_hit ? "a hit" : "a miss");
    if (!then.is_hit) return 1;
    TRY(sinew_instance_destroy(past));
  }
  TRY(sinew_history_destroy(history));
  TRY(sinew_instance_destroy(instance));
  TRY(sinew_model_destroy(model));
  return 0;
}
