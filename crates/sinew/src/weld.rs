//! Vertices that lie in the same place, found once for each mesh.

use std::collections::HashMap;

use crate::{Error, Points};

/// Which places of a mesh hold the same point.
///
/// Files split vertices where texture coordinates or normals differ, so that a closed surface comes in pieces. What asks
/// for neighbours (edges, vertex normals) takes the pieces together again. Only positions count: two surfaces that touch
/// are welded where they do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weld {
    first: Vec<u32>,
    distinct: usize,
}

impl Weld {
    /// Welds places whose points are equal, number for number: nothing is near enough but the same, and -0 is 0. A point
    /// with a number that is not one is equal to none. Take the points at rest, [`Mesh::rest_points`](crate::Mesh); in
    /// run order pads are welded to the vertices that they repeat.
    ///
    /// # Errors
    ///
    /// When there are more than 2^32 - 1 places.
    pub fn new(points: Points<'_>) -> Result<Self, Error> {
        let mut weld = Self::none(points.len())?;
        let mut seen = HashMap::with_capacity(points.len());
        for (place, first) in (0_u32..).zip(&mut weld.first) {
            let point = points.point(place as usize);
            if point.iter().any(|component| component.is_nan()) {
                continue;
            }
            // Adding zero makes one zero of both.
            let key = point.map(|component| (component + 0.0).to_bits());
            *first = *seen.entry(key).or_insert(place);
            weld.distinct -= usize::from(*first != place);
        }
        Ok(weld)
    }

    /// Every place on its own.
    ///
    /// # Errors
    ///
    /// When there are more than 2^32 - 1 places.
    pub fn none(places: usize) -> Result<Self, Error> {
        let limit = u32::MAX as usize;
        if places > limit {
            return Err(Error::TooManyVertices { limit, found: places });
        }
        Ok(Self { first: (0..places as u32).collect(), distinct: places })
    }

    /// For each place the first place with the same point, which may be itself.
    #[must_use]
    pub fn first(&self) -> &[u32] {
        &self.first
    }

    /// The number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether there are no places.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// The number of points that differ from each other.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.distinct
    }
}
