//! NPZ: arrays for NumPy, in memory that does not grow with the frames.

use std::io::{self, Write};

use super::Baked;
use super::vectors::{ByteOrder, write_numbers, write_vectors};
use super::zip::Zip;
use crate::Error;

/// Writes NPZ with the arrays `times` (frames) of `f64`, `indices` (triangles, 3) of `u32`, and `positions` and
/// `normals` (frames, vertices, 3) of `f32`. An array is whole before the next begins: the positions of all frames come
/// first, and then the normals of all.
#[derive(Debug)]
pub struct Npz<W> {
    zip: Zip<W>,
    shape: [usize; 3],
    /// Arrays of vectors that are still to come, the next one last.
    arrays: Vec<&'static str>,
    /// Bytes of the array that is being written.
    left: u64,
}

impl<W: Write> Npz<W> {
    /// Begins with the seconds of each frame and the triangles of a model.
    ///
    /// # Errors
    ///
    /// When the file would be larger than the format allows, or the system cannot write.
    pub fn begin(to: W, baked: &Baked, seconds: &[f64]) -> Result<Self, Error> {
        let mut zip = Zip::new(to);
        let (triangles, shape) = (baked.triangles(), [seconds.len(), baked.positions().len(), 3]);
        Array { name: "times.npy", kind: "<f8", shape: &[seconds.len()] }.begin(&mut zip, 8)?;
        write_numbers(&mut zip, seconds, f64::to_le_bytes)
            .and_then(|()| zip.end())
            .map_err(Error::writing)?;
        Array { name: "indices.npy", kind: "<u4", shape: &[triangles.len(), 3] }.begin(&mut zip, 4)?;
        let indices = write_numbers(&mut zip, triangles.as_flattened(), u32::to_le_bytes);
        indices.and_then(|()| zip.end()).map_err(Error::writing)?;
        let mut npz = Self { zip, shape, arrays: vec!["normals.npy", "positions.npy"], left: 0 };
        npz.next_array()?;
        Ok(npz)
    }

    /// Begins the next array of vectors, if there is one.
    fn next_array(&mut self) -> Result<(), Error> {
        while self.left == 0
            && let Some(name) = self.arrays.pop()
        {
            self.left = Array { name, kind: "<f4", shape: &self.shape }.begin(&mut self.zip, 4)?;
            // Of no vertices it is whole at once.
            self.end_array().map_err(Error::writing)?;
        }
        Ok(())
    }

    fn end_array(&mut self) -> io::Result<()> {
        if self.left == 0 { self.zip.end() } else { Ok(()) }
    }

    /// Adds the positions of the next frame, or its normals once all positions are there.
    ///
    /// # Errors
    ///
    /// When it has another number of vertices, or is one more than was said, or the system cannot write.
    pub fn frame(&mut self, vectors: &[[f32; 3]]) -> Result<(), Error> {
        let [_, vertices, _] = self.shape;
        if vectors.len() != vertices {
            return Err(Error::fault("vertices of a frame", vertices.to_string(), vectors.len().to_string()));
        }
        write_vectors(self, vectors, ByteOrder::Little)
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// When there are fewer frames than was said, or the system cannot write.
    pub fn end(self) -> Result<W, Error> {
        if self.left > 0 {
            return Err(Error::fault("frames", format!("{} bytes more", self.left), "the end"));
        }
        self.zip.finish().map_err(Error::writing)
    }
}

/// Takes frames that [`write_vectors`] has made bytes of elsewhere, little end first, in pieces of any size.
impl<W: Write> Write for Npz<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 && !bytes.is_empty() {
            return Err(io::Error::other("there are more frames than was said"));
        }
        let now = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.zip.write_all(&bytes[..now])?;
        self.left -= now as u64;
        if self.left == 0 && now > 0 {
            self.end_array()?;
            self.next_array().map_err(io::Error::other)?;
        }
        Ok(now)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.zip.flush()
    }
}

/// Writes NPZ as [`Npz`] does. `pose` is called for every frame twice, first for the positions and then for the normals:
/// with the frame's number, it takes the vertices as [`Baked::take`] does, and the same both times.
///
/// # Errors
///
/// When the system cannot write, or as `pose` says.
pub fn write_npz(
    to: impl Write,
    baked: &mut Baked,
    seconds: &[f64],
    mut pose: impl FnMut(usize, &mut Baked) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut npz = Npz::begin(to, baked, seconds)?;
    let vectors: [fn(&Baked) -> &[[f32; 3]]; 2] = [Baked::positions, Baked::normals];
    for vectors in vectors {
        for frame in 0..seconds.len() {
            pose(frame, baked)?;
            npz.frame(vectors(baked))?;
        }
    }
    npz.end().map(|_| ())
}

/// An array as its header has it.
struct Array<'a> {
    name: &'static str,
    /// Byte order, kind and bytes of an element.
    kind: &'static str,
    shape: &'a [usize],
}

impl Array<'_> {
    /// Writes the header, for elements of so many bytes each; gives the bytes of all elements.
    fn begin<W: Write>(&self, zip: &mut Zip<W>, element: u64) -> Result<u64, Error> {
        let header = self.header();
        let elements = self.shape.iter().try_fold(element, |bytes, &len| bytes.checked_mul(len as u64));
        let size = elements.and_then(|bytes| Some((bytes, bytes.checked_add(header.len() as u64)?)));
        let (elements, size) = size.ok_or_else(|| Error::writing(io::ErrorKind::FileTooLarge.into()))?;
        zip.begin(self.name, size).map_err(Error::writing)?;
        zip.write_all(&header).map_err(Error::writing)?;
        Ok(elements)
    }

    /// Of the first version, filled up so that elements begin at a multiple of 64 bytes.
    fn header(&self) -> Vec<u8> {
        let mut shape = String::new();
        for len in self.shape {
            shape += &format!("{len}, ");
        }
        let text = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", self.kind);
        // What comes before the text takes ten bytes, the end of the line one.
        let len = (10 + text.len() + 1).next_multiple_of(64) - 10;
        let mut header = Vec::from(b"\x93NUMPY\x01\x00");
        header.extend((len as u16).to_le_bytes());
        header.extend(text.as_bytes());
        header.resize(10 + len - 1, b' ');
        header.push(b'\n');
        header
    }
}
