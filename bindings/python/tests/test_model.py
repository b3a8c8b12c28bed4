"""Models and instances: loading, playing, arrays, rays, pictures, files."""

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy
import pytest

import sinew3d


def test_a_model_has_clips_joints_and_meshes(figure):
    assert [clip.name for clip in figure.clips] == ["walk", "wave"]
    assert figure.clip("walk").duration > 0 and figure.clip(-1).name == "wave"
    skeleton = figure.skeleton
    assert len(skeleton.names) == len(skeleton) == len(skeleton.parents)
    assert (skeleton.parents < numpy.arange(len(skeleton))).all()
    (mesh,) = figure.meshes
    assert len(mesh) == figure.vertex_count and mesh.rest_positions.shape == (len(mesh), 3)
    assert figure.triangles.dtype == numpy.uint32 and figure.triangles.max() < figure.vertex_count
    assert figure.uv.shape == (figure.vertex_count, 2)
    dense = mesh.weights()
    numpy.testing.assert_allclose(dense.sum(axis=1), 1, atol=1e-6)
    indptr, indices, data = mesh.influences()
    rows = numpy.repeat(numpy.arange(len(mesh)), numpy.diff(indptr))
    numpy.testing.assert_array_equal(dense[rows, indices], data)


def test_vertices_are_what_the_palette_makes_of_them(figure):
    instance = figure.instance()
    instance.pose_at("walk", 0.37)
    (mesh,) = figure.meshes
    blended = numpy.einsum("vj,jrc->vrc", mesh.weights().astype(float), instance.palette().astype(float))
    rest = mesh.rest_positions.astype(float)
    expected = numpy.einsum("vrc,vc->vr", blended[:, :3, :3], rest) + blended[:, :3, 3]
    numpy.testing.assert_allclose(instance.positions, expected, atol=2e-6)
    matrices = instance.joint_matrices[mesh.joints]
    numpy.testing.assert_allclose(matrices @ mesh.inverse_binds, instance.palette(), atol=2e-6)


def test_play_step_blend_fade_and_stop(figure):
    instance = figure.instance()
    rest = instance.positions
    instance.play("walk", speed=2, at=0.1)
    instance.step(0.1)
    assert instance.playbacks[0].clip == "walk" and instance.playbacks[0].seconds == pytest.approx(0.3)
    assert not numpy.array_equal(instance.positions, rest)
    other = figure.instance()
    other.pose_at("walk", instance.playbacks[0].seconds)
    numpy.testing.assert_allclose(instance.positions, other.positions, atol=1e-6)
    instance.blend("wave", weight=0.5)
    instance.step(0)
    assert [playback.clip for playback in instance.playbacks] == ["walk", "wave"]
    instance.fade_to("walk", 0.2)
    instance.step(0.3)
    assert len(instance.playbacks) == 1
    instance.play("walk", loop=False)
    instance.step(1000)
    assert instance.playbacks[0].finished
    instance.stop()
    instance.step(0)
    numpy.testing.assert_array_equal(instance.positions, rest)


def test_a_transition_does_not_jump(figure):
    instance = figure.instance()
    instance.play("walk")
    instance.step(0.3)
    before = instance.positions.copy()
    instance.inertialize_to("wave", 0.5)
    instance.step(0.001)
    assert [playback.clip for playback in instance.playbacks] == ["wave"]
    numpy.testing.assert_allclose(instance.positions, before, atol=0.02)
    instance.step(1)
    numpy.testing.assert_allclose(instance.positions, pose_of(figure, "wave", 1.001), atol=1e-5)
    assert instance.events == []
    with pytest.raises(ValueError, match="seconds"):
        instance.inertialize_to("walk", -1)


def pose_of(model, clip, seconds):
    instance = model.instance()
    instance.play(clip)
    instance.step(seconds)
    return instance.positions


def test_springs_swing_and_forget():
    model = sinew3d.load("@ponytail", reproducible=True)
    swinging, stiff = model.instance(), model.instance()
    swinging.add_springs()
    for instance in (swinging, stiff):
        instance.play("shake")
        for _ in range(20):
            instance.step(1 / 60)
    assert numpy.abs(swinging.positions - stiff.positions).max() > 0.01
    numpy.testing.assert_array_equal(swinging.world, numpy.eye(4))
    world = numpy.eye(4)
    world[0, 3] = 5
    swinging.world = world
    numpy.testing.assert_array_equal(swinging.world, world)
    swinging.reset_springs()
    swinging.step(1 / 60)
    with pytest.raises(ValueError, match="last row"):
        swinging.world = numpy.ones((4, 4))
    with pytest.raises(ValueError, match="springs"):
        sinew3d.load("@figure:500").instance().add_springs()


