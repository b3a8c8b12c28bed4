//! Decodes the meshopt bitstreams of `EXT_meshopt_compression` and `KHR_meshopt_compression`. Each
//! codec has its file. Decoders do not read past their input, and write exactly the requested
//! bytes.

mod attributes;
mod filters;
mod indices;
mod stream;
mod triangles;
mod varint;

pub(crate) use stream::DecodeError;

/// The codec of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// The filter that is applied to attributes after decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

/// Decodes `count` elements of `stride` bytes. The stride must be a multiple of 4 up to 256 for
/// `Attributes`, and 2 or 4 for the others; the count must be a multiple of 3 for `Triangles`;
/// filters require the strides of their types.
pub(crate) fn decode(
    data: &[u8],
    mode: Mode,
    filter: Filter,
    count: usize,
    stride: usize,
) -> Result<Vec<u8>, DecodeError> {
    let mut bytes = match mode {
        Mode::Attributes => attributes::decode(data, count, stride)?,
        Mode::Triangles => triangles::decode(data, count, stride)?,
        Mode::Indices => indices::decode(data, count, stride)?,
    };
    filters::apply(filter, &mut bytes, stride);
    Ok(bytes)
}
