"""Shapes from other libraries. They are not imported here, so they stay optional."""

from __future__ import annotations

from typing import Any, Protocol

from ._graze import Shape, mesh

__all__ = ["from_trimesh"]


class TriangleMesh(Protocol):
    """A trimesh.Trimesh, or any object with such members."""

    @property
    def vertices(self) -> Any: ...

    @property
    def faces(self) -> Any: ...


def from_trimesh(source: TriangleMesh, surface: bool = False) -> Shape:
    """Returns a trimesh.Trimesh as a shape.

    source: any object with `vertices`, shape (n, 3), and `faces`, shape (m, 3). A watertight mesh with consistent
    winding is solid, unless `surface` is true: then only its triangles count. If `is_solid` of the result is false,
    validate_mesh() lists the reasons. Coordinates do not change.

    >>> import graze
    >>> class Tetrahedron:
    ...     vertices = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    ...     faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> graze.from_trimesh(Tetrahedron()).is_solid
    True
    """
    for name in ("vertices", "faces"):
        if not hasattr(source, name):
            raise TypeError(f"source: {type(source).__name__}, must have {name}: a trimesh.Trimesh")
    return mesh(source.vertices, source.faces, surface)
