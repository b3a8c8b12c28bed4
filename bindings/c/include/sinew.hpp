/* sinew for C++17: objects that destroy themselves, spans, and exceptions, over sinew.h. Header
 * only; nothing of the standard library crosses the library's border. */
#ifndef SINEW_HPP
#define SINEW_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sinew.h"

namespace sinew {

constexpr std::uint32_t none = SINEW_NONE;

/* A call that failed. */
class Error : public std::runtime_error {
 public:
  Error(SinewCode code, const std::string &text) : std::runtime_error(text), code_(code) {}
  SinewCode code() const noexcept { return code_; }

 private:
  SinewCode code_;
};

/* The text of this thread's last error. */
inline std::string last_error() {
  std::string text(sinew_last_error(nullptr, 0), '\0');
  sinew_last_error(text.data(), text.size() + 1);
  return text;
}

/* Throws if a call failed. */
inline void check(SinewCode code) {
  if (code != SINEW_CODE_OK) throw Error(code, last_error());
}

/* A pointer and a length: of an array, a vector, or anything with data() and size(). */
template <class T>
class Span {
 public:
  constexpr Span() noexcept = default;
  constexpr Span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr Span(T (&array)[N]) noexcept : data_(array), size_(N) {}
  template <class C, class = std::enable_if_t<
                         std::is_convertible_v<decltype(std::declval<C &>().data()), T *> &&
                         std::is_convertible_v<decltype(std::declval<C &>().size()), std::size_t>>>
  constexpr Span(C &&container) noexcept : data_(container.data()), size_(container.size()) {}

  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }
  constexpr T &operator[](std::size_t index) const noexcept { return data_[index]; }

 private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

using Transform = SinewTransform;
using Bounds = SinewBounds;
using Sphere = SinewSphere;
using Ray = SinewRay;
using Hit = SinewHit;
using PoseEdit = SinewPoseEdit;
using Event = SinewEvent;

/* An attribute of three floats, of four, or of another format. */
inline SinewAttribute attribute(std::uint32_t format, std::size_t offset) {
  return SinewAttribute{format, 0, offset, 0};
}

/* Position and normal of three floats each, at these offsets in vertices of a size. */
inline SinewLayout interleaved(std::size_t stride, std::size_t position, std::size_t normal) {
  SinewLayout layout{};
  layout.stride = stride;
  layout.position = attribute(1, position);
  layout.normal = attribute(1, normal);
  return layout;
}

/* Positions of three floats, one after the other. */
inline SinewLayout packed_positions() {
  SinewLayout layout{};
  layout.stride = 12;
  layout.position = attribute(1, 0);
  return layout;
}

/* Any struct with `struct_size`, with the size set and everything else zero. */
template <class T>
T sized() {
  T record{};
  record.struct_size = sizeof(T);
  return record;
}

namespace detail {

/* A handle that is destroyed with its owner. */
template <class Raw, SinewCode (*Destroy)(Raw)>
class Object {
 public:
  Object() noexcept = default;
  explicit Object(Raw raw) noexcept : raw_(raw) {}
  Object(Object &&other) noexcept : raw_(std::exchange(other.raw_, Raw{0})) {}
  Object &operator=(Object &&other) noexcept {
    if (this != &other) {
      reset();
      raw_ = std::exchange(other.raw_, Raw{0});
    }
    return *this;
  }
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;
  ~Object() { reset(); }

  /* The handle, for the functions of sinew.h. */
  Raw raw() const noexcept { return raw_; }
  Raw release() noexcept { return std::exchange(raw_, Raw{0}); }
  explicit operator bool() const noexcept { return raw_.id != 0; }

  void reset() noexcept {
    if (raw_.id != 0) Destroy(raw_);
    raw_.id = 0;
  }

