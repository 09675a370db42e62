"""Writes goldens.json: the mixer block in NumPy, in double precision, with its
convolutions as sums.

    python3 mixer/testdata/make_goldens.py

A case has a block, its parameters by name, an input and the output.
"""

import json
import pathlib

import numpy as np

rng = np.random.default_rng(11)


def parameters(d, order, layers, emb, bidirectional, residual):
    p = {
        "in.weight": rng.normal(size=(d, 3 * d)) / np.sqrt(d), "in.bias": rng.normal(size=3 * d),
        "short.weight": rng.normal(size=(3 * d, 3)), "short.bias": rng.normal(size=3 * d),
    }
    for name in ["filter", "residual"][: 1 + residual]:
        for way in ["", ".reverse"][: 1 + bidirectional]:
            p[f"{name}{way}.frequency"] = rng.uniform(5, 10, order)
            size = emb
            for layer in range(layers + 1):
                p[f"{name}{way}.{layer}.weight"] = rng.normal(size=(size, order)) / size
                p[f"{name}{way}.{layer}.bias"] = rng.normal(size=order) / size
                size = order
            p[f"{name}{way}.out.weight"] = rng.normal(size=(order, d)) / order
        p[f"{name}.skip"] = rng.normal(size=d)
    p["out.weight"], p["out.bias"] = rng.normal(size=(d, d)) / np.sqrt(d), rng.normal(size=d)
    return p


def implicit_filter(p, name, l_max, length, emb, layers, d):
    t = np.linspace(0, 1, l_max)[:length, None]
    bands = (emb - 1) // 2
    w = 2 * np.pi * np.arange(l_max)[:length, None] / l_max
    z = np.exp(-1j * np.linspace(1e-4, bands - 1, bands) * w)
    h = np.concatenate([t, z.real, z.imag], axis=1)
    for layer in range(layers + 1):
        h = np.sin(p[f"{name}.frequency"] * (h @ p[f"{name}.{layer}.weight"] + p[f"{name}.{layer}.bias"]))
    h = h @ p[f"{name}.out.weight"]
    deltas = np.linspace(np.log(0.01) / 1.5, np.log(0.01) / 0.3, d)
    return (h * np.exp(-t * np.abs(deltas))).T


def convolve(x, k, rev, skip):
    """x: (batch, d, length); sums over earlier positions by k and later ones by rev."""
    y = x * skip[:, None]
    length = x.shape[-1]
    for t in range(length):
        for s in range(t + 1):
            y[..., t] += k[:, t - s] * x[..., s]
        if rev is not None:
            for s in range(t, length):
                y[..., t] += rev[:, s - t] * x[..., s]
    return y


def block(p, u, d, l_max, order, layers, emb, bidirectional, residual, centred):
    length = u.shape[1]
    x = (u @ p["in.weight"] + p["in.bias"]).transpose(0, 2, 1)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1) if centred else (2, 0)))
    x = sum(p["short.weight"][:, j, None] * padded[..., j:j + length] for j in range(3)) + p["short.bias"][:, None]
    x1, x2, v = x[:, :d], x[:, d:2 * d], x[:, 2 * d:]

    def long(name, x):
        taps = [implicit_filter(p, name + way, l_max, length, emb, layers, d) for way in ["", ".reverse"][: 1 + bidirectional]]
        return convolve(x, taps[0], taps[1] if bidirectional else None, p[f"{name}.skip"])

    y = long("filter", v * x1) * x2
    if residual:
        y = y + long("residual", u.transpose(0, 2, 1))
    return y.transpose(0, 2, 1) @ p["out.weight"] + p["out.bias"]


def case(name, length, d=4, l_max=16, order=6, layers=2, emb=3, bidirectional=False, residual=False, centred=None):
    centred = bidirectional if centred is None else centred
    p = parameters(d, order, layers, emb, bidirectional, residual)
    u = rng.normal(size=(2, length, d))
    y = block(p, u, d, l_max, order, layers, emb, bidirectional, residual, centred)
    return dict(name=name, width=d, length=l_max, order=order, layers=layers, embedding=emb,
                bidirectional=bidirectional, residual=residual, centred=centred,
                params={k: dict(shape=list(v.shape), values=v.ravel().tolist()) for k, v in p.items()},
                input=dict(shape=list(u.shape), values=u.ravel().tolist()),
                output=dict(shape=list(y.shape), values=y.ravel().tolist()))


cases = [
    case("causal", 16),
    case("causal, shorter and odd", 11),
    case("causal with centred taps", 16, centred=True),
    case("bidirectional", 16, bidirectional=True),
    case("bidirectional, odd", 13, bidirectional=True),
    case("residual", 16, residual=True),
    case("bidirectional and residual", 16, bidirectional=True, residual=True, emb=7, layers=1),
    case("one position", 1),
    case("wide embedding, other network", 16, emb=5, order=8, layers=3),
]
path = pathlib.Path(__file__).parent / "goldens.json"
path.write_text(json.dumps(dict(numpy=np.__version__, cases=cases)) + "\n")
