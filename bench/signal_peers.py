"""What SciPy and librosa take for the benchmarks of signal_test.go.

Prints lines as Go's benchmarks do, least of several runs:  python3 signal_peers.py
"""

import librosa
import numpy as np
import scipy.signal as ss

from timing import best

rng = np.random.default_rng(1)


def noise(*shape, dtype=np.float32):
    return rng.standard_normal(shape, dtype=dtype)


x = noise(64, 1 << 20)
best("Welch", lambda: ss.welch(x, nperseg=1024), 3)
y = noise(600 * 44100)
best("STFT", lambda: librosa.stft(y, n_fft=2048, hop_length=512))
z = librosa.stft(y[: 60 * 44100], n_fft=2048, hop_length=512)
best("ISTFT", lambda: librosa.istft(z, hop_length=512))
sos = ss.butter(6, 0.2, output="sos")
best("SOSFilt", lambda: ss.sosfilt(sos, x[:16]))
best("ResamplePoly", lambda: ss.resample_poly(x[:4], 160, 147, axis=-1))
rows = noise(4096, 513, dtype=np.float64)
for name, kw in {"all": {}, "prominence": {"prominence": 0.5},
                 "together": {"height": 0, "distance": 5, "prominence": 0.5, "width": 1}}.items():
    best(f"FindPeaks/{name}", lambda: [ss.find_peaks(row, **kw) for row in rows])
