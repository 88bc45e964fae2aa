"""Arrays of pairs: shapes, poses and results, with the broadcasting of NumPy.

The functions distance(), intersect() and cast() of this module are the overloads for arrays of the functions of the
package.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar
from typing import cast as typed

try:
    import numpy as np
    import numpy.typing as npt
except ImportError as error:
    raise ImportError("the array API needs numpy: pip install graze[arrays]") from error

from . import _graze
from ._graze import Placed, Pose, Shape
from .typing import NumbersLike, PairsLike, PosesLike, ShapesLike

__all__ = ["Casts", "Distances", "Relations", "Shapes", "poses"]

Floats = npt.NDArray[np.float64]
INTERSECT, DISTANCE, CAST = range(3)


def _array(value: Any, name: str) -> Floats:
    """float64, without a copy if it is such an array, or exports one by DLPack or the buffer protocol."""
    try:
        exports = not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__")
        array = np.asarray(np.from_dlpack(value) if exports else value)
        if array.dtype.kind not in "fiub":
            raise TypeError
        return array.astype(np.float64, copy=False)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        reason = f"an array of numbers in main memory ({error})" if str(error) else "an array of numbers"
        raise TypeError(f"{name}: {type(value).__name__}, must be {reason}") from error


def _number(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: {value!r}, must be a number") from error


def _whole_number(value: Any, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError as error:
        raise TypeError(f"{name}: {value!r}, must be a whole number") from error


def _length(array: Shapes | _Record) -> int:
    if not array.shape:
        raise TypeError(f"len: {array!r}, must have a dimension")
    return array.shape[0]


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
        return _length(self)

    def __getitem__(self, key: Any) -> Any:
        index = self._index[key]
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


def _restore_shapes(shapes: list[Shape], index: npt.NDArray[np.uint32]) -> Shapes:
    return Shapes._of(_graze._Table(shapes), index)


def _shapes(value: ShapesLike, name: str) -> Shapes:
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


def poses(position: npt.ArrayLike, rotation: npt.ArrayLike | None = None) -> Floats:
    """Returns an array of poses, which broadcasts positions and rotations.

    3D: position (…, 3), rotation (…, 4): quaternions (w, x, y, z). The result has shape (…, 7).
    2D: position (…, 2), rotation (…): angles in radians. The result has shape (…, 4): x, y and the half-angle pair.

    >>> import graze
    >>> graze.poses([(0, 0), (1, 0)], 0.0)
    array([[0., 0., 1., 0.],
           [1., 0., 1., 0.]])
    """
    at = _array(position, "position")
    dim = at.shape[-1] if at.ndim else 0
    if dim not in (2, 3):
        raise ValueError(f"position: shape {at.shape}, must be (…, 2) or (…, 3)")
    if rotation is None:
        turned = np.array([1.0, 0.0] if dim == 2 else [1.0, 0.0, 0.0, 0.0])
    elif dim == 3:
        turned = _array(rotation, "rotation")
        if turned.shape[-1:] != (4,):
            raise ValueError(f"rotation: shape {turned.shape}, must be (…, 4): quaternions (w, x, y, z)")
    else:
        angles = _array(rotation, "rotation")
        turned = np.empty((*angles.shape, 2))
        _graze._half_angles(np.ascontiguousarray(angles).reshape(-1), turned.reshape(-1))
    for name, array in (("position", at), ("rotation", turned)):
        if not np.isfinite(array).all():
            raise ValueError(f"{name}: must be finite")
    if not turned.any(axis=-1).all():
        raise ValueError("rotation: a quaternion is zero, must not be zero")
    lead = _broadcast({"position": at.shape[:-1], "rotation": turned.shape[:-1]})
    result = np.empty((*lead, dim + turned.shape[-1]))
    result[..., :dim] = at
    result[..., dim:] = turned
    return result


def _row(value: Any, dim: int, name: str) -> tuple[float, ...]:
    if not isinstance(value, Pose) or value.dim != dim:
        raise TypeError(f"{name}: {value!r}, must be a {dim}D Pose")
    return (*value.position, *value.rotation)


def _read_poses(value: Any, dim: int, name: str) -> tuple[Floats, tuple[int, ...]]:
    """Rows of 7 numbers, and the shape of the array of poses. No copy for float64 rows of 7."""
    if value is None:
        value = Pose((0.0,) * dim)
    if isinstance(value, (list, tuple)) and any(isinstance(item, Pose) for item in value):
        value = [_row(item, dim, f"{name}[{i}]") for i, item in enumerate(value)]
    elif isinstance(value, Pose):
        value = _row(value, dim, name)
    array = _array(value, name)
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
        array = poses(array)
    elif last != width:
        forms = "(…, 7), (…, 4, 4) or (…, 3)" if dim == 3 else "(…, 4), (…, 3, 3) or (…, 2); poses() accepts angles"
        raise ValueError(f"{name}: shape {array.shape}, must be {forms}")
    lead, rows = array.shape[:-1], array.reshape(-1, width)
    if dim == 2:
        flat = np.zeros((len(rows), 7))
        flat[:, [0, 1, 3, 6]] = rows
        return flat, lead
    return _rows(rows), lead


def _rows(rows: Floats) -> Floats:
    """Rows that the library accepts as they are: contiguous numbers, a positive and aligned stride."""
    stride = rows.strides[0] if len(rows) > 1 else rows.shape[1] * 8
    good = rows.strides[1] == 8 and stride >= rows.shape[1] * 8 and stride % 8 == 0 and rows.flags.aligned
    return rows if good else np.array(rows, order="C")


def _read_velocities(value: Any, dim: int, name: str) -> tuple[Floats, tuple[int, ...]]:
    array = _array(value, name)
    if array.shape == (0,):
        array = array.reshape(0, dim)
    if array.ndim == 0 or array.shape[-1] != dim:
        raise ValueError(f"{name}: shape {array.shape}, must be (…, {dim})")
    lead, rows = array.shape[:-1], array.reshape(-1, dim)
    if dim == 3:
        return _rows(rows), lead
    flat = np.zeros((len(rows), 3))
    flat[:, :2] = rows
    return flat, lead


# ---- Sides of pairs


def _broadcast(shapes: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
    """The common shape of arrays, which are named."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ValueError(f"{listed}: these shapes do not broadcast") from None


