/* Uses the header from C: a figure walks, and a wrong call returns an error. Exit code 0: success. */

#include <stdio.h>
#include <string.h>

#include "sinew.h"

int main(void) {
    static const char name[] = "@figure:2000";
    uint8_t *inbox = sinew_inbox(strlen(name));
    if (!inbox) return 1;
    memcpy(inbox, name, strlen(name));
    uint32_t figure = sinew_open(SINEW_REPRODUCIBLE);
    if (!figure) return 2;
    float before = sinew_vertices(figure)[1];
    if (sinew_step(figure, 0.25f) != 0 || sinew_vertices(figure)[1] == before) return 3;
    if (sinew_step(figure + 1, 0.25f) != -1 || !strstr((const char *)sinew_text(), "no figure")) return 4;
    printf("%d vertices, %d joints, %s\n", sinew_vertices_len(figure), sinew_joints_len(figure), (const char *)sinew_text());
    return sinew_close(figure);
}
