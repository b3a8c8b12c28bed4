/* Calls every function in random order with hostile arguments: stale, null, foreign and wrong
 * handles, null pointers, lengths that are zero, too short or beyond the address space, NaN.
 * Nothing may crash; every call must return a known code.
 *
 *     hostile SEED CALLS            random calls; prints how many returned which code
 *     -DSINEW_LIBFUZZER             a target for libFuzzer instead, whose bytes are the choices
 *
 * A pointer is valid for its length, null, or has a length beyond the address space, because that
 * is the header's contract. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew.h"

enum { ARENA = 4096, SLOTS = 12, CODES = 20, KINDS = 8 };

/* Where choices come from: the bytes of a fuzzer, then a generator. */
static const uint8_t *choices;
static size_t choices_left;
static uint64_t state;

static uint32_t any(void) {
  if (choices_left > 0) {
    choices_left--;
    return *choices++;
  }
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 16);
}

static uint32_t below(uint32_t limit) { return any() % limit; }

/* Memory that any pointer may point to. 16 bytes more, so that a misaligned one fits too. */
static union {
  uint8_t bytes[ARENA + 16];
  float floats[ARENA / 4];
  uint32_t integers[ARENA / 4];
  double alignment;
} arena[4];

static uint64_t handles[KINDS][SLOTS];
static uint64_t members[SLOTS], modifiers[SLOTS];
static unsigned long long counts[CODES];

static uint64_t handle(int kind) {
  switch (below(12)) {
  case 0: return 0;
  case 1: return (uint64_t)any() << 32 | any();
  case 2: return handles[below(KINDS)][below(SLOTS)];
  case 3: return handles[kind][below(SLOTS)] + 1;
  default: return handles[kind][below(SLOTS)];
  }
}

static void destroy(int kind, uint64_t id) {
  switch (kind) {
  case 0: { SinewModel model = {id}; sinew_model_destroy(model); break; }
  case 1: { SinewBuilder builder = {id}; sinew_builder_destroy(builder); break; }
  case 2: { SinewInstance instance = {id}; sinew_instance_destroy(instance); break; }
  case 3: { SinewMask mask = {id}; sinew_mask_destroy(mask); break; }
  case 4: { SinewHistory history = {id}; sinew_history_destroy(history); break; }
  case 5: { SinewCrowd crowd = {id}; sinew_crowd_destroy(crowd); break; }
  case 6: { SinewSkinnedMesh mesh = {id}; sinew_skinned_mesh_destroy(mesh); break; }
  default: { SinewBlendSpace space = {id}; sinew_blend_space_destroy(space); break; }
  }
}

/* Keeps a handle in place of another one. Stale handles stay where they are. */
static void keep(int kind, uint64_t id) {
  uint32_t slot = below(SLOTS);
  destroy(kind, handles[kind][slot]);
  handles[kind][slot] = id;
}

static uint32_t index_of(void) {
  switch (below(6)) {
  case 0: return SINEW_NONE;
  case 1: return any();
  default: return below(4);
  }
}

static uint32_t flag(void) { return below(20) == 0 ? any() : below(2); }

static float number(void) {
  switch (below(12)) {
  case 0: return NAN;
  case 1: return INFINITY;
  case 2: return -INFINITY;
  case 3: return 3e38f;
  case 4: return 1e-40f;
  case 5: return -1.0f;
  default: return (float)below(1000) / 250.0f;
  }
}

static uint64_t member(void) {
  return below(6) == 0 ? (uint64_t)any() << 32 | any() : members[below(SLOTS)];
}

static uint64_t modifier(void) {
  return below(6) == 0 ? (uint64_t)any() << 32 | any() : modifiers[below(SLOTS)];
}

/* A pointer and its length, in elements of a size. */
typedef struct {
  void *data;
  size_t length;
} Array;

static Array array(size_t size) {
  Array array = {arena[below(4)].bytes, 0};
  switch (below(10)) {
  case 0: array.data = NULL; break;
  case 1: break;
  case 2: array.length = (size_t)-1 - below(3); break;
  case 3: array.length = ((size_t)1 << 63) / size + below(2); break;
  case 4: array.data = arena[below(4)].bytes + 1 + below(7); array.length = 1 + below(8); break;
  case 5: array.length = ARENA / size; break;
  default: array.length = below(64); break;
  }
  if (array.data == NULL) array.length = below(3) ? below(4) : (size_t)-1;
  return array;
}

static void scramble(void) {
  float *to = arena[below(4)].floats;
  for (int i = 0; i < 24; i++) to[below(ARENA / 4)] = number();
  uint32_t *integers = arena[below(4)].integers;
  for (int i = 0; i < 8; i++) integers[below(ARENA / 4)] = below(8);
}

