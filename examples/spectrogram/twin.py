import sys
import librosa, matplotlib.pyplot as plt, numpy as np

rate = 16000
t = np.arange(4 * rate) / rate
x = np.sin(2 * np.pi * 700 * t * t) + 0.05 * np.random.randn(len(t))
if len(sys.argv) > 1:
    x, rate = librosa.load(sys.argv[1], sr=None)
levels = librosa.amplitude_to_db(np.abs(librosa.stft(x, n_fft=1024, hop_length=256)))
fig, ax = plt.subplots(figsize=(10, 4))
img = ax.imshow(levels, origin="lower", aspect="auto", cmap="magma", extent=(0, len(x) / rate, 0, rate / 2000))
ax.set_xlabel("time in s")
ax.set_ylabel("frequency in kHz")
fig.colorbar(img, label="level in dB")
fig.savefig("spectrogram.png", dpi=160)
