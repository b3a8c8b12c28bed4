//! The names of tables and routines, and which of them are wanted.

use super::plan::{self, Job};
use crate::Failure;

/// A table: its name, and what it is in words.
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// What a reader must know.
    pub(super) caption: &'static str,
}

/// In the order in which they are shown.
pub(super) const TABLES: [Table; 11] = [
    Table {
        name: "papers",
        title: "The routines of the papers",
        caption: "Elements in a hot cache. The papers' figures are clock cycles of an element on a Pentium 4 of 130 nm / \
                  90 nm, with two weights where there are any. Skeletons are figures of 66 joints.",
    },
    Table {
        name: "figure-15",
        title: "Figure 15: 64 cylinders",
        caption: "Position, and normal at length one. A frame is sine motion, palettes and skin, without drawing; the \
                  elements are vertices. The paper's frames per second, on a Pentium 4 of 3.0 GHz, drawing included: C \
                  45 (plain), SSE 82 (papers-sse2-gathered), SSE with friendly data 98 (papers-sse2), software vertex \
                  shader 41, hardware vertex shader 146. sinew writes blocks, sinew-vertices 24 bytes for each vertex as \
                  the paper does.",
    },
    Table {
        name: "figure-18",
        title: "Figure 18: threads",
        caption: "Frames of the 64 cylinders with four weights. -data: two threads share the vertices. -tasks: one \
                  thread animates the next frame while the other skins this one.",
    },
    Table {
        name: "figure-19",
        title: "Figures 19 and 20: waiting",
        caption: "How long each of two threads waits for the other in a frame of figure 18. Of -tasks the first thread \
                  animates and the second skins.",
    },
    Table {
        name: "models",
        title: "A model as it is",
        caption: "All parts of the model in one mesh. The papers' method is the blended matrix, for positions alone that \
                  of weighted positions, in the order of the file. The copy reads and writes as many bytes as skinning \
                  into blocks.",
    },
    Table {
        name: "sizes",
        title: "Sizes beyond the caches",
        caption: "Position, normal and tangent into blocks. Bytes are those that skinning reads and writes, and the copy \
                  beside it.",
    },
    Table {
        name: "threads",
        title: "Threads",
        caption: "figures: 64 figures, each thread with some of them. mesh: one figure of 65536 vertices, each thread \
                  with a window of it.",
    },
    Table {
        name: "frames",
        title: "Frames, stage by stage",
        caption: "Figures of 64 joints and 5000 vertices that blend two clips. Elements are joints, from skin on \
                  vertices. A frame goes figure by figure and skins into memory that is used again; instances keep \
                  their vertices.",
    },
    Table {
        name: "crowds",
        title: "Crowds",
        caption: "The same figures in a crowd, on one thread. step: two clips sampled and blended, to palettes, for each \
                  joint. consumed: each skinned into memory that is used again and handed over; kept: all vertices kept, \
                  for each vertex.",
    },
    Table {
        name: "rays",
        title: "Rays",
        caption: "A figure of 5000 vertices. refit: the tree of boxes follows the vertices, for each triangle. closest and \
                  any: for each of 1024 rays from around the figure to places near it.",
    },
    Table {
        name: "bounds",
        title: "Bounds",
        caption: "A figure of 64 joints and 5000 vertices. box and sphere: from the joints alone, for each joint; exact: \
                  from all vertices, for each vertex.",
    },
];

/// What the user wants to see.
pub(super) struct Selection {
    /// Tables and routines; all where there are none.
    names: Vec<String>,
}

impl Selection {
    /// Demands that every name is one.
    pub(super) fn new(names: &[String]) -> Result<Self, Failure> {
        let jobs = plan::all();
        match names.iter().find(|name| !is_known(name, &jobs)) {
            Some(name) => Err(Failure::Usage(format!("--only {name}: expected {}", known(&jobs)))),
            None => Ok(Self { names: names.to_vec() }),
        }
    }

    pub(super) fn wants(&self, table: &str, routine: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| same(name, table) || same(name, routine))
    }

    /// Whether a job has rows that are wanted.
    pub(super) fn wants_some(&self, job: &Job) -> bool {
        job.tables.iter().any(|table| job.routines.iter().any(|routine| self.wants(table, routine)))
    }
}

fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

fn is_known(name: &str, jobs: &[Job]) -> bool {
    jobs.iter().any(|job| job.tables.iter().chain(job.routines).any(|known| same(known, name)))
}

/// All names, for those who gave another.
fn known(jobs: &[Job]) -> String {
    let mut routines: Vec<&str> = Vec::new();
    for routine in jobs.iter().flat_map(|job| job.routines) {
        if !routines.contains(routine) {
            routines.push(routine);
        }
    }
    let tables = TABLES.each_ref().map(|table| table.name).join(", ");
    format!("a table ({tables}) or a routine ({})", routines.join(", "))
}
