"""Writes goldens.json: operations with subtle semantics, as NumPy computes them,
and as SciPy does where NumPy has no such operation.

Run from anywhere with NumPy 2 and SciPy installed:

    python3 nd/testdata/make_goldens.py

Each case is named after the row of the table in nd/golden_test.go that has to
reproduce it from the same inputs.
"""

import json
import pathlib

import numpy as np
import scipy.fft

rng = np.random.default_rng(2)

x = np.array([[1.5, -2.0, 0.5, 3.0], [3.0, 2.5, -0.5, -2.0], [0.25, 3.0, 1.5, -7.0]])
v = np.array([4.0, -1.0, 4.0, 0.5, 9.0, -3.5, 2.0])
nan = np.array([[1.0, np.nan, 3.0], [np.inf, 2.0, -np.inf], [np.nan, np.nan, 0.0]])
halves = np.array([-2.5, -1.5, -0.5, -0.0, 0.4999, 0.5, 1.5, 2.5, 3.5, 1e16 + 2])
big = np.array([[1e3, 1e3 + 1, -5.0], [-1e4, -1e4, -1e4 + 3]])
cube = rng.integers(-9, 10, (2, 3, 4)).astype(np.float64)
i = np.array([[7, -7, 2, 9], [-3, 3, -3, 0], [1, 1, 4, -8]], dtype=np.int64)
j = np.array([[2, 2, -2, 4], [2, -2, -2, 5], [3, 3, 3, 3]], dtype=np.int64)
rows = np.array([2, 0, -1, 2], dtype=np.int64)
grid = np.array([[0, 2], [1, -1]], dtype=np.int64)
along = np.array([[0, 3, -1], [1, 1, 2], [3, 0, 0]], dtype=np.int64)
z = np.array([[1 + 2j, -3j, 0], [-1 - 1j, 2.5, -4]], dtype=np.complex128)
flags = np.array([[True, False, True], [True, True, True]])
small = np.array([3.0, 1.0, 2.0], dtype=np.float32)
empty = np.zeros((0, 3))
signal = rng.uniform(-0.5, 0.5, (3, 10))
spectrum = rng.uniform(-0.5, 0.5, (4, 6)) + 1j * rng.uniform(-0.5, 0.5, (4, 6))

inputs = dict(x=x, v=v, nan=nan, halves=halves, big=big, cube=cube, i=i, j=j, rows=rows,
              grid=grid, along=along, z=z, flags=flags, small=small, empty=empty,
              signal=signal, spectrum=spectrum)


def logsumexp(a, axis):
    top = a.max(axis=axis, keepdims=True)
    return np.log(np.exp(a - top).sum(axis=axis)) + top.squeeze(axis)


def scatter_add(base, index, updates, axis):
    out = base.copy()
    for at in np.ndindex(index.shape):
        to = list(at)
        to[axis] = index[at]
        out[tuple(to)] += updates[at]
    return out


