//! Building a layout: vertices in bins, the cheaper form, every vertex in its place.

use std::cmp::Ordering;
use std::mem::size_of_val;

use sinew_kernels::BLOCK;

use super::arrange::arranged;
use super::costs::nanoseconds;
use super::fold::folded;
use super::groups::Groups;
use super::levels::{self, Level};
use super::place::{Placed, Segment};
use super::report::{Grouping, LayoutReport, LevelReport};
use super::sets::{Bins, Sets};
use crate::Weights;
use crate::hanging::Hanging;

/// The vertices in their places, in whole blocks, and what skins them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    /// For each place the vertex; a pad repeats the last vertex before it.
    pub(crate) vertex_of_place: Vec<u32>,
    /// For each vertex its place.
    pub(crate) place_of_vertex: Vec<u32>,
    /// What skins with all influences.
    pub(crate) full: Groups,
    /// What skins with fewer, in the order in which levels were asked for.
    pub(crate) levels: Vec<Level>,
    costs: Costs,
    /// The most influences that a vertex has.
    pub(crate) most_influences: usize,
    /// Influences of all vertices.
    influences: usize,
    /// Influences that all places are skinned with.
    skinned_influences: usize,
}

/// The costs of the forms that the influences allow.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Costs {
    runs: Option<u64>,
    counts: Option<u64>,
}

impl Layout {
    /// With a level for each of the maxima, which are one or more.
    ///
    /// Runs go by their number of joints, then by first appearance. Vertices keep their order within a run, so that
    /// neighbours in the mesh stay near each other; with levels, those with the same strongest joints do.
    pub(crate) fn new(hanging: &Hanging, maxima: &[usize]) -> Self {
        let (form, bins, costs) = chosen(hanging, maxima);
        let (segments, mut vertex_of_place) = if form == Grouping::Counts || maxima.is_empty() {
            in_source_order(&bins)
        } else {
            arranged(&bins, &by_strongest_joints(hanging), hanging, PAD)
        };
        let place_of_vertex = filled(&mut vertex_of_place, hanging.len());
        let by_place = hanging.in_order(&vertex_of_place);
        let placed = Placed { hanging: &by_place, vertex_of_place: &vertex_of_place, most: usize::MAX };
        let full = placed.groups(form, &segments);
        let level = |&most: &usize| levels::level(Placed { most, ..placed }, form, &segments);
        let levels = maxima.iter().map(level).collect();
        Self {
            full,
            levels,
            costs,
            most_influences: (0..hanging.len()).map(|vertex| hanging.joints(vertex).len()).max().unwrap_or(0),
            influences: hanging.influences(),
            skinned_influences: segments.iter().map(|s| BLOCK * s.blocks * s.influences).sum(),
            vertex_of_place,
            place_of_vertex,
        }
    }

    /// What was chosen, and why.
    pub(crate) fn report(&self) -> LayoutReport {
        let average = |sum: usize, of: usize| sum as f64 / of.max(1) as f64;
        let level = |level: &Level| LevelReport {
            max_influences: level.max_influences,
            runs: level.groups.runs(),
            cost: nanoseconds(level.cost),
        };
        LayoutReport {
            form: match self.full {
                Groups::Runs(_) => Grouping::Runs,
                Groups::Counts(_) => Grouping::Counts,
                Groups::Weighted(_) => Grouping::Weighted,
            },
            runs: self.full.runs(),
            places: self.vertex_of_place.len(),
            cost_of_runs: self.costs.runs.map(nanoseconds),
            cost_of_counts: self.costs.counts.map(nanoseconds),
            most_influences: self.most_influences,
            average_influences: average(self.influences, self.place_of_vertex.len()),
            skinned_influences: average(self.skinned_influences, self.vertex_of_place.len()),
            levels: self.levels.iter().map(level).collect(),
        }
    }

