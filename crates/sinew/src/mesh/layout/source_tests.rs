//! Properties of the source order, tested with random influences.

use sinew_kernels::{BLOCK, NO_JOINT};
use sinew_testkit::random::Random;

use super::segment_planner::BlockNeeds;
use super::source_costs::{MAX_COLUMNS, SourceCosts};
use super::source_order::{Piece, SegmentBuilder, SourceVertices, build_source_order};
use super::test_support::{InfluenceArrays, InfluenceKind};
use crate::mesh::base_vectors::BaseVectors;
use crate::mesh::influences::VertexInfluences;
use crate::mesh::{Influences, MeshSource};

/// What a vertex is blended of, as kernels read it.
#[derive(Debug, PartialEq)]
struct BlendedVertex {
    /// Joints and weights, in the order in which they are added up.
    influences: Vec<(u32, f32)>,
    /// The first three components.
    vectors: Vec<[f32; 3]>,
}

/// The vectors of a mesh.
struct Vectors {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
}

impl Vectors {
    fn new(vertices: usize) -> Self {
        let mut random = Random::new(7);
        let mut vectors = || (0..vertices).map(|_| random.vector(1.0)).collect::<Vec<_>>();
        let (positions, normals, tangents) = (vectors(), vectors(), vectors());
        let tangents = tangents.iter().zip(0..).map(|(&[x, y, z], v)| [x, y, z, [1.0, -1.0][v % 2]]);
        Self { positions, normals, tangents: tangents.collect() }
    }

    fn base(&self) -> BaseVectors<'_> {
        let none = Influences::Variable { counts: &[], joints: &[], weights: &[] };
        BaseVectors::new(&MeshSource {
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
            ..MeshSource::new(&self.positions, none)
        })
    }
}

/// All vertices, decoded from the data of segments, with those that fill the last block.
fn decode(source: SourceVertices<'_>, costs: &'static SourceCosts) -> Vec<BlendedVertex> {
    let mut decoded = Vec::new();
    let mut builder = SegmentBuilder::new(source);
    for segment in source.plan_segments(costs).finish() {
        assert_eq!(segment.first, decoded.len() / BLOCK, "segments without a gap");
        builder.build(segment, |piece| match piece {
            Piece::Shared { joints, weights, base } => {
                assert!(!segment.columns);
                let rows = joints.len() - 1;
                assert!(rows == 0 || joints[rows] == NO_JOINT, "weights need not sum to one");
                for (block, base) in base.chunks(source.base.len()).enumerate() {
                    for lane in 0..BLOCK {
                        let weights = weights[rows * block..rows * (block + 1)].iter().map(|row| row.0[lane]);
                        let influences = if rows == 0 {
                            vec![(joints[0], 1.0)]
                        } else {
                            joints.iter().copied().zip(weights).collect()
                        };
                        let vectors = base.iter().map(|vectors| vectors.vector(lane)).collect();
                        decoded.push(BlendedVertex { influences, vectors });
                    }
                }
            }
            Piece::Columns { influences, joints, weights, base } => {
                assert!(segment.columns);
                let vertices = joints.chunks(influences).zip(weights.chunks(influences));
                for ((joints, weights), base) in vertices.zip(base.chunks(source.base.len())) {
                    assert!(influences > 1 || weights == [1.0], "a single weight is one");
                    let influences = joints.iter().copied().zip(weights.iter().copied()).collect();
                    let vectors = base.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
                    let fourth: Vec<f32> = base.iter().map(|vector| vector[3]).collect();
                    let vertex = decoded.len().min(source.base.vertices() - 1);
                    assert_eq!(fourth, [1.0, 0.0, [1.0, -1.0][vertex % 2]]);
                    decoded.push(BlendedVertex { influences, vectors });
                }
            }
        });
    }
    decoded
}

/// The joints of a vertex in ascending order, as the source has them.
fn expected_influences(influences: &VertexInfluences, vertex: usize) -> Vec<(u32, f32)> {
    let mut expected: Vec<_> = influences.influences_of(vertex).map(|i| (i.joint, i.weight)).collect();
    expected.sort_by_key(|&(joint, _)| joint);
    expected
}

