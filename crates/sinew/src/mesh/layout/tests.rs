//! Properties of layouts, tested with random influences.

use std::collections::BTreeSet;

use sinew_kernels::BLOCK;
use sinew_testkit::random::Random;

use super::groups::{Groups, SharedJointsGroup};
use super::joint_sets::JointSets;
use super::merge_sets::merge_joint_sets;
use super::test_support::{InfluenceArrays, InfluenceKind, JointWeights, decode};
use super::{Grouping, Layout, LayoutReport, costs};

const KINDS: [InfluenceKind; 3] =
    [InfluenceKind::Normalized, InfluenceKind::AsStored, InfluenceKind::JointSpace];
const LEVELS: [usize; 5] = [1, 2, 3, 7, usize::MAX];

/// Meshes with long runs, with runs that get merged, with almost as many joint sets as vertices,
/// and tiny ones.
fn all_meshes() -> Vec<InfluenceArrays> {
    let mut seeds = 400..;
    let sizes =
        [(0, 1), (1, 1), (7, 2), (8, 3), (9, 1), (64, 3), (500, 8), (500, 60), (500, 5000), (999, 30)];
    let sizes_and_limits = sizes.into_iter().flat_map(|size| [(size, 1), (size, 2), (size, 4), (size, 9)]);
    let meshes = sizes_and_limits.map(|((vertices, sets), max)| {
        InfluenceArrays::new(vertices, sets, max, 12, seeds.next().expect("a seed"))
    });
    meshes.collect()
}

fn run_groups(layout: &Layout) -> &[SharedJointsGroup] {
    match &layout.full {
        Groups::SharedJoints(groups) => groups,
        other => panic!("no runs: {other:?}"),
    }
}

/// Checks that the influences of each slot are those of its vertex.
fn compare(layout: &Layout, groups: &Groups, expected: &[JointWeights], what: &str) {
    let found = decode(groups, layout.inverse_remap.len());
    for (slot, (found, &vertex)) in found.iter().zip(&layout.inverse_remap).enumerate() {
        let expected = &expected[vertex as usize];
        let joints: BTreeSet<u32> = found.keys().chain(expected.keys()).copied().collect();
        for joint in joints {
            let get = |influences: &JointWeights| influences.get(&joint).copied().unwrap_or_default();
            for (found, expected) in get(found).into_iter().zip(get(expected)) {
                let allowed = 4e-7 * expected.abs().max(1.0);
                let close = (found - expected).abs() <= allowed;
                assert!(close, "{what}, slot {slot}, joint {joint}: expected {expected}, found {found}");
            }
        }
    }
}

