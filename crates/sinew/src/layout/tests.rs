//! What a layout promises, on random influences.

use std::collections::BTreeSet;

use super::listed::{Listed, Made, Pulls, read};
use sinew_kernels::BLOCK;
use sinew_testkit::random::Random;

use super::groups::{Groups, RunGroup};
use super::sets::Sets;
use super::{Grouping, Layout, costs};

const MADE: [Made; 3] = [Made::Normalised, Made::AsStored, Made::InJointSpace];
const LEVELS: [usize; 5] = [1, 2, 3, 7, usize::MAX];

/// Meshes of every kind: in long runs, in runs that fold, with a set for nearly each vertex, tiny.
fn every_kind() -> Vec<Listed> {
    let mut seeds = 400..;
    let sizes =
        [(0, 1), (1, 1), (7, 2), (8, 3), (9, 1), (64, 3), (500, 8), (500, 60), (500, 5000), (999, 30)];
    let kinds = sizes.into_iter().flat_map(|size| [(size, 1), (size, 2), (size, 4), (size, 9)]);
    let made = kinds
        .map(|((vertices, sets), most)| Listed::new(vertices, sets, most, 12, seeds.next().expect("a seed")));
    made.collect()
}

fn run_groups(layout: &Layout) -> &[RunGroup] {
    match &layout.full {
        Groups::Runs(groups) => groups,
        other => panic!("no runs: {other:?}"),
    }
}

/// The influences of each place must be those of its vertex.
fn compare(layout: &Layout, groups: &Groups, expected: &[Pulls], what: &str) {
    let found = read(groups, layout.vertex_of_place.len());
    for (place, (found, &vertex)) in found.iter().zip(&layout.vertex_of_place).enumerate() {
        let expected = &expected[vertex as usize];
        let joints: BTreeSet<u32> = found.keys().chain(expected.keys()).copied().collect();
        for joint in joints {
            let of = |pulls: &Pulls| pulls.get(&joint).copied().unwrap_or_default();
            for (found, expected) in of(found).into_iter().zip(of(expected)) {
                let allowed = 4e-7 * expected.abs().max(1.0);
                let close = (found - expected).abs() <= allowed;
                assert!(close, "{what}, place {place}, joint {joint}: expected {expected}, found {found}");
            }
        }
    }
}

