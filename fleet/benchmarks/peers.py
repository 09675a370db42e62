"""What people use today, over the same files:  python3 peers.py PEER FILES...

    pip install lifewatch-pypam==1.0.0 scipy soundfile

PEER is pypam (hybrid millidecade bands per minute, as mbari-pbp calls it),
scipy-psd or scipy-hmd (Welch by hand), or correlate and correlate-matmul, two
ways to write the same (files are .npy of one channel each, 20 Hz).
"""

import sys
import tempfile

import numpy as np

peer, files = sys.argv[1], sys.argv[2:]


def minutes(dtype):
    try:
        import soundfile
    except ImportError:  # 16-bit mono is simple enough
        import scipy.io.wavfile

        for name in files:
            fs, x = scipy.io.wavfile.read(name, mmap=True)
            for at in range(0, len(x) // (fs * 60) * fs * 60, fs * 60):
                yield fs, x[at:at + fs * 60].astype(dtype) / np.dtype(dtype).type(32768)
        return
    for name in files:
        with soundfile.SoundFile(name) as f:
            while True:
                x = f.read(f.samplerate * 60, dtype=dtype)
                if len(x) < f.samplerate * 60:
                    break
                yield f.samplerate, x


def bands(spectra, fs):
    from pypam import utils
    import xarray

    limits, centres = utils.get_hybrid_millidecade_limits([0, fs / 2], fs, fs)
    da = xarray.DataArray(spectra, coords={"time": range(len(spectra)), "frequency": np.arange(fs // 2 + 1.0)}, dims=["time", "frequency"])
    return utils.spectra_ds_to_bands(da, limits, centres, 1.0, db=True)


if peer == "pypam":
    import pypam.signal

    spectra = []
    for fs, x in minutes("float64"):
        s = pypam.signal.Signal(x, fs=fs)
        s.set_band(None)
        spectra.append(s.spectrum(scaling="density", nfft=fs, db=False, overlap=0.5, force_calc=True)[1])
    print(bands(spectra, fs).shape)
elif peer in ("scipy-psd", "scipy-hmd"):
    import scipy.signal

    out = []
    for fs, x in minutes("float32"):
        f, p = scipy.signal.welch(x, fs, "hann", fs, fs // 2, detrend=False)
        if peer == "scipy-hmd":
            if not out:
                # Edges of bands by the formula, and sums by reduceat.
                c = 10 * 10 ** ((2 * np.arange(4000) + 1) / 2000)
                c = c[(c > 435) & (c < fs / 2)]
                edges = np.unique(np.concatenate([np.arange(0, 436), c]).astype(int))
            p = np.add.reduceat(p, edges) / np.diff(np.append(edges, len(p)))
        out.append(10 * np.log10(p))
    np.save("/dev/null", np.array(out, np.float32))
elif peer in ("correlate", "correlate-matmul"):
    import scipy.fft

    x = np.stack([np.load(f) for f in files])
    fs, window, lag = 20, 36000, 2400
    n = scipy.fft.next_fast_len(window + lag, real=True)
    stations, count = len(x), x.shape[1] // window
    bins = n // 2 + 1

    def spectra(at):
        w = x[:, at * window:(at + 1) * window]
        z = scipy.fft.rfft(w - w.mean(1, keepdims=True), n, workers=2)
        z[:, 0] = 0
        z /= np.maximum(np.abs(z), 1e-30)
        return z

    if peer == "correlate":
        # Cross-spectra of one station with all that follow, added window by window.
        stack = np.zeros((stations, stations, bins), np.complex64)
        for at in range(count):
            z = spectra(at)
            for a in range(stations):
                stack[a, a + 1:] += z[a].conj() * z[a + 1:]
    else:
        # A product of matrices for each bin: BLAS adds the windows.
        z = np.stack([spectra(at) for at in range(count)])
        stack = np.empty((stations, stations, bins), np.complex64)
        for k in range(0, bins, 256):
            part = np.ascontiguousarray(z[:, :, k:k + 256].transpose(2, 1, 0))
            stack[:, :, k:k + 256] = np.matmul(part.conj(), part.transpose(0, 2, 1)).transpose(1, 2, 0)
    out = []
    for a in range(stations - 1):
        c = scipy.fft.irfft(stack[a, a + 1:], n, workers=2) / np.float32(count)
        out.append(np.concatenate([c[:, -lag:], c[:, :lag + 1]], 1))
    with tempfile.TemporaryFile() as f:
        np.save(f, np.concatenate(out))
else:
    sys.exit(__doc__)
