"""Writes field_goldens.json: spectra by several tapers and wavelet transforms by Morlet's wavelets.

Run in this folder:  python3 make_field_goldens.py
Needs numpy, scipy, nitime and mne. Inputs are made by formulae that the tests repeat.

Tapers are SciPy's. The weights of nitime and MNE stop short of their limit, and MNE cuts its wavelets off
at five standard deviations, so they are computed here, and compared with theirs to what that leaves.
"""

import warnings

import mne
import numpy as np
from nitime.utils import adaptive_weights
from scipy.signal.windows import dpss

from cases import put, wave, write

warnings.filterwarnings("ignore")
mne.set_log_level("error")


def spectra(x, nw, k, nfft):
    w, ratios = dpss(x.shape[-1], nw, k, return_ratios=True)
    x = (x - x.mean(-1, keepdims=True))[..., None, :] * w
    return (np.fft.fft if np.iscomplexobj(x) else np.fft.rfft)(x, nfft), ratios


def density(p, fs, nfft):
    p = p / fs
    if p.shape[-1] < nfft:
        p[..., 1 : (nfft + 1) // 2] *= 2
    return p


def mean(p, ratios):
    return (p * ratios[:, None]).sum(-2) / ratios.sum()


def adapted(x, nw, k, nfft):
    z, ratios = spectra(x, nw, k, nfft)
    p, lam = np.abs(z) ** 2, ratios[:, None]
    leak = (1 - lam) * np.var(x, axis=-1)[..., None, None]
    s = p[..., :2, :].mean(-2)
    for _ in range(20000):
        d = lam * (s[..., None, :] / (lam * s[..., None, :] + leak)) ** 2
        s = (d * p).sum(-2) / d.sum(-2)
    both = np.concatenate([z[0], z[0][:, :0:-1].conj()], -1)  # of an odd length
    weights, _ = adaptive_weights(both, ratios, sides="twosided")
    weights = weights[:, : p.shape[-1]]
    peer = (weights**2 * p[0]).sum(0) / (weights**2).sum(0)
    assert np.median(np.abs(peer / s[0] - 1)) < 0.05, np.median(np.abs(peer / s[0] - 1))
    return s


for n, nw, k in [(1, 0.3, 1), (2, 0.7, 1), (64, 4, 7), (333, 2.5, 4)]:
    w, r = dpss(n, nw, k, return_ratios=True)
    put(f"slepian {n}", w)
    put(f"slepian ratios {n}", r)

x = wave(2, 200)
fs = 500.0
z, r = spectra(x, 4, 7, 200)
put("multitaper", density(mean(np.abs(z) ** 2, r), fs, 200))
z, r = spectra(x, 2.5, 3, 301)
put("multitaper options", density(mean(np.abs(z) ** 2, r), 1, 301))
steep = np.cumsum(np.cumsum(wave(2, 201) - 0.35, -1), -1)
put("multitaper adaptive", density(adapted(steep, 4, 7, 201), fs, 201))
c = wave(90) + 1j * wave(2, 90)[1]
z, r = spectra(c, 4, 7, 90)
put("multitaper complex", mean(np.abs(z) ** 2, r))
a, r = spectra(x[0], 4, 7, 200)
b, _ = spectra(x[1], 4, 7, 200)
put("multitaper csd", density(mean(a.conj() * b, r), fs, 200))
put("multitaper coherence", np.abs(mean(a.conj() * b, r)) ** 2 / mean(np.abs(a) ** 2, r) / mean(np.abs(b) ** 2, r))


def morlet(x, fs, freqs, cycles, energy):
    """By the definition: sums over samples."""
    n = x.shape[-1]
    out = []
    t = np.arange(1 - n, n) / fs
    for f, c in zip(freqs, np.broadcast_to(cycles, len(freqs))):
        sigma = c / (2 * np.pi * f)
        w = (np.exp(2j * np.pi * f * t) - np.exp(-c * c / 2)) * np.exp(-t * t / (2 * sigma**2))
        if energy:
            w *= np.sqrt(2 / np.sum(np.abs(w) ** 2))
        else:
            w *= (1 if np.iscomplexobj(x) else 2) / np.abs(np.sum(w * np.exp(-2j * np.pi * f * t)))
        out.append([np.convolve(line, w)[n - 1 : 2 * n - 1] for line in x])
    return np.moveaxis(np.array(out), 0, 1)


freqs = np.array([12.0, 20, 33.3, 70])
x = wave(2, 600) - 0.35
for name, cycles in [("", 7.0), (" few", np.array([3.0, 4, 2, 5]))]:
    ours = morlet(x, fs, freqs, cycles, True)
    peer = mne.time_frequency.tfr_array_morlet(x[None], fs, freqs, n_cycles=cycles)[0]
    assert np.abs(ours - peer).max() < 2e-5 * np.abs(peer).max(), np.abs(ours - peer).max() / np.abs(peer).max()
    put("morlet energy" + name, ours[:, :, ::13])
    put("morlet" + name, morlet(x, fs, freqs, cycles, False)[:, :, ::13])
put("morlet complex", morlet(x[:1] + 1j * x[1:], fs, freqs, 4.0, False)[:, :, ::13])

write("field_goldens.json", mne=mne.__version__)