#[test]
fn every_grouping_has_the_influences_of_the_source() {
    let mut groupings = BTreeSet::new();
    for arrays in all_meshes() {
        for kind in KINDS {
            let layout = arrays.layout(kind, &[]);
            let grouping = layout.report().grouping;
            groupings.insert(format!("{kind:?} {grouping:?}"));
            compare(&layout, &layout.full, &arrays.expected(kind, usize::MAX), &format!("{kind:?}"));
        }
    }
    let expected = [
        "AsStored PerVertexJoints",
        "JointSpace PreWeighted",
        "Normalized PerVertexJoints",
        "Normalized SharedJoints",
    ];
    assert_eq!(groupings.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn every_level_has_the_strongest_influences_of_the_source() {
    for arrays in all_meshes() {
        for kind in KINDS {
            let layout = arrays.layout(kind, &LEVELS);
            compare(&layout, &layout.full, &arrays.expected(kind, usize::MAX), "full");
            for (level, max) in layout.levels.iter().zip(LEVELS) {
                assert_eq!(level.max_influences, max);
                compare(&layout, &level.groups, &arrays.expected(kind, max), &format!("{kind:?}, {max}"));
            }
        }
    }
}

#[test]
fn weights_as_stored_keep_their_bits() {
    for arrays in all_meshes() {
        for kind in [InfluenceKind::AsStored, InfluenceKind::JointSpace] {
            let layout = arrays.layout(kind, &[]);
            let found = decode(&layout.full, layout.inverse_remap.len());
            let mut pairs = arrays.joints.iter().zip(&arrays.weights);
            for (&count, &slot) in arrays.counts.iter().zip(&layout.remap) {
                let own: Vec<_> = pairs.by_ref().take(count as usize).collect();
                // The weights of a joint that is listed twice are added.
                let named = |joint: &u32| own.iter().filter(|(other, _)| *other == joint).count();
                for &(joint, &weight) in
                    own.iter().filter(|(joint, weight)| named(joint) == 1 && **weight > 0.0)
                {
                    assert_eq!(found[slot as usize][joint][3], f64::from(weight));
                }
            }
        }
    }
}

#[test]
fn vertices_with_joints_of_their_own_stay_in_source_order() {
    for arrays in all_meshes() {
        for levels in [&LEVELS[..0], &LEVELS] {
            let layout = arrays.layout(InfluenceKind::AsStored, levels);
            assert!(layout.is_in_source_order());
            assert!(layout.remap.iter().enumerate().all(|(vertex, &slot)| vertex == slot as usize));
            assert_eq!(layout.inverse_remap.len(), layout.remap.len().next_multiple_of(BLOCK));
        }
    }
}

#[test]
fn remaps_are_inverse_and_pads_repeat_the_vertex_before() {
    for arrays in all_meshes() {
        for (kind, levels) in KINDS.into_iter().flat_map(|kind| [(kind, &LEVELS[..0]), (kind, &LEVELS)]) {
            let layout = arrays.layout(kind, levels);
            assert_eq!(layout.remap.len(), arrays.counts.len());
            assert_eq!(layout.inverse_remap.len() % BLOCK, 0);
            for (vertex, &slot) in layout.remap.iter().enumerate() {
                assert_eq!(layout.inverse_remap[slot as usize] as usize, vertex);
            }
            for (slot, &vertex) in layout.inverse_remap.iter().enumerate() {
                let own = layout.remap[vertex as usize] as usize;
                let before = || slot % BLOCK > 0 && layout.inverse_remap[slot - 1] == vertex;
                assert!(own == slot || before(), "slot {slot}");
            }
        }
    }
}

#[test]
fn runs_are_sorted_by_number_of_joints_then_by_first_appearance() {
    for arrays in all_meshes() {
        let layout = arrays.layout(InfluenceKind::JointSpace, &[]);
        let Groups::PreWeighted(groups) = &layout.full else { panic!("other than weighted") };
        let mut records = Vec::new();
        let mut block = 0;
        for group in groups {
            for run in &group.runs {
                assert_eq!(run.first, block, "runs without a gap");
                block += run.blocks;
                let slots = BLOCK * run.first as usize..BLOCK * block as usize;
                let vertices = &layout.inverse_remap[slots];
                assert!(vertices.is_sorted(), "source order within a run");
                records.push((group.influences, vertices[0]));
            }
        }
        assert!(records.is_sorted());
    }
}

#[test]
fn a_run_needs_each_of_its_joints_and_ends_with_one_that_all_vertices_have() {
    for arrays in all_meshes() {
        let layout = arrays.layout(InfluenceKind::Normalized, &[]);
        let Groups::SharedJoints(groups) = &layout.full else { continue };
        let expected = arrays.expected(InfluenceKind::Normalized, usize::MAX);
        for group in groups {
            for (run, joints) in group.runs.iter().zip(group.joints.chunks(group.influences)) {
                let slots = BLOCK * run.first as usize..BLOCK * (run.first + run.blocks) as usize;
                let mut vertices = layout.inverse_remap[slots].to_vec();
                vertices.dedup();
                let weight = |vertex: u32, joint| {
                    expected[vertex as usize].get(&joint).map_or(0.0, |influence| influence[3])
                };
                let total = |&joint: &u32| vertices.iter().map(|&vertex| weight(vertex, joint)).sum();
                let totals: Vec<f64> = joints.iter().map(total).collect();
                assert!(totals.iter().all(|&total| total > 0.0));
                let (others, last) = (&totals[..totals.len() - 1], joints[joints.len() - 1]);
                assert!(others.is_sorted_by(|a, b| *a > b - 1e-6), "most weight first: {totals:?}");
                assert!(vertices.iter().all(|&vertex| weight(vertex, last) > 0.0), "{joints:?}");
                let alike = vertices.iter().all(|&v| expected[v as usize].len() == joints.len());
                assert!(joints.len() <= 4 || alike, "only runs of up to four joints are merged");
            }
        }
    }
}

#[test]
fn merging_sets_lowers_the_cost_for_any_order_of_vertices() {
    for arrays in all_meshes() {
        let layout = arrays.layout(InfluenceKind::Normalized, &[]);
        let influences = arrays.influences(InfluenceKind::Normalized);
        let sets = JointSets::new(&influences);
        let unmerged = (0..sets.len()).map(|set| {
            costs::shared_joints(sets.joints(set).len(), (sets.vertices[set] as usize).div_ceil(BLOCK))
        });
        let unmerged = costs::nanoseconds(unmerged.sum());
        let merged = costs::nanoseconds(merge_joint_sets(sets, &influences, &[]).shared_joints_cost());
        assert!(merged <= unmerged);
        let report = layout.report();
        let found = report.shared_joints_cost.expect("runs are possible");
        // It is not computed if the other is certainly lower.
        let lower = report.per_vertex_joints_cost.is_some_and(|cost| cost < found && found <= merged);
        assert!(found == merged || lower, "{found} for {merged}");

        let mut random = Random::new(499);
        let mut vertices: Vec<u32> = (0..arrays.counts.len() as u32).collect();
        for i in (1..vertices.len()).rev() {
            vertices.swap(i, random.below(i + 1));
        }
        // Vertices with joints of their own stay in source order, so that their cost depends on it.
        let runs_alone = |report: LayoutReport| LayoutReport { per_vertex_joints_cost: None, ..report };
        let shuffled = Layout::new(shuffled_influences(&arrays, &vertices), &[]).report();
        if [shuffled.grouping, report.grouping] == [Grouping::SharedJoints; 2] {
            assert_eq!(runs_alone(shuffled), runs_alone(layout.report()));
        }
    }
}

/// The same vertices in another order.
fn shuffled_influences(
    arrays: &InfluenceArrays,
    vertices: &[u32],
) -> crate::mesh::influences::VertexInfluences {
    let mut starts = vec![0];
    starts.extend(arrays.counts.iter().scan(0, |sum, &count| {
        *sum += count as usize;
        Some(*sum)
    }));
    let mut other =
        InfluenceArrays { inverse_binds: arrays.inverse_binds.clone(), ..InfluenceArrays::default() };
    for &vertex in vertices {
        let own = starts[vertex as usize]..starts[vertex as usize + 1];
        let influences = own.map(|i| (arrays.joints[i], arrays.weights[i], arrays.vectors[i]));
        other.push(&influences.collect::<Vec<_>>());
    }
    other.influences(InfluenceKind::Normalized)
}

#[test]
fn tiny_sets_become_one_run() {
    let mut arrays = InfluenceArrays::new(0, 1, 1, 3, 1);
    let zero = [0.0; 3];
    for influences in
        [&[(0, 1.0, zero)][..], &[(0, 0.5, zero), (1, 0.5, zero)], &[(0, 0.25, zero), (2, 0.75, zero)]]
    {
        arrays.push(influences);
    }
    let layout = arrays.layout(InfluenceKind::Normalized, &[]);
    let [group] = run_groups(&layout) else { panic!("one group") };
    assert_eq!((group.influences, group.runs.len(), layout.inverse_remap.len()), (3, 1, BLOCK));
    // The total weights are 0.75, 0.5 and 1.75. The last joint influences all vertices.
    assert_eq!(group.joints, [2, 1, 0]);
}

#[test]
fn the_cheaper_grouping_is_chosen() {
    for arrays in all_meshes() {
        let layout = arrays.layout(InfluenceKind::Normalized, &[]);
        let report = layout.report();
        let (runs, counts) = (report.shared_joints_cost.unwrap(), report.per_vertex_joints_cost.unwrap());
        assert_eq!(report.grouping == Grouping::SharedJoints, runs <= counts);
        let found: u64 = match &layout.full {
            Groups::SharedJoints(groups) => {
                let cost = |g: &SharedJointsGroup| {
                    g.runs
                        .iter()
                        .map(|run| costs::shared_joints(g.influences, run.blocks as usize))
                        .sum::<u64>()
                };
                groups.iter().map(cost).sum()
            }
            Groups::PerVertexJoints(groups) => {
                assert!(groups.is_sorted_by(|a, b| a.influences < b.influences));
                let blocks = |g: &super::groups::PerVertexJointsGroup| g.weights.len() / g.influences;
                groups.iter().map(|g| costs::per_vertex_joints(g.influences, blocks(g))).sum()
            }
            Groups::PreWeighted(_) => panic!("nothing is in joint space"),
        };
        assert_eq!(costs::nanoseconds(found), runs.min(counts));
        assert_eq!((report.slots, report.runs), (layout.inverse_remap.len(), layout.full.runs()));
    }
}

#[test]
fn a_level_costs_no_more_than_the_full_skin() {
    for arrays in all_meshes() {
        for kind in KINDS {
            let report = arrays.layout(kind, &LEVELS).report();
            let full = match report.grouping {
                Grouping::PerVertexJoints => report.per_vertex_joints_cost,
                Grouping::SharedJoints | Grouping::PreWeighted => report.shared_joints_cost,
            };
            let costs: Vec<f64> = report.levels.iter().map(|level| level.cost).collect();
            assert!(costs.iter().all(|&cost| cost <= full.unwrap()), "{kind:?}: {costs:?}");
        }
    }
}

#[test]
fn most_blocks_of_the_first_level_need_one_joint() {
    // Random weights of two joints: about half of the vertices are influenced more by each.
    let mut random = Random::new(450);
    let mut arrays = InfluenceArrays::new(0, 1, 1, 2, 1);
    for _ in 0..400 {
        let weight = random.between(0.1, 0.9);
        arrays.push(&[(0, weight, [0.0; 3]), (1, 1.0 - weight, [0.0; 3])]);
    }
    let layout = arrays.layout(InfluenceKind::Normalized, &[1]);
    let Groups::SharedJoints(groups) = &layout.levels[0].groups else { panic!("no runs") };
    let blocks = |group: &SharedJointsGroup| group.runs.iter().map(|run| run.blocks).sum::<u32>();
    let shape: Vec<_> = groups.iter().map(|g| (g.influences, g.runs.len(), blocks(g))).collect();
    assert_eq!(shape, [(1, 2, 49), (2, 1, 1)]);
    let weights = groups[1].weights.iter().flat_map(|row| row.0);
    assert!(weights.clone().all(|weight| weight == 0.0 || weight == 1.0));
}

#[test]
fn building_twice_gives_the_same_layout() {
    for arrays in all_meshes() {
        for kind in KINDS {
            assert_eq!(arrays.layout(kind, &LEVELS), arrays.layout(kind, &LEVELS));
        }
    }
}
