"""Writes goldens.json: what SciPy, librosa and pyloudnorm measure of signals that the
tests make again by the same formulas.

    pip install scipy librosa pyloudnorm && python make_goldens.py
"""
import json, sys
import numpy as np, scipy.signal as ss, scipy.stats as st

from signals import noise

def chirpy(n, fs):
    """A voice: a tone that rises from 110 to 330 Hz, with harmonics and a little noise."""
    t = np.arange(n) / fs
    f = 110 + 220 * t / t[-1]
    phase = 2 * np.pi * np.cumsum(f) / fs
    return sum(np.sin(k * phase) / k for k in range(1, 6)) + 0.01 * noise(n)

out = {}
fs = 48000
x = noise(20000)
rows = []
for k in range(-15, 13):
    c = 1000 * 10 ** (0.3 * k / 3)
    lo, hi = c * 10 ** -0.05, c * 10 ** 0.05
    if c < 31.5 * 0.95: continue
    sos = ss.butter(3, [lo, hi], "bandpass", fs=fs, output="sos")
    rows.append([c, float(np.mean(ss.sosfilt(sos, x) ** 2))])
out["octave"] = rows
out["kurtosis"] = float(st.kurtosis(x ** 3, fisher=False)); out["skew"] = float(st.skew((x + 0.5) ** 3))
out["crest"] = float(np.max(np.abs(x)) / np.sqrt(np.mean(x ** 2)))

n = 8192
t = np.arange(n) / 8000
bump = np.exp(-((t * 37) % 1) * 20) * np.sin(2 * np.pi * 2500 * t) + 0.05 * noise(n)
sos = ss.butter(4, [2000, 3000], "bandpass", fs=8000, output="sos")
e = np.abs(ss.hilbert(ss.sosfiltfilt(sos, bump))); e -= e.mean()
w = ss.get_window("hann", n)
a = np.abs(np.fft.rfft(e * w)) * 2 / w.sum()
out["envelope"] = a[:160].tolist()
out["envelopeSegments"] = np.sqrt(2 * ss.welch(e, 8000, nperseg=1024, scaling="spectrum", detrend=False)[1]).tolist()

best = [-np.inf]
for nw in [16, 32, 64, 128, 256]:  # the lengths of which n samples have 64 windows
    p = np.abs(np.fft.rfft(np.lib.stride_tricks.sliding_window_view(bump - bump.mean(), nw)[::nw // 2] * ss.get_window("hann", nw))) ** 2
    if len(p) < 64: continue
    sk = (p ** 2).mean(0) / p.mean(0) ** 2 - 2
    k = 2 + np.argmax(sk[2:-2])
    if sk[k] > best[0]: best = [float(sk[k]), (k - 1) * 8000 / nw, (k + 1) * 8000 / nw, nw]
out["kurtogram"] = [float(v) for v in best]

def weigh(kind):
    p = [20.598997] * 2 + [12194.217] * 2 + ([107.65265, 737.86223] if kind == "A" else [])
    z = np.zeros(4 if kind == "A" else 2); p = -2 * np.pi * np.array(p)
    k = 1 / abs(ss.freqs_zpk(z, p, 1, [2 * np.pi * 1000])[1][0])
    f = [10, 31.5, 100, 250, 1000, 2000, 4000, 8000, 16000, 20000]
    analog = 20 * np.log10(abs(ss.freqs_zpk(z, p, k, 2 * np.pi * np.array(f))[1]))
    zd, pd, kd = ss.bilinear_zpk(z, p, k, fs)
    kd /= abs(ss.freqz_zpk(zd, pd, kd, [1000], fs=fs)[1][0])
    digital = 20 * np.log10(abs(ss.freqz_zpk(zd, pd, kd, f, fs=fs)[1]))
    return [[a, b, c] for a, b, c in zip(f, analog.tolist(), digital.tolist())]
out["A"], out["C"] = weigh("A"), weigh("C")

import librosa
v = chirpy(16000, 16000)
out["yin"] = librosa.yin(v, fmin=80, fmax=600, sr=16000, frame_length=1024, hop_length=256).tolist()

try:
    import pyloudnorm
    left = 0.1 * noise(5 * fs); right = 0.03 * np.roll(left, 77) + 0.2 * np.sin(2 * np.pi * 300 * np.arange(5 * fs) / fs)
    out["lufs"] = float(pyloudnorm.Meter(fs).integrated_loudness(np.stack([left, right], 1)))
except ImportError:
    print("no pyloudnorm", file=sys.stderr)
json.dump(out, open("goldens.json", "w"), indent=0)
