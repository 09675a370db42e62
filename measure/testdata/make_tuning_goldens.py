"""Writes tuning_goldens.json: what librosa says about the tuning of chords and of frequencies.

    pip install librosa && python make_tuning_goldens.py
"""
import json
import warnings

import librosa
import numpy as np

warnings.filterwarnings("ignore")
fs, n = 22050, 22050
t = np.arange(n) / fs


def chord(cents):
    """Three notes with harmonics, cents away from 440 Hz."""
    x = np.zeros(n)
    for note in (57, 61, 64):
        f = 440 * 2 ** ((note - 69 + cents / 100) / 12)
        for k in range(1, 6):
            x += np.sin(2 * np.pi * k * f * t) / k
    return x


cents = [-43, -20, 0, 13, 31]
frequencies = [220 * 2 ** (k / 24) * 1.004 for k in range(40)] + [0.0, -3.0, 100.0]
out = {
    "cents": cents,
    "tuning": [float(librosa.estimate_tuning(y=chord(c), sr=fs)) for c in cents],
    "fine": [float(librosa.estimate_tuning(y=chord(c), sr=fs, n_fft=4096, resolution=0.001, bins_per_octave=36)) for c in cents],
    "frequencies": frequencies,
    "of": [float(librosa.pitch_tuning(frequencies, resolution=r, bins_per_octave=b)) for r, b in [(0.01, 12), (0.003, 24), (0.3, 12)]],
    "silence": float(librosa.estimate_tuning(y=np.zeros(n), sr=fs)),
}
print(out["tuning"], out["fine"], out["of"])
json.dump(out, open("tuning_goldens.json", "w"))
