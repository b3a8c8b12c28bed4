"""Arguments of any shape, dtype and strides: a clear exception, or the right result."""

import itertools

import numpy
import pytest
from conftest import Body

import sinew3d


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", ">f4", ">f8", "int32", "uint8", "int64"])
def test_numbers_of_any_dtype_are_taken(body, dtype):
    vertices = (body.vertices * 10).round().clip(0, 100)
    model = sinew3d.BodyModel(vertices.astype(dtype), body.weights, body.parents, body.rest)
    expected = sinew3d.BodyModel(vertices, body.weights, body.parents, body.rest)
    poses = body.poses(1)
    numpy.testing.assert_array_equal(model.lbs(poses), expected.lbs(poses))


def test_any_strides_are_taken(body):
    poses = body.poses(4)
    expected = sinew3d.lbs(*body.arguments(), poses)
    weights = numpy.asfortranarray(body.weights)
    wide = numpy.zeros((len(body.vertices), 6))
    wide[:, ::2] = body.vertices
    reversed_twice = numpy.ascontiguousarray(body.rest[::-1])[::-1]
    assert reversed_twice.strides[0] < 0
    found = sinew3d.lbs(wide[:, ::2], weights, body.parents, reversed_twice, numpy.asfortranarray(poses))
    numpy.testing.assert_array_equal(found, expected)
    backward = sinew3d.BodyModel(*body.arguments()).lbs(poses[::-1])
    numpy.testing.assert_array_equal(backward[::-1], expected)


def test_lists_are_taken(body):
    expected = sinew3d.lbs(*body.arguments(), body.poses(1) * 0)
    lists = [argument.tolist() for argument in body.arguments()]
    numpy.testing.assert_array_equal(sinew3d.lbs(*lists, numpy.zeros((1, len(body.parents), 3)).tolist()), expected)


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(vertices=numpy.zeros((3, 2))), r"vertices: expected shape \(vertices, 3\), found shape \(3, 2\)"),
        (dict(vertices=numpy.zeros(3)), r"vertices: .*found shape \(3,\)"),
        (dict(vertices=[[1, 2], [3]]), "vertices: "),
        (dict(weights=numpy.ones((4, 7))), r"weights: expected shape \(300, 7\), found shape \(4, 7\)"),
        (dict(weights=(1, 2, 3, 4)), "weights: .*a tuple of 4"),
        (dict(weights=numpy.zeros((300, 7))), "vertex 0"),
        (dict(weights=-numpy.ones((300, 7))), "weight"),
        (dict(parents=[]), "parents: expected at least one joint"),
        (dict(parents=[-1, 0, 1, 3, 0, 0, 0]), r"parents\[3\]: expected -1 for a root"),
        (dict(parents=[-1, 0, 1, 99, 0, 0, 0]), r"parents\[3\]: .*found 99"),
        (dict(parents=[-1, -2, 1, 0, 0, 0, 0]), r"parents\[1\]: .*found -2"),
        (dict(rest=numpy.zeros((6, 3))), r"rest: expected shape \(7, 3\), found shape \(6, 3\)"),
    ],
)
def test_wrong_bodies_are_refused(body, change, message):
    arguments = dict(vertices=body.vertices, weights=body.weights, parents=body.parents, rest=body.rest)
    with pytest.raises(ValueError, match=message):
        sinew3d.BodyModel(**{**arguments, **change})


@pytest.mark.parametrize("bad", [numpy.nan, numpy.inf, -numpy.inf, 1e300])
@pytest.mark.parametrize("name", ["vertices", "weights", "rest"])
@pytest.mark.filterwarnings("ignore:overflow")
def test_numbers_that_are_not_finite_are_refused(body, name, bad):
    arguments = dict(vertices=body.vertices, weights=body.weights, parents=body.parents, rest=body.rest)
    arguments[name] = arguments[name].copy()
    arguments[name][2, 1] = bad
    with pytest.raises(ValueError, match=rf"{name}: expected finite numbers, found -?(NaN|inf) in element 2"):
        sinew3d.BodyModel(**arguments)
    with pytest.raises(ValueError, match="poses: expected finite"):
        sinew3d.BodyModel(*body.arguments()).lbs(numpy.full((1, 7, 3), bad))