/* Randomizes a struct, whose size is mostly right. */
static void *record(void *defaults, size_t size) {
  uint32_t *numbers = defaults;
  for (uint32_t i = below(4); i > 0; i--) {
    uint32_t at = 1 + below((uint32_t)(size / 4) - 1);
    float value = number();
    if (below(2)) numbers[at] = below(5);
    else memcpy(&numbers[at], &value, 4);
  }
  if (below(10) == 0) numbers[0] = any();
  return below(12) == 0 ? NULL : defaults;
}

static void *result(void *to) { return below(15) == 0 ? NULL : to; }

static SinewFloats floats(void) {
  Array numbers = array(4);
  SinewFloats span = {numbers.data, numbers.length};
  return span;
}

static SinewUint32s integers(void) {
  Array numbers = array(4);
  SinewUint32s span = {numbers.data, numbers.length};
  return span;
}

static SinewText text(void) {
  static const char *const names[] = {"walk", "root", "", "\xff\xfe", "tip", "arm", "hostile.xyz"};
  const char *name = names[below(7)];
  SinewText text = {name, strlen(name)};
  if (below(8) == 0) text.data = NULL;
  if (below(8) == 0) text.length = (size_t)-1;
  return text;
}

static void edit_pose(void *user, const SinewPoseEdit *edit) {
  (void)user;
  if (edit->joint_count > 0) edit->joints[edit->joint_count - 1].translation[1] += number();
  if (edit->morph_weight_count > 0) edit->morph_weights[0] = number();
  /* An instance that is being stepped is in use, and so is a crowd. */
  SinewInstance instance = {handles[2][below(SLOTS)]};
  sinew_instance_step(instance, 0.0f);
}

static unsigned freed, owned, asked;

/* What it finds depends on the ray alone: crowds call it from their threads. */
static uint32_t find_ground(void *user, const float *origin, const float *direction, float length, SinewGroundHit *hit) {
  uint32_t bits;
  (void)user;
  __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
  memcpy(&bits, &origin[0], 4);
  for (int i = 0; i < 3; i++) hit->point[i] = origin[i] + 0.5f * length * direction[i], hit->normal[i] = -direction[i];
  if (bits % 5 == 0) hit->point[bits % 3] = NAN;
  if (bits % 7 == 0) hit->normal[bits % 3] = INFINITY;
  return bits % 4;
}

static void free_user(void *user) {
  (void)user;
  freed++;
}

static void take_part(void *user, const SinewSkinnedPart *part) {
  volatile float *sum = user;
  if (part->block_count > 0) *sum = part->blocks[part->block_count * part->vectors * 24 - 1];
}

