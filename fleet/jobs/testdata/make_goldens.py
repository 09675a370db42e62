"""Makes the files that goldens_test.go compares with:  python3 make_goldens.py

    pip install lifewatch-pypam==1.0.0 scipy

Hybrid millidecade bands are PyPAM's, as mbari-pbp calls it; power spectra and
percentiles SciPy's and NumPy's, correlations NumPy's. Samples are those of samples() in
goldens_test.go: red noise by integers, so that both have the same.
"""

import numpy as np
import pypam.signal
import scipy.fft
import scipy.signal
import xarray
from pypam import utils


def samples(n):
    x, y = 12345, 0
    out = np.empty(n, np.int16)
    for i in range(n):
        x = (x * 1664525 + 1013904223) & 0xFFFFFFFF
        y += (x >> 19) - 4096 - (y >> 3)
        out[i] = max(-32768, min(32767, y))
    return out / 32768


def hmd(x, fs, minutes):
    limits, centres = utils.get_hybrid_millidecade_limits([0, fs / 2], fs, fs)
    spectra = []
    for m in range(minutes):
        s = pypam.signal.Signal(x[m * 60 * fs:(m + 1) * 60 * fs], fs=fs)
        s.set_band(None)
        f, p, _ = s.spectrum(scaling="density", nfft=fs, db=False, overlap=0.5, force_calc=True)
        spectra.append(p)
    da = xarray.DataArray(spectra, coords={"time": range(minutes), "frequency": f}, dims=["time", "frequency"])
    bands = utils.spectra_ds_to_bands(da, limits, centres, 1.0, db=True)
    return np.array(limits), np.array(centres), bands.values


for fs, minutes in [(48000, 1), (4000, 2), (500, 2)]:
    x = samples(fs * 60 * minutes)
    limits, centres, levels = hmd(x, fs, minutes)
    np.savez_compressed(f"hmd_{fs}.npz", limits=limits, centres=centres, levels=levels)

fs, nfft = 4000, 512
x = samples(fs * 60)
f, t, p = scipy.signal.spectrogram(x, fs, "hann", nfft, nfft // 2, detrend=False, scaling="density", mode="psd")
_, mean = scipy.signal.welch(x, fs, "hann", nfft, nfft // 2, detrend=False)
np.savez_compressed("psd_4000.npz", frequencies=f, mean=10 * np.log10(mean), **{f"p{q:02d}": 10 * np.log10(np.percentile(p, q, axis=1)) for q in (5, 50, 95)})


def correlated(frames, windows):
    """Those of correlated() in correlate_test.go: noise, the same 7 samples later, other noise."""
    x, y = samples(frames * windows + 100), samples(3 * frames * windows + 100)[2 * frames * windows:]
    at = np.arange(frames * windows) + 50
    return np.stack([x[at], x[at - 7], y[at]]).reshape(3, windows, frames)


def correlations(w, nfft, lag, method, smooth):
    """Stacked cross-correlations of all pairs, of windows as (channels, windows, frames)."""
    z = np.fft.rfft(w - w.mean(-1, keepdims=True), nfft)
    if method == "phat":
        z /= np.maximum(np.abs(z), 1e-300)
    elif method == "whiten":
        # Amplitudes divided by their running mean; the ends go on beyond the spectrum.
        a = np.pad(np.abs(z), [(0, 0), (0, 0), (smooth, smooth)], mode="edge")
        z /= np.lib.stride_tricks.sliding_window_view(a, 2 * smooth + 1, axis=-1).mean(-1)
    z[..., 0] = 0
    out = []
    for a in range(len(w)):
        for b in range(a + 1, len(w)):
            c = np.fft.irfft((z[a].conj() * z[b]).mean(0), nfft)
            out.append(np.concatenate([c[-lag:], c[:lag + 1]]))
    return np.array(out)


frames, windows, rate, lag = 120, 10, 10, 20
w = correlated(frames, windows)
nfft = scipy.fft.next_fast_len(frames + lag, real=True)
smooth = max(1, int(0.5 / (rate / nfft) / 2))  # of half a hertz
np.savez_compressed("correlate_10.npz", nfft=float(nfft), **{m: correlations(w, nfft, lag, m, smooth) for m in ("plain", "phat", "whiten")})
