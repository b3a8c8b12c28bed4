"""Linear blend skinning in one call, for bodies that are posed once."""

from __future__ import annotations

from typing import Any, Optional

import numpy

from ._results import LbsGradient
from ._sinew3d import BodyModel


def lbs(
    vertices: Any,
    weights: Any,
    parents: Any,
    rest: Any,
    poses: Any,
    shape_offsets: Any = None,
    *,
    translations: Any = None,
    out: Optional[numpy.ndarray] = None,
    threads: Optional[int] = None,
) -> numpy.ndarray:
    """Skins a batch of poses of a body: `BodyModel(vertices, weights, parents, rest).lbs(poses, ...)`.

    Building the body takes as long as some seventy poses. Programs that call more than once keep the
    `BodyModel`, whose help describes all arguments.

    >>> import numpy, sinew3d
    >>> vertices, rest = [[0, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 0.5, 0]]
    >>> poses = numpy.zeros((16, 2, 3))  # Rotation vectors; or (16, 2, 3, 3) matrices.
    >>> sinew3d.lbs(vertices, numpy.eye(2), [-1, 0], rest, poses).shape
    (16, 2, 3)
    """
    body = BodyModel(vertices, weights, parents, _shared_rest(rest))
    return body.lbs(
        poses, shape_offsets, rest=_rest_each(rest), translations=translations, out=out, threads=threads
    )


def lbs_grad(
    vertices: Any,
    weights: Any,
    parents: Any,
    rest: Any,
    poses: Any,
    grad_output: Any,
    shape_offsets: Any = None,
    *,
    translations: Any = None,
    threads: Optional[int] = None,
) -> LbsGradient:
    """The gradient of `lbs`: see `BodyModel.lbs_grad`.

    >>> import numpy, sinew3d
    >>> vertices, rest = [[0, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 0.5, 0]]
    >>> poses = numpy.zeros((1, 2, 3))
    >>> by = sinew3d.lbs_grad(vertices, numpy.eye(2), [-1, 0], rest, poses, numpy.ones((1, 2, 3)))
    >>> by.vertices
    array([[1., 1., 1.],
           [1., 1., 1.]], dtype=float32)
    """
    body = BodyModel(vertices, weights, parents, _shared_rest(rest))
    return body.lbs_grad(
        poses, grad_output, shape_offsets, rest=_rest_each(rest), translations=translations, threads=threads
    )


def _shared_rest(rest: Any) -> Any:
    """The rest positions of a body: the first, if there are some for each pose."""
    return rest[0] if numpy.ndim(rest) == 3 and len(rest) else rest


def _rest_each(rest: Any) -> Any:
    """The rest positions for each pose, if there are such."""
    return rest if numpy.ndim(rest) == 3 else None
