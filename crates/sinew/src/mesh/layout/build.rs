//! Builds a layout: sorts vertices into bins, chooses the cheaper grouping, and assigns slots.

use std::mem::size_of_val;

use sinew_kernels::BLOCK;

use super::bins::Bins;
use super::costs::nanoseconds;
use super::groups::Groups;
use super::joint_sets::JointSets;
use super::levels::{self, Level};
use super::lod_order::order_for_levels;
use super::merge_sets::merge_joint_sets;
use super::report::{Grouping, LayoutReport, LevelReport};
use super::slot_influences::{RunSpan, SlotInfluences};
use super::source_groups::source_spans;
use crate::math::sort::{heap_sort, sort_by_key};
use crate::mesh::Weights;
use crate::mesh::influences::{StrongestInfluences, VertexInfluences};

/// The vertices in slot order, in whole blocks, and the groups that kernels skin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    /// The vertex of each slot. A pad repeats the last vertex before it.
    pub(crate) inverse_remap: Vec<u32>,
    /// The slot of each vertex.
    pub(crate) remap: Vec<u32>,
    /// Groups with all influences.
    pub(crate) full: Groups,
    /// Groups with fewer influences, in the order of the source's levels.
    pub(crate) levels: Vec<Level>,
    costs: Costs,
    /// The largest number of influences of a vertex.
    pub(crate) max_influences: usize,
    /// The influences of each vertex.
    pub(crate) influences: VertexInfluences,
    /// The number of influences of all vertices, without pads.
    total_influences: usize,
    /// The number of influences that all slots are skinned with, including pads and unused joints
    /// of runs.
    skinned_influences: usize,
}

/// The estimated cost of each grouping that the influences allow.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Costs {
    shared_joints: Option<u64>,
    per_vertex_joints: Option<u64>,
}

impl Layout {
    /// Builds a layout with one level of detail per element of `level_maxima`, each at least one.
    ///
    /// Runs are sorted by their number of joints, then by first appearance. Within a run, vertices
    /// keep their source order, so that neighbors in the mesh stay close. With levels of detail,
    /// vertices with the same strongest joints are placed together instead. Vertices with joints of
    /// their own stay in source order, so that its segments serve both orders.
    pub(crate) fn new(influences: VertexInfluences, level_maxima: &[usize]) -> Self {
        let Plan { grouping, bins, costs } = choose_grouping(&influences, level_maxima);
        let (spans, mut inverse_remap, remap) = match bins {
            None => {
                let slots = source_slots(influences.len());
                let remap = invert(&slots, influences.len());
                (source_spans(&influences, usize::MAX), slots, remap)
            }
            Some(bins) if level_maxima.is_empty() => order_by_bin(bins),
            Some(bins) => {
                let by_joints = by_strongest_joints(&influences);
                let (spans, slots) = order_for_levels(&bins, &by_joints, &influences, PAD);
                let remap = invert(&slots, influences.len());
                (spans, slots, remap)
            }
        };
        fill_pads(&mut inverse_remap);
        let slot_influences = SlotInfluences {
            influences: &influences,
            inverse_remap: &inverse_remap,
            max_influences: usize::MAX,
        };
        let full = slot_influences.groups(grouping, &spans);
        let level = |&max_influences: &usize| {
            levels::build_level(SlotInfluences { max_influences, ..slot_influences }, grouping, &spans)
        };
        let levels = level_maxima.iter().map(level).collect();
        Self {
            full,
            levels,
            costs,
            max_influences: influences.max_count(),
            skinned_influences: spans.iter().map(|s| BLOCK * s.blocks * s.influences).sum(),
            total_influences: influences.total(),
            influences,
            inverse_remap,
            remap,
        }
    }

    /// The groups of a level of detail; `None` for all influences.
    pub(crate) fn groups(&self, level: Option<usize>) -> &Groups {
        level.map_or(&self.full, |level| &self.levels[level].groups)
    }

