"""Bakes a clip on a cluster with Dask: a task for each range of frames.

    pip install "dask[distributed]"
    python examples/dask_bake.py [MODEL] [CLIP]

A model is pickled by its path, so a task is small, and each worker loads the file once. Give
`Client(...)` the address of your own cluster instead of the local one.
"""

import sys
from functools import lru_cache

import numpy
from dask.distributed import Client, LocalCluster

import sinew3d


@lru_cache(maxsize=4)
def model_of(path):
    """Loaded once in each process."""
    return sinew3d.load(path, reproducible=True)


def bake_frames(path, clip, fps, first, end):
    """One task. A pure function: the same arguments give the same bits on every machine."""
    return model_of(path).bake(clip, fps, frames=range(first, end), threads=1).positions


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "@figure:2000"
    clip = sys.argv[2] if len(sys.argv) > 2 else 0
    fps, at_once = 60, 8
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            model = model_of(path)
            whole = model.bake(clip, fps)
            frames = len(whole.seconds)
            tasks = [
                client.submit(bake_frames, path, clip, fps, first, min(first + at_once, frames), pure=True)
                for first in range(0, frames, at_once)
            ]
            positions = numpy.concatenate(client.gather(tasks))
            # The model itself travels as its path, too.
            again = client.submit(lambda model: model.bake(clip, fps, frames=range(2)).positions, model).result()
    assert numpy.array_equal(positions, whole.positions), "every machine gives the same bits"
    assert numpy.array_equal(again, positions[:2])
    print(f"{path}: {frames} frames in {len(tasks)} tasks, equal to one process's, {positions.nbytes} bytes")


if __name__ == "__main__":
    main()
