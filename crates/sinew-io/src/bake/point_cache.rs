//! Positions frame by frame: PC2 and MDD.

use std::io::{self, Write};

use super::vectors::{ByteOrder, write_vectors};
use crate::Error;

/// Writes PC2, as 3ds Max and Blender have it: little endian, frame after frame.
#[derive(Debug)]
pub struct Pc2<W> {
    frames: Frames<W>,
}

/// Takes frames that [`write_vectors`] has made bytes of elsewhere, little end first, in pieces of any size.
impl<W: Write> Write for Pc2<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frames.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.frames.flush()
    }
}

impl<W: Write> Pc2<W> {
    /// Begins with the number of vertices and of frames, the number of the first frame, and how many frames of the
    /// scene there are from one to the next.
    ///
    /// # Errors
    ///
    /// When there are more than the format can count, or the system cannot write.
    pub fn begin(mut to: W, points: usize, frames: usize, start: f32, step: f32) -> Result<Self, Error> {
        let [point_count, frame_count] =
            [count("vertices of a PC2", points)?, count("frames of a PC2", frames)?];
        let mut header = Vec::from(b"POINTCACHE2\0");
        header.extend(1_i32.to_le_bytes());
        header.extend(point_count.to_le_bytes());
        header.extend(start.to_le_bytes());
        header.extend(step.to_le_bytes());
        header.extend(frame_count.to_le_bytes());
        to.write_all(&header).map_err(Error::writing)?;
        Ok(Self { frames: Frames::new(to, points, frames) })
    }

    /// Adds a frame.
    ///
    /// # Errors
    ///
    /// When it has another number of vertices, or is one more than was said, or the system cannot write.
    pub fn frame(&mut self, positions: &[[f32; 3]]) -> Result<(), Error> {
        self.frames.add(positions, ByteOrder::Little)
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// When there are fewer frames than was said, or the system cannot write.
    pub fn end(self) -> Result<W, Error> {
        self.frames.end()
    }
}

/// Writes MDD, as LightWave has it: big endian, all times first and then frame after frame.
#[derive(Debug)]
pub struct Mdd<W> {
    frames: Frames<W>,
}

/// Takes frames that [`write_vectors`] has made bytes of elsewhere, big end first, in pieces of any size.
impl<W: Write> Write for Mdd<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frames.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.frames.flush()
    }
}

impl<W: Write> Mdd<W> {
    /// Begins with the number of vertices and the seconds of each frame.
    ///
    /// # Errors
    ///
    /// When there are more than the format can count, or the system cannot write.
    pub fn begin(mut to: W, points: usize, seconds: &[f32]) -> Result<Self, Error> {
        let frames = count("frames of an MDD", seconds.len())?;
        let mut header = Vec::from(frames.to_be_bytes());
        header.extend(count("vertices of an MDD", points)?.to_be_bytes());
        header.extend(seconds.iter().flat_map(|time| time.to_be_bytes()));
        to.write_all(&header).map_err(Error::writing)?;
        Ok(Self { frames: Frames::new(to, points, seconds.len()) })
    }

    /// Adds a frame.
    ///
    /// # Errors
    ///
    /// When it has another number of vertices, or is one more than was said, or the system cannot write.
    pub fn frame(&mut self, positions: &[[f32; 3]]) -> Result<(), Error> {
        self.frames.add(positions, ByteOrder::Big)
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// When there are fewer frames than was said, or the system cannot write.
    pub fn end(self) -> Result<W, Error> {
        self.frames.end()
    }
}

/// Frames that are still to come.
#[derive(Debug)]
struct Frames<W> {
    to: W,
    points: usize,
    /// Bytes of frames.
    left: u64,
}

impl<W: Write> Frames<W> {
    fn new(to: W, points: usize, frames: usize) -> Self {
        // Both fit 31 bits, as the header has them.
        Self { to, points, left: points as u64 * frames as u64 * VECTOR }
    }

    fn add(&mut self, positions: &[[f32; 3]], order: ByteOrder) -> Result<(), Error> {
        if positions.len() != self.points {
            let (expected, found) = (self.points.to_string(), positions.len().to_string());
            return Err(Error::fault("vertices of a frame", expected, found));
        }
        if self.left < self.points as u64 * VECTOR {
            return Err(Error::fault("frames", "no more of them", "one more"));
        }
        write_vectors(self, positions, order)
    }

    fn end(mut self) -> Result<W, Error> {
        if self.left > 0 {
            let more = self.left.div_ceil(self.points.max(1) as u64 * VECTOR);
            return Err(Error::fault("frames", format!("{more} more"), "the end"));
        }
        self.to.flush().map_err(Error::writing)?;
        Ok(self.to)
    }
}

impl<W: Write> Write for Frames<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() as u64 > self.left {
            return Err(io::Error::other("there are more frames than was said"));
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
const VECTOR: u64 = 12;

/// As the header has it.
fn count(what: &str, found: usize) -> Result<i32, Error> {
    i32::try_from(found).map_err(|_| Error::fault(what, format!("at most {}", i32::MAX), found.to_string()))
}