class _Side:
    """The shapes, poses and velocities of one side, with the names of the arguments."""

    def __init__(self, shapes: ShapesLike, at: Any, names: Sequence[str], velocities: Any = None) -> None:
        self.names = names
        self.shapes = _shapes(shapes, names[0])
        dim = self.shapes.dim
        self.rows, self.lead = _read_poses(at, dim, names[1])
        self.velocities: Floats | None = None
        if velocities is not None:
            moved, lead = _read_velocities(velocities, dim, names[2])
            if lead != self.lead:
                common = _broadcast({names[1]: self.lead, names[2]: lead})
                moved = np.broadcast_to(moved.reshape(*lead, 3), (*common, 3)).reshape(-1, 3)
                self.rows = np.ascontiguousarray(
                    np.broadcast_to(self.rows.reshape(*self.lead, 7), (*common, 7)).reshape(-1, 7)
                )
                self.lead = common
            self.velocities = _rows(moved)
        self.shape = _broadcast({names[0]: self.shapes.shape, names[1]: self.lead})

    def inputs(self) -> Iterable[tuple[str, Floats | None]]:
        """The arrays that the batch reads, which may be those of the caller."""
        return zip(self.names[1:], (self.rows, self.velocities))

    def arguments(self, shape: tuple[int, ...], bodies: npt.NDArray[np.int64] | None) -> tuple[Any, ...]:
        """The arguments of _batch() for pairs of an array of a shape, or for bodies that indices select."""
        table = self.shapes._table
        return (
            table,
            None if len(table) == 1 else self._spread(self.shapes._index, shape, bodies),
            self.rows,
            self._pose_index(shape, bodies),
            self.velocities,
        )

    def _pose_index(self, shape: tuple[int, ...], bodies: npt.NDArray[np.int64] | None) -> Any:
        count = len(self.rows)
        if count == 1 or (bodies is None and self.lead == shape):
            return None
        return self._spread(np.arange(count, dtype=np.uint32).reshape(self.lead), shape, bodies)

    def _spread(self, index: npt.NDArray[np.uint32], shape: tuple[int, ...], bodies: Any) -> npt.NDArray[np.uint32]:
        if bodies is None:
            return np.ascontiguousarray(np.broadcast_to(index, shape)).reshape(-1)
        selected = np.broadcast_to(index, self.shape).reshape(-1)[bodies]
        return np.ascontiguousarray(np.broadcast_to(selected, shape)).reshape(-1)