/// The costs of both widths of registers.
const COSTS: [&SourceCosts; 2] = [&SourceCosts::EIGHT_LANES, &SourceCosts::FOUR_LANES];

/// Checks all that must hold for the source order of some influences.
fn check(influences: &VertexInfluences, what: &str) {
    COSTS.iter().for_each(|costs| check_with(costs, influences, what));
}

fn check_with(costs: &'static SourceCosts, influences: &VertexInfluences, what: &str) {
    let vertices = influences.len();
    let vectors = Vectors::new(vertices);
    let source = SourceVertices { influences, base: vectors.base() };
    let decoded = decode(source, costs);
    assert_eq!(decoded.len(), vertices.next_multiple_of(BLOCK), "{what}");
    for (slot, BlendedVertex { influences: found, vectors: own }) in decoded.iter().enumerate() {
        let vertex = slot.min(vertices - 1);
        // A weight of zero adds nothing, and is never first.
        let nonzero: Vec<_> = found.iter().copied().filter(|&(_, weight)| weight != 0.0).collect();
        assert_eq!(nonzero, expected_influences(influences, vertex), "{what}, vertex {vertex}");
        let [x, y, z, _] = vectors.tangents[vertex];
        assert_eq!(own[..], [vectors.positions[vertex], vectors.normals[vertex], [x, y, z]]);
    }
    let segments = build_source_order(influences, vectors.base(), costs);
    assert_eq!((segments.blocks(), segments.vectors()), (vertices.div_ceil(BLOCK), 3));
    check_cost(source, costs, what);
}

/// Checks that the segments cost what was promised, and no more than simple ways to cut.
fn check_cost(source: SourceVertices<'_>, costs: &'static SourceCosts, what: &str) {
    let planner = source.plan_segments(costs);
    let cost = planner.cost();
    let needs: Vec<_> = (0..source.blocks()).map(|block| source.needs(block)).collect();
    let shared = |blocks: &[BlockNeeds]| {
        let first = blocks[0].shared?;
        let union = blocks[1..].iter().try_fold(first, |union, block| union.union(&block.shared?))?;
        Some(costs.shared_segment(union.rows()) + costs.shared_block(union.rows()) * blocks.len() as u64)
    };
    let columns = |blocks: &[BlockNeeds]| {
        let influences = blocks.iter().map(|block| block.influences).max()?;
        let cost = costs.column_segment() + costs.column_block(influences) * blocks.len() as u64;
        (influences <= MAX_COLUMNS).then_some(cost)
    };
    let many = |blocks: &[BlockNeeds]| {
        let rows = blocks.iter().map(|block| block.influences).max().unwrap_or(0);
        costs.shared_segment(rows) + costs.shared_block(rows) * blocks.len() as u64
    };
    let found: u64 = planner.finish().iter().fold(0, |sum, segment| {
        let blocks = &needs[segment.first..segment.first + segment.blocks];
        let cost = if segment.columns { columns(blocks) } else { shared(blocks) };
        sum + cost.unwrap_or_else(|| many(blocks))
    });
    assert_eq!(found, cost, "{what}");
    if let Some(columns) = columns(&needs) {
        assert!(cost <= columns, "{what}: {cost}, all as columns {columns}");
    }
    let each = |block: &BlockNeeds| {
        let block = std::slice::from_ref(block);
        shared(block).into_iter().chain(columns(block)).min().unwrap_or_else(|| many(block))
    };
    let by_block: u64 = needs.iter().map(each).sum();
    assert!(cost <= by_block, "{what}: {cost}, block by block {by_block}");
    // Every cut, with every beginning of a segment for every end.
    let mut best = vec![0];
    for end in 1..=needs.len() {
        let last = |first: usize| {
            let blocks = &needs[first..end];
            let segment = shared(blocks).into_iter().chain(columns(blocks)).min();
            let alone = (first + 1 == end).then(|| each(&blocks[0]));
            segment.or(alone).map(|cost| best[first] + cost)
        };
        best.push((0..end).filter_map(last).min().expect("block by block"));
    }
    assert_eq!(cost, best[needs.len()], "{what}: the cheapest of all");
}

