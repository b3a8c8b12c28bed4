//! Unsound layouts and unsuited buffers are errors that name the fault, before anything is written.

use sinew_kernels::VertexAttribute::{Bitangent, Normal, Position, Tangent};
use sinew_kernels::VertexFormat::{
    Float16x4, Float32x3, Float32x4, Snorm8x4, Snorm16x2Octahedral, Snorm16x4,
};
use sinew_kernels::{FourthComponent, VertexLayout, VertexLayoutError, VertexWriter};

#[test]
fn unsound_layouts_are_errors() {
    let interleaved = VertexLayout::interleaved;
    let cases = [
        (interleaved(12), VertexLayoutError::NoAttributes),
        (VertexLayout::separate(), VertexLayoutError::NoAttributes),
        (VertexLayout::packed(0), VertexLayoutError::NoAttributes),
        (
            interleaved(8).with(Position, Float32x3, 0),
            VertexLayoutError::StrideTooSmall { attribute: Position, expected: 12, found: 8 },
        ),
        (
            interleaved(24).with(Position, Float32x3, 0).with(Normal, Float32x4, 12),
            VertexLayoutError::StrideTooSmall { attribute: Normal, expected: 28, found: 24 },
        ),
        (
            interleaved(0).with(Tangent, Snorm8x4, 0),
            VertexLayoutError::StrideTooSmall { attribute: Tangent, expected: 4, found: 0 },
        ),
        (
            interleaved(24).with(Position, Float32x3, usize::MAX - 3),
            VertexLayoutError::StrideTooSmall { attribute: Position, expected: usize::MAX, found: 24 },
        ),
        (
            VertexLayout::packed(2).with_stride(Normal, 8),
            VertexLayoutError::StrideTooSmall { attribute: Normal, expected: 12, found: 8 },
        ),
        (
            interleaved(16).with(Position, Float32x3, 2),
            VertexLayoutError::Misaligned { attribute: Position, multiple: 4, offset: 2, stride: 16 },
        ),
        (
            interleaved(18).with(Position, Float32x3, 0),
            VertexLayoutError::Misaligned { attribute: Position, multiple: 4, offset: 0, stride: 18 },
        ),
        (
            interleaved(9).with(Normal, Snorm16x4, 0),
            VertexLayoutError::Misaligned { attribute: Normal, multiple: 2, offset: 0, stride: 9 },
        ),
        (
            interleaved(32).with(Position, Float32x3, 0).with(Normal, Float16x4, 8),
            VertexLayoutError::Overlap { first: Position, second: Normal },
        ),
        (
            interleaved(32).with(Normal, Snorm8x4, 7).with(Bitangent, Snorm8x4, 4),
            VertexLayoutError::Overlap { first: Normal, second: Bitangent },
        ),
        (interleaved(4).with(Position, Snorm16x2Octahedral, 0), VertexLayoutError::OctahedralPosition),
        (
            VertexLayout::packed(1).with_fourth(Normal, FourthComponent::One),
            VertexLayoutError::AbsentAttribute { attribute: Normal },
        ),
        (
            VertexLayout::packed(1).with_stride(Tangent, 16),
            VertexLayoutError::AbsentAttribute { attribute: Tangent },
        ),
        (
            interleaved(12).with_stride(Position, 16).with(Position, Float32x3, 0),
            VertexLayoutError::AbsentAttribute { attribute: Position },
        ),
    ];
    for (layout, expected) in cases {
        assert_eq!(layout.check(), Err(expected), "{layout:?}");
        let mut bytes = [0_u8; 64];
        let writer = VertexWriter::new(&layout, [bytes.as_mut_slice()], 1);
        assert_eq!(writer.err(), Some(expected), "{layout:?}");
        assert!(expected.to_string().starts_with("vertex layout: expected"), "{expected}");
    }
}

#[test]
fn unsuited_buffers_are_errors() {
    let layout = VertexLayout::packed(2);
    let mut floats = [[0.0_f32; 21]; 3];
    let mut fault = |buffers: usize, len: usize, vertices: usize| {
        let buffers = floats.iter_mut().take(buffers).map(|buffer| &mut buffer[..len]);
        VertexWriter::new(&layout, buffers, vertices).err()
    };
    assert_eq!(fault(2, 21, 7), None);
    assert_eq!(fault(2, 21, 0), None);
    assert_eq!(fault(2, 0, 0), None);
    assert_eq!(fault(0, 21, 7), Some(VertexLayoutError::BufferCount { expected: 2, found: 0 }));
    assert_eq!(fault(1, 21, 7), Some(VertexLayoutError::BufferCount { expected: 2, found: 1 }));
    assert_eq!(fault(3, 21, 7), Some(VertexLayoutError::BufferCount { expected: 2, found: 3 }));
    let too_short = |expected, found| VertexLayoutError::BufferTooShort { buffer: 0, expected, found };
    assert_eq!(fault(2, 20, 7), Some(too_short(84, 80)));
    assert_eq!(fault(2, 21, 8), Some(too_short(96, 84)));
    assert_eq!(fault(2, 21, usize::MAX), Some(too_short(usize::MAX, 84)));
}

#[test]
fn a_buffer_may_end_with_the_last_attribute() {
    let layout = VertexLayout::interleaved(32).with(Position, Float32x3, 4).with(Normal, Snorm8x4, 16);
    assert_eq!(layout.buffer_len(0, 3), 2 * 32 + 20);
    let mut words = [0_u32; 21];
    assert!(VertexWriter::new(&layout, [words.as_mut_slice()], 3).is_ok());
    assert_eq!(
        VertexWriter::new(&layout, [&mut words[..20]], 3).err(),
        Some(VertexLayoutError::BufferTooShort { buffer: 0, expected: 84, found: 80 })
    );
}

#[test]
fn misaligned_buffers_are_errors() {
    let floats = VertexLayout::interleaved(16).with(Position, Float32x3, 0);
    let halves = VertexLayout::interleaved(8).with(Position, Float16x4, 0);
    let bytes = VertexLayout::interleaved(5).with(Normal, Snorm8x4, 1);
    // Bytes of aligned memory, from any of them on.
    let mut buffer: Vec<u8> = vec![0; 64];
    let aligned = buffer.as_ptr().align_offset(16);
    for shift in 0..8 {
        let mut fault = |layout: &VertexLayout, vertices| {
            VertexWriter::new(layout, [&mut buffer[aligned + shift..]], vertices).err()
        };
        let misaligned = |multiple| Some(VertexLayoutError::BufferMisaligned { buffer: 0, multiple });
        assert_eq!(fault(&floats, 2), if shift % 4 == 0 { None } else { misaligned(4) });
        assert_eq!(fault(&halves, 2), if shift % 2 == 0 { None } else { misaligned(2) });
        assert_eq!(fault(&bytes, 2), None);
        assert_eq!(fault(&floats, 0), None, "no vertex is misaligned");
    }
}
