"""Linear blend skinning for torch: `sinew3d.torch.lbs` is a function that autograd differentiates.

Tensors are computed on the CPU, in float32; those of other devices and dtypes are converted, and their
gradients converted back. Weights may be dense, or a tuple (indices, weights).
"""

from __future__ import annotations

from typing import Any, Optional

import torch

from ._sinew3d import BodyModel

__all__ = ["lbs"]


class _Lbs(torch.autograd.Function):
    """The function and its gradient. The body is built in forward, and kept for backward."""

    @staticmethod
    def forward(ctx, vertices, weights, indices, parents, rest, poses, shape_offsets, translations, threads):
        table = _array(weights) if indices is None else (_array(indices), _array(weights))
        rest_each = _array(rest) if rest.dim() == 3 else None
        shared = _array(rest[0] if rest.dim() == 3 else rest)
        body = BodyModel(_array(vertices), table, parents, shared)
        ctx.body, ctx.threads, ctx.rest = body, threads, rest_each
        ctx.save_for_backward(vertices, weights, rest, poses, shape_offsets, translations)
        posed = body.lbs(
            _array(poses),
            _array(shape_offsets),
            rest=rest_each,
            translations=_array(translations),
            threads=threads,
        )
        return torch.from_numpy(posed).to(device=poses.device, dtype=poses.dtype)

    @staticmethod
    def backward(ctx, grad_output):
        vertices, weights, rest, poses, shape_offsets, translations = ctx.saved_tensors
        by = ctx.body.lbs_grad(
            _array(poses),
            _array(grad_output),
            _array(shape_offsets),
            rest=ctx.rest,
            translations=_array(translations),
            threads=ctx.threads,
        )

        def like(array, tensor):
            if array is None or tensor is None:
                return None
            return torch.from_numpy(array).to(device=tensor.device, dtype=tensor.dtype)

        return (
            like(by.vertices, vertices),
            like(by.weights, weights),
            None,
            None,
            like(by.rest, rest),
            like(by.poses, poses),
            like(by.shape_offsets, shape_offsets),
            like(by.translations, translations),
            None,
        )


def lbs(
    vertices: torch.Tensor,
    weights: Any,
    parents: Any,
    rest: torch.Tensor,
    poses: torch.Tensor,
    shape_offsets: Optional[torch.Tensor] = None,
    *,
    translations: Optional[torch.Tensor] = None,
    threads: Optional[int] = None,
) -> torch.Tensor:
    """`sinew3d.lbs` of tensors, differentiable by all of them but `parents` and indices.

    >>> import sinew3d.torch, torch  # doctest: +SKIP
    >>> poses = torch.zeros(16, 24, 3, requires_grad=True)  # doctest: +SKIP
    >>> sinew3d.torch.lbs(vertices, weights, parents, rest, poses).square().sum().backward()  # doctest: +SKIP
    """
    indices = None
    if isinstance(weights, tuple):
        indices, weights = weights
    if isinstance(parents, torch.Tensor):
        parents = _array(parents)
    return _Lbs.apply(vertices, weights, indices, parents, rest, poses, shape_offsets, translations, threads)


def _array(tensor: Optional[torch.Tensor]) -> Any:
    return None if tensor is None else tensor.detach().cpu().numpy()
