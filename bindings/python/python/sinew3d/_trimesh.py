"""Exchange with trimesh, which is imported only when it is used."""

from __future__ import annotations

from typing import Any, Union

import numpy

from ._sinew3d import Instance, Model, model_from_arrays


def to_trimesh(source: Union[Model, Instance]) -> Any:
    """The posed geometry of an instance, or a model at rest, as a `trimesh.Trimesh`: all meshes in one,
    with normals and texture coordinates, vertices in the order of `positions`.

    >>> import sinew3d
    >>> mesh = sinew3d.to_trimesh(sinew3d.load("@figure"))  # doctest: +SKIP
    """
    import trimesh

    if isinstance(source, Model):
        source = source.instance()
    if not isinstance(source, Instance):
        raise TypeError(f"expected a sinew3d.Model or sinew3d.Instance, found {type(source).__name__}")
    uv = source.uv
    visual = None
    if uv is not None:
        # trimesh's origin is at the lower left.
        visual = trimesh.visual.TextureVisuals(uv=numpy.column_stack([uv[:, 0], 1 - uv[:, 1]]))
    return trimesh.Trimesh(
        vertices=source.positions,
        faces=source.triangles,
        vertex_normals=source.normals,
        visual=visual,
        process=False,
        validate=False,
    )


def from_trimesh(mesh: Any, **skeleton: Any) -> Model:
    """A model of a `trimesh.Trimesh`, or of all geometry of a `trimesh.Scene`. `weights`, `parents`,
    `rest` and `names` give it a skeleton, as of `model_from_arrays`; without them, one joint moves it.

    >>> import sinew3d, trimesh  # doctest: +SKIP
    >>> model = sinew3d.from_trimesh(trimesh.creation.icosphere())  # doctest: +SKIP
    >>> hits = model.instance().cast([0, 0, 5], [0, 0, -1])  # doctest: +SKIP
    """
    if hasattr(mesh, "geometry") and not hasattr(mesh, "faces"):
        # A scene: all its geometry, in the place of each node.
        mesh = mesh.to_geometry() if hasattr(mesh, "to_geometry") else mesh.dump(concatenate=True)
    for name in ("vertices", "faces"):
        if not hasattr(mesh, name):
            raise TypeError(f"expected a trimesh.Trimesh, found {type(mesh).__name__} without {name}")
    uv = getattr(getattr(mesh, "visual", None), "uv", None)
    if uv is not None and len(uv) == len(mesh.vertices):
        uv = numpy.column_stack([uv[:, 0], 1 - uv[:, 1]])
    else:
        uv = None
    return model_from_arrays(
        numpy.asarray(mesh.vertices),
        numpy.asarray(mesh.faces),
        normals=numpy.asarray(mesh.vertex_normals),
        uv=uv,
        **skeleton,
    )