    /// Whether slots are the vertices in source order, the last one repeated to fill its block.
    pub(crate) fn is_in_source_order(&self) -> bool {
        matches!(self.full, Groups::PerVertexJoints(_))
    }

    /// All influences of a slot, strongest first.
    pub(crate) fn influences_of_slot(&self, slot: usize) -> StrongestInfluences<'_> {
        self.strongest_of_slot(slot, usize::MAX)
    }

    /// The joint whose weight is positive and larger than all others of a slot, if there is one.
    pub(crate) fn largest_of_slot(&self, slot: usize) -> Option<u32> {
        self.influences.largest(self.inverse_remap[slot] as usize)
    }

    /// The strongest influences of a slot: at most `max`.
    pub(crate) fn strongest_of_slot(&self, slot: usize, max: usize) -> StrongestInfluences<'_> {
        self.influences.strongest(self.inverse_remap[slot] as usize, max)
    }

    /// The chosen grouping and the costs it was chosen by.
    pub(crate) fn report(&self) -> LayoutReport {
        let average = |sum: usize, count: usize| sum as f64 / count.max(1) as f64;
        let level = |level: &Level| LevelReport {
            max_influences: level.max_influences,
            runs: level.groups.runs(),
            cost: nanoseconds(level.cost),
        };
        LayoutReport {
            grouping: match self.full {
                Groups::SharedJoints(_) => Grouping::SharedJoints,
                Groups::PerVertexJoints(_) => Grouping::PerVertexJoints,
                Groups::PreWeighted(_) => Grouping::PreWeighted,
            },
            runs: self.full.runs(),
            slots: self.inverse_remap.len(),
            shared_joints_cost: self.costs.shared_joints.map(nanoseconds),
            per_vertex_joints_cost: self.costs.per_vertex_joints.map(nanoseconds),
            max_influences: self.max_influences,
            average_influences: average(self.total_influences, self.remap.len()),
            skinned_influences: average(self.skinned_influences, self.inverse_remap.len()),
            source_segments: 0,
            source_columns: 0.0,
            levels: self.levels.iter().map(level).collect(),
        }
    }

    /// The number of bytes of both remap tables.
    pub(crate) fn remap_bytes(&self) -> usize {
        size_of_val(&self.inverse_remap[..]) + size_of_val(&self.remap[..])
    }
}

/// The chosen grouping.
struct Plan {
    grouping: Grouping,
    /// `None` for per-vertex joints, whose vertices stay in source order.
    bins: Option<Bins>,
    costs: Costs,
}

/// The cheapest grouping that the influences allow, with its bins.
///
/// Kernels for shared joints imply the last weight from a sum of one, so weights that are kept as
/// stored need per-vertex joints.
fn choose_grouping(influences: &VertexInfluences, level_maxima: &[usize]) -> Plan {
    if influences.is_joint_space() {
        let merged = merge_joint_sets(JointSets::new(influences), influences, level_maxima);
        let costs = Costs { shared_joints: Some(merged.shared_joints_cost()), per_vertex_joints: None };
        return Plan { grouping: Grouping::PreWeighted, bins: Some(merged), costs };
    }
    let spans = source_spans(influences, usize::MAX);
    let per_vertex_joints = spans.iter().map(|span| span.per_vertex_joints_cost()).sum();
    if influences.weight_mode() == Weights::AsStored {
        let costs = Costs { shared_joints: None, per_vertex_joints: Some(per_vertex_joints) };
        return Plan { grouping: Grouping::PerVertexJoints, bins: None, costs };
    }
    let sets = JointSets::new_if_cheap(influences, per_vertex_joints);
    let merged = sets.map(|sets| merge_joint_sets(sets, influences, level_maxima));
    let shared_joints = Some(merged.as_ref().map_or(per_vertex_joints + 1, Bins::shared_joints_cost));
    let costs = Costs { shared_joints, per_vertex_joints: Some(per_vertex_joints) };
    match merged {
        Some(merged) if shared_joints <= Some(per_vertex_joints) => {
            Plan { grouping: Grouping::SharedJoints, bins: Some(merged), costs }
        }
        _ => Plan { grouping: Grouping::PerVertexJoints, bins: None, costs },
    }
}

