"""Graze: exact collision detection in 2D and 3D."""

from collections.abc import Callable, Iterator, Sequence
import enum
from typing import Any, overload

import graze._arrays
import graze.typing


def version() -> str:
    """Returns the version of the library, for instance "0.2.0"."""

class Status(enum.Enum):
    """The status of a failed call: the member `status` of an Error."""

    OK = 0
    """No error."""

    BAD_NUMBER = 1
    """A number is NaN, infinite, or larger than 1e40 in magnitude."""

    BAD_SHAPE = 2
    """A negative size, no vertices, a zero quaternion, a zero normal."""

    NOT_CONVEX = 3
    """A polygon that is not convex."""

    NOT_SIMPLE = 4
    """An outline that crosses itself, or has a hole that is not inside it."""

    DIM_MISMATCH = 5
    """A 2D object with a 3D object."""

    BAD_OPTION = 6
    """An option out of its range."""

    UNSUPPORTED = 7
    """The query is not defined for these shapes."""

    NO_SPACE = 8
    """An array is too small for the result."""

    OUT_OF_MEMORY = 9
    """An allocation failed. Python raises MemoryError."""

    REFUTED = 10
    """The certificate or the interval is wrong."""

    UNPROVEN = 11
    """The answer states something that its certificate does not prove."""

    NO_BODY = 12
    """A scene has no body with this id."""

    BAD_DATA = 13
    """
    Bytes that are not a snapshot, are damaged, or come from another version.
    """