def _indices(pairs: Any, sides: Sequence[_Side]) -> list[npt.NDArray[np.int64]]:
    """The indices of the bodies of both sides. Negative ones count from the end."""
    result = []
    if not hasattr(pairs, "__len__"):
        raise TypeError(f"pairs: {pairs!r}, must be two arrays: the indices of both sides")
    if len(pairs) != 2:
        raise ValueError(f"pairs: {len(pairs)} arrays, must be two: the indices of both sides")
    for k, (index, side) in enumerate(zip(pairs, sides)):
        array, count = np.asarray(index), math.prod(side.shape)
        if array.dtype.kind not in "iu" and array.size:
            raise TypeError(f"pairs[{k}]: {array.dtype}, must be whole numbers")
        wrong = array[(array < -count) | (array >= count)]
        if wrong.size:
            raise IndexError(f"pairs[{k}]: {wrong.flat[0]}, must be an index of {count} bodies")
        result.append(array.astype(np.int64, copy=False))
    return result


# ---- Results

Record = TypeVar("Record", bound="_Record")


class _Record:
    """Arrays of results of one shape. Members that were not computed are None."""

    __slots__ = ("_buffers", "dim", "shape")
    _bytes: tuple[str, ...] = ()
    _numbers: tuple[str, ...] = ()
    _vectors: tuple[str, ...] = ()

    shape: tuple[int, ...]
    dim: int

    @classmethod
    def empty(
        cls: type[Record], shape: int | tuple[int, ...], dim: int, fields: Sequence[str] | None = None
    ) -> Record:
        """Returns a record for `out`. fields: the members to compute; None: all."""
        if isinstance(fields, str):
            raise TypeError(f"fields: {fields!r}, must be a list of names")
        if dim not in (2, 3):
            raise ValueError(f"dim: {dim!r}, must be 2 or 3")
        result = cls.__new__(cls)
        sizes = shape if isinstance(shape, Iterable) else (shape,)
        result.shape = tuple(_whole_number(size, "shape") for size in sizes)
        if any(size < 0 for size in result.shape):
            raise ValueError(f"shape: {shape!r}, must be sizes >= 0")
        result.dim = dim
        names = cls._bytes + cls._numbers + cls._vectors
        unknown = [name for name in fields or () if name not in names]
        if unknown:
            raise ValueError(f"fields: {unknown[0]!r}, must be some of {', '.join(names)}")
        count = math.prod(result.shape)
        result._buffers = {}
        for name in names if fields is None else fields:
            if name in cls._bytes:
                result._buffers[name] = np.empty(count, dtype=np.uint8)
            else:
                result._buffers[name] = np.empty((count, 3) if name in cls._vectors else count)
        return result

    _buffers: dict[str, npt.NDArray[Any]]

    def _member(self, name: str) -> Any:
        buffer = self._buffers.get(name)
        if buffer is None:
            return None
        if name in self._vectors:
            return buffer.reshape(*self.shape, 3)[..., : self.dim]
        return buffer.reshape(self.shape)

    def __len__(self) -> int:
        return _length(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.shape}>"

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _restore_record, (type(self), self.shape, self.dim, self._buffers)