 protected:
  Raw raw_{0};
};

/* Reads a text of any length. */
template <class Read>
std::string text(Read read) {
  std::size_t length = 0;
  check(read(nullptr, std::size_t{0}, &length));
  std::string text(length, '\0');
  check(read(text.data(), length + 1, &length));
  return text;
}

/* What a function of a modifier threw. */
struct Thrown {
  std::exception_ptr thrown;
};

/* A function of a modifier. After it threw, it is not called until that was thrown on. */
template <class Function>
struct Callback : Thrown {
  explicit Callback(Function function) : call(std::move(function)) {}
  Function call;

  /* Calls the function of `user`, or returns the other value. */
  template <class Result, class... Arguments>
  static Result run(void *user, Result otherwise, Arguments &&...arguments) noexcept {
    Callback &callback = **static_cast<std::shared_ptr<Callback> *>(user);
    if (callback.thrown) return otherwise;
    try {
      return callback.call(std::forward<Arguments>(arguments)...);
    } catch (...) {
      callback.thrown = std::current_exception();
      return otherwise;
    }
  }
  static void free(void *user) noexcept { delete static_cast<std::shared_ptr<Callback> *>(user); }
};

using EditCallback = Callback<std::function<int(const PoseEdit &)>>;
using GroundCallback =
    Callback<std::function<bool(const float *, const float *, float, SinewGroundHit &)>>;

inline void modify(void *user, const PoseEdit *edit) noexcept { EditCallback::run(user, 0, *edit); }
inline std::uint32_t find_ground(void *user, const float *origin, const float *direction, float length,
                                 SinewGroundHit *hit) noexcept {
  return GroundCallback::run(user, false, origin, direction, length, *hit);
}

/* Functions of the modifiers of an instance or a crowd. What one threw is thrown by the step that
 * called it: the first, if several did. */
class Callbacks {
 public:
  template <class Function>
  std::shared_ptr<Callback<Function>> *add(Function function) {
    auto callback = std::make_shared<Callback<Function>>(std::move(function));
    all_.push_back(callback);
    return new std::shared_ptr<Callback<Function>>(std::move(callback));
  }
  void rethrow() {
    std::exception_ptr first;
    for (auto at = all_.begin(); at != all_.end();) {
      std::shared_ptr<Thrown> callback = at->lock();
      if (!callback) {
        at = all_.erase(at);
        continue;
      }
      std::exception_ptr thrown = std::exchange(callback->thrown, nullptr);
      if (!first) first = thrown;
      ++at;
    }
    if (first) std::rethrow_exception(first);
  }

 private:
  std::vector<std::weak_ptr<Thrown>> all_;
};

}  // namespace detail

/* A model, from a file or from a Builder. */
class Model : public detail::Object<SinewModel, sinew_model_destroy> {
 public:
  using Object::Object;

  static Model load(std::string_view path, const SinewLoadSettings *settings = nullptr,
                    Span<const SinewText> clips = {}) {
    SinewModel model{0};
    check(sinew_load(path.data(), path.size(), clips.data(), clips.size(), settings, &model));
    return Model(model);
  }
  static Model load_bytes(Span<const std::uint8_t> bytes, const SinewLoadSettings *settings = nullptr,
                          Span<const SinewClipBytes> clips = {}) {
    SinewModel model{0};
    check(sinew_load_bytes(bytes.data(), bytes.size(), clips.data(), clips.size(), settings, &model));
    return Model(model);
  }

