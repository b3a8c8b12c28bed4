//! Errors of drawing.

use std::{fmt, io};

use sinew::geometry::GeometryError;

/// Why a picture cannot be drawn or encoded.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The picture is too narrow for two methods side by side.
    TooNarrow,
    /// The camera cannot show the model.
    Camera(sinew_raster::Error),
    /// The mesh has too many vertices or triangles.
    Mesh(String),
    /// The geometry of a frame cannot be computed.
    Geometry(GeometryError),
    /// The model cannot be posed.
    Model(sinew_io::Error),
    /// The encoded picture cannot be written.
    Write(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooNarrow => write!(f, "expected a width of at least two pixels for two methods"),
            Self::Camera(error) => write!(f, "camera: {error}"),
            Self::Mesh(message) => f.write_str(message),
            Self::Geometry(error) => error.fmt(f),
            Self::Model(error) => error.fmt(f),
            Self::Write(error) => write!(f, "cannot write the picture: {error}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<GeometryError> for Error {
    fn from(error: GeometryError) -> Self {
        Self::Geometry(error)
    }
}

impl From<sinew_io::Error> for Error {
    fn from(error: sinew_io::Error) -> Self {
        Self::Model(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}
