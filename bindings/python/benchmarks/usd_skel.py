"""Poses and skins with UsdSkel (usd-core) beside sinew3d: the same vertices, and how long each takes.

    pip install usd-core
    python benchmarks/usd_skel.py [MODEL]
"""

import sys
import time

import numpy
from pxr import Gf, UsdSkel, Vt

import sinew3d


class UsdModel:
    """The first mesh of a model, as UsdSkel takes it: row vectors, a fixed number of influences."""

    def __init__(self, model):
        mesh = model.meshes[0]
        skeleton = model.skeleton
        self.topology = UsdSkel.Topology(Vt.IntArray.FromNumpy(skeleton.parents))
        self.joints = mesh.joints
        self.inverse_binds = mesh.inverse_binds.astype(float)
        indptr, indices, data = mesh.influences()
        counts = numpy.diff(indptr)
        self.width = int(counts.max())
        joints = numpy.zeros((len(mesh), self.width), "int32")
        weights = numpy.zeros((len(mesh), self.width), "float32")
        rows = numpy.repeat(numpy.arange(len(mesh)), counts)
        columns = numpy.arange(len(data)) - numpy.repeat(indptr[:-1], counts)
        joints[rows, columns], weights[rows, columns] = indices, data
        self.joint_indices = Vt.IntArray.FromNumpy(joints.ravel())
        self.joint_weights = Vt.FloatArray.FromNumpy(weights.ravel())
        self.rest = Vt.Vec3fArray.FromNumpy(mesh.rest_positions)

    def palette(self, instance):
        """From joints relative to their parents, by UsdSkel's own evaluation of the hierarchy."""
        rotations, translations, scales = instance.local_pose
        local = UsdSkel.MakeTransforms(
            Vt.Vec3fArray.FromNumpy(translations),
            Vt.QuatfArray([Gf.Quatf(float(w), float(x), float(y), float(z)) for x, y, z, w in rotations]),
            Vt.Vec3hArray([Gf.Vec3h(*map(float, scale)) for scale in scales]),
        )
        local = local[1] if isinstance(local, tuple) else local
        world = UsdSkel.ConcatJointTransforms(self.topology, local)
        world = world[1] if isinstance(world, tuple) else world
        world = numpy.array(world)[self.joints].swapaxes(1, 2)
        return Vt.Matrix4dArray.FromNumpy(numpy.ascontiguousarray((world @ self.inverse_binds).swapaxes(1, 2)))

    def skin(self, palette):
        points = Vt.Vec3fArray(self.rest)
        identity = Gf.Matrix4d(1)
        UsdSkel.SkinPointsLBS(
            identity, palette, self.joint_indices, self.joint_weights, self.width, points, True
        )
        return points


def usd_positions(instance):
    usd = UsdModel(instance.model)
    return numpy.array(usd.skin(usd.palette(instance)))


def median_time(function, seconds=0.5):
    """The median time of a call, in seconds."""
    times = []
    end = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return float(numpy.median(times))


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "@figure:6890"
    model = sinew3d.load(path)
    instance = model.instance()
    instance.pose_at(0 if model.clips else None, 0.3)
    usd = UsdModel(model)
    palette = usd.palette(instance)
    mesh = model.meshes[0]
    error = numpy.abs(numpy.array(usd.skin(palette)) - instance.positions[mesh.vertices]).max()
    out = numpy.empty((model.vertex_count, 3), "float32")
    theirs = median_time(lambda: usd.skin(palette))
    ours = median_time(lambda: instance.skin(out=out))
    print(f"{path}: {len(mesh)} vertices, largest difference {error:.1e}")
    print(f"UsdSkel.SkinPointsLBS  {theirs / len(mesh) * 1e9:8.2f} ns a vertex, positions, one thread")
    print(f"Instance.skin          {ours / model.vertex_count * 1e9:8.2f} ns a vertex: {theirs / ours:.0f} times as fast")


if __name__ == "__main__":
    main()