  SinewModelInfo info() const {
    auto info = sized<SinewModelInfo>();
    check(sinew_model_info(raw_, &info));
    return info;
  }
  SinewMeshInstanceInfo mesh_instance(std::uint32_t index) const {
    auto info = sized<SinewMeshInstanceInfo>();
    check(sinew_model_mesh_instance(raw_, index, &info));
    return info;
  }
  SinewClipInfo clip(std::uint32_t index) const {
    auto info = sized<SinewClipInfo>();
    check(sinew_model_clip(raw_, index, &info));
    return info;
  }
  std::vector<std::string> warnings() const {
    std::vector<std::string> all;
    for (std::uint32_t i = 0, count = info().warnings; i < count; ++i) {
      all.push_back(detail::text([&](char *to, std::size_t capacity, std::size_t *length) {
        return sinew_model_warning(raw_, i, to, capacity, length);
      }));
    }
    return all;
  }
  std::uint32_t find_joint(std::string_view name) const {
    std::uint32_t joint = none;
    check(sinew_model_find_joint(raw_, name.data(), name.size(), &joint));
    return joint;
  }
  std::string joint_name(std::uint32_t joint) const {
    return detail::text([&](char *to, std::size_t capacity, std::size_t *length) {
      return sinew_model_joint_name(raw_, joint, to, capacity, length);
    });
  }
  std::uint32_t find_clip(std::string_view name) const {
    std::uint32_t clip = none;
    check(sinew_model_find_clip(raw_, name.data(), name.size(), &clip));
    return clip;
  }
  std::string clip_name(std::uint32_t clip) const {
    return detail::text([&](char *to, std::size_t capacity, std::size_t *length) {
      return sinew_model_clip_name(raw_, clip, to, capacity, length);
    });
  }
  std::string event_name(std::uint32_t clip, std::uint32_t event) const {
    return detail::text([&](char *to, std::size_t capacity, std::size_t *length) {
      return sinew_model_event_name(raw_, clip, event, to, capacity, length);
    });
  }
  std::vector<std::uint32_t> triangles(std::uint32_t mesh_instance, std::uint32_t order = 0) const {
    std::vector<std::uint32_t> indices(3 * std::size_t{this->mesh_instance(mesh_instance).triangles});
    check(sinew_model_triangles(raw_, mesh_instance, order, indices.data(), indices.size()));
    return indices;
  }
  Bounds rest_bounds() const {
    Bounds bounds;
    check(sinew_model_rest_bounds(raw_, &bounds));
    return bounds;
  }
  void save_glb(std::string_view path, bool overwrite = false) const {
    check(sinew_save_glb(raw_, path.data(), path.size(), overwrite));
  }
  void bake_clip(std::uint32_t clip, double frames_per_second, std::string_view path,
                 bool overwrite = false) const {
    check(sinew_bake_clip(raw_, clip, frames_per_second, path.data(), path.size(), overwrite));
  }
};

/* A model from arrays. */
class Builder : public detail::Object<SinewBuilder, sinew_builder_destroy> {
 public:
  explicit Builder(Span<const SinewBone> bones, Span<const float> morph_weights = {},
                   bool reproducible = false) {
    check(sinew_builder_new(bones.data(), bones.size(), morph_weights.data(), morph_weights.size(),
                            reproducible, &raw_));
  }

  std::uint32_t add_skin(Span<const std::uint32_t> joints, Span<const float> inverse_binds = {}) {
    std::uint32_t skin = none;
    check(sinew_builder_add_skin(raw_, joints.data(), joints.size(), inverse_binds.data(),
                                 inverse_binds.size(), &skin));
    return skin;
  }
  std::uint32_t add_mesh(std::uint32_t skin, std::string_view name, const SinewMesh &mesh) {
    std::uint32_t primitive = none;
    check(sinew_builder_add_mesh(raw_, skin, name.data(), name.size(), &mesh, &primitive));
    return primitive;
  }
  void add_texture_coordinates(std::uint32_t primitive, Span<const float> coordinates) {
    check(sinew_builder_add_texture_coordinates(raw_, primitive, coordinates.data(), coordinates.size()));
  }
  std::uint32_t add_mesh_instance(std::string_view name, std::uint32_t joint, std::uint32_t primitive,
                                  std::uint32_t skin, std::uint32_t first_morph_weight = 0) {
    std::uint32_t index = none;
    check(sinew_builder_add_mesh_instance(raw_, name.data(), name.size(), joint, primitive, skin,
                                          first_morph_weight, &index));
    return index;
  }
  std::uint32_t add_clip(std::string_view name, Span<const SinewTrack> tracks) {
    std::uint32_t clip = none;
    check(sinew_builder_add_clip(raw_, name.data(), name.size(), tracks.data(), tracks.size(), &clip));
    return clip;
  }
  void set_events(std::uint32_t clip, Span<const SinewClipEvent> events) {
    check(sinew_builder_set_events(raw_, clip, events.data(), events.size()));
  }
  std::uint32_t add_collider(const SinewColliderSettings &shape) {
    std::uint32_t collider = none;
    check(sinew_builder_add_collider(raw_, &shape, &collider));
    return collider;
  }
  void add_spring(Span<const SinewSpringJoint> joints, Span<const std::uint32_t> colliders = {},
                  std::uint32_t center = none) {
    check(sinew_builder_add_spring(raw_, joints.data(), joints.size(), colliders.data(),
                                   colliders.size(), center));
  }
  Model finish() {
    SinewModel model{0};
    check(sinew_builder_finish(release(), &model));
    return Model(model);
  }
};

/* How much of each joint a playback moves. */
class Mask : public detail::Object<SinewMask, sinew_mask_destroy> {
 public:
  using Object::Object;

