"""Bakes and converts models with sinew, and reads the files with other programs.

    python readers.py FOLDER MODEL...

FOLDER receives the files. Called by .ci/readers, which installs the imported packages and
gltf-validator, and sets SINEW to the program.
"""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy
import plyfile
import trimesh

SINEW = os.environ["SINEW"]
VALIDATE = """
const validator = require("gltf-validator");
const fs = require("fs");
const path = process.argv[1];
const beside = (uri) => Promise.resolve(new Uint8Array(fs.readFileSync(process.argv[2] + "/" + decodeURIComponent(uri))));
validator.validateBytes(new Uint8Array(fs.readFileSync(path)), { externalResourceFunction: beside, maxIssues: 20 })
    .then((report) => console.log(JSON.stringify(report.issues)));
"""


def main():
    folder, models = Path(sys.argv[1]), sys.argv[2:]
    folder.joinpath("out").mkdir()
    largest = 0.0
    for model in models:
        largest = max(largest, check(model, folder / "out"))
    print(f"{len(models)} models: baked vertices of the converted models differ by at most {largest:.1e} of the diagonal.")


def check(model, out):
    """Checks every format of a model; returns the relative error of the converted model."""
    extra = []
    if model.endswith(".md5mesh"):
        extra = ["--with", str(Path(model).with_name("forward.md5anim"))]
    beside = str(Path(model).parent)
    converted, posed = out / "converted.glb", out / "posed.glb"
    report = json.loads(sinew("convert", model, *extra, "--json", "-o", converted))
    validate(converted, beside)
    sinew("bake", model, *extra, "--at", "0.3", "-o", posed)
    validate(posed, beside)
    fps = ["--fps", "5"] if clips(model, extra) else []
    frames = {}
    for name, source in (("a", [model, *extra]), ("b", [str(converted)])):
        file = out / f"{name}.npz"
        sinew("bake", *source, *fps, "-o", file)
        with numpy.load(file) as arrays:
            frames[name] = {key: arrays[key] for key in ("positions", "normals", "indices", "times")}
    a, b = frames["a"], frames["b"]
    assert a["positions"].shape == b["positions"].shape == a["normals"].shape, model
    assert numpy.array_equal(a["indices"], b["indices"]) and numpy.isfinite(a["positions"]).all(), model
    if a["positions"].size == 0:
        return 0.0
    size = numpy.ptp(a["positions"], axis=(0, 1))
    diagonal = float(numpy.linalg.norm(size)) or 1.0
    difference = float(numpy.linalg.norm(a["positions"] - b["positions"], axis=2).max())
    assert difference <= report["deviation"] * 1.5 + 1e-5 * diagonal, f"{model}: {difference}, {report}"
    caches(model, extra, fps, out, a)
    meshes(model, extra, fps, out, a)
    return difference / diagonal


def caches(model, extra, fps, out, frames):
    """Checks PC2 and MDD against the layout that Blender documents."""
    positions = frames["positions"]
    sinew("bake", model, *extra, *fps, "-o", out / "a.pc2")
    data = out.joinpath("a.pc2").read_bytes()
    magic, version, points, start, rate, samples = struct.unpack("<12siiffi", data[:32])
    assert magic == b"POINTCACHE2\0" and version == 1 and (samples, points) == positions.shape[:2], model
    assert numpy.array_equal(numpy.frombuffer(data[32:], "<f4").reshape(positions.shape), positions), model
    sinew("bake", model, *extra, *fps, "-o", out / "a.mdd")
    data = out.joinpath("a.mdd").read_bytes()
    samples, points = struct.unpack(">ii", data[:8])
    assert (samples, points) == positions.shape[:2], model
    times = numpy.frombuffer(data[8 : 8 + 4 * samples], ">f4")
    assert numpy.allclose(times, frames["times"], atol=1e-5), model
    found = numpy.frombuffer(data[8 + 4 * samples :], ">f4").reshape(positions.shape)
    assert numpy.array_equal(found, positions), model


def meshes(model, extra, fps, out, frames):
    """Checks OBJ and PLY of the first frame by triangle: a reader may split and reorder vertices."""
    at = ["--at", repr(float(frames["times"][0]))] if fps else []
    expected = sort_triangles(frames["positions"][0][frames["indices"]])
    for ending, read in (("obj", read_obj), ("ply", read_ply)):
        file = out / f"a.{ending}"
        sinew("bake", model, *extra, *at, "-o", file)
        if len(expected):
            points, triangles = read(file)
            assert numpy.array_equal(sort_triangles(points[triangles]), expected), f"{file}: {model}"


def sort_triangles(triangles):
    rows = numpy.asarray(triangles, numpy.float32).reshape(-1, 9)
    return rows[numpy.lexsort(rows.T)]


def read_obj(file):
    mesh = trimesh.load(file, process=False, force="mesh", skip_materials=True)
    return numpy.asarray(mesh.vertices), numpy.asarray(mesh.faces)


def read_ply(file):
    data = plyfile.PlyData.read(file)
    points = numpy.stack([data["vertex"][axis] for axis in "xyz"], axis=1)
    faces = data["face"].data
    return points, numpy.reshape([list(face[0]) for face in faces], (-1, 3))


def clips(model, extra):
    return json.loads(sinew("info", model, *extra, "--json"))["clips"]


def sinew(command, *arguments):
    force = ["--force"] if command in ("bake", "convert") else []
    run = subprocess.run([SINEW, command, *map(str, arguments), *force], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"sinew {command} {' '.join(map(str, arguments))}: {run.stderr}")
    return run.stdout


def validate(file, beside):
    run = subprocess.run(["node", "-e", VALIDATE, str(file), beside], capture_output=True, text=True, check=True)
    issues = json.loads(run.stdout)
    # A texture that the source only refers to lies beside the source, if it exists.
    errors = [issue for issue in issues["messages"] if issue["severity"] == 0 and issue["code"] != "IO_ERROR"]
    if errors:
        sys.exit(f"{file}: {errors}")


if __name__ == "__main__":
    main()
