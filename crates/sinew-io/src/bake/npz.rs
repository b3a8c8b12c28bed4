//! NPZ: arrays for NumPy, in memory that does not grow with the frames.

use std::io::{self, Write};

use super::Baked;
use super::zip::Zip;
use crate::Error;

/// About as many bytes go to the file at once.
const BATCH: usize = 64 * 1024;

/// Writes NPZ with the arrays `times` (frames) of `f64`, `indices` (triangles, 3) of `u32`, and `positions` and
/// `normals` (frames, vertices, 3) of `f32`.
///
/// An array is whole before the next begins, so `pose` is called for every frame twice, first for the positions and then
/// for the normals: with the frame's number, it takes the vertices as [`Baked::take`] does, and the same both times.
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
    let mut zip = Zip::new(to);
    let (frames, vertices, triangles) = (seconds.len(), baked.positions().len(), baked.triangles().len());
    let times = Array { name: "times.npy", kind: "<f8", shape: &[frames] };
    let indices = Array { name: "indices.npy", kind: "<u4", shape: &[triangles, 3] };
    times.write(&mut zip, 8, |zip| add(zip, seconds.iter().map(|time| time.to_le_bytes())))?;
    indices.write(&mut zip, 4, |zip| {
        add(zip, baked.triangles().as_flattened().iter().map(|vertex| vertex.to_le_bytes()))
    })?;
    let shape = [frames, vertices, 3];
    let positions = Array { name: "positions.npy", kind: "<f4", shape: &shape };
    positions.write(&mut zip, 4, |zip| {
        (0..frames).try_for_each(|frame| {
            pose(frame, baked)?;
            add(zip, baked.positions().as_flattened().iter().map(|x| x.to_le_bytes()))
        })
    })?;
    let normals = Array { name: "normals.npy", kind: "<f4", shape: &shape };
    normals.write(&mut zip, 4, |zip| {
        (0..frames).try_for_each(|frame| {
            pose(frame, baked)?;
            add(zip, baked.normals().as_flattened().iter().map(|x| x.to_le_bytes()))
        })
    })?;
    zip.finish().map(|_| ()).map_err(Error::writing)
}

/// An array as its header has it.
struct Array<'a> {
    name: &'static str,
    /// Byte order, kind and bytes of an element.
    kind: &'static str,
    shape: &'a [usize],
}

impl Array<'_> {
    /// Writes header and elements, each of so many bytes.
    fn write<W: Write>(
        &self,
        zip: &mut Zip<W>,
        element: u64,
        elements: impl FnOnce(&mut Zip<W>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let header = self.header();
        let size = self.shape.iter().try_fold(element, |bytes, &len| bytes.checked_mul(len as u64));
        let size = size.and_then(|bytes| bytes.checked_add(header.len() as u64));
        let size = size.ok_or_else(|| Error::writing(io::ErrorKind::FileTooLarge.into()))?;
        zip.begin(self.name, size).map_err(Error::writing)?;
        zip.add(&header).map_err(Error::writing)?;
        elements(zip)?;
        zip.end().map_err(Error::writing)
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

/// Adds elements in batches.
fn add<W: Write, const N: usize>(
    zip: &mut Zip<W>,
    elements: impl Iterator<Item = [u8; N]>,
) -> Result<(), Error> {
    let mut bytes = Vec::with_capacity(BATCH + N);
    for element in elements {
        bytes.extend(element);
        if bytes.len() >= BATCH {
            zip.add(&bytes).map_err(Error::writing)?;
            bytes.clear();
        }
    }
    zip.add(&bytes).map_err(Error::writing)
}
