"""Types of arguments: what a vector, a pose or an array may be. numpy is optional, and only named here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._arrays import Shapes
    from ._graze import Motion, Pose, Shape

    Array = npt.NDArray[Any]

VectorLike = Union[Sequence[float], "Array"]
"""2 or 3 numbers."""
MatrixLike = Union[Sequence[Sequence[float]], "Array"]
"""A homogeneous matrix by rows: 4x4, in 2D 3x3."""
RotationLike = Union[float, Sequence[float], Sequence[Sequence[float]], "Array"]
"""3D: a quaternion (w, x, y, z) or a 3x3 matrix. 2D: an angle, a half-angle pair (w, z) or a 2x2 matrix."""
PoseLike = Union["Pose", Sequence[float], tuple[Sequence[float], RotationLike], MatrixLike]
"""A Pose, a position, a position and a rotation, or a homogeneous matrix: see place()."""
PointsLike = Union[Sequence[Sequence[float]], "Array"]
"""Points: shape (n, 2) or (n, 3)."""
FacesLike = Union[Sequence[Sequence[int]], "Array"]
"""Indices of vertices: shape (n, 3), in 2D (n, 2)."""
MotionLike = Union["Motion", VectorLike, None]
"""A Motion, a velocity, or None: at rest."""
SupportResult = Union[Sequence[float], tuple[Sequence[float], float], "Array"]
"""A point, or a point and the bound of its error."""
ShapesLike = Union["Shapes", "Shape", Sequence["Shape"]]
"""Shapes for arrays of pairs."""
NumbersLike = Union[float, Sequence[Any], "Array"]
"""A number or an array of numbers."""
PosesLike = Union["Pose", Sequence[Any], "Array", None]
"""Poses for arrays of pairs: see distance()."""
PairsLike = tuple[Union[Sequence[int], "Array"], Union[Sequence[int], "Array"]]
"""The indices of the bodies of both sides."""
