//! The order of vertices where levels of detail are asked for.
//!
//! A level needs of each block only the joints that its vertices keep, and the coarsest keeps the strongest. So the
//! vertices of a run that have the same strongest joint are a part, and parts have blocks of their own, as far as the run
//! needs no more blocks for it; what is left of them shares blocks. Runs of as many joints follow one another so that
//! one ends with the joint that the next begins with: there the level has one run instead of two.

use std::cmp::Reverse;
use std::mem::take;

use sinew_kernels::BLOCK;

use super::place::Segment;
use super::sets::Bins;
use crate::hanging::Hanging;

/// The runs, fewest influences first, and the vertex of each place, or this pad. The vertices come by strongest joint.
pub(super) fn arranged(
    bins: &Bins,
    vertices: &[u32],
    hanging: &Hanging,
    pad: u32,
) -> (Vec<Segment>, Vec<u32>) {
    let in_bins = bins.in_bins(vertices);
    let mut rest = &in_bins[..];
    let mut runs = Vec::with_capacity(bins.bins.len());
    for bin in &bins.bins {
        let (own, more) = rest.split_at(bin.vertices);
        runs.push(Run::new(bin.influences, own, hanging));
        rest = more;
    }
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by_key(|&run| runs[run].influences);
    let mut chain = Chain::new(runs, hanging.skin_len(), pad);
    for alike in order.chunk_by(|&a, &b| bins.bins[a].influences == bins.bins[b].influences) {
        chain.add(alike);
    }
    (chain.segments, chain.vertex_of_place)
}

/// A run in parts.
struct Run<'a> {
    influences: usize,
    /// The parts that have blocks of their own.
    parts: Vec<Part<'a>>,
    /// What is in each shared block.
    shared: Vec<Vec<&'a [u32]>>,
}

/// Vertices with the same strongest joint.
struct Part<'a> {
    joint: u32,
    /// Those in blocks of their own.
    own: &'a [u32],
}

impl<'a> Run<'a> {
    fn new(influences: usize, vertices: &'a [u32], hanging: &Hanging) -> Self {
        let strongest = |vertex: u32| hanging.joints(vertex as usize)[0];
        let (mut parts, mut rests) = (Vec::new(), Vec::new());
        let mut blocks = vertices.len().div_ceil(BLOCK);
        for all in vertices.chunk_by(|&a, &b| strongest(a) == strongest(b)) {
            let (own, rest) = all.split_at(all.len() - all.len() % BLOCK);
            blocks -= own.len() / BLOCK;
            if !rest.is_empty() {
                rests.push(Rest { part: parts.len(), all, rest });
            }
            parts.push(Part { joint: strongest(all[0]), own });
        }
        let mut shared = Vec::new();
        for block in packed(rests, blocks) {
            match block[..] {
                // Alone in its block: all of its part has blocks of its own.
                [Rest { part, all, .. }] => parts[part].own = all,
                _ => shared.push(block.iter().map(|rest| rest.rest).collect()),
            }
        }
        parts.retain(|part| !part.own.is_empty());
        Self { influences, parts, shared }
    }
}

/// Vertices of a part that do not fill a block.
#[derive(Clone, Copy)]
struct Rest<'a> {
    part: usize,
    /// The part, which ends with the rest.
    all: &'a [u32],
    rest: &'a [u32],
}

