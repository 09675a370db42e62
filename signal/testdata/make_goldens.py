"""Writes goldens.json: what SciPy and librosa say, for goldens_test.go.

Run in this folder:  python3 make_goldens.py
Needs numpy, scipy and librosa. Inputs are made by formulae that the
tests repeat exactly, so only results are stored.
"""

import json
import warnings

import numpy as np
import scipy
import scipy.signal as ss

warnings.filterwarnings("ignore")
cases = {}


def put(name, value):
    a = np.asarray(value)
    assert name not in cases, name
    if np.iscomplexobj(a):
        flat = np.stack([a.real, a.imag], -1).ravel()
    else:
        flat = a.astype(float).ravel()
    cases[name] = {"shape": list(a.shape), "complex": bool(np.iscomplexobj(a)), "values": [float(f"{v:.15g}") for v in flat]}


def wave(*shape):
    """The signal of tests: three tones and a trend, exact in both languages."""
    n = int(np.prod(shape))
    i = np.arange(n)
    return (((i * i * 7 + i * 13) % 97) / 97.0 - 0.4 + (i % 11) * 0.05).reshape(shape)


def swirl(*shape):
    x = wave(*shape)
    return x + 1j * wave(*shape[:-1], shape[-1])[..., ::-1]


WINDOWS = ["bartlett", "blackman", "blackmanharris", "boxcar", "cosine", "flattop", ("gaussian", 3.5), "hamming", "hann",
           ("kaiser", 8.6), "nuttall", "parzen", ("tukey", 0.3)]
for w in WINDOWS:
    name = w if isinstance(w, str) else f"{w[0]}:{w[1]}"
    for n in (1, 2, 9, 16):
        put(f"window {name} {n} periodic", ss.get_window(w, n))
        put(f"window {name} {n} symmetric", ss.get_window(w, n, fftbins=False))

for kind in ("constant", "linear"):
    put(f"detrend {kind}", ss.detrend(wave(3, 21), type=kind))
    put(f"detrend {kind} axis 0", ss.detrend(wave(21, 3), type=kind, axis=0))
    put(f"detrend {kind} complex", ss.detrend(swirl(2, 15), type=kind))

x, y = wave(2, 60), wave(2, 60)[:, ::-1] ** 2
for label, kw in {
    "default": {},
    "even": {"nperseg": 16},
    "odd": {"nperseg": 15, "noverlap": 4},
    "nfft": {"nperseg": 12, "nfft": 21, "noverlap": 0},
    "linear": {"nperseg": 16, "detrend": "linear"},
    "raw": {"nperseg": 16, "detrend": False, "window": "blackman"},
    "spectrum": {"nperseg": 16, "scaling": "spectrum", "fs": 48000.0},
    "median": {"nperseg": 8, "average": "median"},
    "median odd": {"nperseg": 14, "average": "median"},
    "twosided": {"nperseg": 16, "return_onesided": False},
}.items():
    put(f"welch {label}", ss.welch(x, **kw)[1])
    put(f"welch {label} frequencies", ss.welch(x, **kw)[0])
    put(f"csd {label}", ss.csd(x, y, **kw)[1])
    if "average" not in kw and "scaling" not in kw:
        put(f"coherence {label}", ss.coherence(x, y, **{k: v for k, v in kw.items() if k != "return_onesided"})[1])
    if "average" not in kw:
        for mode in ("psd", "complex", "magnitude", "angle", "phase"):
            f, t, s = ss.spectrogram(x, mode=mode, **kw)
            put(f"spectrogram {label} {mode}", s)
        put(f"spectrogram {label} times", t)
put("welch axis 0", ss.welch(wave(60, 2), nperseg=16, axis=0)[1])
put("welch complex", ss.welch(swirl(2, 60), nperseg=16)[1])
put("csd shorter", ss.csd(x, y[:, :45], nperseg=16)[1])
put("spectrogram axis 0", ss.spectrogram(wave(60, 2), nperseg=16, axis=0)[2])
put("periodogram even", ss.periodogram(x)[1])
put("periodogram odd", ss.periodogram(x[:, :31], fs=10.0)[1])
put("periodogram hann long", ss.periodogram(x, window="hann", nfft=77, scaling="spectrum")[1])
put("periodogram short", ss.periodogram(x, nfft=32)[1])
put("unwrap", np.unwrap(wave(3, 40).cumsum(-1) % (2 * np.pi)))

for label, args in {"even": (16, 8, 16), "odd": (15, 7, 15), "nfft": (12, 9, 20), "apart": (16, 0, 16)}.items():
    f, t, z = ss.stft(x, nperseg=args[0], noverlap=args[1], nfft=args[2])
    put(f"stft scipy {label}", z)
    put(f"istft scipy {label}", ss.istft(z, nperseg=args[0], noverlap=args[1], nfft=args[2], window="hann")[1] if label != "apart" else np.zeros(1))
put("stft scipy axis 0", ss.stft(wave(60, 2), nperseg=16, axis=0)[2])

import librosa

put("stft librosa", librosa.stft(x, n_fft=16, hop_length=4))
put("stft librosa odd", librosa.stft(x, n_fft=15, hop_length=5))
# torch.stft's conventions: a reflected border, and a factor where normalized.
put("stft torch", librosa.stft(x, n_fft=16, hop_length=4, pad_mode="reflect"))
put("stft torch short window", librosa.stft(x, n_fft=16, win_length=11, hop_length=3, pad_mode="reflect") / 4)
put("stft torch uncentred", librosa.stft(x, n_fft=16, hop_length=4, center=False))

with open("goldens.json", "w") as out:
    json.dump({"made by": f"numpy {np.__version__}, scipy {scipy.__version__}, librosa {librosa.__version__}", "cases": cases}, out, separators=(",", ":"))
print(len(cases), "cases")