@pytest.mark.parametrize("wrong", ["text", ["a", "b"], numpy.zeros((300, 3), complex), numpy.zeros((300, 3), bool), None])
def test_other_types_are_refused(body, wrong):
    with pytest.raises(TypeError, match="vertices: expected numbers"):
        sinew3d.BodyModel(wrong, body.weights, body.parents, body.rest)


def test_indices_must_be_integers(body):
    with pytest.raises(TypeError, match="parents: expected integers, found dtype float64"):
        sinew3d.BodyModel(body.vertices, body.weights, body.parents.astype(float), body.rest)
    with pytest.raises(ValueError, match="joints below 7"):
        sinew3d.BodyModel(body.vertices, (body.indices + 4, body.sparse), body.parents, body.rest)
    with pytest.raises(ValueError, match="indices of joints, found -3"):
        sinew3d.BodyModel(body.vertices, (body.indices * 0 - 3, body.sparse), body.parents, body.rest)
    with pytest.raises(ValueError, match="indptr"):
        rows = numpy.arange(301)[::-1]
        sinew3d.BodyModel(body.vertices, (rows, numpy.zeros(300, int), numpy.ones(300)), body.parents, body.rest)


def test_wrong_poses_are_refused(body):
    model = sinew3d.BodyModel(*body.arguments())
    for shape in [(7, 3), (1, 6, 3), (1, 7, 4), (1, 7, 3, 2), (21,), ()]:
        with pytest.raises(ValueError, match="poses: expected shape"):
            model.lbs(numpy.zeros(shape))
    with pytest.raises(ValueError, match="shape_offsets: expected shape"):
        model.lbs(body.poses(2), numpy.zeros((3, 300, 3)))
    with pytest.raises(ValueError, match="translations: expected shape"):
        model.lbs(body.poses(2), translations=numpy.zeros(3))
    with pytest.raises(ValueError, match="grad_output: expected shape"):
        model.lbs_grad(body.poses(2), numpy.zeros((1, 300, 3)))
    with pytest.raises(ValueError, match="threads: expected one or more, found 0"):
        model.lbs(body.poses(2), threads=0)


def test_an_empty_batch_has_an_empty_result(body):
    model = sinew3d.BodyModel(*body.arguments())
    assert model.lbs(numpy.zeros((0, 7, 3))).shape == (0, 300, 3)
    gradient = model.lbs_grad(numpy.zeros((0, 7, 3)), numpy.zeros((0, 300, 3)))
    assert gradient.poses.shape == (0, 7, 3) and not gradient.vertices.any()


def test_wrong_outputs_are_refused(body, figure):
    model, poses = sinew3d.BodyModel(*body.arguments()), body.poses(2)
    with pytest.raises(TypeError, match="out: expected a numpy array of float32, found dtype float64"):
        model.lbs(poses, out=numpy.zeros((2, 300, 3)))
    with pytest.raises(TypeError, match="out: expected a numpy array"):
        model.lbs(poses, out=[1, 2])
    with pytest.raises(ValueError, match="out: expected shape"):
        model.lbs(poses, out=numpy.zeros((1, 300, 3), "float32"))
    with pytest.raises(ValueError, match="out: expected a C-contiguous array"):
        model.lbs(poses, out=numpy.zeros((3, 300, 2), "float32").T)
    locked = numpy.zeros((2, 300, 3), "float32")
    locked.setflags(write=False)
    with pytest.raises(ValueError, match="out: expected a writeable array"):
        model.lbs(poses, out=locked)
    offsets = numpy.zeros((2, 300, 3), "float32")
    with pytest.raises(ValueError, match="out: .*overlaps no input"):
        model.lbs(poses, offsets, out=offsets)
    with pytest.raises(ValueError, match="out: expected shape"):
        figure.bake("walk", 30, frames=range(2), out=numpy.zeros((3, figure.vertex_count, 3), "float32"))


