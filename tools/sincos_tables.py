#!/usr/bin/env python3
"""Prints the integer tables of src/core/sincos.c, and how near a double angle comes to a multiple of pi.

The last line bounds what the argument reduction can cancel (docs/theory/sincos.md): over every exponent e that it sees
and 0 < m < 2^53, the least distance of m*2^e/pi from a positive integer. For one e the best m is the denominator of a
convergent of the continued fraction of 2^e/pi."""
from fractions import Fraction

BITS = 1000


def pi_scaled():
    """pi*2^BITS, within a unit, by Machin's formula."""
    one = 1 << (BITS + 64)

    def arctan_of_inverse(n):
        term, total, k = one // n, 0, 1
        while term:
            total += term // k if k % 4 == 1 else -(term // k)
            term //= n * n
            k += 2
        return total

    return 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239)) >> 64


def convergents(x):
    """The convergents p/q of x with q < 2^53, as (p, q)."""
    p0, q0, p1, q1 = 0, 1, 1, 0
    while True:
        whole = x.numerator // x.denominator
        p0, q0, p1, q1 = p1, q1, whole * p1 + p0, whole * q1 + q0
        if q1 >= 1 << 53:
            return
        yield p1, q1
        if x == whole:
            return
        x = 1 / (x - whole)


def words(value, count):
    return ", ".join(f"0x{value >> 64 * i & 2**64 - 1:016x}" for i in reversed(range(count)))


def main():
    pi = pi_scaled()
    print("1/pi:", words((1 << (BITS + 320)) // pi, 5))
    print("pi/4:", words(pi >> (BITS + 2 - 64), 1))
    factorial = 1
    for k in range(2, 21):
        factorial *= k
        print(f"1/{k}!:", words(((1 << 65) // factorial + 1) >> 1, 1))
    worst = None
    for e in range(-78, 81):
        x = Fraction(2**100 << BITS, pi) * Fraction(2)**(e - 100)
        for p, q in convergents(x):
            distance = abs(q * x - p)
            if p > 0 and (worst is None or distance < worst[0]):
                worst = distance, q, e
    distance, m, e = worst
    print(f"nearest to a multiple of pi: angle {m}*2^{e}, angle/pi is {float(distance):.4g} from an integer")


if __name__ == "__main__":
    main()
