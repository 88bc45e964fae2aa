"""Exact collision detection in 2D and 3D. Every answer is an interval that certainly contains the true number.

>>> import graze
>>> a = graze.place(graze.box(0.5, 0.5, 0.5))
>>> b = graze.place(graze.sphere(1), (3, 0, 0))
>>> answer = graze.distance(a, b)
>>> answer.distance, answer.relation.name, answer.verify()
(1.5, 'SEPARATED', True)

Lengths and times are in units of the caller, angles in radians. Quaternions have w first.
"""

import typing as _typing

try:
    from ._graze import version as version
except ImportError as error:
    raise ImportError(f"graze: no compiled module in {__path__[0]}; run pip install, and leave this folder") from error

from ._convert import from_trimesh as from_trimesh
from ._errors import Error as Error
from ._explain import Explanation as Explanation
from ._explain import explain as explain
from ._graze import *  # noqa: F403

__version__ = version()  # noqa: F405

if _typing.TYPE_CHECKING:
    from ._arrays import Casts as Casts
    from ._arrays import Distances as Distances
    from ._arrays import Relations as Relations
    from ._arrays import Shapes as Shapes
    from ._arrays import poses as poses

_ARRAY_NAMES = ("Casts", "Distances", "Relations", "Shapes", "poses")


def __getattr__(name: str) -> object:
    # The array API needs numpy, which is optional: it is imported at the first use.
    if name not in _ARRAY_NAMES:
        raise AttributeError(f"module 'graze' has no attribute {name!r}")
    try:
        from . import _arrays
    except ImportError as error:
        raise AttributeError(f"module 'graze' has no attribute {name!r}: {error}") from error
    return getattr(_arrays, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_ARRAY_NAMES])
