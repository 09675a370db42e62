"""Writes scipy_goldens.json: what SciPy says about extensions, designs and systems.

Run in this folder:  python3 make_scipy_goldens.py
Needs numpy and scipy. Inputs are made by formulae that the tests repeat exactly.
"""

import numpy as np
import scipy
import scipy.signal as ss

from cases import put, swirl, wave, write

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

b, a = np.array([1 + 1j, 0.5, -0.25j]), np.array([2, -0.5 + 0.5j, 0.25, 0.1j])
put("lfilter complex b a", ss.lfilter(b, a, wave(3, 30)))
put("lfilter complex all", ss.lfilter(b, a, swirl(3, 30)))
put("lfilter complex axis 0", ss.lfilter(b, a, swirl(7, 3), axis=0))
put("lfilter complex fir", ss.lfilter(b, [1], wave(3, 30)))
put("lfilter complex gain", ss.lfilter([1j], [2], wave(3, 30)))
y, zf = ss.lfilter(b, a, swirl(3, 30), zi=swirl(3, 3))
put("lfilter complex from", y)
put("lfilter complex end", zf)
put("freqz complex", ss.freqz(b, a, worN=np.linspace(0.05, 3, 25))[1])
put("lfilter_zi complex", ss.lfilter_zi(b, a))
put("filtfilt complex b a", ss.filtfilt(b, a, swirl(3, 30)))

for n, m in ((20, 30), (20, 13), (21, 14), (21, 40), (20, 20)):
    put(f"resample window {n} {m}", ss.resample(wave(2, n), m, axis=-1, window="hann"))
    put(f"resample window complex {n} {m}", ss.resample(swirl(2, n), m, axis=-1, window=("kaiser", 3.0)))
    put(f"resample spectrum {n} {m}", ss.resample(swirl(2, n), m, axis=-1, domain="freq"))
for keep, name in ((False, "notch"), (True, "peak")):
    for zero in (False, True):
        b, a = ss.iircomb(125.0, 30.0, name, fs=1000.0, pass_zero=zero)
        put(f"iircomb {name} {zero} b", b)
        put(f"iircomb {name} {zero} a", a)
b, a = ss.butter(3, 0.3)
put("filtfilt gust", ss.filtfilt(b, a, wave(3, 50), method="gust"))
put("filtfilt gust irlen", ss.filtfilt(b, a, wave(3, 200), method="gust", irlen=40))
put("filtfilt gust elliptic", ss.filtfilt(*ss.ellip(4, 0.1, 60, 0.125), wave(300), method="gust"))
put("filtfilt gust axis 0", ss.filtfilt(b, a, wave(50, 3), axis=0, method="gust"))
put("filtfilt gust gain", ss.filtfilt([3.0], [2.0], wave(2, 9), method="gust"))
for n in (1, 2, 3, 5):
    put(f"filtfilt gust {n}", ss.filtfilt(b, a, wave(2, n), method="gust"))
    put(f"filtfilt gust irlen {n}", ss.filtfilt(*ss.butter(6, 0.3), wave(2, n), method="gust", irlen=1))
put("filtfilt gust fir", ss.filtfilt([1.0, 0.5, 0.25], [1.0], wave(2, 30), method="gust"))
for name, n, bands, desired, kw in (
        ("lowpass", 31, [0, 0.2, 0.3, 0.5], [1, 0], {}),
        ("even", 32, [0, 0.2, 0.3, 0.5], [1, 0], {}),
        ("weights", 45, [0, 0.1, 0.15, 0.3, 0.35, 0.5], [0, 1, 0], {"weight": [10, 1, 5]}),
        ("bandstop", 61, [0, 100, 150, 250, 300, 500], [1, 0, 1], {"fs": 1000}),
        ("hilbert", 31, [0.05, 0.45], [1], {"type": "hilbert"}),
        ("hilbert even", 30, [0.05, 0.5], [1], {"type": "hilbert"}),
        ("differentiator", 32, [0, 0.4], [1], {"type": "differentiator"}),
        ("long", 161, [0, 0.1, 0.12, 0.5], [1, 0], {}),
        ("two", 22, [0, 0.4, 0.45, 0.5], [1, 0], {"weight": [1, 3]})):
    put(f"remez {name}", ss.remez(n, bands, desired, **{"fs": 1.0, **kw}))

import warnings

warnings.simplefilter("ignore")  # about windows that cover no end
for n, overlap, nfft in ((16, 8, 16), (16, 12, 16), (15, 7, 15), (15, 10, 16), (16, 8, 20), (9, 8, 9)):
    for boundary in (True, False):
        z = swirl(nfft // 2 + 1, 7)
        put(f"istft {n} {overlap} {nfft} {boundary}", ss.istft(z, nperseg=n, noverlap=overlap, nfft=nfft, boundary=boundary)[1])

for n in (2, 3, 15, 16):
    f, time, z = ss.stft(wave(40), fs=7, nperseg=n)
    put(f"stft times {n}", time)
    put(f"stft times {n} inside", ss.stft(wave(40), fs=7, nperseg=n, boundary=None, padded=False)[1])

offset = (1000 + wave(3, 40)).astype(np.float32)  # float32 samples far from 0
put("wiener offset", ss.wiener(offset.astype(float), (1, 5)))
put("wiener offset image", ss.wiener(offset.astype(float), (3, 3), noise=0.1))

write("scipy_goldens.json", digits=17, scipy=scipy.__version__)
