"""The signals of the golden cases, which the tests make again, and how results are kept."""

import json

import numpy as np

cases = {}


def put(name, value):
    assert name not in cases, name
    cases[name] = np.array(value)


def wave(*shape):
    """Three tones and a trend, exact in both languages."""
    i = np.arange(int(np.prod(shape)))
    return (((i * i * 7 + i * 13) % 97) / 97.0 - 0.4 + (i % 11) * 0.05).reshape(shape)


def swirl(*shape):
    x = wave(*shape)
    return x + 1j * x[..., ::-1]


def write(file, digits=15, **about):
    def packed(a):
        split = np.iscomplexobj(a)
        flat = np.stack([a.real, a.imag], -1).ravel() if split else a.astype(float).ravel()
        return {"shape": list(a.shape), "complex": split, "values": [float(f"{v:.{digits}g}") for v in flat]}

    with open(file, "w") as f:
        json.dump({**about, "cases": {name: packed(a) for name, a in cases.items()}}, f, separators=(",", ":"))
        f.write("\n")
