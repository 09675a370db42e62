"""Writes goldens.json: what SciPy, librosa, torch and torchaudio say, for goldens_test.go.

Run in this folder:  python3 make_goldens.py
Needs numpy, scipy, librosa, torch and torchaudio. Inputs are made by formulae that the
tests repeat exactly, so only results are stored.
"""

import warnings

import numpy as np
import scipy
import scipy.signal as ss
import torch
import torchaudio

from cases import put, swirl, wave, write

warnings.filterwarnings("ignore")

WINDOWS = ["bartlett", "blackman", "blackmanharris", "boxcar", "cosine", "flattop", ("gaussian", 3.5), "hamming", "hann",
           ("kaiser", 8.6), "nuttall", "parzen", ("tukey", 0.3)]
for w in WINDOWS:
    name = w if isinstance(w, str) else f"{w[0]}:{w[1]}"
    for n in (1, 2, 9, 16):
        put(f"window {name} {n} periodic", ss.get_window(w, n))
        put(f"window {name} {n} symmetric", ss.get_window(w, n, fftbins=False))

for kind in ("constant", "linear"):
    put(f"detrend {kind}", ss.detrend(wave(3, 21), type=kind))
    put(f"detrend {kind} axis 0", ss.detrend(wave(21, 3), type=kind, axis=0))
    put(f"detrend {kind} complex", ss.detrend(swirl(2, 15), type=kind))

x, y = wave(2, 60), wave(2, 60)[:, ::-1] ** 2
for label, kw in {
    "default": {},
    "even": {"nperseg": 16},
    "odd": {"nperseg": 15, "noverlap": 4},
    "nfft": {"nperseg": 12, "nfft": 21, "noverlap": 0},
    "linear": {"nperseg": 16, "detrend": "linear"},
    "raw": {"nperseg": 16, "detrend": False, "window": "blackman"},
    "spectrum": {"nperseg": 16, "scaling": "spectrum", "fs": 48000.0},
    "median": {"nperseg": 8, "average": "median"},
    "median odd": {"nperseg": 14, "average": "median"},
    "twosided": {"nperseg": 16, "return_onesided": False},
}.items():
    put(f"welch {label}", ss.welch(x, **kw)[1])
    put(f"welch {label} frequencies", ss.welch(x, **kw)[0])
    put(f"csd {label}", ss.csd(x, y, **kw)[1])
    if "average" not in kw and "scaling" not in kw:
        put(f"coherence {label}", ss.coherence(x, y, **{k: v for k, v in kw.items() if k != "return_onesided"})[1])
    if "average" not in kw:
        for mode in ("psd", "complex", "magnitude", "angle", "phase"):
            f, t, s = ss.spectrogram(x, mode=mode, **kw)
            put(f"spectrogram {label} {mode}", s)
        put(f"spectrogram {label} times", t)
put("welch axis 0", ss.welch(wave(60, 2), nperseg=16, axis=0)[1])
put("welch complex", ss.welch(swirl(2, 60), nperseg=16)[1])
put("csd shorter", ss.csd(x, y[:, :45], nperseg=16)[1])
put("spectrogram axis 0", ss.spectrogram(wave(60, 2), nperseg=16, axis=0)[2])
put("periodogram even", ss.periodogram(x)[1])
put("periodogram odd", ss.periodogram(x[:, :31], fs=10.0)[1])
put("periodogram hann long", ss.periodogram(x, window="hann", nfft=77, scaling="spectrum")[1])
put("periodogram short", ss.periodogram(x, nfft=32)[1])
put("unwrap", np.unwrap(wave(3, 40).cumsum(-1) % (2 * np.pi)))

for label, args in {"even": (16, 8, 16), "odd": (15, 7, 15), "nfft": (12, 9, 20), "apart": (16, 0, 16)}.items():
    f, t, z = ss.stft(x, nperseg=args[0], noverlap=args[1], nfft=args[2])
    put(f"stft scipy {label}", z)
    put(f"istft scipy {label}", ss.istft(z, nperseg=args[0], noverlap=args[1], nfft=args[2], window="hann")[1] if label != "apart" else np.zeros(1))
put("stft scipy axis 0", ss.stft(wave(60, 2), nperseg=16, axis=0)[2])

import librosa

put("stft librosa", librosa.stft(x, n_fft=16, hop_length=4))
put("stft librosa odd", librosa.stft(x, n_fft=15, hop_length=5))
tx, hann = torch.from_numpy(x), torch.hann_window(16, dtype=torch.float64)
for label, kw in {
    "": {"window": hann},
    " ones": {},
    " short window": {"window": torch.hann_window(11, dtype=torch.float64), "win_length": 11, "hop_length": 3, "normalized": True},
    " uncentred": {"window": hann, "center": False},
    " constant": {"window": hann, "pad_mode": "constant", "onesided": False},
    " replicate": {"window": hann, "pad_mode": "replicate", "hop_length": 5},
}.items():
    spectra = torch.stft(tx, 16, return_complex=True, **kw)
    put(f"stft torch{label}", spectra.numpy())
    if label in ("", " short window", " constant"):
        back = {k: v for k, v in kw.items() if k != "pad_mode"}
        put(f"istft torch{label}", torch.istft(spectra, 16, length=x.shape[-1], **back).numpy())

