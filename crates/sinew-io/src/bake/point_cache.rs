//! Point caches, which store positions frame by frame: PC2 and MDD.

use std::io::{self, Write};

use super::vectors::{ByteOrder, write_vectors};
use crate::Error;

/// Writes PC2, the format of 3ds Max and Blender: little-endian, frame after frame.
#[derive(Debug)]
pub struct Pc2Writer<W> {
    frames: FrameWriter<W>,
}

/// Accepts frames as little-endian bytes of [`write_vectors`], in chunks of any size.
impl<W: Write> Write for Pc2Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frames.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.frames.flush()
    }
}

impl<W: Write> Pc2Writer<W> {
    /// Writes the header: the number of vertices and frames, the number of the first frame, and the
    /// step between two samples in frames of the scene.
    ///
    /// # Errors
    ///
    /// When there are more vertices or frames than the format can count, or when the system cannot
    /// write.
    pub fn new(mut to: W, points: usize, frames: usize, start: f32, step: f32) -> Result<Self, Error> {
        let [point_count, frame_count] =
            [header_count("vertices of a PC2", points)?, header_count("frames of a PC2", frames)?];
        let mut header = Vec::from(b"POINTCACHE2\0");
        header.extend(1_i32.to_le_bytes());
        header.extend(point_count.to_le_bytes());
        header.extend(start.to_le_bytes());
        header.extend(step.to_le_bytes());
        header.extend(frame_count.to_le_bytes());
        to.write_all(&header).map_err(Error::writing)?;
        Ok(Self { frames: FrameWriter::new(to, points, frames) })
    }

    /// Writes the positions of the next frame.
    ///
    /// # Errors
    ///
    /// When the number of vertices differs, when there are more frames than announced, or when the
    /// system cannot write.
    pub fn write_frame(&mut self, positions: &[[f32; 3]]) -> Result<(), Error> {
        self.frames.add(positions, ByteOrder::Little)
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// When there are fewer frames than announced, or when the system cannot write.
    pub fn finish(self) -> Result<W, Error> {
        self.frames.finish()
    }
}

/// Writes MDD, the format of LightWave: big-endian, all times first, then frame after frame.
#[derive(Debug)]
pub struct MddWriter<W> {
    frames: FrameWriter<W>,
}

/// Accepts frames as big-endian bytes of [`write_vectors`], in chunks of any size.
impl<W: Write> Write for MddWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frames.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.frames.flush()
    }
}

impl<W: Write> MddWriter<W> {
    /// Writes the header: the number of vertices and the time of each frame.
    ///
    /// # Errors
    ///
    /// When there are more vertices or frames than the format can count, or when the system cannot
    /// write.
    pub fn new(mut to: W, points: usize, seconds: &[f32]) -> Result<Self, Error> {
        let frames = header_count("frames of an MDD", seconds.len())?;
        let mut header = Vec::from(frames.to_be_bytes());
        header.extend(header_count("vertices of an MDD", points)?.to_be_bytes());
        header.extend(seconds.iter().flat_map(|time| time.to_be_bytes()));
        to.write_all(&header).map_err(Error::writing)?;
        Ok(Self { frames: FrameWriter::new(to, points, seconds.len()) })
    }

    /// Writes the positions of the next frame.
    ///
    /// # Errors
    ///
    /// When the number of vertices differs, when there are more frames than announced, or when the
    /// system cannot write.
    pub fn write_frame(&mut self, positions: &[[f32; 3]]) -> Result<(), Error> {
        self.frames.add(positions, ByteOrder::Big)
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// When there are fewer frames than announced, or when the system cannot write.
    pub fn finish(self) -> Result<W, Error> {
        self.frames.finish()
    }
}

/// Writes frames, and counts the bytes that are still missing.
#[derive(Debug)]
struct FrameWriter<W> {
    to: W,
    points: usize,
    /// The bytes of the frames that are still missing.
    left: u64,
}

impl<W: Write> FrameWriter<W> {
    fn new(to: W, points: usize, frames: usize) -> Self {
        // No overflow: the header limits both counts to 31 bits.
        Self { to, points, left: points as u64 * frames as u64 * VECTOR_BYTES }
    }

    fn add(&mut self, positions: &[[f32; 3]], order: ByteOrder) -> Result<(), Error> {
        if positions.len() != self.points {
            let (expected, found) = (self.points.to_string(), positions.len().to_string());
            return Err(Error::invalid("vertices of a frame", expected, found));
        }
        if self.left < self.points as u64 * VECTOR_BYTES {
            return Err(Error::invalid("frames", "no more frames than announced", "one more"));
        }
        write_vectors(self, positions, order)
    }

    fn finish(mut self) -> Result<W, Error> {
        if self.left > 0 {
            let more = self.left.div_ceil(self.points.max(1) as u64 * VECTOR_BYTES);
            return Err(Error::invalid("frames", format!("{more} more"), "the end"));
        }
        self.to.flush().map_err(Error::writing)?;
        Ok(self.to)
    }
}

impl<W: Write> Write for FrameWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() as u64 > self.left {
            return Err(io::Error::other("more frames than announced"));
        }
        let written = self.to.write(bytes)?;
        self.left -= written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// The bytes of a vector.
const VECTOR_BYTES: u64 = 12;

/// Converts a count to the header's type.
fn header_count(what: &str, found: usize) -> Result<i32, Error> {
    i32::try_from(found).map_err(|_| Error::invalid(what, format!("at most {}", i32::MAX), found.to_string()))
}
