"""Writes feature_goldens.json: what SciPy and librosa say about windows, transforms, convolution,
filter design and features of sound.

Run in this folder:  python3 make_feature_goldens.py
Needs numpy, scipy, librosa and mpmath. Inputs are made by formulae that the tests repeat exactly.
"""

import warnings

import librosa
import mpmath
import numpy as np
import scipy
import scipy.fft as sf
import scipy.signal as ss

from cases import put, swirl, wave, write

warnings.filterwarnings("ignore")

for w in ["triang", "bohman", "barthann", "lanczos", ("chebwin", 70), ("dpss", 2.5), ("taylor", 4, 30), ("taylor", 6, 45),
          ("exponential", None, 3.0), ("general_gaussian", 1.5, 4), ("general_hamming", 0.6), ("general_cosine", [0.5, 0.3, 0.2]),
          ("tukey", 0.0), ("kaiser", 0.0)]:
    name = w if isinstance(w, str) else ":".join(str(v) for v in w if v is not None)
    for n in (7, 9, 16):
        put(f"window {name} {n} periodic", ss.get_window(w, n))
        put(f"window {name} {n} symmetric", ss.get_window(w, n, fftbins=False))
put("window kaiser_bessel_derived:4 16 symmetric", ss.windows.kaiser_bessel_derived(16, 4))


def spiral(x, m, w, a):
    """The chirp z-transform by its definition, in 40 digits."""
    mpmath.mp.dps = 40
    w, a = mpmath.mpc(w), mpmath.mpc(a)
    return [complex(sum(mpmath.mpc(v) * a ** -j * w ** (j * k) for j, v in enumerate(x))) for k in range(m)]


put("czt spiral in", spiral(wave(300), 20, 0.97 * np.exp(-0.1j), 1))
put("czt spiral out", spiral(wave(60), 50, 1.02 * np.exp(-0.2j), 0.9 * np.exp(0.3j)))


for kind in (1, 2, 3, 4):
    for n in (2, 5, 8):
        for norm in ("backward", "ortho", "forward"):
            put(f"dct {kind} {n} {norm}", sf.dct(wave(2, n), kind, norm=norm))
            put(f"dst {kind} {n} {norm}", sf.dst(wave(2, n), kind, norm=norm))
            put(f"idct {kind} {n} {norm}", sf.idct(wave(2, n), kind, norm=norm))
            put(f"idst {kind} {n} {norm}", sf.idst(wave(2, n), kind, norm=norm))
put("dct n axis", sf.dct(wave(6, 3), n=9, axis=0))
put("dct orthogonalize", sf.dct(wave(2, 6), orthogonalize=True))
put("dct not orthogonal", sf.dct(wave(2, 6), norm="ortho", orthogonalize=False))
put("dctn", sf.dctn(wave(3, 4, 5), norm="ortho"))
put("idstn", sf.idstn(wave(3, 4, 5), axes=(0, 2)))

x, k = wave(7, 9), wave(4, 3) ** 2
cx, ck = swirl(7, 9), swirl(4, 3)
for mode in ("full", "same", "valid"):
    put(f"convolve {mode}", ss.convolve(x, k, mode=mode))
    put(f"correlate {mode}", ss.correlate(x, k, mode=mode))
    put(f"convolve {mode} complex", ss.convolve(cx, ck, mode=mode))
    put(f"correlate {mode} complex", ss.correlate(cx, ck, mode=mode))
    put(f"fftconvolve {mode} axis 1", ss.fftconvolve(wave(3, 20), wave(1, 6), mode=mode, axes=1))
put("convolve valid swapped", ss.convolve(k, x, mode="valid"))

x, z = wave(2, 50), swirl(2, 50)
for pad in ("constant", "mean", "median", "maximum", "minimum", "line", "edge", "wrap", "reflect"):
    put(f"resample_poly {pad}", ss.resample_poly(x, 3, 2, axis=1, padtype=pad))
put("resample_poly complex", ss.resample_poly(z, 2, 5, axis=1))
put("resample_poly even", ss.resample_poly(x, 2, 3, axis=1, window=np.array([1.0, 2, 3, 2])))
put("upfirdn", ss.upfirdn([1.0, 0.5, 0.25, 2], x, 3, 2))
put("decimate", ss.decimate(wave(2, 200), 4))
put("decimate fir", ss.decimate(wave(2, 200), 4, ftype="fir"))
put("decimate delay", ss.decimate(wave(2, 200), 4, zero_phase=False))
# A system of one's own; SciPy warns that a numerator shorter than the denominator is padded.
iir, fir = ss.dlti(*ss.butter(3, 0.2)), ss.dlti(ss.firwin(31, 0.25), [1.0])
put("decimate system", ss.decimate(wave(2, 200), 4, ftype=iir))
put("decimate system delay", ss.decimate(wave(2, 200), 4, ftype=iir, zero_phase=False))
put("decimate system fir", ss.decimate(wave(2, 200), 4, ftype=fir))
turned = ss.butter(4, 0.2, output="sos").astype(complex) * np.exp(1j * np.pi / 4 * np.array([0, 1, 2, 0, 1, 2]))
put("sosfilt complex sections", ss.sosfilt(turned, wave(2, 50)))
put("sosfilt complex sections, complex", ss.sosfilt(turned, swirl(2, 50)))
for mode in ("interp", "mirror", "constant", "nearest", "wrap"):
    put(f"savgol {mode}", ss.savgol_filter(x, 7, 3, mode=mode))
