"""Inputs of the array API: numbers, shapes, poses and velocities as arrays that the library reads."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _graze
from ._graze import Placed, Pose, Shape
from ._pickle import damaged
from .typing import ShapesLike

Floats = npt.NDArray[np.float64]


def read_exported(value: Any) -> npt.NDArray[Any]:
    """An array, without a copy if it is one, or exports one by DLPack or the buffer protocol."""
    exports = not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__")
    return np.asarray(np.from_dlpack(value) if exports else value)


def read_array(value: Any, name: str) -> Floats:
    """float64, without a copy if it is such an array."""
    try:
        if np.ma.isMaskedArray(value) and np.ma.is_masked(value):
            raise TypeError("some elements are masked")
        array = read_exported(value)
        if array.dtype.kind not in "fiub":
            raise TypeError
        return array.astype(np.float64, copy=False)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        reason = f"an array of numbers in main memory ({error})" if str(error) else "an array of numbers"
        raise TypeError(f"{name}: {type(value).__name__}, must be {reason}") from error


def read_whole_number(value: Any, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError as error:
        raise TypeError(f"{name}: {value!r}, must be a whole number") from error


def length_of(array: Any) -> int:
    if not array.shape:
        raise TypeError(f"len: {array!r}, must have a dimension")
    return int(array.shape[0])


def broadcast(shapes: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
    """The common shape of arrays, which are named."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ValueError(f"{listed}: these shapes do not broadcast") from None


