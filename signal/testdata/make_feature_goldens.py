"""Writes feature_goldens.json: what SciPy and librosa say about windows, transforms, convolution,
filter design and features of sound.

Run in this folder:  python3 make_feature_goldens.py
Needs numpy, scipy, librosa and mpmath. Inputs are made by formulae that the tests repeat exactly.
"""

import json
import warnings

import librosa
import mpmath
import numpy as np
import scipy
import scipy.fft as sf
import scipy.signal as ss

warnings.filterwarnings("ignore")
cases = {}


def put(name, value):
    a = np.asarray(value)
    assert name not in cases, name
    flat = np.stack([a.real, a.imag], -1).ravel() if np.iscomplexobj(a) else a.astype(float).ravel()
    cases[name] = {"shape": list(a.shape), "complex": bool(np.iscomplexobj(a)), "values": [float(f"{v:.15g}") for v in flat]}


def wave(*shape):
    i = np.arange(int(np.prod(shape)))
    return (((i * i * 7 + i * 13) % 97) / 97.0 - 0.4 + (i % 11) * 0.05).reshape(shape)


def swirl(*shape):
    x = wave(*shape)
    return x + 1j * x[..., ::-1]


for w in ["triang", "bohman", "barthann", "lanczos", ("chebwin", 70), ("dpss", 2.5), ("taylor", 4, 30), ("taylor", 6, 45),
          ("exponential", None, 3.0), ("general_gaussian", 1.5, 4), ("general_hamming", 0.6), ("general_cosine", [0.5, 0.3, 0.2]),
          ("tukey", 0.0), ("kaiser", 0.0)]:
    name = w if isinstance(w, str) else ":".join(str(v) for v in w if v is not None)
    for n in (7, 9, 16):
        put(f"window {name} {n} periodic", ss.get_window(w, n))
        put(f"window {name} {n} symmetric", ss.get_window(w, n, fftbins=False))
put("window kaiser_bessel_derived:4 16 symmetric", ss.windows.kaiser_bessel_derived(16, 4))


def spiral(x, m, w, a):
    """The chirp z-transform by its definition, in 40 digits."""
    mpmath.mp.dps = 40
    w, a = mpmath.mpc(w), mpmath.mpc(a)
    return [complex(sum(mpmath.mpc(v) * a ** -j * w ** (j * k) for j, v in enumerate(x))) for k in range(m)]


put("czt spiral in", spiral(wave(300), 20, 0.97 * np.exp(-0.1j), 1))
put("czt spiral out", spiral(wave(60), 50, 1.02 * np.exp(-0.2j), 0.9 * np.exp(0.3j)))


with open("feature_goldens.json", "w") as f:
    json.dump({"scipy": scipy.__version__, "librosa": librosa.__version__, "cases": cases}, f, separators=(",", ":"))
    f.write("\n")