  explicit Mask(Span<const float> factors) { check(sinew_mask_new(factors.data(), factors.size(), &raw_)); }
  static Mask subtree(const Model &model, std::uint32_t joint) {
    SinewMask mask{0};
    check(sinew_mask_subtree(model.raw(), joint, &mask));
    return Mask(mask);
  }
  Mask complement() const {
    SinewMask mask{0};
    check(sinew_mask_complement(raw_, &mask));
    return Mask(mask);
  }
};

/* Clips at points of a line or a plane. */
class BlendSpace : public detail::Object<SinewBlendSpace, sinew_blend_space_destroy> {
 public:
  BlendSpace(const Model &model, Span<const std::uint32_t> clips, Span<const float> coordinates) {
    check(sinew_blend_space_new(model.raw(), clips.data(), clips.size(), coordinates.data(),
                                coordinates.size(), &raw_));
  }
};

/* An instance of a model: plays clips, is skinned, is hit. */
class Instance : public detail::Object<SinewInstance, sinew_instance_destroy> {
 public:
  explicit Instance(const Model &model, const SinewSkinSettings *settings = nullptr) {
    check(sinew_instance_new(model.raw(), settings, &raw_));
  }

  void play(std::uint32_t clip) { check(sinew_instance_play(raw_, clip, nullptr)); }
  void play(std::uint32_t clip, const SinewPlaySettings &settings) {
    check(sinew_instance_play(raw_, clip, &settings));
  }
  void play(const BlendSpace &space, const SinewPlaySettings *settings = nullptr) {
    check(sinew_instance_play_space(raw_, space.raw(), settings));
  }
  void set_blend_position(std::uint32_t playback, Span<const float> position) {
    check(sinew_instance_set_blend_position(raw_, playback, position.data(), position.size()));
  }
  void stop() { check(sinew_instance_stop(raw_)); }
  /* The events that fired in the last step. */
  std::vector<Event> events() const {
    std::size_t count = 0;
    check(sinew_instance_events(raw_, nullptr, 0, &count));
    std::vector<Event> all(count);
    check(sinew_instance_events(raw_, all.data(), all.size(), nullptr));
    return all;
  }
  std::uint32_t playback_count() const {
    std::uint32_t count = 0;
    check(sinew_instance_playback_count(raw_, &count));
    return count;
  }
  SinewPlaybackInfo playback(std::uint32_t index) const {
    auto info = sized<SinewPlaybackInfo>();
    check(sinew_instance_playback(raw_, index, &info));
    return info;
  }
  void set_mask(std::uint32_t playback, const Mask &mask) {
    check(sinew_instance_set_mask(raw_, playback, mask.raw()));
  }
  void step(float seconds) {
    check(sinew_instance_step(raw_, seconds));
    callbacks_.rethrow();
  }
  void sample(std::uint32_t clip, float seconds) { check(sinew_instance_sample(raw_, clip, seconds)); }
  Transform take_root_motion() {
    Transform motion;
    check(sinew_instance_take_root_motion(raw_, &motion));
    return motion;
  }