def test_joints_can_be_set(figure):
    instance = figure.instance()
    before = instance.joint_matrices
    half = numpy.sqrt(0.5)
    instance.set_joint("head", rotation=(0, 2 * half, 0, 2 * half))
    after = instance.joint_matrices
    head = figure.skeleton.index("head")
    assert not numpy.array_equal(before[head], after[head])
    numpy.testing.assert_array_equal(before[0], after[0])
    rotations, translations, scales = instance.local_pose
    numpy.testing.assert_allclose(rotations[head], (0, half, 0, half), atol=1e-6)
    assert translations.shape == scales.shape == (len(figure.skeleton), 3)


def test_arrays_are_views_that_never_change_and_outlive_their_owner(figure):
    instance = sinew3d.load("@figure:500").instance()
    instance.play(0)
    instance.step(0.1)
    first = instance.positions
    copy = first.copy()
    assert not first.flags.writeable and not first.flags.owndata
    assert instance.positions.base is first.base
    part = instance.joint_matrices[2:5, 3]
    part_copy = part.copy()
    instance.step(0.1)
    second = instance.positions
    assert second.base is not first.base
    numpy.testing.assert_array_equal(first, copy)
    numpy.testing.assert_array_equal(part, part_copy)
    address = second.__array_interface__["data"][0]
    del second
    instance.step(0.1)
    # Nobody held it: the same memory.
    assert instance.positions.__array_interface__["data"][0] == address
    del instance
    gc.collect()
    numpy.testing.assert_array_equal(first, copy)
    with pytest.raises(ValueError):
        first[0] = 0


def test_skin_writes_to_the_callers_array(figure):
    instance = figure.instance()
    instance.pose_at("walk", 0.2)
    out = numpy.empty((figure.vertex_count, 3), "float32")
    assert instance.skin(out=out) is out
    numpy.testing.assert_array_equal(out, instance.positions)
    frames = numpy.empty((2, figure.vertex_count, 3), "float32")
    instance.skin(out=frames[1])
    numpy.testing.assert_array_equal(frames[1], out)


def test_bounds_contain_all_vertices(figure):
    instance = figure.instance()
    instance.pose_at("walk", 0.5)
    low, high = instance.bounds
    exact_low, exact_high = instance.exact_bounds
    numpy.testing.assert_array_equal(exact_low, instance.positions.min(axis=0))
    numpy.testing.assert_array_equal(exact_high, instance.positions.max(axis=0))
    assert (low <= exact_low).all() and (high >= exact_high).all()


def test_normals_are_unit_vectors(figure):
    normals = figure.instance().normals
    numpy.testing.assert_allclose(numpy.linalg.norm(normals, axis=1), 1, atol=1e-5)


def test_rays_hit_what_brute_force_hits(figure):
    instance = figure.instance()
    instance.pose_at("walk", 0.4)
    low, high = instance.exact_bounds
    random = numpy.random.default_rng(1)
    origins = random.uniform(low - 1, high + 1, size=(400, 3)).astype("float32")
    directions = (random.uniform(low, high, size=(400, 3)) - origins).astype("float32")
    hits = instance.cast(origins, directions)
    expected = brute_force(instance.positions[figure.triangles].astype(float), origins, directions)
    assert numpy.isfinite(expected).sum() > 50
    finite = numpy.isfinite(expected)
    assert (finite == numpy.isfinite(hits.distance)).mean() > 0.99
    both = finite & numpy.isfinite(hits.distance)
    numpy.testing.assert_allclose(hits.distance[both], expected[both], atol=1e-4)
    corners = instance.positions[figure.triangles[hits.triangle[both]]]
    points = (hits.barycentrics[both][:, :, None] * corners).sum(axis=1)
    numpy.testing.assert_allclose(hits.point[both], points, atol=1e-5)
    assert (hits.joint[both] >= 0).all() and numpy.isnan(hits.point[~numpy.isfinite(hits.distance)]).all()
    near = instance.cast(origins, directions, max_distance=0.1)
    assert (near.distance[numpy.isfinite(near.distance)] <= 0.1).all()