class Shapes:
    """An array of shapes, all 2D or all 3D, prepared for any number of pairs. Immutable.

    Indexing with arrays or slices gives an array of any dimension, which shares the prepared shapes. Indexing with a
    whole number gives a Shape.

    >>> import graze
    >>> shapes = graze.Shapes([graze.sphere(1), graze.box(1, 1, 1)])
    >>> shapes[[0, 1, 1, 0]].shape, shapes[1]
    ((4,), box(1.0, 1.0, 1.0))
    """

    __slots__ = ("_index", "_table")

    def __init__(self, shapes: Iterable[Shape]) -> None:
        self._table = _graze._Table(list(shapes))
        self._index: npt.NDArray[np.uint32] = np.arange(len(self._table), dtype=np.uint32)

    @classmethod
    def _of(cls, table: _graze._Table, index: npt.NDArray[np.uint32]) -> Shapes:
        result = cls.__new__(cls)
        result._table = table
        result._index = index
        return result

    @property
    def dim(self) -> int:
        """2 or 3."""
        return int(self._table.dim)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array."""
        return self._index.shape

    def __len__(self) -> int:
        return length_of(self)

    def __getitem__(self, key: Any) -> Any:
        index = self._index[read_exported(key) if hasattr(key, "__dlpack__") else key]
        if isinstance(index, np.ndarray):
            return Shapes._of(self._table, index)
        return self._table.shape(int(index))

    def reshape(self, *shape: int) -> Shapes:
        """Returns the same shapes as an array of another shape."""
        return Shapes._of(self._table, self._index.reshape(shape))

    def __repr__(self) -> str:
        return f"<Shapes: {self.shape}, {self.dim}D>"

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _restore_shapes, ([self._table.shape(i) for i in range(len(self._table))], self._index)


def _restore_shapes(shapes: Any, index: Any) -> Shapes:
    try:
        table = _graze._Table(shapes)
    except (TypeError, ValueError) as error:
        raise damaged("Shapes", str(error)) from error
    if not (isinstance(index, np.ndarray) and index.dtype == np.uint32 and (index < len(table)).all()):
        raise damaged("Shapes", f"index: {index!r}, must be an array of uint32 < {len(table)}")
    return Shapes._of(table, index)


def read_shapes(value: ShapesLike, name: str) -> Shapes:
    if isinstance(value, Shapes):
        return value
    if isinstance(value, Shape):
        return Shapes([value]).reshape()
    if isinstance(value, Placed):
        raise TypeError(f"{name}: {value!r}, must be a Shape; its pose is an argument of its own")
    try:
        shapes = list(value)
    except TypeError as error:
        raise TypeError(f"{name}: {value!r}, must be Shapes, a Shape or a list of shapes") from error
    for i, shape in enumerate(shapes):
        if not isinstance(shape, Shape):
            raise TypeError(f"{name}[{i}]: {shape!r}, must be a Shape")
    return Shapes(shapes)


# ---- Poses


def require_finite(array: Floats, name: str) -> None:
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        place = tuple(int(i) for i in wrong[0])
        raise ValueError(f"{name}{list(place) if place else ''} = {array[place]}, must be finite")


def poses(position: npt.ArrayLike, rotation: npt.ArrayLike | None = None) -> Floats:
    """Returns an array of poses, which broadcasts positions and rotations.

    3D: position (…, 3), rotation (…, 4): quaternions (w, x, y, z). The result has shape (…, 7).
    2D: position (…, 2), rotation (…): angles in radians. The result has shape (…, 4): x, y and the half-angle pair.

    >>> import graze
    >>> graze.poses([(0, 0), (1, 0)], 0.0)
    array([[0., 0., 1., 0.],
           [1., 0., 1., 0.]])
    """
    at = read_array(position, "position")
    dim = at.shape[-1] if at.ndim else 0
    if dim not in (2, 3):
        raise ValueError(f"position: shape {at.shape}, must be (…, 2) or (…, 3)")
    if rotation is None:
        turned = np.array([1.0, 0.0] if dim == 2 else [1.0, 0.0, 0.0, 0.0])
    elif dim == 3:
        turned = read_array(rotation, "rotation")
        if turned.shape[-1:] != (4,):
            raise ValueError(f"rotation: shape {turned.shape}, must be (…, 4): quaternions (w, x, y, z)")
    else:
        angles = read_array(rotation, "rotation")
        turned = np.empty((*angles.shape, 2))
        _graze._half_angles(np.ascontiguousarray(angles).reshape(-1), turned.reshape(-1))
    require_finite(at, "position")
    require_finite(turned, "rotation")
    if not turned.any(axis=-1).all():
        raise ValueError("rotation: a quaternion is zero, must not be zero")
    lead = broadcast({"position": at.shape[:-1], "rotation": turned.shape[:-1]})
    result = np.empty((*lead, dim + turned.shape[-1]))
    result[..., :dim] = at
    result[..., dim:] = turned
    return result


def _row(value: Any, dim: int, name: str) -> tuple[float, ...]:
    if not isinstance(value, Pose) or value.dim != dim:
        raise TypeError(f"{name}: {value!r}, must be a {dim}D Pose")
    return (*value.position, *value.rotation)


def read_poses(value: Any, dim: int, name: str) -> tuple[Floats, tuple[int, ...]]:
    """Rows of 7 numbers, and the shape of the array of poses. No copy for float64 rows of 7."""
    if value is None:
        value = Pose((0.0,) * dim)
    if isinstance(value, (list, tuple)) and any(isinstance(item, Pose) for item in value):
        value = [_row(item, dim, f"{name}[{i}]") for i, item in enumerate(value)]
    elif isinstance(value, Pose):
        value = _row(value, dim, name)
    array = read_array(value, name)
    width, square = (7, (4, 4)) if dim == 3 else (4, (3, 3))
    if array.shape == (0,):
        array = array.reshape(0, width)
    last = array.shape[-1] if array.ndim else 0
    if array.ndim >= 2 and array.shape[-2:] == square:
        lead = array.shape[:-2]
        rows = np.empty((math.prod(lead), 7))
        matrices = np.ascontiguousarray(array).reshape(-1, square[0] ** 2)
        _graze._poses_of_matrices(matrices, dim, rows.reshape(-1), name)
        return rows, lead
    if last == dim:
        require_finite(array, name)
        array = poses(array)
    elif last != width:
        forms = "(…, 7), (…, 4, 4) or (…, 3)" if dim == 3 else "(…, 4), (…, 3, 3) or (…, 2); poses() accepts angles"
        raise ValueError(f"{name}: shape {array.shape}, must be {forms}")
    lead, rows = array.shape[:-1], array.reshape(-1, width)
    if dim == 2:
        flat = np.zeros((len(rows), 7))
        flat[:, [0, 1, 3, 6]] = rows
        return flat, lead
    return library_rows(rows), lead


def library_rows(rows: Floats) -> Floats:
    """Rows that the library accepts as they are: contiguous numbers, a positive and aligned stride."""
    stride = rows.strides[0] if len(rows) > 1 else rows.shape[1] * 8
    good = rows.strides[1] == 8 and stride >= rows.shape[1] * 8 and stride % 8 == 0 and rows.flags.aligned
    return rows if good else np.array(rows, order="C")


def read_velocities(value: Any, dim: int, name: str) -> tuple[Floats, tuple[int, ...]]:
    array = read_array(value, name)
    if array.shape == (0,):
        array = array.reshape(0, dim)
    if array.ndim == 0 or array.shape[-1] != dim:
        raise ValueError(f"{name}: shape {array.shape}, must be (…, {dim})")
    lead, rows = array.shape[:-1], array.reshape(-1, dim)
    if dim == 3:
        return library_rows(rows), lead
    flat = np.zeros((len(rows), 3))
    flat[:, :2] = rows
    return flat, lead
