/* sinew behind a C ABI: skinned, moving figures from files or by name.
 *
 * A figure is a number; 0 is never one. No function takes a pointer, so every argument is checked: a wrong one is answered
 * with NULL, 0 or -1, and sinew_text() says why. Pointers that come back are for reading only, but for the inbox. One
 * call runs at a time; calls from several threads wait for each other.
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
    SINEW_FAST = 0,         /* The fastest. */
    SINEW_REPRODUCIBLE = 1, /* The same bits on every machine. */
    SINEW_FLOATS = 8        /* Floats of a vertex. */
};

/* Memory for a file or a name, to be filled: valid until it is asked for again or opened. */
uint8_t *sinew_inbox(size_t len);
/* A figure of what is in the inbox, which is empty afterwards: GLB, glTF or MD5, or a name such as @figure or
 * @figure:20000. It plays its first clip. */
uint32_t sinew_open(uint32_t rounding);
int32_t sinew_close(uint32_t figure);

/* The text of the last call that failed or gave a text: UTF-8, a zero behind it. Valid until the next call. */
const uint8_t *sinew_text(void);
size_t sinew_text_len(void);

/* What no step changes. Valid until the figure is closed. */
int32_t sinew_vertices_len(uint32_t figure); /* In vertices, pads included. */
int32_t sinew_indices_len(uint32_t figure);  /* Three for each triangle. */
const uint32_t *sinew_indices(uint32_t figure);
const float *sinew_colours(uint32_t figure); /* Red, green, blue and alpha of each vertex, linear. */
const float *sinew_bounds(uint32_t figure);  /* The lowest x, y and z at rest, then the highest. */
int32_t sinew_up(uint32_t figure);           /* The axis that points up: 1 for y, 2 for z. */
int32_t sinew_joints_len(uint32_t figure);
int32_t sinew_clips_len(uint32_t figure);
int32_t sinew_clip_name(uint32_t figure, uint32_t clip); /* Into the text. */
float sinew_clip_seconds(uint32_t figure, uint32_t clip);

/* Plays a clip over and over, while what was played fades out over so many seconds. */
int32_t sinew_play(uint32_t figure, uint32_t clip, float fade_seconds);
/* Goes on by so many seconds, and takes all vertices where the joints are then. */
int32_t sinew_step(uint32_t figure, float seconds);
/* Of each vertex: position, normal (zero where the file has none), texture coordinates. Where they are does not
 * change; what they are does with each step. */
const float *sinew_vertices(uint32_t figure);

#ifdef __cplusplus
}
#endif
#endif