def brute_force(triangles, origins, directions):
    """The distance of the nearest triangle along each ray."""
    a, edge1, edge2 = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    nearest = numpy.full(len(origins), numpy.inf)
    for ray, (origin, direction) in enumerate(zip(origins.astype(float), directions.astype(float))):
        direction = direction / numpy.linalg.norm(direction)
        p = numpy.cross(direction, edge2)
        with numpy.errstate(divide="ignore", invalid="ignore"):
            inverse = 1 / numpy.einsum("ij,ij->i", edge1, p)
            s = origin - a
            u = numpy.einsum("ij,ij->i", s, p) * inverse
            q = numpy.cross(s, edge1)
            v = q @ direction * inverse
            t = numpy.einsum("ij,ij->i", edge2, q) * inverse
            inside = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0)
        if inside.any():
            nearest[ray] = t[inside].min()
    return nearest


def test_a_bake_is_every_frame_and_does_not_depend_on_how_it_is_divided(figure):
    calls = []
    bake = figure.bake("walk", 24, normals=True, progress=lambda done, total: calls.append((done, total)))
    frames = len(bake.seconds)
    assert bake.positions.shape == bake.normals.shape == (frames, figure.vertex_count, 3)
    assert calls[-1] == (frames, frames)
    instance = figure.instance()
    for frame in (0, frames // 2, frames - 1):
        instance.pose_at("walk", bake.seconds[frame])
        numpy.testing.assert_allclose(bake.positions[frame], instance.positions, atol=1e-6)
        numpy.testing.assert_array_equal(bake.normals[frame], instance.normals)
    some = figure.bake("walk", 24, frames=range(3, 9, 2))
    numpy.testing.assert_array_equal(some.positions, bake.positions[3:9:2])
    assert some.normals is None
    for threads in (1, 3):
        numpy.testing.assert_array_equal(figure.bake("walk", 24, threads=threads).positions, bake.positions)
    assert figure.bake().positions.shape == (1, figure.vertex_count, 3)
    assert figure.bake("walk", 24, frames=[]).positions.shape == (0, figure.vertex_count, 3)


def test_models_are_pickled_by_path(figure, tmp_path):
    again = pickle.loads(pickle.dumps(figure))
    numpy.testing.assert_array_equal(again.bake("walk", 10).positions, figure.bake("walk", 10).positions)
    bake = figure.bake("walk", 10)
    numpy.testing.assert_array_equal(pickle.loads(pickle.dumps(bake)).positions, bake.positions)
    path = tmp_path / "figure.glb"
    assert figure.save(path) < 1e-5
    of_file = sinew3d.load(path, reproducible=True)
    numpy.testing.assert_array_equal(pickle.loads(pickle.dumps(of_file)).instance().positions, of_file.instance().positions)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(sinew3d.load_bytes(path.read_bytes()))
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(figure.instance())


def test_every_file_is_written_whole_or_not_at_all(figure, tmp_path):
    instance = figure.instance()
    instance.pose_at("walk", 0.3)
    for name in ("pose.obj", "pose.ply", "pose.glb"):
        instance.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
        with pytest.raises(FileExistsError, match=f"{name}: file exists already|.mtl: file exists already"):
            instance.save(tmp_path / name)
        instance.save(tmp_path / name, overwrite=True)
    again = sinew3d.load(tmp_path / "pose.glb").instance().positions
    numpy.testing.assert_allclose(again, instance.positions, atol=1e-6)
    bake = figure.bake("walk", 10, normals=True)
    figure.bake_to(tmp_path / "walk.npz", "walk", 10)
    with numpy.load(tmp_path / "walk.npz") as arrays:
        numpy.testing.assert_array_equal(arrays["positions"], bake.positions)
        numpy.testing.assert_array_equal(arrays["normals"], bake.normals)
        numpy.testing.assert_array_equal(arrays["times"], bake.seconds)
        numpy.testing.assert_array_equal(arrays["indices"], figure.triangles)
    figure.bake_to(tmp_path / "walk.pc2", "walk", 10)
    values = numpy.frombuffer((tmp_path / "walk.pc2").read_bytes()[32:], "<f4")
    numpy.testing.assert_array_equal(values.reshape(bake.positions.shape), bake.positions)
    figure.bake_to(tmp_path / "walk.mdd", "walk", 10)
    values = numpy.frombuffer((tmp_path / "walk.mdd").read_bytes()[8 + 4 * len(bake.seconds) :], ">f4")
    numpy.testing.assert_array_equal(values.reshape(bake.positions.shape), bake.positions)
    with pytest.raises(RuntimeError, match="enough"):
        figure.bake_to(tmp_path / "half.npz", "walk", 10, progress=fail)
    assert not (tmp_path / "half.npz").exists()
    with pytest.raises(ValueError, match="ends with .glb"):
        figure.save(tmp_path / "figure.fbx")


def fail(done, total):
    raise RuntimeError("enough")


def test_errors_have_the_text_of_the_library(tmp_path, figure):
    with pytest.raises(FileNotFoundError, match="nowhere.glb: "):
        sinew3d.load(tmp_path / "nowhere.glb")
    (tmp_path / "bad.gltf").write_text('{"asset":{"version":"2.0"},"scenes":[{"nodes":[7]}]}')
    with pytest.raises(sinew3d.Error, match=r"bad.gltf: scenes\[0\].nodes\[0\]: expected .*, found 7"):
        sinew3d.load(tmp_path / "bad.gltf")
    with pytest.raises(sinew3d.Error, match='no clip is named "wakl"; expected "walk", "wave"'):
        figure.instance().play("wakl")
    with pytest.raises(ValueError, match="unknown procedural model"):
        sinew3d.load("@nothing")
    for data in (b"", b"glTF", b"\0" * 100):
        with pytest.raises(sinew3d.Error):
            sinew3d.load_bytes(data)


def test_pictures(figure, tmp_path):
    picture = figure.render("walk", 0.3, size=(80, 100))
    assert picture.shape == (100, 80, 3) and picture.dtype == numpy.uint8 and len(numpy.unique(picture)) > 20
    instance = figure.instance()
    plain = instance.render(size=(80, 100))
    numpy.testing.assert_array_equal(plain, figure.render(size=(80, 100)))
    instance.set_joint(0, translation=(0, 0, 0), rotation=(0, 1, 0, 0))
    assert not numpy.array_equal(instance.render(size=(80, 100), layers=["skin", "bones"]), plain)
    figure.render_to(tmp_path / "walk.png", "walk", 0.3, size=(80, 100))
    image = pytest.importorskip("PIL.Image").open(tmp_path / "walk.png")
    numpy.testing.assert_array_equal(numpy.asarray(image), picture)
    figure.render_to(tmp_path / "walk.gif", "walk", fps=5, size=(40, 50))
    assert (tmp_path / "walk.gif").read_bytes().startswith(b"GIF89a")


def test_the_lock_is_released_while_baking():
    model = sinew3d.load("@figure:20000")
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(None)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    model.bake("walk", 240, threads=1)
    elapsed = time.perf_counter() - start
    done.set()
    thread.join()
    # With the lock held, there would be none; on a busy machine there are few.
    assert len(ticks) >= 2, f"{len(ticks)} in {elapsed} s"


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_a_long_bake():
    # Shells start background jobs with SIGINT ignored, which a test started there inherits.
    script = """
import signal, sinew3d
signal.signal(signal.SIGINT, signal.default_int_handler)
model = sinew3d.load("@figure:200000")
print("begin", flush=True)
try:
    model.bake("walk", 30, frames=[0] * 2000)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begin\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "interrupted\n"


def test_models_are_shared_by_threads(figure):
    expected = figure.bake("walk", 12).positions
    results = [None] * 4

    def bake(index):
        results[index] = figure.bake("walk", 12).positions

    threads = [threading.Thread(target=bake, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        numpy.testing.assert_array_equal(result, expected)


def test_loading_and_dropping_leaks_nothing(tmp_path):
    """SINEW_LEAK_CYCLES sets the number of cycles."""
    resource = pytest.importorskip("resource")
    cycles = int(os.environ.get("SINEW_LEAK_CYCLES", "2000"))
    data = os.environ.get("SINEW_DATA")
    simple = Path(data or "") / "khronos-sample-assets/SimpleSkin/glTF/SimpleSkin.gltf"
    if not data or not simple.exists():
        simple = tmp_path / "triangle.glb"
        corners = numpy.eye(3)
        sinew3d.model_from_arrays(corners, [[0, 1, 2]]).save(simple)

    def cycle():
        model = sinew3d.load(simple)
        instance = model.instance()
        if model.clips:
            instance.play(0)
        instance.step(0.1)
        return instance.positions.sum() + instance.cast([0, 0, 5], [0, 0, -1]).distance[0]

    for _ in range(cycles // 4):
        cycle()
    gc.collect()
    before = resident_bytes()
    for _ in range(cycles):
        cycle()
    gc.collect()
    grown = resident_bytes() - before
    print(f"{cycles} cycles of {simple.name}: {grown} bytes more")
    assert resource and grown < 4_000_000


def resident_bytes():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")
