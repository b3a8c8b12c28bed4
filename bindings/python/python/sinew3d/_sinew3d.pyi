"""Types of the compiled part of sinew3d. The docstrings are at run time: help(sinew3d.load)."""

import os
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple, Union, final

import numpy
import numpy.typing

from ._results import Bake, Hits, LbsGradient

_Path = Union[str, os.PathLike[str]]
_Array = numpy.typing.ArrayLike
_Floats = numpy.typing.NDArray[numpy.float32]
_ClipName = Union[str, int, "Clip"]
_Joint = Union[str, int]
_Progress = Callable[[int, int], Any]
_Weights = Union[_Array, Tuple[_Array, _Array], Tuple[_Array, _Array, _Array], Any]

__all__ = [
    "BodyModel",
    "Clip",
    "Error",
    "Instance",
    "Mesh",
    "Model",
    "Playback",
    "Skeleton",
    "_reload",
    "load",
    "load_bytes",
    "model_from_arrays",
]

class Error(ValueError): ...

def load(
    path: _Path,
    *,
    reproducible: bool = False,
    strict: bool = False,
    clips: Sequence[_Path] = ...,
    images: bool = True,
    tangents: bool = False,
    repair_times: bool = False,
    allow_outside: bool = False,
) -> Model: ...
def load_bytes(
    data: bytes,
    *,
    reproducible: bool = False,
    strict: bool = False,
    tangents: bool = False,
    repair_times: bool = False,
) -> Model: ...
def _reload(path: _Path, options: dict[str, Any]) -> Model: ...
def model_from_arrays(
    vertices: _Array,
    triangles: _Array,
    *,
    weights: Optional[_Weights] = None,
    parents: Optional[_Array] = None,
    rest: Optional[_Array] = None,
    names: Optional[Sequence[str]] = None,
    normals: Optional[_Array] = None,
    uv: Optional[_Array] = None,
    reproducible: bool = False,
) -> Model: ...
@final
class Model:
    @property
    def clips(self) -> List[Clip]: ...
    @property
    def skeleton(self) -> Skeleton: ...
    @property
    def meshes(self) -> List[Mesh]: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def triangles(self) -> numpy.typing.NDArray[numpy.uint32]: ...
    @property
    def uv(self) -> Optional[_Floats]: ...
    @property
    def warnings(self) -> List[str]: ...
    @property
    def dropped(self) -> List[str]: ...
    @property
    def path(self) -> Any: ...
    def clip(self, clip: _ClipName) -> Clip: ...
    def instance(self, *, dual_quaternion: bool = False) -> Instance: ...
    def bake(
        self,
        clip: Optional[_ClipName] = None,
        fps: float = 30.0,
        *,
        frames: Optional[Iterable[int]] = None,
        normals: bool = False,
        dual_quaternion: bool = False,
        threads: Optional[int] = None,
        progress: Optional[_Progress] = None,
        out: Optional[_Floats] = None,
    ) -> Bake: ...
    def bake_to(
        self,
        path: _Path,
        clip: Optional[_ClipName] = None,
        fps: float = 30.0,
        *,
        frames: Optional[Iterable[int]] = None,
        dual_quaternion: bool = False,
        progress: Optional[_Progress] = None,
        overwrite: bool = False,
    ) -> None: ...
    def render(
        self,
        clip: Optional[_ClipName] = None,
        at: float = 0.0,
        *,
        size: Tuple[int, int] = ...,
        layers: Sequence[str] = ...,
        camera: Sequence[float] = ...,
        compare: Optional[str] = None,
        heat: bool = False,
        threads: Optional[int] = None,
    ) -> numpy.typing.NDArray[numpy.uint8]: ...
    def render_to(
        self,
        path: _Path,
        clip: Optional[_ClipName] = None,
        at: float = 0.0,
        *,
        fps: float = 25.0,
        size: Tuple[int, int] = ...,
        layers: Sequence[str] = ...,
        camera: Sequence[float] = ...,
        threads: Optional[int] = None,
        overwrite: bool = False,
    ) -> None: ...
    def save(self, path: _Path, *, overwrite: bool = False, y_up: bool = False) -> float: ...
    def __reduce__(self) -> Any: ...

@final
class Clip:
    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def duration(self) -> float: ...
    @property
    def tracks(self) -> int: ...
    @property
    def keys(self) -> int: ...

@final
class Skeleton:
    @property
    def names(self) -> List[str]: ...
    @property
    def parents(self) -> numpy.typing.NDArray[numpy.int32]: ...
    @property
    def rest(self) -> _Floats: ...
    def index(self, joint: _Joint) -> int: ...
    def __len__(self) -> int: ...