line = np.floor(wave(80) * 7) / 7 + np.sin(np.arange(80) * 0.3)
flat = np.floor(wave(80) * 4) / 4
for label, kw in {
    "all": {},
    "height": {"height": 0.25},
    "height both": {"height": (0.2, 0.9)},
    "threshold": {"threshold": (0.1, 1.2)},
    "distance": {"distance": 5},
    "prominence": {"prominence": 0.3},
    "prominence wlen": {"prominence": (None, 0.8), "wlen": 7},
    "width": {"width": (1, 6)},
    "width rel": {"width": 0, "rel_height": 0.8, "wlen": 12},
    "plateau": {"plateau_size": (2, 5)},
    "height each": {"height": (np.sin(np.arange(80) * 0.2), np.full(80, 1.3))},
    "prominence each": {"prominence": np.arange(80) * 0.01, "threshold": (None, 2 - np.arange(80) * 0.01)},
    "together": {"height": -0.5, "threshold": 0, "distance": 3, "prominence": 0.2, "width": 0.5, "plateau_size": 1},
}.items():
    for of, data in (("line", line), ("flat", flat)):
        if of == "flat" and "distance" in kw:
            continue  # which of equal peaks stays is up to the sort
        i, p = ss.find_peaks(data, **kw)
        put(f"peaks {of} {label}", i)
        for key, v in p.items():
            put(f"peaks {of} {label} {key}", v)
for order in (1, 3):
    put(f"argrelmax {order}", ss.argrelmax(line, order=order)[0])
    put(f"argrelmin {order}", ss.argrelmin(line, order=order)[0])

tone = wave(2, 600)
for label, kw in {"slaney": {}, "htk": {"htk": True, "norm": None}, "band": {"fmin": 300.0, "fmax": 3000.0}}.items():
    put(f"mel {label}", librosa.filters.mel(sr=8000, n_fft=64, n_mels=8, dtype=np.float64, **kw))
    put(f"melspectrogram {label}", librosa.feature.melspectrogram(y=tone, sr=8000, n_fft=64, hop_length=16, n_mels=8, dtype=np.float64, **kw))
# Single precision: torchaudio's windows and filters have no more.
put("melspectrogram torchaudio", torchaudio.transforms.MelSpectrogram(8000, n_fft=64, hop_length=16, n_mels=8)(torch.from_numpy(tone.astype(np.float32))).numpy())
put("melspectrogram torchaudio slaney", torchaudio.transforms.MelSpectrogram(8000, n_fft=64, hop_length=16, n_mels=8, mel_scale="slaney", norm="slaney")(torch.from_numpy(tone.astype(np.float32))).numpy())
put("melspectrogram magnitude", librosa.feature.melspectrogram(y=tone, sr=8000, n_fft=64, hop_length=16, n_mels=8, power=1.0, dtype=np.float64))
put("mfcc", librosa.feature.mfcc(y=tone[0], sr=8000, n_fft=64, hop_length=16, n_mels=8, n_mfcc=5, dtype=np.float64))
power = wave(5, 12) ** 4
put("power to db", librosa.power_to_db(power))
put("power to db max", librosa.power_to_db(power, ref=np.max, top_db=20))
put("power to db ref", librosa.power_to_db(power, ref=2.5, amin=1e-3, top_db=None))
put("amplitude to db", librosa.amplitude_to_db(power))

for n in (1, 2, 21, 30):
    put(f"hilbert {n}", ss.hilbert(wave(2, n)))
put("hilbert axis 0", ss.hilbert(wave(21, 2), axis=0))
put("hilbert longer", ss.hilbert(wave(2, 21), N=30))
put("hilbert shorter", ss.hilbert(wave(2, 21), N=16))
z = ss.hilbert(np.cos(np.arange(50) * 0.7) * (2 + np.sin(np.arange(50) * 0.05)))
put("instantaneous frequency", np.diff(np.unwrap(np.angle(z))) * 100 / (2 * np.pi))
for mode in ("full", "same", "valid"):
    for n, m in ((20, 7), (7, 20), (9, 9)):
        put(f"correlate {mode} {n} {m}", ss.correlate(wave(n), wave(m)[::-1], mode=mode, method="direct"))
        put(f"correlate lags {mode} {n} {m}", ss.correlation_lags(n, m, mode=mode))
    put(f"correlate complex {mode}", ss.correlate(swirl(20), swirl(7), mode=mode, method="direct"))

time = np.arange(50) * 0.02
for method in ("linear", "quadratic", "logarithmic", "hyperbolic"):
    put(f"chirp {method}", ss.chirp(time, 2.0, 1.0, 9.0, method=method, phi=30))
    put(f"chirp {method} down", ss.chirp(time, 9.0, 1.0, 2.0, method=method))
