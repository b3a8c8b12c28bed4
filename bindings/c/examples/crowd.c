/* A crowd on several threads: what is in view is skinned, and its vertices are counted.
 *
 *     cc crowd.c $(pkg-config --cflags --libs sinew) -lm -o crowd
 *     ./crowd [model.glb] */
#include "arm.h"

enum { ROWS = 16 };

/* One counter for each member, since several threads call this at the same time. */
typedef struct {
  uint64_t first_member;
  unsigned vertices[ROWS * ROWS];
} Counts;

static void take(void *user, const SinewSkinnedPart *part) {
  Counts *counts = user;
  uint64_t member = part->member - counts->first_member;
  if (member < ROWS * ROWS) counts->vertices[member] += 8 * (unsigned)part->block_count;
}

int main(int argc, char **argv) {
  SinewModel model = open_model(argc, argv);
  SinewCrowd crowd;
  uint32_t arms;
  uint64_t members[ROWS * ROWS];
  Counts counts;
  TRY(sinew_crowd_new(2, 0, &crowd));
  TRY(sinew_crowd_add_model(crowd, model, NULL, &arms));
  for (int i = 0; i < ROWS * ROWS; i++) {
    float world[12] = {1, 0, 0, 3.0f * (float)(i % ROWS) - 24.0f, 0, 1, 0, 0, 0, 0, 1, 5.0f + 3.0f * (float)(i / ROWS)};
    SinewPlaySettings play = SINEW_PLAY_SETTINGS_INIT;
    TRY(sinew_crowd_add(crowd, arms, &members[i]));
    play.seconds = 0.07 * i;
    TRY(sinew_crowd_play(crowd, members[i], 0, &play));
    TRY(sinew_crowd_set_world(crowd, members[i], world, 12));
    /* Far away, every third step is enough. */
    if (i / ROWS > 8) TRY(sinew_crowd_set_detail(crowd, members[i], 3, (uint32_t)i, 0));
  }
  /* A camera at the origin that looks along +z: 90 degrees wide, from 0.1 to 60 m. */
  static const float view[24] = {1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 0, 1, -0.1f, 0, 0, -1, 60};
  TRY(sinew_crowd_set_view(crowd, view, 24));

  for (int frame = 0; frame <= 30; frame++) {
    unsigned seen = 0, vertices = 0;
    memset(&counts, 0, sizeof counts);
    counts.first_member = members[0];
    TRY(sinew_crowd_step(crowd, 1.0f / 60.0f));
    TRY(sinew_crowd_skin_each(crowd, take, &counts));
    for (int i = 0; i < ROWS * ROWS; i++) {
      seen += counts.vertices[i] > 0;
      vertices += counts.vertices[i];
    }
    if (frame % 10 == 0) printf("frame %2d: %u of %d in view, %u vertices\n", frame, seen, ROWS * ROWS, vertices);
  }
  SinewRay ray = {{0.0f, 1.0f, -5.0f}, {0.0f, 0.0f, 1.0f}, INFINITY, 0};
  SinewHit hit;
  TRY(sinew_crowd_cast(crowd, &ray, sizeof ray, &hit, sizeof hit, 1));
  printf("a ray ahead hits %s, %.2f m away\n", hit.is_hit ? "a member" : "nothing", hit.distance);
  TRY(sinew_crowd_destroy(crowd));
  TRY(sinew_model_destroy(model));
  return 0;
}
