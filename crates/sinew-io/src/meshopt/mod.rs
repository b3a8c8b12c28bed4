//! Decoders of the meshopt bitstreams that `EXT_meshopt_compression` and `KHR_meshopt_compression` define, each with
//! its own file. They read no byte past their input and write exactly what they are asked for.

mod attributes;
mod broken;
mod filters;
mod indices;
mod triangles;
mod variable;

pub(crate) use broken::Broken;

/// Which of the three streams it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// What is done to attributes after decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Colour,
}

/// `count` elements of `stride` bytes each. `Attributes` takes strides that are multiples of 4 up to 256, the others 2
/// and 4; `Triangles` takes counts that are multiples of 3; the filters take the strides of their kinds.
pub(crate) fn decode(
    data: &[u8],
    mode: Mode,
    filter: Filter,
    count: usize,
    stride: usize,
) -> Result<Vec<u8>, Broken> {
    let mut bytes = match mode {
        Mode::Attributes => attributes::decode(data, count, stride)?,
        Mode::Triangles => triangles::decode(data, count, stride)?,
        Mode::Indices => indices::decode(data, count, stride)?,
    };
    filters::apply(filter, &mut bytes, stride);
    Ok(bytes)
}