def _restore_record(kind: type[_Record], shape: tuple[int, ...], dim: int, buffers: dict[str, Any]) -> _Record:
    result = kind.empty(shape, dim, ())
    result._buffers = buffers
    return result


class Relations(_Record):
    """Relations of pairs."""

    __slots__ = ()
    _bytes: tuple[str, ...] = ("relation",)

    @property
    def relation(self) -> npt.NDArray[np.uint8]:
        """shape (…): values of Relation."""
        return typed("npt.NDArray[np.uint8]", self._member("relation"))


class Distances(Relations):
    """Signed distances of pairs: a record of arrays. The true distance is in [lower, upper].

    Numbers beyond max_distance are NaN, except `lower`. Members that were not computed are None.
    """

    __slots__ = ()
    _numbers = ("distance", "lower", "upper")
    _vectors = ("normal", "point_a", "point_b")

    @property
    def distance(self) -> Floats:
        """shape (…): > 0: gap; 0: touching; < 0: minus the penetration depth."""
        return typed(Floats, self._member("distance"))

    @property
    def lower(self) -> Floats:
        """shape (…)."""
        return typed(Floats, self._member("lower"))

    @property
    def upper(self) -> Floats:
        """shape (…)."""
        return typed(Floats, self._member("upper"))

    @property
    def normal(self) -> Floats:
        """shape (…, dim): unit vectors from A to B."""
        return typed(Floats, self._member("normal"))

    @property
    def point_a(self) -> Floats:
        """shape (…, dim): witness points on A."""
        return typed(Floats, self._member("point_a"))

    @property
    def point_b(self) -> Floats:
        """shape (…, dim): witness points on B."""
        return typed(Floats, self._member("point_b"))


class Casts(Relations):
    """First contacts of moving pairs: a record of arrays. `relation` is that at the start."""

    __slots__ = ()
    _bytes = ("relation", "outcome")
    _numbers = ("t_lower", "t_upper")
    _vectors = ("normal", "point")

    @property
    def outcome(self) -> npt.NDArray[np.uint8]:
        """shape (…): values of CastOutcome."""
        return typed("npt.NDArray[np.uint8]", self._member("outcome"))

    @property
    def t_lower(self) -> Floats:
        """shape (…): the first contact is in [t_lower, t_upper]; NaN if clear."""
        return typed(Floats, self._member("t_lower"))

    @property
    def t_upper(self) -> Floats:
        """shape (…)."""
        return typed(Floats, self._member("t_upper"))

    @property
    def normal(self) -> Floats:
        """shape (…, dim): unit vectors from A to B at the contact."""
        return typed(Floats, self._member("normal"))

    @property
    def point(self) -> Floats:
        """shape (…, dim): contact points."""
        return typed(Floats, self._member("point"))


# ---- Queries


def _require_disjoint(out: _Record, inputs: Iterable[tuple[str, Floats | None]]) -> None:
    """The batch writes results while it reads inputs: shared memory would change them."""
    for name, array in inputs:
        if array is not None and any(np.may_share_memory(array, buffer) for buffer in out._buffers.values()):
            raise ValueError(f"out: shares memory with {name}, must be disjoint from the inputs")


