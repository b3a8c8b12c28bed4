/* sinew behind a C ABI: animated, skinned figures from files or by name.
 *
 * A figure is a number, never 0. No function takes a pointer, so every argument is checked: a call
 * with a wrong one returns NULL, 0 or -1, and sinew_text() says why. Returned pointers are
 * read-only, except the inbox. Calls are serialized: calls from several threads wait for each other.
 *
 *     memcpy(sinew_inbox(7), "@figure", 7);
 *     uint32_t figure = sinew_open(SINEW_FAST);
 *     sinew_step(figure, 1.0f / 60.0f);
 *     const float *vertices = sinew_vertices(figure);
 */
#ifndef SINEW_H
#define SINEW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SINEW_FAST = 0,             /* Float mode: fastest. */
    SINEW_REPRODUCIBLE = 1,     /* Float mode: the same bits on every machine. */
    SINEW_FLOATS_PER_VERTEX = 8
};

/* Returns `len` bytes to fill with a file or a name. Valid until the next call of sinew_inbox or
 * sinew_open. NULL if memory is short. */
uint8_t *sinew_inbox(size_t len);
/* Opens what the inbox holds and empties it: a GLB, glTF or MD5 file, or a name such as @figure or
 * @figure:20000. The figure plays its first clip. Returns 0 on failure. */
uint32_t sinew_open(uint32_t float_mode);
/* Frees a figure. */
int32_t sinew_close(uint32_t figure);

/* The message of the last call that failed, or the text that a call returned: UTF-8,
 * null-terminated. Valid until the next call. */
const uint8_t *sinew_text(void);
size_t sinew_text_len(void);

/* Static data, unchanged by steps. Valid until the figure is closed. */
int32_t sinew_vertices_len(uint32_t figure); /* Number of vertices, including padding. */
int32_t sinew_indices_len(uint32_t figure);  /* Number of indices: three per triangle. */
const uint32_t *sinew_indices(uint32_t figure);
const float *sinew_colors(uint32_t figure);  /* Linear red, green, blue and alpha per vertex. */
const float *sinew_bounds(uint32_t figure);  /* Bounds at rest: minimum x, y and z, then maximum. */
int32_t sinew_up(uint32_t figure);           /* The axis that points up: 1 for y, 2 for z. */
int32_t sinew_joints_len(uint32_t figure);
int32_t sinew_clips_len(uint32_t figure);
int32_t sinew_clip_name(uint32_t figure, uint32_t clip); /* Written to the text. */
float sinew_clip_seconds(uint32_t figure, uint32_t clip);

/* Plays a clip from its start, repeating, while the previous clip fades out. */
int32_t sinew_play(uint32_t figure, uint32_t clip, float fade_seconds);
/* Advances the animation and skins all vertices. */
int32_t sinew_step(uint32_t figure, float seconds);
/* Per vertex: position, normal (zero if the file has none), texture coordinates. The pointer stays
 * the same; each step changes the values. */
const float *sinew_vertices(uint32_t figure);

#ifdef __cplusplus
}
#endif
#endif