/// Rests in so many blocks, which have room for all: the longest first, each where it fits best; those that fit nowhere
/// are divided.
fn packed(mut rests: Vec<Rest<'_>>, blocks: usize) -> Vec<Vec<Rest<'_>>> {
    rests.sort_by_key(|rest| Reverse(rest.rest.len()));
    let mut packed = vec![Vec::new(); blocks];
    let mut room = vec![BLOCK; blocks];
    let mut divided = Vec::new();
    for rest in rests {
        let fitting = (0..blocks).filter(|&block| room[block] >= rest.rest.len());
        match fitting.min_by_key(|&block| room[block]) {
            Some(block) => {
                packed[block].push(rest);
                room[block] -= rest.rest.len();
            }
            None => divided.push(rest),
        }
    }
    for mut rest in divided {
        for (packed, room) in packed.iter_mut().zip(&mut room) {
            let (here, more) = rest.rest.split_at(rest.rest.len().min(*room));
            if !here.is_empty() {
                packed.push(Rest { rest: here, ..rest });
                *room -= here.len();
            }
            rest.rest = more;
        }
    }
    packed
}

/// Runs one after the other.
struct Chain<'a> {
    runs: Vec<Run<'a>>,
    placed: Vec<bool>,
    /// For each joint the runs that can begin with it, the one to take next last; some may be placed.
    waiting: Vec<Vec<usize>>,
    segments: Vec<Segment>,
    vertex_of_place: Vec<u32>,
    pad: u32,
    /// The strongest joint of the last block.
    end: Option<u32>,
}

impl<'a> Chain<'a> {
    fn new(runs: Vec<Run<'a>>, skin_len: usize, pad: u32) -> Self {
        let placed = vec![false; runs.len()];
        let waiting = vec![Vec::new(); skin_len];
        Self { runs, placed, waiting, segments: Vec::new(), vertex_of_place: Vec::new(), pad, end: None }
    }

    /// Adds runs of as many joints, each after one that ends with a joint that it can begin with; where there is none, by
    /// rising number.
    fn add(&mut self, alike: &[usize]) {
        self.wait(alike);
        let mut by_number = alike.iter().copied();
        loop {
            let next = self.end.and_then(|joint| self.next(joint));
            match next.or_else(|| by_number.find(|&run| !self.placed[run])) {
                Some(run) => self.place(run),
                None => return,
            }
        }
    }

    fn wait(&mut self, alike: &[usize]) {
        let mut order = alike.to_vec();
        // Those without shared blocks and other parts can be followed by one more that begins with the same joint.
        order.sort_by_key(|&run| Reverse((self.runs[run].shared.len(), self.runs[run].parts.len(), run)));
        for run in order {
            for part in &self.runs[run].parts {
                self.waiting[part.joint as usize].push(run);
            }
        }
    }

    /// The next run that can begin with the joint.
    fn next(&mut self, joint: u32) -> Option<usize> {
        let waiting = &mut self.waiting[joint as usize];
        while waiting.pop_if(|run| self.placed[*run]).is_some() {}
        waiting.last().copied()
    }

    fn place(&mut self, run: usize) {
        self.placed[run] = true;
        let Run { influences, ref mut parts, ref mut shared } = self.runs[run];
        let (mut parts, shared) = (take(parts), take(shared));
        // Last one that another run can begin with.
        parts.sort_by_cached_key(|part| {
            (Some(part.joint) != self.end, self.next(part.joint).is_some(), part.own.len())
        });
        let first = self.vertex_of_place.len() / BLOCK;
        let (begin, others) = parts.split_at(parts.len().min(1));
        begin.iter().for_each(|part| self.put(part.own));
        shared.iter().for_each(|block| self.put(&block.concat()));
        others.iter().for_each(|part| self.put(part.own));
        let blocks = self.vertex_of_place.len() / BLOCK - first;
        self.segments.push(Segment { influences, first, blocks });
        self.end = parts.last().map_or(self.end, |part| Some(part.joint));
    }

    /// Vertices, in whole blocks.
    fn put(&mut self, vertices: &[u32]) {
        self.vertex_of_place.extend(vertices);
        self.vertex_of_place.resize(self.vertex_of_place.len().next_multiple_of(BLOCK), self.pad);
    }
}

#[cfg(test)]
mod tests {
    use super::super::groups::Groups;
    use super::super::listed::{Listed, Made};
    use super::*;

