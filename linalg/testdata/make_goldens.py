"""Writes goldens.json: what SciPy, NumPy and mpmath make of matrices and vectors.

    python3 linalg/testdata/make_goldens.py

Every case has the operation, its arguments and its results; arrays are a shape
and values, with real and imaginary parts by turns if they are complex. Vectors
of singular and eigenvalues are known up to a sign or a phase, so only the values
are stored. cond is how much errors of rounding may grow.
"""

import json
import pathlib

import mpmath
import numpy as np
import scipy
import scipy.linalg as sl
from scipy.signal import lfilter

rng = np.random.default_rng(9)
cases = []


def pack(a):
    a = np.asarray(a)
    if np.iscomplexobj(a):
        flat = np.stack([a.real, a.imag], -1).ravel()
    else:
        flat = a.astype(np.float64).ravel()
    return {"shape": list(a.shape), "complex": bool(np.iscomplexobj(a)), "v": flat.tolist()}


def case(op, name, args, results, **options):
    cond = 1.0
    if args[0].ndim >= 2:
        values = np.linalg.svd(args[0], compute_uv=False)
        values = np.where(values > 1e-12 * values[..., :1], values, np.inf)
        least = np.min(values)
        cond = float(np.max(np.where(np.isinf(values), 0, values)) / least)
    cases.append({"op": op, "name": name, "cond": cond, "args": [pack(a) for a in args], "results": [pack(r) for r in results], **options})


def kahan(n, angle=1.2):
    s, c = np.sin(angle), np.cos(angle)
    return np.diag(s ** np.arange(n)) @ (np.eye(n) - c * np.triu(np.ones((n, n)), 1))


def normal(*shape, cx=False):
    a = rng.standard_normal(shape)
    return a + 1j * rng.standard_normal(shape) if cx else a


def composed(m, n, s):
    u, _ = np.linalg.qr(normal(m, len(s)))
    v, _ = np.linalg.qr(normal(n, len(s)))
    return u * s @ v.T


matrices = {
    "one": normal(1, 1),
    "square": normal(5, 5),
    "tall": normal(9, 4),
    "wide": normal(3, 7),
    "hilbert 6": sl.hilbert(6),
    "hilbert 12": sl.hilbert(12),
    "kahan 10": kahan(10),
    "clustered": composed(8, 6, np.array([2, 2, 2 - 1e-9, 1, 1, 1e-3])),
    "rank 2": composed(6, 5, np.array([3.0, 1.0])),
    "graded": normal(6, 6) * 10.0 ** -np.arange(6),
    "complex": normal(5, 5, cx=True),
    "complex tall": normal(8, 3, cx=True),
    "complex wide": normal(2, 6, cx=True),
    "repeated columns": np.repeat(normal(6, 2), 2, axis=1),
    "batch": normal(2, 3, 4, 3),
}

for name, a in matrices.items():
    case("svd values", name, [a], [np.linalg.svd(a, compute_uv=False)])
    case("norm", name, [a], [np.linalg.norm(a, k, axis=(-2, -1)) for k in ("fro", 1, np.inf, 2, "nuc")])
    case("rank", name, [a], [np.linalg.matrix_rank(a)])
    if "hilbert 12" not in name and "rank" not in name and "repeated" not in name:
        case("cond", name, [a], [np.linalg.cond(a)])
        case("pinv", name, [a], [np.linalg.pinv(a)])
    q, r = np.linalg.qr(a)
    if "rank" not in name and "repeated" not in name and name != "hilbert 12":
        d = np.diagonal(r, axis1=-2, axis2=-1)
        phase = d / np.abs(d)
        case("qr", name, [a], [q * phase[..., None, :], np.conj(phase)[..., :, None] * r])
    if a.shape[-1] == a.shape[-2]:
        h = a + np.conj(np.swapaxes(a, -1, -2))
        case("eigh values", name, [h], [np.linalg.eigvalsh(h)])
        sign, log = np.linalg.slogdet(a)
        if "hilbert 12" not in name:
            case("det", name, [a], [np.linalg.det(a), sign, log])
            b = normal(a.shape[-1], 2, cx=np.iscomplexobj(a))
            case("solve", name, [a, b], [np.linalg.solve(a, b), np.linalg.inv(a)])
        p = a @ np.conj(a.T) + np.eye(len(a))
        case("cholesky", name, [p], [np.linalg.cholesky(p)])