angle = np.arange(60) * 0.37 - 5
put("square", ss.square(angle))
put("square duty", ss.square(angle, 0.3))
put("sawtooth", ss.sawtooth(angle))
put("sawtooth triangle", ss.sawtooth(angle, 0.5))

put("firwin low", ss.firwin(21, 0.3))
put("firwin low even", ss.firwin(20, 1000.0, fs=8000.0, window=("kaiser", 6.0)))
put("firwin high", ss.firwin(21, 0.4, pass_zero=False, window="hann"))
put("firwin band", ss.firwin(31, [0.2, 0.5], pass_zero=False))
put("firwin stop", ss.firwin(31, [0.2, 0.5]))
put("firwin raw", ss.firwin(15, 0.3, scale=False))
put("firls", ss.firls(21, [0, 0.3, 0.4, 1], [1, 1, 0, 0]))
put("firls weighted", ss.firls(33, [0, 1000, 1500, 2500, 3000, 4000], [0, 0, 1, 0.5, 0, 0], weight=[1, 5, 2], fs=8000))
put("kaiserord", ss.kaiserord(65.0, 0.05))

grid = np.linspace(0, np.pi, 40)
designs = {"butter": lambda n, w, k, fs: ss.butter(n, w, k, output="sos", fs=fs),
           "cheby1": lambda n, w, k, fs: ss.cheby1(n, 1.0, w, k, output="sos", fs=fs),
           "cheby2": lambda n, w, k, fs: ss.cheby2(n, 40.0, w, k, output="sos", fs=fs),
           "ellip": lambda n, w, k, fs: ss.ellip(n, 1.0, 40.0, w, k, output="sos", fs=fs)}
for name, make in designs.items():
    for n in (1, 2, 5, 6):
        for kind, w in (("lowpass", 0.3), ("highpass", 0.6), ("bandpass", [0.25, 0.5]), ("bandstop", [0.25, 0.5])):
            sos = make(n, w, kind, 2)
            put(f"{name} {n} {kind}", sos)
            put(f"{name} {n} {kind} response", ss.freqz_sos(sos, worN=grid)[1])
sos = ss.ellip(5, 1.0, 40.0, 0.3, output="sos")
put("sosfilt", ss.sosfilt(sos, wave(2, 500)))
put("sosfilt axis 0", ss.sosfilt(sos, wave(500, 2), axis=0))
put("sosfilt zi", ss.sosfilt_zi(sos))
zi = ss.sosfilt_zi(sos)[:, None, :] * wave(2, 500)[None, :, :1]
y, zf = ss.sosfilt(sos, wave(2, 500), zi=zi)
put("sosfilt from state", y)
put("sosfilt end state", zf)
put("sosfiltfilt", ss.sosfiltfilt(sos, wave(2, 90)))
put("sosfiltfilt padlen", ss.sosfiltfilt(sos, wave(2, 90), padlen=10))
put("sosfiltfilt none", ss.sosfiltfilt(sos, wave(2, 90), padlen=0))
put("sosfiltfilt band", ss.sosfiltfilt(ss.butter(3, [0.2, 0.5], "bandpass", output="sos"), wave(2, 90)))

for n, m in ((20, 30), (20, 13), (21, 14), (21, 40), (16, 8), (8, 16), (12, 12), (1, 4)):
    put(f"resample {n} {m}", ss.resample(wave(2, n), m, axis=-1))
    put(f"resample complex {n} {m}", ss.resample(swirl(2, n), m, axis=-1))
put("resample axis 0", ss.resample(wave(20, 2), 30, axis=0))
for n, up, down in ((50, 3, 2), (50, 2, 3), (51, 7, 4), (50, 1, 5), (50, 5, 1), (50, 6, 4), (1, 2, 1)):
    put(f"resample poly {n} {up} {down}", ss.resample_poly(wave(2, n), up, down, axis=-1))

put("czt", ss.czt(wave(2, 20), axis=-1))
put("czt m", ss.czt(swirl(2, 20), 33))
put("czt spiral", ss.czt(wave(2, 20), 12, 0.98 * np.exp(-0.1j), 1.1 * np.exp(0.2j)))
put("zoom fft", ss.zoom_fft(wave(2, 50), [0.2, 0.45], 16))
put("zoom fft fs", ss.zoom_fft(wave(2, 50), [100.0, 450.0], 25, fs=2000.0, endpoint=True))

when = np.cumsum(0.3 + wave(60) ** 2)
what = np.sin(2.1 * when) + 0.3 * wave(60)
omega = np.linspace(0.1, 4, 25)
for label, kw in {"power": {}, "normalize": {"normalize": True}, "mean": {"floating_mean": True}, "weights": {"weights": 1 + (np.arange(60) % 3), "normalize": "normalize"},
                  "amplitude": {"normalize": "amplitude", "floating_mean": True}}.items():
    put(f"lombscargle {label}", ss.lombscargle(when, what, omega, **kw))

write("goldens.json", **{"made by": f"numpy {np.__version__}, scipy {scipy.__version__}, librosa {librosa.__version__}, torch {torch.__version__}, torchaudio {torchaudio.__version__}"})
