"""Batched linear blend skinning and its gradient."""

import numpy
import pytest
from conftest import Body, reference_lbs, rotation_matrices

import sinew3d


@pytest.mark.parametrize("vertices", [0, 1, 7, 8, 9, 63, 300, 1001])
def test_lbs_matches_the_definition(vertices):
    body = Body(vertices)
    poses = body.poses(5)
    expected = reference_lbs(*body.arguments(), rotation_matrices(poses))
    found = sinew3d.lbs(*body.arguments(), poses)
    assert found.shape == (5, vertices, 3) and found.dtype == numpy.float32
    numpy.testing.assert_allclose(found, expected, atol=2e-5)


def test_dense_padded_compressed_and_sparse_weights_are_alike(body):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    poses = body.poses(3)
    dense = sinew3d.lbs(*body.arguments(), poses)
    rows = scipy_sparse.csr_matrix(body.weights)
    for weights in [(body.indices, body.sparse), (rows.indptr, rows.indices, rows.data), rows, rows.tocsc()]:
        found = sinew3d.BodyModel(body.vertices, weights, body.parents, body.rest).lbs(poses)
        numpy.testing.assert_array_equal(found, dense)


def test_matrices_flat_vectors_and_vectors_are_alike(body):
    poses = body.poses(4)
    model = sinew3d.BodyModel(*body.arguments())
    expected = model.lbs(poses)
    numpy.testing.assert_array_equal(model.lbs(poses.reshape(4, -1)), expected)
    numpy.testing.assert_allclose(model.lbs(rotation_matrices(poses)), expected, atol=1e-5)


def test_offsets_rest_and_translations(body):
    poses, vertices, joints = body.poses(3), len(body.vertices), len(body.parents)
    offsets = body.random.normal(size=(3, vertices, 3))
    rest = body.rest + 0.1 * body.random.normal(size=(3, joints, 3))
    translations = body.random.normal(size=(3, 3))
    rotations = rotation_matrices(poses)
    model = sinew3d.BodyModel(*body.arguments())
    for own_offsets, own_rest, own_translations in [
        (offsets, None, None),
        (offsets[0], None, None),
        (None, rest, None),
        (None, None, translations),
        (offsets, rest, translations),
    ]:
        found = model.lbs(poses, own_offsets, rest=own_rest, translations=own_translations)
        of_rest = body.rest if own_rest is None else own_rest
        expected = reference_lbs(
            body.vertices, body.weights, body.parents, of_rest, rotations, own_offsets, own_translations
        )
        numpy.testing.assert_allclose(found, expected, atol=4e-5)


def test_the_rest_pose_is_the_body_itself(body):
    found = sinew3d.lbs(*body.arguments(), numpy.zeros((1, len(body.parents), 3)))
    numpy.testing.assert_allclose(found[0], body.vertices, atol=2e-6)


def test_many_weights_per_vertex():
    body = Body(vertices=50, joints=100, influences=100)
    poses = body.poses(2)
    expected = reference_lbs(*body.arguments(), rotation_matrices(poses))
    numpy.testing.assert_allclose(sinew3d.lbs(*body.arguments(), poses), expected, atol=2e-4)


def test_results_do_not_depend_on_threads():
    body = Body(vertices=3000, joints=12)
    poses = body.poses(150)
    model = sinew3d.BodyModel(*body.arguments())
    one = model.lbs(poses, threads=1)
    for threads in [2, 3, 7]:
        numpy.testing.assert_array_equal(model.lbs(poses, threads=threads), one)
    upstream = numpy.ones_like(one)[:8]
    gradient = model.lbs_grad(poses[:8], upstream, threads=1)
    for threads in [2, 5]:
        for found, expected in zip(model.lbs_grad(poses[:8], upstream, threads=threads), gradient):
            if expected is not None:
                numpy.testing.assert_array_equal(found, expected)


def test_out_is_written(body):
    poses = body.poses(2)
    model = sinew3d.BodyModel(*body.arguments())
    out = numpy.full((2, len(body.vertices), 3), numpy.nan, "float32")
    assert model.lbs(poses, out=out) is out
    numpy.testing.assert_array_equal(out, model.lbs(poses))


def numeric_gradient(function, argument, step=1e-5):
    """Central differences of a scalar function, in float64."""
    gradient = numpy.zeros(argument.shape)
    for index in numpy.ndindex(argument.shape):
        moved = argument.copy()
        moved[index] += step
        above = function(moved)
        moved[index] -= 2 * step
        gradient[index] = (above - function(moved)) / (2 * step)
    return gradient


