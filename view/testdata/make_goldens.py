"""Spectra of a part of a recording by SciPy, for the exports of package view.

    pip install numpy scipy && python3 make_goldens.py
"""
import wave

import numpy as np
import scipy.signal

fs, frames, first, end = 8000, 4096, 300, 3500
rng = np.random.default_rng(24)
t = np.arange(frames) / fs
left = 0.4 * np.sin(2 * np.pi * 1234.5 * t) + 0.05 * rng.standard_normal(frames) + 0.1
right = 0.2 * np.sin(2 * np.pi * (500 + 400 * t) * t) + 0.02 * rng.standard_normal(frames)
pcm = np.round(np.stack([left, right], 1) * 32767).astype("<i2")
with wave.open("part.wav", "wb") as w:
    w.setnchannels(2)
    w.setsampwidth(2)
    w.setframerate(fs)
    w.writeframes(pcm.tobytes())

x = pcm[first:end].T / 32768
for name, window in {"hann": "hann", "kaiser": ("kaiser", 8.6)}.items():
    f, p = scipy.signal.welch(x, fs, window=window, nperseg=256)
    np.save(f"welch_{name}.npy", np.vstack([f, p]).T)
f, when, p = scipy.signal.spectrogram(x, fs, window="hann", nperseg=256, noverlap=192)
np.save("spectrogram_hann.npy", np.hstack([(when + first / fs)[:, None], p.mean(0).T]))
f, p = scipy.signal.welch(x[:, :100], fs, nperseg=100)
np.save("welch_short.npy", np.vstack([f, p]).T)

# The channels as I and Q: bins from the lowest frequency to the highest.
z = x[0] + 1j * x[1]
f, p = scipy.signal.welch(z, fs, nperseg=256, return_onesided=False)
np.save("welch_iq.npy", np.fft.fftshift(np.vstack([f, p]), axes=1).T)
f, when, p = scipy.signal.spectrogram(z, fs, window="hann", nperseg=256, noverlap=192, return_onesided=False)
np.save("spectrogram_iq.npy", np.hstack([(when + first / fs)[:, None], np.fft.fftshift(p, axes=0).T]))
