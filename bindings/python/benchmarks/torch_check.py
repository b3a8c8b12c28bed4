"""Checks `sinew3d.torch.lbs` against autograd, and times both. Run by hand, where torch is installed.

    python benchmarks/torch_check.py
"""

import time

import numpy
import torch
from lbs import generated_body

import sinew3d.torch


def plain_lbs(vertices, weights, parents, rest, poses, offsets, translations):
    """The definition, in operations that autograd knows."""
    batch, joints = poses.shape[:2]
    angle = poses.norm(dim=-1, keepdim=True).clamp_min(1e-12)[..., None]
    x, y, z = poses.unbind(-1)
    zero = torch.zeros_like(x)
    cross = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], -1).reshape(batch, joints, 3, 3)
    rotations = torch.eye(3, dtype=poses.dtype) + angle.sin() / angle * cross
    rotations = rotations + (1 - angle.cos()) / angle**2 * cross @ cross
    turned, placed = [], []
    for joint, parent in enumerate(parents.tolist()):
        if parent < 0:
            turned.append(rotations[:, joint])
            placed.append(rest[joint].expand(batch, 3))
        else:
            turned.append(turned[parent] @ rotations[:, joint])
            placed.append(placed[parent] + (turned[parent] @ (rest[joint] - rest[parent])[:, None])[..., 0])
    turned, placed = torch.stack(turned, 1), torch.stack(placed, 1)
    moved = placed - (turned @ rest[None, :, :, None])[..., 0] + translations[:, None]
    matrices = torch.cat([turned, moved[..., None]], -1)
    blended = torch.einsum("vj,bjrc->bvrc", weights, matrices)
    return torch.einsum("bvrc,bvc->bvr", blended[..., :3], vertices + offsets) + blended[..., 3]


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    points, dense, _, parents, rest = generated_body()
    batch = 8
    tensors = dict(
        vertices=torch.tensor(points),
        weights=torch.tensor(dense),
        rest=torch.tensor(rest),
        poses=torch.randn(batch, len(parents), 3, dtype=torch.float64),
        offsets=torch.randn(batch, len(points), 3, dtype=torch.float64) * 0.01,
        translations=torch.randn(batch, 3, dtype=torch.float64),
    )
    upstream = torch.randn(batch, len(points), 3, dtype=torch.float64)

    def gradients(function, dtype):
        leaves = {name: value.detach().to(dtype).requires_grad_() for name, value in tensors.items()}
        start = time.perf_counter()
        posed = function(**leaves)
        middle = time.perf_counter()
        (posed * upstream.to(dtype)).sum().backward()
        times = middle - start, time.perf_counter() - middle
        return posed.detach(), {name: leaf.grad for name, leaf in leaves.items()}, times

    def ours(vertices, weights, rest, poses, offsets, translations):
        return sinew3d.torch.lbs(vertices, weights, parents, rest, poses, offsets, translations=translations, threads=1)

    def plain(vertices, weights, rest, poses, offsets, translations):
        return plain_lbs(vertices, weights, parents, rest, poses, offsets, translations)

    expected, by_autograd, _ = gradients(plain, torch.float64)
    found, by_sinew, _ = gradients(ours, torch.float32)
    print(f"positions differ by at most {(found.double() - expected).abs().max():.1e}")
    for name, gradient in by_autograd.items():
        scale = gradient.abs().max()
        error = ((by_sinew[name].double() - gradient).abs().max() / scale).item()
        print(f"gradient by {name:12} differs by at most {error:.1e} of its largest number")
        assert error < 1e-4, name
    for name, function in [("torch autograd", plain), ("sinew3d.torch.lbs", ours)]:
        times = numpy.median([gradients(function, torch.float32)[2] for _ in range(9)], axis=0) * 1000
        print(f"{name:18} forward {times[0]:8.2f} ms, backward {times[1]:8.2f} ms; batch of {batch}, one thread")


if __name__ == "__main__":
    main()
