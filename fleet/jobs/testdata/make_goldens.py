"""Makes the files that goldens_test.go compares with:  python3 make_goldens.py

    pip install lifewatch-pypam==1.0.0 scipy

Hybrid millidecade bands are PyPAM's, as mbari-pbp calls it; power spectra and
percentiles SciPy's and NumPy's. Samples are those of samples() in
goldens_test.go: red noise by integers, so that both have the same.
"""

import numpy as np
import pypam.signal
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