#[test]
fn every_vertex_has_its_own_influences_in_ascending_order() {
    for vertices in (1..=70).chain([300, 555]) {
        for (sets, max) in [(1, 1), (2, 2), (6, 4), (40, 3), (5000, 4), (5000, 9)] {
            let arrays = InfluenceArrays::new(vertices, sets, max, 24, (vertices * 31 + sets) as u64);
            for kind in [InfluenceKind::Normalized, InfluenceKind::AsStored] {
                check(&arrays.influences(kind), &format!("{vertices} vertices, {sets} sets, {kind:?}"));
            }
        }
    }
}

/// Vertices that follow each other with the same few joints, as files have them.
fn adjacent_sets(vertices: usize, seed: u64) -> InfluenceArrays {
    let mut random = Random::new(seed);
    let mut arrays = InfluenceArrays::new(0, 1, 1, 20, seed);
    while arrays.counts.len() < vertices {
        let first = random.below(17) as u32;
        let joints = 1 + random.below(3) as u32;
        for _ in 0..random.below(90) {
            let own: Vec<_> = (0..1 + random.below(joints as usize) as u32)
                .map(|joint| (first + joint, random.between(0.1, 1.0), [0.0; 3]))
                .collect();
            arrays.push(&own);
        }
    }
    arrays
}

#[test]
fn segments_of_few_joints_are_shared() {
    let mut kinds = [0; 2];
    for seed in 0..20 {
        let arrays = adjacent_sets(1500, seed);
        for kind in [InfluenceKind::Normalized, InfluenceKind::AsStored] {
            let influences = arrays.influences(kind);
            check(&influences, &format!("seed {seed}, {kind:?}"));
            let vectors = Vectors::new(influences.len());
            let source = SourceVertices { influences: &influences, base: vectors.base() };
            for segment in source.plan_segments(&SourceCosts::EIGHT_LANES).finish() {
                kinds[usize::from(segment.columns)] += segment.blocks;
            }
        }
    }
    let [shared, columns] = kinds;
    assert!(shared > 2 * columns && columns > 0, "{kinds:?}");
}

#[test]
fn equal_vertices_have_equal_influences_wherever_they_are() {
    let arrays = adjacent_sets(400, 77);
    let influences = arrays.influences(InfluenceKind::Normalized);
    // The same vertices once more in reverse order, so that they have other neighbors.
    let mut twice = arrays.clone();
    let mut end = arrays.joints.len();
    for &count in arrays.counts.iter().rev() {
        let own = end - count as usize..end;
        end = own.start;
        // The order in which joints are listed does not matter.
        let own: Vec<_> = own.rev().map(|i| (arrays.joints[i], arrays.weights[i], [0.0; 3])).collect();
        twice.push(&own);
    }
    let twice = twice.influences(InfluenceKind::Normalized);
    let vectors = Vectors::new(twice.len());
    let source = SourceVertices { influences: &twice, base: vectors.base() };
    let decoded = decode(source, &SourceCosts::EIGHT_LANES);
    let nonzero = |vertex: usize| -> Vec<(u32, f32)> {
        decoded[vertex].influences.iter().copied().filter(|&(_, weight)| weight != 0.0).collect()
    };
    for vertex in 0..influences.len() {
        assert_eq!(nonzero(vertex), nonzero(twice.len() - 1 - vertex), "vertex {vertex}");
    }
}

#[test]
fn more_influences_than_columns_can_have_are_shared() {
    let mut arrays = InfluenceArrays::new(30, 5, 3, 700, 9);
    let many: Vec<_> = (0..650).map(|joint| (joint, 1.0, [0.0; 3])).collect();
    for len in [64, 65, 650] {
        arrays.push(&many[..len]);
        (0..11).for_each(|_| arrays.push(&many[..1]));
    }
    for kind in [InfluenceKind::Normalized, InfluenceKind::AsStored] {
        check(&arrays.influences(kind), &format!("{kind:?}"));
    }
}

#[test]
fn no_vertices_have_no_segments() {
    let influences = InfluenceArrays::new(0, 1, 1, 3, 1).influences(InfluenceKind::Normalized);
    assert!(build_source_order(&influences, Vectors::new(0).base(), COSTS[0]).is_empty());
}
