"""Writes filter_goldens.json: filters in 60 digits by mpmath, and what SciPy says about filters.

Run in this folder:  python3 make_filter_goldens.py
Needs numpy, scipy and mpmath. Inputs are made by formulae that the tests repeat exactly.
"""

import mpmath
import numpy as np
import scipy
import scipy.signal as ss

from cases import put, wave, write

mpmath.mp.dps = 60


def exact(sos, x, keep):
    """The cascade in 60 digits, every keep-th sample."""
    y = [mpmath.mpf(float(v)) for v in x]
    for row in sos:
        b0, b1, b2, _, a1, a2 = (mpmath.mpf(float(c)) for c in row)
        u = v = mpmath.mpf(0)
        for t, s in enumerate(y):
            out = b0 * s + u
            u, v = b1 * s - a1 * out + v, b2 * s - a2 * out
            y[t] = out
    return [float(v) for v in y[keep - 1::keep]]


# Random designs of every kind, orders up to 12, with poles up to 1 - 1e-6.
rng = np.random.default_rng(21)
designs = [("butter", 2, "lowpass", [2 / 48000])]
for kind in ("butter", "cheby1", "cheby2", "ellip"):
    for band in ("lowpass", "highpass", "bandpass", "bandstop"):
        n = int(rng.integers(1, 13 if band.endswith("pass") and band != "bandpass" else 7))
        low = float(10 ** rng.uniform(-5.5, -1))
        designs.append((kind, n, band, [low] if band in ("lowpass", "highpass") else [low, float(low * 10 ** rng.uniform(0.2, 1))]))
x = wave(4000)
for i, (kind, n, band, w) in enumerate(designs):
    ripple = {"butter": (None, None), "cheby1": (1, None), "cheby2": (None, 40), "ellip": (1, 40)}[kind]
    sos = ss.iirfilter(n, w if len(w) > 1 else w[0], *ripple, btype=band, ftype=kind, output="sos")
    put(f"design {i} sos", sos)
    put(f"design {i} exact", exact(sos, x, 100))

x = wave(3, 50)
z = wave(2, 40) + 1j * wave(2, 40)[:, ::-1]
b, a = ss.butter(3, 0.3)
put("lfilter", ss.lfilter(b, a, x))
put("lfilter scaled", ss.lfilter(2 * b, 4 * a, x))
put("lfilter axis 0", ss.lfilter(b, a, x, axis=0))
put("lfilter complex", ss.lfilter(b, a, z))
put("lfilter fir", ss.lfilter([0.5, 0.25, 0.125], [2.0], x))
put("lfilter gain", ss.lfilter([3.0], [2.0], x))
put("lfilter longer b", ss.lfilter([1, 2, 3, 4, 5.0], [1, -0.5], x))
put("lfilter_zi", ss.lfilter_zi(b, a))
put("lfilter_zi longer b", ss.lfilter_zi([1, 2, 3, 4, 5.0], [1, -0.5]))
y, zf = ss.lfilter(b, a, x, zi=np.outer([1, 2, 3], ss.lfilter_zi(b, a)))
put("lfilter from", y)
put("lfilter end", zf)
for pad in ("odd", "even", "constant"):
    put(f"filtfilt {pad}", ss.filtfilt(b, a, x, padtype=pad))
put("filtfilt none", ss.filtfilt(b, a, x, padtype=None))
put("filtfilt padlen", ss.filtfilt(b, a, x, padlen=7))
put("filtfilt complex", ss.filtfilt(b, a, z))
sos = ss.ellip(5, 1, 40, 0.3, output="sos")
put("sosfilt complex", ss.sosfilt(sos, z))
put("sosfiltfilt even", ss.sosfiltfilt(sos, wave(3, 80), padtype="even"))

tf = ([0.2, 0.3, 0.1, 0.05], [1, -0.4, 0.3, -0.1])
zz, p, k = ss.tf2zpk(*tf)
order = lambda v: np.array(sorted(v, key=lambda c: (round(c.real, 9), c.imag)))
put("tf2zpk z", order(zz))
put("tf2zpk p", order(p))
put("tf2zpk k", [k])
put("tf2sos", ss.tf2sos(*tf))
put("sos2tf b", ss.sos2tf(sos)[0])
put("sos2tf a", ss.sos2tf(sos)[1])
put("zpk2tf b", ss.zpk2tf([1j, -1j, -1], [0.5 + 0.2j, 0.5 - 0.2j, 0.1], 0.7)[0])
put("zpk2tf a", ss.zpk2tf([1j, -1j, -1], [0.5 + 0.2j, 0.5 - 0.2j, 0.1], 0.7)[1])
w = np.linspace(0.05, 3, 25)
put("freqz tf", ss.freqz(*tf, worN=w)[1])

for norm in ("phase", "delay", "mag"):
    for n in (1, 2, 5, 10, 20):
        p = ss.bessel(n, 1.0, analog=True, output="zpk", norm=norm)[1]
        put(f"bessel {norm} {n}", order(p))
put("bessel digital", ss.bessel(4, [0.2, 0.4], "bandpass", output="sos"))
put("analog b", ss.cheby1(4, 1, [2.0, 5.0], "bandpass", analog=True)[0])
put("analog a", ss.cheby1(4, 1, [2.0, 5.0], "bandpass", analog=True)[1])

write("filter_goldens.json", digits=17, scipy=scipy.__version__)
