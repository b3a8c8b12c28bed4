"""Linear blend skinning: sinew3d beside plain numpy, and torch where it is installed.

    python benchmarks/lbs.py [--data FOLDER]

Positions only, one thread everywhere. The bodies: one of 6890 vertices, 24 joints and 4 weights per
vertex, a cloud of as many points in no order, and CesiumMan where --data or SINEW_DATA names the folder of the sample models. Each method is
timed in turn, round after round, and the medians are printed.

`einsum` is the obvious numpy: blend a matrix for each vertex, then transform. `matmul` is the best we
found: the blend as one product of matrices for BLAS. Numpy is given the matrices of the joints; sinew
computes them from rotation vectors within its time.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import argparse  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy  # noqa: E402

import sinew3d  # noqa: E402

ROUNDS = 25


def generated_body(vertices=6890, joints=24, influences=4):
    """A surface of rings around the bones of a tree of chains, in the order of the rings; each vertex
    hangs on the joints that are nearest to it."""
    random = numpy.random.default_rng(7)
    parents = numpy.array([-1] + [joint - 1 if joint % 6 else 0 for joint in range(1, joints)])
    rest = numpy.zeros((joints, 3))
    for joint in range(1, joints):
        direction = random.normal(size=3)
        rest[joint] = rest[parents[joint]] + 0.25 * direction / numpy.linalg.norm(direction)
    around = 20
    rings = -(-vertices // (around * (joints - 1)))
    points = []
    for joint in range(1, joints):
        start, end = rest[parents[joint]], rest[joint]
        side = numpy.cross(end - start, [0.3, 0.5, 0.8])
        side /= numpy.linalg.norm(side)
        other = numpy.cross(end - start, side) / numpy.linalg.norm(end - start)
        for ring in range(rings):
            center = start + (end - start) * (ring + 0.5) / rings
            for angle in numpy.arange(around) * 2 * numpy.pi / around:
                points.append(center + 0.06 * (numpy.cos(angle) * side + numpy.sin(angle) * other))
    points = numpy.array(points)[:vertices]
    return (*weighted(points, rest, influences), parents, rest)


def point_cloud(vertices=6890, joints=24, influences=4):
    """As many points in no order at all: neighbors share nothing, which is the worst case."""
    random = numpy.random.default_rng(8)
    _, _, _, parents, rest = generated_body(vertices, joints, influences)
    points = rest[random.integers(0, joints, vertices)] + random.normal(size=(vertices, 3)) * 0.1
    return (*weighted(points, rest, influences), parents, rest)


def weighted(points, rest, influences):
    """The points, and their weights: dense, and as (indices, weights)."""
    distance = numpy.linalg.norm(points[:, None] - rest, axis=-1)
    indices = numpy.argsort(distance, axis=1)[:, :influences]
    sparse = 1 / numpy.take_along_axis(distance, indices, axis=1)
    sparse /= sparse.sum(axis=1, keepdims=True)
    dense = numpy.zeros(distance.shape)
    numpy.put_along_axis(dense, indices, sparse, axis=1)
    return points, dense, (indices, sparse)


def einsum_dense(vertices, weights, matrices):
    blended = numpy.einsum("vj,bjrc->bvrc", weights, matrices)
    return numpy.einsum("bvrc,vc->bvr", blended[..., :3], vertices) + blended[..., 3]


def einsum_sparse(vertices, indices, weights, matrices):
    blended = numpy.einsum("vk,bvkrc->bvrc", weights, matrices[:, indices])
    return numpy.einsum("bvrc,vc->bvr", blended[..., :3], vertices) + blended[..., 3]


def matmul_dense(homogeneous, weights, matrices):
    batch, joints = matrices.shape[:2]
    blended = (weights @ matrices.transpose(1, 0, 2, 3).reshape(joints, -1)).reshape(len(weights), batch, 3, 4)
    return (blended @ homogeneous[:, None, :, None])[..., 0].transpose(1, 0, 2)


def compare(title, vertices, methods):
    """Times all methods alternately, and prints nanoseconds per vertex. Each is called several times
    in a row, as a program would, so that caches hold what it needs."""
    times = {name: [] for name in methods}
    for _ in range(ROUNDS):
        for name, (method, batch) in methods.items():
            method()
            calls, start = 0, time.perf_counter()
            while calls == 0 or time.perf_counter() - start < 0.002:
                method()
                calls += 1
            times[name].append((time.perf_counter() - start) / (batch * calls))
    medians = {name: float(numpy.median(of)) for name, of in times.items()}
    print(f"\n{title}: {vertices} vertices, ns a vertex, median of {ROUNDS} rounds, one thread")
    for name, median in medians.items():
        ruler = "numpy einsum, sparse" if "sparse" in name else "numpy einsum, dense"
        ratio = medians[ruler] / median
        print(f"  {name:40} {median / vertices * 1e9:9.2f}   {ratio:7.1f} x {ruler}")


def body_methods(body, batch):
    points, dense, (indices, sparse), parents, rest = body
    random = numpy.random.default_rng(1)
    poses = (random.normal(size=(batch, len(parents), 3)) * 0.5).astype("float32")
    models = {
        "dense": sinew3d.BodyModel(points, dense, parents, rest),
        "sparse": sinew3d.BodyModel(points, (indices, sparse), parents, rest),
    }
    # The matrices that numpy blends are given to it: its forward kinematics are not timed.
    joint_matrices = models["dense"].joint_matrices(poses)
    matrices = joint_matrices[..., :3, :].copy()
    matrices[..., 3] -= numpy.einsum("bjrc,jc->bjr", matrices[..., :3], rest.astype("float32"))
    vertices, weights = points.astype("float32"), dense.astype("float32")
    padded = sparse.astype("float32")
    homogeneous = numpy.concatenate([vertices, numpy.ones((len(vertices), 1), "float32")], axis=1)
    out = numpy.empty((batch, len(points), 3), "float32")
    expected = einsum_dense(vertices, weights, matrices)
    for found in [
        einsum_sparse(vertices, indices, padded, matrices),
        matmul_dense(homogeneous, weights, matrices),
        models["dense"].lbs(poses),
        models["sparse"].lbs(poses),
    ]:
        numpy.testing.assert_allclose(found, expected, atol=2e-5)
    offsets = (random.normal(size=(batch, len(points), 3)) * 0.01).astype("float32")
    upstream = numpy.ones_like(out)
    methods = {
        "numpy einsum, dense": (lambda: einsum_dense(vertices, weights, matrices), batch),
        "numpy einsum, sparse": (lambda: einsum_sparse(vertices, indices, padded, matrices), batch),
        "numpy matmul, dense": (lambda: matmul_dense(homogeneous, weights, matrices), batch),
        "BodyModel.lbs, dense": (lambda: models["dense"].lbs(poses, out=out, threads=1), batch),
        "BodyModel.lbs, sparse": (lambda: models["sparse"].lbs(poses, out=out, threads=1), batch),
        "BodyModel.lbs, offsets of each pose": (lambda: models["dense"].lbs(poses, offsets, out=out, threads=1), batch),
        "BodyModel.lbs_grad, dense": (lambda: models["dense"].lbs_grad(poses, upstream, threads=1), batch),
        "sinew3d.lbs, building the body, dense": (lambda: sinew3d.lbs(points, dense, parents, rest, poses, threads=1), batch),
    }
    torch = torch_lbs(vertices, weights, matrices)
    if torch:
        methods["torch einsum, dense"] = (torch, batch)
    return methods, len(points)


def torch_lbs(vertices, weights, matrices):
    try:
        import torch
    except ImportError:
        print("torch is not installed: not compared")
        return None
    torch.set_num_threads(1)
    vertices, weights, matrices = map(torch.from_numpy, (vertices, weights, matrices))

    def run():
        blended = torch.einsum("vj,bjrc->bvrc", weights, matrices)
        return torch.einsum("bvrc,vc->bvr", blended[..., :3], vertices) + blended[..., 3]

    return run


def model_methods(path):
    model = sinew3d.load(path)
    instance = model.instance()
    instance.pose_at(0, 0.5)
    (mesh,) = model.meshes
    vertices, weights = mesh.rest_positions, mesh.weights()
    indptr, joints, data = mesh.influences()
    counts = numpy.diff(indptr)
    indices = numpy.zeros((len(mesh), counts.max()), int)
    padded = numpy.zeros(indices.shape, "float32")
    rows = numpy.repeat(numpy.arange(len(mesh)), counts)
    columns = numpy.arange(len(data)) - numpy.repeat(indptr[:-1], counts)
    indices[rows, columns], padded[rows, columns] = joints, data
    matrices = numpy.ascontiguousarray(instance.palette()[None, :, :3, :])
    out = numpy.empty_like(vertices)
    numpy.testing.assert_allclose(einsum_dense(vertices, weights, matrices)[0], instance.positions, atol=1e-5)
    return {
        "numpy einsum, dense": (lambda: einsum_dense(vertices, weights, matrices), 1),
        "numpy einsum, sparse": (lambda: einsum_sparse(vertices, indices, padded, matrices), 1),
        "Instance.skin": (lambda: instance.skin(out=out), 1),
        "Instance.skin, against sparse": (lambda: instance.skin(out=out), 1),
    }, len(mesh)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", default=os.environ.get("SINEW_DATA"))
    data = arguments.parse_args().data
    for title, body in (("generated body", generated_body()), ("point cloud", point_cloud())):
        for batch in (1, 16):
            methods, vertices = body_methods(body, batch)
            compare(f"{title}, batch of {batch}", vertices, methods)
    path = Path(data or "") / "khronos-sample-assets/CesiumMan/glTF-Binary/CesiumMan.glb"
    if data and path.exists():
        methods, vertices = model_methods(path)
        compare("CesiumMan", vertices, methods)
    else:
        print("\nCesiumMan is skipped: --data and SINEW_DATA name no folder with it")


if __name__ == "__main__":
    main()