put("savgol deriv", ss.savgol_filter(x, 9, 4, deriv=2, delta=0.5))
put("savgol even", ss.savgol_filter(x, 6, 2, mode="mirror"))
put("savgol_coeffs", ss.savgol_coeffs(11, 3, use="dot"))
put("medfilt", [ss.medfilt(r, 5) for r in x])
put("wiener", ss.wiener(wave(6, 9), (3, 5)))
put("wiener noise", ss.wiener(wave(20), 5, 0.1))

w = np.linspace(0.05, 3, 25)
b, a = ss.ellip(4, 1, 40, 0.3)
put("group_delay", ss.group_delay((b, a), w)[1])
put("freqz_zpk", ss.freqz_zpk(*ss.ellip(4, 1, 40, 0.3, output="zpk"), worN=w)[1])
put("freqs", ss.freqs(*ss.butter(4, 2.0, analog=True), worN=w)[1])
for f in ("iirnotch", "iirpeak"):
    put(f + " b", getattr(ss, f)(60, 30, 500)[0])
    put(f + " a", getattr(ss, f)(60, 30, 500)[1])
EDGES = {"low": (0.2, 0.3), "high": (0.3, 0.2), "band": ([0.2, 0.5], [0.1, 0.6]), "stop": ([0.1, 0.6], [0.2, 0.5])}
for name, (p, s) in EDGES.items():
    for f in ("buttord", "cheb1ord", "cheb2ord", "ellipord"):
        n, wn = getattr(ss, f)(p, s, 1, 40)
        put(f"{f} {name}", np.concatenate([[n], np.atleast_1d(wn)]))
put("firwin bands", ss.firwin(31, [0.1, 0.2, 0.5, 0.7], pass_zero=False))
put("firwin bands zero", ss.firwin(31, [0.1, 0.4, 0.7], pass_zero=True, window="hann"))
put("firwin2", ss.firwin2(31, [0, 0.3, 0.3, 0.6, 1], [1, 1, 0, 0.5, 0]))
put("minimum_phase", ss.minimum_phase(ss.firwin(31, 0.3)))
put("minimum_phase whole", ss.minimum_phase(ss.firwin(31, 0.3), half=False))

put("stft times", ss.stft(wave(100), fs=100, nperseg=32)[1])
put("detrend breakpoints", ss.detrend(wave(2, 40), bp=[10, 25]))

sound = wave(12000)
S = np.abs(librosa.stft(sound))
f = librosa.fft_frequencies()
put("centroid", librosa.feature.spectral_centroid(S=S, freq=f))
put("bandwidth", librosa.feature.spectral_bandwidth(S=S, freq=f))
put("rolloff", librosa.feature.spectral_rolloff(S=S, freq=f))
put("flatness", librosa.feature.spectral_flatness(S=S))
put("contrast", librosa.feature.spectral_contrast(S=S, freq=f))
put("rms", librosa.feature.rms(y=sound))
put("zcr", librosa.feature.zero_crossing_rate(sound - 0.3))
put("chroma filters", librosa.filters.chroma(sr=22050, n_fft=512, dtype=np.float64))
put("chroma", librosa.feature.chroma_stft(y=sound, tuning=0.0))
mel = librosa.power_to_db(librosa.feature.melspectrogram(y=sound))
put("mfcc lifter", librosa.feature.mfcc(S=mel, n_mfcc=13, lifter=22))
put("mfcc dct 3", librosa.feature.mfcc(S=mel, n_mfcc=13, dct_type=3, norm=None))
put("delta", librosa.feature.delta(mel[:5]))
put("delta 2", librosa.feature.delta(mel[:5], order=2))
put("onset", librosa.onset.onset_strength(y=sound))
put("tempogram", librosa.feature.tempogram(onset_envelope=np.abs(wave(60)), win_length=16))
H, P = librosa.decompose.hpss(S[:60], kernel_size=(7, 9))
put("hpss harmonic", H)
put("hpss percussive", P)
H, P = librosa.decompose.hpss(S[:60], kernel_size=7, margin=2.0, mask=True)
put("hpss masks", np.stack([H, P]))
D = librosa.stft(sound, n_fft=256, hop_length=64)
put("phase_vocoder", librosa.phase_vocoder(D, rate=1.3, hop_length=64, n_fft=256)[:40, :30])

write("feature_goldens.json", scipy=scipy.__version__, librosa=librosa.__version__)
