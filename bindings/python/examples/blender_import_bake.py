"""Shows a bake in Blender: run it in Blender's text editor, or

    blender --python blender_import_bake.py -- walk.npz

A bake comes from `model.bake_to("walk.npz", "walk", fps=24)` or `sinew bake MODEL -o walk.npz`. The mesh
gets a shape key for each frame, keyed so that frame i of the scene shows frame i of the bake. For bakes
of many frames, write .pc2 instead and give the mesh a Mesh Cache modifier: --pc2 does that.
"""

import sys
from pathlib import Path

import numpy


def y_up_to_z_up(positions):
    """Blender's up axis is +Z."""
    x, y, z = numpy.moveaxis(positions, -1, 0)
    return numpy.stack([x, -z, y], axis=-1)


def import_bake(path, name=None):
    """A new object whose shape keys are the frames of an .npz."""
    import bpy

    with numpy.load(path) as bake:
        positions, indices, times = bake["positions"], bake["indices"], bake["times"]
    positions = y_up_to_z_up(positions)
    mesh = bpy.data.meshes.new(name or Path(path).stem)
    mesh.from_pydata(positions[0].tolist(), [], indices.tolist())
    mesh.update()
    made = bpy.data.objects.new(mesh.name, mesh)
    bpy.context.collection.objects.link(made)
    made.shape_key_add(name="rest")
    for frame, vertices in enumerate(positions):
        key = made.shape_key_add(name=f"frame {frame}")
        key.data.foreach_set("co", vertices.astype("float32").ravel())
        for at, value in ((frame - 1, 0.0), (frame, 1.0), (frame + 1, 0.0)):
            key.value = value
            key.keyframe_insert("value", frame=at)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 0, len(times) - 1
    if len(times) > 1:
        scene.render.fps = max(1, round((len(times) - 1) / float(times[-1] - times[0])))
    return made


def attach_cache(made, path):
    """Plays a .pc2 on an object that has the bake's vertices in the same order."""
    modifier = made.modifiers.new("sinew", "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.filepath = str(path)
    modifier.forward_axis, modifier.up_axis = "POS_Z", "POS_Y"
    return modifier


if __name__ == "__main__":
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    if arguments[:1] == ["--pc2"]:
        import bpy

        attach_cache(bpy.context.object, Path(arguments[1]).resolve())
    else:
        for bake in arguments:
            import_bake(bake)
