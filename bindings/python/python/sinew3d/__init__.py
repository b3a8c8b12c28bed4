"""Skeletal animation and skinning on the CPU: numpy in, numpy out.

Load a model, play a clip, and read where its surface is:

    >>> import sinew3d
    >>> model = sinew3d.load("@figure")         # Or a file: "fox.glb", "dancer.fbx", "walk.bvh".
    >>> [clip.name for clip in model.clips]
    ['walk', 'wave']
    >>> figure = model.instance()
    >>> figure.play("walk")
    >>> figure.step(1 / 60)
    >>> figure.positions.shape == (model.vertex_count, 3)
    True

Bake a whole clip on all cores, cast thousands of rays, draw a picture:

    >>> bake = model.bake("walk", fps=30)
    >>> hits = figure.cast([[0, 1, 5], [0, 1.5, 5]], [0, 0, -1])
    >>> picture = figure.render(size=(320, 400))

Pose body models (SMPL and its relatives) in batches, with gradients:

    >>> import numpy
    >>> body = sinew3d.BodyModel([[0, 0, 0], [0, 1, 0]], numpy.eye(2), [-1, 0], [[0, 0, 0], [0, 0.5, 0]])
    >>> vertices = body.lbs(numpy.zeros((16, 2, 3)))

Where to look next: help(sinew3d.load), help(sinew3d.Model), help(sinew3d.Instance),
help(sinew3d.BodyModel). `sinew3d.torch` has lbs for torch.autograd; `to_trimesh` and `from_trimesh`
exchange meshes with trimesh.

Conventions: right-handed, meters, radians, seconds, +Y up; matrices transform column vectors;
quaternions are (x, y, z, w); counter-clockwise triangles face front; arrays are float32.
"""

from ._body import lbs, lbs_grad
from ._results import Bake, Hits, LbsGradient
from ._sinew3d import (
    BodyModel,
    Clip,
    Error,
    Instance,
    Mesh,
    Model,
    Playback,
    Skeleton,
    load,
    load_bytes,
    model_from_arrays,
)
from ._trimesh import from_trimesh, to_trimesh

__version__ = "0.1.0"

__all__ = [
    "Bake",
    "BodyModel",
    "Clip",
    "Error",
    "Hits",
    "Instance",
    "LbsGradient",
    "Mesh",
    "Model",
    "Playback",
    "Skeleton",
    "from_trimesh",
    "lbs",
    "lbs_grad",
    "load",
    "load_bytes",
    "model_from_arrays",
    "to_trimesh",
]
