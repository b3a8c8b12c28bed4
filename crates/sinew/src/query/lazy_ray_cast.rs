//! Ray casts against a lazy BVH.

use super::aabb4::WIDTH;
use super::lazy_bvh::LazyBvh;
use super::mesh_bvh::MeshBvh;
use super::prepared_ray::{PreparedRay, aabb_limit};
use super::ray::{Ray, TriangleHit};
use super::ray_cast::{ClosestIntersection, sort_hits};
use super::traversal_stack::{SortedChildren, TraversalStack};
use super::vertex_source::VertexSource;
use crate::geometry::PositionView;
use crate::length::check_len;
use crate::mesh::Mesh;
use crate::query::QueryError;
use crate::skinning::VertexOrder;

/// After one ray in a frame for so many triangles, and after so many rays at least and at most, the
/// whole mesh is skinned, because that costs about as much as the rays spent on what they met.
const TRIANGLES_PER_RAY: usize = 160;
const LAZY_RAYS: [usize; 2] = [4, 64];

/// Ray casts in one frame of a [`LazyBvh`].
#[derive(Debug)]
pub struct LazyRayCast<'a> {
    pub(super) lazy: &'a mut LazyBvh,
    pub(super) mesh: &'a Mesh,
    pub(super) vertices: VertexSource<'a>,
}

impl<'a> LazyRayCast<'a> {
    /// Reads vertices that are already skinned, with the palette and the options of this frame, and
    /// skins none. Vertices that rays of the frame have met before are not read again. Positions of
    /// another pose give wrong hits.
    ///
    /// # Errors
    ///
    /// If there is not one position for each vertex of the mesh; in run order, including pads.
    pub fn reading(mut self, positions: PositionView<'a>, order: VertexOrder) -> Result<Self, QueryError> {
        check_len("skinned positions", self.mesh.len_in(order), positions.len())?;
        self.vertices = VertexSource::Read { positions, order };
        Ok(self)
    }

    /// As [`MeshBvh::closest_hit`].
    pub fn closest_hit(&mut self, ray: &Ray) -> Option<TriangleHit> {
        let mut prepared = PreparedRay::new(ray)?;
        let closest = self.closest_intersection(&mut prepared)?;
        Some(self.lazy.bvh.hit(&closest))
    }

    /// As [`MeshBvh::any_hit`].
    pub fn any_hit(&mut self, ray: &Ray) -> bool {
        let Some(mut prepared) = PreparedRay::new(ray) else { return false };
        if self.is_complete() {
            return self.lazy.bvh.any_hit(ray);
        }
        self.traverse(&mut prepared, QueryMode::Any).is_some()
    }

    /// As [`MeshBvh::all_hits`].
    pub fn all_hits(&mut self, ray: &Ray, hits: &mut Vec<TriangleHit>) {
        let Some(prepared) = PreparedRay::new(ray) else { return };
        if self.is_complete() {
            return self.lazy.bvh.all_hits(ray, hits);
        }
        let Self { lazy, mesh, vertices } = self;
        let first = hits.len();
        let mut stack = TraversalStack::empty();
        if !lazy.topology.joint_aabbs.nodes.is_empty() {
            lazy.push_children(0, 0, &prepared, &mut stack);
        }
        while let Some((child, _)) = stack.pop() {
            let (index, lane) = (child / WIDTH, child % WIDTH);
            let node = lazy.topology.joint_aabbs.nodes[index];
            let (first, len) = (node.first[lane] as usize, usize::from(node.len[lane]));
            if len == 0 {
                lazy.push_children(first, node.child_first_aabb[lane], &prepared, &mut stack);
                continue;
            }
            lazy.load_cluster((index, lane), &node, mesh, vertices);
            lazy.bvh.add_leaf_hits(first, len, &prepared, hits);
        }
        sort_hits(&mut hits[first..]);
    }

    /// As [`MeshBvh::closest_hits`].
    ///
    /// # Errors
    ///
    /// If `rays` and `hits` differ in length.
    pub fn closest_hits(&mut self, rays: &[Ray], hits: &mut [Option<TriangleHit>]) -> Result<(), QueryError> {
        check_len("hits of rays", rays.len(), hits.len())?;
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.closest_hit(ray);
        }
        Ok(())
    }

    /// The whole BVH with all vertices loaded, for queries other than rays.
    pub fn bvh(&mut self) -> &MeshBvh {
        self.lazy.complete(self.mesh, &self.vertices);
        &self.lazy.bvh
    }

    pub(super) fn closest_intersection(&mut self, prepared: &mut PreparedRay) -> Option<ClosestIntersection> {
        if self.is_complete() {
            self.lazy.bvh.closest_intersection(prepared)
        } else {
            self.traverse(prepared, QueryMode::Closest)
        }
    }

    /// Counts a ray, and loads the whole mesh if lazy skinning is unsupported or no longer pays.
    fn is_complete(&mut self) -> bool {
        self.lazy.state.rays += 1;
        let [least, most] = LAZY_RAYS;
        let lazy_rays = (self.mesh.triangles().len() / TRIANGLES_PER_RAY).clamp(least, most);
        if self.lazy.state.rays > lazy_rays || !self.lazy.is_lazy() {
            self.lazy.complete(self.mesh, &self.vertices);
        }
        self.lazy.state.complete
    }

    fn traverse(&mut self, prepared: &mut PreparedRay, mode: QueryMode) -> Option<ClosestIntersection> {
        let Self { lazy, mesh, vertices } = self;
        let mut closest = None;
        // The stack holds children, not nodes: clusters also wait their turn, because skinning one
        // costs more than visiting a node.
        let mut stack = TraversalStack::empty();
        if !lazy.topology.joint_aabbs.nodes.is_empty() {
            lazy.push_children(0, 0, prepared, &mut stack);
        }
        while let Some((child, entry)) = stack.pop() {
            if entry > aabb_limit(prepared.limit) {
                continue;
            }
            let (index, lane) = (child / WIDTH, child % WIDTH);
            let node = lazy.topology.joint_aabbs.nodes[index];
            let (first, len) = (node.first[lane] as usize, usize::from(node.len[lane]));
            if len == 0 {
                lazy.push_children(first, node.child_first_aabb[lane], prepared, &mut stack);
                continue;
            }
            lazy.load_cluster((index, lane), &node, mesh, vertices);
            lazy.bvh.intersect_leaf(first, len, prepared, &mut closest);
            if mode == QueryMode::Any && closest.is_some() {
                return closest;
            }
        }
        closest
    }
}

impl LazyBvh {
    /// Pushes the children of a node that a ray enters, the nearest last.
    #[inline]
    fn push_children(
        &mut self,
        index: usize,
        first_aabb: u32,
        prepared: &PreparedRay,
        stack: &mut TraversalStack,
    ) {
        let entries =
            self.node_aabbs(index, first_aabb).entry_distances(&prepared.slabs, aabb_limit(prepared.limit));
        let used = usize::from(self.topology.joint_aabbs.nodes[index].used);
        let mut children = SortedChildren::default();
        for (lane, &entry) in entries[..used].iter().enumerate() {
            if !entry.is_nan() {
                children.insert((WIDTH * index + lane) as u32, entry);
            }
        }
        stack.push_all(&children);
    }
}

/// What a traversal searches for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QueryMode {
    Closest,
    Any,
}