/// The vertices sorted by strongest joint, then by second strongest joint, and so on; vertices with
/// equal joints stay in source order.
fn by_strongest_joints(influences: &VertexInfluences) -> Vec<u32> {
    // The first four joints are stored next to the vertex, so that few comparisons read further
    // memory.
    let key = |vertex: usize| {
        let mut first = [0; 4];
        for (first, &joint) in first.iter_mut().zip(influences.joints(vertex)) {
            *first = joint + 1;
        }
        (first, vertex as u32)
    };
    let mut keys: Vec<([u32; 4], u32)> = (0..influences.len()).map(key).collect();
    let remaining = |vertex: u32| influences.joints(vertex as usize).get(4..).unwrap_or_default();
    keys.sort_unstable();
    for equal in keys.chunk_by_mut(|(a, _), (b, _)| a == b).filter(|equal| equal[0].0[3] > 0) {
        heap_sort(equal, |&(_, v), &(_, w)| (remaining(v), v) < (remaining(w), w));
    }
    keys.into_iter().map(|(_, vertex)| vertex).collect()
}

/// A slot without its own vertex.
const PAD: u32 = u32::MAX;

/// The vertices in source order, in whole blocks: the vertex of each slot or `PAD`.
fn source_slots(vertices: usize) -> Vec<u32> {
    let slots = 0..vertices.next_multiple_of(BLOCK) as u32;
    slots.map(|slot| if (slot as usize) < vertices { slot } else { PAD }).collect()
}

/// Sorts bins by their number of influences and pads each to whole blocks. Returns the spans of the
/// bins, the vertex of each slot or `PAD`, and the slot of each vertex.
fn order_by_bin(bins: Bins) -> (Vec<RunSpan>, Vec<u32>, Vec<u32>) {
    let Bins { of_vertex, bins } = bins;
    let mut order: Vec<usize> = (0..bins.len()).collect();
    sort_by_key(&mut order, |&bin| bins[bin].influences as u64);
    let (mut spans, mut blocks) = (Vec::with_capacity(order.len()), 0);
    let mut next = vec![0_u32; order.len()];
    for bin in order {
        next[bin] = (BLOCK * blocks) as u32;
        let span = RunSpan {
            influences: bins[bin].influences,
            first: blocks,
            blocks: bins[bin].vertices.div_ceil(BLOCK),
        };
        blocks += span.blocks;
        spans.push(span);
    }
    let mut inverse_remap = vec![PAD; BLOCK * blocks];
    // The memory of the bins becomes that of the slots.
    let mut remap = of_vertex;
    for (vertex, bin) in remap.iter_mut().enumerate() {
        let next = &mut next[*bin as usize];
        inverse_remap[*next as usize] = vertex as u32;
        *bin = *next;
        *next += 1;
    }
    (spans, inverse_remap, remap)
}

/// The slot of each vertex, given the vertex of each slot or `PAD`.
fn invert(inverse_remap: &[u32], vertices: usize) -> Vec<u32> {
    let mut remap = vec![0; vertices];
    for (slot, &vertex) in inverse_remap.iter().enumerate().filter(|(_, vertex)| **vertex != PAD) {
        remap[vertex as usize] = slot as u32;
    }
    remap
}

/// Makes each pad repeat the vertex before it.
fn fill_pads(inverse_remap: &mut [u32]) {
    let mut last = PAD;
    for vertex in inverse_remap {
        if *vertex == PAD {
            *vertex = last;
        }
        last = *vertex;
    }
}
