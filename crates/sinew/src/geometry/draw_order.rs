//! An order of triangles that reuses transformed vertices: fans around one vertex after the other
//! (Sander, Nehab and Barczak 2007, "Fast triangle reordering for vertex locality and reduced
//! overdraw").

use super::locality::{VERTEX_CACHE, transformed_vertices};
use crate::mesh::{Mesh, VertexOrder};

impl Mesh {
    /// The triangles for drawing, with the vertex indices of an order: ordered for a GPU's cache of
    /// transformed vertices, unless the source's order is as good. Ranges of triangles stay where
    /// they are, and corners in their order. Hits and facing bits count triangles in the order of
    /// [`triangles`](Self::triangles) instead. Allocates; call it once.
    #[must_use]
    pub fn draw_triangles(&self, order: VertexOrder) -> Vec<[u32; 3]> {
        let mut triangles = self.triangles_in(order).into_owned();
        let mut ends: Vec<usize> =
            self.ranges().flat_map(|range| [range.triangles.start, range.triangles.end]).collect();
        ends.extend([0, triangles.len()]);
        ends.sort_unstable();
        for range in ends.windows(2) {
            order_for_cache(&mut triangles[range[0]..range[1]]);
        }
        triangles
    }
}

/// Reorders triangles if that saves transformed vertices.
fn order_for_cache(triangles: &mut [[u32; 3]]) {
    if triangles.len() < 2 {
        return;
    }
    // Only the vertices of these triangles, so that many small ranges cost no more than one.
    let mut used: Vec<u32> = triangles.as_flattened().to_vec();
    used.sort_unstable();
    used.dedup();
    let local = |vertex: u32| used.partition_point(|&other| other < vertex) as u32;
    let own: Vec<[u32; 3]> = triangles.iter().map(|corners| corners.map(local)).collect();
    let order = Fans::new(&own, used.len()).order();
    let ordered: Vec<[u32; 3]> = order.iter().map(|&triangle| own[triangle as usize]).collect();
    if transformed_vertices(&ordered, used.len()) < transformed_vertices(&own, used.len()) {
        let ordered: Vec<[u32; 3]> = order.iter().map(|&triangle| triangles[triangle as usize]).collect();
        triangles.copy_from_slice(&ordered);
    }
}

/// The state of a walk from fan to fan.
struct Fans<'a> {
    triangles: &'a [[u32; 3]],
    /// The triangles of each vertex, as compressed rows.
    starts: Vec<u32>,
    of_vertex: Vec<u32>,
    /// The triangles of each vertex that are left.
    left: Vec<u32>,
    is_done: Vec<bool>,
    /// When each vertex entered the cache.
    times: Vec<usize>,
    now: usize,
    /// Vertices met before, the last one on top.
    met: Vec<u32>,
    /// All vertices below it have no triangles left.
    next: usize,
}

impl<'a> Fans<'a> {
    fn new(triangles: &'a [[u32; 3]], vertices: usize) -> Self {
        let mut starts = vec![0; vertices + 1];
        for &corner in triangles.as_flattened() {
            starts[corner as usize + 1] += 1;
        }
        let left = starts[1..].to_vec();
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut ends = starts.clone();
        let mut of_vertex = vec![0; 3 * triangles.len()];
        for (triangle, corners) in triangles.iter().enumerate() {
            for &corner in corners {
                let end = &mut ends[corner as usize];
                of_vertex[*end as usize] = triangle as u32;
                *end += 1;
            }
        }
        Self {
            triangles,
            starts,
            of_vertex,
            left,
            is_done: vec![false; triangles.len()],
            times: vec![0; vertices],
            now: VERTEX_CACHE + 1,
            met: Vec::new(),
            next: 0,
        }
    }

    /// The triangles in their new order.
    fn order(mut self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.triangles.len());
        let mut around: Vec<u32> = Vec::new();
        while let Some(center) = self.best(&around).or_else(|| self.fallback()) {
            around.clear();
            for index in self.starts[center as usize]..self.starts[center as usize + 1] {
                let triangle = self.of_vertex[index as usize];
                if std::mem::replace(&mut self.is_done[triangle as usize], true) {
                    continue;
                }
                order.push(triangle);
                for corner in self.triangles[triangle as usize] {
                    self.left[corner as usize] -= 1;
                    around.push(corner);
                    self.met.push(corner);
                    let time = &mut self.times[corner as usize];
                    if self.now - *time > VERTEX_CACHE {
                        *time = self.now;
                        self.now += 1;
                    }
                }
            }
        }
        order
    }

    /// The vertex around the last fan that has been in the cache for longest and will still be
    /// there after its own fan; any with triangles left if there is none.
    fn best(&self, around: &[u32]) -> Option<u32> {
        let mut best: Option<(usize, u32)> = None;
        for &vertex in around {
            let left = self.left[vertex as usize] as usize;
            if left == 0 {
                continue;
            }
            let age = self.now - self.times[vertex as usize];
            let priority = if age + 2 * left <= VERTEX_CACHE { age } else { 0 };
            if best.is_none_or(|(most, _)| priority > most) {
                best = Some((priority, vertex));
            }
        }
        best.map(|(_, vertex)| vertex)
    }

    /// The last vertex met that has triangles left; otherwise the next one in memory.
    fn fallback(&mut self) -> Option<u32> {
        while let Some(vertex) = self.met.pop() {
            if self.left[vertex as usize] > 0 {
                return Some(vertex);
            }
        }
        while let Some(&left) = self.left.get(self.next) {
            if left > 0 {
                return Some(self.next as u32);
            }
            self.next += 1;
        }
        None
    }
}
