/* Members of a crowd stand on ground that a C++ function finds on the crowd's threads, and what the
 * function throws leaves the step. */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "sinew.hpp"

static void expect(bool is_true, const char *what) {
  if (is_true) return;
  std::fprintf(stderr, "crowd_feet: expected that %s\n", what);
  std::exit(1);
}

/* A pelvis and one leg, slightly bent, with its foot on the plane y = 0. */
static sinew::Model make_leg() {
  const float offsets[][3] = {{0, 2, 0}, {0, 0, 0}, {0, -1, 0.1f}, {0, -1, -0.1f}};
  std::vector<SinewBone> bones;
  for (std::uint32_t i = 0; i < 4; ++i) {
    SinewBone bone = {{"", 0}, i ? i - 1 : SINEW_NONE, SINEW_TRANSFORM_INIT};
    for (int axis = 0; axis < 3; ++axis) bone.rest.translation[axis] = offsets[i][axis];
    bones.push_back(bone);
  }
  return sinew::Builder(bones).finish();
}

int main() {
  sinew::Model model = make_leg();
  sinew::Crowd crowd(2);
  std::uint32_t index = crowd.add_model(model);
  SinewFeetSettings feet = SINEW_FEET_SETTINGS_INIT;
  feet.pelvis = 0;
  const SinewLeg leg = {1, 2, 3, 0, {0, 0, 0}};
  std::atomic<int> calls{0};
  std::atomic<bool> is_broken{false};
  auto ground = [&](const float *origin, const float *, float, SinewGroundHit &hit) {
    ++calls;
    if (is_broken) throw std::runtime_error("no ground");
    hit = {{origin[0], 0.25f, origin[2]}, {0, 1, 0}};
    return true;
  };
  std::uint64_t member = 0, modifier = 0;
  for (int i = 0; i < 8; ++i) {
    member = crowd.add(index);
    modifier = crowd.push_feet(member, {&leg, 1}, feet, ground);
  }
  crowd.step(1.0f / 60.0f);
  expect(calls == 8, "each member asks for the ground once");
  is_broken = true;
  bool was_thrown = false;
  try {
    crowd.step(1.0f / 60.0f);
  } catch (const std::runtime_error &error) {
    was_thrown = std::string_view(error.what()) == "no ground";
  }
  expect(was_thrown, "a step throws what the function threw");
  /* The crowd moves with its functions, and frees them. */
  sinew::Crowd moved = std::move(crowd);
  is_broken = false;
  int before = calls;
  moved.step(1.0f / 60.0f);
  expect(calls == before + 8, "all functions are called again after that");
  moved.remove_modifier(member, modifier);
  before = calls;
  moved.step(1.0f / 60.0f);
  expect(calls == before + 7, "a removed one is not");
  std::puts("feet of a crowd: ok");
}