  void pose(std::uint32_t first, Span<Transform> to) const {
    check(sinew_instance_pose(raw_, first, to.data(), to.size()));
  }
  void set_pose(std::uint32_t first, Span<const Transform> transforms) {
    check(sinew_instance_set_pose(raw_, first, transforms.data(), transforms.size()));
  }
  void set_morph_weights(std::uint32_t first, Span<const float> weights) {
    check(sinew_instance_set_morph_weights(raw_, first, weights.data(), weights.size()));
  }

  std::uint64_t push(const SinewAimSettings &aim) {
    std::uint64_t modifier = 0;
    check(sinew_instance_push_aim(raw_, &aim, &modifier));
    return modifier;
  }
  std::uint64_t push(const SinewReachSettings &reach) {
    std::uint64_t modifier = 0;
    check(sinew_instance_push_reach(raw_, &reach, &modifier));
    return modifier;
  }
  std::uint64_t push(const SinewOverrideSettings &joint) {
    std::uint64_t modifier = 0;
    check(sinew_instance_push_override(raw_, &joint, &modifier));
    return modifier;
  }
  std::uint64_t push(const SinewTurnSettings &turn) {
    std::uint64_t modifier = 0;
    check(sinew_instance_push_turn(raw_, &turn, &modifier));
    return modifier;
  }
  std::uint64_t push(const SinewAttachmentSettings &attachment) {
    std::uint64_t modifier = 0;
    check(sinew_instance_push_attachment(raw_, &attachment, &modifier));
    return modifier;
  }
  /* The springs of the model. They swing in world space: see set_world. */
  std::uint64_t push_springs(float teleport_distance) {
    std::uint64_t modifier = 0;
    check(sinew_instance_push_springs(raw_, teleport_distance, &modifier));
    return modifier;
  }
  std::uint64_t push_chain(Span<const std::uint32_t> joints, const SinewChainSettings &chain,
                           Span<const float> limits = {}) {
    std::uint64_t modifier = 0;
    check(sinew_instance_push_chain(raw_, joints.data(), joints.size(), limits.data(), limits.size(),
                                    &chain, &modifier));
    return modifier;
  }
  void set(std::uint64_t modifier, const SinewChainSettings &chain) {
    check(sinew_instance_set_chain(raw_, modifier, &chain));
  }
  void set_world(Span<const float> world) {
    check(sinew_instance_set_world(raw_, world.data(), world.size()));
  }
  /* A function that edits the pose in each step. What it throws, step() throws. */
  std::uint64_t push(std::function<void(const PoseEdit &)> edit) {
    std::uint64_t modifier = 0;
    std::function<int(const PoseEdit &)> call = [edit = std::move(edit)](const PoseEdit &pose) {
      edit(pose);
      return 0;
    };
    check(sinew_instance_push_callback(raw_, detail::modify, callbacks_.add(std::move(call)),
                                       detail::EditCallback::free, &modifier));
    return modifier;
  }
  /* Puts feet on the ground that a function finds: it gets the origin, the unit direction and the
   * length of a ray in world space, and returns whether it wrote a hit. What it throws, step()
   * throws. */
  std::uint64_t push_feet(Span<const SinewLeg> legs, const SinewFeetSettings &feet,
                          std::function<bool(const float *, const float *, float, SinewGroundHit &)> ground) {
    std::uint64_t modifier = 0;
    check(sinew_instance_push_feet(raw_, legs.data(), legs.size(), &feet, detail::find_ground,
                                   callbacks_.add(std::move(ground)), detail::GroundCallback::free, &modifier));
    return modifier;
  }
  void set(std::uint64_t modifier, const SinewAimSettings &aim) {
    check(sinew_instance_set_aim(raw_, modifier, &aim));
  }
  void set(std::uint64_t modifier, const SinewReachSettings &reach) {
    check(sinew_instance_set_reach(raw_, modifier, &reach));
  }
  void set_modifier_weight(std::uint64_t modifier, float weight) {
    check(sinew_instance_set_modifier_weight(raw_, modifier, weight));
  }
  void remove_modifier(std::uint64_t modifier) { check(sinew_instance_remove_modifier(raw_, modifier)); }

