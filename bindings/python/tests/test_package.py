"""The package itself: help, stubs, import time, docstrings, interchange."""

import doctest
import functools
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import sinew3d


@pytest.mark.parametrize("name", sinew3d.__all__)
def test_everything_public_teaches(name):
    thing = getattr(sinew3d, name)
    assert inspect.getdoc(thing), name
    if inspect.isclass(thing):
        for attribute, value in vars(thing).items():
            if not attribute.startswith("_") and not isinstance(value, (type(None), str)):
                assert inspect.getdoc(value), f"{name}.{attribute}"


def examples():
    """The docstrings of everything, also of what is compiled."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    modules = [sinew3d, importlib.import_module("sinew3d._body"), importlib.import_module("sinew3d._trimesh")]
    for module in modules:
        yield from finder.find(module, globs={"sinew3d": sinew3d})
    parser = doctest.DocTestParser()
    for name in sinew3d.__all__:
        thing = getattr(sinew3d, name)
        members = [(name, thing)]
        if inspect.isclass(thing):
            members += [(f"{name}.{key}", value) for key, value in vars(thing).items() if not key.startswith("_")]
        for of, member in members:
            text = inspect.getdoc(member)
            if text and ">>>" in text and getattr(member, "__module__", "") != "sinew3d._body":
                yield parser.get_doctest(text, {"sinew3d": sinew3d}, of, None, 0)


def test_the_examples_of_all_docstrings_run(monkeypatch):
    # Each model is made once: most examples begin with the same.
    monkeypatch.setattr(sinew3d, "load", functools.lru_cache(sinew3d.load))
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    for example in examples():
        runner.run(example)
    assert runner.tries > 20 and runner.failures == 0


def test_import_takes_at_most_50_ms_beyond_numpy():
    """The least of several tries, since the machine may be busy."""
    script = (
        "import time; import numpy, typing, __future__; start = time.perf_counter(); import sinew3d; "
        "print(time.perf_counter() - start)"
    )
    times = [
        float(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout)
        for _ in range(5)
    ]
    print(f"import sinew3d: {min(times) * 1000:.1f} ms beyond numpy")
    assert min(times) < 0.05


def test_import_brings_no_optional_package():
    script = "import sinew3d, sys; print([m for m in ('torch', 'trimesh', 'scipy', 'pxr') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert found.strip() == "[]"


def test_trimesh_there_and_back(figure):
    trimesh = pytest.importorskip("trimesh")
    instance = figure.instance()
    instance.pose_at("walk", 0.3)
    mesh = sinew3d.to_trimesh(instance)
    numpy.testing.assert_array_equal(mesh.vertices.astype("float32"), instance.positions)
    numpy.testing.assert_array_equal(mesh.faces, figure.triangles)
    back = sinew3d.from_trimesh(mesh)
    numpy.testing.assert_array_equal(back.instance().positions, instance.positions)
    numpy.testing.assert_array_equal(back.triangles, figure.triangles)
    numpy.testing.assert_allclose(back.uv, figure.uv, atol=1e-6)
    numpy.testing.assert_array_equal(sinew3d.to_trimesh(figure).faces, figure.triangles)
    sphere = trimesh.creation.icosphere()
    hits = sinew3d.from_trimesh(sphere).instance().cast([0, 0, 5], [0.01, 0.02, -1])
    assert hits.distance[0] == pytest.approx(4, abs=0.05)
    scene = trimesh.Scene([trimesh.creation.box(), sphere])
    assert sinew3d.from_trimesh(scene).vertex_count == 8 + len(sphere.vertices)
    with pytest.raises(TypeError, match="expected a trimesh"):
        sinew3d.from_trimesh(3)
    with pytest.raises(TypeError, match="expected a sinew3d"):
        sinew3d.to_trimesh(3)


def test_a_mesh_with_a_skeleton_becomes_a_model(body, tmp_path):
    trimesh = pytest.importorskip("trimesh")
    triangles = numpy.arange(300).reshape(-1, 3)
    mesh = trimesh.Trimesh(body.vertices, triangles, process=False)
    model = sinew3d.from_trimesh(mesh, weights=body.weights, parents=body.parents, rest=body.rest)
    model.save(tmp_path / "body.glb")
    instance = sinew3d.load(tmp_path / "body.glb").instance()
    vector = numpy.array([0.3, -0.5, 0.7])
    angle = numpy.linalg.norm(vector)
    instance.set_joint("joint_3", rotation=[*(numpy.sin(angle / 2) * vector / angle), numpy.cos(angle / 2)])
    poses = numpy.zeros((1, 7, 3))
    poses[0, 3] = vector
    numpy.testing.assert_allclose(instance.positions, sinew3d.lbs(*body.arguments(), poses)[0], atol=1e-5)


def test_the_blender_script_turns_y_up_to_z_up():
    """Blender itself is not installed here; the rest of the script needs it."""
    source = Path(__file__).parents[1] / "examples" / "blender_import_bake.py"
    names = {"__name__": "blender_import_bake"}
    exec(compile(source.read_text(), str(source), "exec"), names)
    up = names["y_up_to_z_up"](numpy.array([[[0.0, 1, 0], [1, 0, 0], [0, 0, 1]]]))
    numpy.testing.assert_array_equal(up, [[[0, 0, 1], [1, 0, 0], [0, -1, 0]]])
