"""Prints the coefficients of math.wgsl: Chebyshev fits of 80 digits, rounded to float32.

pip install mpmath; python3 coefficients.py
"""
from mpmath import mp, chebyfit, exp, atanh, sin, cos, atan, erf, erfc, sqrt, log, pi, mpf, taylor
import struct

mp.dps = 80


def f32(x):
    return struct.unpack("f", struct.pack("f", float(x)))[0]


def fit(name, f, lo, hi, terms):
    lo, hi = mpf(lo), mpf(hi)
    c, err = chebyfit(f, [lo, hi], terms, error=True)
    print(name, "error", mp.nstr(err, 3), "from the constant up:")
    print("   ", ", ".join("%.9g" % f32(x) for x in reversed(c)))


def near(f, series):
    """f away from 0, its series at 0, where the quotient has lost its digits."""
    return lambda x: f(x) if abs(x) > mpf(10) ** -8 else series(x)


fit("(exp(r) - 1 - r) / r^2", near(lambda r: (exp(r) - 1 - r) / r**2, lambda r: mpf(1) / 2 + r / 6), -log(2) / 2, log(2) / 2, 6)
fit("(atanh(s)/s - 1) / s^2, of s^2", near(lambda z: (atanh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: mpf(1) / 3 + z / 5), 0, mpf("0.0296"), 4)
q = (pi / 4 + mpf("0.001")) ** 2
fit("(sin(r)/r - 1) / r^2, of r^2", near(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: -mpf(1) / 6 + z / 120), 0, q, 4)
fit("(cos(r) - 1 + r^2/2) / r^4, of r^2", near(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, lambda z: mpf(1) / 24 - z / 720), 0, q, 4)
fit("(atan(t)/t - 1) / t^2, of t^2", near(lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, lambda z: -mpf(1) / 3 + z / 5), 0, mpf("0.1718"), 6)
fit("erf(x)/x - 1, of x^2 up to 1", near(lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: 2 / sqrt(pi) * (1 - z / 3) - 1), 0, 1, 8)
for lo, hi in ((1, 2), (2, 4)):
    m = mpf(lo + hi) / 2
    fit("-log(erfc(x)) at x = %s + t" % m, lambda t: -log(erfc(m + t)), lo - m, hi - m, 9)
for name, x in (("ln2", log(2)), ("1/ln2", 1 / log(2)), ("ln10", log(10)), ("1/ln10", 1 / log(10)), ("log2(10)", log(10) / log(2))):
    h = f32(x)
    print(name, "%.9g %.9g" % (h, f32(x - mpf(h))))
c = mp.floor(1 / log(2) * 2**11) / 2**11
print("1/ln2 in 12 bits", "%.12g" % float(c), "%.9g" % f32(1 / log(2) - c))
# pi/2 in parts of 11 bits, so that their products with numbers of up to 12 bits are exact.
rest, parts = pi / 2, []
for _ in range(3):
    e = mp.floor(log(rest) / log(2))
    p = mp.floor(rest / mpf(2) ** (e - 10)) * mpf(2) ** (e - 10)
    parts.append("%.12g" % float(p))
    rest -= p
print("pi/2", ", ".join(parts), "%.9g" % f32(rest))
w = mp.floor(2 / pi * mpf(2) ** 224)
print("2/pi", ", ".join("0x%08xu" % int(w / 2 ** (224 - 32 * (i + 1)) % 2**32) for i in range(7)))
