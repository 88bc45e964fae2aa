"""Exact collision detection in 2D and 3D. Every answer is an interval that certainly contains the true number.

>>> import graze
>>> a = graze.place(graze.box(0.5, 0.5, 0.5))
>>> b = graze.place(graze.sphere(1), (3, 0, 0))
>>> answer = graze.distance(a, b)
>>> answer.distance, answer.relation.name, answer.verify()
(1.5, 'SEPARATED', True)

Lengths and times are in units of the caller, angles in radians. Quaternions have w first.
"""

from ._errors import Error as Error
from ._explain import Explanation as Explanation
from ._explain import explain as explain
from ._graze import *  # noqa: F403

__version__ = version()  # noqa: F405
