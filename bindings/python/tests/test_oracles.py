"""Against other evaluations of the same poses: the Rust program, golden poses, UsdSkel."""

import json
import os
import struct
import subprocess

import numpy
import pytest

import sinew3d


def test_bakes_equal_those_of_the_program(tmp_path, figure):
    """Bit for bit in reproducible mode. SINEW names the program."""
    program = os.environ.get("SINEW")
    if not program:
        pytest.skip("python against the program (SINEW is not set)")
    models = [("@figure:2000", figure)]
    if data := os.environ.get("SINEW_DATA"):
        path = f"{data}/khronos-sample-assets/CesiumMan/glTF-Binary/CesiumMan.glb"
        if os.path.exists(path):
            models.append((path, sinew3d.load(path, reproducible=True)))
    for name, model in models:
        out = tmp_path / f"{len(name)}.npz"
        arguments = ["bake", name, "--clip", "0", "--fps", "10", "--reproducible", "-o", out]
        subprocess.run([program, *arguments], check=True, capture_output=True)
        bake = model.bake(0, 10, normals=True)
        with numpy.load(out) as arrays:
            numpy.testing.assert_array_equal(arrays["positions"], bake.positions)
            numpy.testing.assert_array_equal(arrays["normals"], bake.normals)
            numpy.testing.assert_array_equal(arrays["times"], bake.seconds)


def read_golden(path):
    """The positions of all primitives of a golden pose, one after another."""
    data = path.read_bytes()
    assert data[:4] == b"SKO1"
    (count,) = struct.unpack_from("<I", data, 4)
    at = 8
    primitives = []
    for _ in range(count):
        # Node, mesh, primitive and whether it is skinned come first.
        (vertices,) = struct.unpack_from("<I", data, at + 16)
        at += 20
        primitives.append(numpy.frombuffer(data, "<f8", 3 * vertices, at).reshape(-1, 3))
        at += 24 * vertices
    return numpy.concatenate(primitives) if primitives else numpy.zeros((0, 3))


def posed(path, entry):
    """The model of a golden pose, in that pose."""
    if "frame" not in entry or entry["frame"] is None:
        instance = sinew3d.load(path, images=False).instance()
        clip = entry["anim"][1:]
        instance.pose_at(int(clip) if clip.isdigit() else None, entry.get("time", 0))
        return instance
    if entry["anim"] == "bind":
        return sinew3d.load(path).instance()
    clip = path.with_name(f"{entry['anim']}.md5anim")
    rates = [line.split()[1] for line in clip.read_text().splitlines() if line.startswith("frameRate")]
    instance = sinew3d.load(path, clips=[clip]).instance()
    instance.pose_at(0, entry["frame"] / float(rates[0]))
    return instance


def test_golden_poses_match(data):
    """Poses that an independent program evaluated in float64."""
    entries = json.loads((data / "golden" / "index.json").read_text())
    errors = []
    for entry in entries:
        expected = read_golden(data / "golden" / entry["sko"])
        found = posed(data / entry["file"], entry).positions
        assert found.shape == expected.shape, entry["sko"]
        distance = numpy.linalg.norm(found - expected, axis=1).max(initial=0)
        diagonal = numpy.linalg.norm(expected.max(axis=0) - expected.min(axis=0)) if len(expected) else 0
        errors.append(distance / diagonal if diagonal else distance)
        assert errors[-1] <= 1e-5, entry["sko"]
    print(f"{len(errors)} golden poses, median {numpy.median(errors):.2e}, largest {max(errors):.2e}")
    assert numpy.median(errors) <= 1e-6


def test_usd_skel_agrees(figure):
    """UsdSkel poses and skins the same model."""
    pytest.importorskip("pxr.UsdSkel", reason="usd-core is not installed")
    from usd_skel import usd_positions

    models = [(figure, "walk")]
    if data := os.environ.get("SINEW_DATA"):
        path = f"{data}/khronos-sample-assets/CesiumMan/glTF-Binary/CesiumMan.glb"
        models += [(sinew3d.load(path), 0)] if os.path.exists(path) else []
    for model, clip in models:
        instance = model.instance()
        for seconds in (0.0, 0.3, 0.9):
            instance.pose_at(clip, seconds)
            numpy.testing.assert_allclose(instance.positions, usd_positions(instance), atol=1e-5)