def test_wrong_models_of_arrays_are_refused():
    corners = numpy.eye(3)
    with pytest.raises(ValueError, match="triangle 0: expected a vertex below 3, found 3"):
        sinew3d.model_from_arrays(corners, [[0, 1, 3]])
    with pytest.raises(ValueError, match="triangles: expected indices of vertices, found -1"):
        sinew3d.model_from_arrays(corners, [[0, 1, -1]])
    with pytest.raises(TypeError, match="triangles: expected integers"):
        sinew3d.model_from_arrays(corners, [[0, 1, 2.5]])
    with pytest.raises(ValueError, match="uv: expected shape"):
        sinew3d.model_from_arrays(corners, [[0, 1, 2]], uv=numpy.zeros((2, 2)))
    assert sinew3d.model_from_arrays(numpy.zeros((0, 3)), []).instance().positions.shape == (0, 3)


def test_wrong_arguments_of_an_instance(figure):
    instance = figure.instance()
    for call in [
        lambda: instance.step(numpy.nan),
        lambda: instance.play("walk", speed=numpy.inf),
        lambda: instance.play("walk", weight=-1),
        lambda: instance.fade_to("walk", -1),
        lambda: instance.pose_at("walk", numpy.nan),
        lambda: instance.set_joint("head", rotation=(0, 0, 0, 0)),
        lambda: instance.set_joint("head", translation=(numpy.nan, 0, 0)),
        lambda: instance.cast([[0, 0]], [[0, 0]]),
        lambda: instance.cast(numpy.zeros((2, 3)), numpy.zeros((3, 3))),
        lambda: instance.cast([0, 0, 0], [0, 0, 1], max_distance=numpy.nan),
        lambda: figure.bake("walk", 0),
        lambda: figure.bake("walk", numpy.nan),
        lambda: figure.bake("walk", 1e9),
        lambda: figure.bake("walk", 30, frames=[-1]),
        lambda: figure.bake("walk", 30, frames=[100000]),
        lambda: figure.bake("walk", 30, frames=itertools.repeat(0)),
        lambda: figure.render(size=(0, 10)),
        lambda: figure.render(layers=["fur"]),
        lambda: figure.render(camera=(0,)),
        lambda: figure.render("walk", numpy.nan),
    ]:
        with pytest.raises(ValueError):
            call()
    for call in [lambda: instance.play(None), lambda: instance.play(1.5), lambda: figure.bake("walk", 30, frames=["a"])]:
        with pytest.raises(TypeError):
            call()
    for call in [lambda: instance.play(9), lambda: instance.palette(5), lambda: instance.set_joint(-1000)]:
        with pytest.raises(IndexError):
            call()


def test_rays_that_are_not_finite_miss(figure):
    instance = figure.instance()
    hits = instance.cast([[numpy.nan, 0, 0], [0, 1, 5], [0, 1, 5]], [[0, 0, 1], [0, 0, 0], [0, 0, numpy.inf]])
    assert numpy.isinf(hits.distance).all() and (hits.triangle == -1).all()
    assert instance.cast(numpy.zeros((0, 3)), numpy.zeros((0, 3))).distance.shape == (0,)


def test_random_arguments_never_crash():
    random = numpy.random.default_rng(5)
    kinds = ["float32", "float64", "int64", "uint8", "complex64", "bool", "object"]

    def anything():
        shape = tuple(random.integers(0, 5, size=random.integers(0, 4)))
        value = numpy.asarray(random.normal(size=shape) * 3).astype(random.choice(kinds))
        return value[..., ::-1] if value.ndim and random.random() < 0.3 else value

    refused = 0
    for _ in range(400):
        try:
            sinew3d.lbs(anything(), anything(), anything(), anything(), anything(), anything())
        except (ValueError, TypeError, IndexError):
            refused += 1
    assert refused > 300


def test_body_fixture_is_a_body():
    assert Body(vertices=2, joints=1).weights.shape == (2, 1)
