// Plays, skins, picks, rewinds and keeps a crowd, in C++17.
//
//     c++ -std=c++17 play_and_skin.cpp $(pkg-config --cflags --libs sinew) -o play_and_skin_cpp
//     ./play_and_skin_cpp [model.glb]
#include "sinew.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

#include "arm.h"

struct Vertex {
  float position[3], normal[3];
};

int main(int argc, char **argv) try {
  sinew::Model model = argc > 1 ? sinew::Model::load(argv[1]) : sinew::Model(make_arm(0));
  for (const std::string &warning : model.warnings()) std::printf("warning: %s\n", warning.c_str());

  sinew::Instance arm(model);
  arm.play(0);
  const std::uint32_t joints = model.info().joints;
  arm.push([joints](const sinew::PoseEdit &edit) {
    // A modifier of the program's own: the last joint grows.
    for (float &scale : edit.joints[joints - 1].scale) scale = 1.5f;
  });
  sinew::History history(model, 32);
  std::vector<Vertex> vertices(model.mesh_instance(0).vertices);
  const SinewLayout layout = sinew::interleaved(sizeof(Vertex), offsetof(Vertex, position), offsetof(Vertex, normal));
  for (int frame = 0; frame < 30; ++frame) {
    sinew::Bounds bounds;
    arm.step(1.0f / 60.0f);
    arm.skin_into(0, layout, sinew::Span<Vertex>(vertices), &bounds);
    history.record(frame / 60.0, arm);
    if (frame % 10 == 9) std::printf("frame %d: from x %.3f to %.3f\n", frame, bounds.min[0], bounds.max[0]);
  }

  const sinew::Bounds bounds = arm.bounds();
  const sinew::Ray ray{{0.0f, 1.0f, bounds.max[2] + 1.0f}, {0.0f, 0.0f, -1.0f}, std::numeric_limits<float>::infinity(), 0};
  if (const sinew::Hit hit = arm.cast(ray); hit.is_hit) {
    std::printf("hit %s at distance %.3f\n", model.joint_name(hit.joint).c_str(), hit.distance);
  }
  std::printf("a moment ago: %s\n", history.cast(0.1, ray).is_hit ? "hit" : "miss");

  sinew::Crowd crowd(2);
  const std::uint32_t arms = crowd.add_model(model);
  for (int i = 0; i < 10; ++i) crowd.play(crowd.add(arms), 0);
  crowd.step(1.0f / 60.0f);

  // Errors are exceptions with the library's words, and so is what a callback throws.
  try {
    model.find_joint("no such joint");
  } catch (const sinew::Error &error) {
    std::printf("%s: %s\n", sinew_code_text(error.code()), error.what());
  }
  arm.push([](const sinew::PoseEdit &) { throw std::runtime_error("thrown in a callback"); });
  try {
    arm.step(0.0f);
    return 1;
  } catch (const std::runtime_error &error) {
    std::printf("%s\n", error.what());
  }
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
