"""Writes goldens.json: what SciPy and NumPy give, for fft's tests.

    python3 make_goldens.py

Made with SciPy 1.17.1 and NumPy 2.4.6. All input is
    x[j] = sin(3j+1) + j/10,   z[j] = x[j] + i*cos(2j-1),
which the tests compute again; arrays count j in C order. Complex numbers are
stored as their parts, one after the other.
"""
import json
import os

import numpy as np
import scipy.fft as sf

NORMS = ["backward", "ortho", "forward"]


def x(*shape):
    j = np.arange(np.prod(shape))
    return (np.sin(3.0 * j + 1) + j / 10.0).reshape(shape)


def z(*shape):
    j = np.arange(np.prod(shape))
    return x(*shape) + 1j * np.cos(2.0 * j - 1).reshape(shape)


def flat(a):
    a = np.ascontiguousarray(a)
    if np.iscomplexobj(a):
        a = a.view(np.float64)
    return [float(v) for v in a.ravel()]


rows = []


def add(op, shape, norm, out, **more):
    rows.append(dict(op=op, shape=list(shape), norm=norm, want=flat(out), **more))


for norm in NORMS:
    for n in [1, 2, 3, 5, 8, 9]:
        for kind in [1, 2, 3, 4]:
            if n > 1:
                add("DCT%d" % kind, [n], norm, sf.dct(x(n), kind, norm=norm))
                add("inverse DCT%d" % kind, [n], norm, sf.idct(x(n), kind, norm=norm))
                add("DST%d" % kind, [n], norm, sf.dst(x(n), kind, norm=norm))
                add("inverse DST%d" % kind, [n], norm, sf.idst(x(n), kind, norm=norm))
        y = sf.fft(x(n), norm=norm)
        add("Hartley", [n], norm, y.real - y.imag)
        add("fft", [n], norm, sf.fft(z(n), norm=norm))
        add("ifft", [n], norm, sf.ifft(z(n), norm=norm))
        add("rfft", [n], norm, sf.rfft(x(n), norm=norm))
        add("irfft", [n], norm, sf.irfft(z(n // 2 + 1), n, norm=norm))
        add("hfft", [n], norm, sf.hfft(z(n // 2 + 1), n, norm=norm))
        add("ihfft", [n], norm, sf.ihfft(x(n), norm=norm))
    for shape, axes in [
        ([3, 4], []), ([3, 4], [0]), ([3, 4], [1, 0]), ([2, 3, 5], []), ([2, 3, 5], [1]),
        ([2, 3, 5], [0, 2]), ([2, 3, 5], [-1, -3]), ([4, 1, 6], [0, 1]), ([2, 3, 4, 5], [3, 1]),
    ]:
        a = axes or None
        add("fftn", shape, norm, sf.fftn(z(*shape), axes=a, norm=norm), axes=axes)
        add("ifftn", shape, norm, sf.ifftn(z(*shape), axes=a, norm=norm), axes=axes)
        out = sf.rfftn(x(*shape), axes=a, norm=norm)
        add("rfftn", shape, norm, out, axes=axes)
        last = (axes or [len(shape) - 1])[-1]
        half = list(shape)
        half[last] = shape[last] // 2 + 1
        lengths = [shape[i] for i in (axes or range(len(shape)))]
        add("irfftn", shape, norm, sf.irfftn(z(*half), s=lengths, axes=a, norm=norm), axes=axes)

for n in [1, 2, 3, 8, 9]:
    for d in [1.0, 0.1, -2.0]:
        add("fftfreq", [n], "", sf.fftfreq(n, d), d=d)
        add("rfftfreq", [n], "", sf.rfftfreq(n, d), d=d)
    add("fftshift", [n], "", sf.fftshift(x(n)))
    add("ifftshift", [n], "", sf.ifftshift(x(n)))
lengths = list(range(1, 130)) + [1000, 1021, 4097, 44101, 65537, 1000003, 123456789]
add("next_fast_len", lengths, "", np.array([sf.next_fast_len(n, False) for n in lengths]))
add("next_fast_real_len", lengths, "", np.array([sf.next_fast_len(n, True) for n in lengths]))

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "goldens.json"), "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")