def _run(
    kind: int,
    record: type[Record],
    sides: tuple[_Side, _Side],
    out: Record | None,
    fields: Sequence[str] | None,
    clearance: Any,
    pairs: Any,
    threads: int,
    max_distance: float = math.inf,
    t_max: float = 1.0,
) -> Record:
    a, b = sides
    bodies: Sequence[npt.NDArray[np.int64] | None] = (None, None)
    if pairs is None:
        shapes = [a.shape, b.shape]
    else:
        bodies = _indices(pairs, sides)
        shapes = [index.shape for index in bodies if index is not None]
    margin = _array(clearance, "clearance")
    if a.shapes.dim != b.shapes.dim:
        raise ValueError(f"b: {b.shapes.dim}D shapes, must be {a.shapes.dim}D as a")
    shape = _broadcast({"side a": shapes[0], "side b": shapes[1], "clearance": margin.shape})
    margins = None if margin.ndim == 0 else np.ascontiguousarray(np.broadcast_to(margin, shape)).reshape(-1)
    if out is None:
        out = record.empty(shape, a.shapes.dim, fields)
    elif fields is not None:
        raise ValueError(f"fields: {fields!r}, must be None with out, which has its own")
    elif type(out) is not record or out.shape != shape or out.dim != a.shapes.dim:
        raise ValueError(f"out: {out!r}, must be {record.__name__}.empty({shape}, {a.shapes.dim})")
    else:
        _require_disjoint(out, [*a.inputs(), *b.inputs(), ("clearance", margins)])
    count, buffers = math.prod(shape), out._buffers.get
    if count == 0:
        return out
    _graze._batch(
        kind,
        count,
        *a.arguments(shape, bodies[0]),
        *b.arguments(shape, bodies[1]),
        float(margin) if margins is None else 0.0,
        margins,
        _number(max_distance, "max_distance"),
        _number(t_max, "t_max"),
        _whole_number(threads, "threads"),
        buffers("relation"),
        buffers("outcome"),
        buffers("distance"),
        buffers("lower"),
        buffers("upper"),
        buffers("t_lower"),
        buffers("t_upper"),
        buffers("normal"),
        buffers("point") if kind == CAST else buffers("point_a"),
        buffers("point_b"),
    )
    return out


def distance(
    a: ShapesLike,
    poses_a: PosesLike,
    b: ShapesLike,
    poses_b: PosesLike,
    out: Distances | None = None,
    *,
    clearance: NumbersLike = 0.0,
    max_distance: float = math.inf,
    pairs: PairsLike | None = None,
    fields: Sequence[str] | None = None,
    threads: int = 1,
) -> Distances:
    """Computes the signed distances of pairs. See the overload of graze.distance()."""
    sides = _Side(a, poses_a, ("a", "poses_a")), _Side(b, poses_b, ("b", "poses_b"))
    return _run(DISTANCE, Distances, sides, out, fields, clearance, pairs, threads, max_distance)


def intersect(
    a: ShapesLike,
    poses_a: PosesLike,
    b: ShapesLike,
    poses_b: PosesLike,
    out: Relations | None = None,
    *,
    clearance: NumbersLike = 0.0,
    pairs: PairsLike | None = None,
    threads: int = 1,
) -> Relations:
    """Computes the relations of pairs. See the overload of graze.intersect()."""
    sides = _Side(a, poses_a, ("a", "poses_a")), _Side(b, poses_b, ("b", "poses_b"))
    return _run(INTERSECT, Relations, sides, out, None, clearance, pairs, threads)


def cast(
    a: ShapesLike,
    poses_a: PosesLike,
    velocities_a: NumbersLike | None,
    b: ShapesLike,
    poses_b: PosesLike,
    velocities_b: NumbersLike | None,
    t_max: float = 1.0,
    out: Casts | None = None,
    *,
    clearance: NumbersLike = 0.0,
    pairs: PairsLike | None = None,
    fields: Sequence[str] | None = None,
    threads: int = 1,
) -> Casts:
    """Computes the first contacts of pairs that move without rotation. See the overload of graze.cast()."""
    sides = (
        _Side(a, poses_a, ("a", "poses_a", "velocities_a"), velocities_a),
        _Side(b, poses_b, ("b", "poses_b", "velocities_b"), velocities_b),
    )
    return _run(CAST, Casts, sides, out, fields, clearance, pairs, threads, t_max=t_max)
