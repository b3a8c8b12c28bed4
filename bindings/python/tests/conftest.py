"""What all tests share: generated models, and real ones where SINEW_DATA names their folder."""

import os
import sys
from pathlib import Path

import numpy
import pytest

import sinew3d

# The benchmarks' code is an oracle, too.
sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))


@pytest.fixture(scope="session")
def figure():
    """A generated figure of some 2000 vertices, with the clips walk and wave."""
    return sinew3d.load("@figure:2000", reproducible=True)


@pytest.fixture(scope="session")
def data():
    """The folder of real models."""
    folder = os.environ.get("SINEW_DATA")
    if not folder:
        pytest.skip("python on real models (SINEW_DATA is not set)")
    return Path(folder)


class Body:
    """A random body: vertices around a branching chain of joints, four weights each."""

    def __init__(self, vertices=300, joints=7, influences=4, seed=3):
        random = numpy.random.default_rng(seed)
        self.parents = numpy.array([-1] + [int(random.integers(0, joint)) for joint in range(1, joints)])
        self.rest = random.normal(size=(joints, 3))
        self.vertices = random.normal(size=(vertices, 3))
        influences = min(influences, joints)
        self.indices = numpy.array([random.permutation(joints)[:influences] for _ in range(vertices)], int)
        self.indices = self.indices.reshape(vertices, influences)
        self.sparse = random.uniform(0.1, 1, size=self.indices.shape)
        self.sparse /= self.sparse.sum(axis=1, keepdims=True)
        self.weights = numpy.zeros((vertices, joints))
        numpy.put_along_axis(self.weights, self.indices, self.sparse, axis=1)
        self.random = random

    def arguments(self):
        return self.vertices, self.weights, self.parents, self.rest

    def poses(self, batch):
        return self.random.normal(size=(batch, len(self.parents), 3))


@pytest.fixture
def body():
    return Body()


def rotation_matrices(vectors):
    """Rodrigues' formula, in float64."""
    vectors = numpy.asarray(vectors, float)
    angle = numpy.linalg.norm(vectors, axis=-1)[..., None, None]
    safe = numpy.where(angle > 1e-8, angle, 1)
    x, y, z = numpy.moveaxis(vectors, -1, 0)
    zero = numpy.zeros_like(x)
    cross = numpy.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(vectors.shape[:-1] + (3, 3))
    sine = numpy.where(angle > 1e-8, numpy.sin(safe) / safe, 1)
    cosine = numpy.where(angle > 1e-8, (1 - numpy.cos(safe)) / safe**2, 0.5)
    return numpy.eye(3) + sine * cross + cosine * cross @ cross


def reference_lbs(vertices, weights, parents, rest, rotations, offsets=None, translations=None):
    """Linear blend skinning by its definition, in float64: (batch, vertices, 3)."""
    vertices, rest = numpy.asarray(vertices, float), numpy.asarray(rest, float)
    batch, joints = rotations.shape[:2]
    rest = numpy.broadcast_to(rest, (batch, joints, 3))
    world = numpy.zeros((batch, joints, 4, 4))
    for joint, parent in enumerate(parents):
        local = numpy.zeros((batch, 4, 4))
        local[:, :3, :3] = rotations[:, joint]
        local[:, :3, 3] = rest[:, joint] - (rest[:, parent] if parent >= 0 else 0)
        local[:, 3, 3] = 1
        world[:, joint] = world[:, parent] @ local if parent >= 0 else local
    moved = world.copy()
    moved[..., :3, 3] -= numpy.einsum("bjrc,bjc->bjr", world[..., :3, :3], rest)
    shaped = numpy.broadcast_to(vertices if offsets is None else vertices + offsets, (batch,) + vertices.shape)
    blended = numpy.einsum("vj,bjrc->bvrc", numpy.asarray(weights, float), moved[..., :3, :])
    if translations is not None:
        scale = numpy.asarray(weights, float).sum(axis=1)
        blended = blended.copy()
        blended[..., 3] += scale[None, :, None] * numpy.asarray(translations, float)[:, None]
    return numpy.einsum("bvrc,bvc->bvr", blended[..., :3], shaped) + blended[..., 3]