    /// Vertices on all of so many joints, of which this one is the strongest.
    fn push(listed: &mut Listed, joints: &[u32], strongest: u32, vertices: usize) {
        let pull = |&joint: &u32| (joint, if joint == strongest { 2.0 } else { 1.0 }, [0.0; 3]);
        let pulls: Vec<_> = joints.iter().map(pull).collect();
        (0..vertices).for_each(|_| listed.push(&pulls));
    }

    #[test]
    fn only_as_many_parts_share_a_block_as_must() {
        let mut listed = Listed::new(0, 1, 1, 4, 1);
        for (strongest, vertices) in [(0, 29), (1, 17), (2, 6), (3, 6)] {
            push(&mut listed, &[0, 1, 2, 3], strongest, vertices);
        }
        let vertices: Vec<u32> = (0..58).collect();
        let run = Run::new(4, &vertices, &listed.hanging(Made::Normalised));
        let own: Vec<_> = run.parts.iter().map(|part| (part.joint, part.own.len())).collect();
        assert_eq!(own, [(0, 29), (1, 16), (3, 6)]);
        let shared: Vec<Vec<_>> =
            run.shared.iter().map(|block| block.iter().map(|rest| rest.len()).collect()).collect();
        assert_eq!(shared, [[6, 1]]);
    }

    #[test]
    fn rests_that_fit_nowhere_are_divided_and_none_is_lost() {
        let vertices: Vec<u32> = (0..70).collect();
        for lens in [&[7, 7, 7, 3][..], &[5, 5, 5], &[6, 6, 6, 6], &[1; 9], &[4, 4], &[7], &[]] {
            let mut next = 0;
            let rest = |(part, &len): (usize, &usize)| {
                let all = &vertices[next..next + len];
                next += len;
                Rest { part, all, rest: all }
            };
            let rests: Vec<_> = lens.iter().enumerate().map(rest).collect();
            let blocks = next.div_ceil(BLOCK);
            let packed = packed(rests, blocks);
            assert_eq!(packed.len(), blocks);
            let of_block = |block: &Vec<Rest<'_>>| block.iter().map(|rest| rest.rest.len()).sum::<usize>();
            assert!(packed.iter().all(|block| of_block(block) <= BLOCK), "{lens:?}");
            let mut found: Vec<u32> = packed.iter().flatten().flat_map(|rest| rest.rest).copied().collect();
            found.sort_unstable();
            assert_eq!(found, vertices[..next], "{lens:?}");
        }
    }

    #[test]
    fn a_run_begins_with_the_joint_that_another_ends_with() {
        let mut listed = Listed::new(0, 1, 1, 4, 1);
        for (joints, strongest) in [([0, 1], 0), ([0, 1], 1), ([2, 3], 2), ([1, 2], 2), ([1, 2], 1)] {
            push(&mut listed, &joints, strongest, 8);
        }
        let layout = listed.layout(Made::Normalised, &[1]);
        let Groups::Runs(groups) = &layout.levels[0].groups else { panic!("no runs") };
        let [group] = &groups[..] else { panic!("more than one joint in a block") };
        assert_eq!(group.joints, [0, 1, 2]);
        assert_eq!(group.runs.iter().map(|run| run.blocks).collect::<Vec<_>>(), [1, 2, 2]);
    }

    #[test]
    fn a_run_has_no_more_blocks_than_its_vertices_fill() {
        for seed in 0..40 {
            let listed = Listed::new(300, 1 + seed as usize, 4, 9, seed);
            for made in [Made::Normalised, Made::InJointSpace] {
                let layout = listed.layout(made, &[1]);
                let mut runs = layout.full.run_starts();
                runs.push(layout.vertex_of_place.len() / BLOCK);
                for run in runs.windows(2) {
                    let mut vertices = layout.vertex_of_place[BLOCK * run[0]..BLOCK * run[1]].to_vec();
                    vertices.dedup();
                    assert_eq!(vertices.len().div_ceil(BLOCK), run[1] - run[0]);
                }
            }
        }
    }
}