class Pose:
    """
    A rigid placement: x -> R(q) x + position. Immutable.

    In 3D q = (w, x, y, z) is any nonzero quaternion, of any length, with w first. In 2D the rotation is an angle in
    radians, counter-clockwise, or its half-angle pair (w, z).

    >>> import graze
    >>> graze.Pose((1, 2, 3), (1, 0, 0, 0)).position
    (1.0, 2.0, 3.0)
    >>> graze.Pose((1, 2), 0.0).rotation
    (1.0, 0.0)
    """

    def __init__(self, position: graze.typing.VectorLike = (0.0, 0.0, 0.0), rotation: graze.typing.RotationLike | None = None) -> None: ...

    @staticmethod
    def axis_angle(position: graze.typing.VectorLike, axis: graze.typing.VectorLike, angle: float) -> Pose:
        """
        Returns a 3D pose rotated by `angle` radians about `axis`, of any nonzero length.
        """

    @staticmethod
    def matrix(matrix: graze.typing.MatrixLike) -> Pose:
        """
        Returns the pose of a homogeneous matrix: 4x4, in 2D 3x3.

        The last row is (0, 0, 0, 1), in 2D (0, 0, 1). The rotation, orthonormal within 1e-6, is rounded to the nearest
        quaternion direction.
        """

    @property
    def dim(self) -> int:
        """2 or 3."""

    @property
    def position(self) -> tuple[float, ...]:
        """The position, 2 or 3 coordinates: the image of the local origin."""

    @property
    def rotation(self) -> tuple[float, ...]:
        """The quaternion (w, x, y, z); in 2D the half-angle pair (w, z)."""

    def to_matrix(self) -> tuple[tuple[float, ...], ...]:
        """Returns the homogeneous matrix by rows: 4x4, in 2D 3x3. Rounded."""

    def inverse(self) -> Pose:
        """Returns the inverse pose, rounded."""

    def apply(self, point: graze.typing.VectorLike) -> tuple[float, ...]:
        """Returns the world position of a local point, rounded."""

    def after(self, motion: graze.typing.MotionLike, t: float) -> Pose:
        """
        Returns the pose at time t of a body that starts at this pose. Rounded.
        """

    def __matmul__(self, inner: Pose) -> Pose:
        """Returns x -> outer(inner(x)), rounded."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

class ShapeKind(enum.Enum):
    """The kind of a shape."""

    POINT = 1
    """The local origin: point(), point2()."""

    SEGMENT = 2
    """Two points: segment()."""

    TRIANGLE = 3
    """Three points: triangle()."""

    BOX = 4
    """Half extents about the local origin: box()."""

    POLYGON = 5
    """A convex polygon in 2D: polygon(), hull()."""

    HULL = 6
    """The convex hull of points: hull(), hull_points()."""

    SPHERE = 7
    """In 2D a circle."""

    CAPSULE = 8
    """A core segment along local z, in 2D local x: capsule(), capsule2()."""

    ELLIPSOID = 9
    """In 2D an ellipse."""

    CYLINDER = 10
    """A cylinder along local z: cylinder()."""

    CONE = 11
    """A cone along local z: cone()."""

    HALFSPACE = 12
    """The points on one side of a plane or line: halfspace()."""

    USER = 13
    """A support function in Python: user()."""

    COMPOUND = 14
    """Placed convex parts: compound()."""

    MESH = 15
    """Triangles, in 2D edges: mesh()."""

class Shape:
    """
    A convex shape, a compound of convex shapes, or a mesh, in its own frame. Immutable.

    Shapes with the same numbers are equal; a compound, a mesh or a user shape equals only itself, with the same margin.
    Lengths are in the unit of the caller. Members that the kind does not have raise AttributeError.
    """

    @property
    def kind(self) -> ShapeKind:
        """The kind of the shape."""

    @property
    def dim(self) -> int:
        """2 or 3."""

    @property
    def margin(self) -> float:
        """The radius of the ball that rounds the shape, >= 0."""

    @property
    def is_curved(self) -> bool:
        """Whether the core is curved: ellipsoid, cylinder, cone, user shape."""

    @property
    def half_extents(self) -> tuple[float, ...]:
        """The half extents of a box, 2 or 3 lengths."""

    @property
    def radius(self) -> float:
        """The radius of a sphere, capsule, cylinder or cone."""

    @property
    def half_length(self) -> float:
        """Half the length of a capsule, cylinder or cone."""

    @property
    def radii(self) -> tuple[float, ...]:
        """The radii of an ellipsoid, 3 lengths; of an ellipse 2."""

    @property
    def normal(self) -> tuple[float, ...]:
        """
        The normal of a half-space, 2 or 3 numbers of any length: it points out of the solid.
        """

    @property
    def offset(self) -> float:
        """
        The offset of a half-space: a point x with (normal/|normal|)·x = offset is on its border.
        """

    @property
    def vertices(self) -> list[tuple[float, ...]]:
        """
        The vertices of the core, or those of a mesh, in the local frame. Certificates name them by index.
        """

    @property
    def faces(self) -> list[tuple[int, ...]]:
        """The triangles of a mesh, in 2D its edges, as indices of vertices."""

    @property
    def is_solid(self) -> bool:
        """
        Whether a mesh is closed and consistently oriented, and was not made as a surface.
        """

    @property
    def _outline(self) -> tuple[Any, ...]:
        """
        The arguments of decompose() for a decomposed polygon, otherwise empty.
        """

    @property
    def parts(self) -> tuple[Placed, ...]:
        """The parts of a compound."""

    def with_margin(self, margin: float) -> Shape:
        """
        Returns the shape rounded by a ball of radius `margin` >= 0, which replaces an earlier margin.
        """

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def point() -> Shape:
    """Returns the local origin as a shape, in 3D."""

def point2() -> Shape:
    """Returns the local origin as a shape, in 2D."""

def segment(a: graze.typing.VectorLike, b: graze.typing.VectorLike) -> Shape:
    """Returns a segment between two points of 2 or 3 coordinates."""

def triangle(a: graze.typing.VectorLike, b: graze.typing.VectorLike, c: graze.typing.VectorLike) -> Shape:
    """Returns a triangle with corners of 2 or 3 coordinates."""

def box(x: float, y: float, z: float | None = None) -> Shape:
    """
    Returns a box about the local origin.

    x, y, z are its half extents, >= 0; zero makes it flat. Without z the box is 2D.

    >>> import graze
    >>> graze.box(1, 2, 3).half_extents
    (1.0, 2.0, 3.0)
    """

def polygon(vertices: graze.typing.PointsLike) -> Shape:
    """
    Returns a convex 2D polygon.

    vertices: shape (n, 2), n >= 3, in order, either winding. Repeated and collinear vertices are allowed.
    decompose() accepts any outline.
    """

def hull_points(points: graze.typing.PointsLike) -> Shape:
    """
    Returns the convex hull of points of shape (n, 2) or (n, 3), n >= 1, without removing inner points.
    """

def hull(points: graze.typing.PointsLike) -> Shape:
    """
    Returns the convex hull of points.

    points: shape (n, 2) or (n, 3), n >= 1. Inner points are removed, exactly. Class Hull also has the faces.

    >>> import graze
    >>> len(graze.hull([(0, 0), (4, 0), (0, 4), (1, 1)]).vertices)
    3
    """

def sphere(radius: float) -> Shape:
    """Returns a sphere about the local origin."""

def circle(radius: float) -> Shape:
    """Returns a circle about the local origin, in 2D: a disk."""

def capsule(radius: float, half_length: float) -> Shape:
    """Returns a capsule whose core segment lies along local z."""

def capsule2(radius: float, half_length: float) -> Shape:
    """Returns a 2D capsule whose core segment lies along local x."""

def ellipsoid(x: float, y: float, z: float) -> Shape:
    """Returns an ellipsoid with these radii."""

def ellipse(x: float, y: float) -> Shape:
    """Returns a 2D ellipse with these radii."""

def cylinder(radius: float, half_length: float) -> Shape:
    """Returns a cylinder along local z."""

def cone(radius: float, half_length: float) -> Shape:
    """
    Returns a cone with its apex at +half_length on local z, and its base disk at -half_length.
    """

def halfspace(normal: graze.typing.VectorLike, offset: float) -> Shape:
    """
    Returns the points x with (normal/|normal|)·x <= offset. The normal has any nonzero length.
    """

def compound(parts: Sequence[Placed]) -> Shape:
    """
    Returns placed convex parts as one shape, their union.

    The depth of an overlap is that of the deepest pair of parts: a lower bound of the depth of the union.
    """

def user(dim: int, support: Callable[[tuple[float, ...]], graze.typing.SupportResult]) -> Shape:
    """
    Returns a shape that is given by its support function.

    support(direction) returns the point of the shape that is farthest in a local direction (never zero, any length). It
    may return (point, error): no point of the shape is farther than direction·point + error·|direction|. It must be
    deterministic. Answers about such a shape rely on this: answer.conditional is true.
    """

def _restore_shape(*arguments: Any) -> Shape: ...

class Placed:
    """
    A shape at its pose, prepared for any number of queries. Immutable.

    >>> import graze
    >>> graze.place(graze.sphere(1), (3, 0, 0))
    place(sphere(1.0), Pose((3.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    """

    @property
    def shape(self) -> Shape:
        """The shape, in its own frame."""

    @property
    def pose(self) -> Pose:
        """The pose of the shape in the world."""

    @property
    def dim(self) -> int:
        """2 or 3."""

    @property
    def part_count(self) -> int:
        """
        The number of parts of a compound, or of faces of a mesh; 1 for a convex shape.
        """

    def with_pose(self, pose: graze.typing.PoseLike) -> Placed:
        """
        Returns the same shape at another pose, in constant time for any number of vertices.
        """

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def place(shape: Shape, pose: graze.typing.PoseLike | None = None) -> Placed:
    """
    Places a shape. The pose is a rigid motion x -> R x + position from the local frame to the world.

    pose is None, the identity, or one of these forms, as numbers, sequences or arrays:

        3D  a Pose
            (x, y, z)                       a position
            (x, y, z, w, x, y, z)           a position and a quaternion
            ((x, y, z), (w, x, y, z))       the same as a pair
            ((x, y, z), R)                  a position and a rotation matrix, shape (3, 3)
            M                               a homogeneous matrix, shape (4, 4), with the last row (0, 0, 0, 1)
        2D  a Pose
            (x, y)                          a position
            (x, y, angle)                   a position and an angle
            (x, y, w, z)                    a position and a half-angle pair: cos(angle/2), sin(angle/2)
            ((x, y), angle or (w, z))       the same as a pair
            ((x, y), R)                     a position and a rotation matrix, shape (2, 2)
            M                               a homogeneous matrix, shape (3, 3), with the last row (0, 0, 1)

    Positions are in the unit of the shape. Angles are in radians, counter-clockwise. Quaternions have w first; they and
    half-angle pairs have any nonzero length. Matrices are by rows and multiply column vectors. R must be orthonormal within
    1e-6, without reflection; its quaternion is rounded.

    >>> import graze
    >>> graze.place(graze.box(1, 1), (4, 5, 0.0)).pose.position
    (4.0, 5.0)
    >>> graze.place(graze.box(1, 1), ((4, 5), [[0, -1], [1, 0]])).pose.apply((1, 0))
    (4.0, 6.0)
    """

def _restore_placed(*arguments: Any) -> Placed: ...

def bounds(placed: Placed) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """
    Returns the corners (min, max) of an axis-aligned box that contains the shape.

    >>> import graze
    >>> graze.bounds(graze.place(graze.box(1, 2), (4, 5)))
    ((3.0, 3.0), (5.0, 7.0))
    """

def support(placed: Placed, direction: graze.typing.VectorLike) -> tuple[tuple[float, ...], int | None]:
    """
    Returns the point that is farthest in a world direction, and the index of the core vertex.

    The index is None for a curved shape. The point is rounded.
    """

def project(placed: Placed, axis: graze.typing.VectorLike) -> tuple[float, float]:
    """
    Returns (min, max) of axis·x over the points x of a shape. The axis has any nonzero length. Rounded.
    """

def part(placed: Placed, index: int) -> Placed:
    """
    Returns part `index` of a compound, or face `index` of a mesh, at its place in the world.
    """

class Relation(enum.IntEnum):
    """The relation of two closed sets."""

    SEPARATED = 1
    """No common point."""

    TOUCHING = 2
    """Common points, and no overlap."""

    OVERLAPPING = 3
    """Common points, also after any small enough move."""

    UNDECIDED = 4
    """Curved shapes, up to about 1e-14 of the size from touching."""

class Algorithm(enum.Enum):
    """The algorithm that produced an answer."""

    GJK = 1
    """GJK in doubles, certified by a floating-point filter."""

    CACHED_AXIS = 2
    """A direction of an earlier query separates."""

    EXACT = 3
    """Exact refinement, started from the simplex of GJK."""

    HALFSPACE = 4
    """Half-space: one support point."""

    PORTAL = 5
    """Curved shapes near contact: portal refinement."""

    SAT = 6
    """Separating axes."""

    EPA = 7
    """The expanding polytope algorithm, for depths."""

    BRUTE = 8
    """All vertex pairs and their convex hull; not used by queries in Python."""

    FCCD = 9
    """Motion: supporting planes of the CSO and the relative path."""

    SWEEP = 10
    """Motion: time intervals, each with one separating direction."""

    LCCD = 11
    """Motion: the facets of the CSO and the relative path."""

    CA = 12
    """Motion: conservative advancement."""

    SAMPLING = 13
    """Motion: discrete sampling; not used by queries in Python."""

    BOUNDING_SPHERES = 14
    """Bounding spheres about the local origins are disjoint."""

    BOUNDARY_WALK = 15
    """Separated polygons: a walk along the boundary of the CSO."""

    CLOSED_FORM = 16
    """A formula for two simple shapes, or for a ray and a face of a mesh."""

    CONTAINMENT = 17
    """Solid meshes: the parity of the faces that a ray crosses."""

class Stop(enum.Enum):
    """Why an interval is wider than promised."""

    NONE = 0
    """It is as narrow as promised."""

    CUTOFF = 1
    """Beyond max_distance."""

    BUDGET = 2
    """max_iterations or the workspace was exhausted."""

    PRECISION = 3
    """Rounding, or the error of a user support function."""

    NONCONVEX = 4
    """Overlapping solid meshes: the depth is an interval."""

class Method(enum.Enum):
    """The algorithm for intersect() and distance()."""

    AUTO = 0
    """The fastest that applies."""

    GJK = 1
    """Plain GJK; a result that doubles do not certify is refined exactly."""

    EXACT = 2
    """Exact search only; not for curved shapes."""

    EPA = 3
    """As AUTO, but all depths by EPA; not for half-spaces."""

class Answer:
    """
    The answer to a query about two placed shapes. Immutable.

    The true signed distance is in [lower, upper]. Lengths are in the unit of the caller; vectors are in the world frame.
    """

    @property
    def a(self) -> Placed:
        """The first placed shape."""

    @property
    def b(self) -> Placed:
        """The second placed shape."""

    @property
    def relation(self) -> Relation:
        """
        The relation of A and B as closed sets; the clearance counts as a radius of A.
        """

    @property
    def distance(self) -> float:
        """
        > 0: gap; 0: touching; < 0: minus the penetration depth; NaN if not computed.
        """

    @property
    def lower(self) -> float:
        """
        A lower bound of the signed distance, as a length; NaN if not computed.
        """

    @property
    def upper(self) -> float:
        """
        An upper bound of the signed distance, as a length; NaN if not computed.
        """

    @property
    def normal(self) -> tuple[float, ...]:
        """
        Unit vector from A to B; touching: a weakly separating direction. NaN if not computed.
        """

    @property
    def point_a(self) -> tuple[float, ...]:
        """The witness point on A: point_b - point_a = distance·normal, rounded."""

    @property
    def point_b(self) -> tuple[float, ...]:
        """The witness point on B."""

    @property
    def part_a(self) -> int:
        """
        The deciding part of a compound, or face of a mesh; 0 for a convex shape.
        """

    @property
    def part_b(self) -> int:
        """The same of B."""

    @property
    def pairs_tested(self) -> int:
        """
        The number of pairs of parts that bounds did not exclude; 0 for convex shapes.
        """

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm that produced the answer."""

    @property
    def stopped(self) -> Stop:
        """Why the interval is wider than promised; NONE if it is not."""

    @property
    def iterations(self) -> int:
        """
        The number of steps of all algorithms of the query, tested axes included.
        """

    @property
    def exact(self) -> bool:
        """Some decision needed exact arithmetic."""

    @property
    def conditional(self) -> bool:
        """The answer relies on a user support function."""

    @property
    def is_relation_only(self) -> bool:
        """Whether it is an answer of intersect()."""

    @property
    def clearance(self) -> float:
        """The clearance of the query."""

    @property
    def certificate(self) -> dict[str, object]:
        """
        Why the relation and the interval hold, with the keys of docs/guide/command-line.md.

        Computed at the first use.
        """

    def verify(self) -> bool:
        """
        Verifies the answer in exact arithmetic, without any solver.

        Returns True if the relation and the interval are proved, and False if the certificate does not prove all of it; then
        repeat the query with proof=True. Raises Error if the answer is wrong.
        """

    def __bool__(self) -> bool: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_answer(*arguments: Any) -> Answer: ...

@overload
def distance(a: Placed, b: Placed) -> Answer: ...

@overload
def distance(a: Placed, b: Placed, *, clearance: float = 0.0, max_distance: float = float('inf'), tolerance: float = 0.0, max_iterations: int = 64, method: Method = ..., proof: bool = False) -> Answer:
    """
    Computes the signed distance of two shapes: the gap, 0, or minus the penetration depth.

    clearance: length >= 0 that is added exactly to the radii. max_distance: for larger gaps only `lower` is computed.
    tolerance: the wanted width of the interval. max_iterations: a budget for GJK. proof: stores the complete certificate,
    so that verify() also proves depths and all pairs of parts.

    The depth of a compound is that of its deepest pair of parts: a lower bound of the depth of the union. The depth of a
    solid mesh is the interval [lower, upper]; `distance` is `lower`, and moving B by -distance·normal ends the overlap.

    >>> import graze
    >>> a, b = graze.place(graze.box(1, 1, 1)), graze.place(graze.sphere(1), (4, 0, 0))
    >>> answer = graze.distance(a, b)
    >>> answer.distance, answer.relation.name, answer.point_a, answer.verify()
    (2.0, 'SEPARATED', (1.0, 0.0, 0.0), True)
    """

@overload
def distance(a: graze.typing.ShapesLike, poses_a: graze.typing.PosesLike, b: graze.typing.ShapesLike, poses_b: graze.typing.PosesLike, out: graze._arrays.Distances | None = None, *, clearance: graze.typing.NumbersLike = 0.0, max_distance: float = ..., pairs: graze.typing.PairsLike | None = None, fields: Sequence[str] | None = None, threads: int = 1) -> graze._arrays.Distances:
    """
    Computes the signed distances of pairs: arrays of shapes and poses, with the broadcasting of NumPy.

    a, b: Shapes of any dimension, or a Shape. poses_a, poses_b: float64 of shape (…, 7): x, y, z and the quaternion w, x,
    y, z; or (…, 4, 4): matrices; or (…, 3): positions. In 2D (…, 4): x, y and the half-angle pair w, z, as poses() returns
    them; (…, 3, 3); or (…, 2). Rows (x, y, angle) are rejected, because three of them have the shape of a matrix:
    poses(rows[:, :2], rows[:, 2]) converts them. None is the identity. Such arrays of shape (…, 7) are not copied.

    out: a record from Distances.empty(), which is filled; it must not share memory with the other arguments. clearance: a
    number, or an array that broadcasts with the pairs. pairs: two arrays of indices of bodies; then pair k is body
    pairs[0][k] of side a and body pairs[1][k] of side b. fields: the members to compute. threads: 1 to 256; the results
    have the same bits. The GIL is released.

    >>> import graze
    >>> shapes = graze.Shapes([graze.sphere(1), graze.box(1, 1, 1)])
    >>> result = graze.distance(shapes, (0, 0, 0), graze.point(), [[(4, 0, 0)], [(0, 3, 0)]])
    >>> result.distance.tolist()
    [[3.0, 3.0], [2.0, 2.0]]
    """

@overload
def intersect(a: Placed, b: Placed) -> Answer: ...

@overload
def intersect(a: Placed, b: Placed, *, clearance: float = 0.0, max_distance: float = float('inf'), tolerance: float = 0.0, max_iterations: int = 64, method: Method = ..., proof: bool = False) -> Answer:
    """
    Computes the relation of two shapes.

    For touching and undecided shapes all members are computed; otherwise the numbers are NaN. Options: distance().

    >>> import graze
    >>> graze.intersect(graze.place(graze.box(1, 1)), graze.place(graze.box(1, 1), (2, 0))).relation.name
    'TOUCHING'
    """

@overload
def intersect(a: graze.typing.ShapesLike, poses_a: graze.typing.PosesLike, b: graze.typing.ShapesLike, poses_b: graze.typing.PosesLike, out: graze._arrays.Relations | None = None, *, clearance: graze.typing.NumbersLike = 0.0, pairs: graze.typing.PairsLike | None = None, threads: int = 1) -> graze._arrays.Relations:
    """
    Computes the relations of pairs. Arguments: distance() for arrays.

    >>> import graze
    >>> touching = graze.intersect(graze.box(1, 1), [(0, 0), (2, 0), (3, 0)], graze.box(1, 1), None)
    >>> (touching.relation != graze.Relation.SEPARATED).tolist()
    [True, True, False]
    """

def contains(placed: Placed, point: graze.typing.VectorLike) -> Relation:
    """
    Computes the relation of a world point and a shape.

    OVERLAPPING: the point is strictly inside. TOUCHING: it is on the boundary, or in a flat shape.
    """

def intersect_list(a: Placed, members: Sequence[Placed], *, clearance: float = 0.0) -> list[tuple[int, Answer]]:
    """
    Returns (index, answer) for each member that is not separated from `a`, in order. Bounds are compared first.
    """

def distance_list(a: Placed, members: Sequence[Placed], *, clearance: float = 0.0, max_distance: float = ...) -> list[tuple[int, Answer]]:
    """
    Returns (index, answer) for each member that is not certainly farther than max_distance, in order.
    """

class Contact:
    """One contact point. Immutable. Rounded, without a certificate."""

    @property
    def point_a(self) -> tuple[float, ...]:
        """
        The contact point on A, 2 or 3 coordinates in the world: point_b - point_a = -depth·normal, rounded.
        """

    @property
    def point_b(self) -> tuple[float, ...]:
        """The contact point on B, 2 or 3 coordinates in the world."""

    @property
    def depth(self) -> float:
        """> 0: overlap; < 0: the gap of a speculative point."""

    @property
    def feature(self) -> int:
        """
        An id of the two faces, edges or corners in contact. Successive calls give the same contact the same id.
        """

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_contact(*arguments: Any) -> Contact: ...

def manifold(a: Placed, b: Placed, *, clearance: float = 0.0, speculative_distance: float = 0.0, tolerance: float = 0.0, max_iterations: int = 64, full: bool = False) -> tuple[Answer, list[Contact]]:
    """
    Computes the contact points of two shapes: (answer, contacts).

    answer is that of distance(). contacts are counter-clockwise about answer.normal: at most 4 (2D: 2) unless full is true.
    speculative_distance: length >= 0; points with a gap up to it are reported, too.

    >>> import graze
    >>> floor, box = graze.place(graze.halfspace((0, 0, 1), 0)), graze.place(graze.box(1, 1, 1), (0, 0, 1))
    >>> answer, contacts = graze.manifold(floor, box)
    >>> answer.relation.name, len(contacts)
    ('TOUCHING', 4)
    """

def contacts(a: Placed, b: Placed, *, clearance: float = 0.0, speculative_distance: float = 0.0) -> list[tuple[int, int, Relation, tuple[float, ...], list[Contact]]]:
    """
    Returns (part_a, part_b, relation, normal, contacts) for each pair of parts in contact.

    Parts are those of compounds and the faces of meshes. The order is deterministic, and not that of the indices.
    """

class Effort(enum.Enum):
    """How long fit_box() searches in 3D."""

    FAST = 1
    """A good box by local search."""

    BEST = 2
    """
    The smallest box, up to rounding, for hulls of up to about 600 vertices.
    """

class Hull:
    """
    The convex hull of a set of points, with its faces. Immutable.

    >>> import graze
    >>> hull = graze.Hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.1, 0.1, 0.1)])
    >>> len(hull.faces), round(hull.volume, 6), hull.shape
    (4, 0.166667, hull(<4 points>))
    """

    def __init__(self, points: graze.typing.PointsLike) -> None:
        """points: shape (n, 2) or (n, 3), n >= 1."""

    @property
    def shape(self) -> Shape:
        """The hull as a shape."""

    @property
    def dim(self) -> int:
        """2 or 3."""

    @property
    def affine_dim(self) -> int:
        """0: one point, 1: a segment, 2: a polygon, 3: a solid."""

    @property
    def vertices(self) -> list[tuple[float, ...]]:
        """The extreme points, each once, unrounded."""

    @property
    def indices(self) -> list[int]:
        """The input index of each vertex; for equal points, the first index."""

    @property
    def faces(self) -> list[list[int]]:
        """
        The vertices of each face, counter-clockwise from outside. Coplanar faces are merged.
        """

    @property
    def area(self) -> float:
        """The area of a polygon, or of the surface of a solid."""

    @property
    def volume(self) -> float:
        """The volume of a solid, otherwise 0."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_hull(*arguments: Any) -> Hull: ...

def fit_box(points: graze.typing.PointsLike, effort: Effort = ...) -> tuple[Placed, float]:
    """
    Computes a small box around points: (box, measure).

    points: shape (n, 2) or (n, 3), n >= 1. box is a placed shape that contains all points exactly. measure is its area, in
    3D its volume.

    >>> import graze
    >>> box, area = graze.fit_box([(0, 0), (1, 1), (2, 0), (1, -1)])
    >>> round(area, 6)
    2.0
    """

class Winding(enum.Enum):
    """The orientation of an outline."""

    NONE = 0
    """The signed area is 0."""

    CCW = 1
    """Counter-clockwise."""

    CW = 2
    """Clockwise."""

class OutlineErrorKind(enum.Enum):
    """The kinds of errors of an outline."""

    FEW_POINTS = 1
    """Fewer than 3 distinct points."""

    ZERO_AREA = 2
    """The signed area is 0, or the holes cover the outline."""

    REPEATED_NEIGHBOUR = 3
    """Vertex `index` equals the previous one, `other`."""

    REPEATED_POINT = 4
    """Vertex `index` equals the earlier vertex `other`."""

    EDGES_TOUCH = 5
    """Edges `index` < `other` have common points."""

    EDGES_CROSS = 6
    """Edges `index` < `other` cross."""

    HOLE_OUTSIDE = 7
    """Hole `ring` encloses points outside the polygon."""

class Splitting(enum.Enum):
    """How decompose() reduces the number of pieces."""

    AUTO = 0
    """FEWEST for up to 100 vertices without holes, otherwise FEW."""

    FEW = 1
    """Without holes, at most 4 times as many pieces as the fewest."""

    FEWEST = 2
    """The fewest pieces; not for holes."""

class OutlineError:
    """An error of an outline, and where it is. Edge i starts at vertex i."""

    @property
    def kind(self) -> OutlineErrorKind:
        """The kind of the error."""

    @property
    def ring(self) -> int:
        """0: the outline, 1: the first hole."""

    @property
    def index(self) -> int:
        """The index of the vertex or edge in its ring."""

    @property
    def other_ring(self) -> int:
        """The ring of the second vertex or edge, if there is one."""

    @property
    def other(self) -> int:
        """The index of the second vertex or edge in its ring, if there is one."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_outline_error(*arguments: Any) -> OutlineError: ...

class Outline:
    """The result of validate_outline(). Immutable."""

    @property
    def convex(self) -> bool:
        """
        Whether the outline is a convex polygon; false if all points are on one line.
        """

    @property
    def simple(self) -> bool:
        """Whether there are no errors."""

    @property
    def winding(self) -> Winding:
        """The orientation of the outline: the sign of its signed area."""

    @property
    def area(self) -> float:
        """The absolute value of the signed area, rounded."""

    @property
    def errors(self) -> list[OutlineError]:
        """All errors, sorted by kind, index and other."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_outline(*arguments: Any) -> Outline: ...

class Decomposition:
    """Convex pieces that tile a polygon exactly. Immutable."""

    @property
    def pieces(self) -> list[list[tuple[float, ...]]]:
        """The vertices of each piece, counter-clockwise."""

    @property
    def internal_edges(self) -> list[tuple[int, int, tuple[float, ...], tuple[float, ...]]]:
        """(left, right, start, end) of each edge that two pieces share."""

    @property
    def fewest(self) -> int:
        """
        A lower bound of the number of pieces without new vertices; after FEWEST the number itself.
        """

    @property
    def area(self) -> float:
        """The area of the polygon: that of all pieces, rounded."""

    @property
    def shape(self) -> Shape:
        """
        The polygon as one shape: a compound whose parts are the pieces, in order.

        In answers about it, part_a and part_b are indices of `pieces`. Points on the edges between pieces are inside the shape.
        Each use makes a new shape.
        """

    def verify(self) -> bool:
        """Proves exactly that the pieces tile the polygon. Raises Error if not."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_decomposition(*arguments: Any) -> Decomposition: ...

def validate_outline(vertices: graze.typing.PointsLike) -> Outline:
    """
    Validates an outline: convexity, winding, area, errors. Exact.

    vertices: shape (n, 2), in order, either winding.

    >>> import graze
    >>> bow = graze.validate_outline([(0, 0), (2, 2), (2, 0), (0, 1)])
    >>> bow.simple, bow.errors[0].kind.name
    (False, 'EDGES_CROSS')
    """

def decompose(vertices: graze.typing.PointsLike, holes: Sequence[graze.typing.PointsLike] = (), splitting: Splitting = ...) -> Decomposition:
    """
    Splits a polygon with holes into convex pieces that tile it exactly, without new vertices.

    vertices: shape (n, 2), in order, either winding. holes: the same for each hole.

    >>> import graze
    >>> parts = graze.decompose([(0, 0), (4, 0), (4, 4), (2, 1)])
    >>> len(parts.pieces), parts.verify()
    (2, True)
    """

def _restore_decomposed(*arguments: Any) -> Shape: ...

class MeshErrorKind(enum.Enum):
    """The kinds of errors of a mesh."""

    BAD_INDEX = 1
    """Corner `corner` of the face is not a vertex."""

    DEGENERATE_FACE = 2
    """The vertices of the face are on one line, exactly."""

    DUPLICATE_FACE = 3
    """The earlier face `other` has the same vertices."""

    OPEN_EDGE = 4
    """The edge that starts at `corner` belongs to no other face."""

    SHARED_EDGE = 5
    """The edge that starts at `corner` belongs to more than two faces."""

    ORIENTATION = 6
    """The edge occurs more often in this direction than in the other."""

    INTERSECTION = 7
    """The face meets the earlier face `other`."""

class MeshError:
    """An error of a mesh, and where it is."""

    @property
    def kind(self) -> MeshErrorKind:
        """The kind of the error."""

    @property
    def face(self) -> int:
        """The index of the face."""

    @property
    def corner(self) -> int:
        """0 to dim - 1."""

    @property
    def other(self) -> int:
        """-1 if the kind names none."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

class MeshReport:
    """The result of validate_mesh(). Immutable."""

    @property
    def closed(self) -> bool:
        """Each edge belongs to at least two faces."""

    @property
    def oriented(self) -> bool:
        """Each edge occurs as often in one direction as in the other: a solid."""

    @property
    def volume(self) -> float:
        """
        In 2D the area; signed, rounded; 0 if the mesh is not closed and oriented.
        """

    @property
    def errors(self) -> list[MeshError]:
        """All errors, sorted by kind, face, corner and other."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_mesh_error(*arguments: Any) -> MeshError: ...

def _restore_mesh_report(*arguments: Any) -> MeshReport: ...

def mesh(vertices: graze.typing.PointsLike, faces: graze.typing.FacesLike, surface: bool = False) -> Shape:
    """
    Returns triangles as a shape, in 2D edges.

    vertices: shape (n, 3), in 2D (n, 2). faces: indices of shape (m, 3), in 2D (m, 2), counter-clockwise from outside. A
    closed and consistently oriented mesh is solid, unless `surface` is true: then only its faces count.

    >>> import graze
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> graze.mesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]).is_solid
    True
    """

def validate_mesh(vertices: graze.typing.PointsLike, faces: graze.typing.FacesLike, intersections: bool = True) -> MeshReport:
    """
    Validates the faces of a mesh, exactly. Arguments: mesh().

    intersections: whether to search for faces that meet outside common vertices and edges.
    """

class CastOutcome(enum.IntEnum):
    """Whether moving bodies meet."""

    HIT = 1
    """A first contact in [t_lower, t_upper]."""

    CLEAR = 2
    """Certainly no contact in [0, t_max]."""

    POSSIBLE = 3
    """Undecided in [t_lower, t_upper]. Treat it as a hit."""

class CastMethod(enum.Enum):
    """The algorithm for cast()."""

    AUTO = 0
    """The fastest that applies."""

    FCCD = 1
    """The swept CSO and a ray cast; no rotation."""

    SWEEP = 2
    """Time intervals, each with one separating direction."""

    CA = 3
    """Conservative advancement."""

class Motion:
    """
    A constant velocity, with a rotation about the position at a constant rate. Immutable.

    velocity: length per time. angular: radians per time; in 3D about the world axis of this direction, in 2D a number.

    >>> import graze
    >>> graze.Motion((1, 0), 0.5)
    Motion((1.0, 0.0), 0.5)
    """

    def __init__(self, velocity: graze.typing.VectorLike, angular: graze.typing.VectorLike | float | None = None) -> None: ...

    @staticmethod
    def between(start: Pose, end: Pose, time: float) -> Motion:
        """
        Returns the motion from one pose to another in a time > 0: the shortest rotation. Rounded.
        """

    @property
    def dim(self) -> int:
        """2 or 3."""

    @property
    def velocity(self) -> tuple[float, ...]:
        """The velocity of the position, 2 or 3 coordinates: length per time."""

    @property
    def angular(self) -> tuple[float, ...] | float:
        """
        The angular velocity in radians per time: in 3D a vector along the axis, in 2D a number, counter-clockwise.
        """

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

class CastResult:
    """
    The result of a cast. Immutable. The first contact is in [t_lower, t_upper].

    Times are in the unit of the velocities. Members that are not computed are NaN.
    """

    @property
    def outcome(self) -> CastOutcome:
        """Whether the bodies meet in [0, t_max]."""

    @property
    def start_relation(self) -> Relation:
        """The relation at t = 0."""

    @property
    def t(self) -> float:
        """
        = t_lower: at this time the bodies do not overlap, unless they overlap at the start. NaN if clear.
        """

    @property
    def t_lower(self) -> float:
        """The earliest time of the first contact; NaN if clear."""

    @property
    def t_upper(self) -> float:
        """The latest time of the first contact; NaN if clear."""

    @property
    def point(self) -> tuple[float, ...]:
        """The contact point."""

    @property
    def normal(self) -> tuple[float, ...]:
        """Unit vector from A to B at t; for a ray, out of the solid."""

    @property
    def position_a(self) -> tuple[float, ...]:
        """The position of A at t, or at t_max if clear."""

    @property
    def position_b(self) -> tuple[float, ...]:
        """The position of B at t, or at t_max if clear."""

    @property
    def min_lower(self) -> float:
        """
        If clear, [min_lower, min_upper] contains the least distance in [0, t_max]: [0, NaN] without min_distance. NaN if a body rotates, and for other outcomes.
        """

    @property
    def min_upper(self) -> float:
        """
        If clear, an upper bound of the least distance in [0, t_max]: see min_lower.
        """

    @property
    def t_min(self) -> float:
        """
        If clear, the time of the least distance, rounded. NaN if a body rotates, or without min_distance.
        """

    @property
    def part_a(self) -> int:
        """
        The part of compound A, or face of mesh A, that is in contact first; if clear, the nearest. 0 for a convex shape.
        """

    @property
    def part_b(self) -> int:
        """
        The part of compound B, or face of mesh B, that is in contact first; if clear, the nearest. 0 for a convex shape.
        """

    @property
    def pairs_tested(self) -> int:
        """
        The number of casts of pairs of parts that bounds did not exclude; 0 for convex shapes.
        """

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm that produced the result."""

    @property
    def stopped(self) -> Stop:
        """
        PRECISION: an interval is wider than promised. BUDGET: the work limit was reached. Otherwise NONE.
        """

    @property
    def iterations(self) -> int:
        """The number of steps of the algorithm."""

    @property
    def exact(self) -> bool:
        """Some decision needed exact arithmetic."""

    @property
    def conditional(self) -> bool:
        """The result relies on a user support function."""

    @property
    def a(self) -> Placed:
        """The first body, at t = 0; the solid of a ray."""

    @property
    def b(self) -> Placed:
        """The second body; the point of a ray."""

    @property
    def motion_a(self) -> Motion:
        """The motion of A; at rest for a ray."""

    @property
    def motion_b(self) -> Motion:
        """The velocity of a ray is its direction."""

    @property
    def t_max(self) -> float:
        """The end of the time interval of the query."""

    @property
    def clearance(self) -> float:
        """The clearance of the query: a radius that is added to A."""

    @property
    def is_ray(self) -> bool:
        """Whether it is the result of raycast() or raycast_parts()."""

    @property
    def _target(self) -> Placed:
        """The body A; of a result of raycast_parts() the part."""

    @property
    def certificate(self) -> dict[str, object]:
        """Why the result holds, with the keys of docs/guide/command-line.md."""

    def verify(self) -> bool:
        """
        Verifies the result in exact arithmetic. Returns whether all of it is proved.

        A motion with rotation needs cast(…, proof=True). Raises Error if it is wrong, and for compounds and meshes.
        """

    def __bool__(self) -> bool:
        """Whether there is, or may be, a contact."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

@overload
def cast(a: Placed, motion_a: graze.typing.MotionLike | None, b: Placed, motion_b: graze.typing.MotionLike | None = None, t_max: float = 1.0, *, clearance: float = 0.0, tolerance: float = 0.0, max_iterations: int = 64, min_distance: bool = True, method: CastMethod = ..., proof: bool = False) -> CastResult:
    """
    Computes the first contact of two bodies that move for 0 <= t <= t_max. No contact is missed.

    motion_a, motion_b: a Motion, a velocity, or None: at rest. clearance: a radius that is added to A. min_distance:
    whether to compute the least distance of bodies that stay clear, unless a body rotates. proof: stores the complete
    certificate, so that verify() also proves motions with rotation.

    >>> import graze
    >>> ball, wall = graze.place(graze.sphere(1)), graze.place(graze.box(1, 9, 9), (12, 0, 0))
    >>> hit = graze.cast(ball, (40, 0, 0), wall)
    >>> hit.outcome.name, round(hit.t, 9), hit.verify()
    ('HIT', 0.25, True)
    """

@overload
def cast(a: graze.typing.ShapesLike, poses_a: graze.typing.PosesLike, velocities_a: graze.typing.NumbersLike | None, b: graze.typing.ShapesLike, poses_b: graze.typing.PosesLike, velocities_b: graze.typing.NumbersLike | None, t_max: float = 1.0, out: graze._arrays.Casts | None = None, *, clearance: graze.typing.NumbersLike = 0.0, pairs: graze.typing.PairsLike | None = None, fields: Sequence[str] | None = None, threads: int = 1) -> graze._arrays.Casts:
    """
    Computes the first contacts of pairs that move without rotation. Arguments: distance() for arrays.

    velocities_a, velocities_b: shape (…, dim), length per time; they broadcast with the poses. None: at rest.

    >>> import graze
    >>> hits = graze.cast(graze.sphere(1), None, [(4, 0, 0), (0, 1, 0)], graze.point(), (3, 0, 0), None)
    >>> [graze.CastOutcome(outcome).name for outcome in hits.outcome]
    ['HIT', 'CLEAR']
    """

def _restore_ray(*arguments: Any) -> CastResult: ...

def _restore_part_hit(*arguments: Any) -> CastResult: ...

def _restore_cast(*arguments: Any) -> CastResult: ...

def raycast(placed: Placed, origin: graze.typing.VectorLike, direction: graze.typing.VectorLike, t_max: float = float('inf'), clearance: float = 0.0, tolerance: float = 0.0, max_iterations: int = 64, min_distance: bool = True) -> CastResult:
    """
    Computes the first point of a solid on the ray origin + t·direction, 0 <= t <= t_max.

    A ray that starts inside or on the surface hits at t = 0. For meshes, set min_distance to False if only hits matter.

    >>> import graze
    >>> round(graze.raycast(graze.place(graze.circle(1), (5, 0)), (0, 0), (1, 0)).t, 9)
    4.0
    """

def raycast_parts(placed: Placed, origin: graze.typing.VectorLike, direction: graze.typing.VectorLike, t_max: float = ...) -> list[CastResult]:
    """
    Returns a result for each part that a ray hits, for example all faces of a mesh. The order is not that of t.

    part_a is the index of the part. The certificate and verify() are about part(placed, part_a).
    """

def _explain(result: Answer | CastResult, line: str) -> tuple[str, str | None, str]: ...

def _query_options(result: Answer | CastResult) -> dict[str, object]: ...

class _Table:
    def __init__(self, shapes: Sequence[Shape]) -> None: ...

    def __len__(self) -> int: ...

    @property
    def dim(self) -> int: ...

    def shape(self, index: int) -> Shape: ...

def _batch(*arguments: Any) -> tuple[int, int, int]: ...

def _poses_of_matrices(matrices: Any, dim: int, out: Any, argument: str) -> None: ...

def _half_angles(angles: Any, out: Any) -> None: ...

class Body:
    """The id of a body of a scene. Immutable."""

    def __init__(self, slot: int, generation: int) -> None: ...

    @property
    def slot(self) -> int:
        """
        The index of the storage of the body; slots of removed bodies are used again.
        """

    @property
    def generation(self) -> int:
        """The number of the body among those of its slot, >= 1."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple[object, ...]: ...

    def __repr__(self) -> str: ...

class Filter:
    """
    Selects bodies. Immutable.

    A body is selected if each category shares a bit with the other mask, if it is not `exclude`, and if accept(body) is
    true. accept must not change the scene.
    """

    def __init__(self, *, category: int = 1, mask: int = 18446744073709551615, exclude: Body | None = None, sensors: bool = False, accept: Callable[[Body], bool] | None = None) -> None: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_filter(*arguments: Any) -> Filter: ...

class EventKind(enum.Enum):
    """The kind of an event."""

    BEGIN = 1
    """A contact began."""

    STAY = 2
    """A contact of the last step persists."""

    END = 3
    """A contact ended."""

class Event:
    """A change of the contact of two bodies, a.slot < b.slot. Immutable."""

    @property
    def kind(self) -> EventKind:
        """Whether a contact began, persists or ended."""

    @property
    def a(self) -> Body:
        """The body with the lower slot."""

    @property
    def b(self) -> Body:
        """The body with the higher slot."""

    @property
    def outcome(self) -> CastOutcome:
        """BEGIN: HIT or POSSIBLE; otherwise HIT."""

    @property
    def t_lower(self) -> float:
        """
        BEGIN: [t_lower, t_upper] contains the time of the contact, from the start of the step.
        """

    @property
    def t_upper(self) -> float:
        """
        BEGIN: the latest time of the contact, from the start of the step; otherwise 0.
        """

    @property
    def point(self) -> tuple[float, ...]:
        """BEGIN: the contact point. NaN: not known."""

    @property
    def normal(self) -> tuple[float, ...]:
        """BEGIN: unit vector from A to B. NaN: not known."""

    @property
    def part_a(self) -> int:
        """
        BEGIN: the part of compound A, or face of mesh A, in contact; 0 for a convex shape.
        """

    @property
    def part_b(self) -> int:
        """
        BEGIN: the part of compound B, or face of mesh B, in contact; 0 for a convex shape.
        """

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_event(*arguments: Any) -> Event: ...

class Step:
    """The results of a step. Immutable."""

    @property
    def events(self) -> tuple[Event, ...]:
        """Sorted by a.slot, b.slot and kind."""

    @property
    def pairs(self) -> int:
        """The number of candidate pairs."""

    @property
    def casts(self) -> int:
        """The number of queries about when two bodies collide."""

    @property
    def responses(self) -> int:
        """The number of contacts that changed a motion."""

    @property
    def stalled(self) -> int:
        """The number of bodies that stand still until the next step."""

    @property
    def overlaps(self) -> int:
        """The number of responding pairs that overlap at the end of the step."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_step(*arguments: Any) -> Step: ...

class BodyHit:
    """The first contact with one body. Immutable."""

    @property
    def outcome(self) -> CastOutcome:
        """HIT or POSSIBLE."""

    @property
    def t(self) -> float:
        """
        = t_lower: at this time the shapes do not overlap, unless they overlap at the start.
        """

    @property
    def t_lower(self) -> float:
        """The earliest time of the first contact, in the unit of the velocities."""

    @property
    def t_upper(self) -> float:
        """The latest time of the first contact, in the unit of the velocities."""

    @property
    def point(self) -> tuple[float, ...]:
        """The contact point."""

    @property
    def normal(self) -> tuple[float, ...]:
        """
        Unit vector from the query shape to the body; of a ray: out of the body.
        """

    @property
    def part_a(self) -> int:
        """
        The part of the query shape that meets the body first; 0 for a convex shape. For a ray: the part of the body.
        """

    @property
    def part_b(self) -> int:
        """
        The part of the body that the query shape meets first; 0 for a convex shape and for a ray.
        """

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_hit(*arguments: Any) -> BodyHit: ...

class CollisionResponse(enum.Enum):
    """The response of a moved body to another body."""

    IGNORE = 0
    """It passes through; not reported."""

    CROSS = 1
    """It passes through; reported."""

    TOUCH = 2
    """It stops."""

    SLIDE = 3
    """It slides along the other body."""

    BOUNCE = 4
    """It bounces off the other body."""

class Collision:
    """A collision of a moved body. Immutable."""

    @property
    def other(self) -> Body:
        """The body that the moved body met."""

    @property
    def response(self) -> CollisionResponse:
        """
        The response of the moved body, as chosen; TOUCH also if the normal is not known.
        """

    @property
    def overlapped(self) -> bool:
        """The two overlapped at first."""

    @property
    def stuck(self) -> bool:
        """The two overlapped, and no direction separates them."""

    @property
    def stopped(self) -> bool:
        """The last collision that is not CROSS, if it ended the motion early."""

    @property
    def t(self) -> float:
        """The fraction of the motion, 0 to 1."""

    @property
    def point(self) -> tuple[float, ...]:
        """The contact point, 2 or 3 coordinates in the world. NaN: not known."""

    @property
    def normal(self) -> tuple[float, ...]:
        """Unit vector from the moved body to the other. NaN: not known."""

    @property
    def pose(self) -> Pose:
        """The pose of the moved body at the collision."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

def _restore_collision(*arguments: Any) -> Collision: ...

class BodyType(enum.Enum):
    """How a body moves."""

    STATIC = 1
    """It does not move."""

    KINEMATIC = 2
    """It moves by its motion; contacts do not change it."""

    DYNAMIC = 3
    """Contacts change its motion."""

class Response(enum.Enum):
    """How a contact changes the motion of a dynamic body."""

    NONE = 0
    """Not at all."""

    STOP = 1
    """All velocities become 0."""

    SLIDE = 2
    """It loses the velocity in the direction of the normal."""

    BOUNCE = 3
    """It reverses that velocity, times `bounce`."""

class Scene:
    """
    Bodies, queries about them, and steps that move them.

    step() moves all bodies with continuous collision detection, so fast bodies do not tunnel. It reports an event when a
    contact begins, persists or ends.

    dim: 2 or 3. skin: the gap at which responding bodies stop; 0: 2^-16 of the smaller body. push_speed: the largest speed
    at which overlapping bodies are separated. threads: 1 to 256; results do not depend on it.

    >>> import graze
    >>> scene = graze.Scene(dim=2)
    >>> wall = scene.add(graze.box(1, 9), (10, 0), type=graze.BodyType.STATIC)
    >>> ball = scene.add(graze.circle(1), motion=(100, 0))
    >>> [(event.kind.name, event.a == wall, event.b == ball) for event in scene.step(0.5).events]
    [('BEGIN', True, True)]
    >>> round(scene.pose(ball).position[0], 3)
    8.0
    """

    def __init__(self, dim: int = 3, *, method: CastMethod = CastMethod.AUTO, skin: float = 0.0, push_speed: float = 1e+30, threads: int = 1) -> None: ...

    @property
    def dim(self) -> int:
        """2 or 3."""

    def add(self, shape: Shape, pose: graze.typing.PoseLike | None = None, *, motion: graze.typing.MotionLike | None = None, type: BodyType = BodyType.DYNAMIC, category: int = 1, mask: int = 18446744073709551615, sensor: bool = False, margin: float = 0.0, response: Response = Response.SLIDE, mass: float = 1.0, bounce: float = 1.0, user: object | None = None) -> Body:
        """
        Adds a body and returns its id.

        Two bodies are a pair if each category shares a bit with the other mask. sensor: contacts are reported, but nothing
        responds. margin: the body counts as in contact from this distance on. bounce: restitution, 0 to 1. user: any object.
        """

    def remove(self, body: Body) -> None:
        """Removes a body. Its contacts end without an event."""

    def get(self, body: Body) -> dict[str, Any]:
        """
        Returns the current members of a body, with the names of the arguments of add().
        """

    def set(self, body: Body, **changes: Any) -> None:
        """
        Changes members of a body, with the names of the arguments of add(). Its id and its contacts stay.
        """

    def user(self, body: Body) -> Any:
        """Returns the object that add() received."""

    def pose(self, body: Body) -> Pose:
        """Returns the current pose of a body."""

    def motion(self, body: Body) -> Motion:
        """Returns the current motion of a body, per unit of time."""

    def placed(self, body: Body) -> Placed:
        """Returns the placed shape of a body, for queries of two shapes."""

    def set_pose(self, body: Body, pose: graze.typing.PoseLike) -> None:
        """Places a body and ignores contacts on the path."""

    def set_motion(self, body: Body, motion: graze.typing.MotionLike | None) -> None:
        """Sets the motion of a body from now on; None: at rest."""

    def __len__(self) -> int: ...

    def __contains__(self, body: Body) -> bool: ...

    def __iter__(self) -> Iterator[Body]:
        """Iterates over the bodies, by slot."""

    def step(self, dt: float) -> Step:
        """
        Moves all bodies by a time dt >= 0 and reports the contacts. Releases the GIL.
        """

    def save(self) -> bytes:
        """
        Returns the state of the scene. The bytes are the same on every machine.
        """

    def restore(self, snapshot: bytes) -> None:
        """
        Restores the state of a snapshot, with its dimension.

        Compounds, meshes and support functions are not in it: they come from the body with the same id.
        """

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, ...]: ...

    def overlap(self, placed: Placed, filter: Filter | None = None) -> list[Body]:
        """
        Returns the bodies that touch or overlap a shape, or may do so, by slot.
        """

    def overlap_any(self, placed: Placed, filter: Filter | None = None) -> Body | None:
        """Returns one body that touches or overlaps a shape, or may do so."""

    def in_box(self, min: graze.typing.VectorLike, max: graze.typing.VectorLike, filter: Filter | None = None) -> list[Body]:
        """Returns the bodies whose bounds overlap a box. Sides may be infinite."""

    def within(self, placed: Placed, distance: float, filter: Filter | None = None) -> list[tuple[Body, Answer]]:
        """
        Returns (body, answer) for the bodies that are, or may be, within a distance of a shape, by slot.
        """

    def nearest(self, placed: Placed, count: int = 1, distance: float = ..., filter: Filter | None = None) -> list[tuple[Body, Answer]]:
        """Returns (body, answer) for the nearest bodies, by distance."""

    def closest_pairs(self, count: int = 1, distance: float = ...) -> list[tuple[Body, Body, Answer]]:
        """
        Returns (a, b, answer) for the nearest pairs of bodies, by distance. Releases the GIL.
        """

    def pairs(self) -> list[tuple[Body, Body]]:
        """
        Returns the pairs of bodies whose bounds meet (broad phase), by slots. Releases the GIL.
        """

    def cast(self, placed: Placed, motion: graze.typing.MotionLike, t_max: float = 1.0, filter: Filter | None = None) -> tuple[Body, BodyHit] | None:
        """
        Returns the first body that a moving shape touches, while all bodies are at rest.
        """

    def cast_any(self, placed: Placed, motion: graze.typing.MotionLike, t_max: float = 1.0, filter: Filter | None = None) -> tuple[Body, BodyHit] | None:
        """As cast(), but stops at any body, which need not be the first one."""

    def cast_all(self, placed: Placed, motion: graze.typing.MotionLike, t_max: float = 1.0, filter: Filter | None = None) -> list[tuple[Body, BodyHit]]:
        """As cast(), but returns all bodies, each as if it were alone, by time."""

    def raycast(self, origin: graze.typing.VectorLike, direction: graze.typing.VectorLike, t_max: float = ..., filter: Filter | None = None) -> tuple[Body, BodyHit] | None:
        """Returns the first body on a ray. t is in units of `direction`."""

    def raycast_any(self, origin: graze.typing.VectorLike, direction: graze.typing.VectorLike, t_max: float = ..., filter: Filter | None = None) -> tuple[Body, BodyHit] | None:
        """As raycast(), but stops at any body on the ray: a test of visibility."""

    def raycast_all(self, origin: graze.typing.VectorLike, direction: graze.typing.VectorLike, t_max: float = ..., filter: Filter | None = None) -> list[tuple[Body, BodyHit]]:
        """As raycast(), but returns all bodies on the ray, by time."""

    def manifold(self, a: Body, b: Body) -> tuple[Answer, list[Contact]]:
        """
        Computes the contact points of two bodies where they are: see graze.manifold().
        """

    def move(self, body: Body, motion: graze.typing.MotionLike, choose: Callable[[Body, Body], CollisionResponse] | None = None) -> list[Collision]:
        """
        Moves one body by a motion of one unit of time, while all others are at rest: "move and slide".

        choose(moved, other) returns the response to another body; None: SLIDE. Returns at most 64 collisions, by time.
        """
