"""Writes pitch_goldens.json: what librosa's pYIN and NumPy's cepstrum give of signals that
the tests make again by the same formulas.

    pip install librosa && python make_pitch_goldens.py
"""
import json
import numpy as np, librosa

from signals import noise

def voice(n, fs):
    """Noise, then a tone that rises from 110 to 330 Hz with harmonics, then noise."""
    t = np.arange(n) / fs
    f = 110 + 220 * t / t[-1]
    phase = 2 * np.pi * np.cumsum(f) / fs
    x = sum(np.sin(k * phase) / k for k in range(1, 6))
    x[: n // 4] = 0; x[3 * n // 4 :] = 0
    return x + 0.01 * noise(n)

v = voice(16000, 16000)
f0, flag, prob = librosa.pyin(v, fmin=80, fmax=600, sr=16000, frame_length=1024, hop_length=256)
out = {"f0": [None if np.isnan(f) else float(f) for f in f0], "voiced": flag.tolist(), "probability": prob.tolist()}
f0, flag, prob = librosa.pyin(v[4096:12000], fmin=80, fmax=600, sr=16000, frame_length=1024, hop_length=256)
out["early"] = [None if np.isnan(f) else float(f) for f in f0]
x = noise(512)
x[37:] += 0.5 * x[:-37]
out["cepstrum"] = np.fft.irfft(np.log(np.abs(np.fft.rfft(x))), 512).tolist()
json.dump(out, open("pitch_goldens.json", "w"), indent=0)
