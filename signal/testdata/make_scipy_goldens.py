"""Writes scipy_goldens.json: what SciPy says about extensions, designs and systems.

Run in this folder:  python3 make_scipy_goldens.py
Needs numpy and scipy. Inputs are made by formulae that the tests repeat exactly.
"""

import json

import numpy as np
import scipy
import scipy.signal as ss

cases = {}


def put(name, value):
    a = np.asarray(value)
    assert name not in cases, name
    flat = np.stack([a.real, a.imag], -1).ravel() if np.iscomplexobj(a) else a.astype(float).ravel()
    cases[name] = {"shape": list(a.shape), "complex": bool(np.iscomplexobj(a)), "values": [float(f"{v:.17g}") for v in flat]}


def wave(*shape):
    i = np.arange(int(np.prod(shape)))
    return (((i * i * 7 + i * 13) % 97) / 97.0 - 0.4 + (i % 11) * 0.05).reshape(shape)


def swirl(*shape):
    x = wave(*shape)
    return x + 1j * x[..., ::-1]


h = wave(11)
for mode in ("constant", "edge", "reflect", "symmetric", "wrap", "antireflect", "antisymmetric", "smooth", "line"):
    for n in (2, 3, 20):
        for up, down in ((1, 1), (3, 2), (2, 5)):
            put(f"upfirdn {'zeros' if mode == 'constant' else mode} {n} {up}/{down}", ss.upfirdn(h, wave(2, n), up, down, mode=mode))
taps = np.array([1 + 2j, -0.5j, 3, 0.25 - 1j])
put("upfirdn complex taps", ss.upfirdn(taps, wave(2, 20), 2, 3))
put("upfirdn complex both", ss.upfirdn(taps, swirl(2, 20), 3, 1))

image = wave(4, 9, 11)
put("medfilt 3x5", np.stack([ss.medfilt(v, (3, 5)) for v in image]))
put("medfilt 3x3x7", ss.medfilt(image, (3, 3, 7)))
put("medfilt 3x1x3", ss.medfilt(image, (3, 1, 3)))
put("medfilt 81", ss.medfilt(wave(200), 81))

with open("scipy_goldens.json", "w") as f:
    json.dump({"scipy": scipy.__version__, "cases": cases}, f, separators=(",", ":"))
    f.write("\n")