#[test]
fn every_form_has_the_influences_of_the_source() {
    let mut forms = BTreeSet::new();
    for listed in every_kind() {
        for made in MADE {
            let layout = listed.layout(made, &[]);
            let form = layout.report().form;
            forms.insert(format!("{made:?} {form:?}"));
            compare(&layout, &layout.full, &listed.expected(made, usize::MAX), &format!("{made:?}"));
        }
    }
    let expected = ["AsStored Counts", "InJointSpace Weighted", "Normalised Counts", "Normalised Runs"];
    assert_eq!(forms.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn every_level_has_the_strongest_influences_of_the_source() {
    for listed in every_kind() {
        for made in MADE {
            let layout = listed.layout(made, &LEVELS);
            compare(&layout, &layout.full, &listed.expected(made, usize::MAX), "full");
            for (level, most) in layout.levels.iter().zip(LEVELS) {
                assert_eq!(level.max_influences, most);
                compare(&layout, &level.groups, &listed.expected(made, most), &format!("{made:?}, {most}"));
            }
        }
    }
}

#[test]
fn weights_as_stored_keep_their_bits() {
    for listed in every_kind() {
        for made in [Made::AsStored, Made::InJointSpace] {
            let layout = listed.layout(made, &[]);
            let found = read(&layout.full, layout.vertex_of_place.len());
            let mut pairs = listed.joints.iter().zip(&listed.weights);
            for (&count, &place) in listed.counts.iter().zip(&layout.place_of_vertex) {
                let own: Vec<_> = pairs.by_ref().take(count as usize).collect();
                // The weights of a joint that is named twice add up.
                let named = |joint: &u32| own.iter().filter(|(other, _)| *other == joint).count();
                for &(joint, &weight) in
                    own.iter().filter(|(joint, weight)| named(joint) == 1 && **weight > 0.0)
                {
                    assert_eq!(found[place as usize][joint][3], f64::from(weight));
                }
            }
        }
    }
}

#[test]
fn permutations_are_inverse_and_pads_repeat_the_vertex_before() {
    for listed in every_kind() {
        for (made, levels) in MADE.into_iter().flat_map(|made| [(made, &LEVELS[..0]), (made, &LEVELS)]) {
            let layout = listed.layout(made, levels);
            assert_eq!(layout.place_of_vertex.len(), listed.counts.len());
            assert_eq!(layout.vertex_of_place.len() % BLOCK, 0);
            for (vertex, &place) in layout.place_of_vertex.iter().enumerate() {
                assert_eq!(layout.vertex_of_place[place as usize] as usize, vertex);
            }
            for (place, &vertex) in layout.vertex_of_place.iter().enumerate() {
                let own = layout.place_of_vertex[vertex as usize] as usize;
                let before = || place % BLOCK > 0 && layout.vertex_of_place[place - 1] == vertex;
                assert!(own == place || before(), "place {place}");
            }
        }
    }
}

#[test]
fn runs_go_by_their_number_of_joints_then_by_first_appearance() {
    for listed in every_kind() {
        let layout = listed.layout(Made::InJointSpace, &[]);
        let Groups::Weighted(groups) = &layout.full else { panic!("other than weighted") };
        let mut records = Vec::new();
        let mut block = 0;
        for group in groups {
            for run in &group.runs {
                assert_eq!(run.first, block, "runs without a gap");
                block += run.blocks;
                let places = BLOCK * run.first as usize..BLOCK * block as usize;
                let vertices = &layout.vertex_of_place[places];
                assert!(vertices.is_sorted(), "source order within a run");
                records.push((group.influences, vertices[0]));
            }
        }
        assert!(records.is_sorted());
    }
}

#[test]
fn a_run_needs_each_of_its_joints_and_ends_with_one_that_all_vertices_have() {
    for listed in every_kind() {
        let layout = listed.layout(Made::Normalised, &[]);
        let Groups::Runs(groups) = &layout.full else { continue };
        let expected = listed.expected(Made::Normalised, usize::MAX);
        for group in groups {
            for (run, joints) in group.runs.iter().zip(group.joints.chunks(group.influences)) {
                let places = BLOCK * run.first as usize..BLOCK * (run.first + run.blocks) as usize;
                let mut vertices = layout.vertex_of_place[places].to_vec();
                vertices.dedup();
                let weight =
                    |vertex: u32, joint| expected[vertex as usize].get(&joint).map_or(0.0, |pull| pull[3]);
                let total = |&joint: &u32| vertices.iter().map(|&vertex| weight(vertex, joint)).sum();
                let totals: Vec<f64> = joints.iter().map(total).collect();
                assert!(totals.iter().all(|&total| total > 0.0));
                let (others, last) = (&totals[..totals.len() - 1], joints[joints.len() - 1]);
                assert!(others.is_sorted_by(|a, b| *a > b - 1e-6), "most weight first: {totals:?}");
                assert!(vertices.iter().all(|&vertex| weight(vertex, last) > 0.0), "{joints:?}");
                let alike = vertices.iter().all(|&v| expected[v as usize].len() == joints.len());
                assert!(joints.len() <= 4 || alike, "only runs of up to four joints are folded");
            }
        }
    }
}

#[test]
fn folding_lowers_the_cost_whatever_the_order_of_vertices() {
    for listed in every_kind() {
        let layout = listed.layout(Made::Normalised, &[]);
        let hanging = listed.hanging(Made::Normalised);
        let sets = Sets::new(&hanging);
        let unfolded = sets.first.iter().zip(&sets.vertices).map(|(&first, &vertices)| {
            costs::of_run(hanging.count(first), (vertices as usize).div_ceil(BLOCK))
        });
        let folded = layout.report().cost_of_runs.expect("runs are possible");
        assert!(folded <= costs::nanoseconds(unfolded.sum()));

        let mut random = Random::new(499);
        let mut vertices: Vec<u32> = (0..listed.counts.len() as u32).collect();
        for i in (1..vertices.len()).rev() {
            vertices.swap(i, random.below(i + 1));
        }
        let shuffled = Layout::new(&hanging_in_order(&listed, &vertices), &[]).report();
        assert_eq!(shuffled, layout.report());
    }
}

/// The same vertices in another order.
fn hanging_in_order(listed: &Listed, vertices: &[u32]) -> crate::hanging::Hanging {
    let mut starts = vec![0];
    starts.extend(listed.counts.iter().scan(0, |sum, &count| {
        *sum += count as usize;
        Some(*sum)
    }));
    let mut other = Listed { inverse_binds: listed.inverse_binds.clone(), ..Listed::default() };
    for &vertex in vertices {
        let own = starts[vertex as usize]..starts[vertex as usize + 1];
        let pulls = own.map(|i| (listed.joints[i], listed.weights[i], listed.vectors[i]));
        other.push(&pulls.collect::<Vec<_>>());
    }
    other.hanging(Made::Normalised)
}

#[test]
fn tiny_sets_become_one_run() {
    let mut listed = Listed::new(0, 1, 1, 3, 1);
    let zero = [0.0; 3];
    for pulls in
        [&[(0, 1.0, zero)][..], &[(0, 0.5, zero), (1, 0.5, zero)], &[(0, 0.25, zero), (2, 0.75, zero)]]
    {
        listed.push(pulls);
    }
    let layout = listed.layout(Made::Normalised, &[]);
    let [group] = run_groups(&layout) else { panic!("one group") };
    assert_eq!((group.influences, group.runs.len(), layout.vertex_of_place.len()), (3, 1, BLOCK));
    // 0.75, 0.5 and 1.75 hang on them, and all on the last.
    assert_eq!(group.joints, [2, 1, 0]);
}

#[test]
fn the_cheaper_form_is_taken() {
    for listed in every_kind() {
        let layout = listed.layout(Made::Normalised, &[]);
        let report = layout.report();
        let (runs, counts) = (report.cost_of_runs.unwrap(), report.cost_of_counts.unwrap());
        assert_eq!(report.form == Grouping::Runs, runs <= counts);
        let found: u64 = match &layout.full {
            Groups::Runs(groups) => {
                let of = |g: &RunGroup| {
                    g.runs.iter().map(|run| costs::of_run(g.influences, run.blocks as usize)).sum::<u64>()
                };
                groups.iter().map(of).sum()
            }
            Groups::Counts(groups) => {
                assert!(groups.is_sorted_by(|a, b| a.influences < b.influences));
                let blocks = |g: &super::groups::CountGroup| g.weights.len() / g.influences;
                groups.iter().map(|g| costs::of_counted(g.influences, blocks(g))).sum()
            }
            Groups::Weighted(_) => panic!("nothing is in joint space"),
        };
        assert_eq!(costs::nanoseconds(found), runs.min(counts));
        assert_eq!((report.places, report.runs), (layout.vertex_of_place.len(), layout.full.runs()));
    }
}

#[test]
fn a_level_costs_no_more_than_the_full_skin() {
    for listed in every_kind() {
        for made in MADE {
            let report = listed.layout(made, &LEVELS).report();
            let full = match report.form {
                Grouping::Counts => report.cost_of_counts,
                Grouping::Runs | Grouping::Weighted => report.cost_of_runs,
            };
            let costs: Vec<f64> = report.levels.iter().map(|level| level.cost).collect();
            assert!(costs.iter().all(|&cost| cost <= full.unwrap()), "{made:?}: {costs:?}");
        }
    }
}

#[test]
fn most_blocks_of_the_first_level_need_one_joint() {
    // Two joints whose weights are any: half of the vertices hang more on the one, half on the other.
    let mut random = Random::new(450);
    let mut listed = Listed::new(0, 1, 1, 2, 1);
    for _ in 0..400 {
        let weight = random.between(0.1, 0.9);
        listed.push(&[(0, weight, [0.0; 3]), (1, 1.0 - weight, [0.0; 3])]);
    }
    let layout = listed.layout(Made::Normalised, &[1]);
    let Groups::Runs(groups) = &layout.levels[0].groups else { panic!("no runs") };
    let blocks = |group: &RunGroup| group.runs.iter().map(|run| run.blocks).sum::<u32>();
    let shape: Vec<_> = groups.iter().map(|g| (g.influences, g.runs.len(), blocks(g))).collect();
    assert_eq!(shape, [(1, 2, 49), (2, 1, 1)]);
    let weights = groups[1].weights.iter().flat_map(|row| row.0);
    assert!(weights.clone().all(|weight| weight == 0.0 || weight == 1.0));
}

#[test]
fn building_twice_gives_the_same_layout() {
    for listed in every_kind() {
        for made in MADE {
            assert_eq!(listed.layout(made, &LEVELS), listed.layout(made, &LEVELS));
        }
    }
}