case("pinv", "rank 2", [matrices["rank 2"]], [np.linalg.pinv(matrices["rank 2"])])
for name in ("tall", "wide", "complex tall", "complex wide", "rank 2", "square"):
    a = matrices[name]
    b = normal(a.shape[0], 2, cx=np.iscomplexobj(a))
    case("lstsq", name, [a, b], [sl.lstsq(a, b)[0]])

for name, (c, r) in {
    "symmetric": (np.array([4.0, 2, 1, 0.5, 0.25]), np.array([4.0, 2, 1, 0.5, 0.25])),
    "general": (np.concatenate([[6.0], normal(7)]), np.concatenate([[6.0], normal(7)])),
    "one": (np.array([3.0]), np.array([3.0])),
}.items():
    x = normal(len(c))
    case("toeplitz", name, [c, r, x], [sl.toeplitz(c, r), sl.toeplitz(c, r) @ x, sl.solve_toeplitz((c, r), x)])
    case("circulant", name, [c, x], [sl.circulant(c), sl.circulant(c) @ x, sl.solve_circulant(c, x)])
    case("hankel", name, [c, r], [sl.hankel(c, np.concatenate([c[-1:], r[1:]]))])
for name, n in {"even": 6, "odd": 7}.items():
    c, x = normal(n, cx=True), normal(n, cx=True)
    case("circulant", "complex " + name, [c, x], [sl.circulant(c), sl.circulant(c) @ x, sl.solve_circulant(c, x)])
case("dft", "8", [np.zeros(8)], [sl.dft(8)])
case("vandermonde", "4", [normal(5)], [], columns=4)
cases[-1]["results"] = [pack(np.vander(np.array(cases[-1]["args"][0]["v"]), 4, increasing=True))]

# Linear prediction of a known process: the normal equations, solved.
x = lfilter([1.0], [1.0, -1.2, 0.6, 0.1], normal(400))
full = np.correlate(x, x, "full")[len(x) - 1 :][:9]
for order in (1, 3, 8):
    a = sl.solve_toeplitz(full[:order], -full[1 : order + 1])
    case("levinson", str(order), [full], [np.concatenate([[1.0], a]), full[0] + full[1 : order + 1] @ a], order=order)

def expm(a):
    """To 40 digits: SciPy's is off by 2e-13 of 12 times a cycle of four."""
    if a.ndim > 2:
        return np.stack([expm(b) for b in a])
    with mpmath.workdps(40):
        e = mpmath.expm(mpmath.matrix(a.tolist()))
        return np.array(e.tolist(), dtype=complex if np.iscomplexobj(a) else float)


# Matrices without symmetry, and functions of them.
swap = np.roll(np.eye(4), 1, axis=0)
general = {
    "one": normal(1, 1),
    "general": normal(6, 6),
    "complex": normal(5, 5, cx=True),
    "companion": sl.companion([1.0, -2.5, 3.0, -1.25, 0.5, 0.75]),
    "cycle": swap,
    "badly scaled": np.diag(10.0 ** np.arange(5)) @ normal(5, 5) @ np.diag(10.0 ** -np.arange(5)),
    "rotation": np.array([[0.0, -1.0], [1.0, 0.0]]),
    "batch": normal(2, 3, 3),
}
for name, a in general.items():
    w = np.linalg.eigvals(a)
    case("eig values", name, [a], [np.sort_complex(w + 0j)])
    if "badly" not in name:
        case("expm", name, [a], [expm(a), expm(12 * a), np.linalg.matrix_power(a, 5), np.linalg.matrix_power(a, 0), np.linalg.matrix_power(a, -2)])
for name in ("square", "tall", "wide", "complex", "complex tall", "complex wide", "batch"):
    a = matrices[name]
    p, l, u = sl.lu(a)
    case("lu", name, [a], [p, l, u])
    case("singular values", name, [a], [np.linalg.svd(a, compute_uv=False)])
for cx in (False, True):
    a, b = normal(6, 6, cx=cx), normal(6, 6, cx=cx)
    a, b = a + a.conj().T, b @ b.conj().T + np.eye(6)
    w, v = sl.eigh(a, b)
    case("generalized eigh", "complex" if cx else "real", [b, a], [w, np.abs(v) ** 2, np.linalg.eigvalsh(a)])
    a, b = normal(2, 3, cx=cx), normal(4, 2, cx=cx)
    case("kron", "complex" if cx else "real", [a, b], [np.kron(a, b), sl.block_diag(a, b, a)])

out = {"numpy": np.__version__, "scipy": scipy.__version__, "cases": cases}
path = pathlib.Path(__file__).with_name("goldens.json")
path.write_text(json.dumps(out, separators=(",", ":"), allow_nan=False) + "\n")