@pytest.mark.parametrize("angle", [0, 1e-6, 1e-3, 1, 3])
def test_gradients_match_finite_differences(angle):
    body = Body(vertices=6, joints=4, influences=3)
    random = body.random
    poses = body.poses(2)
    poses *= angle / numpy.linalg.norm(poses, axis=-1, keepdims=True)
    upstream = random.normal(size=(2, 6, 3))
    offsets, translations = random.normal(size=(2, 6, 3)), random.normal(size=(2, 3))
    start = dict(
        vertices=body.vertices,
        weights=body.weights,
        rest=body.rest,
        poses=poses,
        shape_offsets=offsets,
        translations=translations,
    )
    # What float32 makes of the arguments.
    start = {name: value.astype("float32").astype(float) for name, value in start.items()}

    def loss(**changed):
        a = {**start, **changed}
        posed = reference_lbs(
            a["vertices"],
            a["weights"],
            body.parents,
            a["rest"],
            rotation_matrices(a["poses"]),
            a["shape_offsets"],
            a["translations"],
        )
        return (posed * upstream).sum()

    found = sinew3d.lbs_grad(
        start["vertices"],
        start["weights"],
        body.parents,
        start["rest"],
        start["poses"],
        upstream,
        start["shape_offsets"],
        translations=start["translations"],
    )
    for name, value in start.items():
        expected = numeric_gradient(lambda moved, name=name: loss(**{name: moved}), value)
        numpy.testing.assert_allclose(getattr(found, name), expected, atol=2e-4, err_msg=name)


def test_gradients_match_finite_differences_of_lbs_itself():
    body = Body(vertices=40, joints=5)
    poses = body.poses(1)
    model = sinew3d.BodyModel(*body.arguments())
    upstream = body.random.normal(size=(1, 40, 3))
    gradient = model.lbs_grad(poses, upstream).poses
    step = 1e-2
    for index in numpy.ndindex(poses.shape):
        moved = [poses.copy(), poses.copy()]
        moved[0][index] += step
        moved[1][index] -= step
        above, below = (float((model.lbs(pose).astype(float) * upstream).sum()) for pose in moved)
        assert abs((above - below) / (2 * step) - gradient[index]) < 2e-2


def test_gradients_of_matrices_of_sparse_weights_and_of_shared_arguments(body):
    poses, vertices = body.poses(3), len(body.vertices)
    upstream = body.random.normal(size=(3, vertices, 3))
    offsets = body.random.normal(size=(vertices, 3))
    dense = sinew3d.lbs_grad(*body.arguments(), poses, upstream, offsets)
    padded = sinew3d.lbs_grad(
        body.vertices, (body.indices, body.sparse), body.parents, body.rest, poses, upstream, offsets
    )
    assert padded.weights.shape == body.indices.shape and dense.weights.shape == body.weights.shape
    numpy.testing.assert_allclose(
        padded.weights, numpy.take_along_axis(dense.weights, body.indices, axis=1), atol=1e-5
    )
    numpy.testing.assert_allclose(padded.poses, dense.poses, atol=1e-4)
    # Offsets for all poses are as good as moved vertices.
    numpy.testing.assert_allclose(dense.shape_offsets, dense.vertices, atol=1e-5)
    matrices = rotation_matrices(poses)
    by_matrices = sinew3d.lbs_grad(*body.arguments(), matrices, upstream, offsets).poses
    assert by_matrices.shape == matrices.shape
    direction = body.random.normal(size=matrices.shape)

    def loss(step):
        moved = matrices.astype("float32").astype(float) + step * direction
        return (reference_lbs(*body.arguments(), moved, offsets) * upstream).sum()

    slope = (loss(1e-5) - loss(-1e-5)) / 2e-5
    assert (by_matrices * direction).sum() == pytest.approx(slope, rel=1e-4)


def test_joint_matrices(body):
    poses = body.poses(2)
    matrices = sinew3d.BodyModel(*body.arguments()).joint_matrices(poses)
    assert matrices.shape == (2, len(body.parents), 4, 4)
    rotations = rotation_matrices(poses)
    child = len(body.parents) - 1
    parent = body.parents[child]
    expected = matrices[:, parent, :3, :3] @ rotations[:, child]
    numpy.testing.assert_allclose(matrices[:, child, :3, :3], expected, atol=1e-5)
    offset = body.rest[child] - body.rest[parent]
    at = matrices[:, parent, :3, 3] + matrices[:, parent, :3, :3] @ offset
    numpy.testing.assert_allclose(matrices[:, child, :3, 3], at, atol=1e-5)