    /// The bytes of both permutations.
    pub(crate) fn bytes_of_permutations(&self) -> usize {
        size_of_val(&self.vertex_of_place[..]) + size_of_val(&self.place_of_vertex[..])
    }
}

/// The form that costs least of those that the influences allow, with its bins.
///
/// Runs imply the last weight from a sum of one, so weights as stored must have their own.
fn chosen(hanging: &Hanging, maxima: &[usize]) -> (Grouping, Bins, Costs) {
    let in_runs = || folded(&Sets::new(hanging), hanging, maxima);
    if hanging.in_joint_space() {
        let runs = in_runs();
        let costs = Costs { runs: Some(runs.cost_of_runs()), counts: None };
        return (Grouping::Weighted, runs, costs);
    }
    let by_count = Bins::by_count(hanging);
    let counts = by_count.cost_of_counts();
    if hanging.kept() == Weights::AsStored {
        return (Grouping::Counts, by_count, Costs { runs: None, counts: Some(counts) });
    }
    let in_runs = in_runs();
    let runs = in_runs.cost_of_runs();
    let costs = Costs { runs: Some(runs), counts: Some(counts) };
    if runs <= counts { (Grouping::Runs, in_runs, costs) } else { (Grouping::Counts, by_count, costs) }
}

/// The vertices by strongest joint, then by second strongest, and so on; those that are alike in source order.
fn by_strongest_joints(hanging: &Hanging) -> Vec<u32> {
    // The first four stand beside the vertex, so that few comparisons look any further.
    let key = |vertex: usize| {
        let mut first = [0; 4];
        for (first, &joint) in first.iter_mut().zip(hanging.joints(vertex)) {
            *first = joint + 1;
        }
        (first, vertex as u32)
    };
    let mut keys: Vec<([u32; 4], u32)> = (0..hanging.len()).map(key).collect();
    let rest = |vertex: u32| hanging.joints(vertex as usize).get(4..).unwrap_or_default();
    keys.sort_unstable_by(|(a, v), (b, w)| {
        let further = || if a[3] == 0 { Ordering::Equal } else { rest(*v).cmp(rest(*w)) };
        a.cmp(b).then_with(further).then(v.cmp(w))
    });
    keys.into_iter().map(|(_, vertex)| vertex).collect()
}

/// A place without a vertex of its own.
const PAD: u32 = u32::MAX;

/// The bins by their number of influences, each in whole blocks, and the vertex of each place, or a pad.
fn in_source_order(bins: &Bins) -> (Vec<Segment>, Vec<u32>) {
    let mut order: Vec<usize> = (0..bins.bins.len()).collect();
    order.sort_by_key(|&bin| bins.bins[bin].influences);
    let (mut segments, mut blocks) = (Vec::with_capacity(order.len()), 0);
    let mut next = vec![0_u32; order.len()];
    for bin in order {
        next[bin] = (BLOCK * blocks) as u32;
        let segment = Segment {
            influences: bins.bins[bin].influences,
            first: blocks,
            blocks: bins.bins[bin].vertices.div_ceil(BLOCK),
        };
        blocks += segment.blocks;
        segments.push(segment);
    }
    let mut vertex_of_place = vec![PAD; BLOCK * blocks];
    for (vertex, &bin) in bins.of_vertex.iter().enumerate() {
        let place = &mut next[bin as usize];
        vertex_of_place[*place as usize] = vertex as u32;
        *place += 1;
    }
    (segments, vertex_of_place)
}

/// Makes every pad repeat the vertex before it, and gives the place of each vertex.
fn filled(vertex_of_place: &mut [u32], vertices: usize) -> Vec<u32> {
    let mut place_of_vertex = vec![0; vertices];
    let mut last = PAD;
    for (place, vertex) in vertex_of_place.iter_mut().enumerate() {
        if *vertex == PAD {
            *vertex = last;
        } else {
            place_of_vertex[*vertex as usize] = place as u32;
        }
        last = *vertex;
    }
    place_of_vertex
}
