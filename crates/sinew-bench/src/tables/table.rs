//! The names, titles and captions of the tables.

/// A table of `sinew bench`.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The name for `--only`.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What its columns mean.
    pub caption: &'static str,
}

/// All tables, in the order of the output.
pub const TABLES: [Table; 12] = [
    Table {
        name: "frames",
        title: "Frames, stage by stage",
        caption: "Figures of 64 joints and 5000 vertices that blend two clips. Elements are joints, \
                  and vertices from skin on. A frame processes figure by figure and skins into \
                  reused memory; instances keep their vertices. Then the animation alone, per joint, \
                  for kinds of clips (times: of the keys) and skeletons. seek: to any time. animate: \
                  two samples, blend, model and palette.",
    },
    Table {
        name: "crowds",
        title: "Crowds",
        caption: "The same figures in a crowd, on one thread. step: two clips sampled and blended, \
                  to palettes, per joint. two-bone, aim, override: the same with one pose modifier. \
                  consumed: each figure skinned into reused memory and handed over; kept: all \
                  vertices kept; both per vertex. avatars: a step of skeletons of 51 bones at rest; \
                  springs: the same, and springs move 40 of the bones; both per bone that can \
                  swing.",
    },
    Table {
        name: "papers",
        title: "The routines of the papers",
        caption: "Elements in a warm cache. The papers' figures are clock cycles per element on a \
                  Pentium 4 of 130 nm / 90 nm, with two weights where the routine has weights. \
                  Skeletons are humanoids of 66 joints.",
    },
    Table {
        name: "figure-15",
        title: "Figure 15: 64 cylinders",
        caption: "Positions and unit normals. A frame is sine motion, palettes and skinning, without \
                  drawing; the elements are vertices. The paper's frames per second, on a Pentium 4 \
                  at 3.0 GHz, drawing included: C 45 (plain), SSE 82 (papers-sse2-gathered), SSE \
                  with friendly data 98 (papers-sse2), software vertex shader 41, hardware vertex \
                  shader 146. sinew writes blocks, sinew-vertices 24 bytes per vertex as the paper \
                  does.",
    },
    Table {
        name: "figure-18",
        title: "Figure 18: threads",
        caption: "Frames of the 64 cylinders with four weights. -data: two threads share the \
                  vertices. -tasks: one thread animates the next frame while the other skins this \
                  one.",
    },
    Table {
        name: "figure-19",
        title: "Figures 19 and 20: waiting",
        caption: "How long each of two threads waits for the other in a frame of figure 18. With \
                  -tasks the first thread animates and the second skins.",
    },
    Table {
        name: "models",
        title: "A model",
        caption: "All mesh instances of the model merged into one mesh. The papers' method is the blended \
                  matrix, or weighted positions for positions alone, in the order of the file. The \
                  copy reads and writes as many bytes as skinning into blocks.",
    },
    Table {
        name: "layouts",
        title: "Vertex layouts",
        caption: "Position, normal and tangent into every layout, in run order or in the order of \
                  the source; -normals and -positions without what follows those, -options with \
                  other options. Meshes: the model; 4096 vertices in runs of few joint sets \
                  (few1 to few8 influences) or with random joints (random1 to random8), 64 joints, \
                  or as many as the name says; tiny8 to tiny200 vertices of the model's middle; \
                  large: a million vertices of copies of the model, or with random joints (65536 \
                  with --quick). -cold: other memory fills the caches before each call. The copy is \
                  of 12 bytes for each vector of a vertex. The papers' method \
                  writes 48 bytes padded.",
    },
    Table {
        name: "sizes",
        title: "Sizes beyond the caches",
        caption: "Position, normal and tangent into blocks. Bytes per second are those that \
                  skinning, or the copy beside it, reads and writes.",
    },
    Table {
        name: "threads",
        title: "Threads",
        caption: "figures: 64 figures, divided between the threads. mesh: one figure of 65536 \
                  vertices, each thread skins a range of it.",
    },
    Table {
        name: "rays",
        title: "Rays",
        caption: "A figure of 5000 vertices. refit: the BVH is refitted to the vertices, per \
                  triangle. closest and any: per ray, for 1024 rays from around the figure to points \
                  near it.",
    },
    Table {
        name: "bounds",
        title: "Bounds",
        caption: "A figure of 64 joints and 5000 vertices. box and sphere: from the joints alone, \
                  per joint; exact: from all vertices, per vertex.",
    },
];
