"""Results of the array API: records of arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar
from typing import cast as typed

import numpy as np
import numpy.typing as npt

from ._inputs import Floats, length_of, read_whole_number
from ._pickle import damaged

RecordType = TypeVar("RecordType", bound="Record")


def read_shape(shape: Any) -> tuple[int, ...]:
    sizes = tuple(read_whole_number(size, "shape") for size in (shape if isinstance(shape, Iterable) else (shape,)))
    if any(size < 0 for size in sizes):
        raise ValueError(f"shape: {shape!r}, must be sizes >= 0")
    return sizes


class Record:
    """Arrays of results of one shape. Members that were not computed are None."""

    __slots__ = {
        "_buffers": "The arrays of the computed members, flat, with rows of 3 numbers for vectors.",
        "dim": "2 or 3.",
        "shape": "The shape of the array of pairs.",
    }
    _bytes: tuple[str, ...] = ()
    _numbers: tuple[str, ...] = ()
    _vectors: tuple[str, ...] = ()

    shape: tuple[int, ...]
    dim: int

    @classmethod
    def empty(
        cls: type[RecordType], shape: int | tuple[int, ...], dim: int, fields: Sequence[str] | None = None
    ) -> RecordType:
        """Returns a record for `out`. fields: the members to compute; None: all."""
        if isinstance(fields, str):
            raise TypeError(f"fields: {fields!r}, must be a list of names")
        fields = None if fields is None else list(fields)
        if dim not in (2, 3):
            raise ValueError(f"dim: {dim!r}, must be 2 or 3")
        result = cls.__new__(cls)
        result.shape = read_shape(shape)
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
        return length_of(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.shape}>"

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _restore_record, (type(self), self.shape, self.dim, self._buffers)


def _restore_record(kind: Any, shape: Any, dim: Any, buffers: Any) -> Record:
    if not (isinstance(kind, type) and issubclass(kind, Record)):
        raise damaged("record", f"class: {kind!r}, must be Relations, Distances or Casts")
    try:
        result = kind.empty(0, dim, list(buffers))
        result.shape = read_shape(shape)
        for name, empty in result._buffers.items():
            sizes = (math.prod(result.shape), *empty.shape[1:])
            buffer = buffers[name]
            if not (isinstance(buffer, np.ndarray) and buffer.dtype == empty.dtype and buffer.shape == sizes):
                raise ValueError(f"{name}: {buffer!r}, must be an array of {sizes} {empty.dtype}")
            result._buffers[name] = np.ascontiguousarray(buffer)
    except (TypeError, ValueError) as error:
        raise damaged(kind.__name__, str(error)) from error
    return result


class Relations(Record):
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
        """shape (…): lower bounds of the signed distances."""
        return typed(Floats, self._member("lower"))

    @property
    def upper(self) -> Floats:
        """shape (…): upper bounds of the signed distances."""
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
        """shape (…): the latest times of the first contacts; NaN if clear."""
        return typed(Floats, self._member("t_upper"))

    @property
    def normal(self) -> Floats:
        """shape (…, dim): unit vectors from A to B at the contact."""
        return typed(Floats, self._member("normal"))

    @property
    def point(self) -> Floats:
        """shape (…, dim): contact points."""
        return typed(Floats, self._member("point"))