cases = {
    # Broadcasting.
    "add row": x + x[0],
    "add column": x + x[:, :1],
    "outer": x[:, None, :] * x[None, :, :],
    "scalar first": 1 - x,
    "empty plus row": empty + small.astype(np.float64),
    # Rounding, division, special values.
    "round half even": np.round(halves),
    "floor": np.floor(halves),
    "ceil": np.ceil(halves),
    "int div truncates": np.trunc(i / j).astype(np.int64),
    "int rem": np.fmod(i, j),
    "float rem": np.fmod(x, -0.75),
    "maximum nan": np.maximum(nan, 1.0),
    "clip": np.clip(nan, -1.0, 2.0),
    "clip low": np.maximum(x, 0),
    "sign": np.sign(nan),
    "sign complex": np.sign(z),
    "angle": np.angle(z),
    "equal nan": nan == nan,
    "not equal nan": nan != nan,
    "cast truncates": x.astype(np.int32),
    "where": np.where(flags, np.arange(3.0), -1.0),
    # Slicing.
    "slice negative step": x[::-1, ::-2],
    "slice bounds": v[-5:-1:2],
    "slice clipped": v[-100:100],
    "slice backwards from": v[4:1:-1],
    "slice empty": v[5:2],
    "slice of slice": x[1:, ::-1][:, 1:4:2],
    "flip all": cube[::-1, ::-1, ::-1],
    "flip one": np.flip(cube, 1),
    "at": cube[1, -1],
    "transpose": cube.transpose(2, 0, 1),
    "reshape of transpose": cube.transpose(2, 0, 1).reshape(4, 6),
    "swap": np.swapaxes(cube, 0, -1),
    "frames": np.lib.stride_tricks.sliding_window_view(v, 3)[::2],
    "frames of flipped": np.lib.stride_tricks.sliding_window_view(x[:, ::-1], 2, axis=1),
    # Padding.
    "pad constant": np.pad(x, ((1, 2), (0, 3)), constant_values=-1),
    "pad reflect": np.pad(x, ((2, 1), (3, 3)), mode="reflect"),
    "pad edge": np.pad(x, ((2, 1), (0, 4)), mode="edge"),
    "pad wrap": np.pad(x, ((3, 1), (2, 4)), mode="wrap"),
    "pad wrap twice around": np.pad(v, (17, 23), mode="wrap"),
    "pad empty": np.pad(empty, ((1, 1), (0, 1))),
    # Moving.
    "roll": np.roll(v, 3),
    "roll back": np.roll(x, -5, axis=1),
    "tile": np.tile(x, (2, 1, 3)),
    "tile fewer": np.tile(cube, 2),
    "repeat": np.repeat(x, 3, axis=0),
    "concat": np.concatenate([x, x[:, ::-1], x[:, :0]], axis=1),
    "stack": np.stack([x, -x], axis=1),
    "split uneven": np.concatenate([p.sum(keepdims=True) for p in np.array_split(v, 3)]),
    "take": np.take(x, rows, axis=0),
    "take grid": np.take(cube, grid, axis=1),
    "gather": np.take_along_axis(x, along, axis=1),
    "scatter add": scatter_add(x, along, np.ones((3, 3)) * small.astype(np.float64), 1),
    # Reductions.
    "sum all": cube.sum(),
    "sum axes": cube.sum(axis=(0, 2)),
    "sum keepdims": cube.sum(axis=1, keepdims=True),
    "sum int": i.sum(axis=0),
    "sum empty": empty.sum(axis=0),
    "prod empty": empty.prod(axis=0),
    "prod": x.prod(axis=1),
    "max": cube.max(axis=(0, 1)),
    "max nan": nan.max(axis=1),
    "min nan": nan.min(axis=0),
    "argmax ties": x.argmax(axis=0),
    "argmax flat": x.argmax(),
    "argmax nan": nan.argmax(axis=1),
    "argmin nan": nan.argmin(axis=0),
    "argmin int": i.argmin(axis=1),
    "mean": cube.mean(axis=(1, 2)),
    "mean complex": z.mean(axis=0),
    "var": cube.var(axis=1),
    "var ddof": cube.var(axis=(0, 2), ddof=1),
    "var complex": z.var(axis=1),
    "var far from zero": (x + 1e9).var(axis=1),
    "std": x.std(),
    "logsumexp": logsumexp(big, 1),
    "norm": np.sqrt((np.abs(z) ** 2).sum(axis=1)),
    "all": flags.all(axis=1),
    "any": (~flags).any(axis=0),
    "all empty": np.zeros((2, 0), bool).all(axis=1),
    # Running and sorting.
    "cumsum": cube.cumsum(axis=1),
    "cumsum last": i.cumsum(axis=-1),
    "cumprod": x.cumprod(axis=0),
    "sort": np.sort(x, axis=0),
    "sort nan": np.sort(nan, axis=1),
    "argsort": np.argsort(x, axis=1, kind="stable"),
    "sort descending": -np.sort(-v),
    "topk": -np.sort(-x, axis=1)[:, :2],
    "topk positions": np.argsort(-x, axis=1, kind="stable")[:, :2],
    # Matrices.
    "matmul": x @ x.T,
    "matmul batch": cube @ cube.transpose(0, 2, 1),
    "matmul vector": x @ v[:4],
    "vector matmul": v[:3] @ x,
    "dot": v @ v,
    "vector batch": v[:3] @ cube,
    "matmul empty": np.zeros((2, 0)) @ np.zeros((0, 3)),
    "matmul complex": z @ z.T,
    # Making.
    "arange": np.arange(0.5, 3, 0.3),
    "arange down": np.arange(5, -6, -3),
    "arange empty": np.arange(3, 3),
    "linspace": np.linspace(-1, 2, 7),
    "linspace one": np.linspace(5, 9, 1),
    "eye": np.eye(3),
    # Transforms.
    "fft": np.fft.fft(spectrum),
    "fft real": np.fft.fft(signal, axis=0),
    "fft padded": np.fft.fft(spectrum, n=9, axis=0, norm="ortho"),
    "fft cut": np.fft.fft(spectrum, n=5, norm="forward"),
    "ifft": np.fft.ifft(spectrum),
    "ifft forward": np.fft.ifft(spectrum, norm="forward"),
    "rfft": np.fft.rfft(signal),
    "rfft odd": np.fft.rfft(signal, n=7),
    "rfft padded": np.fft.rfft(signal, n=13, axis=0, norm="forward"),
    "irfft": np.fft.irfft(spectrum),
    "irfft odd": np.fft.irfft(spectrum, n=9),
    "irfft cut": np.fft.irfft(spectrum, n=4, norm="ortho"),
    "irfft padded": np.fft.irfft(spectrum, n=16, axis=0),
    "hfft": np.fft.hfft(spectrum),
    "hfft odd": np.fft.hfft(spectrum, n=7, norm="ortho"),
    "ihfft": np.fft.ihfft(signal),
    "ihfft odd": np.fft.ihfft(signal, n=9, norm="forward"),
    "fftn": np.fft.fftn(spectrum),
    "fftn shape": np.fft.fftn(spectrum, s=(5, 4), axes=(0, 1), norm="ortho"),
    "ifftn": np.fft.ifftn(spectrum, axes=(0,)),
    "rfftn": np.fft.rfftn(cube),
    "rfftn axes": np.fft.rfftn(cube, s=(5, 4), axes=(2, 0)),
    "irfftn": np.fft.irfftn(spectrum),
    "irfftn odd": np.fft.irfftn(spectrum, s=(3, 9), axes=(0, 1), norm="forward"),
    "hfftn": scipy.fft.hfftn(spectrum),
    "hfftn odd": scipy.fft.hfftn(spectrum, s=(5, 7), norm="ortho"),
    "ihfftn": scipy.fft.ihfftn(cube),
    "ihfftn axes": scipy.fft.ihfftn(cube, axes=(1, 0), norm="forward"),
    "fftfreq even": np.fft.fftfreq(8, 0.1),
    "fftfreq odd": np.fft.fftfreq(7, 0.5),
    "rfftfreq": np.fft.rfftfreq(9, 2.0),
    "fftshift": np.fft.fftshift(v),
    "ifftshift": np.fft.ifftshift(v),
    "fftshift axes": np.fft.fftshift(cube, axes=(1, 2)),
}


def number(r):
    """JSON has no NaN and no infinities: they travel as strings."""
    r = float(r)
    return r if np.isfinite(r) else repr(r)


def entry(a):
    a = np.asarray(a)
    flat = a.reshape(-1)
    if a.dtype.kind == "c":
        values = [number(p) for w in flat for p in (w.real, w.imag)]
    else:
        values = [number(w) for w in flat]
    return {"dtype": a.dtype.name, "shape": list(a.shape), "values": values}


doc = {
    "numpy": np.__version__,
    "inputs": {k: entry(a) for k, a in inputs.items()},
    "cases": {k: entry(a) for k, a in cases.items()},
}
rows_of = lambda d: ",\n".join(f"  {json.dumps(k)}: {json.dumps(e)}" for k, e in d.items())
out = pathlib.Path(__file__).with_name("goldens.json")
out.write_text(
    f'{{"numpy": {json.dumps(doc["numpy"])},\n"inputs": {{\n{rows_of(doc["inputs"])}\n}},\n'
    f'"cases": {{\n{rows_of(doc["cases"])}\n}}}}\n')
