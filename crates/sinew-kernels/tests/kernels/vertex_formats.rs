//! The formats of attributes: every number as its reference has it, the same bits on every backend
//! in both float modes.

use sinew_kernels::reference::algebra::{Vector, dot, length};
use sinew_kernels::reference::{half_to_number, normalized, number_to_half, octahedral_to_direction};
use sinew_kernels::{
    BLOCK, BitangentSource, DirectionLength, FourthComponent, Kernels, ScalarBlock, StoreOutput,
    StoreVertices, VectorBlock, VertexAttribute, VertexFormat, VertexLayout, VertexWriter,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;

/// Stores numbers, three per vertex, in a format; returns the components in the order of the
/// numbers.
fn store<T: Copy + Default, const N: usize>(
    kernels: &Kernels,
    numbers: &[f32],
    format: VertexFormat,
) -> Vec<T>
where
    for<'a> &'a mut [[T; N]]: Into<sinew_kernels::VertexBuffer<'a>>,
{
    let vertices = numbers.len().div_ceil(3);
    let blocks = vertices.div_ceil(BLOCK);
    let mut positions = vec![VectorBlock::default(); blocks];
    for (i, &number) in numbers.iter().enumerate() {
        positions[i / 3 / BLOCK].rows[i % 3][i / 3 % BLOCK] = number;
    }
    let layout = VertexLayout::interleaved(format.size())
        .with(VertexAttribute::Position, format, 0)
        .with_fourth(VertexAttribute::Position, FourthComponent::Zero);
    let mut to = vec![[T::default(); N]; vertices];
    let writer = VertexWriter::new(&layout, [to.as_mut_slice()], vertices).expect("a sound layout");
    kernels.store_vertices(StoreVertices {
        blocks: &positions,
        vectors: 1,
        signs: &[],
        directions: DirectionLength::AsBlended,
        bitangents: BitangentSource::AsSkinned,
        layout: StoreOutput::Buffers(writer.into_parts()),
        remap: None,
        bounds: None,
    });
    to.iter().flat_map(|vertex| &vertex[..3]).copied().take(numbers.len()).collect()
}

/// Numbers that are special in one format or another, with both signs.
fn special_numbers() -> Vec<f32> {
    let positive = [
        0.0,
        f32::from_bits(1),
        f32::from_bits(0x007F_FFFF),
        f32::MIN_POSITIVE,
        1.0,
        1.5,
        65504.0,
        65519.996,
        65520.0,
        65536.0,
        131_072.0,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
        f32::from_bits(0x7F80_0001),
        f32::from_bits(0x7FBF_E000),
        f32::from_bits(0x7FFF_FFFF),
    ];
    positive.iter().flat_map(|&number| [number, f32::from_bits(number.to_bits() ^ 1 << 31)]).collect()
}

/// Any bits, and numbers near one.
fn random_numbers(seed: u64) -> Vec<f32> {
    let random = &mut Random::new(seed);
    let len = if EMULATED { 3_000 } else { 100_000 };
    let mut numbers: Vec<f32> = (0..len).map(|_| f32::from_bits(random.bits() as u32)).collect();
    numbers.extend((0..len).map(|_| random.between(-1.25, 1.25)));
    // Around the subnormal halves.
    numbers.extend((0..len).map(|_| random.between(-2e-4, 2e-4)));
    numbers
}

/// The float itself and those next to it.
fn neighbors(number: f32) -> impl Iterator<Item = f32> {
    (-1..=1).map(move |step| f32::from_bits(number.to_bits().wrapping_add_signed(step)))
}

#[test]
fn halves_are_the_nearest_for_every_half_and_midpoint() {
    let mut numbers = special_numbers();
    numbers.extend(random_numbers(1));
    let step = if EMULATED { 97 } else { 1 };
    for half in (0..=u16::MAX).step_by(step) {
        let number = half_to_number(half);
        let next = half_to_number(half.wrapping_add(1));
        numbers.extend(neighbors(number as f32));
        numbers.extend(neighbors(((number + next) / 2.0) as f32));
    }
    every_backend(|run| {
        let found = store::<u16, 4>(run.kernels, &numbers, VertexFormat::Float16x4);
        for (&found, &number) in found.iter().zip(&numbers) {
            let expected = number_to_half(number);
            assert_eq!(found, expected, "{run}: {number:e} ({:08x})", number.to_bits());
            assert_eq!(half_to_number(found).is_nan(), number.is_nan());
        }
    });
}

#[test]
fn a_half_of_a_half_is_itself() {
    let numbers: Vec<f32> = (0..=u16::MAX).map(|half| half_to_number(half) as f32).collect();
    every_backend(|run| {
        let found = store::<u16, 4>(run.kernels, &numbers, VertexFormat::Float16x4);
        for (half, &found) in found.iter().enumerate() {
            assert!(found == half as u16 || numbers[half].is_nan(), "{run}: {half:04x}");
        }
    });
}

#[test]
fn normalized_integers_are_rounded_and_clamped() {
    let mut numbers = special_numbers();
    numbers.extend(random_numbers(2));
    // All whole and half units.
    for largest in [127, 32767] {
        numbers.extend((-2 * largest - 4..=2 * largest + 4).flat_map(|unit| {
            neighbors((f64::from(unit) / f64::from(2 * largest)) as f32).collect::<Vec<_>>()
        }));
    }
    every_backend(|run| {
        let check = |found: i32, number: f32, largest: i32| {
            let exact = normalized(number, largest);
            let error = (f64::from(found) - exact).abs();
            assert!(error <= 0.51, "{run}: {number:e} is {found} of {largest}, not {exact}");
        };
        let found = store::<i16, 4>(run.kernels, &numbers, VertexFormat::Snorm16x4);
        for (&found, &number) in found.iter().zip(&numbers) {
            check(found.into(), number, 32767);
        }
        let found = store::<i8, 4>(run.kernels, &numbers, VertexFormat::Snorm8x4);
        for (&found, &number) in found.iter().zip(&numbers) {
            check(found.into(), number, 127);
        }
    });
}

#[test]
fn normalized_integers_round_ties_to_even() {
    // Multiples of 0.5 / 127 whose product with 127 is exact in `f32`.
    let numbers: Vec<f32> = (-254..=254)
        .map(|unit| (f64::from(unit) / 254.0) as f32)
        .filter(|number| (f64::from(*number * 127.0) * 2.0).fract() == 0.0)
        .collect();
    assert!(numbers.len() > 200);
    every_backend(|run| {
        let found = store::<i8, 4>(run.kernels, &numbers, VertexFormat::Snorm8x4);
        for (&found, &number) in found.iter().zip(&numbers) {
            assert_eq!(f32::from(found), (number * 127.0).round_ties_even(), "{run}: {number:e}");
        }
    });
}

/// Stores tangents that are (number, -number, 0) with the number as their sign, in a format of four
/// 16-bit numbers.
fn store_signed(kernels: &Kernels, numbers: &[f32], format: VertexFormat) -> Vec<[u16; 4]> {
    let blocks = numbers.len().div_ceil(BLOCK);
    let mut vectors = vec![VectorBlock::default(); 3 * blocks];
    let mut signs = vec![ScalarBlock([1.0; BLOCK]); blocks];
    for (i, &number) in numbers.iter().enumerate() {
        vectors[i / BLOCK * 3 + 2].set_vector(i % BLOCK, [number, -number, 0.0]);
        signs[i / BLOCK].0[i % BLOCK] = number;
    }
    let layout = VertexLayout::interleaved(8).with(VertexAttribute::Tangent, format, 0);
    let mut to = vec![[0xFFFF_u16; 4]; numbers.len()];
    let writer = VertexWriter::new(&layout, [to.as_mut_slice()], numbers.len()).expect("a sound layout");
    kernels.store_vertices(StoreVertices {
        blocks: &vectors,
        vectors: 3,
        signs: &signs,
        directions: DirectionLength::AsBlended,
        bitangents: BitangentSource::AsSkinned,
        layout: StoreOutput::Buffers(writer.into_parts()),
        remap: None,
        bounds: None,
    });
    to
}

#[test]
fn fourth_components_are_converted_like_the_others_and_disturb_none() {
    let mut numbers = special_numbers();
    numbers.extend(random_numbers(6).iter().step_by(7));
    every_backend(|run| {
        let halves = store_signed(run.kernels, &numbers, VertexFormat::Float16x4);
        let normalized_16 = store_signed(run.kernels, &numbers, VertexFormat::Snorm16x4);
        for ((&number, half), found) in numbers.iter().zip(halves).zip(normalized_16) {
            let expected = [number, -number, 0.0, number].map(number_to_half);
            assert_eq!(half, expected, "{run}: {number:e} ({:08x})", number.to_bits());
            let exact = normalized(number, 32767);
            let [x, y, z, w] = found.map(|bits| f64::from(bits.cast_signed()));
            assert!((x - exact).abs() <= 0.51, "{run}: {number:e} is {x}, not {exact}");
            assert_eq!((y, z, w), (-x, 0.0, x), "{run}: {number:e} ({:08x})", number.to_bits());
        }
    });
}

/// Stores directions in octahedral encoding.
fn encode(kernels: &Kernels, directions: &[[f32; 3]]) -> Vec<[i16; 2]> {
    let blocks = directions.len().div_ceil(BLOCK);
    let mut vectors = vec![VectorBlock::default(); 2 * blocks];
    for (i, &direction) in directions.iter().enumerate() {
        vectors[i / BLOCK * 2 + 1].set_vector(i % BLOCK, direction);
    }
    let layout =
        VertexLayout::interleaved(4).with(VertexAttribute::Normal, VertexFormat::Snorm16x2Octahedral, 0);
    let mut to = vec![[0_i16; 2]; directions.len()];
    let writer = VertexWriter::new(&layout, [to.as_mut_slice()], directions.len()).expect("a sound layout");
    kernels.store_vertices(StoreVertices {
        blocks: &vectors,
        vectors: 2,
        signs: &[],
        directions: DirectionLength::AsBlended,
        bitangents: BitangentSource::AsSkinned,
        layout: StoreOutput::Buffers(writer.into_parts()),
        remap: None,
        bounds: None,
    });
    to
}

/// The angle between two directions, in degrees.
fn angle(a: Vector, b: Vector) -> f64 {
    let chord: f64 = (0..3).map(|i| (a[i] / length(a) - b[i] / length(b)).powi(2)).sum::<f64>().sqrt();
    let angle = 2.0 * (chord / 2.0).min(1.0).asin().to_degrees();
    if dot(a, b) < 0.0 { 180.0_f64.max(angle) } else { angle }
}

#[test]
fn octahedral_directions_decode_to_within_a_fiftieth_of_a_degree() {
    let random = &mut Random::new(3);
    let mut directions = Vec::new();
    // Along the axes, the edges and the diagonals.
    for i in 0..27 {
        let direction = [i % 3, i / 3 % 3, i / 9].map(|component| component as f32 - 1.0);
        if direction != [0.0; 3] {
            directions.push(direction);
        }
    }
    while directions.len() < if EMULATED { 2_000 } else { 100_000 } {
        let direction = random.vector(1.0);
        if direction != [0.0; 3] {
            // Any length, and now and then one that is almost in a plane of the axes.
            let scale = [1.0, 1e-4, 30.0, 1e20, 1e-20][random.below(5)];
            let flat = if random.once_in(4) { 1e-5 } else { 1.0 };
            directions.push([direction[0] * scale * flat, direction[1] * scale, direction[2] * scale]);
        }
    }
    every_backend(|run| {
        for (&direction, encoded) in directions.iter().zip(encode(run.kernels, &directions)) {
            let off = angle(direction.map(f64::from), octahedral_to_direction(encoded));
            assert!(off < 0.02, "{run}: {direction:?} is {encoded:?}, {off} degrees off");
        }
    });
}

#[test]
fn octahedral_directions_that_are_none_are_defined() {
    let directions = [
        [0.0; 3],
        [-0.0; 3],
        [f32::NAN, 1.0, 1.0],
        [1.0, f32::NAN, -1.0],
        [1.0, 1.0, f32::NAN],
        [f32::INFINITY, 1.0, 1.0],
        [f32::MAX, f32::MAX, f32::MAX],
    ];
    every_backend(|run| {
        assert!(encode(run.kernels, &directions).iter().all(|encoded| *encoded == [0, 0]), "{run}");
    });
}

#[test]
fn octahedral_bits_are_the_same_on_every_backend_and_in_both_modes() {
    let random = &mut Random::new(4);
    let mut directions: Vec<[f32; 3]> = (0..5_000).map(|_| random.vector(2.0)).collect();
    directions.extend((0..5_000).map(|_| [0; 3].map(|_| f32::from_bits(random.bits() as u32))));
    let mut first = None;
    every_backend(|run| {
        let found = encode(run.kernels, &directions);
        let expected = first.get_or_insert_with(|| found.clone());
        assert!(found == *expected, "{run}");
    });
}

#[test]
fn normalized_bits_are_the_same_on_every_backend_and_in_both_modes() {
    let numbers = random_numbers(5);
    let mut first = None;
    every_backend(|run| {
        let found = (
            store::<i16, 4>(run.kernels, &numbers, VertexFormat::Snorm16x4),
            store::<i8, 4>(run.kernels, &numbers, VertexFormat::Snorm8x4),
        );
        let expected = first.get_or_insert_with(|| found.clone());
        assert!(found == *expected, "{run}");
    });
}
