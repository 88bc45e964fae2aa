"""Arrays of pairs: queries, with the broadcasting of NumPy.

The functions distance(), intersect() and cast() of this module are the overloads for arrays of the functions of the
package.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

try:
    import numpy as np
    import numpy.typing as npt
except ImportError as error:
    raise ImportError("the array API needs numpy: pip install graze[arrays]") from error

from . import _graze
from ._inputs import (
    Floats,
    broadcast,
    library_rows,
    read_array,
    read_exported,
    read_poses,
    read_shapes,
    read_velocities,
    read_whole_number,
)
from ._inputs import Shapes as Shapes
from ._inputs import poses as poses
from ._records import Casts, Distances, Record, RecordType, Relations
from .typing import NumbersLike, PairsLike, PosesLike, ShapesLike

__all__ = ["Casts", "Distances", "Relations", "Shapes", "poses"]

INTERSECT, DISTANCE, CAST = range(3)

# ---- Sides of pairs


class _Side:
    """The shapes, poses and velocities of one side, with the names of the arguments."""

    def __init__(self, shapes: ShapesLike, at: Any, names: Sequence[str], velocities: Any = None) -> None:
        self.names = names
        self.shapes = read_shapes(shapes, names[0])
        dim = self.shapes.dim
        self.rows, self.lead = read_poses(at, dim, names[1])
        self.velocities: Floats | None = None
        if velocities is not None:
            moved, lead = read_velocities(velocities, dim, names[2])
            if lead != self.lead:
                common = broadcast({names[1]: self.lead, names[2]: lead})
                moved = np.broadcast_to(moved.reshape(*lead, 3), (*common, 3)).reshape(-1, 3)
                self.rows = np.ascontiguousarray(
                    np.broadcast_to(self.rows.reshape(*self.lead, 7), (*common, 7)).reshape(-1, 7)
                )
                self.lead = common
            self.velocities = library_rows(moved)
        self.shape = broadcast({names[0]: self.shapes.shape, names[1]: self.lead})

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
        array, count = read_exported(index), math.prod(side.shape)
        if array.dtype.kind not in "iu" and array.size:
            raise TypeError(f"pairs[{k}]: {array.dtype}, must be whole numbers")
        wrong = array[(array < -count) | (array >= count)]
        if wrong.size:
            raise IndexError(f"pairs[{k}]: {wrong.flat[0]}, must be an index of {count} bodies")
        result.append(array.astype(np.int64, copy=False))
    return result


# ---- Queries


def require_writable(out: Record) -> None:
    """Records that were restored from read-only memory, for instance of a mapped file, are read-only."""
    for name, buffer in out._buffers.items():
        if not buffer.flags.writeable:
            raise ValueError(f"out: {name} is read-only, must be writable")


def require_disjoint(out: Record, inputs: Iterable[tuple[str, Floats | None]]) -> None:
    """The batch writes results while it reads inputs: shared memory would change them."""
    for name, array in inputs:
        if array is not None and any(np.may_share_memory(array, buffer) for buffer in out._buffers.values()):
            raise ValueError(f"out: shares memory with {name}, must be disjoint from the inputs")


def _run(
    kind: int,
    record: type[RecordType],
    sides: tuple[_Side, _Side],
    out: RecordType | None,
    fields: Sequence[str] | None,
    clearance: Any,
    pairs: Any,
    threads: int,
    max_distance: float = math.inf,
    t_max: float = 1.0,
) -> RecordType:
    a, b = sides
    bodies: Sequence[npt.NDArray[np.int64] | None] = (None, None)
    if pairs is None:
        shapes = [a.shape, b.shape]
    else:
        bodies = _indices(pairs, sides)
        shapes = [index.shape for index in bodies if index is not None]
    margin = read_array(clearance, "clearance")
    if a.shapes.dim != b.shapes.dim:
        raise ValueError(f"b: {b.shapes.dim}D shapes, must be {a.shapes.dim}D as a")
    shape = broadcast({"side a": shapes[0], "side b": shapes[1], "clearance": margin.shape})
    margins = None if margin.ndim == 0 else np.ascontiguousarray(np.broadcast_to(margin, shape)).reshape(-1)
    if out is None:
        out = record.empty(shape, a.shapes.dim, fields)
    elif fields is not None:
        raise ValueError(f"fields: {fields!r}, must be None with out, which has its own")
    elif type(out) is not record or out.shape != shape or out.dim != a.shapes.dim:
        raise ValueError(f"out: {out!r}, must be {record.__name__}.empty({shape}, {a.shapes.dim})")
    else:
        require_writable(out)
        require_disjoint(out, [*a.inputs(), *b.inputs(), ("clearance", margins)])
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
        max_distance,
        t_max,
        read_whole_number(threads, "threads"),
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
