"""Writes music_goldens.json: what librosa and SciPy say about energy normalization, pitch classes
and the constant-Q transform and its inverse.

Run in this folder:  python3 make_music_goldens.py
Needs numpy, scipy and librosa. Inputs are made by formulae that the tests repeat.
"""

import warnings

import librosa
import numpy as np
import scipy
import scipy.signal as ss

from cases import put, wave, write

warnings.filterwarnings("ignore")

s = np.abs(wave(2, 9, 40)) * 1e3
put("pcen", librosa.pcen(s))
put("pcen max", librosa.pcen(s, max_size=3, max_axis=-2, gain=0.8, bias=10, power=0.25, time_constant=0.06, sr=22050, hop_length=256, eps=1e-3))
put("pcen max even", librosa.pcen(s, max_size=4, max_axis=-2))
put("pcen log", librosa.pcen(s, power=0, b=0.2))
put("pcen no bias", librosa.pcen(s, bias=0, gain=1))
put("pcen from", librosa.pcen(s[..., 25:], zi=librosa.pcen(s[..., :25], return_zf=True)[1]))
put("pcen end", librosa.pcen(s, return_zf=True)[1])

x = wave(12000) - 0.35
f, m = librosa.piptrack(y=x)
put("piptrack", np.stack([f, m])[:, 12:374, ::4])
f, m = librosa.piptrack(S=np.abs(wave(2, 33, 6)), sr=8000, fmin=0, fmax=4000, threshold=0.5)
put("piptrack options", np.stack([f, m]))
f, m = librosa.piptrack(y=x, n_fft=501, hop_length=400, fmax=9000)
put("piptrack odd", np.stack([f, m])[..., ::5])

for label, kw in {"": {}, " 36": {"bins_per_octave": 36}, " A": {"fmin": 110.0}, " 24": {"n_chroma": 24, "bins_per_octave": 48, "fmin": 60.0}}.items():
    put("cq_to_chroma" + label, librosa.filters.cq_to_chroma(50, **kw))

# Octaves of librosa.cqt and icqt are not resampled where the hop is odd.
fs, hop, per, n = 22050, 127, 12, 6000
t = np.arange(n) / fs
x = np.sin(2 * np.pi * 660 * t) + 0.5 * np.sin(2 * np.pi * (900 + 1500 * t) * t)
kw = dict(sr=fs, hop_length=hop, fmin=440.0, bins_per_octave=per, sparsity=0)
c = librosa.cqt(x, n_bins=30, tuning=0.3, **kw)
put("cqt librosa", c)
put("icqt librosa", librosa.icqt(c, tuning=0.3, **kw))
freqs = librosa.cqt_frequencies(30, fmin=440.0 * 2 ** (0.3 / per), bins_per_octave=per)
alpha = librosa.filters._relative_bandwidth(freqs=freqs)
y = np.zeros((c.shape[1] - 1) * hop)
for first in range(0, 30, per):
    # By the definition: windowed tones, over the frames that a sample is in.
    basis, lengths = librosa.filters.wavelet(freqs=freqs[first : first + per], sr=fs, alpha=alpha[first : first + per])
    size = basis.shape[1]
    sums, frames = np.zeros((2, len(y) + size))
    for i in range(c.shape[1]):
        gains = 2 * size / np.sum(np.abs(basis) ** 2, 1) / lengths**1.5
        sums[i * hop : i * hop + size] += ((c[first : first + per, i] * gains) @ basis).real
        frames[i * hop : i * hop + size] += 1
    y += (sums / frames)[size // 2 : size // 2 + len(y)]
put("icqt", y)
put("icqt length", librosa.icqt(c, tuning=0.3, length=n, **kw)[-200:])
put("chroma_cqt", librosa.feature.chroma_cqt(C=np.abs(c[:24]), bins_per_octave=12, fmin=440.0))
put("chroma_cqt threshold", librosa.feature.chroma_cqt(C=np.abs(c[:24]), bins_per_octave=12, fmin=440.0, threshold=3.0))
put("chroma_cqt whole", librosa.feature.chroma_cqt(y=x, sr=fs, hop_length=hop, fmin=440.0, n_octaves=2, tuning=0.0))

for label, a in {"": [2.0, 1, 0.5], " unstable": [1.0, 3, 2], " gain": [4.0]}.items():
    q, r = ss.deconvolve(wave(12), a)
    put("deconvolve" + label, q)
    put("deconvolve remainder" + label, r)

x = np.clip(wave(60), -1, 1)
put("mu_compress", librosa.mu_compress(x, quantize=False))
put("mu_compress quantized", librosa.mu_compress(np.append(x, [-1, 1, 0]), quantize=True))
put("mu_compress 15", librosa.mu_compress(x, mu=15, quantize=True))
put("mu_expand", librosa.mu_expand(x, quantize=False))
put("mu_expand quantized", librosa.mu_expand(np.arange(-128, 128), quantize=True))
put("lpc", librosa.lpc(wave(2, 200) - 0.35, order=12))
put("lpc 1", librosa.lpc(wave(2), order=1))
put("tonnetz", librosa.feature.tonnetz(chroma=np.abs(wave(2, 12, 7))))
put("tonnetz 24", librosa.feature.tonnetz(chroma=np.abs(wave(24, 3))))
put("mel_frequencies", librosa.mel_frequencies(42, fmin=20, fmax=8000)[1:-1])
put("mel_frequencies htk", librosa.mel_frequencies(42, fmin=0, fmax=11025, htk=True)[1:-1])

midi = np.array([0, 11, 60, 60.49, 61, 63.5, 69, 69.126, 72.75, 127])
names = {
    "midi": midi.tolist(),
    "hz": librosa.midi_to_hz(midi).tolist(),
    "names": list(librosa.midi_to_note(midi)),
    "ascii": list(librosa.midi_to_note(midi, unicode=False)),
    "cents": [librosa.midi_to_note(m, cents=True) for m in midi],
    "classes": [librosa.midi_to_note(m, octave=False) for m in midi],
    "flats": [librosa.midi_to_note(m, key="F:min") for m in midi],
    "notes": {n: float(librosa.note_to_midi(n, round_midi=False)) for n in ["C", "c4", "C#4", "Bb3", "b!3", "A4+13", "D𝄪2-20", "E𝄫-1", "F♮+2", "g♯0", "Cb4", "B♭♭5"]},
}

write("music_goldens.json", scipy=scipy.__version__, librosa=librosa.__version__, names=names)
