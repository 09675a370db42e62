"""What NumPy and SciPy take for the benchmarks of everyday_test.go.

Prints lines as Go's benchmarks do, least of several runs. For one thread:

    OPENBLAS_NUM_THREADS=1 taskset -c 1 python3 everyday_peers.py
"""

import functools

import numpy as np
import scipy.fft
import scipy.linalg
import scipy.signal

from timing import best

MILLION = 1000000
rng = np.random.default_rng(1)
best = functools.partial(best, repeats=15)

for dtype in np.float32, np.float64:
    t = np.dtype(dtype).name
    best(f"Uniform/{t}", lambda: rng.random(MILLION, dtype=dtype))
    best(f"Normal/{t}", lambda: rng.standard_normal(MILLION, dtype=dtype))
    x = rng.standard_normal(MILLION, dtype=dtype)
    best(f"Sort/{t}", lambda: np.sort(x))
    best(f"ArgSort/{t}", lambda: np.argsort(x))
    best(f"ArgSortStable/{t}", lambda: np.argsort(x, kind="stable"), repeats=5)
    best(f"TopK/{t}", lambda: np.argsort(-x[np.argpartition(x, -10)[-10:]]))
    best(f"Nonzero/{t}", lambda: np.nonzero(x > 0))
    rows, edges = x.reshape(1000, 1000), np.linspace(-4, 4, 65, dtype=dtype)
    sos = scipy.signal.butter(8, 0.2, output="sos").astype(dtype)
    best(f"Statistics/{t}/Histogram", lambda: np.histogram(x, edges))
    best(f"Statistics/{t}/Median", lambda: np.median(x))
    best(f"Statistics/{t}/MedianOfRows", lambda: np.median(rows, 1))
    best(f"Statistics/{t}/Quantile", lambda: np.quantile(x, 0.9))
    best(f"Statistics/{t}/SortRows", lambda: np.sort(rows))
    best(f"Statistics/{t}/SOS", lambda: scipy.signal.sosfilt(sos, x))
    best(f"Statistics/{t}/FiltFilt", lambda: scipy.signal.sosfiltfilt(sos, x))
    y = rng.standard_normal(MILLION, dtype=dtype)
    best(f"Elements/{t}/Rem", lambda: np.fmod(x, y))
    best(f"Elements/{t}/Repeat", lambda: np.repeat(x, 4))
    best(f"Elements/{t}/IsNaN", lambda: np.isnan(x))
    base = np.abs(x)
    best(f"Elements/{t}/Pow", lambda: base**y)
    for by in 2, 0.5, 3, 1.7:
        best(f"Elements/{t}/Pow{by}", lambda: base**by)
    best(f"Elements/{t}/CumSum", lambda: np.cumsum(x))
    best(f"Elements/{t}/ArgMax", lambda: np.argmax(x))
    best(f"Elements/{t}/Any", lambda: (x > 9).any())
    best(f"DCT/{t}", lambda: scipy.fft.dct(x))
    for n in 4, 8, 16, 32:
        q = rng.standard_normal((MILLION // n, n), dtype=dtype)
        best(f"ShortLines/{t}/{n}/Sort", lambda: np.sort(q))
        best(f"ShortLines/{t}/{n}/ArgSort", lambda: np.argsort(q))
        best(f"ShortLines/{t}/{n}/Median", lambda: np.median(q, 1))
        best(f"ShortLines/{t}/{n}/CumSum", lambda: np.cumsum(q, 1))
    at, bins = rng.integers(0, MILLION, MILLION), rng.integers(0, 1000, MILLION)
    best(f"Places/{t}/Take", lambda: x[at])
    best(f"Places/{t}/ScatterAdd", lambda: np.bincount(bins, x, 1000))
    best(f"Places/{t}/AllClose", lambda: np.allclose(x, x))
    z = (x + 1j * y).astype(np.result_type(dtype, np.complex64))
    best(f"Complex/{t}/Abs", lambda: np.abs(z))
    best(f"Complex/{t}/Angle", lambda: np.angle(z))
    best(f"Complex/{t}/CumSum", lambda: np.cumsum(z))
for t in "uint8", "int8", "int16", "int32", "uint32", "int64":
    name = f"ElementsOfIntegers/{t}/"
    x, y = (rng.integers(-128, 128, MILLION).astype(t) for _ in range(2))
    f = x.astype(np.float32)
    best(name + "Add", lambda: x + y)
    best(name + "Mul", lambda: x * y)
    best(name + "MulScalar", lambda: x * 3)
    best(name + "Maximum", lambda: np.maximum(x, y))
    best(name + "Less", lambda: x < y)
    best(name + "EqualScalar", lambda: x == 7)
    best(name + "Abs", lambda: np.abs(x))
    best(name + "Clip", lambda: np.clip(x, 5, 50))
    best(name + "DivScalar", lambda: x // 3)
    with np.errstate(divide="ignore"):
        best(name + "Div", lambda: x // y)
        best(name + "Rem", lambda: np.fmod(x, y))
    best(name + "RemScalar", lambda: np.fmod(x, 7))
    best(name + "Sign", lambda: np.sign(x))
    best(name + "Where", lambda: np.where(x < y, x, y))
    best(name + "Max", lambda: x.max())
    best(name + "Sum", lambda: x.sum(dtype=np.int64))
    best(name + "SumSame", lambda: x.sum(dtype=x.dtype))
    best(name + "Mean", lambda: x.mean())
    best(name + "ArgMax", lambda: x.argmax())
    best(name + "CumSum", lambda: np.cumsum(x, dtype=x.dtype))
    best(name + "ToFloat32", lambda: x.astype(np.float32))
    best(name + "ToFloat64", lambda: x.astype(np.float64))
    best(name + "ToInt32", lambda: x.astype(np.int32))
    best(name + "ToScaled", lambda: x.astype(np.float32) * np.float32(1 / 32768))
    best(name + "FromFloat32", lambda: f.astype(t))
    best(name + "Sort", lambda: np.sort(x))
best("Randint", lambda: rng.integers(0, 1000, MILLION))
a = rng.standard_normal((256, 256))
d = a @ a.T + 256 * np.eye(256)
best("Eigh", lambda: scipy.linalg.eigh(d))
best("SVD", lambda: scipy.linalg.svd(a))
best("Cholesky", lambda: scipy.linalg.cholesky(d, lower=True))
for n in 64, 256, 512:
    s, y = rng.standard_normal((n, n)), rng.standard_normal((n, 1))
    best(f"Solve/{n}", lambda: scipy.linalg.solve(s, y))
c, y = np.append(50, rng.standard_normal(1000)), rng.standard_normal(1001)
best("ToeplitzSolve", lambda: scipy.linalg.solve_toeplitz(c, y))
m = rng.standard_normal((1000, 1000))
best("Columns/Sort", lambda: np.sort(m, axis=0))
best("Columns/ArgMax", lambda: np.argmax(m, axis=0))
best("Columns/Transpose", lambda: np.ascontiguousarray(m.T))
best("Columns/RFFTN", lambda: scipy.fft.rfft2(m))
for name, t in (("float32", np.complex64), ("float64", np.complex128)):
    z = (rng.standard_normal((1024, 513)) + 1j * rng.standard_normal((1024, 513))).astype(t)
    best(f"Columns/{name}/FFT", lambda: scipy.fft.fft(z, axis=0))
