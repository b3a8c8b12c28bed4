"""Results of several arrays, as named tuples: they unpack, compare and pickle like tuples."""

from typing import NamedTuple, Optional

import numpy


class Bake(NamedTuple):
    """The vertices of a clip, frame by frame. See `Model.bake`."""

    positions: numpy.ndarray
    """(frames, vertices, 3) of float32."""
    normals: Optional[numpy.ndarray]
    """(frames, vertices, 3) of float32; None unless they were asked for."""
    seconds: numpy.ndarray
    """The time of each frame in the clip, (frames,) of float64."""


class Hits(NamedTuple):
    """The nearest hit of each ray. See `Instance.cast`."""

    distance: numpy.ndarray
    """From the origin, in units of the model; inf for a miss."""
    point: numpy.ndarray
    """(rays, 3); NaN for a miss."""
    normal: numpy.ndarray
    """The unit normal of the triangle's front, (rays, 3); NaN for a miss."""
    barycentrics: numpy.ndarray
    """Of the point in its triangle, (rays, 3); NaN for a miss."""
    mesh: numpy.ndarray
    """The index in `Model.meshes`; -1 for a miss."""
    triangle: numpy.ndarray
    """The index of the triangle in its mesh; -1 for a miss."""
    joint: numpy.ndarray
    """The joint that moves the point most; -1 for a miss."""
    front: numpy.ndarray
    """Whether the front of the triangle was hit."""


class LbsGradient(NamedTuple):
    """The derivatives of a loss by the arguments of `lbs`. See `BodyModel.lbs_grad`."""

    vertices: numpy.ndarray
    weights: numpy.ndarray
    poses: numpy.ndarray
    rest: numpy.ndarray
    shape_offsets: Optional[numpy.ndarray]
    translations: Optional[numpy.ndarray]
