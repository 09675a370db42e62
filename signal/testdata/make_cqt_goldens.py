"""Writes cqt_goldens.json: a constant-Q transform by its definition, with librosa's filters,
and how far librosa.cqt, which takes low octaves from a resampled signal, is from it.

    pip install librosa && python make_cqt_goldens.py
"""
import json
import numpy as np, librosa

fs, n, hop, bins, per = 22050, 22050, 512, 36, 12
fmin = 110.0
t = np.arange(n) / fs
x = np.sin(2 * np.pi * 220 * t) + 0.5 * np.sin(2 * np.pi * (400 + 150 * t) * t)
freqs = fmin * 2.0 ** (np.arange(bins) / per)
alpha = np.full(bins, (2 ** (2 / per) - 1) / (2 ** (2 / per) + 1))
basis, lengths = librosa.filters.wavelet(freqs=freqs, sr=fs, window="hann", filter_scale=1, norm=1, pad_fft=True, alpha=alpha)
size = basis.shape[1]
frames = n // hop + 1
padded = np.pad(x, size // 2)
c = np.empty((bins, frames), complex)
for i in range(frames):
    c[:, i] = (np.conj(basis) * padded[i * hop : i * hop + size]).sum(1) * np.sqrt(lengths)
theirs = librosa.cqt(x, sr=fs, hop_length=hop, fmin=fmin, n_bins=bins, bins_per_octave=per, sparsity=0)
out = {"lengths": lengths.tolist(), "size": size, "librosa": float(np.abs(np.abs(theirs) - np.abs(c)).max() / np.abs(c).max()),
       "re": c.real.ravel().tolist(), "im": c.imag.ravel().tolist(), "frames": frames}
print(out["librosa"], size, frames)
json.dump(out, open("cqt_goldens.json", "w"))
