import sys
import librosa, matplotlib.pyplot as plt, numpy as np

rate = 16000
t = np.arange(2 * rate) / rate
phase = 2 * np.pi * (220 * t + 55 * t * t)
x = np.sin(phase) + 0.5 * np.sin(2 * phase)
if len(sys.argv) > 1:
    x, rate = librosa.load(sys.argv[1], sr=None)
f0, voiced, probability = librosa.pyin(x, fmin=65, fmax=2093, sr=rate)
print(f"{len(f0)} frames, the middle one at {f0[len(f0) // 2]:.1f} Hz")
plt.plot(f0)
plt.xlabel("frame")
plt.ylabel("pitch in Hz")
plt.savefig("pitch.png")
