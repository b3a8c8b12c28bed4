//! NPZ: arrays for NumPy, written in memory that does not grow with the number of frames.

use std::io::{self, Write};

use super::BakedModel;
use super::vectors::{ByteOrder, write_numbers, write_vectors};
use super::zip::Zip;
use crate::Error;

/// Writes NPZ with the arrays `times` (frames) of `f64`, `indices` (triangles, 3) of `u32`, and
/// `positions` and `normals` (frames, vertices, 3) of `f32`.
///
/// An array must be complete before the next one starts: first come the positions of all frames,
/// then the normals of all frames.
#[derive(Debug)]
pub struct NpzWriter<W> {
    zip: Zip<W>,
    shape: [usize; 3],
    /// The vector arrays that are still to be written, in reverse order.
    arrays: Vec<&'static str>,
    /// The bytes that the current array still needs.
    left: u64,
}

impl<W: Write> NpzWriter<W> {
    /// Writes the times of all frames and the triangles of a model.
    ///
    /// # Errors
    ///
    /// When the file would be larger than the format allows, or when the system cannot write.
    pub fn new(to: W, baked: &BakedModel, seconds: &[f64]) -> Result<Self, Error> {
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

    /// Starts the next vector array, if there is one.
    fn next_array(&mut self) -> Result<(), Error> {
        while self.left == 0
            && let Some(name) = self.arrays.pop()
        {
            self.left = Array { name, kind: "<f4", shape: &self.shape }.begin(&mut self.zip, 4)?;
            // An array without vertices is complete at once.
            self.end_array().map_err(Error::writing)?;
        }
        Ok(())
    }

    fn end_array(&mut self) -> io::Result<()> {
        if self.left == 0 { self.zip.end() } else { Ok(()) }
    }

    /// Writes the positions of the next frame, or its normals after all positions.
    ///
    /// # Errors
    ///
    /// When the number of vertices differs, when there are more frames than announced, or when the
    /// system cannot write.
    pub fn write_frame(&mut self, vectors: &[[f32; 3]]) -> Result<(), Error> {
        let [_, vertices, _] = self.shape;
        if vectors.len() != vertices {
            return Err(Error::invalid(
                "vertices of a frame",
                vertices.to_string(),
                vectors.len().to_string(),
            ));
        }
        write_vectors(self, vectors, ByteOrder::Little)
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// When there are fewer frames than announced, or when the system cannot write.
    pub fn finish(self) -> Result<W, Error> {
        if self.left > 0 {
            return Err(Error::invalid("frames", format!("{} bytes more", self.left), "the end"));
        }
        self.zip.finish().map_err(Error::writing)
    }
}

/// Accepts frames as little-endian bytes of [`write_vectors`], in chunks of any size.
impl<W: Write> Write for NpzWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 && !bytes.is_empty() {
            return Err(io::Error::other("more frames than announced"));
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

/// Writes NPZ with an [`NpzWriter`]. `pose` is called twice for every frame, first for the
/// positions and then for the normals, with the frame's number. It updates the baked model (see
/// [`BakedModel::update`]) to the same pose both times.
///
/// # Errors
///
/// When the system cannot write, or the error of `pose`.
pub fn write_npz(
    to: impl Write,
    baked: &mut BakedModel,
    seconds: &[f64],
    mut pose: impl FnMut(usize, &mut BakedModel) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut npz = NpzWriter::new(to, baked, seconds)?;
    for frame in 0..seconds.len() {
        pose(frame, baked)?;
        npz.write_frame(baked.positions())?;
    }
    for frame in 0..seconds.len() {
        pose(frame, baked)?;
        npz.write_frame(baked.normals())?;
    }
    npz.finish().map(|_| ())
}

/// An array, as its header describes it.
struct Array<'a> {
    name: &'static str,
    /// Byte order, type and size of an element.
    kind: &'static str,
    shape: &'a [usize],
}

impl Array<'_> {
    /// Writes the header, for elements of `element` bytes. Returns the bytes of all elements.
    fn begin<W: Write>(&self, zip: &mut Zip<W>, element: u64) -> Result<u64, Error> {
        let header = self.header();
        let elements = self.shape.iter().try_fold(element, |bytes, &len| bytes.checked_mul(len as u64));
        let size = elements.and_then(|bytes| Some((bytes, bytes.checked_add(header.len() as u64)?)));
        let (elements, size) = size.ok_or_else(|| Error::writing(io::ErrorKind::FileTooLarge.into()))?;
        zip.begin(self.name, size).map_err(Error::writing)?;
        zip.write_all(&header).map_err(Error::writing)?;
        Ok(elements)
    }

    /// A header of version 1, padded so that the elements start at a multiple of 64 bytes.
    fn header(&self) -> Vec<u8> {
        let mut shape = String::new();
        for len in self.shape {
            shape += &format!("{len}, ");
        }
        let text = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", self.kind);
        // Ten bytes come before the text, and one, the end of the line, after it.
        let len = (10 + text.len() + 1).next_multiple_of(64) - 10;
        let mut header = Vec::from(b"\x93NUMPY\x01\x00");
        header.extend((len as u16).to_le_bytes());
        header.extend(text.as_bytes());
        header.resize(10 + len - 1, b' ');
        header.push(b'\n');
        header
    }
}