  void matrices(Span<float> to) const { check(sinew_instance_matrices(raw_, to.data(), to.size())); }
  void palette(std::uint32_t skin, Span<float> to, bool columns = false) const {
    check(sinew_instance_palette(raw_, skin, columns, to.data(), to.size()));
  }
  Bounds bounds() const {
    Bounds bounds;
    check(sinew_instance_bounds(raw_, &bounds));
    return bounds;
  }
  /* Skins into memory of any type without pointers, such as a vector of vertices. */
  template <class T>
  void skin_into(std::uint32_t mesh_instance, const SinewLayout &layout, Span<T> to,
                 Bounds *bounds = nullptr) {
    static_assert(std::is_trivially_copyable_v<T>, "vertices are bytes");
    SinewBuffer buffer{to.data(), to.size() * sizeof(T)};
    check(sinew_instance_skin_into(raw_, mesh_instance, &layout, &buffer, 1, bounds));
  }
  Hit cast(const Ray &ray) {
    Hit hit;
    check(sinew_instance_cast(raw_, &ray, sizeof ray, &hit, sizeof hit, 1));
    return hit;
  }
  void cast(Span<const Ray> rays, Span<Hit> hits) {
    if (rays.size() != hits.size()) throw std::invalid_argument("as many hits as rays");
    check(sinew_instance_cast(raw_, rays.data(), sizeof(Ray), hits.data(), sizeof(Hit), rays.size()));
  }
  void bake_pose(std::string_view path, bool overwrite = false) {
    check(sinew_bake_pose(raw_, path.data(), path.size(), overwrite));
  }

