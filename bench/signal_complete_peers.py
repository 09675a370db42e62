"""What SciPy and librosa take for the benchmarks of signal_complete_test.go.

Prints lines as Go's benchmarks do, least of several runs:  python3 signal_complete_peers.py
"""

import functools

import numpy as np
import scipy.signal as ss

from timing import best

try:
    import librosa
except ImportError:
    librosa = None

rng = np.random.default_rng(1)
best = functools.partial(best, repeats=3)

x = rng.standard_normal((64, 480000))
b, a = ss.butter(4, 0.2)
sos = ss.butter(4, 0.2, output="sos")
best("LFilter64", lambda: ss.lfilter(b, a, x))
best("SOSFilt64", lambda: ss.sosfilt(sos, x))
line = rng.standard_normal(1000000)
for taps in [3, 31, 255, 4096]:
    k = rng.standard_normal(taps)
    faster = ss.oaconvolve if taps > 40 else ss.convolve
    best(f"ConvolveLine/{taps}", lambda: faster(line, k, "same"))
image, kernel = rng.standard_normal((512, 512)), rng.standard_normal((31, 31))
best("Convolve2D", lambda: ss.convolve(image, kernel))
line = rng.standard_normal(1 << 20)
best("MedFilt", lambda: ss.medfilt(line, 31))
rows = rng.standard_normal((16, 1 << 18))
best("SavGol", lambda: ss.savgol_filter(rows, 31, 3))
four = rng.standard_normal((4, 1 << 20))
best("ResamplePoly4", lambda: ss.resample_poly(four, 160, 147, axis=-1))
if librosa is None:
    raise SystemExit("librosa is not installed: Chroma, MFCC and HPSS are left out")
sound = rng.standard_normal(60 * 22050, dtype=np.float32)
librosa.feature.chroma_stft(y=sound[:22050], tuning=0.0)  # what is compiled on first use
best("Chroma", lambda: librosa.feature.chroma_stft(y=sound, tuning=0.0))
best("MFCC", lambda: librosa.feature.mfcc(y=sound))
S = np.abs(librosa.stft(sound[: 30 * 22050]))
best("HPSS", lambda: librosa.decompose.hpss(S))