static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/* A strip of triangles between two joints, with a clip: what most calls succeed with. */
static SinewCode build_model(void) {
  static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};
  static const float normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
  static const uint16_t joints[] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
  static const float weights[] = {1, 0, 0, 0, 1, 0, 0, 0, .5f, .5f, 0, 0, .5f, .5f, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
  static const uint32_t triangles[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
  static const float deltas[] = {0, 0, 1};
  static const uint32_t moved[] = {5};
  static const float times[] = {0, 1}, turns[] = {0, 0, 0, 1, 0, 0, .6f, .8f}, opens[] = {0, 1};
  static const float rest[] = {0};
  SinewBone bones[4] = {{{"root", 4}, SINEW_NONE, SINEW_TRANSFORM_INIT},
                        {{"tip", 3}, 0, SINEW_TRANSFORM_INIT},
                        {{"shin", 4}, 1, SINEW_TRANSFORM_INIT},
                        {{"foot", 4}, 2, SINEW_TRANSFORM_INIT}};
  bones[1].rest.translation[1] = 1.0f;
  bones[2].rest.translation[1] = bones[3].rest.translation[1] = -0.5f;
  SinewBuilder builder;
  SinewModel model;
  uint32_t skin, mesh, skin_joints[2] = {0, 1};
  SinewCode code = sinew_builder_new(bones, 4, rest, 1, below(2), &builder);
  if (code != SINEW_CODE_OK) return code;
  sinew_builder_add_skin(builder, skin_joints, 2, NULL, 0, &skin);
  SinewMesh source = SINEW_MESH_INIT;
  SinewMorph morph = {{"smile", 5}, {moved, 1}, {deltas, 3}, {NULL, 0}, {NULL, 0}};
  source.influences_per_vertex = 4;
  source.positions.data = positions, source.positions.length = 18;
  source.normals.data = normals, source.normals.length = 18;
  source.joints16.data = joints, source.joints16.length = 24;
  source.weights.data = weights, source.weights.length = 24;
  source.triangles.data = triangles, source.triangles.length = 12;
  source.morphs = &morph, source.morph_count = 1;
  sinew_builder_add_mesh(builder, 0, SINEW_TEXT("strip"), &source, &mesh);
  sinew_builder_add_mesh_instance(builder, SINEW_TEXT("strip"), 0, 0, 0, 0, NULL);
  SinewTrack tracks[2] = {{0, 1, 0, 1, {times, 2}, {turns, 8}}, {3, 0, 1, 1, {times, 2}, {opens, 2}}};
  sinew_builder_add_clip(builder, SINEW_TEXT("walk"), tracks, 2, NULL);
  sinew_builder_add_clip(builder, SINEW_TEXT("still"), tracks, 1, NULL);
  SinewClipEvent events[2] = {{{"step", 4}, 0.5f}, {{"end", 3}, 1.0f}};
  sinew_builder_set_events(builder, 0, events, 2);
  SinewSpringJoint swinging[2] = {SINEW_SPRING_JOINT_INIT, SINEW_SPRING_JOINT_INIT};
  SinewColliderSettings collider = SINEW_COLLIDER_SETTINGS_INIT;
  swinging[1].joint = 1, swinging[0].gravity_power = 1.0f, collider.radius = 0.5f;
  sinew_builder_add_collider(builder, &collider, &skin);
  sinew_builder_add_spring(builder, swinging, 2, &skin, 1, below(2) ? SINEW_NONE : 0);
  code = sinew_builder_finish(builder, &model);
  if (code == SINEW_CODE_OK) keep(0, model.id);
  return code;
}

static SinewMesh hostile_mesh(SinewMorph *morphs) {
  SinewMesh mesh = SINEW_MESH_INIT;
  record(&mesh, 16);
  mesh.influences_per_vertex = 4 * below(4);
  mesh.positions = floats(), mesh.weights = floats(), mesh.triangles = integers();
  mesh.counts = integers(), mesh.joints32 = integers();
  Array shorts = array(2);
  mesh.joints16.data = shorts.data, mesh.joints16.length = shorts.length;
  if (below(3) == 0) mesh.normals = floats();
  if (below(4) == 0) mesh.tangents = floats(), mesh.bitangents = floats();
  if (below(3) == 0) {
    SinewMorph morph = {text(), integers(), floats(), floats(), floats()};
    morphs[0] = morph;
    mesh.morphs = morphs, mesh.morph_count = 1;
  }
  return mesh;
}

static SinewLayout layout(void) {
  SinewLayout layout = {24, {1, 0, 0, 0}, {1, 0, 12, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, 0, 0};
  if (below(3) == 0) layout.stride = below(2) ? below(64) : ((uint64_t)any() << 32 | any());
  if (below(3) == 0) layout.position.format = below(8);
  if (below(3) == 0) layout.normal.format = below(8), layout.normal.offset = below(40);
  if (below(6) == 0) layout.tangent.format = below(8), layout.tangent.offset = below(40);
  if (below(6) == 0) layout.position.fourth = below(5), layout.position.stride = (uint64_t)any() << below(40);
  if (below(2) == 0) layout.order = below(3);
  return layout;
}

static size_t buffers(SinewBuffer *to) {
  for (int i = 0; i < 4; i++) {
    Array bytes = array(1);
    to[i].data = bytes.data, to[i].length = bytes.length;
  }
  return below(3) ? 1 : below(7) == 0 ? (size_t)-1 : below(5);
}

typedef struct {
  const void *rays;
  void *hits;
  size_t ray_stride, hit_stride, count;
} Casts;

static Casts casts(void) {
  Casts casts = {arena[below(4)].bytes + below(2), arena[below(4)].bytes, sizeof(SinewRay), sizeof(SinewHit), below(8)};
  SinewRay ray = {{number(), number(), 5.0f}, {0.0f, 0.0f, -1.0f}, INFINITY, 0};
  if (below(4) == 0) ray.direction[below(3)] = number(), ray.max_distance = number(), ray.faces = below(3);
  memcpy(arena[below(4)].bytes + below(2), &ray, sizeof ray);
  switch (below(12)) {
  case 0: casts.rays = NULL; break;
  case 1: casts.hits = NULL; break;
  case 2: casts.ray_stride = below(40); break;
  case 3: casts.hit_stride = below(72); break;
  case 4: casts.count = (size_t)-1 - below(4); break;
  case 5: casts.ray_stride = (size_t)-1, casts.count = 2; break;
  default: break;
  }
  if (casts.ray_stride != (size_t)-1 && casts.ray_stride > sizeof(SinewRay)) casts.ray_stride = sizeof(SinewRay);
  return casts;
}

static SinewCode call(void) {
  SinewModel model = {handle(0)}, made_model = {0};
  SinewBuilder builder = {handle(1)}, made_builder = {0};
  SinewInstance instance = {handle(2)}, made_instance = {0};
  SinewMask mask = {handle(3)}, made_mask = {0};
  SinewHistory history = {handle(4)}, made_history = {0};
  SinewCrowd crowd = {handle(5)}, made_crowd = {0};
  SinewSkinnedMesh mesh = {handle(6)}, made_mesh = {0};
  SinewBlendSpace space = {handle(7)}, made_space = {0};
  SinewCode code;
  uint32_t out = 0;
  uint64_t out64 = 0;
  size_t length = 0;
  Array numbers = array(4);
  Array bytes = array(1);
  SinewText name = text();
  SinewMorph morphs[1];
  SinewSkinSettings skin = SINEW_SKIN_SETTINGS_INIT;
  SinewPlaySettings play = SINEW_PLAY_SETTINGS_INIT;
  SinewLoadSettings load = SINEW_LOAD_SETTINGS_INIT;
  SinewRootMotionSettings motion = SINEW_ROOT_MOTION_SETTINGS_INIT;
  SinewAimSettings aim = SINEW_AIM_SETTINGS_INIT;
  SinewReachSettings reach = SINEW_REACH_SETTINGS_INIT;
  SinewOverrideSettings joint = SINEW_OVERRIDE_SETTINGS_INIT;
  SinewTurnSettings turn = SINEW_TURN_SETTINGS_INIT;
  SinewAttachmentSettings attachment = SINEW_ATTACHMENT_SETTINGS_INIT;
  SinewChainSettings chain = SINEW_CHAIN_SETTINGS_INIT;
  SinewFeetSettings feet = SINEW_FEET_SETTINGS_INIT;
  SinewColliderSettings collider = SINEW_COLLIDER_SETTINGS_INIT;
  SinewModelInfo model_info = SINEW_MODEL_INFO_INIT;
  SinewClipInfo clip_info = SINEW_CLIP_INFO_INIT;
  SinewMeshInstanceInfo mesh_info = SINEW_MESH_INSTANCE_INFO_INIT;
  SinewPlaybackInfo playback_info = SINEW_PLAYBACK_INFO_INIT;
  SinewLayout vertices = layout();
  SinewBuffer memory[4];
  SinewBounds bounds = {{0, 0, 0}, {1, 1, 1}};
  SinewSphere sphere;
  SinewTransform transform = SINEW_TRANSFORM_INIT;
  SinewHit hit;
  float world[12], planes[24];
  float point[3] = {number(), number(), number()};
  double oldest, newest;
  memcpy(world, identity, sizeof world);
  if (below(4) == 0) world[below(12)] = number();
  for (int i = 0; i < 24; i++) planes[i] = number();
  if (below(8) == 0) scramble();

  switch (below(115)) {
  case 0: case 1: return build_model();
  case 2: return sinew_model_destroy(model);
  case 3: return sinew_model_info(model, record(&model_info, sizeof model_info));
  case 4: return sinew_model_warning(model, index_of(), bytes.data, bytes.length, result(&length));
  case 5: return sinew_model_find_joint(model, name.data, name.length, result(&out));
  case 6: return sinew_model_joint_name(model, index_of(), bytes.data, bytes.length, result(&length));
  case 7: return sinew_model_parents(model, numbers.data, numbers.length);
  case 8: numbers = array(40); return sinew_model_rest_pose(model, numbers.data, numbers.length);
  case 9: return sinew_model_rest_bounds(model, result(&bounds));
  case 10: return sinew_model_find_clip(model, name.data, name.length, result(&out));
  case 11: return sinew_model_clip_name(model, index_of(), bytes.data, bytes.length, result(&length));
  case 12: return sinew_model_clip(model, index_of(), record(&clip_info, sizeof clip_info));
  case 13: return sinew_model_mesh_instance(model, index_of(), record(&mesh_info, sizeof mesh_info));
  case 14: return sinew_model_mesh_instance_name(model, index_of(), bytes.data, bytes.length, result(&length));
  case 15: return sinew_model_triangles(model, index_of(), below(3), numbers.data, numbers.length);
  case 16: return sinew_model_texture_coordinates(model, index_of(), index_of(), below(3), numbers.data, numbers.length);
  case 17: return sinew_model_source_vertices(model, index_of(), numbers.data, numbers.length);
  case 18:
    code = sinew_mask_new(numbers.data, numbers.length, result(&made_mask));
    if (made_mask.id) keep(3, made_mask.id);
    return code;
  case 19:
    code = sinew_mask_subtree(model, index_of(), result(&made_mask));
    if (made_mask.id) keep(3, made_mask.id);
    return code;
  case 20:
    code = sinew_mask_complement(mask, result(&made_mask));
    if (made_mask.id) keep(3, made_mask.id);
    return code;
  case 21: return sinew_mask_destroy(mask);
  case 22: {
    SinewBone bones[3];
    for (int i = 0; i < 3; i++) {
      SinewBone bone = {text(), i == 0 ? SINEW_NONE : index_of(), SINEW_TRANSFORM_INIT};
      if (below(6) == 0) bone.rest.rotation[below(4)] = number();
      bones[i] = bone;
    }
    code = sinew_builder_new(below(9) ? bones : NULL, below(9) ? below(4) : (size_t)-1, numbers.data,
                             numbers.length, flag(), result(&made_builder));
    if (made_builder.id) keep(1, made_builder.id);
    return code;
  }
  case 23: return sinew_builder_destroy(builder);
  case 24: {
    Array matrices = array(4);
    return sinew_builder_add_skin(builder, numbers.data, numbers.length, matrices.data, matrices.length, result(&out));
  }
  case 25: case 26: {
    SinewMesh source = hostile_mesh(morphs);
    return sinew_builder_add_mesh(builder, index_of(), name.data, name.length, below(12) ? &source : NULL, result(&out));
  }
  case 27: return sinew_builder_add_texture_coordinates(builder, index_of(), numbers.data, numbers.length);
  case 28: return sinew_builder_add_mesh_instance(builder, name.data, name.length, index_of(), index_of(), index_of(), index_of(), result(&out));
  case 29: {
    SinewTrack track = {below(5), index_of(), index_of(), below(4), floats(), floats()};
    return sinew_builder_add_clip(builder, name.data, name.length, below(9) ? &track : NULL, below(9) ? below(2) : (size_t)-1, result(&out));
  }
  case 30:
    code = sinew_builder_finish(builder, result(&made_model));
    if (made_model.id) keep(0, made_model.id);
    return code;
  case 31: case 32:
    code = sinew_instance_new(model, record(&skin, sizeof skin), result(&made_instance));
    if (made_instance.id) keep(2, made_instance.id);
    return code;
  case 33: return sinew_instance_destroy(instance);
  case 34: case 35: case 36: return sinew_instance_step(instance, number());
  case 37: return sinew_instance_sample(instance, index_of(), number());
  case 38: return sinew_instance_set_world(instance, below(9) ? world : NULL, below(9) ? 12 : below(13));
  case 39: numbers = array(40); return sinew_instance_pose(instance, index_of(), numbers.data, numbers.length);
  case 40: {
    if (below(3)) {
      transform.translation[below(3)] = number();
      return sinew_instance_set_pose(instance, below(3), &transform, 1);
    }
    numbers = array(40);
    return sinew_instance_set_pose(instance, index_of(), numbers.data, numbers.length);
  }
  case 41: return sinew_instance_morph_weights(instance, numbers.data, numbers.length);
  case 42: return sinew_instance_set_morph_weights(instance, index_of(), numbers.data, numbers.length);
  case 43: aim.joint = below(3); return sinew_instance_aim(instance, record(&aim, sizeof aim), result(&out));
  case 44: reach.middle = 1, reach.end = below(3); return sinew_instance_reach(instance, record(&reach, sizeof reach), result(&out));
  case 45: return sinew_instance_matrices(instance, numbers.data, numbers.length);
  case 46: return sinew_instance_palette(instance, index_of(), flag(), numbers.data, numbers.length);
  case 47: return sinew_instance_bounds(instance, result(&bounds));
  case 48: return sinew_instance_sphere(instance, result(&sphere));
  case 49: case 50: case 51:
    length = buffers(memory);
    return sinew_instance_skin_into(instance, below(4) ? 0 : index_of(), below(15) ? &vertices : NULL, below(15) ? memory : NULL, length, result(&bounds));
  case 52: case 53: {
    Casts c = casts();
    return sinew_instance_cast(instance, c.rays, c.ray_stride, c.hits, c.hit_stride, c.count);
  }
  case 54: case 55: return sinew_instance_play(instance, below(4) ? 0 : index_of(), record(&play, sizeof play));
  case 56: return sinew_instance_stop(instance);
  case 57: return sinew_instance_playback_count(instance, result(&out));
  case 58: return sinew_instance_playback(instance, index_of(), record(&playback_info, sizeof playback_info));
  case 59: return sinew_instance_set_speed(instance, index_of(), number());
  case 60: return sinew_instance_set_weight(instance, index_of(), number());
  case 61: return sinew_instance_seek(instance, index_of(), number());
  case 62: return sinew_instance_set_clamp(instance, index_of(), flag());
  case 63: return sinew_instance_fade_in(instance, index_of(), number());
  case 64: return sinew_instance_fade_out(instance, index_of(), number());
  case 65: return sinew_instance_set_mask(instance, index_of(), mask);
  case 66: return sinew_instance_set_root_motion(instance, index_of(), index_of(), record(&motion, sizeof motion));
  case 67: return sinew_instance_take_root_motion(instance, result(&transform));
  case 68: aim.joint = below(3); return sinew_instance_push_aim(instance, record(&aim, sizeof aim), result(&modifiers[below(SLOTS)]));
  case 69: reach.middle = 1; return sinew_instance_push_reach(instance, record(&reach, sizeof reach), result(&modifiers[below(SLOTS)]));
  case 70: joint.joint = below(3); return sinew_instance_push_override(instance, record(&joint, sizeof joint), result(&modifiers[below(SLOTS)]));
  case 71: return sinew_instance_push_turn(instance, record(&turn, sizeof turn), result(&modifiers[below(SLOTS)]));
  case 72: attachment.joint = below(2); return sinew_instance_push_attachment(instance, record(&attachment, sizeof attachment), result(&modifiers[below(SLOTS)]));
  case 73:
    owned++;
    return sinew_instance_push_callback(instance, below(9) ? edit_pose : NULL, NULL, free_user, result(&modifiers[below(SLOTS)]));
  case 74: return sinew_instance_set_aim(instance, modifier(), record(&aim, sizeof aim));
  case 75: return sinew_instance_set_override(instance, modifier(), record(&joint, sizeof joint));
  case 76: return sinew_instance_enable_modifier(instance, modifier(), flag());
  case 77: return sinew_instance_set_modifier_weight(instance, modifier(), number());
  case 78: case 79: return sinew_instance_remove_modifier(instance, modifier());
  case 80: return sinew_instance_reset_modifiers(instance);
  case 81:
    code = sinew_history_new(model, below(4) ? below(20) : any(), result(&made_history));
    if (made_history.id) keep(4, made_history.id);
    return code;
  case 82: return sinew_history_record(history, number(), instance);
  case 83: return sinew_history_pose(history, number(), instance);
  case 84: {
    Casts c = casts();
    return sinew_history_cast(history, number(), c.rays, c.ray_stride, c.hits, c.hit_stride, c.count);
  }
  case 85: return sinew_history_times(history, result(&out), result(&oldest), result(&newest));
  case 86:
    if (below(6) == 0) return sinew_history_destroy(history);
    if (below(6) == 0) return sinew_skinned_mesh_destroy(mesh);
    if (below(6) == 0) return sinew_crowd_destroy(crowd);
    return below(2) ? sinew_history_forget_after(history, number()) : sinew_history_clear(history);
  case 87:
    /* A thread costs more than a thousand calls, so only few crowds have one. */
    code = sinew_crowd_new(below(64) ? 0 : below(3) ? 2 : any(), flag(), result(&made_crowd));
    if (made_crowd.id) keep(5, made_crowd.id);
    return code;
  case 88: return sinew_crowd_add_model(crowd, model, record(&skin, sizeof skin), result(&out));
  case 89:
    code = sinew_crowd_add(crowd, below(4) ? 0 : index_of(), result(&out64));
    if (out64) members[below(SLOTS)] = out64;
    return code;
  case 90: return below(2) ? sinew_crowd_remove(crowd, member()) : sinew_crowd_length(crowd, result(&out));
  case 91: return below(2) ? sinew_crowd_set_world(crowd, member(), below(9) ? world : NULL, below(9) ? 12 : below(13)) : sinew_crowd_world(crowd, member(), numbers.data, numbers.length);
  case 92: return sinew_crowd_set_detail(crowd, member(), index_of(), index_of(), index_of());
  case 93: return sinew_crowd_step(crowd, number());
  case 94: return sinew_crowd_skin_each(crowd, below(9) ? take_part : NULL, &arena[0]);
  case 95:
    length = buffers(memory);
    return sinew_crowd_skin_into(crowd, member(), 0, &vertices, memory, length, result(&bounds));
  case 96: return below(2) ? sinew_crowd_palette(crowd, member(), index_of(), flag(), numbers.data, numbers.length) : sinew_crowd_bounds(crowd, member(), result(&bounds));
  case 97: {
    Casts c = casts();
    if (below(2)) return sinew_crowd_set_view(crowd, below(9) ? planes : NULL, below(9) ? 24 * below(2) : below(25));
    return sinew_crowd_cast(crowd, c.rays, c.ray_stride, c.hits, c.hit_stride, c.count);
  }
  case 98:
    if (below(2)) return sinew_crowd_play(crowd, member(), 0, record(&play, sizeof play));
    owned++;
    return sinew_crowd_push_callback(crowd, member(), edit_pose, NULL, free_user, result(&modifiers[below(SLOTS)]));
  case 99: {
    SinewMesh source = hostile_mesh(morphs);
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t counts_of[] = {1, 1, 1}, joints[] = {0, 1, 0}, triangle[] = {0, 1, 2};
    static const float weights[] = {1, 1, 1};
    if (below(3)) {
      SinewMesh sound = SINEW_MESH_INIT;
      source = sound;
      source.positions.data = positions, source.positions.length = 9;
      source.counts.data = counts_of, source.counts.length = 3;
      source.joints32.data = joints, source.joints32.length = 3;
      source.weights.data = weights, source.weights.length = 3;
      source.triangles.data = triangle, source.triangles.length = 3;
    }
    code = sinew_skinned_mesh_new(below(4) ? 2 : any(), &source, record(&skin, sizeof skin), flag(), result(&made_mesh));
    if (made_mesh.id) keep(6, made_mesh.id);
    return code;
  }
  case 100:
    if (below(2)) {
      for (int i = 0; i < 24; i++) planes[i] = below(9) ? identity[i % 12] : number();
      return sinew_skinned_mesh_set_palette(mesh, 0, planes, 24);
    }
    return below(2) ? sinew_skinned_mesh_set_palette(mesh, flag(), numbers.data, numbers.length)
                    : sinew_skinned_mesh_set_morph_weights(mesh, numbers.data, numbers.length);
  case 101: {
    Casts c = casts();
    switch (below(8)) {
    case 0: return sinew_skinned_mesh_counts(mesh, below(3), result(&out), result(&out));
    case 1: return sinew_skinned_mesh_triangles(mesh, below(3), numbers.data, numbers.length);
    case 2: return sinew_skinned_mesh_bounds(mesh, result(&bounds));
    case 3: return sinew_skinned_mesh_sphere(mesh, result(&sphere));
    case 4: return sinew_skinned_mesh_contains(mesh, number(), number(), number(), result(&out));
    case 5: return sinew_skinned_mesh_overlaps_capsule(mesh, point, 3, below(9) ? point : NULL, below(9) ? 3 : below(4), number(), result(&out));
    case 6: return sinew_skinned_mesh_overlaps_box(mesh, below(9) ? &bounds : NULL, result(&out));
    default: return sinew_skinned_mesh_cast(mesh, c.rays, c.ray_stride, c.hits, c.hit_stride, c.count);
    }
  }
  case 102:
    if (below(2)) return sinew_skinned_mesh_closest_point(mesh, number(), number(), number(), number(), result(&hit));
    length = buffers(memory);
    return sinew_skinned_mesh_skin_into(mesh, below(15) ? &vertices : NULL, memory, length, result(&bounds));
  case 103: {
    SinewClipEvent event = {text(), number()};
    return sinew_builder_set_events(builder, index_of(), below(9) ? &event : NULL, below(9) ? below(2) : (size_t)-1);
  }
  case 104: return sinew_builder_add_collider(builder, record(&collider, sizeof collider), result(&out));
  case 105: {
    Array joints = array(sizeof(SinewSpringJoint));
    return sinew_builder_add_spring(builder, joints.data, joints.length, numbers.data, numbers.length, index_of());
  }
  case 106: {
    uint32_t clips[3] = {0, 1, below(3)};
    float points[6] = {0, 0, 1, 0, 0, 1};
    if (below(3) == 0) points[below(6)] = number();
    if (below(4)) code = sinew_blend_space_new(model, clips, 2 + below(2), points, below(7), result(&made_space));
    else code = sinew_blend_space_new(model, numbers.data, numbers.length, points, below(7), result(&made_space));
    if (made_space.id) keep(7, made_space.id);
    return code;
  }
  case 107: return below(8) ? sinew_instance_play_space(instance, space, record(&play, sizeof play)) : sinew_blend_space_destroy(space);
  case 108: return sinew_instance_set_blend_position(instance, index_of(), numbers.data, numbers.length);
  case 109: {
    Array fired = array(sizeof(SinewEvent));
    if (below(4) == 0) return sinew_crowd_events(crowd, member(), fired.data, fired.length, result(&length));
    if (below(4) == 0) return sinew_model_event_name(model, index_of(), index_of(), bytes.data, bytes.length, result(&length));
    return sinew_instance_events(instance, fired.data, fired.length, result(&length));
  }
  case 110:
    if (below(4) == 0) return sinew_crowd_push_springs(crowd, member(), number(), result(&modifiers[below(SLOTS)]));
    return sinew_instance_push_springs(instance, number(), result(&modifiers[below(SLOTS)]));
  case 111: {
    uint32_t joints[2] = {0, 1};
    if (below(3) == 0) joints[below(2)] = index_of();
    size_t count = below(9) ? 2 : below(3);
    if (below(4) == 0) return sinew_crowd_push_chain(crowd, member(), joints, count, numbers.data, numbers.length, record(&chain, sizeof chain), result(&modifiers[below(SLOTS)]));
    return sinew_instance_push_chain(instance, joints, count, point, below(3), record(&chain, sizeof chain), result(&modifiers[below(SLOTS)]));
  }
  case 112:
    if (below(4) == 0) return sinew_crowd_set_chain(crowd, member(), modifier(), record(&chain, sizeof chain));
    if (below(4) == 0) return sinew_crowd_chain_reach(crowd, member(), modifier(), result(&out), result(&point[0]));
    if (below(2)) return sinew_instance_set_chain(instance, modifier(), record(&chain, sizeof chain));
    return sinew_instance_chain_reach(instance, modifier(), result(&out), result(&point[0]));
  case 113: {
    Array legs = array(sizeof(SinewLeg));
    SinewLeg leg = {1, 2, 3, below(8) == 0, {1, 0, 0}};
    owned++;
    if (below(8) == 0) return sinew_instance_push_feet(instance, legs.data, legs.length, record(&feet, sizeof feet), find_ground, NULL, free_user, result(&modifiers[below(SLOTS)]));
    if (below(4) == 0) return sinew_crowd_push_feet(crowd, member(), &leg, below(2), record(&feet, sizeof feet), find_ground, NULL, free_user, result(&modifiers[below(SLOTS)]));
    return sinew_instance_push_feet(instance, &leg, 1, record(&feet, sizeof feet), below(9) ? find_ground : NULL, NULL, free_user, result(&modifiers[below(SLOTS)]));
  }
  default:
    if (below(3) == 0) return sinew_crowd_play_space(crowd, member(), space, record(&play, sizeof play));
    if (below(3) == 0) return sinew_crowd_set_blend_position(crowd, member(), index_of(), point, below(4));
    switch (below(5)) {
    case 0: return sinew_load(name.data, name.length, NULL, 0, record(&load, sizeof load), result(&made_model));
    case 1:
      code = sinew_load_bytes(bytes.data, bytes.length, NULL, 0, record(&load, sizeof load), result(&made_model));
      if (made_model.id) keep(0, made_model.id);
      return code;
    case 2: return sinew_bake_pose(instance, name.data, name.length, 0);
    case 3: return sinew_bake_clip(model, index_of(), number(), name.data, name.length, 0);
    default: return sinew_save_glb(model, SINEW_TEXT("no such folder/file.glb"), 0);
    }
  }
}

/* Makes one call and checks that its code is known. */
static void one(void) {
  char message[64];
  int code = (int)call();
  if (code < 0 || code >= CODES || code == SINEW_CODE_INTERNAL) {
    sinew_last_error(message, sizeof message);
    fprintf(stderr, "code %d: %s\n", code, message);
    abort();
  }
  counts[code]++;
  if (code != SINEW_CODE_OK && sinew_last_error(message, below(64)) == 0) {
    fprintf(stderr, "code %d without a text\n", code);
    abort();
  }
}

static void destroy_all(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    for (int slot = 0; slot < SLOTS; slot++) destroy(kind, handles[kind][slot]);
  }
}

#ifdef SINEW_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  choices = data, choices_left = size, state = 88172645463325252u;
  build_model();
  while (choices_left > 0) one();
  destroy_all();
  return 0;
}
#else
int main(int argc, char **argv) {
  long calls = argc > 2 ? atol(argv[2]) : 10000;
  state = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1) * 2654435769u + 88172645463325252u;
  for (long i = 0; i < calls; i++) one();
  destroy_all();
  for (int code = 0; code < CODES; code++) {
    if (counts[code]) printf("%10llu %s\n", counts[code], sinew_code_text(code));
  }
  printf("callbacks freed: %u of %u; asked for the ground: %u times\n", freed, owned, asked);
  return counts[SINEW_CODE_OK] == 0 || freed != owned || (calls >= 1000000 && asked == 0);
}
#endif