 private:
  detail::Callbacks callbacks_;
};

/* Recorded poses, as a server keeps them to judge a shot. */
class History : public detail::Object<SinewHistory, sinew_history_destroy> {
 public:
  History(const Model &model, std::uint32_t capacity) {
    check(sinew_history_new(model.raw(), capacity, &raw_));
  }
  void record(double seconds, const Instance &instance) {
    check(sinew_history_record(raw_, seconds, instance.raw()));
  }
  void pose(double seconds, Instance &instance) const {
    check(sinew_history_pose(raw_, seconds, instance.raw()));
  }
  Hit cast(double seconds, const Ray &ray) {
    Hit hit;
    check(sinew_history_cast(raw_, seconds, &ray, sizeof ray, &hit, sizeof hit, 1));
    return hit;
  }
};

/* Many members of few models, on several threads. */
class Crowd : public detail::Object<SinewCrowd, sinew_crowd_destroy> {
 public:
  explicit Crowd(std::uint32_t threads = 0, bool world_palettes = false) {
    check(sinew_crowd_new(threads, world_palettes, &raw_));
  }
  std::uint32_t add_model(const Model &model, const SinewSkinSettings *settings = nullptr) {
    std::uint32_t index = none;
    check(sinew_crowd_add_model(raw_, model.raw(), settings, &index));
    return index;
  }
  std::uint64_t add(std::uint32_t model) {
    std::uint64_t member = 0;
    check(sinew_crowd_add(raw_, model, &member));
    return member;
  }
  void remove(std::uint64_t member) { check(sinew_crowd_remove(raw_, member)); }
  void set_world(std::uint64_t member, Span<const float> world) {
    check(sinew_crowd_set_world(raw_, member, world.data(), world.size()));
  }
  void play(std::uint64_t member, std::uint32_t clip) {
    check(sinew_crowd_play(raw_, member, clip, nullptr));
  }
  void play(std::uint64_t member, std::uint32_t clip, const SinewPlaySettings &settings) {
    check(sinew_crowd_play(raw_, member, clip, &settings));
  }
  void play(std::uint64_t member, const BlendSpace &space, const SinewPlaySettings *settings = nullptr) {
    check(sinew_crowd_play_space(raw_, member, space.raw(), settings));
  }
  std::uint64_t push_springs(std::uint64_t member, float teleport_distance) {
    std::uint64_t modifier = 0;
    check(sinew_crowd_push_springs(raw_, member, teleport_distance, &modifier));
    return modifier;
  }
  /* As Instance::push_feet. The function is called on threads of the crowd: one that several members
   * share, at the same time. It must not use this crowd. What it throws, step() throws. */
  std::uint64_t push_feet(std::uint64_t member, Span<const SinewLeg> legs, const SinewFeetSettings &feet,
                          std::function<bool(const float *, const float *, float, SinewGroundHit &)> ground) {
    std::uint64_t modifier = 0;
    check(sinew_crowd_push_feet(raw_, member, legs.data(), legs.size(), &feet, detail::find_ground,
                                callbacks_.add(std::move(ground)), detail::GroundCallback::free, &modifier));
    return modifier;
  }
  void remove_modifier(std::uint64_t member, std::uint64_t modifier) {
    check(sinew_crowd_remove_modifier(raw_, member, modifier));
  }
  void step(float seconds) {
    check(sinew_crowd_step(raw_, seconds));
    callbacks_.rethrow();
  }
  Bounds bounds(std::uint64_t member) const {
    Bounds bounds;
    check(sinew_crowd_bounds(raw_, member, &bounds));
    return bounds;
  }
  void palette(std::uint64_t member, std::uint32_t skin, Span<float> to, bool columns = false) const {
    check(sinew_crowd_palette(raw_, member, skin, columns, to.data(), to.size()));
  }
  /* Passes the vertices of each member to a function that several threads call at the same time,
   * and that must not throw. */
  template <class Take>
  void skin_each(const Take &take) {
    auto call = [](void *user, const SinewSkinnedPart *part) noexcept {
      (*static_cast<const Take *>(user))(*part);
    };
    check(sinew_crowd_skin_each(raw_, call, const_cast<Take *>(&take)));
  }
  Hit cast(const Ray &ray) {
    Hit hit;
    check(sinew_crowd_cast(raw_, &ray, sizeof ray, &hit, sizeof hit, 1));
    return hit;
  }

 private:
  detail::Callbacks callbacks_;
};

/* A mesh that the program poses itself by a palette. */
class SkinnedMesh : public detail::Object<SinewSkinnedMesh, sinew_skinned_mesh_destroy> {
 public:
  SkinnedMesh(std::uint32_t joints, const SinewMesh &mesh, const SinewSkinSettings *settings = nullptr,
              bool reproducible = false) {
    check(sinew_skinned_mesh_new(joints, &mesh, settings, reproducible, &raw_));
  }
  void set_palette(Span<const float> matrices, bool columns = false) {
    check(sinew_skinned_mesh_set_palette(raw_, columns, matrices.data(), matrices.size()));
  }
  void set_morph_weights(Span<const float> weights) {
    check(sinew_skinned_mesh_set_morph_weights(raw_, weights.data(), weights.size()));
  }
  template <class T>
  void skin_into(const SinewLayout &layout, Span<T> to, Bounds *bounds = nullptr) {
    static_assert(std::is_trivially_copyable_v<T>, "vertices are bytes");
    SinewBuffer buffer{to.data(), to.size() * sizeof(T)};
    check(sinew_skinned_mesh_skin_into(raw_, &layout, &buffer, 1, bounds));
  }
  Bounds bounds() const {
    Bounds bounds;
    check(sinew_skinned_mesh_bounds(raw_, &bounds));
    return bounds;
  }
  Hit cast(const Ray &ray) {
    Hit hit;
    check(sinew_skinned_mesh_cast(raw_, &ray, sizeof ray, &hit, sizeof hit, 1));
    return hit;
  }
};

}  // namespace sinew

#endif