@final
class Mesh:
    @property
    def name(self) -> str: ...
    @property
    def vertices(self) -> slice: ...
    @property
    def triangles(self) -> slice: ...
    @property
    def material(self) -> Optional[str]: ...
    @property
    def rest_positions(self) -> _Floats: ...
    @property
    def joints(self) -> numpy.typing.NDArray[numpy.int32]: ...
    @property
    def inverse_binds(self) -> _Floats: ...
    @property
    def morph_names(self) -> List[str]: ...
    def influences(
        self,
    ) -> Tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], _Floats]: ...
    def weights(self) -> _Floats: ...
    def __len__(self) -> int: ...

@final
class Instance:
    morph_weights: _Floats
    world: _Floats
    @property
    def model(self) -> Model: ...
    @property
    def playbacks(self) -> List[Playback]: ...
    @property
    def positions(self) -> _Floats: ...
    @property
    def normals(self) -> _Floats: ...
    @property
    def triangles(self) -> numpy.typing.NDArray[numpy.uint32]: ...
    @property
    def uv(self) -> Optional[_Floats]: ...
    @property
    def joint_matrices(self) -> _Floats: ...
    @property
    def local_pose(self) -> List[_Floats]: ...
    @property
    def bounds(self) -> _Floats: ...
    @property
    def exact_bounds(self) -> _Floats: ...
    @property
    def events(self) -> List[Tuple[str, str, float]]: ...
    def play(
        self,
        clip: _ClipName,
        *,
        speed: float = 1.0,
        loop: bool = True,
        weight: float = 1.0,
        at: Optional[float] = None,
    ) -> None: ...
    def blend(
        self,
        clip: _ClipName,
        *,
        speed: float = 1.0,
        loop: bool = True,
        weight: float = 1.0,
        at: Optional[float] = None,
    ) -> None: ...
    def fade_to(self, clip: _ClipName, seconds: float) -> None: ...
    def inertialize_to(self, clip: _ClipName, seconds: float) -> None: ...
    def add_springs(self, *, teleport_distance: float = ...) -> None: ...
    def reset_springs(self) -> None: ...
    def stop(self) -> None: ...
    def step(self, seconds: float) -> None: ...
    def pose_at(self, clip: Optional[_ClipName] = None, seconds: float = 0.0) -> None: ...
    def set_joint(
        self,
        joint: _Joint,
        *,
        rotation: Optional[Sequence[float]] = None,
        translation: Optional[Sequence[float]] = None,
        scale: Optional[Sequence[float]] = None,
    ) -> None: ...
    def skin(self, *, out: Optional[_Floats] = None) -> _Floats: ...
    def palette(self, mesh: int = 0) -> _Floats: ...
    def cast(
        self,
        origins: _Array,
        directions: _Array,
        *,
        max_distance: float = ...,
        front_only: bool = False,
    ) -> Hits: ...
    def render(
        self,
        *,
        size: Tuple[int, int] = ...,
        layers: Sequence[str] = ...,
        camera: Sequence[float] = ...,
        threads: Optional[int] = None,
    ) -> numpy.typing.NDArray[numpy.uint8]: ...
    def save(self, path: _Path, *, overwrite: bool = False, y_up: bool = False) -> None: ...
    def __reduce__(self) -> Any: ...

@final
class Playback:
    @property
    def clip(self) -> str: ...
    @property
    def seconds(self) -> float: ...
    @property
    def weight(self) -> float: ...
    @property
    def finished(self) -> bool: ...

@final
class BodyModel:
    def __new__(cls, vertices: _Array, weights: _Weights, parents: _Array, rest: _Array) -> BodyModel: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def joint_count(self) -> int: ...
    def lbs(
        self,
        poses: _Array,
        shape_offsets: Optional[_Array] = None,
        *,
        rest: Optional[_Array] = None,
        translations: Optional[_Array] = None,
        out: Optional[_Floats] = None,
        threads: Optional[int] = None,
    ) -> _Floats: ...
    def lbs_grad(
        self,
        poses: _Array,
        grad_output: _Array,
        shape_offsets: Optional[_Array] = None,
        *,
        rest: Optional[_Array] = None,
        translations: Optional[_Array] = None,
        threads: Optional[int] = None,
    ) -> LbsGradient: ...
    def joint_matrices(
        self, poses: _Array, *, rest: Optional[_Array] = None, translations: Optional[_Array] = None
    ) -> _Floats: ...
    def __reduce__(self) -> Any: ...
